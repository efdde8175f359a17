//! An edited picture as a PNG, JPEG or Targa picture of an archive.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageFormat};

use super::foreign;
use super::opened::as_png;
use super::pixels::{Pixels, Texel};
use crate::pack::edited::{Content, Edited, Refusal};
use crate::pack::proof;
use relicast_formats::everquest::texture::{FileKind, decode, sniff};

/// Quality of JPEG pictures that are encoded anew: the best.
const QUALITY: u8 = 100;

/// Replaces the picture `original` by the edited one: a PNG as it is, others in the format of the original.
///
/// # Errors
/// The edit is not a PNG, or the format cannot hold it.
pub(in crate::pack) fn encode(original: &[u8], edit: &Edited<'_>) -> Result<Content, Refusal> {
    match sniff(original) {
        Some(FileKind::Targa) => foreign::encode(ImageFormat::Tga, original, edit),
        Some(FileKind::Jpeg) => jpeg(edit),
        _ => match as_png(&edit.bytes)? {
            Some(png) => Ok(png),
            None => {
                Pixels::new(&edit.bytes)?;
                Ok(Content::exact(edit.bytes.clone()))
            }
        },
    }
}

fn jpeg(edit: &Edited<'_>) -> Result<Content, Refusal> {
    let edited = Pixels::new(&edit.bytes)?;
    if edited.texels.iter().any(|&[.., alpha]| alpha != u8::MAX) {
        refuse!("the game file is a JPEG, which has no transparency; remove the alpha channel");
    }
    let colors = edited
        .texels
        .iter()
        .flat_map(|&[red, green, blue, _]| [red, green, blue]);
    let colors: Vec<u8> = colors.collect();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode(
            &colors,
            edited.width,
            edited.height,
            ExtendedColorType::Rgb8,
        )
        .map_err(|error| refusal!("it cannot be written as JPEG: {error}"))?;
    let after = decode(&bytes).map_err(Refusal::new)?.value.rgba(None);
    let after: Vec<Texel> = after.as_chunks::<4>().0.to_vec();
    let rounding = edited.report([proof::seen(&after, &edited.texels)]);
    Ok(Content::rounded(bytes, rounding))
}
