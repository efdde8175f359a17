//! Writers of modern files: an asset in, the bytes of a file out.
//!
//! - [`png`] — pictures.
//! - [`wav`], [`flac`] — sounds.
//! - [`json`] — documents.
//! - [`gltf`] — scenes.
//!
//! Only [`crate::scene`] is known here, no game and no folder. Same asset and options, same bytes.

use std::borrow::Cow;

use crate::scene::{Asset, Encoding};

pub mod flac;
pub mod gltf;
pub mod json;
pub mod png;
pub mod wav;

pub use flac::{FlacError, encode_flac};
pub use wav::{WavError, encode_wav};

/// What the writers can be told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// How hard to compress pictures.
    pub effort: png::Effort,
    /// Layout of documents.
    pub style: json::Style,
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
    /// This kind of asset has no such format.
    #[error("this kind of asset cannot be written as {0}")]
    Mismatch(&'static str),
}

/// Writes an asset. The bytes are borrowed when they are the source's own. `tags` name a FLAC.
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
        (_, encoding) => return Err(EmitError::Mismatch(encoding.extension())),
    })
}
