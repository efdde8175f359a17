//! Differences between two pictures.

use relicast_codec::quantity::thousands;
use std::fmt::{self, Display, Formatter};
use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, ImageResult, Limits};
use serde::Serialize;

/// Most bytes that decoding a picture may take.
const MAX_BYTES: u64 = 1 << 30;

/// Difference between two pictures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PictureChange {
    /// Width and height of the first.
    pub size_before: (u32, u32),
    /// Width and height of the second.
    pub size_after: (u32, u32),
    /// Pixels that differ; `None` if the sizes differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<u64>,
    /// Largest difference in a channel (red, green, blue, alpha), in steps of 8 bits, or of 16 bits for pictures with
    /// these.
    pub largest: u16,
}

impl PictureChange {
    /// True if all pixels are the same.
    pub(super) fn is_nothing(&self) -> bool {
        self.pixels == Some(0)
    }
}

impl Display for PictureChange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let ((width, height), (wide, high)) = (self.size_before, self.size_after);
        match self.pixels {
            Some(pixels) => {
                let all = u64::from(width).saturating_mul(height.into());
                let largest = self.largest;
                let [pixels, all] = [pixels, all].map(thousands);
                write!(formatter, "{pixels} of {all} pixels, by at most {largest}")
            }
            None => write!(formatter, "{width}x{height} -> {wide}x{high} pixels"),
        }
    }
}

/// Decodes the picture in a PNG. The memory is limited, independent of the file's header.
///
/// # Errors
/// It is not a PNG, or is larger than the limit.
fn decode_picture(png: &[u8]) -> ImageResult<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    reader.decode()
}

/// Compares two PNGs; `None` if one of them is not a PNG.
pub(super) fn compare(before: &[u8], after: &[u8]) -> Option<PictureChange> {
    let (before, after) = (decode_picture(before).ok()?, decode_picture(after).ok()?);
    let mut change = PictureChange {
        size_before: (before.width(), before.height()),
        size_after: (after.width(), after.height()),
        pixels: None,
        largest: 0,
    };
    if change.size_before != change.size_after {
        return Some(change);
    }
    let is_deep = |image: &DynamicImage| {
        let color = image.color();
        color.bytes_per_pixel() > color.channel_count()
    };
    let differences: Vec<u16> = if is_deep(&before) || is_deep(&after) {
        let (before, after) = (before.into_rgba16(), after.into_rgba16());
        let pixels = before.as_raw().chunks_exact(4);
        let pixels = pixels.zip(after.as_raw().chunks_exact(4));
        pixels
            .map(|(one, other)| largest(one.iter().zip(other).map(|(a, b)| a.abs_diff(*b))))
            .collect()
    } else {
        let (before, after) = (before.into_rgba8(), after.into_rgba8());
        let pixels = before.as_raw().chunks_exact(4);
        let pixels = pixels.zip(after.as_raw().chunks_exact(4));
        pixels
            .map(|(one, other)| {
                largest(
                    one.iter()
                        .zip(other)
                        .map(|(a, b)| u16::from(a.abs_diff(*b))),
                )
            })
            .collect()
    };
    let different = differences.iter().filter(|&&difference| difference > 0);
    change.pixels = Some(different.count() as u64);
    change.largest = differences.iter().copied().max().unwrap_or(0);
    Some(change)
}

fn largest(differences: impl Iterator<Item = u16>) -> u16 {
    differences.max().unwrap_or(0)
}
