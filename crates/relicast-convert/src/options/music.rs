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
    /// Render the songs of EverQuest with a sound font.
    pub render: bool,
    /// The sound font; empty: one in the folder of the songs.
    pub sound_font: PathBuf,
    /// Seconds of silence at the end of a rendered song; a longer tail is trimmed to this. 0: not trimmed.
    pub trim: f32,
}

impl Music {
    /// BLAKE3 of the sound font that the settings name; empty where none is named, or songs are not rendered.
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
