//! Damaged and malicious cabinets: no panic, no bytes beyond the promised size, one named failure each.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::Arc;

use relicast::source::cabinet::volume::Volume;
use relicast::source::cabinet::{Container, microsoft, set, zipped};
use relicast_samples::SampleFile;
use relicast_samples::cabinet::microsoft::{cabinet, cut};
use relicast_samples::cabinet::set::{
    NewGroup, NewMember, NewSet, VERSION_5_0, VERSION_5_5, VERSION_6, files,
};
use relicast_testing::rounds;
use relicast_testing::test;
use zip::write::SimpleFileOptions;

use crate::common;

fn volume(name: &str, bytes: &[u8]) -> Volume {
    Volume::in_memory(name, bytes.to_vec())
}

/// Reads all members; returns the number read.
fn read(container: &Container) -> usize {
    let mut good = 0;
    for (index, member) in container.members.iter().enumerate() {
        assert!(
            member
                .path
                .split('/')
                .all(|part| !matches!(part, "" | "." | "..")),
            "{}",
            member.path
        );
        assert!(member.path.len() < 4000);
        if member.size > 4 << 20 {
            continue;
        }
        if let Ok(bytes) = container.read(index) {
            assert_eq!(bytes.len() as u64, member.size, "{}", member.path);
            good += 1;
        }
    }
    good
}

fn small(version: u32) -> Vec<SampleFile> {
    let member = |path: &str, bytes: &[u8], stored| NewMember {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
        stored,
    };
    let group = |name: &str, files| NewGroup {
        name: name.to_owned(),
        component: format!("All\\{name}"),
        target: "<TARGETDIR>".to_owned(),
        files,
    };
    let large: Vec<u8> = (0..20_000_u32).map(|place| (place % 251) as u8).collect();
    let set = NewSet {
        version,
        header_file: version != VERSION_5_0,
        streams: version == VERSION_5_0,
        md5: version == VERSION_5_5,
        obfuscated: version == VERSION_5_5,
        ..NewSet::new(vec![
            group(
                "One",
                vec![
                    member("a.txt", b"some text", false),
                    member("zbd/b.dat", &large, false),
                ],
            ),
            group("Two", vec![member("c.dll", b"stored", true)]),
            group("None", Vec::new()),
        ])
    };
    files(&set).unwrap()
}

fn open(files: &[SampleFile]) -> Container {
    let head = volume(&files[0].path, &files[0].bytes);
    set::open(
        head,
        &mut |name| {
            let file = files
                .iter()
                .find(|file| file.path.eq_ignore_ascii_case(name))?;
            Some(volume(&file.path, &file.bytes))
        },
        Arc::default(),
    )
}

#[test]
fn sets_that_are_cut_or_changed_anywhere_are_read_as_far_as_they_go() {
    for version in [VERSION_5_0, VERSION_5_5, VERSION_6] {
        let files = small(version);
        assert_eq!(read(&open(&files)), 3, "{version:08X}");
        for (number, file) in files.iter().enumerate() {
            for length in
                (0..file.bytes.len()).step_by(if number == 0 { 3 } else { 7 } * rounds(3, 1))
            {
                let mut cut = files.clone();
                cut[number].bytes.truncate(length);
                let container = open(&cut);
                read(&container);
            }
            for place in (0..file.bytes.len()).step_by(rounds(3, 1)) {
                // The space between header and descriptor holds nothing.
                if (84..0x200).contains(&place) && place % 50 != 0 {
                    continue;
                }
                for change in [0xFF, 0x80, 1] {
                    let mut changed = files.clone();
                    changed[number].bytes[place] ^= change;
                    read(&open(&changed));
                }
            }
        }
    }
}

#[test]
fn a_changed_byte_in_a_member_is_one_failure_or_one_deviation() {
    let mut files = small(VERSION_5_5);
    let cab = files
        .iter_mut()
        .find(|file| file.path.ends_with(".cab"))
        .unwrap();
    // The last member is stored and has an MD5.
    *cab.bytes.last_mut().unwrap() ^= 4;
    let container = open(&files);
    assert_eq!(read(&container), 3);
    let message: u64 = (0..3)
        .map(|index| container.member_deviations(index).total())
        .sum();
    assert_eq!(message, 1);
    // The length of the first chunk.
    let place = 0x200;
    let cab = files
        .iter_mut()
        .find(|file| file.path.ends_with(".cab"))
        .unwrap();
    cab.bytes[place] ^= 0x55;
    assert_eq!(read(&open(&files)), 2);
}

