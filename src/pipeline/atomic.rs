//! Whole files or none: each is written to a neighbour and renamed.
//!
//! ```
//! use relicast::pipeline::atomic::write_atomically;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("settings.toml");
//! write_atomically(&path, b"[run]\n")?;
//! assert_eq!(std::fs::read(&path)?, b"[run]\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io;
use std::path::Path;

use super::folder::{Durability, OutputFolder};
use crate::config::SyncPolicy;

/// Writes a document of a finished run. It is synchronised to the disk as `sync` asks for.
///
/// # Errors
/// The file cannot be written. The temporary file is deleted in that case.
pub fn write_document(out: &Path, name: &str, bytes: &[u8], sync: SyncPolicy) -> io::Result<()> {
    let folder = OutputFolder::open(out, Durability::System)?;
    match sync {
        SyncPolicy::None => folder.write(name, bytes),
        SyncPolicy::Manifest | SyncPolicy::All => folder.write_durably(name, bytes),
    }
}

/// Writes `bytes` to a temporary file beside `path` and renames it, so that no process ever sees half a file.
///
/// # Errors
/// The file cannot be written. The temporary file is deleted in that case.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    OutputFolder::open(folder, Durability::System)?.write(name, bytes)
}
