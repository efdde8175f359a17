//! Pictures of archives, with the color key of masked surfaces, or with their brightness as alpha.

use crate::options::{NormalGreen, Palette, Textures};
use crate::{ConvertError, Encoding, OutputRole, OutputSpec, Sink};
use relicast_formats::everquest::texture::{
    FileKind, Key, Picture, RowOrder, Texels, dds, decode_surface, sniff,
};
use relicast_formats::kind::Kind;
use relicast_scene::{Asset, Image, Pixels};

/// Brightness up to which the alpha of an additive picture equals it.
const BOOSTED_ABOVE: u16 = 64;

/// True if a member of this kind is a picture.
pub(super) fn is_picture(kind: Kind) -> bool {
    matches!(kind, Kind::Bitmap | Kind::Dds | Kind::Picture)
}

/// A picture with the settings applied. The color key of a `masked` picture becomes transparent.
pub(super) fn image(
    picture: Picture,
    name: &str,
    masked: bool,
    options: &Textures,
) -> Image<'static> {
    let key = masked.then(|| picture.key(name)).flatten();
    let (width, height) = (picture.width, picture.height);
    let is_key = |index: u8| key == Some(Key::Index(index));
    let pixels = match picture.texels {
        Texels::Indexed { indices, palette }
            if options.palette == Palette::Keep && fits(&indices, palette.len()) =>
        {
            let colors = (0..=u8::MAX).zip(palette);
            Pixels::Indexed {
                indices: indices.into(),
                palette: colors
                    .map(|(index, [red, green, blue])| {
                        [red, green, blue, if is_key(index) { 0 } else { 255 }]
                    })
                    .collect(),
            }
        }
        Texels::Rgb(colors) if key.is_none() => Pixels::Rgb(colors.into_flattened()),
        texels => {
            let picture = Picture {
                width,
                height,
                texels,
            };
            let rgba = picture.rgba(key);
            match (&picture.texels, key) {
                (Texels::Indexed { .. }, None) => {
                    let opaque = rgba.as_chunks::<4>().0.iter();
                    Pixels::Rgb(
                        opaque
                            .flat_map(|&[red, green, blue, _]| [red, green, blue])
                            .collect(),
                    )
                }
                _ => Pixels::Rgba(rgba),
            }
        }
    };
    let mut image = Image {
        width,
        height,
        pixels,
    };
    if key.is_some() && options.dilate {
        image.dilate_transparent();
    }
    image
}

/// True if a stored picture is copied: a PNG that the settings do not change. It was decoded once, to prove that
/// all of it can be read.
pub(super) fn is_as_stored(
    bytes: &[u8],
    picture: &Picture,
    masked: bool,
    options: &Textures,
) -> bool {
    let is_keyed = masked && picture.key("").is_some();
    sniff(bytes) == Some(FileKind::Png) && !is_keyed && options.palette == Palette::Keep
}

/// True if all indices have a color, and PNG has room for the palette.
fn fits(indices: &[u8], colors: usize) -> bool {
    colors <= 256 && indices.iter().all(|&index| usize::from(index) < colors)
}

/// A picture whose alpha is its brightness, as an approximation of additive blending, which glTF lacks.
pub(super) fn additive(picture: &Picture) -> Image<'static> {
    let mut rgba = picture.rgba(None);
    for [red, green, blue, alpha] in rgba.as_chunks_mut::<4>().0 {
        let brightness = u16::from((*red).max(*green).max(*blue));
        let above = brightness.saturating_sub(BOOSTED_ABOVE);
        let boosted = brightness + 2 * above;
        let boosted = u8::try_from(boosted).unwrap_or(u8::MAX);
        *alpha = match *alpha {
            u8::MAX => boosted,
            stored => boosted.min(stored),
        };
    }
    Image {
        width: picture.width,
        height: picture.height,
        pixels: Pixels::Rgba(rgba),
    }
}

/// Index of the alpha of a texel among its four bytes.
const ALPHA: usize = 3;

/// A normal map in the form of glTF: x and y are unchanged, z is computed from them, because the blue of some is a glow
/// mask. The direction of green follows the settings.
pub(super) fn normal(picture: &Picture, green: NormalGreen) -> Image<'static> {
    let rgba = picture.rgba(None);
    let texels = rgba
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|&[red, stored, ..]| {
            let up = match green {
                NormalGreen::Up => u8::MAX - stored,
                NormalGreen::Down => stored,
            };
            let [x, y] = [red, up].map(|part| f64::from(part) / 127.5 - 1.0);
            let z = libm::sqrt((1.0 - x * x - y * y).max(0.0));
            // A cast of a float saturates.
            [red, up, (z * 127.5 + 128.0) as u8]
        });
    Image {
        width: picture.width,
        height: picture.height,
        pixels: Pixels::Rgb(texels.collect()),
    }
}

/// Glow of a surface, by the blue of its normal map.
pub(super) fn glow(normal: &Picture) -> Image<'static> {
    let rgba = normal.rgba(None);
    let texels = rgba.as_chunks::<4>().0.iter().map(|&[_, _, blue, _]| blue);
    Image {
        width: normal.width,
        height: normal.height,
        pixels: Pixels::Gray(texels.collect()),
    }
}

