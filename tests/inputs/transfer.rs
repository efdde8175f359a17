//! Files that a copy in text mode damaged, and raw deflate streams: damage that can be undone is undone for reading and
//! reported, other damage is reported with the remedy, and the files themselves stay as they are.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;
use relicast_testing::test;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use common::{convert, files, json, relicast, sample_installs};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use predicates::str::contains;
use relicast::asset::Game;
use relicast::formats::everquest::pfs;
use relicast::formats::kind::{Kind, sniff};
use relicast::formats::transfer::{Damage, detect, undo};
use relicast_samples::random::Random;
use relicast_samples::{GAMES, SampleFile};

/// As FTP in ASCII mode and git with `autocrlf` write it.
fn in_text_mode(bytes: &[u8]) -> Vec<u8> {
    let add = |&byte: &u8| {
        if byte == b'\n' {
            vec![b'\r', b'\n']
        } else {
            vec![byte]
        }
    };
    bytes.iter().flat_map(add).collect()
}

/// As the same tools write it the other way.
fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    for (place, &byte) in bytes.iter().enumerate() {
        if byte != b'\r' || bytes.get(place + 1) != Some(&b'\n') {
            kept.push(byte);
        }
    }
    kept
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The files of all games that are neither texts nor nothing.
fn binary_samples() -> Vec<SampleFile> {
    let texts = [
        Kind::TextReader,
        Kind::EmitterText,
        Kind::TextList,
        Kind::ZoneMap,
        Kind::WorldSettings,
        Kind::EnvironmentEmitters,
        Kind::SoundBank,
        Kind::Foreign,
        Kind::Empty,
        Kind::Unknown,
        Kind::Program,
    ];
    let all = GAMES
        .iter()
        .flat_map(|&game| relicast_samples::files(game, 1).unwrap());
    all.filter(|file| !texts.contains(&kind_of(file))).collect()
}

fn name(file: &SampleFile) -> &str {
    file.path.rsplit('/').next().unwrap()
}

fn kind_of(file: &SampleFile) -> Kind {
    sniff(&file.bytes, name(file))
}

#[test]
fn added_line_ends_are_found_and_undone_in_every_binary_kind() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lost = Vec::new();
    for file in binary_samples() {
        assert_eq!(detect(&file.bytes, name(&file)), None, "{}", file.path);
        let damaged = in_text_mode(&file.bytes);
        if damaged == file.bytes {
            continue;
        }
        assert_eq!(
            undo(Damage::LineEndsAdded, &damaged),
            Some(file.bytes.clone())
        );
        match detect(&damaged, name(&file)) {
            Some(Damage::LineEndsAdded) => *found.entry(kind_of(&file).label()).or_default() += 1,
            other => lost.push((file.path.clone(), kind_of(&file), other)),
        }
    }
    println!("{found:?}, not found: {lost:?}");
    // A single changed byte in the middle of numbers or text may go unnoticed.
    let total: usize = found.values().sum();
    assert!(lost.len() * 10 < total, "{total} found, {lost:?}");
    assert!(found.len() >= 12, "{found:?}");
}

#[test]
fn raw_deflate_is_recognized_in_every_binary_kind() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for file in binary_samples() {
        let stream = deflated(&file.bytes);
        if stream.len() > file.bytes.len() {
            continue;
        }
        let name = name(&file);
        let has_name = Kind::ALL
            .iter()
            .any(|kind| sniff(b"cut", name) == *kind && *kind != Kind::Unknown);
        if !has_name || kind_of(&file).codec().decoder().is_none() {
            continue;
        }
        assert_eq!(
            detect(&stream, name),
            Some(Damage::Deflated),
            "{}",
            file.path
        );
        assert_eq!(
            undo(Damage::Deflated, &stream),
            Some(file.bytes.clone()),
            "{}",
            file.path
        );
        *found.entry(kind_of(&file).label()).or_default() += 1;
    }
    assert!(found.len() >= 12, "{found:?}");
}

/// The install of a game with each file damaged, and the results of both.
fn both_converted(
    game: Game,
    damage: impl Fn(&SampleFile) -> Vec<u8>,
) -> (tempfile::TempDir, usize) {
    let root = tempfile::tempdir().unwrap();
    let whole = relicast_samples::files(game, 1).unwrap();
    let mut damaged = 0;
    let changed: Vec<SampleFile> = whole
        .iter()
        .map(|file| {
            let bytes = damage(file);
            damaged += usize::from(bytes != file.bytes);
            SampleFile {
                path: file.path.clone(),
                bytes,
            }
        })
        .collect();
    for (folder, files) in [("whole", &whole), ("damaged", &changed)] {
        relicast_samples::write_files(&root.path().join(folder), files).unwrap();
        let out = root.path().join(format!("{folder}.out"));
        let input = root.path().join(folder);
        convert(&input, &out, &["--quiet"]).assert().code(0);
    }
    (root, damaged)
}

/// Outputs by path, the files of the run itself aside.
fn outputs(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let own = ["manifest.json", "report.json"];
    let outputs = files(out).into_iter();
    outputs
        .filter(|path| !own.contains(&&**path) && !path.contains(".relicast"))
        .map(|path| (path.clone(), fs::read(out.join(&path)).unwrap()))
        .collect()
}

