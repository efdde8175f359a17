//! Foundation of all formats: bounded reading, offsets in errors, and structures that are declared once and
//! read and written from that declaration.
//!
//! - [`Stream`] and [`Walk`]: one visiting function per structure, run by [`Reader`] and [`Writer`].
//! - [`record!`](crate::record): structures with their constraints next to the fields, of fixed size, of a
//!   size for each version ([`Field`]), or with counts and options.
//! - [`open_enum!`](crate::open_enum), [`plain_flags!`](crate::plain_flags): enumerations and bit sets that
//!   preserve unknown values.
//! - [`locate`]: the byte range of each field in its file, from the same declarations.
//! - [`shown`]: values of fields in messages; [`quantity`]: numbers and sizes with their nouns.
//! - [`List`]: lists that values are read into; [`InPlace`]: values that need no copy.
//! - [`F32`], [`Vec3`], [`PaddedText`], [`Bytes`], [`Blob`]: values that survive a round trip bit by bit.
//!
//! The crate knows no game, file name or output format.
//!
//! ```
//! use relicast_codec::FormatError;
//!
//! let error = FormatError::malformed("length", 8, "at most 4", 9).inside("header");
//! assert_eq!(error.to_string(), "header.length at byte 8 (0x8): expected at most 4, found 9");
//! ```

#![warn(clippy::too_many_lines)]

mod blob;
mod crc;
mod error;
mod field;
mod layout;
mod list;
mod locator;
mod number;
mod numeric_eq;
pub mod quantity;
mod record;
mod schema;
mod shown;
mod stream;
mod writer;

pub use blob::Blob;
pub use crc::crc32_msb_first;
pub use error::{Decoded, Deviation, Deviations, FaultKind, FormatError, Result};
#[doc(hidden)]
pub use field::sizes;
pub use field::{Field, Sizes};
pub use layout::{Encoding, Layout, Segment};
pub use list::owned;
pub use list::{List, ReserveError};
pub use locator::{SourceMap, locate};
pub use number::{Box3, Bytes, F32, FixedSize, InPlace, PaddedText, QuatWxyz, Vec2, Vec3, latin1};
pub use numeric_eq::NumericEq;
pub use schema::Described;
#[cfg(feature = "schema")]
pub use schema::TextOrRaw;
pub use shown::{Shown, shown};
pub use stream::{Reader, Stream, Walk, decode};
pub use writer::{Writer, encode};
