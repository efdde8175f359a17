//! Atomic writes: each file is written to a temporary neighbor and renamed.
//!
//! ```
//! use relicast::pipeline::output::atomic::write_atomically;
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

use super::folder::{Durability, OutputFolder, Unfinished};
use crate::config::SyncPolicy;
use crate::pipeline::report::seal::Sealing;
use relicast_emit::json;

/// Document of a finished run, written to a temporary file.
pub(in crate::pipeline) struct Written<'f> {
    folder: &'f OutputFolder,
    file: Unfinished<'f>,
    name: &'f str,
}

impl<'f> Written<'f> {
    /// Writes a document with one row per line down to `levels` levels, followed by its seal. It is deleted on
    /// drop.
    ///
    /// # Errors
    /// The temporary file cannot be written; it is deleted in that case.
    pub(in crate::pipeline) fn new(
        folder: &'f OutputFolder,
        name: &'f str,
        document: &impl Serialize,
        levels: usize,
    ) -> io::Result<Self> {
        let sealing = Sealing::new(folder.begin(name)?);
        let mut file = BufWriter::with_capacity(1 << 16, sealing);
        json::write_rows(document, levels, &mut file)?;
        let sealing = file.into_inner().map_err(IntoInnerError::into_error)?;
        let file = sealing.finish()?;
        Ok(Self { folder, file, name })
    }

    /// Renames the file to its final name, over an existing one, and synchronizes it as `sync` requires.
    ///
    /// # Errors
    /// Renaming or synchronizing fails; the temporary file is then deleted.
    pub(in crate::pipeline) fn finish(self, sync: SyncPolicy) -> io::Result<()> {
        match sync {
            SyncPolicy::None => self.file.finish(),
            SyncPolicy::Manifest | SyncPolicy::All => {
                self.folder.finish_durably(self.file, self.name)
            }
        }
    }
}

/// Writes `bytes` to a temporary file next to `path` and renames it, so that no process sees an incomplete
/// file.
///
/// # Errors
/// The file cannot be written. The temporary file is deleted in that case.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    OutputFolder::open(folder, Durability::System)?.write(name, bytes)
}
