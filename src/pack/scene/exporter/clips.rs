//! Clips: the keys of the original, with the edited values. Programs that sample a clip write other keys of the same
//! curves; the original is compared with them at the times that they have.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::builder::Builder;
use super::fit::{Channels, Frames, SAMPLED, fitted, is_one, other_end, samples, value_at};
use super::names::short;
use super::nodes::NodePairs;
use super::noise::{Change, Noise};
use super::pair::Pair;
use super::rest::MovedBones;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::file::curve::{Between, Moves, SceneChannel};
use crate::pack::scene::file::{Document, Local, SceneFile};
use relicast_limits as limits;

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
    (nodes, bones): (&NodePairs, &MovedBones),
    builder: &mut Builder,
    noise: &mut Noise,
) -> Result<(), Refusal> {
    let [old, new] = [pair.base, pair.edited].map(|document| items(&document.json, "animations"));
    if new.is_empty() {
        // Without the option to write them.
        noise.add(Change::Clip, old.len());
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
        let found = found.or_else(|| free(&|it| short(it) == short(own)));
        let has_curves = items(clip, "channels").iter().any(|it| {
            ["translation", "rotation", "scale"]
                .contains(&it["target"]["path"].as_str().unwrap_or_default())
        });
        match found {
            Some(found) => {
                let edit = Clip::new(pair, (nodes, bones), clip, &new[found])?;
                edit.restore(number, builder, noise);
            }
            // A program does not know what such clips change.
            None if !has_curves => noise.add(Change::Clip, 1),
            None if pair.exporter.leaves_out_still && is_still(pair, clip)? => {
                noise.add(Change::Clip, 1);
            }
            None => lost.push(number),
        }
    }
    if let &[number] = &*lost
        && let Some(at) = renamed(nodes, &old[number], new, &is_used)
    {
        let own = name(&old[number]);
        noise.put_unstored(format!("the new name of clip {own}"));
        let edit = Clip::new(pair, (nodes, bones), &old[number], &new[at])?;
        edit.restore(number, builder, noise);
        is_used[at] = true;
        lost.clear();
    }
    let is_added = |at: &usize| {
        items(&new[*at], "channels").iter().any(|channel| {
            let node = index(&channel["target"]["node"]);
            node.is_some_and(|node| nodes.base.get(node).copied().flatten().is_some())
        })
    };
    let free = (0..new.len()).filter(|&at| !is_used[at]);
    let mut added = Vec::new();
    for at in free.filter(is_added) {
        let mut rest = lost
            .iter()
            .map(|&number| Clip::new(pair, (nodes, bones), &old[number], &new[at]));
        if !rest.try_fold(false, |found, clip| {
            Ok::<_, Refusal>(found || clip?.is_rest())
        })? {
            added.push(names[at]);
        }
    }
    let lost: Vec<&str> = lost.iter().map(|&number| name(&old[number])).collect();
    if let (Some(own), Some(added)) = (lost.first(), added.first()) {
        refuse!(
            "clip {own}: it was deleted, or it is now {added}; games find clips by their names, so keep it under its name"
        );
    }
    // Games find clips by their names, and motions of several models are shared.
    for own in lost {
        noise.put_unstored(format!("the deletion of clip {own}, which stays as it was"));
    }
    for added in added {
        noise.put_unstored(format!("the new clip {added}"));
    }
    Ok(())
}

/// True if everything that a clip of the original moves stays where it is at rest.
fn is_still(pair: Pair<'_>, clip: &Value) -> Result<bool, Refusal> {
    let channels = channels(pair.base, clip)?;
    Ok(channels.values().all(|channel| {
        let rest = at_rest(pair.base_scene, channel.node, channel.moves);
        let mut values = channel.values.iter();
        values.all(|value| is_one(channel.moves, rest, *value, SAMPLED))
    }))
}

/// The only unused clip of an edit that moves the same nodes in the same ways as an original clip.
fn renamed(nodes: &NodePairs, old: &Value, new: &[Value], is_used: &[bool]) -> Option<usize> {
    let wanted = targets(old, Some);
    let original = |node: usize| nodes.base.get(node).copied().flatten();
    let mut free = (0..new.len())
        .filter(|&at| !is_used[at] && targets(&new[at], original).is_superset(&wanted));
    let found = free.next();
    found.filter(|_| free.next().is_none())
}

