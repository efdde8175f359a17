//! Assets that can be written, and their output formats.

use super::document::Document;
use super::image::Image;
use super::model;
use super::recording::Recording;
use super::sound::Sound;
use super::video::{Container, Video};

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// PNG picture.
    Png,
    /// RIFF/WAVE sound.
    Wav,
    /// FLAC sound.
    Flac,
    /// Ogg Vorbis sound.
    Ogg,
    /// Standard MIDI File.
    Midi,
    /// JSON document.
    Json,
    /// glTF scene with separate buffer and pictures.
    Gltf,
    /// Buffer of a glTF scene.
    Bin,
    /// glTF scene with everything embedded.
    Glb,
    /// Streams of pictures and sound.
    Video(Container),
    /// The bytes of the source under its own extension.
    Copy,
}

impl Encoding {
    /// Extension without its dot; empty for formats that retain the source's extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Wav => "wav",
            Self::Flac => "flac",
            Self::Ogg => "ogg",
            Self::Midi => "mid",
            Self::Json => "json",
            Self::Gltf => "gltf",
            Self::Bin => "bin",
            Self::Glb => "glb",
            Self::Video(container) => container.extension(),
            Self::Copy => "",
        }
    }
}

/// An asset that can be written.
#[derive(Debug)]
pub enum Asset<'a> {
    /// A picture.
    Image(Image<'a>),
    /// A sound.
    Sound(Sound<'a>),
    /// Music of a disc.
    Recording(Recording<'a>),
    /// A Standard MIDI File.
    Midi(&'a [u8]),
    /// Structured data.
    Document(Document<'a>),
    /// A hierarchy of meshes, with their pictures.
    Scene(&'a model::Scene, &'a dyn Pictures),
    /// Moving pictures.
    Video(Video<'a>),
    /// Bytes that are copied unchanged, such as a PNG.
    Copy(&'a [u8]),
    /// The source file itself, which may be larger than memory.
    Source,
}

/// Pictures of the textures of a scene.
pub trait Pictures: std::fmt::Debug + Sync {
    /// The picture of a key; the key is the path of its output below the output folder.
    fn picture(&self, key: &str) -> Option<Image<'_>>;

    /// True if the picture has no file of its own, so that scenes must embed it.
    fn is_inside(&self, key: &str) -> bool;
}
