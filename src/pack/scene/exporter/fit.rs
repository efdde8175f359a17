//! Sampled curves: comparison with the original, and the keys that show them.

use std::collections::BTreeMap;

use crate::pack::scene::file::curve::{Between, Moves, SceneChannel, distance};

/// Curves of one clip by node and property.
pub(super) type Channels = BTreeMap<(usize, &'static str), SceneChannel>;

/// Largest difference of values of a sampled curve, relative to the larger of 1 and the number.
pub(super) const SAMPLED: f32 = 2e-4;

/// Most keys that are made for a curve without changes.
const MAX_SAMPLES: f64 = 65536.0;

/// True if two values of a curve are equal, by the size of the first.
pub(super) fn is_one(moves: Moves, one: [f32; 4], other: [f32; 4], tolerance: f32) -> bool {
    let size = match moves {
        Moves::Rotation => 1.0,
        _ => one
            .iter()
            .take(3)
            .fold(1.0_f32, |most, it| most.max(it.abs())),
    };
    distance(moves, one, other) <= tolerance * size
}

/// Evenly spaced keys from 0 on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frames {
    /// Seconds.
    step: f64,
    /// Number of the last one.
    last: u32,
}

/// The end of an edited clip, if it is another one than the original has; a program may end a clip one of its keys, which
/// have the distance `step`, earlier or later.
pub(super) fn other_end(old: &Channels, new: &Channels, step: f64) -> Option<f64> {
    let end = |channels: &Channels| {
        let ends = channels.values().map(|channel| f64::from(channel.end()));
        ends.fold(0.0, f64::max)
    };
    let (had, has) = (end(old), end(new));
    ((had - has).abs() > 1.01 * step + 1e-3).then_some(has)
}

impl Frames {
    /// The keys of an edited clip of another length: at the distances of the original, if these are even. `step` is the
    /// distance of the keys of the program, which may end a clip one of them earlier or later.
    pub(super) fn of(old: &Channels, new: &Channels, step: f64) -> Option<Self> {
        let has = other_end(old, new, step)?;
        let longest = old.values().max_by_key(|channel| channel.times.len())?;
        let gaps = longest
            .times
            .windows(2)
            .map(|two| f64::from(two[1] - two[0]));
        let count = gaps.clone().count().max(1) as f64;
        // Some games store whole milliseconds.
        let own = Some(gaps.clone().sum::<f64>() / count).filter(|own| *own > 1e-4)?;
        let is_even = gaps.into_iter().all(|gap| (gap - own).abs() <= 1e-3);
        let last = (has / own).round();
        (is_even && (1.0..=MAX_SAMPLES).contains(&last)).then_some(Self {
            step: own,
            last: last as u32,
        })
    }

    /// A curve at these keys.
    pub(super) fn sampled(self, channel: &SceneChannel, is_linear: bool) -> SceneChannel {
        let keys = match channel.is_constant() {
            true => vec![0, self.last],
            false => (0..=self.last).collect(),
        };
        let times = keys.into_iter().map(|key| f64::from(key) * self.step);
        let (times, values) = times
            .filter_map(|time| Some((time as f32, value_at(channel, time, is_linear)?)))
            .unzip();
        SceneChannel {
            times,
            values,
            ..channel.clone()
        }
    }
}

/// Times and values of a sampled curve. One with two keys was shortened, because nothing moves; rounding may make them
/// unequal.
pub(super) fn samples(channel: &SceneChannel, step: f64) -> Vec<(f64, [f32; 4])> {
    let keys = channel.times.iter().zip(&channel.values);
    let keys: Vec<(f64, [f32; 4])> = keys
        .map(|(time, value)| (f64::from(*time), *value))
        .collect();
    let [(start, first), .., (end, last)] = keys[..] else {
        return keys;
    };
    let frames = (end - start) / step;
    if keys.len() > 2 || !is_one(channel.moves, first, last, SAMPLED) || frames > MAX_SAMPLES {
        return keys;
    }
    let count = frames.round() as usize;
    (0..=count)
        .map(|frame| (start + frame as f64 * step, first))
        .collect()
}

