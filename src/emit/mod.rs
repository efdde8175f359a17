//! Writers of modern files: an asset in, the bytes of a file out.
//!
//! - [`png`] — pictures.
//! - [`wav`], [`flac`] — sounds.
//! - [`recording`] — music, as FLAC and WAV.
//! - [`json`] — documents.
//! - [`gltf`] — scenes.
//! - [`video`] — videos, through a program from outside.
//!
//! Only [`crate::scene`] is known here, no game and no folder. Same asset and options, same bytes.

use std::borrow::Cow;

use crate::scene::document::Style;
use crate::scene::image::Effort;
use crate::scene::model::Scene;
use crate::scene::{Asset, Encoding, Pictures};

pub mod flac;
pub mod gltf;
pub mod json;
pub mod png;
pub mod recording;
pub mod video;
pub mod wav;

pub use flac::{FlacError, encode_flac};
pub use wav::{WavError, encode_wav};

/// Options of the writers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// How hard to compress pictures.
    pub effort: Effort,
    /// Layout of documents.
    pub style: Style,
    /// Whether many nodes with the same mesh become one node with instances.
    pub gpu_instancing: bool,
}

/// Why an asset cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A picture cannot be a PNG.
    #[error("cannot write PNG: {0}")]
    Png(#[from] ::png::EncodingError),
    /// A sound cannot be a WAV.
    #[error("cannot write WAV: {0}")]
    Wav(#[from] wav::WavError),
    /// A sound cannot be a FLAC.
    #[error("cannot write FLAC: {0}")]
    Flac(#[from] flac::FlacError),
    /// A document cannot be JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A scene cannot be glTF.
    #[error("cannot write glTF: {0}")]
    Gltf(#[from] gltf::GltfError),
    /// Samples cannot be read, or the file cannot be written.
    #[error("{0}")]
    Stream(#[from] std::io::Error),
    /// This kind of asset has no such format.
    #[error("this kind of asset cannot be written as {0}")]
    Mismatch(&'static str),
}

/// The pictures of a scene, which are written elsewhere too, to the paths that are their keys.
struct SharedPictures<'a> {
    file: &'a str,
    pictures: &'a dyn Pictures,
    effort: Effort,
}

impl gltf::ImageSource for SharedPictures<'_> {
    fn path(&self, key: &str) -> Option<String> {
        let is_file = !self.pictures.is_inside(key);
        is_file.then(|| gltf::relative_path(self.file, key))
    }

    fn bytes(&self, key: &str) -> Option<Cow<'_, [u8]>> {
        let picture = self.pictures.picture(key)?;
        Some(png::encode(&picture, self.effort).ok()?.into())
    }
}

/// Writes a scene to `file` and, unless it is `.glb`, its buffer to `buffer`; paths below the output
/// folder. Keys of pictures are such paths too.
///
/// # Errors
/// The scene cannot be expressed in glTF.
pub fn encode_scene(
    scene: &Scene,
    pictures: &dyn Pictures,
    file: &str,
    buffer: Option<&str>,
    options: Options,
) -> Result<gltf::GltfFiles, EmitError> {
    let images = SharedPictures {
        file,
        pictures,
        effort: options.effort,
    };
    let options = gltf::GltfOptions {
        gpu_instancing: options.gpu_instancing,
        binary_path: &buffer.map_or_else(String::new, |buffer| gltf::relative_path(file, buffer)),
        images: &images,
        container: match buffer {
            Some(_) => gltf::Container::Gltf,
            None => gltf::Container::Glb,
        },
    };
    Ok(gltf::encode(scene, &options)?)
}

/// Writes an asset; scenes have [`encode_scene`], videos [`video::encode`]. The bytes are borrowed when they are the source's own. `tags` name a FLAC.
///
/// # Errors
/// The asset cannot be expressed in this format.
pub fn encode<'a>(
    asset: &'a Asset<'_>,
    encoding: Encoding,
    tags: &[(String, String)],
    options: Options,
) -> Result<Cow<'a, [u8]>, EmitError> {
    Ok(match (asset, encoding) {
        (Asset::Image(image), Encoding::Png) => png::encode(image, options.effort)?.into(),
        (Asset::Sound(sound), Encoding::Wav) => encode_wav(sound)?,
        (Asset::Sound(sound), Encoding::Flac) => encode_flac(sound, tags)?.into(),
        (Asset::Document(document), Encoding::Json) => {
            json::encode(document, options.style)?.into()
        }
        (Asset::Copy(bytes), Encoding::Copy) => Cow::Borrowed(*bytes),
        (_, encoding) => return Err(EmitError::Mismatch(encoding.extension())),
    })
}
