//! Settings of sounds.

use serde::{Deserialize, Serialize};

/// Sounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sounds {
    /// Convert them.
    pub enabled: bool,
    /// Output format.
    pub format: SoundFormat,
    /// Rebuild WAV files instead of copying them.
    pub clean: bool,
}

impl Default for Sounds {
    fn default() -> Self {
        Self {
            enabled: true,
            format: SoundFormat::default(),
            clean: false,
        }
    }
}

/// Output format of sounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SoundFormat {
    /// RIFF/WAVE.
    #[default]
    Wav,
    /// FLAC.
    Flac,
    /// WAV and FLAC.
    Both,
    /// Ogg Vorbis, lossy.
    Ogg,
}