/// The value of a curve at a time. Blender interpolates the numbers of rotations.
pub(super) fn value_at(channel: &SceneChannel, time: f64, is_linear: bool) -> Option<[f32; 4]> {
    if !is_linear || channel.moves != Moves::Rotation || channel.between != Between::Line {
        return channel.at(time);
    }
    let Neighbors { before, next, part } = neighbors(channel, time)?;
    let (one, other) = (channel.values.get(before)?, channel.values.get(next)?);
    let turned: f32 = one.iter().zip(other).map(|(a, b)| a * b).sum();
    let sign = if turned < 0.0 { -1.0 } else { 1.0 };
    let mut mixed = [0.0; 4];
    for ((to, from), other) in mixed.iter_mut().zip(one).zip(other) {
        *to = from * (1.0 - part as f32) + sign * other * part as f32;
    }
    Some(unit(mixed))
}

/// A rotation of length 1.
fn unit(rotation: [f32; 4]) -> [f32; 4] {
    let length = rotation.iter().map(|it| it * it).sum::<f32>().sqrt();
    match length > 0.0 {
        true => rotation.map(|it| it / length),
        false => rotation,
    }
}

/// Keys around a time.
struct Neighbors {
    before: usize,
    next: usize,
    /// 0 at the first, 1 at the second.
    part: f64,
}

fn neighbors(channel: &SceneChannel, time: f64) -> Option<Neighbors> {
    let after = channel.times.partition_point(|&key| f64::from(key) < time);
    let next = after.min(channel.times.len().checked_sub(1)?);
    let before = next.saturating_sub(usize::from(after > 0 && after == next));
    let span = f64::from(channel.times[next] - channel.times[before]);
    let part = match span > 0.0 {
        true => ((time - f64::from(channel.times[before])) / span).clamp(0.0, 1.0),
        false => 1.0,
    };
    Some(Neighbors { before, next, part })
}

/// Steps in which the lengths of interpolated rotations are found.
const ROUNDS: usize = 6;

/// The curve with the keys of the original that comes nearest to samples, by least squares. Keys that are not edited
/// keep their value. `None`: it would not show the samples.
pub(super) fn fitted(
    old: &SceneChannel,
    samples: &[(f64, [f32; 4])],
    is_linear: bool,
) -> Option<SceneChannel> {
    let mut wanted = old.clone();
    let is_rotation = old.moves == Moves::Rotation;
    if old.between == Between::Step {
        for (value, time) in wanted.values.iter_mut().zip(&old.times) {
            let mut after = samples.iter();
            if let Some((_, found)) = after.find(|(at, _)| *at >= f64::from(*time) - 1e-4) {
                *value = *found;
            }
        }
    } else {
        let rounds = if is_rotation { ROUNDS } else { 1 };
        for _ in 0..rounds {
            wanted.values = nearest(old, &wanted, samples)?;
        }
    }
    for (value, was) in wanted.values.iter_mut().zip(&old.values) {
        if is_rotation {
            *value = unit(*value);
        }
        if is_one(old.moves, *was, *value, SAMPLED) {
            *value = *was;
        }
    }
    let shows = |(time, value): &(f64, [f32; 4])| {
        let found = value_at(&wanted, *time, is_linear);
        found.is_some_and(|found| is_one(old.moves, found, *value, 8.0 * SAMPLED))
    };
    samples.iter().all(shows).then_some(wanted)
}

/// Values of the keys that come nearest to samples. Interpolated rotations are shorter than 1, those of `known` by nearly as much.
fn nearest(
    old: &SceneChannel,
    known: &SceneChannel,
    samples: &[(f64, [f32; 4])],
) -> Option<Vec<[f32; 4]>> {
    // Keys that no sample shows keep their value.
    const KEPT: f64 = 1e-7;
    let mut on = vec![KEPT; old.times.len()];
    let mut beside = vec![0.0; old.times.len()];
    let kept = |row: &[f32; 4]| row.map(|it| f64::from(it) * KEPT);
    let mut sums: Vec<[f64; 4]> = old.values.iter().map(kept).collect();
    for (time, value) in samples {
        let Neighbors { before, next, part } = neighbors(old, *time)?;
        let mut scale = 1.0;
        if old.moves == Moves::Rotation {
            let (one, other) = (known.values[before], known.values[next]);
            let mut length = 0.0;
            let mut along = 0.0;
            for axis in 0..4 {
                let mixed = f64::from(one[axis]) * (1.0 - part) + f64::from(other[axis]) * part;
                length += mixed * mixed;
                along += mixed * f64::from(value[axis]);
            }
            scale = length.sqrt().copysign(along);
        }
        for (at, weight) in [(before, 1.0 - part), (next, part)] {
            on[at] += weight * weight;
            for (sum, value) in sums[at].iter_mut().zip(value) {
                *sum += weight * scale * f64::from(*value);
            }
        }
        if before != next {
            beside[before] += part * (1.0 - part);
        }
    }
    let solved = solve(on, &beside, sums);
    Some(
        solved
            .into_iter()
            .map(|row| row.map(|it| it as f32))
            .collect(),
    )
}

