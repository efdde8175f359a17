//! Clips: the keys of the original, with the edited values. Programs that sample a clip write other keys of the same
//! curves; the original is compared with them at the times that they have.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::builder::Builder;
use super::nodes::NodePairs;
use super::noise::{Change, Noise};
use super::pair::Pair;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::file::curve::{Between, Moves, SceneChannel, distance};
use crate::pack::scene::file::{Document, SceneFile};

/// Largest difference of values of a sampled curve, relative to the larger of 1 and the number.
const SAMPLED: f32 = 2e-4;

/// Most keys that are made for a curve without changes.
const MAX_SAMPLES: f64 = 65536.0;

/// Curves of one clip by node and property.
type Channels = HashMap<(usize, &'static str), SceneChannel>;

/// First values of the curves of each node.
pub(super) type Starts = HashMap<usize, Vec<(Moves, [f32; 4])>>;

fn path_of(moves: Moves) -> &'static str {
    match moves {
        Moves::Translation => "translation",
        Moves::Rotation => "rotation",
        Moves::Scale => "scale",
        Moves::Other => "",
    }
}

/// Puts the edited curves into the clips of the original.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn restore(
    pair: Pair<'_>,
    nodes: &NodePairs,
    builder: &mut Builder,
    noise: &mut Noise,
) -> Result<(), Refusal> {
    let [old, new] = [pair.base, pair.edited].map(|document| items(&document.json, "animations"));
    if new.is_empty() {
        // Without the option to write them.
        noise.add(Change::LeftOut, old.len());
        return Ok(());
    }
    let names: Vec<&str> = new.iter().map(name).collect();
    let mut is_used = vec![false; new.len()];
    let mut lost = Vec::new();
    for (number, clip) in old.iter().enumerate() {
        let mut free = |fits: &dyn Fn(&str) -> bool| {
            let at = (0..new.len()).find(|&at| !is_used[at] && fits(names[at]))?;
            is_used[at] = true;
            Some(at)
        };
        let own = name(clip);
        let found = free(&|it| it == own);
        let found = found.or_else(|| {
            free(&|it| {
                let plain = plain_name(it);
                plain == own || (plain.len() >= 58 && own.starts_with(plain))
            })
        });
        let has_curves = items(clip, "channels").iter().any(|it| {
            ["translation", "rotation", "scale"]
                .contains(&it["target"]["path"].as_str().unwrap_or_default())
        });
        match found {
            Some(found) => {
                let edit = Clip::new(pair, nodes, clip, &new[found])?;
                edit.restore(number, builder, noise);
            }
            // A program does not know what such clips change.
            None if !has_curves => noise.add(Change::LeftOut, 1),
            None => lost.push(own),
        }
    }
    if let Some(own) = lost.first() {
        refuse!(
            "clip {own}: it was removed; export all actions (Blender: Animation > Animation mode > Actions)"
        );
    }
    if let Some(at) = is_used.iter().position(|used| !used) {
        let has_effect = items(&new[at], "channels").iter().any(|channel| {
            let node = index(&channel["target"]["node"]);
            node.is_some_and(|node| nodes.base.get(node).copied().flatten().is_some())
        });
        if has_effect {
            refuse!("clip {}: it was added, which is not supported", names[at]);
        }
    }
    Ok(())
}

/// For each edited node the first values of its curves.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn starts(pair: Pair<'_>) -> Result<Starts, Refusal> {
    let mut all = Starts::new();
    if pair.exporter.frames.is_none() {
        return Ok(all);
    }
    for clip in items(&pair.edited.json, "animations") {
        for ((node, _), channel) in channels(pair.edited, clip)? {
            if let Some(&first) = channel.values.first() {
                all.entry(node).or_default().push((channel.moves, first));
            }
        }
    }
    Ok(all)
}

fn name(clip: &Value) -> &str {
    clip["name"].as_str().unwrap_or_default()
}