/// Original nodes that a clip moves, with the ways.
fn targets(clip: &Value, original: impl Fn(usize) -> Option<usize>) -> BTreeSet<(usize, &str)> {
    let channels = items(clip, "channels").iter();
    let targets = channels.filter_map(|channel| {
        let target = &channel["target"];
        Some((original(index(&target["node"])?)?, target["path"].as_str()?))
    });
    targets.collect()
}

/// For each edited node the first values of its curves. Without its clips a program still writes their pose.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn starts(pair: Pair<'_>, nodes: &NodePairs) -> Result<Starts, Refusal> {
    let mut all = Starts::new();
    if pair.exporter.frames.is_none() {
        return Ok(all);
    }
    let has_clips = !items(&pair.edited.json, "animations").is_empty();
    let document = if has_clips { pair.edited } else { pair.base };
    for clip in items(&document.json, "animations") {
        for ((node, _), channel) in channels(document, clip)? {
            let node = match has_clips {
                true => Some(node),
                false => nodes.edited.get(node).copied().flatten(),
            };
            if let (Some(node), Some(&first)) = (node, channel.values.first()) {
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
    let mut size = 0_usize;
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
        size = size.saturating_add(times.len().saturating_mul(64));
        limits::try_reserve(size).map_err(Refusal::new)?;
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
    /// Bones that the edit moves at rest.
    bones: &'f MovedBones,
    json: &'f Value,
    old: Channels,
    new: Channels,
    /// Seconds between the keys of the edit; `None`: it has the keys of the person.
    step: Option<f64>,
    /// The keys of a clip that was made longer or shorter.
    frames: Option<Frames>,
}

/// The value that a node has at rest.
fn at_rest(file: &SceneFile, node: usize, moves: Moves) -> [f32; 4] {
    part_of(file.nodes[node].local, moves)
}

/// A part of a transform.
fn part_of(local: Local, moves: Moves) -> [f32; 4] {
    let wide = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
    match moves {
        Moves::Rotation => local.rotation,
        Moves::Scale => wide(local.scale),
        _ => wide(local.translation),
    }
}

impl<'f> Clip<'f> {
    fn new(
        pair: Pair<'f>,
        (nodes, bones): (&'f NodePairs, &'f MovedBones),
        json: &'f Value,
        edited: &Value,
    ) -> Result<Self, Refusal> {
        let old = channels(pair.base, json)?;
        let mut new = Channels::new();
        for ((node, path), mut channel) in channels(pair.edited, edited)? {
            match nodes.base.get(node).copied().flatten() {
                Some(original) => {
                    channel.node = original;
                    let bone = bones.get(&original);
                    if let Some(bone) = bone.filter(|_| channel.moves == Moves::Translation) {
                        for value in &mut channel.values {
                            let parts = value.iter_mut().zip(bone.offset);
                            parts.for_each(|(part, offset)| *part += offset);
                        }
                    }
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
        if let Some(step) = step {
            begin_together(&old, &mut new, step);
        }
        let frames = step.and_then(|step| Frames::of(&old, &new, step));
        Ok(Self {
            pair,
            nodes,
            bones,
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
                    if let Some(bone) = self.bones.get(&key.0).filter(|_| self.is_at_rest(old)) {
                        let rest = part_of(bone.local, old.moves);
                        if is_one(old.moves, rest, old.values[0], SAMPLED) {
                            continue;
                        }
                        let mut wanted = old.clone();
                        wanted.values.fill(rest);
                        channels[at]["sampler"] = samplers.len().into();
                        samplers.push(write(&wanted, builder));
                        is_changed = true;
                        continue;
                    }
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
        let end = self
            .step
            .and_then(|step| other_end(&self.old, &self.new, step));
        // Godot writes one key for a clip in which nothing moves.
        let has_length = self.new.values().any(|channel| channel.times.len() > 1);
        if !is_changed && end.is_some() && has_length {
            // Curves without changes have no length.
            let own = name(self.json);
            noise.put_unstored(format!(
                "the new length of clip {own}, in which nothing moves"
            ));
        }
        if is_changed && let Some(clip) = builder.entry("animations", number) {
            clip.insert("samplers".to_owned(), samplers.into());
            clip.insert("channels".to_owned(), channels.into());
        }
    }

    /// True if the edited clip has only unedited curves of the original: in Blender, an object may keep its part of a
    /// deleted clip.
    fn is_rest(&self) -> bool {
        self.new.iter().all(|(key, new)| {
            let old = self.old.get(key);
            self.is_at_rest(new) || old.is_some_and(|old| self.edited(old, new).is_none())
        })
    }

    fn is_linear(&self) -> bool {
        self.pair.exporter.is_linear_in_rotations
    }

    /// True if a curve always has the value that its node has at rest. Blender's bones have no scale at rest.
    fn is_at_rest(&self, channel: &SceneChannel) -> bool {
        let (node, moves) = (channel.node, channel.moves);
        let edited = self.nodes.edited[node];
        let edited = edited.map(|edited| at_rest(self.pair.edited_scene, edited, moves));
        let moved = self.bones.get(&node).map(|bone| part_of(bone.local, moves));
        let rests = [
            Some(at_rest(self.pair.base_scene, node, moves)),
            moved.or(edited),
        ];
        rests.into_iter().flatten().any(|rest| {
            let mut values = channel.values.iter();
            values.all(|value| is_one(moves, rest, *value, SAMPLED))
        })
    }

    /// The edited curve with the keys of the original; `None` if it is not edited.
    fn edited(&self, old: &SceneChannel, new: &SceneChannel) -> Option<SceneChannel> {
        let Some(step) = self.step else {
            // Keys between which a curve is straight may be left out.
            let shows = |curve: &SceneChannel, other: &SceneChannel| {
                let mut keys = curve.times.iter().zip(&curve.values);
                keys.all(|(time, value)| {
                    let found = other.at(f64::from(*time));
                    found.is_some_and(|found| is_one(old.moves, found, *value, 1e-4))
                })
            };
            let is_same = old.between == new.between
                && match old.times == new.times {
                    true => old.values == new.values,
                    false => shows(old, new) && shows(new, old),
                };
            return (!is_same).then(|| new.clone());
        };
        let samples = samples(new, step);
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
        if let Some(frames) = self.frames {
            let mut wanted = frames.sampled(new, self.is_linear());
            // Keys between samples: where these show the original, so do the keys.
            for (time, value) in wanted.times.iter().zip(&mut wanted.values) {
                let time = f64::from(*time);
                let after = samples.partition_point(|(at, _)| *at < time);
                let around = after.saturating_sub(1)..samples.len().min(after + 1);
                let is_old = time <= f64::from(old.end()) && samples[around].iter().all(is_near);
                if let Some(was) = value_at(old, time, self.is_linear()).filter(|_| is_old) {
                    *value = was;
                }
            }
            let mut wanted = fitted(&wanted, &samples, self.is_linear()).unwrap_or(wanted);
            close(old, &mut wanted, &samples);
            return Some(wanted);
        }
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

/// Makes a curve return to its first value exactly, if the original does, and its last samples, which end before it, lead
/// there.
fn close(old: &SceneChannel, wanted: &mut SceneChannel, samples: &[(f64, [f32; 4])]) {
    const NEAR: f32 = 0.01;
    let returns = old.values.len() > 1 && old.values.first() == old.values.last();
    let &[.., (before, from), (last, to)] = samples else {
        return;
    };
    let end = wanted.times.last().map_or(0.0, |&end| f64::from(end));
    if !returns || end <= last || last <= before {
        return;
    }
    let part = ((end - last) / (last - before)) as f32;
    let mut ahead = to;
    for (ahead, from) in ahead.iter_mut().zip(from) {
        *ahead += (*ahead - from) * part;
    }
    let first = wanted.values.first().copied();
    if let (Some(first), Some(last)) = (first, wanted.values.last_mut())
        && is_one(old.moves, first, ahead, NEAR)
    {
        *last = first;
    }
}

/// Moves a clip that begins one frame, `step` seconds, later than the original: Blender begins the strips of NLA tracks
/// at frame 1.
fn begin_together(old: &Channels, new: &mut Channels, step: f64) {
    let begin = |channels: &Channels| {
        let first = channels.values().filter_map(|it| it.times.first());
        first.copied().fold(f32::INFINITY, f32::min)
    };
    let late = begin(new) - begin(old);
    if (f64::from(late) - step).abs() < 1e-4 {
        for time in new.values_mut().flat_map(|it| &mut it.times) {
            *time -= late;
        }
    }
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