#[test]
fn lists_in_loops_and_counts_beyond_the_file_end() {
    let files = small(VERSION_5_5);
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut looped = files.clone();
    let head = &mut looped[0].bytes;
    // Every list entry of the groups points to itself.
    for slot in 0..71 {
        let entry = word(head, 0x200 + 0x3E + 4 * slot) as usize;
        if entry != 0 {
            let next = 0x200 + entry + 8;
            head[next..next + 4].copy_from_slice(&u32::try_from(entry).unwrap().to_le_bytes());
        }
    }
    let container = open(&looped);
    assert_eq!(read(&container), 3);
    assert!(!container.deviations.is_empty());
    for (at, what) in [(0x28, "files"), (0x1C, "folders"), (0x14, "table")] {
        let mut counted = files.clone();
        counted[0].bytes[0x200 + at..0x200 + at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let container = open(&counted);
        assert!(container.problem.is_some() || what == "table", "{what}");
    }
}

#[test]
fn microsoft_cabinets_that_are_cut_or_changed_are_read_as_far_as_they_go() {
    let content = [
        SampleFile {
            path: "zbd/a.dat".to_owned(),
            bytes: vec![7; 3000],
        },
        SampleFile {
            path: "b.txt".to_owned(),
            bytes: b"some text".to_vec(),
        },
    ];
    for compressed in [false, true] {
        let whole = cabinet(&content, compressed).unwrap();
        let open = |bytes: &[u8]| {
            microsoft::open(volume("a.cab", bytes), 0, &mut |_| None, Arc::default())
        };
        assert_eq!(read(&open(&whole)), 2);
        for place in 0..whole.len() {
            read(&open(&whole[..place]));
            for change in [0xFF, 0x80, 1] {
                let mut changed = whole.clone();
                changed[place] ^= change;
                read(&open(&changed));
            }
        }
    }
    // Cabinets that follow one another for ever.
    let whole = cabinet(&content, true).unwrap();
    let looped = cut(&whole, 20, &["a.cab", "b.cab"]).unwrap();
    let mut asked = 0;
    let container = microsoft::open(
        volume("a.cab", &looped[0].bytes),
        0,
        &mut |name| {
            asked += 1;
            assert!(asked < 50);
            // The second names the first as the next.
            Some(volume(name, &looped[0].bytes))
        },
        Arc::default(),
    );
    assert!(!container.deviations.is_empty());
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default());
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn zip_archives_are_read_and_damage_is_reported() {
    let whole = zipped(&[
        ("zbd/a.dat", &[7; 3000]),
        ("../../evil.txt", b"text"),
        ("b/", b""),
    ]);
    let open = |bytes: &[u8]| zipped::open(volume("a.zip", bytes), Arc::default());
    let container = open(&whole);
    assert_eq!(read(&container), 2);
    assert_eq!(container.members[1].path, "__/__/evil.txt");
    for place in 0..whole.len() {
        read(&open(&whole[..place]));
        for change in [0xFF, 1] {
            let mut changed = whole.clone();
            changed[place] ^= change;
            read(&open(&changed));
        }
    }
    // A changed byte of data is found by the checksum.
    let mut changed = whole.clone();
    changed[45] ^= 1;
    assert_eq!(read(&open(&changed)), 1);
}

#[test]
fn bombs_are_refused_by_ratio_total_and_depth() {
    let zeros = vec![0_u8; 20 << 20];
    let bomb = zipped(&[("zeros.dat", &zeros)]);
    let container = zipped::open(volume("a.zip", &bomb), Arc::default());
    let message = container.members[0].problem.clone().unwrap();
    assert!(message.contains("limits.expansion"), "{message}");

    let folder = tempfile::tempdir().unwrap();
    let mut nested = zipped(&[("zbd/detail.zrd", b"( DETAIL 3 )")]);
    for depth in 0..6 {
        nested = zipped(&[(&format!("{depth}.zip"), &nested), ("note.txt", b"text")]);
    }
    fs::write(folder.path().join("deep.zip"), &nested).unwrap();
    let sources = crate::cabinets::sources(folder.path());
    let failed: Vec<String> = crate::cabinets::cabinets(&sources)
        .iter()
        .filter_map(|cabinet| cabinet.problem.as_ref().map(ToString::to_string))
        .collect();
    assert!(
        failed.len() == 1 && failed[0].contains("depth"),
        "{failed:?}"
    );

    // Less than the ratio, and more than may be unpacked in all.
    let game = folder.path().join("game");
    fs::create_dir(&game).unwrap();
    let noise: Vec<u8> = (0..3_u32 << 20)
        .map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    fs::write(game.join("large.zip"), zipped(&[("noise.dat", &noise)])).unwrap();
    fs::write(game.join("detail.zrd"), "( DETAIL 3 )").unwrap();
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, "[limits]\nunpacked_mib = 1\n").unwrap();
    let out = folder.path().join("out");
    let arguments = ["--config", settings.to_str().unwrap()];
    let output = common::convert(&game, &out, &arguments).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("limits.unpacked_mib"), "{message}");
    assert!(out.join("config/detail.json").exists());
}

