//! Damaged files: an error or a faithful round trip, never a panic, and always quickly.

use relicast_testing::rounds;
use relicast_testing::test;
use std::time::{Duration, Instant};

use relicast::formats::zipper::anim;

use relicast_samples::minimal;

use crate::anim::fixtures;

/// Decodes `bytes`; everything that decodes must be written as it was. True when it decoded.
fn survives(bytes: &[u8]) -> bool {
    match anim::decode(bytes) {
        Ok(decoded) => {
            let written = anim::encode(&decoded.value).unwrap();
            assert!(written == bytes, "a damaged file changed in a round trip");
            true
        }
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64 + 256, "{error}");
            false
        }
    }
}

/// Small files with every type of event.
fn own_files() -> Vec<Vec<u8>> {
    let files = minimal::animations::files();
    let encoded = files.iter().map(|file| anim::encode(file).unwrap());
    encoded.collect()
}

fn fixture_files() -> Vec<Vec<u8>> {
    let fixtures = fixtures().into_iter();
    fixtures.map(|fixture| fixture.bytes).collect()
}

#[test]
fn truncated_files_are_errors() {
    assert_truncation(own_files());
}

#[test]
fn truncated_files_of_the_fixtures_are_errors() {
    assert_truncation(fixture_files());
}

fn assert_truncation(files: Vec<Vec<u8>>) {
    for bytes in files {
        for length in (0..bytes.len())
            .step_by(17)
            .chain(bytes.len() - 8..bytes.len())
        {
            assert!(
                !survives(&bytes[..length]),
                "{length} of {} bytes",
                bytes.len()
            );
        }
    }
}

#[test]
fn trailing_bytes_are_preserved_and_reported() {
    assert_trailing(own_files());
}

#[test]
fn trailing_bytes_are_preserved_and_reported_in_the_fixtures() {
    assert_trailing(fixture_files());
}

fn assert_trailing(files: Vec<Vec<u8>>) {
    for mut bytes in files {
        bytes.extend([1, 2, 3]);
        assert!(survives(&bytes));
        let decoded = anim::decode(&bytes).unwrap();
        assert_eq!(&*decoded.value.trailing, [1, 2, 3]);
        assert_eq!(
            decoded.deviations.total(),
            1 + own_deviations(&bytes[..bytes.len() - 3])
        );
    }
}

fn own_deviations(bytes: &[u8]) -> u64 {
    anim::decode(bytes).unwrap().deviations.total()
}

#[test]
fn damaged_words_never_panic_and_never_change_what_is_preserved() {
    assert_damage(own_files());
}

#[test]
fn damaged_words_never_panic_and_never_change_what_is_preserved_in_the_fixtures() {
    assert_damage(fixture_files());
}

fn assert_damage(files: Vec<Vec<u8>>) {
    const WORDS: [u32; 4] = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF];
    let started = Instant::now();
    let mut decoded = 0;
    for bytes in files {
        let mut damaged = bytes.clone();
        // An odd step meets every alignment.
        for offset in (0..bytes.len() - 4).step_by(29 * rounds(3, 1)) {
            for word in WORDS {
                damaged[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
                decoded += u32::from(survives(&damaged));
            }
            damaged[offset..offset + 4].copy_from_slice(&bytes[offset..offset + 4]);
        }
        for offset in (0..bytes.len().min(2_000) - 4).step_by(4 * rounds(3, 1)) {
            for word in WORDS {
                damaged[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
                decoded += u32::from(survives(&damaged));
            }
            damaged[offset..offset + 4].copy_from_slice(&bytes[offset..offset + 4]);
        }
    }
    assert!(decoded > 0);
    assert!(started.elapsed() < Duration::from_secs(300));
}

#[test]
fn counts_that_cannot_be_are_refused_before_memory_is_taken() {
    for (version, header) in [(28_u32, 8), (39, 8), (50, 12), (53, 8)] {
        let mut bytes = vec![0; header + 8];
        bytes[..4].copy_from_slice(&0x0817_0616_u32.to_le_bytes());
        bytes[4..8].copy_from_slice(&version.to_le_bytes());
        bytes[header..].fill(0xFF);
        let error = anim::decode(&bytes).unwrap_err();
        assert!(error.expected().contains("structures"), "{error}");
    }
}

#[test]
fn other_files_are_not_taken_for_animations() {
    assert_eq!(anim::sniff(&[]), None);
    assert_eq!(anim::sniff(&0x0817_0616_u32.to_le_bytes()), None);
    let mut bytes = [0_u8; 64];
    bytes[..4].copy_from_slice(&0x0817_0616_u32.to_le_bytes());
    bytes[4] = 40;
    assert_eq!(anim::sniff(&bytes), None);
    let error = anim::decode(&bytes).unwrap_err();
    assert_eq!(error.field(), "version");
}
