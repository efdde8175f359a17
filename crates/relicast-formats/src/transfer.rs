//! Detection of damaged files: copies in text mode, and deflate streams that were not inflated.
//!
//! FTP in ASCII mode and git with `autocrlf` change the ends of lines in binary files. If a carriage return was added
//! before each line feed, it can be removed again. If carriage returns were removed, their positions are lost. Some
//! repositories store files as raw deflate streams.
//!
//! ```
//! use relicast_formats::transfer::{Damage, undo};
//!
//! let damaged = b"\x0A\r\n\r\r\n";
//! assert_eq!(undo(Damage::LineEndsAdded, damaged).as_deref(), Some(&b"\x0A\n\r\n"[..]));
//! ```

use std::fmt::{self, Display};
use std::io::Read;

use serde::Serialize;

use super::decoded_file::{self, MemberArchive};
use super::kind::{ArchiveContext, Kind, has_content_of, sniff, sniff_member, sniff_pfs_member};
use relicast_limits as limits;

/// Damage that can be repaired while reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Damage {
    /// A carriage return was added before each line feed.
    LineEndsAdded,
    /// The file is a raw deflate stream of the file that it is named after.
    Deflated,
}

impl Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::LineEndsAdded => {
                "a copy in text mode (FTP ASCII, git autocrlf) with a carriage return added before each line feed; \
                 they were removed for reading, copy the file again in binary mode"
            }
            Self::Deflated => "a raw deflate stream of the file; it was inflated for reading",
        })
    }
}

/// Message for a damaged file that lost the carriage returns before its line feeds.
pub const LINE_ENDS_LOST: &str = "looks as if it was copied in text mode (FTP ASCII, git autocrlf), which dropped the carriage \
     returns before its line feeds; this cannot be repaired; copy the file again in binary mode";

/// Largest file that a deflate stream is inflated to.
const MAX_BYTES: u64 = 1 << 30;

/// Detects damage in the file called `name` (without folders) that can be repaired: the repaired file is read with
/// fewer faults than the stored one.
pub fn detect(bytes: &[u8], name: &str) -> Option<Damage> {
    let kind = sniff(bytes, name);
    if is_text(kind) {
        return None;
    }
    let is_better = |damage, pairs| {
        let undone = undo(damage, bytes)?;
        let good = flaws(&undone, name, pairs)?;
        let is_better = flaws_of(kind, name, bytes).is_none_or(|before| good < before);
        is_better.then_some(damage)
    };
    let pairs = added_line_ends(bytes);
    if pairs > 0 {
        return is_better(Damage::LineEndsAdded, pairs);
    }
    if looks_deflated(bytes) && !has_content_of(kind, bytes, name) {
        return is_better(Damage::Deflated, usize::MAX);
    }
    None
}

/// Returns the bytes before the damage; `None` when they cannot be restored.
pub fn undo(damage: Damage, bytes: &[u8]) -> Option<Vec<u8>> {
    match damage {
        Damage::LineEndsAdded => {
            limits::try_reserve(bytes.len()).ok()?;
            let mut undone = Vec::with_capacity(bytes.len());
            let mut rest = bytes;
            while let Some(place) = memchr::memmem::find(rest, b"\r\n") {
                let (before, behind) = rest.split_at_checked(place)?;
                undone.extend_from_slice(before);
                rest = behind.get(1..)?;
                // The line feed itself does not start another pair.
                undone.push(b'\n');
                rest = rest.get(1..)?;
            }
            undone.extend_from_slice(rest);
            Some(undone)
        }
        Damage::Deflated => {
            let mut inflated = Vec::new();
            let mut decoder = flate2::bufread::DeflateDecoder::new(bytes).take(MAX_BYTES + 1);
            let mut chunk = [0; 1 << 14];
            loop {
                let count = decoder.read(&mut chunk).ok()?;
                if count == 0 {
                    break;
                }
                limits::try_reserve(inflated.len().saturating_add(count)).ok()?;
                inflated.extend_from_slice(chunk.get(..count)?);
            }
            let stream = decoder.into_inner();
            let is_whole = stream.total_in() == bytes.len() as u64;
            (is_whole && inflated.len() as u64 <= MAX_BYTES).then_some(inflated)
        }
    }
}

/// Number of line feeds of a file, if all follow a carriage return; otherwise 0.
fn added_line_ends(bytes: &[u8]) -> usize {
    let mut pairs = 0;
    for place in memchr::memchr_iter(b'\n', bytes) {
        let before = place.checked_sub(1).and_then(|place| bytes.get(place));
        if before != Some(&b'\r') {
            return 0;
        }
        pairs += 1;
    }
    pairs
}