/// Paths of the members below a folder with one file.
fn listed(name: &str, bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let members = crate::cabinets::members(&crate::cabinets::sources(folder.path()));
    members
        .into_iter()
        .map(|(path, bytes)| {
            assert!(bytes.is_ok(), "{path}: {bytes:?}");
            path
        })
        .collect()
}

#[test]
fn cabinets_in_archives_programs_and_one_another_are_found() {
    let content = [SampleFile {
        path: "zbd/a.dat".to_owned(),
        bytes: vec![7; 3000],
    }];
    let inner = cabinet(&content, true).unwrap();
    let mut stub = b"MZ".to_vec();
    stub.resize(70_000, 0x90);
    stub.extend(b"MSCF in a text of the program");
    stub.resize(2_000_000, 0);
    stub.extend(&inner);
    assert_eq!(listed("setup.exe", &stub), ["setup/zbd/a.dat"]);
    let mut self_extracting = b"MZ".to_vec();
    self_extracting.resize(5000, 0);
    self_extracting.extend(zipped(&[("zbd/a.dat", &[7; 3000])]));
    assert_eq!(listed("patch.exe", &self_extracting), ["patch/zbd/a.dat"]);
    let set = small(VERSION_6);
    let mut all: Vec<(String, &[u8])> = set
        .iter()
        .map(|file| (format!("disc/{}", file.path), &*file.bytes))
        .collect();
    all.push(("more/inner.cab".to_owned(), &inner));
    let all: Vec<(&str, &[u8])> = all.iter().map(|(path, bytes)| (&**path, *bytes)).collect();
    let mut paths = listed("old game.zip", &zipped(&all));
    paths.sort();
    let expected = [
        "old game/disc/a.txt",
        "old game/disc/c.dll",
        "old game/disc/data1.cab",
        "old game/disc/data1.hdr",
        "old game/disc/zbd/b.dat",
        "old game/more/inner.cab",
        "old game/more/zbd/a.dat",
    ];
    let expected: Vec<&str> = expected
        .into_iter()
        .filter(|path| !path.ends_with(".cab") && !path.ends_with(".hdr"))
        .collect();
    assert_eq!(paths, expected);
    assert!(listed("plain.exe", b"MZ and no more").is_empty());
}

/// The lines of `inspect`.
fn inspect(arguments: &[&Path]) -> String {
    let output = common::relicast()
        .arg("inspect")
        .args(arguments)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn inspect_shows_components_groups_and_members() {
    let folder = tempfile::tempdir().unwrap();
    relicast_samples::write_files(folder.path(), &small(VERSION_5_5)).unwrap();
    for name in ["data1.hdr", "data1.cab"] {
        let message = inspect(&[&folder.path().join(name)]);
        for expected in [
            "InstallShield cabinet",
            "01005201",
            "component:    One: One",
            "setup type: Typical",
            "group:      Two, 1 files, 6 bytes",
            "zbd/b.dat, 20000 bytes, deflate, obfuscated (One)",
        ] {
            assert!(
                message.contains(expected),
                "{name}: {expected} in {message}"
            );
        }
    }
    let message = inspect(&[&folder.path().join("data1.hdr"), Path::new("--json")]);
    let json: serde_json::Value = serde_json::from_str(&message).unwrap();
    assert_eq!(json["members"].as_array().unwrap().len(), 3);
    let hdr = folder.path().join("data1.hdr");
    let member = inspect(&[&hdr, Path::new("--member"), Path::new("a.txt")]);
    assert!(member.contains("9 bytes"), "{member}");
}
