//! Disc images: CUE sheets with their files, plain and raw images.
//!
//! - [`cue`] — the text of a sheet.
//! - [`image`] — the files that it names.
//! - [`layout`] — where the tracks lie in them.
//! - [`sector`] — one sector of data and the codes that guard it.
//! - [`iso9660`] — the file system of a data track; `rock_ridge` — its longer names.
//! - [`mod@write`] — the same, written: for sample discs and tests.
//! - [`open`] — all of that together: a [`Disc`].
//! - [`data`] — bytes of files, and which sectors are bad.
//! - [`audio`] — samples of audio tracks, and their checksums.
//! - [`identity`] — identifiers of a disc, and the pressings that are known.
//!
//! Images are read by place: neither an image nor a track is ever in memory as a whole. A file of one is
//! mapped, from the image or from a temporary file when its bytes do not lie together; small ones are
//! held in memory.

pub mod audio;
pub mod cue;
pub mod data;
pub mod identity;
pub mod image;
pub mod iso9660;
pub mod layout;
pub mod open;
mod rock_ridge;
pub mod sector;
pub mod write;

pub use open::{BytePlace, Disc, DiscKind, FileNumber, looks_like_image};