/// The curves of a clip.
fn channels(document: &Document, clip: &Value) -> Result<Channels, Refusal> {
    let mut all = Channels::new();
    for channel in items(clip, "channels") {
        let target = &channel["target"];
        let moves = match target["path"].as_str() {
            Some("translation") => Moves::Translation,
            Some("rotation") => Moves::Rotation,
            Some("scale") => Moves::Scale,
            _ => continue,
        };
        let Some(node) = index(&target["node"]) else {
            continue;
        };
        let sampler = index(&channel["sampler"]).map_or(&Value::Null, |at| &clip["samplers"][at]);
        let (Some(input), Some(output)) = (index(&sampler["input"]), index(&sampler["output"]))
        else {
            continue;
        };
        let times = document.rows::<1>(input)?;
        let times: Vec<f32> = times.iter().map(|[time]| *time as f32).collect();
        let values: Vec<[f32; 4]> = match moves {
            Moves::Rotation => {
                let rows = document.rows::<4>(output)?;
                rows.iter().map(|row| row.map(|it| it as f32)).collect()
            }
            _ => {
                let rows = document.rows::<3>(output)?;
                let wide = |[x, y, z]: &[f64; 3]| [*x as f32, *y as f32, *z as f32, 0.0];
                rows.iter().map(wide).collect()
            }
        };
        let between = match sampler["interpolation"].as_str() {
            None | Some("LINEAR") => Between::Line,
            Some("STEP") => Between::Step,
            _ => Between::Other,
        };
        if values.len() != times.len() || values.is_empty() || between == Between::Other {
            refuse!(
                "clip {}: a curve has tangents; export with sampled animations",
                name(clip)
            );
        }
        let channel = SceneChannel {
            node,
            moves,
            between,
            times,
            values,
        };
        all.insert((node, path_of(moves)), channel);
    }
    Ok(all)
}

/// A clip of the original and the edited one.
struct Clip<'f> {
    pair: Pair<'f>,
    nodes: &'f NodePairs,
    json: &'f Value,
    old: Channels,
    new: Channels,
    /// Seconds between the keys of the edit; `None`: it has the keys of the person.
    step: Option<f64>,
    /// The keys of a clip that was made longer or shorter.
    frames: Option<Frames>,
}

/// Evenly spaced keys from 0 on.
#[derive(Debug, Clone, Copy)]
struct Frames {
    /// Seconds.
    step: f64,
    /// Number of the last one.
    last: u32,
}

impl Frames {
    /// The keys of an edited clip of another length: at the distances of the original, if these are even. `step` is the
    /// distance of the keys of the program, which may end a clip one of them earlier or later.
    fn of(old: &Channels, new: &Channels, step: f64) -> Option<Self> {
        let end = |channels: &Channels| {
            let ends = channels.values().map(|channel| f64::from(channel.end()));
            ends.fold(0.0, f64::max)
        };
        let (had, has) = (end(old), end(new));
        if (had - has).abs() <= 1.01 * step + 1e-3 {
            return None;
        }
        let longest = old.values().max_by_key(|channel| channel.times.len())?;
        let gaps = longest
            .times
            .windows(2)
            .map(|two| f64::from(two[1] - two[0]));
        let own = gaps.clone().next().filter(|own| *own > 1e-4)?;
        let is_even = gaps.into_iter().all(|gap| (gap - own).abs() <= 1e-3);
        let last = (has / own).round();
        (is_even && (1.0..=MAX_SAMPLES).contains(&last)).then_some(Self {
            step: own,
            last: last as u32,
        })
    }

