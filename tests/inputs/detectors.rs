//! Trial of all detectors: random files, changed samples, foreign files. No file is detected as another
//! format.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast::formats::everquest::pfs;
use relicast::formats::kind::{Kind, sniff, sniff_pfs_member};
use relicast::formats::zipper::archive;
use relicast_samples::random::Random;
use relicast_samples::{GAMES, minimal};
use relicast_testing::{skip, test};

/// Files of each trial.
const MANY: usize = 10_000;

/// Largest foreign file that is read.
const MAX_BYTES: u64 = 4 << 20;

/// True for a kind that only our games have: common formats may be met anywhere.
fn is_of_a_game(kind: Kind) -> bool {
    GAMES.iter().any(|&game| kind.may_be_of(game).is_some())
}

/// Bytes of one of several characters: noise, small numbers, sparse, text, floats; with the footer of an archive or
/// not.
fn made(index: usize) -> Vec<u8> {
    let mut random = Random::new(index as u64);
    let length = random.below(3000) as usize;
    let mut bytes: Vec<u8> = match index % 5 {
        0 => (0..length).map(|_| random.bits() as u8).collect(),
        1 => (0..length / 4)
            .flat_map(|_| (random.below(20) as u32).to_le_bytes())
            .collect(),
        2 => (0..length)
            .map(|_| (random.bits() as u8) * u8::from(random.below(8) == 0))
            .collect(),
        3 => (0..length).map(|_| b' ' + random.below(95) as u8).collect(),
        _ => (0..length / 4)
            .flat_map(|_| (random.unit() * 200.0 - 100.0).to_le_bytes())
            .collect(),
    };
    if index.is_multiple_of(3) {
        let footer = [1 + random.below(2) as u32, random.below(4) as u32];
        bytes.extend(footer.into_iter().flat_map(u32::to_le_bytes));
        if footer[0] == 2 {
            bytes.extend([0; 4]);
        }
    }
    bytes
}

#[test]
fn ten_thousand_random_files_are_of_no_kind() {
    let mut detections = Vec::new();
    for index in 0..MANY {
        let bytes = made(index);
        for name in ["a", "a.txt", "a.bin", "a.dat", "a.eff"] {
            let kind = sniff(&bytes, name);
            if ![Kind::Unknown, Kind::Foreign, Kind::Empty].contains(&kind) {
                detections.push((index, name, kind));
            }
        }
        for name in ["a", "a.dat", "a.eff", "a.txt"] {
            let kind = sniff_pfs_member(&bytes, name);
            if ![Kind::Unknown, Kind::Foreign, Kind::Empty].contains(&kind) {
                detections.push((index, name, kind));
            }
        }
    }
    assert!(detections.is_empty(), "{detections:?}");
}

/// A file that ends as an archive with these rows does: name, start, length.
fn with_table(data: usize, rows: &[(&[u8], usize, usize)]) -> Vec<u8> {
    let mut bytes = vec![7; data];
    for &(name, start, length) in rows {
        let at = bytes.len();
        bytes.resize(at + 148, 0);
        bytes[at..at + 4].copy_from_slice(&(start as u32).to_le_bytes());
        bytes[at + 4..at + 8].copy_from_slice(&(length as u32).to_le_bytes());
        bytes[at + 8..at + 8 + name.len()].copy_from_slice(name);
    }
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend((rows.len() as u32).to_le_bytes());
    bytes
}

