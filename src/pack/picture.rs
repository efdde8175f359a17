//! Edited pictures as images of a texture package and as bitmaps.
//!
//! Texels that were not edited keep what is stored for them: only the others are encoded. Colours of palettes are
//! exact as long as the palette has room, else the nearest is taken; `rounding` tells how far off the result is.

use std::collections::HashMap;
use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use super::edited::{Content, Edited, Refusal};
use super::proof;
use crate::config::Textures;
use crate::convert::zipper::texture::picture;
use crate::formats::codec::Deviations;
use crate::formats::everquest::texture::{Key, Picture, Texels, bmp};
use crate::formats::zipper::texture::colour::Rgb565;
use crate::formats::zipper::texture::package::{Alpha, Directory, Image, ImageFlags};
use crate::scene::Encoding;

/// Alpha below this is transparent where there is nothing between.
const HALF: u8 = 128;

/// The darkest word that is not the colour key: black with a trace of green.
const NEARLY_BLACK: Rgb565 = Rgb565(0x0020);

/// Most bytes that decoding an edited picture may take.
const MOST_BYTES: u64 = 1 << 30;

/// An edited picture.
struct Pixels {
    width: u32,
    height: u32,
    /// Red, green, blue, alpha.
    texels: Vec<[u8; 4]>,
}

impl Pixels {
    fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_BYTES);
        reader.limits(limits);
        let decoded = reader.decode().map_err(|error| {
            Refusal::new(format_args!("it is no PNG that can be read: {error}"))
        })?;
        let decoded = decoded.into_rgba8();
        Ok(Self {
            width: decoded.width(),
            height: decoded.height(),
            texels: decoded.as_raw().as_chunks::<4>().0.to_vec(),
        })
    }
}

/// The image of a package that shows the edited picture.
///
/// # Errors
/// The edit is no PNG, or larger than an image can be.
pub(super) fn encode(
    image: &Image<'_>,
    directory: &Directory,
    row: usize,
    edit: &Edited<'_>,
) -> Result<(Image<'static>, Option<String>), Refusal> {
    edit.is_main(&[Encoding::Png])?;
    let edited = Pixels::decode(&edit.bytes)?;
    let side = |side: u32| {
        u16::try_from(side)
            .map_err(|_| Refusal::new(format_args!("{side} texels, at most 65535 can be stored")))
    };
    let mut new = owned(image);
    (new.header.width, new.header.height) = (side(edited.width)?, side(edited.height)?);
    let same_size =
        new.header.width == image.header.width && new.header.height == image.header.height;
    let before = same_size
        .then(|| shown(image, directory, row))
        .transpose()?;
    let is_edited = |at: usize| {
        let texel = edited.texels.get(at);
        let before = before.as_ref();
        !before.is_some_and(|variants| variants.iter().any(|variant| variant.get(at) == texel))
    };
    let kind = image.alpha_kind();
    let has_plane = kind == Alpha::Full && !edit.has_alpha_plane;
    let mut plane = image
        .alpha
        .as_ref()
        .map(|plane| plane.to_vec())
        .unwrap_or_default();
    if kind == Alpha::Full && !has_plane && !same_size {
        return Err(Refusal::new(
            "its alpha plane, an output of its own, has another size",
        ));
    }
    if has_plane {
        plane = edited.texels.iter().map(|&[.., alpha]| alpha).collect();
    }
    let word = |[red, green, blue, alpha]: [u8; 4]| {
        let word = Rgb565::from_rgb8([red, green, blue]);
        match kind {
            Alpha::Simple if alpha < HALF => Rgb565::KEY,
            Alpha::Simple if word == Rgb565::KEY => NEARLY_BLACK,
            _ => word,
        }
    };
    let places = 0..edited.texels.len();
    let stored = match image.header.palette_count {
        0 => {
            let mut stored = if same_size {
                image.texels.to_vec()
            } else {
                vec![0; edited.texels.len() * 2]
            };
            for (at, (texel, pair)) in edited
                .texels
                .iter()
                .zip(stored.as_chunks_mut::<2>().0)
                .enumerate()
            {
                if is_edited(at) {
                    *pair = word(*texel).0.to_le_bytes();
                }
            }
            stored
        }
        count => {
            let is_global = image.header.flags.contains(ImageFlags::GLOBAL_PALETTE);
            let colours = match is_global {
                true => global(directory, row)?,
                false => &image.palette,
            };
            let words = colours.iter().take(usize::from(count)).copied().collect();
            let mut palette = Palette::new(
                words,
                !is_global,
                (kind == Alpha::Simple).then_some(Rgb565::KEY),
            );
            let edits: Vec<usize> = places.filter(|&at| is_edited(at)).collect();
            let mut stored = if same_size {
                image.texels.to_vec()
            } else {
                vec![0; edited.texels.len()]
            };
            let mut kept = vec![same_size; stored.len()];
            for &at in &edits {
                if let Some(kept) = kept.get_mut(at) {
                    *kept = false;
                }
            }
            palette.keep(
                stored
                    .iter()
                    .zip(&kept)
                    .filter(|(_, kept)| **kept)
                    .map(|(&index, _)| index),
            );
            for at in edits {
                if let (Some(texel), Some(index)) = (edited.texels.get(at), stored.get_mut(at)) {
                    *index = palette.index(word(*texel));
                }
            }
            if !is_global {
                new.header.palette_count = u16::try_from(palette.colours.len()).unwrap_or(count);
                new.palette = palette.colours;
            }
            stored
        }
    };
    new.texels = stored.into();
    new.alpha = (kind == Alpha::Full).then(|| plane.into());
    let result = shown(&new, directory, row)?;
    let rounding = match (kind, has_plane) {
        (Alpha::None, _) | (Alpha::Full, false) => proof::colours(&result[0], &edited.texels),
        (Alpha::Simple, _) => proof::seen(&result[0], &edited.texels),
        (Alpha::Full, true) => proof::texels(&result[0], &edited.texels),
    };
    Ok((new, rounding))
}

