//! Pictures in formats of other programs: PNG, JPEG, Targa, TIFF, bitmaps.
//!
//! ```
//! use image::ImageFormat;
//! use relicast_formats::portable;
//!
//! let red = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 0, 0, 255];
//! let picture = portable::read(&red, ImageFormat::Tga)?;
//! assert_eq!(picture.into_rgb8().into_raw(), [255, 0, 0]);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader};

use relicast_codec::{FormatError, Result};
use relicast_limits as limits;

/// Signature of a PNG.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Signature of a JPEG.
pub const JPEG: &[u8] = &[0xFF, 0xD8, 0xFF];

/// True if the header of a picture can be read.
pub fn is_readable(bytes: &[u8], format: ImageFormat) -> bool {
    let reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.into_dimensions().is_ok()
}

/// True if a file starts with the header of a Targa picture, which has no signature: a known kind of picture, with as
/// many bits as that kind has, and a size.
pub fn is_targa(bytes: &[u8]) -> bool {
    let Some(&[_, map, kind, .., w0, w1, h0, h1, bits, flags]) = bytes.first_chunk::<18>() else {
        return false;
    };
    let bits_fit = match kind {
        1 | 9 => map == 1 && bits == 8,
        2 | 10 => map <= 1 && matches!(bits, 15 | 16 | 24 | 32),
        3 | 11 => map == 0 && matches!(bits, 8 | 16),
        _ => false,
    };
    let sides = [[w0, w1], [h0, h1]].map(u16::from_le_bytes);
    // The upper bits of the flags are reserved.
    bits_fit && !sides.contains(&0) && flags & 0xC0 == 0
}

/// Reads a picture.
///
/// # Errors
/// It is damaged, has an unsupported form, or is larger than the limits allow.
pub fn read(bytes: &[u8], format: ImageFormat) -> Result<DynamicImage> {
    let damaged = |error: image::ImageError| {
        let expected = format_args!("a {} picture", format.extensions_str().join(" or "));
        FormatError::malformed("picture", 0, expected, error)
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut most = image::Limits::default();
    let room = u64::from(limits::current().part_mib).saturating_mul(1 << 20);
    most.max_alloc = Some(room);
    reader.limits(most);
    let size = ImageReader::with_format(Cursor::new(bytes), format);
    let (width, height) = size.into_dimensions().map_err(damaged)?;
    let texels = u64::from(width).saturating_mul(u64::from(height));
    limits::try_reserve(usize::try_from(texels.saturating_mul(8)).unwrap_or(usize::MAX))?;
    reader.decode().map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_targa_pictures_are_distinguished_from_other_bytes() {
        let header = |kind: u8, map: u8, bits: u8| {
            let mut header = [0; 18];
            (header[1], header[2], header[16]) = (map, kind, bits);
            (header[12], header[14]) = (4, 2);
            header
        };
        for (kind, map, bits) in [(1, 1, 8), (2, 0, 24), (10, 0, 32), (3, 0, 8)] {
            assert!(is_targa(&header(kind, map, bits)), "{kind}");
        }
        for (kind, map, bits) in [(1, 0, 8), (2, 0, 8), (4, 0, 24), (3, 0, 24)] {
            assert!(!is_targa(&header(kind, map, bits)), "{kind}");
        }
        let mut empty = header(2, 0, 24);
        empty[12] = 0;
        assert!(
            !is_targa(&empty)
                && !is_targa(&[0; 17])
                && !is_targa(b"BM and other bytes of a bitmap")
        );
    }
}
