//! What a file may make the program spend.

use serde::{Deserialize, Serialize};

/// What a file may make the program spend, so that no input, however it lies, takes the machine down. A
/// part that meets a limit fails and names it; no file of a game comes near the defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// How many times its stored size a large member of an archive may inflate to.
    pub expansion: u32,
    /// Size of a member of an archive once it is inflated, in MiB.
    pub part_mib: u32,
    /// Length of a stored motion, in seconds.
    pub clip_seconds: u32,
    /// Memory of the run in MiB. One part may take half of it at once.
    pub memory_mib: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            expansion: 250,
            part_mib: 64,
            clip_seconds: 900,
            memory_mib: 512,
        }
    }
}
