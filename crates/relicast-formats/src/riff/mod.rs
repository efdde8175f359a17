//! RIFF files with sound (`.wav`) or video (`.avi`), as in all supported games.
//!
//! - [`Wave`]: the chunks of a file, byte for byte.
//! - [`Format`], [`CuePoint`], [`Sampler`], [`Label`]: typed views of single chunks.
//! - [`avi`]: headers of videos.
//! - [`adpcm`]: decoders and encoders of the two compressed codings, Microsoft's and the IMA's.
//!
//! The layouts are those of the public RIFF/WAVE specification. The module knows no game.
//!
//! ```
//! use relicast_formats::riff;
//!
//! let bytes = b"RIFF\x04\0\0\0WAVE";
//! let wave = riff::decode(bytes)?.value;
//! assert!(wave.chunks.is_empty());
//! assert_eq!(riff::encode(&wave)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

pub mod adpcm;
pub mod avi;
mod chunk;
mod format;
mod marks;
mod wave;

pub use chunk::{Chunk, FourCc};
pub use format::{Format, FormatHeader, FormatTag, STANDARD_COEFFICIENTS};
pub use marks::{CuePoint, Label, LoopKind, SampleLoop, Sampler, SamplerHeader};
pub use wave::{Wave, decode, encode};
