//! An edited picture as an image of a texture package.

use super::palette::{Palette, fill};
use super::pixels::{HALF, Pixels, Texel, side};
use crate::config::Textures;
use crate::pack::edited::Refusal;
use crate::pack::palettes::Palettes;
use crate::pack::proof;
use relicast_codec::{Deviations, PaddedText};
use relicast_convert::zipper::texture::{palette as stored_palette, picture};
use relicast_formats::zipper::texture::color::Rgb565;
use relicast_formats::zipper::texture::package::{
    Alpha, Directory, Image, ImageFlags, ImageHeader, Package, Row,
};

/// The darkest word that is not the color key: black with a trace of green.
const NEARLY_BLACK: Rgb565 = Rgb565(0x0020);

/// The longest name of a row.
const MAX_NAME_LENGTH: usize = 31;

/// Encodes the edited picture as an image of a package, with its alpha unless that is a separate output. Returns it with
/// the rounding.
///
/// # Errors
/// The edit is not a PNG, or is larger than an image can be.
pub(in crate::pack) fn encode(
    image: &Image<'_>,
    directory: &Directory,
    row: usize,
    png: &[u8],
    has_alpha_plane: bool,
    palettes: Palettes,
) -> Result<(Image<'static>, Option<String>), Refusal> {
    let edited = Pixels::new(png)?;
    let mut new = owned(image);
    (new.header.width, new.header.height) = (side(edited.width)?, side(edited.height)?);
    let same_size =
        new.header.width == image.header.width && new.header.height == image.header.height;
    let before = match same_size {
        true => shown(image, directory, row)?.to_vec(),
        false => Vec::new(),
    };
    let is_edited = edited.edited(&before);
    let kind = image.alpha_kind();
    let has_plane = kind == Alpha::Full && !has_alpha_plane;
    if kind == Alpha::Full && !has_plane && !same_size {
        refuse!("its alpha plane, a separate output, has another size");
    }
    let words: Vec<Rgb565> = edited
        .texels
        .iter()
        .map(|&texel| word(kind, texel))
        .collect();
    let size = if image.header.palette_count == 0 {
        2
    } else {
        1
    };
    let mut stored = match same_size {
        true => image.texels.to_vec(),
        false => vec![0; words.len().saturating_mul(size)],
    };
    let mut full = None;
    if image.header.palette_count == 0 {
        let pairs = stored.as_chunks_mut::<2>().0.iter_mut();
        for ((pair, word), _) in pairs
            .zip(&words)
            .zip(&is_edited)
            .filter(|(_, edited)| **edited)
        {
            *pair = word.0.to_le_bytes();
        }
    } else {
        let is_global = image.header.flags.contains(ImageFlags::GLOBAL_PALETTE);
        let colors = stored_palette(image, directory, row)
            .ok_or_else(|| refusal!("its palette is missing"))?;
        let mut palette = Palette::new(
            colors.to_vec(),
            (!is_global).then_some(256),
            (kind == Alpha::Simple).then_some(Rgb565::KEY),
        );
        full = fill(&mut palette, &mut stored, &words, &is_edited, palettes);
        if !is_global {
            new.palette = palette.into_colors();
            let count = u16::try_from(new.palette.len());
            new.header.palette_count = count.unwrap_or(image.header.palette_count);
        }
    }
    new.texels = stored.into();
    new.alpha = match (kind, has_plane) {
        (Alpha::Full, true) => {
            let plane: Vec<u8> = edited.texels.iter().map(|&[.., alpha]| alpha).collect();
            Some(plane.into())
        }
        (Alpha::Full, false) => image.alpha.as_ref().map(|plane| plane.to_vec().into()),
        _ => None,
    };
    let [result, _] = shown(&new, directory, row)?;
    let rounding = match (kind, has_plane) {
        (Alpha::None, _) | (Alpha::Full, false) => proof::colors(&result, &edited.texels),
        (Alpha::Simple, _) => proof::seen(&result, &edited.texels),
        (Alpha::Full, true) => proof::texels(&result, &edited.texels),
    };
    Ok((new, edited.report([full, rounding])))
}

/// Adds a picture to a package: true color of 16 bits, with the kind of alpha that its texels need. Returns the
/// rounding.
///
/// # Errors
/// The edit is not a PNG, is larger than an image can be, or its name is invalid or taken.
pub(in crate::pack) fn add(
    package: &mut Package<'_>,
    name: &str,
    png: &[u8],
) -> Result<Option<String>, Refusal> {
    let rows = &mut package.directory.rows;
    if let Some(row) = rows
        .iter()
        .find(|row| row.name.text().eq_ignore_ascii_case(name))
    {
        refuse!("the package already has a picture {}", row.name.text());
    }
    // A zero byte ends a name.
    let fits = !name.is_empty() && name.is_ascii();
    let Some(stored) = PaddedText::new(name).filter(|_| fits) else {
        refuse!(
            "{name:?} is not a valid picture name: use 1 to {MAX_NAME_LENGTH} ASCII characters"
        );
    };
    let texels = Pixels::new(png)?.texels;
    let alphas = || texels.iter().map(|&[.., alpha]| alpha);
    let alpha = if alphas().all(|alpha| alpha == u8::MAX) {
        ImageFlags::OPAQUE
    } else if alphas().all(|alpha| alpha == 0 || alpha == u8::MAX) {
        ImageFlags::ALPHA
    } else {
        ImageFlags::ALPHA | ImageFlags::ALPHA_PLANE
    };
    let blank = Image {
        header: ImageHeader {
            flags: ImageFlags::TWO_BYTES | alpha,
            ..ImageHeader::default()
        },
        ..Image::default()
    };
    let row = rows.len();
    rows.push(Row {
        name: stored,
        palette_index: -1,
        ..Row::default()
    });
    let (image, rounding) = encode(
        &blank,
        &package.directory,
        row,
        png,
        false,
        Palettes::default(),
    )?;
    package.images.push(image);
    Ok(rounding)
}

fn word(kind: Alpha, [red, green, blue, alpha]: Texel) -> Rgb565 {
    let word = Rgb565::from_rgb8([red, green, blue]);
    match kind {
        Alpha::Simple if alpha < HALF => Rgb565::KEY,
        Alpha::Simple if word == Rgb565::KEY => NEARLY_BLACK,
        _ => word,
    }
}

fn owned(image: &Image<'_>) -> Image<'static> {
    Image {
        header: image.header.clone(),
        palette: image.palette.clone(),
        ..Image::default()
    }
}

/// The texels that a picture shows: as stored, and with colors spread into transparent texels.
fn shown(image: &Image<'_>, directory: &Directory, row: usize) -> Result<[Vec<Texel>; 2], Refusal> {
    let show = |dilate: bool| {
        let options = Textures {
            dilate,
            ..Textures::default()
        };
        let shown = picture(image, directory, row, &options, &mut Deviations::default());
        shown.map(|shown| shown.true_color()).map_err(Refusal::new)
    };
    Ok([show(false)?, show(true)?])
}
