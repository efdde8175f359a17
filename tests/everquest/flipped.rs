//! Archives with a flipped bit: every change by the flip is reported as a failure of its member.

use relicast::convert::ConvertOptions;
use relicast::convert::{self, ConvertError, Disposition, OpenContext, OutputRole, Sink};
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::wld::Version;
use relicast::formats::kind::Kind;
use relicast::scene::Asset;
use relicast_testing::test;

use crate::common;
use relicast_samples::minimal::scene;

struct NullSink;

impl Sink for NullSink {
    fn wants(&self, role: OutputRole) -> bool {
        role == OutputRole::Main
    }

    fn take(&mut self, _role: OutputRole, _asset: Asset<'_>) -> Result<(), ConvertError> {
        Ok(())
    }
}

fn noise(length: usize, state: &mut u32) -> Vec<u8> {
    let mut next = || {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Few symbols: blocks of coded text rather than stored bytes.
        b"etaoin shrdlu\r\n,0"[(*state >> 24) as usize % 17]
    };
    (0..length).map(|_| next()).collect()
}

/// A picture of 150 × 50 gray pixels.
fn bitmap(state: &mut u32) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    bytes.extend([0; 8]);
    for word in [54_u32, 40, 100, 50, 24 << 16 | 1, 0, 0, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(noise(100 * 50 * 3, state));
    bytes
}

fn made() -> Vec<u8> {
    let mut state = 7;
    let scene = scene::scene(Version::Old);
    let sounds = noise(84 * 250, &mut state);
    // A list needs a line that can be read.
    let mut emitters = b"2,wind.wav,0,0,1,0,0,1,0,0,0,1,2,0,3,0,0,0,1,1\r\n".to_vec();
    emitters.extend(noise(20_000, &mut state));
    let members: [(&str, &[u8]); 7] = [
        ("readme.txt", &noise(20_000, &mut state)),
        ("mystery", &noise(20_000, &mut state)),
        ("wall.bmp", &bitmap(&mut state)),
        ("zone.wld", &scene),
        ("zone_sounds.eff", &sounds),
        ("zone.emt", &emitters),
        ("nothing.bmp", b""),
    ];
    pfs::encode(&pfs::pack(&members, None, 6).unwrap()).unwrap()
}

/// Failures of a conversion, by member, as they are reported.
fn failures(bytes: &[u8]) -> Vec<(Option<String>, String)> {
    let options = ConvertOptions::default();
    let opened = convert::open(OpenContext::new(Kind::Pfs, "zone.s3d", bytes)).unwrap();
    let parts = opened.items(&options);
    let failures = parts.into_iter().enumerate().filter_map(|(index, part)| {
        let fault = match part.verdict {
            Disposition::Skip(_) => return None,
            Disposition::Fail(fault) => fault.to_string(),
            Disposition::Convert => opened
                .convert(index, &options, &mut NullSink)
                .err()?
                .to_string(),
        };
        Some((part.member, fault))
    });
    failures.collect()
}

#[test]
fn every_flip_that_changes_a_member_fails_it() {
    let bytes = made();
    let archive = pfs::decode(&bytes).unwrap().value;
    assert_eq!(failures(&bytes), []);
    let mut changed = 0;
    for entry in &archive.entries {
        let whole = entry.extract().unwrap().value;
        let start = entry.row.offset as usize;
        // The first block and one in the middle, without the sizes in front of them.
        let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        if whole.is_empty() {
            continue;
        }
        let mut blocks = vec![start];
        if whole.len() > pfs::BLOCK_SIZE {
            blocks.push(start + 8 + length(start));
        }
        for block in blocks {
            let data = block + 8..block + 8 + length(block);
            let step = (data.len() / 24).max(1);
            let ends = [data.start, data.start + 1, data.end - 4, data.end - 1];
            for place in data.clone().step_by(step).chain(ends) {
                let bit = 1 << (place % 8);
                let mut torn = bytes.clone();
                torn[place] ^= bit;
                let archive = pfs::decode(&torn).unwrap().value;
                let member = archive.member(&entry.label()).unwrap();
                match member.extract() {
                    Ok(same) => assert_eq!(same.value, whole, "{} at {place}", entry.label()),
                    Err(fault) => {
                        changed += 1;
                        assert_eq!(fault.offset() as usize, data.start);
                        let message = failures(&torn);
                        let of_member = |(name, text): &(Option<String>, String)| {
                            *name == entry.name && text.contains(fault.found())
                        };
                        assert!(
                            message.iter().any(of_member),
                            "{}: {message:?}",
                            entry.label()
                        );
                    }
                }
            }
        }
    }
    assert!(changed > 200, "{changed}");
}

#[test]
fn a_damaged_directory_fails_the_table_and_no_member() {
    let mut bytes = made();
    let archive = pfs::decode(&bytes).unwrap().value;
    let place = archive.directory.unwrap().entry.row.offset as usize + 12;
    bytes[place] ^= 4;
    let message = failures(&bytes);
    assert_eq!(message.len(), 1, "{message:?}");
    assert_eq!(message[0].0, None);
    assert!(message[0].1.starts_with("directory.block"), "{message:?}");
}

#[test]
fn a_damaged_member_and_a_lost_archive_end_the_run_with_failures() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    let mut bytes = made();
    let archive = pfs::decode(&bytes).unwrap().value;
    let place = archive.member("wall.bmp").unwrap().row.offset as usize + 8;
    drop(archive);
    bytes[place + 40] ^= 1;
    std::fs::write(input.join("zone.s3d"), &bytes).unwrap();
    std::fs::write(input.join("gone.s3d"), b"").unwrap();
    let out = folder.path().join("out");
    let run = common::convert(&input, &out, &[]).assert().code(2);
    let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let line = message.lines().find(|line| line.contains("wall.bmp"));
    let line = line.unwrap_or_else(|| panic!("{message}"));
    assert!(line.contains(&format!("block at byte {place}")), "{line}");
    assert!(line.contains("inflate before that"), "{line}");
    let report = common::json(&out.join("report.json"));
    let files = report["sources"].as_array().unwrap();
    let status = |name: &str| {
        let file = files.iter().find(|file| file["path"] == name);
        file.unwrap()["status"].clone()
    };
    assert_eq!(status("gone.s3d"), "failed");
    assert_eq!(status("zone.s3d"), "failed");
}
