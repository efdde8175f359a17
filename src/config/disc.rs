//! Settings of disc images and their music.

use serde::{Deserialize, Serialize};

use super::SoundFormat;
use crate::source::disc::sums::Pregap;

/// Disc images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Discs {
    /// Open them.
    pub enabled: bool,
    /// Check every sector of their data tracks.
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

/// Music of discs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Music {
    /// Convert it.
    pub enabled: bool,
    /// Output format.
    pub format: SoundFormat,
    /// What becomes of the gaps between tracks.
    pub pregap: Pregap,
}

impl Default for Music {
    fn default() -> Self {
        Self {
            enabled: true,
            format: SoundFormat::Flac,
            pregap: Pregap::default(),
        }
    }
}