/// A picture times the blue of a normal map.
pub(super) fn glowing(picture: &Picture, normal: &Picture) -> Image<'static> {
    let mut rgba = picture.rgba(None);
    let mask = normal.rgba(None);
    let mask = mask.as_chunks::<4>().0;
    let [width, height] = [picture.width, picture.height].map(|side| side.max(1) as usize);
    let [across, down] = [normal.width, normal.height].map(|side| side as usize);
    for (index, texel) in rgba.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (x, y) = (
            index % width * across / width,
            index / width * down / height,
        );
        let blue = mask.get(y * across + x).map_or(0, |&[_, _, blue, _]| blue);
        for (place, part) in texel.iter_mut().enumerate() {
            *part = match place {
                ALPHA => u8::MAX,
                _ => u8::try_from(u16::from(*part) * u16::from(blue) / 255).unwrap_or(u8::MAX),
            };
        }
    }
    Image {
        width: picture.width,
        height: picture.height,
        pixels: Pixels::Rgba(rgba),
    }
}

/// The outputs of a DDS picture besides the picture itself: faces of a cube, and the smaller copies if the
/// settings want them. The first bytes of the file are enough; `length` is the length of the whole file.
pub(super) fn surfaces(start: &[u8], length: usize, options: &Textures) -> Vec<OutputSpec> {
    let Ok(dds) = dds::decode(start) else {
        return Vec::new();
    };
    let dds = dds.value;
    let pixels = length.saturating_sub(start.len() - dds.data.len());
    let levels = match options.mips {
        true => dds.levels_in(pixels).unwrap_or(1),
        false => 1,
    };
    let faces: Vec<Option<u8>> = match dds.faces() {
        1 => vec![None],
        faces => (0..faces).map(Some).collect(),
    };
    let all = faces
        .into_iter()
        .flat_map(|face| (0..levels).map(move |level| (face, level)));
    let surfaces = all.filter(|&surface| surface != (None, 0));
    surfaces
        .map(|(face, level)| OutputSpec {
            role: OutputRole::Surface { face, level },
            encoding: Encoding::Png,
        })
        .collect()
}

/// True if an output is a face of a cube: then there is no flat picture.
pub(super) fn is_face(output: &OutputSpec) -> bool {
    matches!(output.role, OutputRole::Surface { face: Some(_), .. })
}

/// Passes the outputs that [`surfaces`] lists to the sink.
pub(super) fn take_surfaces(
    bytes: &[u8],
    order: impl FnOnce() -> RowOrder,
    options: &Textures,
    sink: &mut dyn Sink,
) -> Result<(), ConvertError> {
    if sniff(bytes) != Some(FileKind::Dds) {
        return Ok(());
    }
    let order = order();
    for wanted in surfaces(bytes, bytes.len(), options) {
        let OutputRole::Surface { face, level } = wanted.role else {
            continue;
        };
        if sink.wants(wanted.role) {
            let picture = decode_surface(bytes, order, face.unwrap_or_default(), level)?;
            let made = image(picture, "", false, options);
            sink.take(wanted.role, Asset::Image(made))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indexed(indices: &[u8], palette: &[[u8; 3]]) -> Picture {
        Picture {
            width: u32::try_from(indices.len()).unwrap(),
            height: 1,
            texels: Texels::Indexed {
                indices: indices.to_vec(),
                palette: palette.to_vec(),
            },
        }
    }

    #[test]
    fn masked_pictures_stay_indexed_with_a_transparent_color() {
        let options = Textures::default();
        let converted = image(
            indexed(&[0, 1], &[[1, 2, 3]; 2]),
            "leaf.bmp",
            true,
            &options,
        );
        let Pixels::Indexed { palette, .. } = converted.pixels else {
            panic!("not indexed");
        };
        assert_eq!(palette, [[1, 2, 3, 0], [1, 2, 3, 255]]);
        let opaque = image(
            indexed(&[0, 1], &[[1, 2, 3]; 2]),
            "leaf.bmp",
            false,
            &options,
        );
        let Pixels::Indexed { palette, .. } = opaque.pixels else {
            panic!("not indexed");
        };
        assert_eq!(palette, [[1, 2, 3, 255]; 2]);
    }

    #[test]
    fn expanded_pictures_spread_colors_into_the_key() {
        let options = Textures {
            palette: Palette::Expand,
            ..Textures::default()
        };
        let converted = image(
            indexed(&[0, 1], &[[9; 3], [1, 2, 3]]),
            "leaf.bmp",
            true,
            &options,
        );
        assert_eq!(
            converted.pixels,
            Pixels::Rgba(vec![1, 2, 3, 0, 1, 2, 3, 255])
        );
        let opaque = image(indexed(&[0], &[[9; 3]]), "leaf.bmp", false, &options);
        assert_eq!(opaque.pixels, Pixels::Rgb(vec![9; 3]));
    }

    #[test]
    fn indices_without_a_color_are_black() {
        let converted = image(indexed(&[7], &[[9; 3]]), "a", false, &Textures::default());
        assert_eq!(converted.pixels, Pixels::Rgb(vec![0; 3]));
    }

    #[test]
    fn brightness_becomes_alpha() {
        let picture = indexed(&[0, 1, 2], &[[0, 0, 0], [10, 64, 3], [0, 100, 200]]);
        let converted = additive(&picture);
        let Pixels::Rgba(texels) = converted.pixels else {
            panic!("not RGBA");
        };
        let alphas: Vec<u8> = texels.chunks(4).map(|texel| texel[3]).collect();
        assert_eq!(alphas, [0, 64, 255]);
    }
}
