//! One file of an input.

use std::time::UNIX_EPOCH;

use super::location::Location;
use super::names::fold;

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
    /// Where its bytes lie.
    pub location: Location,
}

impl SourceFile {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The path folded for comparison: installs come from a system that ignores letter case.
    pub fn folded(&self) -> String {
        fold(&self.path)
    }

    /// The extension, lower case, without its dot.
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.name().rsplit_once('.')?;
        (!stem.is_empty()).then(|| fold(extension))
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
