//! RIFF files that hold sound (`.wav`) or video (`.avi`), as every game of the nineties used them.
//!
//! - [`Wave`]: the chunks of a file, kept byte for byte.
//! - [`Format`], [`CuePoint`], [`Sampler`], [`Label`]: typed views of single chunks.
//! - [`avi`]: what the headers of a video tell.
//! - [`adpcm`]: the two compressed codecs, Microsoft's and the IMA's, both ways.
//!
//! The layouts are those of the public RIFF/WAVE specification. Nothing here knows a game.
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
