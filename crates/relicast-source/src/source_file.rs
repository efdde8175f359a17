//! One file of an input.

use std::borrow::Cow;
use std::io;
use std::time::UNIX_EPOCH;

use super::bytes::FileBytes;
use super::location::Location;
use super::names::fold;
use relicast_formats::kind::{self, Kind};
use relicast_formats::transfer::{self, Damage};
use relicast_limits as limits;

/// One file of an input.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path below its input with forward slashes, in its own letter case; with several inputs the
    /// input's name comes first.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, nanoseconds since 1970; 0 when unknown.
    pub modified: u64,
    /// Location of its bytes.
    pub location: Location,
    /// Damage of its bytes that is repaired on opening; `None` until [`examine`](Self::examine) finds some.
    pub damage: Option<Damage>,
}

impl SourceFile {
    /// Opens its original bytes: known damage is repaired.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn open(&self) -> io::Result<FileBytes> {
        let stored = self.location.open()?;
        Ok(match self.damage {
            None => stored,
            Some(damage) => undone(damage, stored),
        })
    }

    /// Finds damage that can be repaired. Returns its bytes, like [`open`](Self::open). A large file of a kind that is
    /// not converted is not read for that.
    pub fn examine(&mut self, stored: FileBytes) -> FileBytes {
        if let Ok(Some([first, last])) = stored.ends()
            && !kind::may_be_converted(&first, &last, self.name())
        {
            return stored;
        }
        let detect = || transfer::detect(&stored, self.name());
        self.damage = limits::with_budget(detect).ok().flatten();
        match self.damage {
            None => stored,
            Some(damage) => undone(damage, stored),
        }
    }

    /// Detects the kind of the file with these bytes, which were [examined](Self::examine). Also returns the bytes
    /// used:
    /// all of them, or the first ones of a large file that is not in memory.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn sniff<'b>(&self, bytes: &'b FileBytes) -> io::Result<(Kind, Cow<'b, [u8]>)> {
        let seen = match bytes.ends()? {
            Some([first, _]) => Cow::Owned(first),
            None => Cow::Borrowed(&**bytes),
        };
        Ok((kind::sniff(&seen, self.name()), seen))
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The path folded for comparison, because the games' systems ignore letter case.
    pub fn folded(&self) -> String {
        fold(&self.path)
    }

    /// The extension, lower case, without its dot.
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.name().rsplit_once('.')?;
        (!stem.is_empty()).then(|| fold(extension))
    }
}

/// The bytes before the damage; the stored bytes if it cannot be repaired any more.
fn undone(damage: Damage, stored: FileBytes) -> FileBytes {
    match transfer::undo(damage, &stored) {
        Some(bytes) => FileBytes::Owned(bytes),
        None => stored,
    }
}

/// Time of the last change, nanoseconds since 1970; 0 when unknown.
pub(super) fn modified(metadata: &std::fs::Metadata) -> u64 {
    metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|age| u64::try_from(age.as_nanos()).ok())
        .unwrap_or(0)
}