    /// A curve at these keys.
    fn sampled(self, channel: &SceneChannel, is_linear: bool) -> SceneChannel {
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

/// The value that a node has at rest.
fn at_rest(file: &SceneFile, node: usize, moves: Moves) -> [f32; 4] {
    let local = file.nodes[node].local;
    let wide = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
    match moves {
        Moves::Rotation => local.rotation,
        Moves::Scale => wide(local.scale),
        _ => wide(local.translation),
    }
}

fn is_one(moves: Moves, one: [f32; 4], other: [f32; 4], tolerance: f32) -> bool {
    let size = match moves {
        Moves::Rotation => 1.0,
        _ => one
            .iter()
            .take(3)
            .fold(1.0_f32, |most, it| most.max(it.abs())),
    };
    distance(moves, one, other) <= tolerance * size
}

impl<'f> Clip<'f> {
    fn new(
        pair: Pair<'f>,
        nodes: &'f NodePairs,
        json: &'f Value,
        edited: &Value,
    ) -> Result<Self, Refusal> {
        let old = channels(pair.base, json)?;
        let mut new = Channels::new();
        for ((node, path), mut channel) in channels(pair.edited, edited)? {
            match nodes.base.get(node).copied().flatten() {
                Some(original) => {
                    channel.node = original;
                    new.insert((original, path), channel);
                }
                None => {
                    let first = channel.values.first().copied().unwrap_or_default();
                    let mut values = channel.values.iter();
                    if !values.all(|value| is_one(channel.moves, first, *value, SAMPLED)) {
                        let node = pair.edited_scene.nodes.get(node);
                        refuse!(
                            "clip {}: it moves {}, which the game does not have",
                            name(edited),
                            node.map_or("", |node| &*node.name)
                        );
                    }
                }
            }
        }
        let step = pair.exporter.frames.map(|frames| {
            let gaps = new.values().filter(|channel| channel.times.len() > 2);
            let gaps = gaps.flat_map(|channel| channel.times.windows(2));
            let least = gaps
                .map(|two| f64::from(two[1] - two[0]))
                .filter(|gap| *gap > 1e-4);
            // Whole numbers of frames a second.
            let least = least.fold(f64::INFINITY, f64::min);
            match least.is_finite() {
                true => 1.0 / (1.0 / least).round().max(1.0),
                false => 1.0 / frames,
            }
        });
        let frames = step.and_then(|step| Frames::of(&old, &new, step));
        Ok(Self {
            pair,
            nodes,
            json,
            old,
            new,
            step,
            frames,
        })
    }

    fn restore(self, number: usize, builder: &mut Builder, noise: &mut Noise) {
        let mut keys: Vec<(usize, &'static str)> =
            self.old.keys().chain(self.new.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let mut samplers = items(self.json, "samplers").to_vec();
        let mut channels = items(self.json, "channels").to_vec();
        let mut is_changed = false;
        for key in keys {
            let found = |channels: &[Value]| {
                channels.iter().position(|channel| {
                    let target = &channel["target"];
                    index(&target["node"]) == Some(key.0) && target["path"] == key.1
                })
            };
            match (self.old.get(&key), self.new.get(&key)) {
                (Some(old), Some(new)) => {
                    let Some(wanted) = self.edited(old, new) else {
                        noise.add(Change::Curve, usize::from(old.times != new.times));
                        continue;
                    };
                    if let Some(at) = found(&channels) {
                        channels[at]["sampler"] = samplers.len().into();
                        samplers.push(write(&wanted, builder));
                        is_changed = true;
                    }
                }
                // Programs leave out curves without changes.
                (Some(old), None) => {
                    let Some(at) = found(&channels) else { continue };
                    match self.frames {
                        Some(frames) if self.is_at_rest(old) => {
                            let wanted = frames.sampled(old, self.is_linear());
                            channels[at]["sampler"] = samplers.len().into();
                            samplers.push(write(&wanted, builder));
                        }
                        None if self.is_at_rest(old) => continue,
                        _ => {
                            channels.remove(at);
                        }
                    }
                    is_changed = true;
                }
                (None, Some(new)) => {
                    if !self.is_at_rest(new) {
                        channels.push(json!({
                            "sampler": samplers.len(),
                            "target": {"node": key.0, "path": key.1},
                        }));
                        samplers.push(write(new, builder));
                        is_changed = true;
                    }
                }
                (None, None) => {}
            }
        }
        if is_changed && let Some(clip) = builder.entry("animations", number) {
            clip.insert("samplers".to_owned(), samplers.into());
            clip.insert("channels".to_owned(), channels.into());
        }
    }

    fn is_linear(&self) -> bool {
        self.pair.exporter.is_linear_in_rotations
    }

    /// True if a curve always has the value that its node has at rest. Blender's bones have no scale at rest.
    fn is_at_rest(&self, channel: &SceneChannel) -> bool {
        let (node, moves) = (channel.node, channel.moves);
        let edited = self.nodes.edited[node];
        let edited = edited.map(|edited| at_rest(self.pair.edited_scene, edited, moves));
        let rests = [Some(at_rest(self.pair.base_scene, node, moves)), edited];
        rests.into_iter().flatten().any(|rest| {
            let mut values = channel.values.iter();
            values.all(|value| is_one(moves, rest, *value, SAMPLED))
        })
    }

    /// The edited curve with the keys of the original; `None` if it is not edited.
    fn edited(&self, old: &SceneChannel, new: &SceneChannel) -> Option<SceneChannel> {
        let Some(step) = self.step else {
            let is_same = old.times == new.times && old.values == new.values;
            return (!is_same).then(|| new.clone());
        };
        let samples = samples(new, step);
        if let Some(frames) = self.frames {
            let sampled = frames.sampled(new, self.is_linear());
            return Some(fitted(&sampled, &samples, self.is_linear()).unwrap_or(sampled));
        }
        let is_near = |&(time, value): &(f64, [f32; 4])| {
            // A program may take the value before or after a step.
            let near = |time: f64| {
                value_at(old, time, self.is_linear())
                    .is_some_and(|was| is_one(old.moves, was, value, SAMPLED))
            };
            near(time)
                || (old.between == Between::Step
                    && (near(time - 0.51 * step) || near(time + 0.51 * step)))
        };
        if samples.iter().all(is_near) {
            return None;
        }
        Some(
            fitted(old, &samples, self.is_linear()).unwrap_or_else(|| SceneChannel {
                node: old.node,
                ..new.clone()
            }),
        )
    }
}

/// Times and values of a sampled curve. One with two equal keys was shortened.
fn samples(channel: &SceneChannel, step: f64) -> Vec<(f64, [f32; 4])> {
    let keys = channel.times.iter().zip(&channel.values);
    let keys: Vec<(f64, [f32; 4])> = keys
        .map(|(time, value)| (f64::from(*time), *value))
        .collect();
    let [(start, first), .., (end, last)] = keys[..] else {
        return keys;
    };
    let frames = (end - start) / step;
    if keys.len() > 2 || distance(channel.moves, first, last) > 0.0 || frames > MAX_SAMPLES {
        return keys;
    }
    let count = frames.round() as usize;
    (0..=count)
        .map(|frame| (start + frame as f64 * step, first))
        .collect()
}

/// The value of a curve at a time. Blender interpolates the numbers of rotations.
fn value_at(channel: &SceneChannel, time: f64, is_linear: bool) -> Option<[f32; 4]> {
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
fn fitted(
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

/// A sampler with the keys of a curve.
fn write(channel: &SceneChannel, builder: &mut Builder) -> Value {
    let times: Vec<[f32; 1]> = channel.times.iter().map(|time| [*time]).collect();
    let input = builder.rows(&times);
    let output = match channel.moves {
        Moves::Rotation => builder.rows(&channel.values),
        _ => {
            let rows: Vec<[f32; 3]> = channel
                .values
                .iter()
                .map(|&[x, y, z, _]| [x, y, z])
                .collect();
            builder.rows(&rows)
        }
    };
    let between = match channel.between {
        Between::Step => "STEP",
        _ => "LINEAR",
    };
    json!({"input": input, "output": output, "interpolation": between})
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
}
