//! Writers of modern file formats: from an asset to the bytes of a file.
//!
//! - [`png`] — pictures.
//! - [`wav`], [`flac`], [`ogg`] — sounds.
//! - [`recording`] — music, as FLAC and WAV.
//! - [`json`] — documents.
//! - [`gltf`] — scenes.
//! - [`video`] — videos, through an external program.
//!
//! The crate only knows [`relicast_scene`], no game and no folder. The same asset and options give the same bytes.
//!
//! ```
//! use relicast_emit::png;
//! use relicast_scene::image::Effort;
//! use relicast_scene::{Image, Pixels};
//!
//! let pixels = Pixels::Rgb(vec![255, 0, 0, 0, 0, 255].into());
//! let image = Image { width: 2, height: 1, pixels };
//! let bytes = png::encode(&image, Effort::Fast).unwrap();
//! assert!(bytes.starts_with(b"\x89PNG"));
//! ```

#![warn(clippy::too_many_lines)]

mod asset;
mod error;
pub mod flac;
pub mod gltf;
pub mod json;
pub mod ogg;
mod options;
pub mod png;
pub mod recording;
pub mod video;
pub mod wav;

pub use asset::{encode, encode_scene};
pub use error::EmitError;
pub use flac::{FlacError, encode_flac};
pub use ogg::{OggError, encode_ogg};
pub use options::Options;
pub use wav::{WavError, encode_wav};
