//! Pictures of archives: BMP and DDS. The content decides which, never the name.
//!
//! [`decode`] gives a [`Picture`], rows from top to bottom. Which pixels of it are transparent is
//! not in the file: a masked material has a colour key, see [`Key`].

mod block;
pub mod bmp;
pub mod dds;
mod picture;

pub use picture::{Key, Picture, Texels};

use crate::formats::codec::{Decoded, FormatError, Plain, Raw, Result};

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

/// Decodes a picture.
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
            format_args!("{:?}", Raw::<4>::load(bytes).unwrap_or_default()),
        )),
    }
}