/// Solves a symmetric tridiagonal system.
fn solve(mut on: Vec<f64>, beside: &[f64], mut sums: Vec<[f64; 4]>) -> Vec<[f64; 4]> {
    for row in 1..on.len() {
        let factor = beside[row - 1] / on[row - 1];
        on[row] -= factor * beside[row - 1];
        let above = sums[row - 1];
        for (sum, above) in sums[row].iter_mut().zip(above) {
            *sum -= factor * above;
        }
    }
    for row in (0..on.len()).rev() {
        let below = sums.get(row + 1).copied().unwrap_or_default();
        let weight = beside.get(row).copied().unwrap_or_default();
        for (sum, below) in sums[row].iter_mut().zip(below) {
            *sum = (*sum - weight * below) / on[row];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(times: &[f32], values: &[f32]) -> SceneChannel {
        SceneChannel {
            node: 0,
            moves: Moves::Translation,
            between: Between::Line,
            times: times.to_vec(),
            values: values.iter().map(|&it| [it, 0.0, 0.0, 0.0]).collect(),
        }
    }

    fn sampled(channel: &SceneChannel, frames: f64) -> Vec<(f64, [f32; 4])> {
        let count = (f64::from(channel.end()) * frames + 1e-6) as usize;
        (0..=count)
            .map(|frame| frame as f64 / frames)
            .map(|time| (time, channel.at(time).unwrap()))
            .collect()
    }

    #[test]
    fn keys_between_frames_are_found_from_sampled_curves() {
        let times: Vec<f32> = (0..12).map(|key| key as f32 * 0.1).collect();
        let mut values: Vec<f32> = (0..12).map(|key| (key * key % 7) as f32).collect();
        let old = line(&times, &values);
        values[5] += 2.5;
        let edit = line(&times, &values);
        for frames in [24.0, 30.0] {
            let found = fitted(&old, &sampled(&edit, frames), true).unwrap();
            for (number, (one, other)) in found.values.iter().zip(&edit.values).enumerate() {
                assert!((one[0] - other[0]).abs() < 2e-3, "key {number} at {frames}");
                assert!(number == 5 || *one == old.values[number]);
            }
        }
    }

    #[test]
    fn a_still_curve_whose_two_keys_are_rounded_is_shown_by_all_keys() {
        let times: Vec<f32> = (0..8).map(|key| key as f32 * 0.1).collect();
        let old = line(&times, &[1.0; 8]);
        let edit = line(&[0.0, 0.7], &[3.0, 3.000_001]);
        let found = fitted(&old, &samples(&edit, 1.0 / 24.0), true).unwrap();
        let mut values = found.values.iter();
        assert!(values.all(|row| (row[0] - 3.0).abs() < 2e-3), "{found:?}");
    }

    #[test]
    fn a_longer_clip_gets_more_keys_at_the_distances_of_the_original() {
        let times =
            |count: u8| -> Vec<f32> { (0..count).map(|key| f32::from(key) / 16.0).collect() };
        let old = line(&times(9), &[0.0, 3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]);
        let mut values: Vec<f32> = old.values.iter().map(|row| row[0]).collect();
        values.extend([5.0, 3.0, 5.0, 8.0]);
        let wanted = line(&times(13), &values);
        let of = |channel: &SceneChannel| Channels::from([((0, "translation"), channel.clone())]);
        for frames in [24.0, 30.0] {
            let samples = sampled(&wanted, frames);
            let (times, values) = samples
                .iter()
                .map(|(time, row)| (*time as f32, *row))
                .unzip();
            let new = SceneChannel {
                times,
                values,
                ..old.clone()
            };
            let keys = Frames::of(&of(&old), &of(&new), 1.0 / frames).unwrap();
            let found = fitted(&keys.sampled(&new, true), &samples, true).unwrap();
            assert_eq!(found.times, wanted.times);
            for (one, other) in found.values.iter().zip(&wanted.values) {
                assert!((one[0] - other[0]).abs() < 2e-3, "{one:?} {other:?}");
            }
        }
        assert!(Frames::of(&of(&old), &of(&old), 1.0 / 24.0).is_none());
    }
}
