//! Compares the resource archives of an install with the retail release. Nothing depends on it: an archive that
//! differs is converted like any other.

use serde::Serialize;

use relicast_formats::zipper::rof::{Rof, Storage};

/// Counts of an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Census {
    /// Bytes of the file.
    bytes: u64,
    files: usize,
    folders: usize,
    packed: usize,
    plain: usize,
    /// Bytes of files as stored.
    stored: u64,
    /// Bytes of files, decoded.
    decoded: u64,
    liveries: usize,
}

/// The archives of the retail release.
const RETAIL: [(&str, Census); 2] = [
    (
        "crimson.rof",
        Census {
            bytes: 60_236_221,
            files: 846,
            folders: 21,
            packed: 418,
            plain: 428,
            stored: 60_198_862,
            decoded: 96_063_812,
            liveries: 184,
        },
    ),
    (
        "crimptch.rof",
        Census {
            bytes: 797,
            files: 1,
            folders: 2,
            packed: 1,
            plain: 0,
            stored: 670,
            decoded: 1_641,
            liveries: 0,
        },
    ),
];

impl Census {
    /// Counts of an archive with this size in bytes.
    pub(super) fn new(archive: &Rof<'_>, bytes: u64) -> Self {
        let mut census = Self {
            bytes,
            ..Self::default()
        };
        for entry in &archive.entries {
            if entry.is_folder() {
                census.folders += 1;
                continue;
            }
            census.files += 1;
            census.packed += usize::from(entry.record.storage == Storage::Packed);
            census.plain += usize::from(entry.record.storage == Storage::Plain);
            census.stored += u64::from(entry.record.stored);
            census.decoded += u64::from(entry.record.decoded);
            census.liveries += usize::from(entry.name.to_lowercase().ends_with(".bm"));
        }
        census
    }

    /// Difference to the archive of this name in the retail release; `None` without a difference, and for
    /// archives that the release does not have.
    pub(super) fn difference(self, name: &str) -> Option<String> {
        let mut retail = RETAIL.into_iter();
        let (_, retail) = retail.find(|(known, _)| name.eq_ignore_ascii_case(known))?;
        let count = |count: usize| count as u64;
        let rows = [
            ("bytes", self.bytes, retail.bytes),
            ("files", count(self.files), count(retail.files)),
            ("folders", count(self.folders), count(retail.folders)),
            ("packed files", count(self.packed), count(retail.packed)),
            ("plain files", count(self.plain), count(retail.plain)),
            ("stored bytes", self.stored, retail.stored),
            ("decoded bytes", self.decoded, retail.decoded),
            ("liveries", count(self.liveries), count(retail.liveries)),
        ];
        let differing = rows.into_iter().filter(|(_, own, retail)| own != retail);
        let words: Vec<String> = differing
            .map(|(what, own, retail)| format!("{what}: {own} ({retail})"))
            .collect();
        (!words.is_empty()).then(|| {
            let words = words.join(", ");
            format!("differs from the retail release (in parentheses): {words}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_reported() {
        let (name, mut census) = RETAIL[0];
        assert_eq!(census.difference("Crimson.ROF"), None);
        assert_eq!(census.difference("other.rof"), None);
        census.files = 845;
        let message = census.difference(name).unwrap();
        assert!(message.ends_with(": files: 845 (846)"), "{message}");
    }
}
