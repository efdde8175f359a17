//! Edits of pictures: texels in random colors, and sometimes another size.

use std::io::Cursor;

use image::{ImageFormat, Rgba, RgbaImage};

use super::What;
use crate::Outcome;
use crate::random::Random;

/// One of so many edits changes the size of the picture.
const RESIZED: u64 = 8;

/// Largest number of painted texels.
const MAX_COUNT: u64 = 24;

/// Paints some texels in other colors. Alpha comes from other texels of the picture, so that the kind of alpha stays.
///
/// # Errors
/// It is not a PNG.
pub(super) fn edit(bytes: &[u8], random: &mut Random) -> Outcome<Option<(Vec<u8>, What)>> {
    let mut picture = image::load_from_memory_with_format(bytes, ImageFormat::Png)?.into_rgba8();
    if picture.width() == 0 || picture.height() == 0 {
        return Ok(None);
    }
    let before = picture.clone();
    let mut count = u32::try_from(1 + random.below(MAX_COUNT)).unwrap_or(1);
    if random.below(RESIZED) == 0 {
        picture = resized(&picture, random);
        count = picture.width() * picture.height();
    } else {
        for _ in 0..count {
            let at = place(&picture, random);
            let color = color(&picture, random);
            picture.put_pixel(at.0, at.1, color);
        }
    }
    if picture == before {
        return Ok(None);
    }
    let mut edited = Cursor::new(Vec::new());
    picture.write_to(&mut edited, ImageFormat::Png)?;
    Ok(Some((edited.into_inner(), What::Texels(count))))
}

fn place(picture: &RgbaImage, random: &mut Random) -> (u32, u32) {
    let mut below = |end: u32| u32::try_from(random.below(end.into())).unwrap_or(0);
    (below(picture.width()), below(picture.height()))
}

fn color(picture: &RgbaImage, random: &mut Random) -> Rgba<u8> {
    let (x, y) = place(picture, random);
    let other = *picture.get_pixel(x, y);
    // Existing colors are used as well.
    if random.below(4) == 0 {
        return other;
    }
    let [red, green, blue] = random.bytes();
    Rgba([red, green, blue, other.0[3]])
}

/// Tiles or cuts the picture to another size.
fn resized(picture: &RgbaImage, random: &mut Random) -> RgbaImage {
    let (width, height) = picture.dimensions();
    let mut side = |side: u32| side / 2 + 1 + u32::try_from(random.below(side.into())).unwrap_or(0);
    RgbaImage::from_fn(side(width), side(height), |x, y| {
        *picture.get_pixel(x % width, y % height)
    })
}
