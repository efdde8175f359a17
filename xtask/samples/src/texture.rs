//! Texture packages with every kind of palette, alpha and edge mode.

use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::texture::color::Rgb565;
use relicast::formats::zipper::texture::package::{
    self, Directory, Header, Image, ImageFlags, ImageHeader, Package, Row,
};

use crate::Outcome;
use crate::picture::Picture;

/// A palette that images of a package share: 256 colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// Three bits of red, three of green, two of blue.
    Cube,
    /// From black through red and yellow to white.
    Heat,
}

impl Shared {
    pub(crate) fn color(self, index: u8) -> [u8; 3] {
        match self {
            Self::Cube => [
                (u16::from(index >> 5) * 255 / 7) as u8,
                (u16::from((index >> 2) & 7) * 255 / 7) as u8,
                (index & 3) * 85,
            ],
            Self::Heat => {
                let level = u16::from(index) * 3;
                [level, level.saturating_sub(255), level.saturating_sub(510)]
                    .map(|channel| channel.min(255) as u8)
            }
        }
    }

    pub(crate) fn index(self, [red, green, blue]: [u8; 3]) -> u8 {
        match self {
            Self::Cube => red & 0xE0 | (green >> 3) & 0x1C | blue >> 6,
            Self::Heat => ((u16::from(red) + u16::from(green) + u16::from(blue)) / 3) as u8,
        }
    }

    /// The palette as stored.
    pub fn palette(self) -> Vec<Rgb565> {
        (0..=255)
            .map(|index| Rgb565::from_rgb8(self.color(index)))
            .collect()
    }
}

/// Builder of a texture of a package.
#[derive(Debug, Clone)]
pub struct Texture {
    name: String,
    palette_index: i32,
    image: Image<'static>,
}

impl Texture {
    fn new(name: &str, picture: &Picture, flags: ImageFlags, palette_count: u16) -> Self {
        Self {
            name: name.to_owned(),
            palette_index: -1,
            image: Image {
                header: ImageHeader {
                    flags: ImageFlags::TWO_BYTES | flags,
                    width: picture.width,
                    height: picture.height,
                    palette_count,
                    ..ImageHeader::default()
                },
                ..Image::default()
            },
        }
    }

    /// A texture of color words, all opaque.
    pub fn direct(name: &str, picture: &Picture) -> Self {
        let mut texture = Self::new(name, picture, ImageFlags::OPAQUE, 0);
        texture.image.texels = color_words(picture).into();
        texture
    }

    /// A texture of color words, of which black ones are transparent.
    pub fn keyed(name: &str, picture: &Picture) -> Self {
        let mut texture = Self::direct(name, picture);
        texture.image.header.flags = ImageFlags::TWO_BYTES | ImageFlags::ALPHA;
        texture
    }

    /// A texture with a palette of its own, all opaque.
    pub fn indexed(name: &str, picture: &Picture) -> Self {
        let (palette, indices) = quantize(picture);
        let mut texture = Self::new(name, picture, ImageFlags::OPAQUE, palette.len() as u16);
        texture.image.texels = indices.into();
        texture.image.palette = palette;
        texture
    }

    /// A texture with a palette of its own, in which black is transparent (Crimson Skies).
    pub fn keyed_indexed(name: &str, picture: &Picture) -> Self {
        let mut texture = Self::indexed(name, picture);
        texture.image.header.flags = ImageFlags::TWO_BYTES | ImageFlags::ALPHA;
        texture
    }

    /// A texture that uses all colors of the package's palette at `index`.
    pub fn shared(name: &str, picture: &Picture, index: i32, shared: Shared) -> Self {
        let mut texture = Self::new(
            name,
            picture,
            ImageFlags::OPAQUE | ImageFlags::GLOBAL_PALETTE,
            256,
        );
        texture.palette_index = index;
        let indices: Vec<u8> = picture.texels.iter().map(|&c| shared.index(c)).collect();
        texture.image.texels = indices.into();
        texture
    }

    /// Gives the texture an alpha plane.
    pub fn blended(mut self, alpha: impl Fn(u16, u16) -> u8) -> Self {
        let ImageHeader { width, height, .. } = self.image.header;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let plane: Vec<u8> = places.map(|(x, y)| alpha(x, y)).collect();
        self.image.alpha = Some(plane.into());
        let flags = &mut self.image.header.flags;
        flags.remove(ImageFlags::OPAQUE);
        flags.insert(ImageFlags::ALPHA | ImageFlags::ALPHA_PLANE);
        self
    }

    /// Sets the edge mode.
    pub fn edges(mut self, mode: u16) -> Self {
        self.image.header.stretch = mode;
        self
    }

    /// Sets the bits of run-time state that leaked into some files.
    pub fn leaked(mut self) -> Self {
        self.image.header.flags |= ImageFlags::IMAGE_LOADED | ImageFlags::PALETTE_LOADED;
        self
    }
}

fn color_words(picture: &Picture) -> Vec<u8> {
    let words = picture.texels.iter().map(|&c| Rgb565::from_rgb8(c).0);
    words.flat_map(u16::to_le_bytes).collect()
}

/// A palette of at most 256 colors, in order of appearance, and the index of each texel. Low bits
/// of the colors are dropped until they fit.
fn quantize(picture: &Picture) -> (Vec<Rgb565>, Vec<u8>) {
    for masks in [
        [0xFF, 0xFF, 0xFF],
        [0xF0, 0xF8, 0xF0],
        [0xF0, 0xF0, 0xF0],
        [0xE0, 0xF0, 0xE0],
        [0xE0, 0xE0, 0xE0],
    ] {
        if let Some(found) = palette_of(picture, masks) {
            return found;
        }
    }
    palette_of(picture, [0xE0, 0xE0, 0xC0]).unwrap_or_default()
}

fn palette_of(picture: &Picture, masks: [u8; 3]) -> Option<(Vec<Rgb565>, Vec<u8>)> {
    let mut places: Vec<Option<u8>> = vec![None; 65_536];
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(picture.texels.len());
    for texel in &picture.texels {
        let masked: [u8; 3] = std::array::from_fn(|channel| texel[channel] & masks[channel]);
        let word = Rgb565::from_rgb8(masked);
        let place = &mut places[usize::from(word.0)];
        let index = match *place {
            Some(index) => index,
            None => {
                let index = u8::try_from(palette.len()).ok()?;
                palette.push(word);
                *place = Some(index);
                index
            }
        };
        indices.push(index);
    }
    Some((palette, indices))
}

/// The bytes of a package.
pub fn file(palettes: &[Shared], textures: Vec<Texture>) -> Outcome<Vec<u8>> {
    let mut value = Package {
        directory: Directory {
            header: Header {
                version: 1,
                ..Header::default()
            },
            rows: Vec::new(),
            palettes: palettes.iter().map(|shared| shared.palette()).collect(),
        },
        images: Vec::new(),
        ..Package::default()
    };
    for texture in textures {
        let Texture {
            name,
            palette_index,
            image,
        } = texture;
        value.directory.rows.push(Row {
            name: PaddedText::new(&name).ok_or_else(|| format!("name too long: {name}"))?,
            start: 0,
            palette_index,
        });
        value.images.push(image);
    }
    Ok(package::encode(&value)?)
}
