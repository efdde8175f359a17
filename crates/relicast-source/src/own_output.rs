//! Detection of output folders of this program, which are not installs.
//!
//! ```
//! use relicast_source::own_output::is_output_folder;
//!
//! let folder = tempfile::tempdir()?;
//! assert!(!is_output_folder(folder.path()));
//! std::fs::write(folder.path().join("manifest.json"), "{\n  \"converter\": \"0.1.0\", \"config_digest\": \"\"")?;
//! assert!(is_output_folder(folder.path()));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Name of the list of outputs in an output folder.
pub const MANIFEST: &str = "manifest.json";
/// Name of the folder for work in progress in an output folder.
pub const WORK_FOLDER: &str = ".relicast";

/// Number of bytes of a manifest that show who wrote it: its first two values.
const HEAD: u64 = 4096;

/// Returns true if `folder` is an output folder: it has a manifest of relicast, or a run is working there.
pub fn is_output_folder(folder: &Path) -> bool {
    folder.join(WORK_FOLDER).is_dir() || has_manifest(folder)
}

fn has_manifest(folder: &Path) -> bool {
    let path = folder.join(MANIFEST);
    // Opening a pipe would block.
    if !fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    let text = text.split_whitespace().collect::<String>();
    read.is_ok() && text.starts_with("{\"converter\":") && text.contains("\"config_digest\":")
}
