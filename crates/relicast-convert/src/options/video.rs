//! `[video]` and `[loose]` of `pipeline.toml`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use relicast_formats::kind::usable_extensions;
use relicast_scene::Container;

/// Videos.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Video {
    /// Convert them.
    pub enabled: bool,
    /// Defaults of the settings below.
    pub profile: VideoProfile,
    /// Kind of file; `None` for the profile's.
    #[serde(with = "auto")]
    pub container: Option<Container>,
    /// Name of ffmpeg's encoder of pictures; `auto` for the profile's.
    pub codec: String,
    /// The encoder's own preset; `auto` for the profile's.
    pub preset: String,
    /// Constant quality of the encoder; negative for the profile's.
    pub crf: i32,
    /// Handling of sound.
    pub audio: VideoAudio,
    /// Rate of lossy sound in kbit/s.
    pub audio_bitrate: u32,
    /// Deinterlace pictures.
    pub deinterlace: bool,
    /// Size of the pictures as `WIDTHxHEIGHT`; -1 preserves the aspect ratio, empty the size.
    pub scale: String,
    /// More arguments for ffmpeg, before the output.
    pub arguments: Vec<String>,
    /// Write a picture of each video.
    pub poster: bool,
    /// Time of its frame, in seconds; the middle of shorter videos.
    pub poster_at: f64,
    /// Path of ffmpeg or of its folder; empty to search for it.
    pub ffmpeg: PathBuf,
    /// Seconds without progress after which ffmpeg is stopped.
    pub stall_seconds: u32,
}

impl Default for Video {
    fn default() -> Self {
        Self {
            enabled: true,
            profile: VideoProfile::default(),
            container: None,
            codec: AUTO.to_owned(),
            preset: AUTO.to_owned(),
            crf: -1,
            audio: VideoAudio::default(),
            audio_bitrate: 128,
            deinterlace: false,
            scale: String::new(),
            arguments: Vec::new(),
            poster: false,
            poster_at: 1.0,
            ffmpeg: PathBuf::new(),
            stall_seconds: 60,
        }
    }
}

/// Value for the profile's default.
pub const AUTO: &str = "auto";

/// Named sets of settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VideoProfile {
    /// H.264 and AAC in MP4: plays everywhere.
    #[default]
    Mp4,
    /// H.264 and FLAC in Matroska.
    Mkv,
    /// AV1 and Opus in WebM: free of patents.
    Av1Opus,
    /// Theora and Vorbis in Ogg: for Godot without plug-ins.
    Theora,
    /// FFV1 and the original sound in Matroska: lossless.
    Lossless,
}

/// Handling of the sound of a video.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VideoAudio {
    /// As set by the profile.
    #[default]
    Auto,
    /// Copy the stored sound into the new file.
    Copy,
    /// AAC.
    Aac,
    /// FLAC.
    Flac,
    /// Opus.
    Opus,
    /// Vorbis.
    Vorbis,
    /// No sound.
    None,
}

impl Video {
    /// Container of converted videos.
    pub fn container(&self) -> Container {
        self.container.unwrap_or(match self.profile {
            VideoProfile::Mp4 => Container::Mp4,
            VideoProfile::Mkv | VideoProfile::Lossless => Container::Mkv,
            VideoProfile::Av1Opus => Container::Webm,
            VideoProfile::Theora => Container::Ogv,
        })
    }

    /// The settings that can change an output's bytes.
    pub fn of_bytes(&self) -> Self {
        let Self {
            ffmpeg,
            stall_seconds,
            ..
        } = Self::default();
        Self {
            ffmpeg,
            stall_seconds,
            ..self.clone()
        }
    }
}

/// Files that need no conversion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Loose {
    /// Copy them.
    pub enabled: bool,
    /// Extensions of files to copy, without dots.
    pub copy: Vec<String>,
}

impl Default for Loose {
    fn default() -> Self {
        Self {
            enabled: true,
            copy: usable_extensions().map(str::to_owned).collect(),
        }
    }
}

impl Loose {
    /// True if a file with this extension in lower case is copied when nothing converts it.
    pub fn copies(&self, extension: Option<&str>) -> bool {
        extension.is_some_and(|extension| {
            let mut listed = self.copy.iter().map(|one| one.trim_start_matches('.'));
            listed.any(|one| one.eq_ignore_ascii_case(extension))
        })
    }
}

/// Serializes a setting without a value as `auto`.
mod auto {
    use serde::de::{DeserializeOwned, IntoDeserializer};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_str(super::AUTO),
        }
    }

    pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let word = String::deserialize(deserializer)?;
        match &*word {
            super::AUTO => Ok(None),
            _ => T::deserialize(word.into_deserializer()).map(Some),
        }
    }
}
