//! An edited picture as a bitmap of EverQuest.

use image::ExtendedColorType;
use image::codecs::bmp::BmpEncoder;

use super::palette::{Palette, fill};
use super::pixels::{HALF, Pixels, Texel, variants};
use crate::pack::edited::{Content, Edited, Refusal};
use crate::pack::palettes::Palettes;
use crate::pack::proof;
use relicast_formats::everquest::texture::{self, Key, Texels, bmp};

/// Puts the edited picture into the bitmap `original`, called `name`.
///
/// # Errors
/// The edit is not a PNG, or the bitmap has a form that is not supported.
pub(in crate::pack) fn encode(
    name: &str,
    original: &[u8],
    edit: &Edited<'_>,
) -> Result<Content, Refusal> {
    let edited = Pixels::new(&edit.bytes)?;
    let mut file = bmp::decode(original).map_err(Refusal::new)?.value;
    let Ok(mut before) = file.picture() else {
        // A form that other programs write.
        let before = texture::decode(original).map_err(Refusal::new)?.value;
        let has_alpha = matches!(before.texels, Texels::Rgba(_));
        return stored_anew(&edited, has_alpha, false);
    };
    let same_size = (before.width, before.height) == (edited.width, edited.height);
    if !same_size {
        file = file
            .resized(edited.width, edited.height)
            .map_err(Refusal::new)?;
        before = file.picture().map_err(Refusal::new)?;
    }
    // A masked picture has transparent texels; without any, all are shown.
    let is_masked = edited.texels.iter().any(|&[.., alpha]| alpha < HALF);
    let key = is_masked.then(|| before.key(name)).flatten();
    // A picture of another size shares no texels with the old one.
    let shown = if same_size {
        variants(&before, key)
    } else {
        Vec::new()
    };
    let is_edited = edited.edited(&shown);
    let mut full = None;
    let painting = Painting {
        edited: &edited,
        palettes: edit.palettes,
        is_edited,
        is_masked,
        rows: Rows::new(&file),
    };
    match (&before.texels, file.info.bits) {
        (
            Texels::Indexed {
                indices: stored,
                palette,
            },
            8,
        ) => {
            let mut palette = Palette::new(palette.clone(), Some(file.palette.len()), None);
            let keyed = match before.key(name) {
                Some(Key::Index(index)) => Some(index),
                _ => None,
            };
            let indices;
            (indices, full) = painting.indices(stored.clone(), &mut palette, keyed);
            painting.put(&mut file, true, |at| Some([*indices.get(at)?]));
            let colors = palette.into_colors();
            for (stored, &[red, green, blue]) in file.palette.iter_mut().zip(&colors) {
                let [.., spare] = *stored;
                *stored = [blue, green, red, spare];
            }
        }
        (Texels::Rgb(_), 24) => painting.put(&mut file, false, |at| {
            let &[red, green, blue, _] = edited.texels.get(at)?;
            Some(match painting.is_hidden(at) {
                true => [255, 0, 255],
                false => [blue, green, red],
            })
        }),
        (texels, _) => {
            let has_alpha = matches!(texels, Texels::Rgba(_));
            return stored_anew(&edited, has_alpha, is_masked);
        }
    }
    let bytes = bmp::encode(&file).map_err(Refusal::new)?;
    let after = bmp::decode(&bytes).map_err(Refusal::new)?.value;
    let after = after.picture().map_err(Refusal::new)?;
    let result: Vec<Texel> = after.rgba(key).as_chunks::<4>().0.to_vec();
    let rounding = match is_masked {
        true => proof::seen(&result, &edited.texels),
        false => proof::colors(&result, &edited.texels),
    };
    Ok(Content::rounded(bytes, edited.report([full, rounding])))
}

/// Texels of an edit that go into a bitmap.
struct Painting<'p> {
    edited: &'p Pixels,
    palettes: Palettes,
    /// For each texel: true when it was edited.
    is_edited: Vec<bool>,
    is_masked: bool,
    rows: Rows,
}