fn owned(image: &Image<'_>) -> Image<'static> {
    Image {
        header: image.header.clone(),
        palette: image.palette.clone(),
        ..Image::default()
    }
}

fn global(directory: &Directory, row: usize) -> Result<&Vec<Rgb565>, Refusal> {
    let row = directory.rows.get(row);
    let index = row.and_then(|row| usize::try_from(row.palette_index).ok());
    let palette = index.and_then(|index| directory.palettes.get(index));
    palette.ok_or_else(|| Refusal::new("its palette does not exist"))
}

/// What a picture shows: as stored, and with colours spread into transparent texels.
fn shown(
    image: &Image<'_>,
    directory: &Directory,
    row: usize,
) -> Result<[Vec<[u8; 4]>; 2], Refusal> {
    let show = |dilate: bool| {
        let options = Textures {
            dilate,
            ..Textures::default()
        };
        let shown = picture(image, directory, row, &options, &mut Deviations::default());
        shown.map(|shown| shown.true_colour()).map_err(Refusal::new)
    };
    Ok([show(false)?, show(true)?])
}

/// A palette that takes colours as long as it has room.
struct Palette<C> {
    colours: Vec<C>,
    used: [bool; 256],
    /// Whether colours may be put in place of unused ones, and behind the last.
    grows: bool,
    /// A colour that no other may become.
    key: Option<C>,
    known: HashMap<C, u8>,
}

/// A colour of a palette.
trait Colour: Copy + Eq + std::hash::Hash {
    fn rgb(self) -> [u8; 3];
}

impl Colour for Rgb565 {
    fn rgb(self) -> [u8; 3] {
        self.to_rgb8()
    }
}

impl Colour for [u8; 3] {
    fn rgb(self) -> [u8; 3] {
        self
    }
}

impl<C: Colour> Palette<C> {
    fn new(colours: Vec<C>, grows: bool, key: Option<C>) -> Self {
        let mut known = HashMap::new();
        for (index, &colour) in (0..=u8::MAX).zip(&colours) {
            known.entry(colour).or_insert(index);
        }
        Self {
            colours,
            used: [false; 256],
            grows,
            key,
            known,
        }
    }

    /// Tells indices whose colours must stay.
    fn keep(&mut self, indices: impl Iterator<Item = u8>) {
        for index in indices {
            if let Some(used) = self.used.get_mut(usize::from(index)) {
                *used = true;
            }
        }
    }

    /// The index of a colour, or of the nearest.
    fn index(&mut self, colour: C) -> u8 {
        if let Some(&index) = self.known.get(&colour) {
            self.keep(std::iter::once(index));
            return index;
        }
        let index = self.room(colour).unwrap_or_else(|| self.nearest(colour));
        self.keep(std::iter::once(index));
        self.known.insert(colour, index);
        index
    }

    /// A place for a new colour.
    fn room(&mut self, colour: C) -> Option<u8> {
        if !self.grows {
            return None;
        }
        let mut free = self.used.iter().take(self.colours.len());
        let at = match free.position(|used| !used) {
            Some(at) => at,
            None if self.colours.len() < self.used.len() => {
                self.colours.push(colour);
                self.colours.len() - 1
            }
            None => return None,
        };
        let old = self.colours.get_mut(at)?;
        let index = u8::try_from(at).ok()?;
        if self.known.get(old) == Some(&index) {
            self.known.remove(old);
        }
        *old = colour;
        Some(index)
    }

    fn nearest(&self, colour: C) -> u8 {
        let wanted = colour.rgb();
        let is_key = |other: C| self.key == Some(other);
        let distance = |other: C| -> u32 {
            let differences = other.rgb().into_iter().zip(wanted);
            differences
                .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
                .sum()
        };
        let places = (0..=u8::MAX).zip(&self.colours);
        let seen = places
            .clone()
            .filter(|&(_, &other)| !is_key(other) || is_key(colour));
        let nearest = seen.min_by_key(|&(_, &other)| distance(other));
        nearest.map_or(0, |(index, _)| index)
    }
}

/// The bitmap `original`, called `name`, with the edited picture in it.
///
/// # Errors
/// The edit is no PNG or of another size, or the bitmap is of a form that is not written.
pub(super) fn encode_bitmap(
    name: &str,
    original: &[u8],
    edit: &Edited<'_>,
) -> Result<Content, Refusal> {
    edit.is_main(&[Encoding::Png])?;
    let edited = Pixels::decode(&edit.bytes)?;
    let mut file = bmp::decode(original).map_err(Refusal::new)?.value;
    let before = file.picture().map_err(Refusal::new)?;
    if (before.width, before.height) != (edited.width, edited.height) {
        return Err(Refusal::new(format_args!(
            "it is {} × {}; bitmaps keep their size, {} × {}",
            edited.width, edited.height, before.width, before.height
        )));
    }
    // A masked picture has transparent texels; without any, all are shown.
    let is_masked = edited.texels.iter().any(|&[.., alpha]| alpha < HALF);
    let key = is_masked.then(|| before.key(name)).flatten();
    let variants = bitmap_variants(&before, key);
    let is_edited = |at: usize| {
        let texel = edited.texels.get(at);
        !variants.iter().any(|variant| variant.get(at) == texel)
    };
    let width = edited.width as usize;
    let mut rows = file.rows.to_vec();
    let stride = rows
        .len()
        .checked_div(edited.height as usize)
        .unwrap_or_default();
    let bottom_first = file.info.height > 0;
    let place = |at: usize, bytes: usize| {
        let (row, column) = (at / width.max(1), at % width.max(1));
        let row = if bottom_first {
            edited.height as usize - 1 - row
        } else {
            row
        };
        let start = row * stride + column * bytes;
        start..start + bytes
    };
    let edits: Vec<usize> = (0..edited.texels.len())
        .filter(|&at| is_edited(at))
        .collect();
    match (&before.texels, file.info.bits) {
        (Texels::Indexed { indices, palette }, 8) => {
            // The rows beyond what is edited go on using their colours.
            let mut kept = vec![true; indices.len()];
            for &at in &edits {
                if let Some(kept) = kept.get_mut(at) {
                    *kept = false;
                }
            }
            let mut palette = Palette::new(palette.clone(), true, None);
            palette.keep(
                indices
                    .iter()
                    .zip(&kept)
                    .filter(|(_, kept)| **kept)
                    .map(|(&index, _)| index),
            );
            let keyed = match key {
                Some(Key::Index(index)) => Some(index),
                _ => before.key(name).and_then(|key| match key {
                    Key::Index(index) => Some(index),
                    Key::Magenta => None,
                }),
            };
            if let Some(index) = keyed {
                // Its texels are not shown where the picture is masked: no colour may take its place.
                palette.keep(std::iter::once(index));
                palette.known.retain(|_, known| *known != index);
            }
            for at in edits {
                let Some(&[red, green, blue, alpha]) = edited.texels.get(at) else {
                    continue;
                };
                let index = match keyed {
                    Some(index) if is_masked && alpha < HALF => index,
                    _ => palette.index([red, green, blue]),
                };
                if let Some([stored]) = rows.get_mut(place(at, 1)) {
                    *stored = index;
                }
            }
            let grown = palette.colours.len();
            if grown > file.palette.len() {
                return Err(Refusal::new("its palette has no room for another colour"));
            }
            for (stored, &[red, green, blue]) in file.palette.iter_mut().zip(&palette.colours) {
                let [.., spare] = *stored;
                *stored = [blue, green, red, spare];
            }
        }
        (Texels::Rgb(_), 24) => {
            for at in edits {
                let Some(&[red, green, blue, alpha]) = edited.texels.get(at) else {
                    continue;
                };
                let hidden = is_masked && alpha < HALF;
                let colour = if hidden {
                    [255, 0, 255]
                } else {
                    [blue, green, red]
                };
                if let Some(stored) = rows.get_mut(place(at, 3)) {
                    stored.copy_from_slice(&colour);
                }
            }
        }
        (_, bits) => {
            return Err(Refusal::new(format_args!(
                "bitmaps of {bits} bits a texel are not written"
            )));
        }
    }
    file.rows = rows.into();
    let bytes = bmp::encode(&file).map_err(Refusal::new)?;
    let after = bmp::decode(&bytes).map_err(Refusal::new)?.value;
    let after = after.picture().map_err(Refusal::new)?;
    let shown: Vec<[u8; 4]> = after.rgba(key).as_chunks::<4>().0.to_vec();
    let rounding = match is_masked {
        true => proof::seen(&shown, &edited.texels),
        false => proof::colours(&shown, &edited.texels),
    };
    Ok(Content { bytes, rounding })
}

/// What a bitmap may have been shown as: masked or not, with or without colours in transparent texels.
fn bitmap_variants(picture: &Picture, key: Option<Key>) -> Vec<Vec<[u8; 4]>> {
    let texels = |rgba: &[u8]| rgba.as_chunks::<4>().0.to_vec();
    let plain = picture.rgba(key);
    let mut spread = crate::scene::Image {
        width: picture.width,
        height: picture.height,
        pixels: crate::scene::Pixels::Rgba(plain.clone()),
    };
    spread.dilate_transparent();
    vec![texels(&plain), spread.true_colour()]
}
