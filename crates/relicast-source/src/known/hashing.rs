//! SHA-256 of a source file.

use ring::digest::{Context, SHA256};

use super::table::Sha256Digest;
use crate::source_file::SourceFile;

/// SHA-256 of a file; `None` where it cannot be read to its end.
pub(super) fn sha256(file: &SourceFile) -> Option<Sha256Digest> {
    let bytes = file.location.open().ok()?;
    let mut hasher = Context::new(&SHA256);
    let passed = bytes.pass(|window| -> std::io::Result<()> {
        hasher.update(window);
        Ok(())
    });
    passed.ok()?;
    hasher.finish().as_ref().try_into().ok()
}
