//! File formats: bytes in, typed values out, and the reverse.
//!
//! Every decoder is pure: it does no I/O, takes no more memory than its input justifies, never
//! panics, and reports faults with field and offset. `encode(decode(bytes)) == bytes` holds for
//! every file that decodes, except message DLLs.
//!
//! - [`relicast_codec`] — declaration of formats, see its documentation.
//! - [`everquest`] — EverQuest.
//! - [`registry`] — the table of all formats, one row per kind; [`descriptor`] — description of a format.
//! - [`kind`] — detection of kinds; [`detector`] — detectors; [`foreign`] — known names.
//! - [`depth`] — depth of decoding.
//! - [`decoded_file`] — any file that has a codec, as one value.
//! - [`installshield`] — InstallShield cabinets.
//! - [`microsoft_cabinet`] — tables of Microsoft cabinets.
//! - [`riff`] — WAV files.
//! - [`targa`], [`tiff`] — writers that change the picture of an existing file.
//! - [`transfer`] — detection of copies that were damaged by text mode.
//! - [`zipper`] — Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies.
//!
//! ```
//! use relicast_formats::decoded_file::{DecodedFile, decode};
//! use relicast_formats::kind::{ArchiveContext, Kind, sniff};
//!
//! let bytes = b"( DETAIL 3 )";
//! let kind = sniff(bytes, "detail.zrd");
//! assert_eq!(kind, Kind::TextReader);
//! let decoded = decode(kind, "detail.zrd", bytes, &ArchiveContext::default()).unwrap()?;
//! let DecodedFile::TextReader(document) = decoded.value else { panic!("another kind") };
//! assert_eq!(document.values()?.len(), 1);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```
#![warn(clippy::too_many_lines)]
#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::panic
    )
)]

pub mod asset;
pub mod census;
pub mod decoded_file;
pub mod depth;
pub mod descriptor;
pub mod detector;
pub mod everquest;
pub mod foreign;
pub mod installshield;
pub mod kind;
pub mod known_names;
pub mod microsoft_cabinet;
pub mod midi;
mod midi_bytes;
pub mod packed_elsewhere;
pub mod portable;
mod recognition;
pub mod registry;
pub mod riff;
pub mod sound_font;
mod table;
pub mod targa;
pub mod tiff;
pub mod transfer;
pub mod zipper;
