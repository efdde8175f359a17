//! An edited picture as a file of a program: Targa, TIFF.

use image::ImageFormat;

use super::pixels::{Pixels, Texel, side};
use crate::pack::edited::{Content, Edited, Refusal};
use crate::pack::proof;
use relicast_convert::zipper::crimson::foreign_picture;
use relicast_formats::targa::{self, Canvas};
use relicast_formats::tiff;
use relicast_scene::Image;

/// The format of a picture that is converted to PNG, by its extension; `None` for others.
pub(in crate::pack) fn format_of(name: &str) -> Option<ImageFormat> {
    let (_, ending) = name.rsplit_once('.')?;
    foreign_picture::format_of(&ending.to_lowercase())
}

/// Puts the edited picture into the picture `original`.
///
/// # Errors
/// The edit is not a PNG, or the picture has a form that is not supported.
pub(in crate::pack) fn encode(
    format: ImageFormat,
    original: &[u8],
    edit: &Edited<'_>,
) -> Result<Content, Refusal> {
    let edited = Pixels::new(&edit.bytes)?;
    let before = shown(format, original)?;
    let same_size = (before.width, before.height) == (edited.width, edited.height);
    let before: Vec<Vec<Texel>> = same_size.then(|| before.true_color()).into_iter().collect();
    let is_edited = edited.edited(&before);
    let canvas = Canvas {
        width: side(edited.width)?,
        height: side(edited.height)?,
        texels: &edited.texels,
        edited: &is_edited,
    };
    let bytes = match format {
        ImageFormat::Tga => targa::repainted(original, canvas),
        _ => tiff::repainted(original, canvas),
    };
    let bytes = bytes.map_err(Refusal::new)?;
    let after = shown(format, &bytes)?;
    if (after.width, after.height) != (edited.width, edited.height) {
        refuse!("the packed picture has another size");
    }
    let rounding = edited.report([proof::texels(&after.true_color(), &edited.texels)]);
    Ok(Content::rounded(bytes, rounding))
}

fn shown(format: ImageFormat, bytes: &[u8]) -> Result<Image<'static>, Refusal> {
    foreign_picture::decode(bytes, format).map_err(Refusal::new)
}
