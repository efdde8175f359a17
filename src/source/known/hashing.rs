//! SHA-256 of one file, taken piece by piece.

use ring::digest::{Context, SHA256};

use super::table::Sha256Digest;
use crate::source::bytes::FileBytes;
use crate::source::location::Location;
use crate::source::source_file::SourceFile;

/// Bytes of a file that are hashed at a time, which takes two milliseconds at most.
pub(super) const PIECE: usize = 1 << 19;

/// A file of which a part was hashed.
pub(super) struct Hashing {
    bytes: FileBytes,
    hasher: Context,
    /// Bytes that were read.
    read: usize,
    /// What lies in memory or in a temporary file does not wait there.
    pub(super) may_wait: bool,
}

impl Hashing {
    /// Opens a file; `None` where it cannot be.
    pub(super) fn begin(file: &SourceFile) -> Option<Self> {
        let bytes = file.location.open().ok()?;
        Some(Self {
            may_wait: matches!(file.location, Location::File(_)) && bytes.is_mapped(),
            bytes,
            hasher: Context::new(&SHA256),
            read: 0,
        })
    }

    /// Reads a piece further; false at the end.
    pub(super) fn go_on(&mut self) -> bool {
        let left = self.bytes.get(self.read..).unwrap_or_default();
        let piece = left.get(..PIECE).unwrap_or(left);
        self.hasher.update(piece);
        self.bytes.release(piece);
        self.read = self.read.saturating_add(piece.len());
        self.read < self.bytes.len()
    }

    /// Bytes that are yet to be read.
    pub(super) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.read)
    }

    /// SHA-256 of what was read; `None` where the file could not be read to its end.
    pub(super) fn digest(self) -> Option<Sha256Digest> {
        self.bytes.check().ok()?;
        self.hasher.finish().as_ref().try_into().ok()
    }
}
