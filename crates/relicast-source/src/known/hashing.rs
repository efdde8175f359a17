//! SHA-256 of a source file.

use ring::digest::{Context, SHA256};

use super::table::Sha256Digest;
use crate::source_file::SourceFile;

/// Bytes that are hashed before their pages are given back.
const PIECE: usize = 1 << 19;

/// SHA-256 of a file; `None` where it cannot be read to its end.
pub(super) fn sha256(file: &SourceFile) -> Option<Sha256Digest> {
    let bytes = file.location.open().ok()?;
    let mut hasher = Context::new(&SHA256);
    for piece in bytes.chunks(PIECE) {
        hasher.update(piece);
        bytes.release(piece);
    }
    bytes.check().ok()?;
    hasher.finish().as_ref().try_into().ok()
}
