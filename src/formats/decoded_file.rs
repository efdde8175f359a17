//! Any file that has a codec, as one typed value: what `inspect` shows and `prove` writes back.
//!
//! ```
//! use relicast::formats::decoded_file::decode;
//! use relicast::formats::kind::{ArchiveContext, Kind};
//!
//! let bytes = b"( DETAIL 3 )";
//! let decoded = decode(Kind::TextReader, "detail.zrd", bytes, &ArchiveContext::default());
//! let value = decoded.unwrap()?.value;
//! assert_eq!(value.encode().unwrap()?, bytes);
//! # Ok::<(), relicast::formats::codec::FormatError>(())
//! ```

use super::codec::{Decoded, Result};
use super::kind::{ArchiveContext, Kind};
use super::registry::Source;

pub use super::registry::DecodedFile;

/// Decodes a source of `kind` called `name`; `None` for kinds without a codec. `siblings` tell what
/// an archive member needs to know of its archive; they are empty for a file.
///
/// # Errors
/// The source breaks a hard rule of its format.
pub fn decode<'a>(
    kind: Kind,
    name: &str,
    bytes: &'a [u8],
    siblings: &ArchiveContext,
) -> Option<Result<Decoded<DecodedFile<'a>>>> {
    let decode = kind.codec().decoder()?;
    Some(decode(Source {
        name,
        bytes,
        context: siblings,
    }))
}
