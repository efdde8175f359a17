//! Adaptive differential PCM: 4 bits per sample, in blocks that each start with the decoder's state.
//!
//! - [`decode_ms`], [`encode_ms`]: Microsoft's coding (tag 2), mono and stereo.
//! - [`decode_ima`], [`encode_ima`]: the IMA's coding in Microsoft's blocks (tag 0x11), mono and stereo.
//!
//! Offsets of faults in fields of `fmt.` count from the start of the format chunk, others
//! from the start of the data. Samples are interleaved. Decoders yield at most four bytes for each byte of input. Both
//! codings are lossy: decoding is exact, but encoding does not restore the original bytes.
//!
//! ```
//! use relicast_formats::riff::adpcm::{decode_ima, encode_ima};
//! use relicast_formats::riff::{Format, FormatHeader, FormatTag};
//!
//! let header = FormatHeader {
//!     tag: FormatTag::ImaAdpcm,
//!     channels: 1,
//!     rate: 22_050,
//!     block_align: 36,
//!     bits: 4,
//!     ..FormatHeader::default()
//! };
//! let format = Format { header, extension: Default::default() };
//! let silence = [0; 65];
//! let packed = encode_ima(&format, &silence)?;
//! assert_eq!(packed.len(), 36);
//! assert_eq!(decode_ima(&format, &packed)?.value, silence);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

mod blocks;
mod ima;
mod ms;

pub use ima::{decode_ima, encode_ima};
pub use ms::{decode_ms, encode_ms};
