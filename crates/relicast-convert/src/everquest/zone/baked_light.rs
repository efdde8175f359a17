//! Baked light of placements.

use relicast_formats::everquest::wld::Bgra;

/// Location of baked light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum BakedKey {
    /// A list: archive, scene file and fragment, and the first color there.
    List(usize, usize, usize, usize),
    /// One color for all vertices: blue, green, red, and light of the sky.
    Even([u8; 4]),
}

/// Baked light of a placement, or of one mesh of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Baked<'s> {
    /// A color for each vertex.
    List(BakedKey, &'s [Bgra]),
    /// The list fits another model than the placed one: one color for all of it.
    Even(Bgra),
}

/// Returns a replacement for a list of baked light that does not fit its model: no light of its own, because the
/// ambient light of the zone is added to it. Without ambient light the object would be black, so it gets the mean of
/// the list.
pub(super) fn even(list: &[Bgra], ambient: [u8; 3]) -> Bgra {
    if ambient != [0; 3] || list.is_empty() {
        return Bgra::default();
    }
    let mean = |part: fn(&Bgra) -> u8| {
        let sum: u64 = list.iter().map(|color| u64::from(part(color))).sum();
        u8::try_from(sum / list.len() as u64).unwrap_or(u8::MAX)
    };
    Bgra {
        blue: mean(|color| color.blue),
        green: mean(|color| color.green),
        red: mean(|color| color.red),
        alpha: mean(|color| color.alpha),
    }
}
