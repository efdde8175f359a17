//! Engine-neutral assets: what lies between a game's files and the files that engines read.
//!
//! - [`image`] — pictures.
//! - [`sound`] — sounds.
//! - [`recording`] — music, too long to be held in memory.
//! - [`video`] — videos.
//! - [`document`] — structured data that becomes JSON.
//! - [`model`] — hierarchies of meshes, lights and movements, in the space of [`space`].
//!
//! No game is known here, and no output format.
//!
//! ```
//! use relicast::scene::{Image, Pixels};
//!
//! let image = Image { width: 1, height: 1, pixels: Pixels::Rgba(vec![9, 9, 9, 0].into()) };
//! assert_eq!(image.into_owned().width, 1);
//! ```

pub mod document;
pub mod image;
pub mod model;
pub mod recording;
pub mod sound;
pub mod space;
pub mod video;

pub use document::Document;
pub use image::{Image, Pixels};
pub use recording::{Recording, SampleSource};
pub use sound::{Annotation, CuePoint, Loop, LoopDirection, Samples, Sound};
pub use video::{Container, Video};

/// A format that an asset can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// PNG picture.
    Png,
    /// RIFF/WAVE sound.
    Wav,
    /// FLAC sound.
    Flac,
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
    /// Structured data.
    Document(Document<'a>),
    /// A hierarchy of meshes, with the pictures on them.
    Scene(&'a model::Scene, &'a dyn Pictures),
    /// Moving pictures.
    Video(Video<'a>),
    /// Bytes that are copied unchanged.
    Copy(&'a [u8]),
}

/// Pictures of the textures of a scene.
pub trait Pictures: std::fmt::Debug {
    /// The picture known by a key; the key is the path that it is written to below the output folder.
    fn picture(&self, key: &str) -> Option<Image<'_>>;

    /// Whether the picture has no file of its own, so that scenes must embed it.
    fn is_inside(&self, key: &str) -> bool;
}