impl Painting<'_> {
    /// Returns true for a texel that is not shown.
    fn is_hidden(&self, at: usize) -> bool {
        let texel = self.edited.texels.get(at);
        self.is_masked && texel.is_some_and(|texel| texel[3] < HALF)
    }

    /// The indices of the texels, with new colors in the palette, and a report about a full one. Texels of the key `keyed` are hidden where the
    /// picture is masked: no color may take its place.
    fn indices(
        &self,
        mut indices: Vec<u8>,
        palette: &mut Palette<[u8; 3]>,
        keyed: Option<u8>,
    ) -> (Vec<u8>, Option<String>) {
        let mut is_colored = self.is_edited.clone();
        if let Some(index) = keyed {
            palette.reserve(index);
            for (at, (is_colored, stored)) in is_colored.iter_mut().zip(&mut indices).enumerate() {
                if *is_colored && self.is_hidden(at) {
                    (*is_colored, *stored) = (false, index);
                }
            }
        }
        let texels = self.edited.texels.iter();
        let colors: Vec<[u8; 3]> = texels
            .map(|&[red, green, blue, _]| [red, green, blue])
            .collect();
        let full = fill(palette, &mut indices, &colors, &is_colored, self.palettes);
        (indices, full)
    }

    /// Puts the edited texels, or all, into the rows of a bitmap; `stored` returns the bytes of each.
    fn put<const N: usize>(
        &self,
        file: &mut bmp::Bmp<'_>,
        all: bool,
        stored: impl Fn(usize) -> Option<[u8; N]>,
    ) {
        let mut rows = file.rows.to_vec();
        for at in (0..self.is_edited.len()).filter(|&at| all || self.is_edited[at]) {
            let place = rows.get_mut(self.rows.place(at, N));
            if let (Some(place), Some(stored)) = (place, stored(at)) {
                place.copy_from_slice(&stored);
            }
        }
        file.rows = rows.into();
    }
}

/// A bitmap with 24 bits per texel, or 32 with alpha, that replaces one of an unsupported form.
fn stored_anew(edited: &Pixels, has_alpha: bool, is_masked: bool) -> Result<Content, Refusal> {
    let mut bytes = Vec::new();
    let mut encoder = BmpEncoder::new(&mut bytes);
    let is_hidden = |texel: &Texel| is_masked && !has_alpha && texel[3] < HALF;
    let colors = edited.texels.iter().flat_map(|texel| {
        let [red, green, blue, alpha] = match is_hidden(texel) {
            true => [255, 0, 255, 0],
            false => *texel,
        };
        [red, green, blue, alpha]
            .into_iter()
            .take(if has_alpha { 4 } else { 3 })
    });
    let colors: Vec<u8> = colors.collect();
    let form = match has_alpha {
        true => ExtendedColorType::Rgba8,
        false => ExtendedColorType::Rgb8,
    };
    encoder
        .encode(&colors, edited.width, edited.height, form)
        .map_err(|error| refusal!("it cannot be written as a bitmap: {error}"))?;
    let after = texture::decode(&bytes).map_err(Refusal::new)?.value;
    let key = (is_masked && !has_alpha).then_some(Key::Magenta);
    let result: Vec<Texel> = after.rgba(key).as_chunks::<4>().0.to_vec();
    let rounding = match is_masked || has_alpha {
        true => proof::seen(&result, &edited.texels),
        false => proof::colors(&result, &edited.texels),
    };
    Ok(Content::rounded(bytes, edited.report([rounding])))
}

/// Layout of the rows of a bitmap.
struct Rows {
    width: usize,
    height: usize,
    /// Bytes of a row with its padding.
    stride: usize,
    bottom_first: bool,
}

impl Rows {
    fn new(file: &bmp::Bmp<'_>) -> Self {
        let height = file.info.height.unsigned_abs() as usize;
        Self {
            width: file.info.width.unsigned_abs().max(1) as usize,
            height,
            stride: file.rows.len().checked_div(height).unwrap_or_default(),
            bottom_first: file.info.height > 0,
        }
    }

    /// The bytes of the texel number `at`, which has `bytes` of them.
    fn place(&self, at: usize, bytes: usize) -> std::ops::Range<usize> {
        let (row, column) = (at / self.width, at % self.width);
        let row = match self.bottom_first {
            true => self.height.saturating_sub(row.saturating_add(1)),
            false => row,
        };
        let start = row * self.stride + column * bytes;
        start..start + bytes
    }
}
