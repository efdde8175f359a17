//! Settings of disc images.

use serde::{Deserialize, Serialize};

/// Disc images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Discs {
    /// Open them to convert their contents.
    pub enabled: bool,
    /// Check every sector of the data tracks.
    pub check: bool,
}

impl Default for Discs {
    fn default() -> Self {
        Self {
            enabled: true,
            check: true,
        }
    }
}
