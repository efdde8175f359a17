//! The best colors for a palette that cannot hold all.

use color_quant::NeuQuant;

/// Fewest colors that the network is made for.
const FEWEST: usize = 64;

/// Texels and colors that the network learns from; of larger pictures it takes a part.
const SAMPLE: usize = 1 << 16;

/// Rounds in which colors move to the middle of those that they stand for.
const ROUNDS: usize = 3;

/// At most `places` colors for a picture that has these, each so many times. Each comes with the number of the first
/// color that it stands for. `None` if there are too few places.
pub(super) fn quantized(colors: &[([u8; 3], u32)], places: usize) -> Option<Vec<([u8; 3], usize)>> {
    if colors.len() <= places {
        let all = colors.iter().enumerate();
        return Some(all.map(|(at, (color, _))| (*color, at)).collect());
    }
    if places < FEWEST {
        return None;
    }
    let part = colors.len().div_ceil(SAMPLE);
    let colors = || colors.iter().enumerate().step_by(part);
    let all: usize = colors().map(|(_, (_, count))| *count as usize).sum();
    // Rare colors count at least once.
    let share = (all / SAMPLE).max(1);
    let times = |count: u32| (count as usize / share).max(1);
    let texels = colors().flat_map(|(_, &([red, green, blue], count))| {
        std::iter::repeat_n([red, green, blue, u8::MAX], times(count))
    });
    let texels: Vec<u8> = texels.flatten().collect();
    let network = NeuQuant::new(1, places, &texels);
    let mut palette: Vec<[u8; 3]> = network.color_map_rgb().as_chunks::<3>().0.to_vec();
    let mut first = Vec::new();
    for _ in 0..ROUNDS {
        let mut sums = vec![([0_u64; 3], 0_u64, None); palette.len()];
        for (number, &(color, count)) in colors() {
            let distances = palette.iter().map(|own| distance(*own, color)).enumerate();
            let nearest = distances.min_by_key(|(_, distance)| *distance);
            let Some((sum, all, first)) = nearest.and_then(|(at, _)| sums.get_mut(at)) else {
                continue;
            };
            for (sum, channel) in sum.iter_mut().zip(color) {
                *sum += u64::from(channel) * u64::from(count);
            }
            *all += u64::from(count);
            first.get_or_insert(number);
        }
        // Colors that stand for none are left out.
        sums.retain(|(_, all, _)| *all > 0);
        let middle = |&(sum, all, _): &([u64; 3], u64, Option<usize>)| {
            sum.map(|sum| u8::try_from((sum + all / 2) / all.max(1)).unwrap_or(u8::MAX))
        };
        palette = sums.iter().map(middle).collect();
        first = sums.iter().filter_map(|(_, _, first)| *first).collect();
    }
    Some(palette.into_iter().zip(first).collect())
}

/// Square of the distance of two colors.
pub(super) fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let differences = one.into_iter().zip(other);
    differences
        .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{SAMPLE, quantized};

    #[test]
    fn pictures_of_any_number_of_colors_take_the_same_time() {
        let colors = (0_u32..1 << 21).map(|color| {
            let [.., red, green, blue] = (color * 8).to_be_bytes();
            ([red, green, blue], 1)
        });
        let colors: Vec<_> = colors.collect();
        assert!(colors.len() > 16 * SAMPLE);
        let begun = std::time::Instant::now();
        let palette = quantized(&colors, 256).unwrap();
        assert!((65..=256).contains(&palette.len()));
        assert!(palette.iter().all(|(_, first)| *first < colors.len()));
        assert!(begun.elapsed().as_secs() < 60);
    }
}
