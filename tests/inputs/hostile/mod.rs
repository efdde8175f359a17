//! Damaged and hostile files of the formats that have no such tests of their own: a broken hard rule is
//! refused with the place of the fault, everything that decodes comes back byte for byte, and neither memory,
//! time nor output is multiplied by a few wrong bytes.
//!
//! Readers, message DLLs and sounds have theirs in `readers.rs`, `messages.rs` and `sounds/`.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod converted;
mod small;

use relicast::formats::codec::{Decoded, FaultKind, FormatError, Result};
use relicast::formats::zipper::archive::{self, FooterVersion};
use relicast::formats::zipper::interp;
use relicast::formats::zipper::motion;
use relicast::formats::zipper::save;
use relicast::formats::zipper::texture::package;
use relicast::formats::zipper::zmap;
use relicast_testing::test;
use std::time::{Duration, Instant};

use small::{
    small_activation, small_archive, small_interp, small_map, small_motion, small_package,
};

/// Replacements of header words.
const WORDS: [u32; 6] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];

/// More than any of these tests takes on a slow machine, less than quadratic work would.
const PATIENCE: Duration = Duration::from_secs(20);

/// Decodes and encodes bytes: returns the new bytes, or the fault alone.
type RoundTrip = fn(&[u8]) -> std::result::Result<Vec<u8>, FormatError>;

fn round_trip<T>(
    decoded: Result<Decoded<T>>,
    encode: impl FnOnce(&T) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    Ok(encode(&decoded?.value).unwrap())
}

/// Every format of this file with a small file of it.
fn formats() -> Vec<(&'static str, Vec<u8>, RoundTrip)> {
    let archive: RoundTrip = |bytes| round_trip(archive::decode(bytes), archive::encode);
    let saved: RoundTrip = |bytes| round_trip(save::decode("any", bytes), save::encode);
    let header: RoundTrip = |bytes| round_trip(save::decode("zSaveHeader", bytes), save::encode);
    vec![
        ("archive 1", small_archive(FooterVersion::One), archive),
        ("archive 2", small_archive(FooterVersion::Two), archive),
        ("scripts", small_interp(), |bytes| {
            round_trip(interp::decode(bytes), interp::encode)
        }),
        ("motion", small_motion(), |bytes| {
            round_trip(motion::decode(bytes), motion::encode)
        }),
        ("map", small_map(), |bytes| {
            round_trip(zmap::decode(bytes), zmap::encode)
        }),
        ("textures", small_package(), |bytes| {
            round_trip(package::decode(bytes), package::encode)
        }),
        ("save header", vec![8, 0, 0, 0, 2, 0, 0, 0], header),
        ("activation", small_activation(), saved),
    ]
}

#[test]
fn truncation_is_an_error_at_every_length() {
    for (format, bytes, round_trip) in formats() {
        assert_eq!(round_trip(&bytes).unwrap(), bytes, "{format}");
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            match (format, round_trip(cut)) {
                // What is no activation is kept verbatim; a map may end after any of its features.
                ("activation", kept) => assert_eq!(kept.unwrap(), cut),
                ("map", Ok(kept)) => assert_eq!((kept, length), (cut.to_vec(), 32)),
                (_, Ok(_)) => panic!("{format} cut at {length} decodes"),
                ("archive 1" | "archive 2", Err(error)) => {
                    assert_eq!(error.kind(), FaultKind::Malformed);
                    assert_eq!(error.field(), "footer", "cut at {length}");
                    assert!(error.offset() <= length as u64);
                }
                (_, Err(error)) => {
                    assert_eq!(error.kind(), FaultKind::Truncated, "{format}: {error}");
                    assert!(error.offset() <= length as u64, "{format}: {error}");
                    assert!(error.found().ends_with("left"), "{format}: {error}");
                }
            }
        }
    }
}

#[test]
fn bytes_behind_the_end_are_kept() {
    for (format, mut bytes, round_trip) in formats() {
        if format.starts_with("archive") || format == "map" {
            // The footer is sought from the end; a map's features run to the end.
            continue;
        }
        bytes.extend(b"behind");
        assert_eq!(round_trip(&bytes).unwrap(), bytes, "{format}");
    }
    let mut bytes = small_motion();
    let end = bytes.len() as u64;
    bytes.extend(b"behind");
    let decoded = motion::decode(&bytes).unwrap();
    let deviation = &decoded.deviations.described()[0];
    assert_eq!((&*deviation.field, deviation.offset), ("trailing", end));
    assert_eq!(deviation.found, "6 more bytes");
}

#[test]
fn corrupt_words_are_refused_or_survive() {
    let started = Instant::now();
    for (format, bytes, round_trip) in formats() {
        let mut refused = 0;
        for place in 0..=bytes.len() - 4 {
            for word in WORDS {
                let mut damaged = bytes.clone();
                damaged[place..place + 4].copy_from_slice(&word.to_le_bytes());
                match round_trip(&damaged) {
                    Ok(kept) => assert_eq!(kept, damaged, "{format}, {word:#x} at {place}"),
                    Err(error) => {
                        assert!(error.offset() <= bytes.len() as u64, "{format}: {error}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(refused > 0 || format == "activation", "{format}");
    }
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn counts_beyond_the_file_are_reported_before_memory_is_allocated() {
    let with = |mut bytes: Vec<u8>, place: usize, word: u32| {
        bytes[place..place + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    for count in [1000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
        let archive = small_archive(FooterVersion::One);
        let footer = archive.len() - 4;
        let package = small_package();
        let cases = [
            (
                archive::decode(&with(archive, footer, count)).map(drop),
                ("footer", footer - 8),
            ),
            (
                interp::decode(&with(small_interp(), 8, count)).map(drop),
                ("scripts", 12),
            ),
            (
                interp::decode(&with(small_interp(), 268, count)).map(drop),
                ("scripts[0].lines[0].text", 276),
            ),
            (
                motion::decode(&with(small_motion(), 8, count)).map(drop),
                ("parts", 24),
            ),
            (
                motion::decode(&with(small_motion(), 12, count)).map(drop),
                ("parts", 24),
            ),
            (
                motion::decode(&with(small_motion(), 24, count)).map(drop),
                ("parts[0].name", 28),
            ),
            (
                zmap::decode(&with(small_map(), 35, count)).map(drop),
                ("features[0].vertices", 39),
            ),
            (
                package::decode(&with(package.clone(), 8, count)).map(drop),
                ("palettes", 104),
            ),
            (
                package::decode(&with(package.clone(), 12, count)).map(drop),
                ("rows", 24),
            ),
            (
                package::decode(&with(package, 108, count | count << 16)).map(drop),
                ("images[0].texels", 120),
            ),
        ];
        for (result, (field, offset)) in cases {
            let error = result.unwrap_err();
            assert_eq!((error.field(), error.offset()), (field, offset as u64));
        }
    }
}
