//! Videos: bytes that a decoder from outside understands, and what is known of them beforehand.
//!
//! ```
//! use relicast_scene::video::Container;
//!
//! assert_eq!(Container::of_extension("webm"), Some(Container::Webm));
//! assert_eq!(Container::Mkv.extension(), "mkv");
//! ```

use serde::{Deserialize, Serialize};

use super::Document;

/// A video as its source stores it. Its streams are decoded where it is emitted.
#[derive(Debug)]
pub struct Video<'a> {
    /// The source.
    pub bytes: &'a [u8],
    /// Facts from its headers.
    pub facts: Document<'a>,
    /// Frames that are there; `None` when the source does not tell.
    pub frames: Option<u32>,
    /// Seconds that it lasts; `None` when the source does not tell.
    pub duration: Option<f64>,
}

/// A kind of file that holds streams of pictures and sound.
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
    /// The kind of file that has this extension.
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
