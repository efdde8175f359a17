//! Result of a comparison.
//!
//! ```
//! use relicast::golden::diff::result::Diff;
//!
//! assert!(Diff::default().is_same());
//! ```

use std::path::PathBuf;

use serde::Serialize;

use super::change::Change;
use crate::pipeline::run::RunError;
use relicast_formats::asset::AssetKind;

/// Reason why two things cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffError {
    /// The path does not exist.
    #[error("cannot read {}: {error}", path.display())]
    Access {
        /// The side that was to be compared.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The manifest of an output folder is damaged.
    #[error("{} is not a valid manifest: {error}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: serde_json::Error,
    },
    /// It cannot be opened as an install, image or file.
    #[error(transparent)]
    Input(#[from] RunError),
}

/// An output, as named by a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its path among the outputs.
    pub path: String,
    /// Its kind.
    pub kind: AssetKind,
    /// Its source.
    pub source: String,
    /// Stored name of the archive member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Size in bytes.
    pub size: u64,
}

/// The same content at another path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// The output before.
    pub before: Named,
    /// The output after.
    pub after: Named,
}

/// Other content under the same path, or under the same stored name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changed {
    /// In the first.
    pub before: Named,
    /// In the second.
    pub after: Named,
    /// The difference.
    pub change: Change,
}

/// One side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Its path as given.
    pub path: String,
    /// True for a folder of outputs; otherwise the input was decoded.
    pub is_output_folder: bool,
    /// Outputs that were compared.
    pub outputs: usize,
    /// Missing outputs of the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Files and members that could not be decoded.
    pub failed: u64,
}

/// A comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Diff {
    /// The first.
    pub before: Compared,
    /// The second.
    pub after: Compared,
    /// Outputs with the same content at the same path.
    pub same: usize,
    /// The same content at another path.
    pub moved: Vec<Moved>,
    /// Other content.
    pub changed: Vec<Changed>,
    /// Only in the first.
    pub only_before: Vec<Named>,
    /// Only in the second.
    pub only_after: Vec<Named>,
}

impl Diff {
    /// True if nothing differs.
    pub fn is_same(&self) -> bool {
        self.moved.is_empty()
            && self.changed.is_empty()
            && self.only_before.is_empty()
            && self.only_after.is_empty()
            && self.before.missing.is_empty()
            && self.after.missing.is_empty()
            && self.before.failed == self.after.failed
    }
}
