//! Damaged liveries, archives and saves: what breaks a hard rule is refused with its place, what decodes comes
//! back byte for byte.

use relicast::formats::codec::{Decoded, FormatError, Result};
use relicast::formats::zipper::livery;
use relicast::formats::zipper::rof::{self, NewFile};
use relicast::formats::zipper::save::{self, SavedBy};
use relicast_samples::{recoil_save, skies};
use relicast_testing::test;

const WORDS: [u32; 6] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];

fn check<T>(
    bytes: &[u8],
    what: &str,
    decoded: Result<Decoded<T>>,
    encode: impl FnOnce(&T) -> Result<Vec<u8>>,
) {
    match decoded {
        Ok(decoded) => assert_eq!(encode(&decoded.value).unwrap(), bytes, "{what}"),
        Err(error) => within(&error, bytes, what),
    }
}

fn within(error: &FormatError, bytes: &[u8], what: &str) {
    assert!(error.offset() <= bytes.len() as u64, "{what}: {error}");
    assert!(!error.field().is_empty() && !error.expected().is_empty());
}

/// Every truncation, and every word replaced by extreme ones.
fn damages(bytes: &[u8], mut check: impl FnMut(&[u8], &str)) {
    for length in 0..bytes.len() {
        check(&bytes[..length], &format!("cut at {length}"));
    }
    for at in (0..bytes.len().saturating_sub(3)).step_by(4) {
        for word in WORDS {
            let mut changed = bytes.to_vec();
            changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
            check(&changed, &format!("{word:#x} at {at}"));
        }
    }
}

#[test]
fn damaged_archives_are_kept_as_far_as_they_go() {
    let file = |path, bytes, packed| NewFile {
        path,
        bytes,
        packed,
    };
    let files = [
        file("A/ONE.TXT", b"one one one one".as_slice(), Some(1)),
        file("A/B/TWO.PNG", b"\x89PNG", None),
        file("TOP", b"top", None),
    ];
    let bytes = rof::pack(&files, &["A/C"]).unwrap();
    damages(&bytes, |bytes, what| {
        check(bytes, what, rof::decode(bytes), rof::encode);
        if let Ok(decoded) = rof::decode(bytes) {
            for entry in &decoded.value.entries {
                if let Err(error) = entry.extract() {
                    within(&error, bytes, what);
                }
            }
            let stored: usize = decoded
                .value
                .entries
                .iter()
                .map(|entry| entry.data.len())
                .sum();
            assert!(stored <= bytes.len(), "{what}: files share bytes");
        }
    });
}

#[test]
fn a_stream_that_goes_on_is_stopped() {
    let zeros = vec![0; 1 << 20];
    let file = NewFile {
        path: "BOMB",
        bytes: &zeros,
        packed: Some(9),
    };
    let mut bytes = rof::pack(&[file], &[]).unwrap();
    // The record states a size of ten bytes.
    bytes[12..16].copy_from_slice(&10_u32.to_le_bytes());
    let archive = rof::decode(&bytes).unwrap().value;
    let error = archive.entries[0].extract().unwrap_err();
    assert!(error.found().contains("more than 10"), "{error}");
}

#[test]
fn damaged_liveries_are_refused() {
    let bytes = rof::decode(&skies::resources().unwrap()).map(|decoded| {
        let archive = decoded.value;
        let mut entries = archive.entries.iter();
        let small = entries.find(|entry| entry.name == "BLO_FIN.BM").unwrap();
        small.extract().unwrap().value.into_owned()
    });
    damages(&bytes.unwrap(), |bytes, what| {
        check(bytes, what, livery::decode(bytes), livery::encode);
    });
}

#[test]
fn damaged_sections_are_kept_verbatim() {
    for (name, section) in recoil_save::sections() {
        let bytes = save::encode(&section).unwrap();
        damages(&bytes, |bytes, what| {
            let decoded = save::decode_of(SavedBy::Recoil, name, bytes);
            check(bytes, &format!("{name} {what}"), decoded, save::encode);
        });
    }
    for owner in [
        "UIData/UIData",
        "VehicleList/x",
        "TurretList/x",
        "Strange/x",
    ] {
        for length in [0, 1, 4, 408, 10_819, 10_820, 10_821] {
            let bytes = vec![1; length];
            let decoded = save::decode_of(SavedBy::CrimsonSkies, owner, &bytes);
            check(&bytes, owner, decoded, save::encode);
        }
    }
}
