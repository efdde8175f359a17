//! Bitmap fonts of Crimson Skies: a picture of the interface whose columns are divided into the characters from `!`
//! to `~`, by the rule of the game's program.
//!
//! A cell is a run of columns that are not entirely in the key color, which is the word 0, and one empty column
//! after it. A byte above `~` shows `!`; a space only advances, by an unknown distance.

use crate::documents::DocumentForm;
use serde::Serialize;

use relicast_formats::zipper::texture::color::Rgb565;
use relicast_formats::zipper::texture::package::Image;

/// The characters of a font, in the order of their cells.
const GLYPHS: std::ops::RangeInclusive<u8> = b'!'..=b'~';
const COUNT: usize = 94;

/// Maximum height of the picture of a font.
const TALLEST: u16 = 64;

/// True if a picture of this size may be a font: room for all characters in one low row.
pub(super) fn may_be(width: u16, height: u16) -> bool {
    (1..=TALLEST).contains(&height) && usize::from(width) >= 2 * COUNT - 1
}

/// A font.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Font {
    width: u16,
    height: u16,
    /// First column and number of columns of each character.
    cells: Vec<(u16, u16)>,
}

impl Font {
    /// The font of a picture with the colors of its palette, if it has one; `None` where it does not have one cell
    /// per character.
    pub(super) fn new(image: &Image<'_>, palette: Option<&[Rgb565]>) -> Option<Self> {
        let header = &image.header;
        let (width, height) = (header.width, header.height);
        if !may_be(width, height) {
            return None;
        }
        let texel = |column: usize, row: usize| -> Option<bool> {
            let at = row * usize::from(width) + column;
            match palette {
                None => {
                    let start = at.checked_mul(2)?;
                    let word = image.texels.get(start..start.checked_add(2)?)?;
                    Some(word == [0, 0])
                }
                Some(colors) => {
                    let index = usize::from(*image.texels.get(at)?);
                    Some(colors.get(index).is_none_or(|word| *word == Rgb565::KEY))
                }
            }
        };
        let is_empty = |column: usize| -> Option<bool> {
            for row in 0..usize::from(height) {
                if !texel(column, row)? {
                    return Some(false);
                }
            }
            Some(true)
        };
        let mut cells: Vec<(u16, u16)> = Vec::new();
        let mut was_empty = true;
        for column in 0..width {
            let empty = is_empty(usize::from(column))?;
            match cells.last_mut().filter(|_| !was_empty) {
                Some((_, columns)) if !empty => *columns += 1,
                _ if !empty => cells.push((column, 1)),
                _ => {}
            }
            was_empty = empty;
            if cells.len() > COUNT {
                return None;
            }
        }
        (cells.len() == COUNT).then_some(Self {
            width,
            height,
            cells,
        })
    }

    /// The document of a font whose picture is called `page`.
    pub(super) fn document(&self, name: &str, page: &str) -> FontDocument {
        let glyphs = GLYPHS.zip(&self.cells);
        FontDocument {
            info: Info {
                face: name.to_owned(),
                size: self.height,
            },
            common: Common {
                line_height: self.height,
                scale_w: self.width,
                scale_h: self.height,
                pages: 1,
            },
            pages: [page.to_owned()],
            chars: glyphs
                .map(|(glyph, &(x, width))| Glyph {
                    id: glyph,
                    letter: char::from(glyph),
                    x,
                    y: 0,
                    width,
                    height: self.height,
                    xoffset: 0,
                    yoffset: 0,
                    xadvance: width.saturating_add(1),
                    page: 0,
                })
                .collect(),
            unknown_sign: *GLYPHS.start(),
        }
    }
}

/// A font in the style of BMFont's JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FontDocument {
    info: Info,
    common: Common,
    pages: [String; 1],
    chars: Vec<Glyph>,
    /// The character for all bytes without one. A space has none and only advances, by an unknown distance.
    #[serde(rename = "unknownSign")]
    unknown_sign: u8,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Info {
    face: String,
    /// Rows of the picture.
    size: u16,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Common {
    line_height: u16,
    scale_w: u16,
    scale_h: u16,
    pages: u16,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Glyph {
    id: u8,
    #[serde(rename = "char")]
    letter: char,
    x: u16,
    y: u16,
    width: u16,
    height: u16,
    xoffset: u16,
    yoffset: u16,
    /// Its columns and the empty one after them.
    xadvance: u16,
    page: u16,
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<FontDocument>(
    "font",
    "Signs of a bitmap font",
)];

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Blob;

    /// A row of `signs` strokes; the width of each is its number modulo 3, plus one.
    fn strip(glyphs: u16) -> Image<'static> {
        let mut columns = Vec::new();
        for glyph in 0..glyphs {
            columns.extend(std::iter::repeat_n(true, usize::from(glyph % 3 + 1)));
            columns.push(false);
        }
        let width = u16::try_from(columns.len()).unwrap();
        let mut texels = Vec::new();
        for row in 0..4_u8 {
            // Strokes may have holes, but no empty column.
            let words = columns.iter().map(|ink| u16::from(*ink && row != 1));
            texels.extend(words.flat_map(u16::to_le_bytes));
        }
        let mut image = Image {
            texels: Blob::from(texels),
            ..Image::default()
        };
        (image.header.width, image.header.height) = (width, 4);
        image
    }

    #[test]
    fn glyphs_are_runs_of_columns() {
        let font = Font::new(&strip(94), None).unwrap();
        let document = serde_json::to_value(font.document("tiny", "tiny.png")).unwrap();
        let glyphs = document["chars"].as_array().unwrap();
        assert_eq!(glyphs.len(), 94);
        assert_eq!(
            glyphs[1],
            serde_json::json!({"id": 34, "char": "\"", "x": 2, "y": 0, "width": 2, "height": 4,
                "xoffset": 0, "yoffset": 0, "xadvance": 3, "page": 0})
        );
        assert_eq!(glyphs[93]["char"], "~");
        assert_eq!(document["pages"], serde_json::json!(["tiny.png"]));
    }

    #[test]
    fn pictures_with_other_counts_or_lost_texels_are_no_fonts() {
        assert_eq!(Font::new(&strip(93), None), None);
        assert_eq!(Font::new(&strip(95), None), None);
        let mut cut = strip(94);
        cut.texels = Blob::from(vec![1, 0, 1]);
        assert_eq!(Font::new(&cut, None), None);
        let mut indexed = strip(94);
        let half: Vec<u8> = indexed.texels.chunks_exact(2).map(|word| word[0]).collect();
        indexed.texels = Blob::from(half);
        let palette = [Rgb565::KEY, Rgb565(0xFFFF)];
        assert!(Font::new(&indexed, Some(&palette)).is_some());
    }
}