#[test]
fn archives_copied_in_text_mode_give_the_same_outputs_and_the_report_says_so() {
    let (root, damaged) = both_converted(Game::Eq, |file| match kind_of(file) {
        Kind::Pfs => in_text_mode(&file.bytes),
        _ => file.bytes.clone(),
    });
    assert!(damaged > 2, "{damaged} archives");
    let path = |name: &str| root.path().join(name);
    assert_eq!(
        outputs(&path("whole.out")).keys().collect::<Vec<_>>(),
        outputs(&path("damaged.out")).keys().collect::<Vec<_>>()
    );
    let (whole, found) = (outputs(&path("whole.out")), outputs(&path("damaged.out")));
    // Tables of archives list the deviations of the archive; all else is byte for byte the same.
    let differ: Vec<_> = whole
        .iter()
        .filter(|(name, bytes)| found[*name] != **bytes)
        .map(|(name, _)| name)
        .collect();
    assert!(differ.is_empty(), "{differ:?}");
    let report = json(&path("damaged.out/report.json"));
    let sources = report["sources"].as_array().unwrap();
    let reported = sources
        .iter()
        .filter(|source| source["deviations"].to_string().contains("text mode"));
    assert_eq!(reported.count(), damaged);

    // The damaged file is what the manifest knows, and is not packed into.
    let manifest = json(&path("damaged.out/manifest.json"));
    for source in manifest["sources"].as_array().unwrap() {
        let file = path("damaged").join(source["path"].as_str().unwrap());
        let hash = blake3::hash(&fs::read(file).unwrap()).to_hex().to_string();
        assert_eq!(source["blake3"], hash);
    }
    let mut strict = convert(
        &path("damaged"),
        &path("strict.out"),
        &["--strict", "--quiet"],
    );
    strict.assert().failure();
}

#[test]
fn damaged_archive_is_never_written_back() {
    let (root, _) = both_converted(Game::Eq, |file| match kind_of(file) {
        Kind::Pfs => in_text_mode(&file.bytes),
        _ => file.bytes.clone(),
    });
    let (install, out) = (root.path().join("damaged"), root.path().join("damaged.out"));
    let before = outputs(&install);
    let manifest = json(&out.join("manifest.json"));
    let edited = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|output| {
            let path = output["path"].as_str().unwrap();
            let source = output["source"].as_str().unwrap();
            let bytes = fs::read(install.join(source)).unwrap();
            path.ends_with(".png") && detect(&bytes, source).is_some()
        });
    let path = out.join(edited.unwrap()["path"].as_str().unwrap());
    let picture = image::open(&path).unwrap().to_rgba8();
    let mut turned = image::imageops::rotate180(&picture);
    turned.put_pixel(0, 0, image::Rgba([9, 8, 7, 255]));
    turned.save(&path).unwrap();
    let packed = relicast()
        .arg("pack")
        .arg(&out)
        .arg("--from")
        .arg(&install)
        .arg("--to")
        .arg(root.path().join("mod"))
        .assert()
        .failure();
    let said = String::from_utf8_lossy(&packed.get_output().stderr).into_owned()
        + &String::from_utf8_lossy(&packed.get_output().stdout);
    assert!(said.contains("text mode"), "{said}");
    assert_eq!(outputs(&install), before);
    assert!(!root.path().join("mod").exists() || outputs(&root.path().join("mod")).is_empty());
}

#[test]
fn lost_returns_are_reported_with_the_remedy() {
    let mut random = Random::new(7);
    let noise: Vec<u8> = (0..900_000).map(|_| random.bits() as u8).collect();
    let archive = pfs::pack(
        &[("noise.bin", &*noise)],
        Some(pfs::Footer::new(920_246_400)),
        6,
    )
    .unwrap();
    let damaged = without_returns(&pfs::encode(&archive).unwrap());
    let root = sample_installs(&[Game::Eq]);
    let install = root.path().join(relicast_samples::folder(Game::Eq));
    let file = install.join("noise.s3d");
    fs::write(&file, &damaged).unwrap();
    let out = root.path().join("out");
    convert(&install, &out, &["--quiet"]).assert().failure();
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let source = sources
        .iter()
        .find(|source| source["path"] == "noise.s3d")
        .unwrap();
    let reported = source.to_string();
    assert!(
        reported.contains("text mode") && reported.contains("copy the file again in binary mode"),
        "{reported}"
    );
    for command in ["inspect", "prove"] {
        let run = relicast().arg(command).arg(&file).assert().failure();
        let output = run.get_output();
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("copy the file again in binary mode"),
            "{command}: {said}"
        );
    }
    // A file that is merely truncated is not reported as such.
    fs::write(&file, &damaged[..20_000]).unwrap();
    relicast()
        .arg("prove")
        .arg(&file)
        .assert()
        .failure()
        .stdout(contains("text mode").count(0));
}

#[test]
fn deflated_music_is_read_and_reported() {
    let (root, damaged) = both_converted(Game::Eq, |file| match kind_of(file) {
        Kind::Xmidi => deflated(&file.bytes),
        _ => file.bytes.clone(),
    });
    assert!(damaged > 0);
    let path = |name: &str| root.path().join(name);
    assert_eq!(outputs(&path("whole.out")), outputs(&path("damaged.out")));
    let report = json(&path("damaged.out/report.json"));
    assert!(
        report
            .to_string()
            .contains("a raw deflate stream of the file")
    );
}