#[test]
fn table_at_the_end_is_evidence_when_its_rows_have_names_and_tile_the_file() {
    let good: [(&[u8], usize, usize); 2] = [(b"a.zrd", 0, 10), (b"b.zrd", 10, 20)];
    assert_eq!(sniff(&with_table(30, &good), "a"), Kind::Archive);
    type Rows = [(&'static [u8], usize, usize); 2];
    let faulty: [(&str, Rows); 6] = [
        (
            "a name that is not ASCII",
            [(b"\xE9.zrd", 0, 10), (b"b", 10, 20)],
        ),
        ("a control character", [(b"a\x01", 0, 10), (b"b", 10, 20)]),
        ("no name", [(b"", 0, 10), (b"b", 10, 20)]),
        ("an overlap", [(b"a", 0, 12), (b"b", 10, 20)]),
        ("a gap", [(b"a", 0, 8), (b"b", 10, 20)]),
        ("bytes behind the last", [(b"a", 0, 10), (b"b", 10, 15)]),
    ];
    for (what, rows) in faulty {
        let bytes = with_table(30, &rows);
        assert_eq!(sniff(&bytes, "a"), Kind::Unknown, "{what}");
        // Its name still says what a damaged archive was.
        assert_eq!(sniff(&bytes, "sounds.zbd"), Kind::Archive, "{what}");
        assert!(archive::decode(&bytes).is_ok(), "{what}");
    }
}

#[test]
fn one_damaged_row_of_many_does_not_hide_an_archive() {
    let mut rows: Vec<(&[u8], usize, usize)> =
        (0..8).map(|index| (&b"member"[..], index * 5, 5)).collect();
    rows[3].2 = 9;
    assert_eq!(sniff(&with_table(40, &rows), "Status.dat"), Kind::Archive);
}

#[test]
fn every_sample_with_a_table_at_the_end_is_detected_without_its_name() {
    let archives = minimal::containers::archives();
    let members: Vec<_> = archives
        .iter()
        .filter(|bytes| !archive::decode(bytes).unwrap().value.entries.is_empty())
        .collect();
    assert!(members.len() > 2);
    for bytes in members {
        assert_eq!(sniff(bytes, "a"), Kind::Archive);
    }
}

#[test]
fn changed_samples_are_never_taken_for_another_kind() {
    let mut detections = Vec::new();
    let mut tried = 0;
    let samples: Vec<(String, Vec<u8>)> = GAMES
        .iter()
        .flat_map(|&game| relicast_samples::files(game, 1).unwrap())
        .map(|file| (file.path, file.bytes))
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect();
    let mut random = Random::new(56);
    while tried < MANY {
        for (path, bytes) in &samples {
            let name = path.rsplit('/').next().unwrap();
            let kind = sniff(bytes, name);
            let mut changed = bytes[..bytes.len().min(64 << 10)].to_vec();
            match tried % 3 {
                0 => {
                    let at = random.below(changed.len() as u64) as usize;
                    changed[at] ^= 1 << random.below(8);
                }
                1 => changed.truncate(random.below(changed.len() as u64) as usize + 1),
                _ => changed.extend([1, 0, 0, 0, 1, 0, 0, 0]),
            }
            tried += 1;
            // Without a name it is what it was, or unknown.
            let bare = sniff(&changed, "a");
            let lost = [Kind::Unknown, Kind::Wave, Kind::Archive, Kind::Program].contains(&bare);
            if bare != kind && (!lost || bare == Kind::Archive) {
                detections.push((path, tried, kind, bare));
            }
        }
    }
    assert!(
        detections.is_empty(),
        "{} of {tried}: {detections:?}",
        detections.len()
    );
}

/// Files of this system, sorted, at most `most` of them, evenly chosen.
fn system_files(most: usize) -> Vec<PathBuf> {
    let roots = [
        "/usr",
        "/opt",
        "/Library",
        "/System/Library/Sounds",
        "C:\\Windows\\System32",
    ];
    let mut all: Vec<PathBuf> = roots
        .iter()
        .filter(|root| Path::new(root).is_dir())
        .flat_map(|root| {
            walkdir::WalkDir::new(root)
                .same_file_system(true)
                .sort_by_file_name()
        })
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| entry.metadata().is_ok_and(|facts| facts.len() <= MAX_BYTES))
        .map(walkdir::DirEntry::into_path)
        .collect();
    let step = all.len().div_ceil(most).max(1);
    // All of what is made of formats as ours are; of the rest an even choice.
    let rare = [
        "bmp", "cab", "dat", "exe", "mod", "wav", "zip", "def", "ani", "dll", "dds",
    ];
    let is_rare = |path: &Path| {
        let extension = path
            .extension()
            .map(|end| end.to_string_lossy().to_lowercase());
        extension.is_some_and(|end| rare.contains(&&*end))
    };
    let mut place = 0;
    all.retain(|path| {
        place += 1;
        place % step == 0 || is_rare(path)
    });
    all
}

#[test]
fn files_of_this_system_are_of_no_game() {
    let files = system_files(MANY);
    if files.len() < 100 {
        skip("no files of a system");
    }
    let mut detections = Vec::new();
    let mut read = 0;
    for path in &files {
        let Ok(bytes) = fs::read(path) else { continue };
        read += 1;
        for name in ["a", "a.txt"] {
            let kind = sniff(&bytes, name);
            if is_of_a_game(kind) {
                detections.push((path, kind));
            }
        }
        let start = &bytes[..bytes.len().min(64)];
        let kind = sniff_pfs_member(start, "a");
        if is_of_a_game(kind) {
            detections.push((path, kind));
        }
    }
    println!("{read} files of this system looked at");
    assert!(
        detections.is_empty(),
        "{} of {read}: {detections:?}",
        detections.len()
    );
}

#[test]
fn real_files_of_everquest_are_of_no_other_game() {
    let Some(root) = std::env::var_os("RELICAST_EVERQUEST") else {
        skip("RELICAST_EVERQUEST names no folder of real files");
    };
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter();
    let files = files.filter_map(Result::ok);
    let files = files.filter(|entry| entry.file_type().is_file());
    let (mut read, mut members, mut detections) = (0, 0, Vec::new());
    for path in files.map(walkdir::DirEntry::into_path) {
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().to_lowercase();
        read += 1;
        for name in [&*name, "a"] {
            let kind = sniff(&bytes, name);
            if is_of_a_game(kind) && kind.may_be_of(Game::Eq).is_none() {
                detections.push((path.clone(), name.to_owned(), kind));
            }
        }
        let is_archive = [".s3d", ".eqg", ".pfs"]
            .iter()
            .any(|end| name.ends_with(end));
        let Some(archive) = is_archive.then(|| pfs::decode(&bytes).ok()).flatten() else {
            continue;
        };
        for entry in &archive.value.entries {
            let Ok(bytes) = entry.extract() else { continue };
            let label = entry.label().to_lowercase();
            members += 1;
            for name in [&*label, "a"] {
                for kind in [
                    sniff_pfs_member(&bytes.value, name),
                    sniff(&bytes.value, name),
                ] {
                    if is_of_a_game(kind) && kind.may_be_of(Game::Eq).is_none() {
                        detections.push((path.clone(), label.clone(), kind));
                    }
                }
            }
        }
    }
    println!("{read} real files and {members} members looked at");
    assert!(read > 0, "the folder is empty");
    assert!(
        detections.is_empty(),
        "{} of {read} and {members}: {detections:?}",
        detections.len()
    );
}
