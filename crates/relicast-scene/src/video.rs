//! Videos: bytes for an external decoder, and the facts known about them.
//!
//! ```
//! use relicast_scene::video::Container;
//!
//! assert_eq!(Container::of_extension("webm"), Some(Container::Webm));
//! assert_eq!(Container::Mkv.extension(), "mkv");
//! ```

use serde::{Deserialize, Serialize};

use super::Document;

/// A video as its source stores it. Its streams are decoded when it is written.
#[derive(Debug)]
pub struct Video<'a> {
    /// The source.
    pub bytes: &'a [u8],
    /// Facts from its headers.
    pub facts: Document<'a>,
    /// Number of frames; `None` when the source does not state it.
    pub frames: Option<u32>,
    /// Duration in seconds; `None` when the source does not state it.
    pub duration: Option<f64>,
}

/// A container format of pictures and sound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Container {
    /// MPEG-4.
    #[default]
    Mp4,
    /// Apple's ancestor of MPEG-4.
    Mov,
    /// Matroska.
    Mkv,
    /// Matroska for browsers.
    Webm,
    /// Ogg, which Godot plays.
    Ogv,
}

impl Container {
    /// The container with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let mut all = [Self::Mp4, Self::Mov, Self::Mkv, Self::Webm, Self::Ogv].into_iter();
        all.find(|container| container.extension() == extension)
    }

    /// Extension without its dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Mov => "mov",
            Self::Mkv => "mkv",
            Self::Webm => "webm",
            Self::Ogv => "ogv",
        }
    }
}
