//! Settings of music.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::SoundFormat;
use super::server_tables::file_digest;
use relicast_source::disc::sums::Pregap;

/// Music.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Music {
    /// Convert it.
    pub enabled: bool,
    /// Output format.
    pub format: SoundFormat,
    /// Handling of the gaps between tracks.
    pub pregap: Pregap,
    /// Play the songs of EverQuest with a sound font.
    pub render: bool,
    /// The sound font; empty: one that lies beside the songs.
    pub sound_font: PathBuf,
    /// Seconds of silence that a played song may end with; of a longer tail this much stays. 0: all of it.
    pub trim: f32,
}

impl Music {
    /// BLAKE3 of the sound font that the settings name; empty where none is named, or music is not played.
    pub fn sound_font_digest(&self) -> String {
        if !self.render || self.sound_font.as_os_str().is_empty() {
            return String::new();
        }
        file_digest(&self.sound_font)
    }
}

impl Default for Music {
    fn default() -> Self {
        Self {
            enabled: true,
            format: SoundFormat::Flac,
            pregap: Pregap::default(),
            render: false,
            sound_font: PathBuf::new(),
            trim: 0.0,
        }
    }
}
