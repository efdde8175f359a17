//! Pictures in third-party formats that not all engines read: Targa, TIFF.

use image::{DynamicImage, ImageFormat};

use relicast_codec::FormatError;
use relicast_formats::portable;
use relicast_scene::{Image, Pixels};

/// The format of a picture, by its ending in lower case; `None` for one that needs no conversion.
pub fn format_of(ending: &str) -> Option<ImageFormat> {
    match ending {
        "tga" => Some(ImageFormat::Tga),
        "tif" | "tiff" => Some(ImageFormat::Tiff),
        _ => None,
    }
}

/// Reads a picture.
pub fn decode(bytes: &[u8], format: ImageFormat) -> Result<Image<'static>, FormatError> {
    let picture = portable::read(bytes, format)?;
    let (width, height) = (picture.width(), picture.height());
    let pixels = match picture {
        DynamicImage::ImageLuma8(gray) => Pixels::Gray(gray.into_raw().into()),
        picture if picture.color().has_alpha() => Pixels::Rgba(picture.into_rgba8().into_raw()),
        picture => Pixels::Rgb(picture.into_rgb8().into_raw()),
    };
    Ok(Image {
        width,
        height,
        pixels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 2 × 1 with runs, the top row first or last.
    fn targa(kind: u8, depth: u8, descriptor: u8, data: &[u8]) -> Vec<u8> {
        let mut bytes = vec![
            0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, depth, descriptor,
        ];
        bytes.extend(data);
        bytes
    }

    #[test]
    fn rows_and_runs_of_targa_pictures_are_put_right() {
        let plain = targa(2, 24, 0, &[1, 2, 3, 4, 5, 6]);
        let from_below = decode(&plain, ImageFormat::Tga).unwrap();
        assert_eq!(from_below.pixels, Pixels::Rgb(vec![6, 5, 4, 3, 2, 1]));
        let top_first = targa(2, 24, 0x20, &[1, 2, 3, 4, 5, 6]);
        let from_above = decode(&top_first, ImageFormat::Tga).unwrap();
        assert_eq!(from_above.pixels, Pixels::Rgb(vec![3, 2, 1, 6, 5, 4]));
        // 32 bits per texel, and a descriptor without alpha.
        let run = targa(10, 32, 0x20, &[0x81, 1, 2, 3, 4]);
        let read = decode(&run, ImageFormat::Tga).unwrap();
        assert_eq!(read.pixels, Pixels::Rgba(vec![3, 2, 1, 4, 3, 2, 1, 4]));
    }

    #[test]
    fn damaged_pictures_are_refused() {
        let whole = targa(2, 24, 0, &[1, 2, 3, 4, 5, 6]);
        for length in 0..whole.len() {
            assert!(
                decode(&whole[..length], ImageFormat::Tga).is_err(),
                "{length}"
            );
        }
        assert!(decode(b"II*\0\x08\0\0\0\x01", ImageFormat::Tiff).is_err());
        let huge = targa(2, 24, 0, &[]);
        assert!(
            decode(
                &[&huge[..12], &[255; 4], &huge[16..]].concat(),
                ImageFormat::Tga
            )
            .is_err()
        );
    }
}
