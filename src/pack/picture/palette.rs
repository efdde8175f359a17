//! A palette that accepts new colors while it has room. Then it is made anew, or returns the nearest color.

use std::collections::HashMap;
use std::hash::Hash;

use super::quantized::{distance, quantized};
use crate::pack::palettes::Palettes;

use relicast_formats::zipper::texture::color::Rgb565;

/// A palette that accepts new colors while it has room.
#[derive(Debug, Clone)]
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
    /// Number of colors that were mapped to another one.
    lacking: usize,
}

/// A color of a palette.
pub(super) trait Color: Copy + Eq + Hash {
    /// Red, green, blue.
    fn rgb(self) -> [u8; 3];

    /// The nearest color to this one.
    fn from_rgb(rgb: [u8; 3]) -> Self;
}

impl Color for Rgb565 {
    fn rgb(self) -> [u8; 3] {
        self.to_rgb8()
    }

    fn from_rgb(rgb: [u8; 3]) -> Self {
        Self::from_rgb8(rgb)
    }
}

impl Color for [u8; 3] {
    fn rgb(self) -> [u8; 3] {
        self
    }

    fn from_rgb(rgb: [u8; 3]) -> Self {
        rgb
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
            lacking: 0,
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
        let index = self.place(color).unwrap_or_else(|| {
            self.lacking += 1;
            self.nearest(color)
        });
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
        let is_key = |other: C| self.key == Some(other);
        let distance = |other: C| distance(other.rgb(), color.rgb());
        let places = (0..=u8::MAX).zip(&self.colors);
        let seen = places.filter(|&(index, &other)| {
            self.reserved != Some(index) && (!is_key(other) || is_key(color))
        });
        let nearest = seen.min_by_key(|&(_, &other)| distance(other));
        nearest.map_or(0, |(index, _)| index)
    }
}

/// Puts the edited colors into an indexed picture. Returns a report about a full palette.
pub(super) fn fill<C: Color>(
    palette: &mut Palette<C>,
    stored: &mut [u8],
    colors: &[C],
    is_edited: &[bool],
    palettes: Palettes,
) -> Option<String> {
    let before = palette.clone();
    let kept = stored.iter().zip(is_edited).filter(|(_, edited)| !**edited);
    palette.keep(kept.map(|(&index, _)| index));
    // The picture as it is to be; texels of the reserved place have no color.
    let shown = stored.iter().zip(is_edited).zip(colors);
    let shown: Vec<Option<C>> = shown
        .map(|((&index, &is_edited), &color)| match is_edited {
            true => Some(color),
            false if before.reserved == Some(index) => None,
            false => before.colors.get(usize::from(index)).copied(),
        })
        .collect();
    let edits = || is_edited.iter().enumerate().filter(|(_, edited)| **edited);
    let wanted: Vec<C> = edits()
        .filter_map(|(at, _)| colors.get(at).copied())
        .collect();
    let indices = palette.indices(&wanted);
    for ((at, _), index) in edits().zip(indices) {
        if let Some(stored) = stored.get_mut(at) {
            *stored = index;
        }
    }
    if palette.lacking == 0 {
        return None;
    }
    if palette.room.is_none() {
        return Some("its palette is shared by other pictures and stays".to_owned());
    }
    let remade = (palettes == Palettes::Remake)
        .then(|| before.remade(&shown))
        .flatten();
    let Some((remade, indices)) = remade else {
        return Some("its palette is full and stays".to_owned());
    };
    let deviation = |palette: &Palette<C>, indices: &[u8]| -> u64 {
        let texels = shown.iter().zip(indices);
        let distances = texels.filter_map(|(wanted, &index)| {
            let found = palette.colors.get(usize::from(index))?;
            Some(u64::from(distance(wanted.as_ref()?.rgb(), found.rgb())))
        });
        distances.sum()
    };
    if deviation(&remade, &indices) >= deviation(palette, stored) {
        return Some(
            "its palette is full and stays: a new one would be less like the edit".to_owned(),
        );
    }
    let texels = shown.iter().zip(stored.iter_mut()).zip(indices);
    for ((_, stored), index) in texels.filter(|((shown, _), _)| shown.is_some()) {
        *stored = index;
    }
    *palette = remade;
    Some(
        "its palette was made anew, also for texels that were not edited (--palette keep keeps it)"
            .to_owned(),
    )
}

