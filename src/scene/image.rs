//! Pictures: rows from top to bottom, 8 bits a channel, colours display-referred (sRGB), alpha not
//! premultiplied.

use std::borrow::Cow;

/// Texels of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pixels<'a> {
    /// One byte a texel, black to white.
    Gray(Cow<'a, [u8]>),
    /// Red, green, blue.
    Rgb(Vec<u8>),
    /// Red, green, blue, alpha.
    Rgba(Vec<u8>),
    /// One byte a texel, an index into the palette.
    Indexed {
        /// Indices, each below the number of colours.
        indices: Cow<'a, [u8]>,
        /// Red, green, blue, alpha; at most 256 colours.
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
    /// The same picture with texels of its own.
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

    /// Spreads the colours around each fully transparent texel into it, so that a bilinear filter
    /// shows no fringe of the key colour. Alpha stays as it is, and so does every texel that can be
    /// seen. Does nothing to pictures without an alpha channel or without a visible texel.
    ///
    /// A transparent texel takes the rounded mean of those among its eight neighbours that already
    /// have a colour; the fill grows ring by ring, so the result does not depend on scan order.
    pub fn dilate_transparent(&mut self) {
        let Pixels::Rgba(texels) = &mut self.pixels else {
            return;
        };
        let (width, height) = (self.width as usize, self.height as usize);
        let mut coloured: Vec<bool> = texels.chunks_exact(4).map(|texel| texel[3] != 0).collect();
        if coloured.len() != width * height {
            return;
        }
        let neighbours = |index: usize| {
            let (x, y) = (index % width, index / width);
            let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
            let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
            rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
                .filter(move |&other| other != index)
        };
        let mut queued = coloured.clone();
        let mut ring: Vec<usize> = Vec::new();
        for index in 0..coloured.len() {
            if !coloured[index] && neighbours(index).any(|other| coloured[other]) {
                queued[index] = true;
                ring.push(index);
            }
        }
        while !ring.is_empty() {
            let mut filled: Vec<(usize, [u8; 3])> = Vec::with_capacity(ring.len());
            for &index in &ring {
                let mut sum = [0_u32; 3];
                let mut count = 0_u32;
                for other in neighbours(index).filter(|&other| coloured[other]) {
                    for (channel, total) in sum.iter_mut().enumerate() {
                        *total += u32::from(texels[other * 4 + channel]);
                    }
                    count += 1;
                }
                let mean = sum.map(|total| ((total + count / 2) / count.max(1)) as u8);
                filled.push((index, mean));
            }
            let mut next = Vec::new();
            for (index, colour) in filled {
                texels[index * 4..index * 4 + 3].copy_from_slice(&colour);
                coloured[index] = true;
                for other in neighbours(index) {
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
