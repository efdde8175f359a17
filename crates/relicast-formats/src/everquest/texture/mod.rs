//! Pictures of archives: BMP, DDS, PNG, JPEG, Targa. The content decides the format, never the name.
//!
//! [`decode`] returns a [`Picture`], rows from top to bottom. The file does not store transparent
//! pixels: a masked material has a color key, see [`Key`].
//!
//! ```
//! use relicast_formats::everquest::texture::{FileKind, decode, sniff};
//!
//! assert_eq!(sniff(b"BM and more"), Some(FileKind::Bmp));
//! assert_eq!(sniff(b"\x89PNG\r\n\x1a\n and more"), Some(FileKind::Png));
//! assert!(decode(b"neither").is_err());
//! ```

mod block;
pub mod bmp;
pub mod dds;
mod picture;
mod repaint;

pub use picture::{Key, Picture, Texels};

use image::ImageFormat;

use crate::portable;
use relicast_codec::{
    Bytes, Decoded, Deviations, FaultKind, FixedSize, FormatError, Result, shown,
};

/// Format of a picture file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Windows bitmap.
    Bmp,
    /// DirectDraw surface.
    Dds,
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// Targa.
    Targa,
}

/// Detects the format of a file by its first bytes.
pub fn sniff(bytes: &[u8]) -> Option<FileKind> {
    if bytes.starts_with(b"BM") {
        Some(FileKind::Bmp)
    } else if bytes.starts_with(b"DDS ") {
        Some(FileKind::Dds)
    } else if bytes.starts_with(portable::PNG) {
        Some(FileKind::Png)
    } else if bytes.starts_with(portable::JPEG) {
        Some(FileKind::Jpeg)
    } else if portable::is_targa(bytes) {
        Some(FileKind::Targa)
    } else {
        None
    }
}

/// The row of a DDS picture that is stored first. It depends on the archive; bitmaps store it
/// themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RowOrder {
    /// The bottom one: archives with scenes (`.s3d`).
    #[default]
    BottomFirst,
    /// The top one: archives with models of their own (`.eqg`).
    TopFirst,
}

/// Decodes a picture of an archive whose DDS pictures have the given row order.
///
/// # Errors
/// As for [`decode`].
pub fn decode_rows(bytes: &[u8], order: RowOrder) -> Result<Decoded<Picture>> {
    let mut decoded = decode(bytes)?;
    if order == RowOrder::TopFirst && sniff(bytes) == Some(FileKind::Dds) {
        decoded.value.flip_rows();
    }
    Ok(decoded)
}

/// Decodes a bitmap. Forms that no known archive has are read as other programs write them.
fn bitmap(bytes: &[u8]) -> Result<Decoded<Picture>> {
    let read = bmp::decode(bytes).and_then(|bmp| {
        let value = bmp.value.picture()?;
        let deviations = bmp.deviations;
        Ok(Decoded { value, deviations })
    });
    match read {
        Err(fault) if fault.kind() == FaultKind::Unsupported => {
            portable(bytes, ImageFormat::Bmp).map_err(|_| fault)
        }
        read => read,
    }
}

/// Decodes a picture of other programs.
fn portable(bytes: &[u8], format: ImageFormat) -> Result<Decoded<Picture>> {
    let picture = portable::read(bytes, format)?;
    let (width, height) = (picture.width(), picture.height());
    picture::area(width, height, 0)?;
    let texels = match picture.color().has_alpha() {
        true => Texels::Rgba(picture.into_rgba8().as_raw().as_chunks().0.to_vec()),
        false => Texels::Rgb(picture.into_rgb8().as_raw().as_chunks().0.to_vec()),
    };
    Ok(Decoded {
        value: Picture {
            width,
            height,
            texels,
        },
        deviations: Deviations::default(),
    })
}

/// Decodes a level of a face of a DDS picture.
///
/// # Errors
/// As for [`decode`], or another kind of picture.
pub fn decode_surface(bytes: &[u8], order: RowOrder, face: u8, level: u8) -> Result<Picture> {
    let mut picture = dds::decode(bytes)?.value.surface(face, level)?;
    if order == RowOrder::TopFirst {
        picture.flip_rows();
    }
    Ok(picture)
}

/// Decodes a picture; the rows of a DDS picture run from bottom to top.
///
/// # Errors
/// Another kind of file, a truncated one, or pixels in a form that no known archive has.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Picture>> {
    match sniff(bytes) {
        Some(FileKind::Bmp) => bitmap(bytes),
        Some(FileKind::Png) => portable(bytes, ImageFormat::Png),
        Some(FileKind::Jpeg) => portable(bytes, ImageFormat::Jpeg),
        Some(FileKind::Targa) => portable(bytes, ImageFormat::Tga),
        Some(FileKind::Dds) => {
            let dds = dds::decode(bytes)?;
            let value = dds.value.picture()?;
            let deviations = dds.deviations;
            Ok(Decoded { value, deviations })
        }
        None => Err(FormatError::unsupported(
            "magic",
            0,
            "BM, DDS, PNG, JPEG or Targa",
            shown(&Bytes::<4>::load(bytes).unwrap_or_default()),
        )),
    }
}
