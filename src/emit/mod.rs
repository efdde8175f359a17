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

mod asset;
mod error;
pub mod flac;
pub mod gltf;
pub mod json;
mod options;
pub mod png;
pub mod recording;
pub mod video;
pub mod wav;

pub use asset::{encode, encode_scene};
pub use error::EmitError;
pub use flac::{FlacError, encode_flac};
pub use options::Options;
pub use wav::{WavError, encode_wav};
