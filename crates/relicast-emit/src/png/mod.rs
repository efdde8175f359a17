//! Pictures as PNG: 8 bits per channel, the picture's own color type, no ancillary chunks.
//!
//! ```
//! use relicast_emit::png;
//! use relicast_scene::image::Effort;
//! use relicast_scene::{Image, Pixels};
//!
//! let pixels = Pixels::Rgb(vec![255, 0, 0, 0, 0, 255].into());
//! let image = Image { width: 2, height: 1, pixels };
//! let bytes = png::encode(&image, Effort::Fast).unwrap();
//! assert!(bytes.starts_with(b"\x89PNG"));
//! ```

mod stored;

use oxipng::{Deflater, Options, RGBA8, RawImage};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter, chunk};

use relicast_limits as limits;
use relicast_scene::image::Effort;
use relicast_scene::{Image, Pixels};

/// Largest size of a file without its texels: signature and chunks, a palette with its alphas.
const BESIDE_DATA: usize = 2 << 10;

/// Writes a picture.
///
/// # Errors
/// The texels do not fill width × height, a side is 0, or the palette is empty or too large.
pub fn encode(image: &Image<'_>, effort: Effort) -> Result<Vec<u8>, EncodingError> {
    if effort == Effort::Best {
        return smallest(image);
    }
    let stored = match (&image.pixels, effort) {
        (Pixels::Indexed { indices, .. }, Effort::Fast) => {
            stored::rows(indices, image.width, image.height)?
        }
        _ => None,
    };
    let room = stored
        .as_ref()
        .map_or(0, |stored| stored.len().saturating_add(BESIDE_DATA));
    let mut bytes = Vec::with_capacity(room);
    let mut encoder = Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_depth(BitDepth::Eight);
    let (compression, filter) = match effort {
        Effort::Fast => (Compression::Fast, Filter::Up),
        Effort::Balanced => (Compression::Balanced, Filter::Adaptive),
        Effort::Small | Effort::Best => (Compression::High, Filter::Adaptive),
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
            let colors: Vec<u8> = palette
                .iter()
                .flat_map(|&[red, green, blue, _]| [red, green, blue])
                .collect();
            encoder.set_palette(colors);
            let mut alphas: Vec<u8> = palette.iter().map(|color| color[3]).collect();
            while alphas.last() == Some(&255) {
                alphas.pop();
            }
            if !alphas.is_empty() {
                encoder.set_trns(alphas);
            }
            indices
        }
    };
    limits::reserve(data.len());
    let mut writer = encoder.write_header()?;
    match stored {
        Some(stored) => writer.write_chunk(chunk::IDAT, &stored)?,
        None => writer.write_image_data(data)?,
    }
    writer.finish()?;
    Ok(bytes)
}

/// Memory that trials of filters and deflate take at most, in copies of the texels.
const COPIES_OF_TRIALS: usize = 6;

/// Writes a picture with every filter tried, and returns the smallest. Color type, depth, palette and the colors of
/// transparent texels are unchanged: only filters and deflate differ from [`encode`] with less effort.
fn smallest(image: &Image<'_>) -> Result<Vec<u8>, EncodingError> {
    let quick = encode(image, Effort::Fast)?;
    let (color, texels): (_, &[u8]) = match &image.pixels {
        Pixels::Gray(texels) => {
            let transparent_shade = None;
            (oxipng::ColorType::Grayscale { transparent_shade }, texels)
        }
        Pixels::Rgb(texels) => {
            let transparent_color = None;
            (oxipng::ColorType::RGB { transparent_color }, texels)
        }
        Pixels::Rgba(texels) => (oxipng::ColorType::RGBA, texels),
        Pixels::Indexed { indices, palette } => {
            let entry = |&[red, green, blue, alpha]: &[u8; 4]| RGBA8::new(red, green, blue, alpha);
            let palette = palette.iter().map(entry).collect();
            (oxipng::ColorType::Indexed { palette }, indices)
        }
    };
    limits::reserve(texels.len().saturating_mul(COPIES_OF_TRIALS));
    let options = Options {
        bit_depth_reduction: false,
        color_type_reduction: false,
        palette_reduction: false,
        grayscale_reduction: false,
        optimize_alpha: false,
        deflater: Deflater::Libdeflater { compression: 12 },
        ..Options::from_preset(5)
    };
    let best = RawImage::new(
        image.width,
        image.height,
        color,
        oxipng::BitDepth::Eight,
        texels.to_vec(),
    )
    .and_then(|raw| raw.create_optimized_png(&options));
    // If the trials refuse a picture, the quick result is used.
    let best = best.ok().filter(|best| best.len() < quick.len());
    Ok(best.unwrap_or(quick))
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
        for effort in [Effort::Fast, Effort::Balanced, Effort::Small, Effort::Best] {
            let bytes = encode(&image, effort).unwrap();
            assert_eq!(decode(&bytes).into_raw(), texels);
        }
    }

    #[test]
    fn the_best_effort_is_no_larger_and_keeps_the_palette() {
        let indices: Vec<u8> = (0..64 * 64_u32)
            .map(|index| (index * index / 97 % 4) as u8)
            .collect();
        let image = Image {
            width: 64,
            height: 64,
            pixels: Pixels::Indexed {
                indices: indices.clone().into(),
                // Equal colors, unused ones and transparent colors, which reductions would drop.
                palette: vec![
                    [9, 9, 9, 255],
                    [9, 9, 9, 255],
                    [1, 2, 3, 0],
                    [4, 4, 4, 128],
                    [5; 4],
                ],
            },
        };
        let sizes =
            [Effort::Best, Effort::Small].map(|effort| encode(&image, effort).unwrap().len());
        assert!(sizes[0] <= sizes[1], "{sizes:?}");
        let best = encode(&image, Effort::Best).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(&best)).read_info().unwrap();
        assert_eq!(reader.info().palette.as_deref().unwrap().len(), 5 * 3);
        assert_eq!(
            reader.info().trns.as_deref(),
            Some(&[255, 255, 0, 128, 5][..])
        );
        let mut stored = vec![0; 64 * 64];
        reader.next_frame(&mut stored).unwrap();
        assert_eq!(stored, indices);
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
