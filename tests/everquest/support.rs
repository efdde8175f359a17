//! Paths of the fixtures, and corruption of files.

use relicast_testing::rounds;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::formats::everquest::pfs::{self, Archive};

pub const ARCHIVES: [&str; 5] = [
    "gfaydark.s3d",
    "gfaydark_chr.s3d",
    "gfaydark_obj.s3d",
    "names_by_crc.s3d",
    "newformat_obj.s3d",
];

pub fn fixtures() -> PathBuf {
    relicast_testing::fixtures("everquest")
}

/// The members of an archive by name.
pub fn members(archive: &Archive<'_>) -> BTreeMap<String, Vec<u8>> {
    archive
        .entries
        .iter()
        .map(|entry| {
            let data = entry.extract().unwrap();
            assert!(data.deviations.is_empty(), "{:?}", data.deviations);
            (entry.name.clone().unwrap(), data.value)
        })
        .collect()
}

pub fn fixture_members(folder: &Path, archive: &str) -> BTreeMap<String, Vec<u8>> {
    let bytes = fs::read(folder.join(archive)).unwrap();
    members(&pfs::decode(&bytes).unwrap().value)
}

pub const CORRUPT_WORDS: [u32; 7] = [0, 1, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];

/// Calls `check` with the file cut at, and with each corrupt word in place of, every `step`-th byte; every third of
/// them unless tests are thorough.
pub fn mutate(bytes: &[u8], step: usize, check: impl Fn(&[u8])) {
    for offset in (0..bytes.len()).step_by(step * rounds(3, 1)) {
        check(&bytes[..offset]);
        let end = (offset + 4).min(bytes.len());
        let mut torn = bytes.to_vec();
        for word in CORRUPT_WORDS {
            torn[offset..end].copy_from_slice(&word.to_le_bytes()[..end - offset]);
            check(&torn);
        }
    }
}