/// True if the first bits are those of a deflate block of dynamic or fixed codes.
fn looks_deflated(bytes: &[u8]) -> bool {
    let kind = bytes.first().map(|first| (first >> 1) & 3);
    let mut start = [0; 256];
    let mut decoder = flate2::bufread::DeflateDecoder::new(bytes);
    matches!(kind, Some(1 | 2)) && bytes.len() > 16 && decoder.read(&mut start).is_ok()
}

/// True if the line feeds of a file seem to have lost the carriage returns before them: both bytes occur about as often
/// as expected by chance, and almost no pair does. At least `pairs` would have been expected.
fn lost_line_ends(bytes: &[u8], pairs: usize) -> bool {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let returns = memchr::memchr_iter(b'\r', bytes).count();
    let found = memchr::memmem::find_iter(bytes, b"\r\n").count();
    let by_chance = bytes.len() / 256;
    let is_chance = |count: usize| count >= by_chance / 4 && count <= by_chance.saturating_mul(4);
    let expected = feeds.saturating_mul(returns) / bytes.len().max(1);
    is_chance(feeds)
        && is_chance(returns)
        && expected >= pairs
        && found.saturating_mul(5) < expected
}

/// True if a binary file that cannot be read looks as if its line ends were changed beyond repair.
pub fn is_beyond_repair(kind: Kind, bytes: &[u8]) -> bool {
    !is_text(kind) && lost_line_ends(bytes, 3)
}

/// Like [`is_beyond_repair`], for a file that is read with faults: many files have some originally.
pub fn may_be_beyond_repair(kind: Kind, bytes: &[u8]) -> bool {
    !is_text(kind) && lost_line_ends(bytes, 10)
}

/// True if files of a kind are texts, whose line ends may be changed.
fn is_text(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::TextReader
            | Kind::EmitterText
            | Kind::TextList
            | Kind::ZoneMap
            | Kind::WorldSettings
            | Kind::EnvironmentEmitters
            | Kind::EqgZoneText
            | Kind::EqgText
            | Kind::SoundBank
            | Kind::Foreign
            | Kind::Empty
    )
}

/// Number of carriage returns that show damage of a file that is not decoded: in a binary file, a line feed follows one
/// by chance once in 256 times.
const MANY: usize = 8;

/// Number of faults when the repaired bytes are read; `None` when they cannot be read, or their kind is unknown.
fn flaws(undone: &[u8], name: &str, pairs: usize) -> Option<u64> {
    let kind = sniff(undone, name);
    if is_text(kind) || kind == Kind::Unknown {
        return None;
    }
    match kind.codec().decoder() {
        Some(_) => flaws_of(kind, name, undone),
        None => (pairs >= MANY && has_content_of(kind, undone, name)).then_some(0),
    }
}

/// Number of faults when a file is read, including its members; `None` when it cannot be read.
fn flaws_of(kind: Kind, name: &str, bytes: &[u8]) -> Option<u64> {
    let alone = ArchiveContext::default();
    let decoded = decoded_file::decode(kind, name, bytes, &alone)?.ok()?;
    let members = match decoded.value.archive() {
        Some(MemberArchive::Zipper(archive)) => {
            let siblings = ArchiveContext::new(archive);
            let members = archive.entries.iter().map(|entry| {
                let kind = sniff_member(&entry.data, &entry.name(), &siblings);
                u64::from(entry.fault.is_some())
                    + member_flaws(kind, &entry.name(), &entry.data, &siblings)
            });
            members.sum()
        }
        Some(MemberArchive::EverQuest(archive)) => {
            let members = archive.entries.iter().map(|entry| match entry.extract() {
                Err(_) => 1,
                Ok(content) => {
                    let kind = sniff_pfs_member(&content.value, &entry.label());
                    member_flaws(kind, &entry.label(), &content.value, &alone)
                }
            });
            members.sum()
        }
        Some(MemberArchive::Resources(archive)) => {
            let members = archive.entries.iter();
            members
                .map(|entry| u64::from(entry.extract().is_err()))
                .sum()
        }
        None => 0,
    };
    Some(decoded.deviations.total().saturating_add(members))
}

fn member_flaws(kind: Kind, name: &str, bytes: &[u8], siblings: &ArchiveContext) -> u64 {
    match decoded_file::decode(kind, name, bytes, siblings) {
        None => 0,
        Some(Ok(decoded)) => decoded.deviations.total().min(1),
        Some(Err(_)) => 1,
    }
}