impl<C: Color> Palette<C> {
    /// A palette of its size for the colors of a picture, with the index of each; `None` if there are too few places.
    fn remade(&self, shown: &[Option<C>]) -> Option<(Self, Vec<u8>)> {
        let mut counts: HashMap<C, u32> = HashMap::new();
        for color in shown.iter().flatten() {
            *counts.entry(*color).or_default() += 1;
        }
        let key = self.key.filter(|key| counts.remove(key).is_some());
        let mut counts: Vec<(C, u32)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|(color, count)| (color.rgb(), *count));
        let room = self.room?.min(self.used.len());
        let taken = usize::from(key.is_some()) + usize::from(self.reserved.is_some());
        let places = room.saturating_sub(taken);
        let rgb: Vec<_> = counts
            .iter()
            .map(|(color, count)| (color.rgb(), *count))
            .collect();
        let mut new = quantized(&rgb, places)?.into_iter().map(|(rgb, like)| {
            // A mix of colors must not become transparent.
            let color = C::from_rgb(rgb);
            match self.key == Some(color) {
                true => counts.get(like).map_or(color, |(color, _)| *color),
                false => color,
            }
        });
        let mut colors = Vec::with_capacity(room);
        while colors.len() < room {
            let at = u8::try_from(colors.len()).ok();
            let reserved = at.filter(|_| at == self.reserved);
            let reserved = reserved.and_then(|at| self.colors.get(usize::from(at)));
            let is_key = key.is_some() && colors.is_empty();
            let next = match reserved {
                Some(color) => Some(*color),
                None if is_key => key,
                None => new.next(),
            };
            // Places that the picture does not need keep their color.
            match next.or_else(|| self.colors.get(colors.len()).copied()) {
                Some(color) => colors.push(color),
                None => break,
            }
        }
        let mut remade = Self::new(colors, None, self.key);
        if let Some(index) = self.reserved {
            remade.reserve(index);
        }
        let indices = shown
            .iter()
            .map(|color| color.map_or(0, |color| remade.index(color)));
        let indices = indices.collect();
        Some((remade, indices))
    }
}

#[cfg(test)]
mod tests {
    use super::{Palette, fill};
    use crate::pack::palettes::Palettes;

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

    /// A picture of 400 colors, of which a palette of 128 has none.
    fn gradient() -> Vec<[u8; 3]> {
        (0..400_u32)
            .map(|at| [(at / 2) as u8, 200 - (at / 2) as u8, (at % 20) as u8])
            .collect()
    }

    #[test]
    fn a_full_palette_is_made_anew_for_a_picture_of_other_colors() {
        let old: Vec<[u8; 3]> = (0..128).map(|at| [9, at, 255]).collect();
        let colors = gradient();
        let worst = |palettes, reserved: Option<u8>| {
            let mut palette = Palette::new(old.clone(), Some(128), None);
            let mut stored: Vec<u8> = (0..400_u32).map(|at| (at % 128) as u8).collect();
            let mut is_edited = vec![true; 400];
            if let Some(reserved) = reserved {
                palette.reserve(reserved);
                (stored[7], is_edited[7]) = (reserved, false);
            }
            let report = fill(&mut palette, &mut stored, &colors, &is_edited, palettes).unwrap();
            let made = palette.into_colors();
            assert_eq!(made.len(), 128);
            if let Some(reserved) = reserved {
                assert_eq!(made[usize::from(reserved)], old[usize::from(reserved)]);
                let places = stored.iter().enumerate();
                let hidden: Vec<usize> = places
                    .filter(|(_, it)| **it == reserved)
                    .map(|it| it.0)
                    .collect();
                assert_eq!(hidden, [7], "no color takes the reserved place");
            }
            let texels = stored.iter().zip(&colors).enumerate();
            let distances = texels
                .filter(|(at, _)| is_edited[*at])
                .map(|(_, (&index, &color))| super::distance(made[usize::from(index)], color));
            (distances.max().unwrap(), report)
        };
        for reserved in [None, Some(0), Some(127)] {
            let (remade, report) = worst(Palettes::Remake, reserved);
            assert!(remade < 600 && report.contains("anew"), "{remade} {report}");
            let (kept, report) = worst(Palettes::Keep, reserved);
            assert!(kept > 20_000 && report.contains("stays"), "{kept} {report}");
        }
    }

    #[test]
    fn a_full_palette_stays_where_that_is_closer() {
        // All colors are used, and a single texel has a new one.
        let old: Vec<[u8; 3]> = (0..64).map(|at| [at * 4, at * 4, at * 4]).collect();
        let mut palette = Palette::new(old.clone(), Some(64), None);
        let mut stored: Vec<u8> = (0..64_u8).cycle().take(64 * 500).collect();
        let mut colors: Vec<_> = stored.iter().map(|&it| old[usize::from(it)]).collect();
        colors[9] = [36, 36, 38];
        let mut is_edited = vec![false; colors.len()];
        is_edited[9] = true;
        let report = fill(
            &mut palette,
            &mut stored,
            &colors,
            &is_edited,
            Palettes::Remake,
        );
        assert!(report.unwrap().contains("less like"));
        assert_eq!(palette.into_colors(), old);
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
