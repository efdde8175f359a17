//! A palette that accepts new colors while it has room, then returns the nearest color.

use std::collections::HashMap;
use std::hash::Hash;

use relicast_formats::zipper::texture::color::Rgb565;

/// A palette that accepts new colors while it has room.
#[derive(Debug)]
pub(super) struct Palette<C> {
    colors: Vec<C>,
    used: [bool; 256],
    /// Most colors that it may have; places of unused ones count too. `None`: the palette stays as it is.
    room: Option<usize>,
    /// A color that no other color may be mapped to.
    key: Option<C>,
    /// A place that no color may take or be mapped to.
    reserved: Option<u8>,
    known: HashMap<C, u8>,
}

/// A color of a palette.
pub(super) trait Color: Copy + Eq + Hash {
    /// Red, green, blue.
    fn rgb(self) -> [u8; 3];
}

impl Color for Rgb565 {
    fn rgb(self) -> [u8; 3] {
        self.to_rgb8()
    }
}

impl Color for [u8; 3] {
    fn rgb(self) -> [u8; 3] {
        self
    }
}

impl<C: Color> Palette<C> {
    /// A palette whose colors are all free.
    pub(super) fn new(colors: Vec<C>, room: Option<usize>, key: Option<C>) -> Self {
        let mut known = HashMap::new();
        for (index, &color) in (0..=u8::MAX).zip(&colors) {
            known.entry(color).or_insert(index);
        }
        Self {
            colors,
            used: [false; 256],
            room,
            key,
            reserved: None,
            known,
        }
    }

    /// Reserves a place for something that is not a color.
    pub(super) fn reserve(&mut self, index: u8) {
        self.reserved = Some(index);
        self.known.retain(|_, known| *known != index);
        self.keep(std::iter::once(index));
    }

    /// Marks indices whose colors must stay.
    pub(super) fn keep(&mut self, indices: impl Iterator<Item = u8>) {
        for index in indices {
            if let Some(used) = self.used.get_mut(usize::from(index)) {
                *used = true;
            }
        }
    }

    /// The indices of colors: existing colors keep their places, new ones get free places, and the rest are mapped to
    /// the nearest color.
    pub(super) fn indices(&mut self, colors: &[C]) -> Vec<u8> {
        let there: Vec<u8> = colors
            .iter()
            .filter_map(|color| self.known.get(color).copied())
            .collect();
        self.keep(there.into_iter());
        colors.iter().map(|&color| self.index(color)).collect()
    }

    /// The colors, with the new ones.
    pub(super) fn into_colors(self) -> Vec<C> {
        self.colors
    }

    fn index(&mut self, color: C) -> u8 {
        if let Some(&index) = self.known.get(&color) {
            return index;
        }
        let index = self.place(color).unwrap_or_else(|| self.nearest(color));
        self.keep(std::iter::once(index));
        self.known.insert(color, index);
        index
    }

    /// A place for a new color.
    fn place(&mut self, color: C) -> Option<u8> {
        let room = self.room?.min(self.used.len());
        let mut free = self.used.iter().take(self.colors.len());
        let at = match free.position(|used| !used) {
            Some(at) => at,
            None if self.colors.len() < room => {
                self.colors.push(color);
                self.colors.len() - 1
            }
            None => return None,
        };
        let old = self.colors.get_mut(at)?;
        let index = u8::try_from(at).ok()?;
        if self.known.get(old) == Some(&index) {
            self.known.remove(old);
        }
        *old = color;
        Some(index)
    }

    fn nearest(&self, color: C) -> u8 {
        let wanted = color.rgb();
        let is_key = |other: C| self.key == Some(other);
        let distance = |other: C| -> u32 {
            let differences = other.rgb().into_iter().zip(wanted);
            differences
                .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
                .sum()
        };
        let places = (0..=u8::MAX).zip(&self.colors);
        let seen = places.filter(|&(index, &other)| {
            self.reserved != Some(index) && (!is_key(other) || is_key(color))
        });
        let nearest = seen.min_by_key(|&(_, &other)| distance(other));
        nearest.map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::Palette;

    const RED: [u8; 3] = [255, 0, 0];
    const GREEN: [u8; 3] = [0, 255, 0];
    const BLUE: [u8; 3] = [0, 0, 255];
    const DARK_RED: [u8; 3] = [200, 0, 0];

    #[test]
    fn colors_that_are_there_keep_their_places_though_others_come_first() {
        let mut palette = Palette::new(vec![RED, GREEN], Some(2), None);
        palette.keep(std::iter::empty());
        assert_eq!(palette.indices(&[BLUE, RED]), [1, 0]);
        assert_eq!(palette.into_colors(), [RED, BLUE]);
    }

    #[test]
    fn a_full_palette_gives_the_nearest_color() {
        let mut palette = Palette::new(vec![RED, GREEN], Some(2), None);
        palette.keep([0, 1].into_iter());
        assert_eq!(palette.indices(&[DARK_RED]), [0]);
        assert_eq!(palette.into_colors(), [RED, GREEN]);
    }

    #[test]
    fn a_palette_grows_as_far_as_it_may() {
        let mut palette = Palette::new(vec![RED], Some(2), None);
        palette.keep(std::iter::once(0));
        assert_eq!(palette.indices(&[GREEN, [0, 250, 0]]), [1, 1]);
        let mut shared = Palette::new(vec![RED], None, None);
        assert_eq!(shared.indices(&[GREEN]), [0]);
    }

    #[test]
    fn a_reserved_place_is_no_color() {
        let mut palette = Palette::new(vec![RED, GREEN], Some(2), None);
        palette.reserve(0);
        palette.keep(std::iter::once(1));
        assert_eq!(palette.indices(&[RED]), [1]);
    }

    #[test]
    fn nothing_but_the_key_becomes_the_key() {
        let mut palette = Palette::new(vec![[0, 0, 0], GREEN], None, Some([0, 0, 0]));
        assert_eq!(palette.indices(&[[1, 0, 0], [0, 0, 0]]), [1, 0]);
    }
}
