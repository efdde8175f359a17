//! Pictures: rows from top to bottom, 8 bits per channel, colors display-referred (sRGB), alpha not
//! premultiplied.
//!
//! ```
//! use relicast_scene::{Image, Pixels};
//!
//! let gray = |value: u8| Image { width: 1, height: 1, pixels: Pixels::Gray(vec![value].into()) };
//! let row = Image::pack_row(&[gray(0), gray(255)]).unwrap();
//! assert_eq!((row.width, row.height), (2, 1));
//! assert_eq!(row.pixels, Pixels::Rgb(vec![0, 0, 0, 255, 255, 255]));
//! ```

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Texels of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pixels<'a> {
    /// One byte per texel, black to white.
    Gray(Cow<'a, [u8]>),
    /// Red, green, blue.
    Rgb(Vec<u8>),
    /// Red, green, blue, alpha.
    Rgba(Vec<u8>),
    /// One byte per texel, an index into the palette.
    Indexed {
        /// Indices, each below the number of colors.
        indices: Cow<'a, [u8]>,
        /// Red, green, blue, alpha; at most 256 colors.
        palette: Vec<[u8; 4]>,
    },
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image<'a> {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The texels.
    pub pixels: Pixels<'a>,
}

impl Image<'_> {
    /// The picture with owned texels.
    pub fn into_owned(self) -> Image<'static> {
        let pixels = match self.pixels {
            Pixels::Gray(texels) => Pixels::Gray(Cow::Owned(texels.into_owned())),
            Pixels::Rgb(texels) => Pixels::Rgb(texels),
            Pixels::Rgba(texels) => Pixels::Rgba(texels),
            Pixels::Indexed { indices, palette } => Pixels::Indexed {
                indices: Cow::Owned(indices.into_owned()),
                palette,
            },
        };
        Image {
            width: self.width,
            height: self.height,
            pixels,
        }
    }

    /// Joins pictures to a row from left to right, each as large as the largest, in true color, with alpha if
    /// one of them has any. Texels of smaller ones are repeated. `None` without pictures, and if the largest size is
    /// not a multiple of each size.
    pub fn pack_row(pictures: &[Image<'_>]) -> Option<Image<'static>> {
        let width = pictures.iter().map(|picture| picture.width).max()?;
        let height = pictures.iter().map(|picture| picture.height).max()?;
        let wide: Option<Vec<Vec<[u8; 4]>>> = pictures
            .iter()
            .map(|picture| picture.enlarged(width, height))
            .collect();
        let wide = wide?;
        let row_length = width as usize;
        let rows = (0..height as usize).flat_map(|row| {
            let columns = row * row_length..(row + 1) * row_length;
            wide.iter().flat_map(move |all| &all[columns.clone()])
        });
        let opaque = wide.iter().flatten().all(|texel| texel[3] == 255);
        let pixels = if opaque {
            Pixels::Rgb(rows.flat_map(|&[r, g, b, _]| [r, g, b]).collect())
        } else {
            Pixels::Rgba(rows.flatten().copied().collect())
        };
        Some(Image {
            width: width.checked_mul(u32::try_from(pictures.len()).ok()?)?,
            height,
            pixels,
        })
    }

    /// The texels of the picture, enlarged to a multiple of its size.
    fn enlarged(&self, width: u32, height: u32) -> Option<Vec<[u8; 4]>> {
        let texels = self.true_color();
        let whole = |large: u32, small: u32| small > 0 && large.is_multiple_of(small);
        let complete = texels.len() == self.width as usize * self.height as usize;
        if !complete || !whole(width, self.width) || !whole(height, self.height) {
            return None;
        }
        if (width, height) == (self.width, self.height) {
            return Some(texels);
        }
        let (across, down) = (width / self.width, height / self.height);
        let own = |x: u32, y: u32| {
            texels[(y / down) as usize * self.width as usize + (x / across) as usize]
        };
        let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Some(rows.map(|(x, y)| own(x, y)).collect())
    }

    /// Red, green, blue and alpha of each texel; indices without a color are black.
    pub fn true_color(&self) -> Vec<[u8; 4]> {
        match &self.pixels {
            Pixels::Gray(texels) => texels.iter().map(|&gray| [gray, gray, gray, 255]).collect(),
            Pixels::Rgb(texels) => {
                let (texels, _) = texels.as_chunks::<3>();
                texels.iter().map(|&[r, g, b]| [r, g, b, 255]).collect()
            }
            Pixels::Rgba(texels) => texels.as_chunks::<4>().0.to_vec(),
            Pixels::Indexed { indices, palette } => {
                let black = [0, 0, 0, 255];
                let color = |&index: &u8| palette.get(usize::from(index)).copied().unwrap_or(black);
                indices.iter().map(color).collect()
            }
        }
    }

    /// Spreads the colors around each fully transparent texel into it, so that a bilinear filter
    /// shows no fringe of the key color. Alpha and visible texels are unchanged. Does nothing
    /// to pictures without an alpha channel or without a visible texel.
    ///
    /// A transparent texel gets the rounded mean of those among its eight neighbors that already
    /// have a color. The fill grows ring by ring, so the result does not depend on scan order.
    pub fn dilate_transparent(&mut self) {
        let Pixels::Rgba(texels) = &mut self.pixels else {
            return;
        };
        let (width, height) = (self.width as usize, self.height as usize);
        let mut colored: Vec<bool> = texels.chunks_exact(4).map(|texel| texel[3] != 0).collect();
        if colored.len() != width * height {
            return;
        }
        let neighbors = |index: usize| {
            let (x, y) = (index % width, index / width);
            let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
            let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
            rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
                .filter(move |&other| other != index)
        };
        let mut queued = colored.clone();
        let mut ring: Vec<usize> = Vec::new();
        for index in 0..colored.len() {
            if !colored[index] && neighbors(index).any(|other| colored[other]) {
                queued[index] = true;
                ring.push(index);
            }
        }
        while !ring.is_empty() {
            let mut filled: Vec<(usize, [u8; 3])> = Vec::with_capacity(ring.len());
            for &index in &ring {
                let mut sum = [0_u32; 3];
                let mut count = 0_u32;
                for other in neighbors(index).filter(|&other| colored[other]) {
                    for (channel, total) in sum.iter_mut().enumerate() {
                        *total += u32::from(texels[other * 4 + channel]);
                    }
                    count += 1;
                }
                let mean = sum.map(|total| ((total + count / 2) / count.max(1)) as u8);
                filled.push((index, mean));
            }
            let mut next = Vec::new();
            for (index, color) in filled {
                texels[index * 4..index * 4 + 3].copy_from_slice(&color);
                colored[index] = true;
                for other in neighbors(index) {
                    if !queued[other] {
                        queued[other] = true;
                        next.push(other);
                    }
                }
            }
            ring = next;
        }
    }
}

/// Compression effort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Fastest; files of moderate size.
    #[default]
    Fast,
    /// A few times slower, clearly smaller.
    Balanced,
    /// Slow, small: every row tries all filters.
    Small,
    /// A hundred times slower, smallest: whole pictures try all filters and an exhaustive deflate. For archives.
    Best,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rgba(width: u32, height: u32, texels: &[[u8; 4]]) -> Image<'static> {
        Image {
            width,
            height,
            pixels: Pixels::Rgba(texels.concat()),
        }
    }

    fn texel(image: &Image<'_>, index: usize) -> [u8; 4] {
        match &image.pixels {
            Pixels::Rgba(texels) => texels[index * 4..index * 4 + 4].try_into().unwrap(),
            _ => unreachable!("the tests only make RGBA"),
        }
    }

    #[test]
    fn dilation_fills_ring_by_ring_and_keeps_what_can_be_seen() {
        let red = [200, 0, 0, 255];
        let blue = [0, 0, 101, 1];
        let clear = [0, 0, 0, 0];
        let mut image = rgba(5, 1, &[red, clear, clear, clear, blue]);
        image.dilate_transparent();
        assert_eq!(texel(&image, 0), red);
        assert_eq!(texel(&image, 1), [200, 0, 0, 0]);
        assert_eq!(texel(&image, 2), [100, 0, 51, 0]);
        assert_eq!(texel(&image, 3), [0, 0, 101, 0]);
        assert_eq!(texel(&image, 4), blue);
    }

    #[test]
    fn pictures_are_placed_row_by_row() {
        let gray = Image {
            width: 1,
            height: 2,
            pixels: Pixels::Gray(vec![7, 8].into()),
        };
        let indexed = Image {
            width: 1,
            height: 2,
            pixels: Pixels::Indexed {
                indices: vec![1, 0].into(),
                palette: vec![[1, 2, 3, 255], [4, 5, 6, 255]],
            },
        };
        let joined = Image::pack_row(&[gray.clone(), indexed.clone()]).unwrap();
        assert_eq!((joined.width, joined.height), (2, 2));
        let rows = vec![7, 7, 7, 4, 5, 6, 8, 8, 8, 1, 2, 3];
        assert_eq!(joined.pixels, Pixels::Rgb(rows));
        let clear = rgba(1, 2, &[[1, 1, 1, 0], [2, 2, 2, 255]]);
        let joined = Image::pack_row(&[gray.clone(), clear]).unwrap();
        let rows = vec![7, 7, 7, 255, 1, 1, 1, 0, 8, 8, 8, 255, 2, 2, 2, 255];
        assert_eq!(joined.pixels, Pixels::Rgba(rows));
        let wide = rgba(2, 1, &[[3, 3, 3, 255], [4, 4, 4, 255]]);
        let joined = Image::pack_row(&[gray.clone(), wide]).unwrap();
        let rows = [[7, 7, 3, 4], [8, 8, 3, 4]].concat();
        let rows = rows.iter().flat_map(|&texel| [texel; 3]).collect();
        assert_eq!(joined.pixels, Pixels::Rgb(rows));
        let odd = rgba(3, 2, &[[0; 4]; 6]);
        let even = rgba(2, 2, &[[0; 4]; 4]);
        assert_eq!(Image::pack_row(&[odd, even]), None);
        assert_eq!(Image::pack_row(&[]), None);
    }

    #[test]
    fn a_picture_without_visible_texels_is_left_alone() {
        let mut image = rgba(2, 2, &[[7, 8, 9, 0]; 4]);
        let before = image.clone();
        image.dilate_transparent();
        assert_eq!(image, before);
    }

    #[test]
    fn every_texel_of_a_large_hole_is_filled() {
        let mut texels = vec![[0, 0, 0, 0]; 64 * 64];
        texels[0] = [9, 9, 9, 255];
        let mut image = rgba(64, 64, &texels);
        image.dilate_transparent();
        assert_eq!(texel(&image, 64 * 64 - 1), [9, 9, 9, 0]);
    }
}
