//! Anything that can be emitted, and the formats that it can be written in.

use super::document::Document;
use super::image::Image;
use super::model;
use super::recording::Recording;
use super::sound::Sound;
use super::video::{Container, Video};

/// A format that an asset can be written in.
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
    /// glTF scene, its buffer and pictures beside it.
    Gltf,
    /// Buffer of a glTF scene.
    Bin,
    /// glTF scene with everything inside.
    Glb,
    /// Streams of pictures and sound.
    Video(Container),
    /// The bytes of the source under its own extension.
    Copy,
}

impl Encoding {
    /// Extension without its dot; empty for what keeps its own.
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

/// Anything that can be emitted.
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
    /// A hierarchy of meshes, with the pictures on them.
    Scene(&'a model::Scene, &'a dyn Pictures),
    /// Moving pictures.
    Video(Video<'a>),
    /// Bytes that are copied unchanged, such as a PNG.
    Copy(&'a [u8]),
    /// The source file as it is, which may be larger than memory.
    Source,
}

/// Pictures of the textures of a scene.
pub trait Pictures: std::fmt::Debug + Sync {
    /// The picture known by a key; the key is the path that it is written to below the output folder.
    fn picture(&self, key: &str) -> Option<Image<'_>>;

    /// True if the picture has no file of its own, so that scenes must embed it.
    fn is_inside(&self, key: &str) -> bool;
}
