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

use std::io::{self, BufWriter, IntoInnerError};
use std::path::Path;

use serde::Serialize;

use super::folder::{Durability, OutputFolder};
use crate::config::SyncPolicy;
use crate::emit::json;

/// Writes a document of a finished run, with a row to each item down to `levels` levels. It is synchronised to the disk as
/// `sync` asks for.
///
/// # Errors
/// The file cannot be written. The temporary file is deleted in that case.
pub fn write_document(
    out: &Path,
    name: &str,
    document: &impl Serialize,
    levels: usize,
    sync: SyncPolicy,
) -> io::Result<()> {
    let folder = OutputFolder::open(out, Durability::System)?;
    let mut file = BufWriter::with_capacity(1 << 16, folder.begin(name)?);
    json::write_rows(document, levels, &mut file)?;
    let file = file.into_inner().map_err(IntoInnerError::into_error)?;
    match sync {
        SyncPolicy::None => file.finish(),
        SyncPolicy::Manifest | SyncPolicy::All => folder.finish_durably(file, name),
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
