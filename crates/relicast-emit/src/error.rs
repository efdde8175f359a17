//! Errors of the writers.

use super::{flac, gltf, ogg, wav};

/// Reason why an asset cannot be written.
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
    /// A sound cannot be Ogg Vorbis.
    #[error("cannot write Ogg Vorbis: {0}")]
    Ogg(#[from] ogg::OggError),
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
