//! The checks of the fuzz targets, with their seeds and with the inputs that once failed.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

use relicast_testing::rounds;
use relicast_testing::test;
use std::panic::{catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use fuzz::seeds::all;

fn check(target: &str) -> fn(&[u8]) {
    match target {
        "actors" => fuzz::actors,
        "anim" => fuzz::anim,
        "archive" => fuzz::archive,
        "avi" => fuzz::avi,
        "config" => fuzz::config,
        "convert" => fuzz::convert,
        "cue" => fuzz::discs::cue,
        "dds" => fuzz::dds,
        "eff" => fuzz::eff,
        "eqg" => fuzz::eqg,
        "emt" => fuzz::emt,
        "everquest" => fuzz::everquest,
        "dls" => fuzz::dls,
        "gamez" => fuzz::gamez,
        "cabinet_microsoft" => fuzz::cabinets::microsoft,
        "cabinet_zip" => fuzz::cabinets::zip,
        "installshield" => fuzz::cabinets::installshield,
        "interp" => fuzz::interp,
        "iso9660" => fuzz::discs::iso9660,
        "livery" => fuzz::livery,
        "mechlib" => fuzz::mechlib,
        "messages" => fuzz::messages,
        "missions" => fuzz::missions,
        "motion" => fuzz::motion,
        "pack" => fuzz::packing::edit,
        "pack_documents" => fuzz::edits::documents,
        "pack_pictures" => fuzz::edits::pictures,
        "pack_scenes" => fuzz::edits::scenes,
        "pack_sounds" => fuzz::edits::sounds,
        "patch" => fuzz::packing::patch,
        "pfs" => fuzz::pfs,
        "pfs_damage" => fuzz::pfs_damage,
        "picture" => fuzz::picture,
        "reader_binary" => fuzz::reader_binary,
        "reader_text" => fuzz::reader_text,
        "rof" => fuzz::rof,
        "save" => fuzz::save,
        "tables" => fuzz::tables,
        "texture" => fuzz::texture,
        "wave" => fuzz::wave,
        "wld" => fuzz::wld,
        "xmidi" => fuzz::xmidi,
        "zmap" => fuzz::zmap,
        other => panic!("no check for {other}"),
    }
}

#[test]
fn every_seed_of_a_target_passes_its_check() {
    for (target, seeds) in all() {
        for seed in seeds {
            check(target)(&seed);
        }
    }
}

/// Words that counts, offsets and sizes go wrong with.
const WORDS: [u32; 8] = [
    0,
    1,
    0x7F,
    0xFFFF,
    0x0001_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    u32::MAX,
];

/// A sequence of numbers that look random, the same on every machine (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// A seed with one to four changes: a word, a byte, a piece that is cut out or repeated, an early end, a
/// piece of another seed.
fn mutated(numbers: &mut Numbers, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[numbers.below(seeds.len())].clone();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len());
        let length = numbers.below(64).min(bytes.len() - at);
        match numbers.below(7) {
            0 | 1 => {
                let word = WORDS[numbers.below(WORDS.len())].to_le_bytes();
                let room = bytes[at..].iter_mut();
                room.zip(word).for_each(|(byte, new)| *byte = new);
            }
            2 => {
                let new = u8::try_from(numbers.below(256)).unwrap();
                bytes[at..].iter_mut().take(1).for_each(|byte| *byte = new);
            }
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let twice = bytes[at..at + length].to_vec();
                bytes.splice(at..at, twice);
            }
            5 => bytes.truncate(at),
            _ => {
                let other = &seeds[numbers.below(seeds.len())];
                let from = numbers.below(other.len());
                let piece = other[from..].iter().take(length).copied();
                bytes.splice(at..at + length, piece);
            }
        }
    }
    bytes
}

/// Some rounds of what fuzzing does, for machines without a nightly compiler. `RELICAST_FUZZ_SECONDS` asks for
/// that long a target, `RELICAST_FUZZ_TARGETS` for some of them, with commas between their names.
#[test]
fn mutated_seeds_pass_their_checks() {
    let most = rounds(50, 200);
    // The slowest targets have fewer rounds then.
    let longest = Duration::from_secs(rounds(1, 5) as u64);
    let seconds = std::env::var("RELICAST_FUZZ_SECONDS").ok();
    let seconds = seconds.map(|seconds| Duration::from_secs(seconds.parse().unwrap()));
    let wanted = std::env::var("RELICAST_FUZZ_TARGETS").unwrap_or_default();
    let wanted: Vec<&str> = wanted.split(',').filter(|name| !name.is_empty()).collect();
    for (target, seeds) in all() {
        if !wanted.is_empty() && !wanted.contains(&target) {
            continue;
        }
        let (mut numbers, start) = (Numbers(0x9E37_79B9_7F4A_7C15), Instant::now());
        let mut rounds = 0;
        let goes_on = |rounds: usize| match seconds {
            Some(seconds) => start.elapsed() < seconds,
            None => rounds < most && (start.elapsed() < longest || rounds < 5),
        };
        while goes_on(rounds) {
            let bytes = mutated(&mut numbers, &seeds);
            if let Err(fault) = catch_unwind(|| check(target)(&bytes)) {
                let path = std::env::temp_dir().join(format!("relicast-fuzz-{target}"));
                std::fs::write(&path, &bytes).unwrap();
                eprintln!("{target}: round {rounds}, the input is {}", path.display());
                resume_unwind(fault);
            }
            rounds += 1;
        }
        if seconds.is_some() {
            eprintln!("{target}: {rounds} rounds");
        }
    }
}

/// Inputs that once broke a property: `regressions/TARGET/NAME`.
#[test]
fn every_regression_passes_its_check() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for target in std::fs::read_dir(root.join("fuzz/regressions")).unwrap() {
        let target = target.unwrap();
        let check = check(target.file_name().to_str().unwrap());
        for input in std::fs::read_dir(target.path()).unwrap() {
            check(&std::fs::read(input.unwrap().path()).unwrap());
            seen += 1;
        }
    }
    assert!(seen > 0);
}
