//! Whole files or none: each is written to a neighbour and renamed.

use std::io;
use std::path::Path;

use super::folder::{Durability, OutputFolder};
use crate::config::SyncPolicy;

/// Writes a document that tells of a finished run. What `sync` asks for is on the disk when this returns.
///
/// # Errors
/// The file cannot be written; nothing of it is left then.
pub fn write_document(out: &Path, name: &str, bytes: &[u8], sync: SyncPolicy) -> io::Result<()> {
    let folder = OutputFolder::open(out, Durability::System)?;
    match sync {
        SyncPolicy::None => folder.write(name, bytes),
        SyncPolicy::Manifest | SyncPolicy::All => folder.write_durably(name, bytes),
    }
}

/// Writes `bytes` to `path` by way of a neighbour, so that nobody ever sees half a file.
///
/// # Errors
/// The file cannot be written; nothing of it is left then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    OutputFolder::open(folder, Durability::System)?.write(name, bytes)
}
