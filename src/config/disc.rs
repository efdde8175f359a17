//! Settings of disc images and their music.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

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

/// Music.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Music {
    /// Convert it.
    pub enabled: bool,
    /// Output format.
    pub format: SoundFormat,
    /// What becomes of the gaps between tracks.
    pub pregap: Pregap,
    /// Play the songs of EverQuest with a sound font.
    pub render: bool,
    /// The sound font; empty: one that lies beside the songs.
    pub sound_font: PathBuf,
}

/// BLAKE3 of sound fonts, with the size and time of change that they had when they were read.
type Digests = HashMap<PathBuf, (u64, Option<SystemTime>, String)>;

impl Music {
    /// BLAKE3 of the sound font that the settings name; empty where none is named, or music is not played.
    pub(super) fn sound_font_digest(&self) -> String {
        static DIGESTS: Mutex<Option<Digests>> = Mutex::new(None);
        if !self.render || self.sound_font.as_os_str().is_empty() {
            return String::new();
        }
        let Ok(facts) = fs::metadata(&self.sound_font) else {
            return "unreadable".to_owned();
        };
        let state = (facts.len(), facts.modified().ok());
        let mut digests = DIGESTS.lock().unwrap_or_else(PoisonError::into_inner);
        let digests = digests.get_or_insert_default();
        if let Some((size, time, digest)) = digests.get(&self.sound_font)
            && (*size, *time) == state
        {
            return digest.clone();
        }
        let digest = match fs::read(&self.sound_font) {
            Ok(bytes) => blake3::hash(&bytes).to_hex().to_string(),
            Err(_) => "unreadable".to_owned(),
        };
        let row = (state.0, state.1, digest.clone());
        digests.insert(self.sound_font.clone(), row);
        digest
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
        }
    }
}
