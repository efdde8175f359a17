//! Pictures of archives: BMP and DDS. The content decides which, never the name.
//!
//! [`decode`] gives a [`Picture`], rows from top to bottom. Which pixels of it are transparent is
//! not in the file: a masked material has a colour key, see [`Key`].
//!
//! ```
//! use relicast::formats::everquest::texture::{FileKind, decode, sniff};
//!
//! assert_eq!(sniff(b"BM and more"), Some(FileKind::Bmp));
//! assert!(decode(b"neither").is_err());
//! ```

mod block;
pub mod bmp;
pub mod dds;
mod picture;
mod repaint;

pub use picture::{Key, Picture, Texels};

use crate::formats::codec::{Bytes, Decoded, FixedSize, FormatError, Result};

/// What a picture's file is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Windows bitmap.
    Bmp,
    /// DirectDraw surface.
    Dds,
}

/// Tells what a file is by its first bytes.
pub fn sniff(bytes: &[u8]) -> Option<FileKind> {
    if bytes.starts_with(b"BM") {
        Some(FileKind::Bmp)
    } else if bytes.starts_with(b"DDS ") {
        Some(FileKind::Dds)
    } else {
        None
    }
}

/// Which row of a DDS picture is stored first. The archive that it lies in tells; bitmaps tell it
/// themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RowOrder {
    /// The bottom one: archives with scenes (`.s3d`).
    #[default]
    BottomFirst,
    /// The top one: archives with models of their own (`.eqg`).
    TopFirst,
}

/// Decodes a picture of an archive whose DDS pictures have their rows in some order.
///
/// # Errors
/// As for [`decode`].
pub fn decode_rows(bytes: &[u8], order: RowOrder) -> Result<Decoded<Picture>> {
    let mut decoded = decode(bytes)?;
    if order == RowOrder::TopFirst && sniff(bytes) == Some(FileKind::Dds) {
        decoded.value.turn_over();
    }
    Ok(decoded)
}

/// Decodes a level of a face of a DDS picture.
///
/// # Errors
/// As for [`decode`], or another kind of picture.
pub fn decode_surface(bytes: &[u8], order: RowOrder, face: u8, level: u8) -> Result<Picture> {
    let mut picture = dds::decode(bytes)?.value.surface(face, level)?;
    if order == RowOrder::TopFirst {
        picture.turn_over();
    }
    Ok(picture)
}

/// Decodes a picture; the rows of a DDS picture run from bottom to top.
///
/// # Errors
/// Another kind of file, one that is cut short, or pixels in a form that no archive seen has.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Picture>> {
    match sniff(bytes) {
        Some(FileKind::Bmp) => {
            let bmp = bmp::decode(bytes)?;
            let value = bmp.value.picture()?;
            let deviations = bmp.deviations;
            Ok(Decoded { value, deviations })
        }
        Some(FileKind::Dds) => {
            let dds = dds::decode(bytes)?;
            let value = dds.value.picture()?;
            let deviations = dds.deviations;
            Ok(Decoded { value, deviations })
        }
        None => Err(FormatError::unsupported(
            "magic",
            0,
            "BM or DDS",
            format_args!("{:?}", Bytes::<4>::load(bytes).unwrap_or_default()),
        )),
    }
}
