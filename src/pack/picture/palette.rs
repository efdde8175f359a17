//! A palette that takes colours as long as it has room; the nearest colour is taken then.

use std::collections::HashMap;
use std::hash::Hash;

use relicast_formats::zipper::texture::colour::Rgb565;

/// A palette that takes colours as long as it has room.
#[derive(Debug)]
pub(super) struct Palette<C> {
    colours: Vec<C>,
    used: [bool; 256],
    /// How many colours it may have: places of unused ones are taken too. None: it stays as it is.
    room: Option<usize>,
    /// A colour that no other may become.
    key: Option<C>,
    /// A place that no colour may take nor become.
    reserved: Option<u8>,
    known: HashMap<C, u8>,
}

/// A colour of a palette.
pub(super) trait Colour: Copy + Eq + Hash {
    /// Red, green, blue.
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
    /// A palette whose colours are all free.
    pub(super) fn new(colours: Vec<C>, room: Option<usize>, key: Option<C>) -> Self {
        let mut known = HashMap::new();
        for (index, &colour) in (0..=u8::MAX).zip(&colours) {
            known.entry(colour).or_insert(index);
        }
        Self {
            colours,
            used: [false; 256],
            room,
            key,
            reserved: None,
            known,
        }
    }

    /// Keeps a place for something that is no colour.
    pub(super) fn reserve(&mut self, index: u8) {
        self.reserved = Some(index);
        self.known.retain(|_, known| *known != index);
        self.keep(std::iter::once(index));
    }

    /// Tells indices whose colours must stay.
    pub(super) fn keep(&mut self, indices: impl Iterator<Item = u8>) {
        for index in indices {
            if let Some(used) = self.used.get_mut(usize::from(index)) {
                *used = true;
            }
        }
    }

    /// The indices of colours: colours that are there keep their places, others get free ones, and what finds none
    /// becomes the nearest.
    pub(super) fn indices(&mut self, colours: &[C]) -> Vec<u8> {
        let there: Vec<u8> = colours
            .iter()
            .filter_map(|colour| self.known.get(colour).copied())
            .collect();
        self.keep(there.into_iter());
        colours.iter().map(|&colour| self.index(colour)).collect()
    }

    /// The colours, with those that were put in.
    pub(super) fn into_colours(self) -> Vec<C> {
        self.colours
    }

    fn index(&mut self, colour: C) -> u8 {
        if let Some(&index) = self.known.get(&colour) {
            return index;
        }
        let index = self.place(colour).unwrap_or_else(|| self.nearest(colour));
        self.keep(std::iter::once(index));
        self.known.insert(colour, index);
        index
    }

    /// A place for a new colour.
    fn place(&mut self, colour: C) -> Option<u8> {
        let room = self.room?.min(self.used.len());
        let mut free = self.used.iter().take(self.colours.len());
        let at = match free.position(|used| !used) {
            Some(at) => at,
            None if self.colours.len() < room => {
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
        let seen = places.filter(|&(index, &other)| {
            self.reserved != Some(index) && (!is_key(other) || is_key(colour))
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
    fn colours_that_are_there_keep_their_places_though_others_come_first() {
        let mut palette = Palette::new(vec![RED, GREEN], Some(2), None);
        palette.keep(std::iter::empty());
        assert_eq!(palette.indices(&[BLUE, RED]), [1, 0]);
        assert_eq!(palette.into_colours(), [RED, BLUE]);
    }

    #[test]
    fn a_full_palette_gives_the_nearest_colour() {
        let mut palette = Palette::new(vec![RED, GREEN], Some(2), None);
        palette.keep([0, 1].into_iter());
        assert_eq!(palette.indices(&[DARK_RED]), [0]);
        assert_eq!(palette.into_colours(), [RED, GREEN]);
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
    fn a_reserved_place_is_no_colour() {
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
