//! Pictures as PNG: 8 bits a channel, colour type as the picture has it, no ancillary chunks.
//!
//! ```
//! use relicast::emit::png;
//! use relicast::scene::image::Effort;
//! use relicast::scene::{Image, Pixels};
//!
//! let pixels = Pixels::Rgb(vec![255, 0, 0, 0, 0, 255].into());
//! let image = Image { width: 2, height: 1, pixels };
//! let bytes = png::encode(&image, Effort::Fast).unwrap();
//! assert!(bytes.starts_with(b"\x89PNG"));
//! ```

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use crate::limits;
use crate::scene::image::Effort;
use crate::scene::{Image, Pixels};

/// Writes a picture.
///
/// # Errors
/// The texels do not fill width × height, a side is 0, or the palette is empty or too large.
pub fn encode(image: &Image<'_>, effort: Effort) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_depth(BitDepth::Eight);
    let (compression, filter) = match effort {
        Effort::Fast => (Compression::Fast, Filter::Up),
        Effort::Balanced => (Compression::Balanced, Filter::Adaptive),
        Effort::Small => (Compression::High, Filter::Adaptive),
    };
    encoder.set_compression(compression);
    let data: &[u8] = match &image.pixels {
        Pixels::Gray(texels) => {
            encoder.set_color(ColorType::Grayscale);
            encoder.set_filter(filter);
            texels
        }
        Pixels::Rgb(texels) => {
            encoder.set_color(ColorType::Rgb);
            encoder.set_filter(filter);
            texels
        }
        Pixels::Rgba(texels) => {
            encoder.set_color(ColorType::Rgba);
            encoder.set_filter(filter);
            texels
        }
        Pixels::Indexed { indices, palette } => {
            encoder.set_color(ColorType::Indexed);
            encoder.set_filter(Filter::NoFilter);
            let colours: Vec<u8> = palette
                .iter()
                .flat_map(|&[red, green, blue, _]| [red, green, blue])
                .collect();
            encoder.set_palette(colours);
            let mut alphas: Vec<u8> = palette.iter().map(|colour| colour[3]).collect();
            while alphas.last() == Some(&255) {
                alphas.pop();
            }
            if !alphas.is_empty() {
                encoder.set_trns(alphas);
            }
            indices
        }
    };
    limits::claim(data.len());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(data)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn decode(bytes: &[u8]) -> image::RgbaImage {
        image::load(Cursor::new(bytes), image::ImageFormat::Png)
            .unwrap()
            .to_rgba8()
    }

    #[test]
    fn every_effort_gives_the_same_pixels() {
        let texels: Vec<u8> = (0..16 * 8 * 4)
            .map(|index| (index * 7 % 251) as u8)
            .collect();
        let image = Image {
            width: 16,
            height: 8,
            pixels: Pixels::Rgba(texels.clone()),
        };
        for effort in [Effort::Fast, Effort::Balanced, Effort::Small] {
            let bytes = encode(&image, effort).unwrap();
            assert_eq!(decode(&bytes).into_raw(), texels);
        }
    }

    #[test]
    fn palettes_stay_palettes_and_keep_their_alpha() {
        let image = Image {
            width: 3,
            height: 1,
            pixels: Pixels::Indexed {
                indices: vec![2, 0, 1].into(),
                palette: vec![[1, 2, 3, 0], [4, 5, 6, 255], [7, 8, 9, 255]],
            },
        };
        let bytes = encode(&image, Effort::Fast).unwrap();
        let reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().color_type, ColorType::Indexed);
        assert_eq!(reader.info().trns.as_deref(), Some(&[0][..]));
        assert_eq!(
            decode(&bytes).into_raw(),
            [7, 8, 9, 255, 1, 2, 3, 0, 4, 5, 6, 255]
        );
    }

    #[test]
    fn an_empty_picture_is_an_error() {
        let image = Image {
            width: 0,
            height: 1,
            pixels: Pixels::Rgb(Vec::new()),
        };
        assert!(encode(&image, Effort::Fast).is_err());
    }
}
