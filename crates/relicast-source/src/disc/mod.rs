//! Disc images: CUE sheets with their files, plain and raw images.
//!
//! - [`cue`] — text of a sheet; `cue_sheet` — its content.
//! - [`image`] — the files that it names.
//! - [`layout`] — positions of the tracks in them.
//! - [`sector`] — one sector of data and its error detection codes.
//! - [`record`] — records of folders, and sources of sectors.
//! - [`iso9660`] — the file system of a data track; `rock_ridge` — its longer names.
//! - [`mod@write`] — writer of file systems, for sample discs and tests.
//! - `open` — a [`Disc`], which combines these.
//! - `data` — sectors of data tracks, with bad ones; `files` — bytes of files; `place` — their positions.
//! - `audio` — samples of audio tracks; [`sums`] — their checksums.
//! - [`identity`] — identifiers of a disc, and known pressings.
//!
//! Images are read by offset: neither an image nor a track is ever in memory as a whole. A file is
//! read from the image, or from a temporary file when its bytes are not contiguous; small files are
//! in memory.
//!
//! ```
//! use relicast_source::disc::write::{NewFile, iso9660};
//! use relicast_source::disc::{Disc, DiscKind, looks_like_image};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("game.iso");
//! std::fs::write(&path, iso9660("GAME", &[NewFile { path: "README.TXT", bytes: b"Hello" }]))?;
//! let kind = looks_like_image(&path).ok_or("no image")?;
//! assert_eq!(kind, DiscKind::Cooked);
//! let disc = Disc::open(&path, kind)?;
//! let names: Vec<String> = disc.entries().map(|(_, path, _)| path).collect();
//! assert_eq!(names, ["README.TXT"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod audio;
mod compressed;
pub mod cue;
mod cue_sheet;
pub mod data;
mod files;
pub mod identity;
pub mod image;
pub mod iso9660;
pub mod layout;
pub(crate) mod open;
pub(crate) mod place;
pub mod record;
mod rock_ridge;
pub mod sector;
pub mod sums;
pub mod write;

pub use open::{Disc, DiscKind, looks_like_image};
pub use place::{BytePlace, FileNumber};
