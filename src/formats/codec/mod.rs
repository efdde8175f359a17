//! The ground that every format stands on: bounded reading, offsets in errors, and the rule that a
//! structure is declared once and read and written from that declaration.
//!
//! - [`Stream`] and [`Walk`]: one visiting function per structure, run by [`Reader`] and [`Writer`].
//! - [`record!`](crate::record): fixed-size structures with their constraints beside the fields.
//! - [`codes!`](crate::codes), [`plain_flags!`](crate::plain_flags): enumerations and bit sets that
//!   keep unknown values.
//! - [`Behind`]: telling what of a large file was read and can leave memory.
//! - [`F32`], [`Vec3`], [`PaddedText`], [`Raw`], [`Blob`]: values that survive a round trip bit by bit.
//!
//! Nothing here knows a game, a file name or an output format.

mod behind;
mod blob;
mod crc;
mod error;
mod number;
mod record;
mod stream;

pub use behind::Behind;
pub use blob::Blob;
pub use crc::crc32_msb_first;
pub use error::{Decoded, Deviation, Deviations, FaultKind, FormatError, Result};
pub use number::{Box3, F32, PaddedText, Plain, QuatWxyz, Raw, Vec2, Vec3, latin1};
pub use stream::{Reader, Stream, Walk, Writer, decode, encode};
