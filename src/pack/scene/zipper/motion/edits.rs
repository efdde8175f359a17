//! Differences between edited animations of motions and the animations as they were.

use std::collections::HashMap;

use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::{index_of, match_nodes};
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::curve::{Between, Moves, SceneChannel, SceneClip, distance};

/// A changed motion.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) struct MotionChange {
    /// The original animation, and the edited one.
    pub clips: [usize; 2],
    /// The archive, below the install, and the member.
    pub archive: String,
    pub member: String,
    /// Seconds; `None`: unchanged.
    pub seconds: Option<f32>,
    pub tracks: Vec<TrackChange>,
    /// Old extras of the animation.
    was: Value,
}

/// A changed track of a part.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) struct TrackChange {
    /// The node that the part moves.
    pub part: String,
    /// The original channel and the edited one.
    pub channels: [SceneChannel; 2],
}

/// Compares the motions of an edited scene with the original ones.
///
/// # Errors
/// An animation has contents that a motion cannot store.
pub(in crate::pack::scene) fn compare(
    base: &SceneFile,
    edited: &SceneFile,
) -> Result<Vec<MotionChange>, Refusal> {
    let mut changes = Vec::new();
    if !base.clips.iter().any(|clip| clip.motion().is_some()) {
        return Ok(changes);
    }
    let nodes = match_nodes(base, edited)?;
    let back: HashMap<usize, usize> = nodes
        .iter()
        .enumerate()
        .filter_map(|(from, to)| Some(((*to)?, from)))
        .collect();
    for (number, old) in base.clips.iter().enumerate() {
        let Some((archive, member)) = old.motion() else {
            continue;
        };
        let place = same_clip(edited, number, &old.name)?;
        let Some(new) = edited.clips.get(place) else {
            continue;
        };
        let inside = |refusal: Refusal| refusal!("animation {}: {refusal}", old.name);
        compare_facts(&old.facts, &new.facts).map_err(inside)?;
        let tracks = tracks(base, old, new, &nodes, &back).map_err(inside)?;
        let seconds = seconds(old, new);
        if let Some(seconds) = seconds {
            let is_even =
                |channel: &SceneChannel| (channel.end() - seconds).abs() <= 1e-4 * seconds.max(1.0);
            if seconds <= 0.0 || !new.channels.iter().all(is_even) {
                return Err(inside(refusal!(
                    "its channels end at different times; all parts of a motion must have the same length"
                )));
            }
        }
        if !tracks.is_empty() || seconds.is_some() {
            changes.push(MotionChange {
                clips: [number, place],
                archive: archive.to_owned(),
                member: member.to_owned(),
                seconds,
                tracks,
                was: old.facts.clone(),
            });
        }
    }
    Ok(changes)
}

/// The edited animation of this name.
///
/// # Errors
/// There is none.
fn same_clip(edited: &SceneFile, number: usize, name: &str) -> Result<usize, Refusal> {
    let at = |number: usize| edited.clips.get(number).map(|clip| &*clip.name);
    if at(number) == Some(name) {
        return Ok(number);
    }
    let found = edited.clips.iter().position(|clip| clip.name == name);
    found.ok_or_else(|| {
        refusal!("animation {name}: it was removed or renamed, which is not supported")
    })
}

/// Checks that facts of a motion are unchanged, except those that its keys determine.
fn compare_facts(old: &Value, new: &Value) -> Result<(), Refusal> {
    let none = serde_json::Map::new();
    let (old, new) = (
        old.as_object().unwrap_or(&none),
        new.as_object().unwrap_or(&none),
    );
    let mut keys = old.keys().chain(new.keys());
    let other = keys.find(|key| {
        !matches!(key.as_str(), "loopTime" | "frames") && old.get(*key) != new.get(*key)
    });
    match other {
        None => Ok(()),
        Some(key) => Err(refusal!(
            "extras.zipper.{key} cannot be packed; only the keys of its channels can"
        )),
    }
}

/// New length, if it changed.
fn seconds(old: &SceneClip, new: &SceneClip) -> Option<f32> {
    let end = |clip: &SceneClip| {
        let ends = clip.channels.iter().map(SceneChannel::end);
        ends.fold(0.0, f32::max)
    };
    let (had, has) = (end(old), end(new));
    ((had - has).abs() > 1e-5 * had).then_some(has)
}

fn tracks(
    base: &SceneFile,
    old: &SceneClip,
    new: &SceneClip,
    nodes: &[Option<usize>],
    back: &HashMap<usize, usize>,
) -> Result<Vec<TrackChange>, Refusal> {
    let name = |node: usize| {
        let node = base.nodes.get(node);
        node.map(|node| node.name.clone()).unwrap_or_default()
    };
    let mut changes = Vec::new();
    for channel in &old.channels {
        let node = nodes.get(channel.node).copied().flatten();
        let mut others = new.channels.iter();
        let found = others.find(|it| Some(it.node) == node && it.moves == channel.moves);
        let Some(found) = found else {
            refuse!(
                "it no longer moves {name}, which the game expects; keep {name} and its keys (to hide it, remove active from its extras.zipper.flags)",
                name = name(channel.node)
            );
        };
        if is_same(channel, found) {
            continue;
        }
        let is_readable = match found.between {
            Between::Line => true,
            Between::Step => found.is_constant(),
            Between::Other => false,
        };
        if !is_readable {
            refuse!(
                "the keys of {} are steps, a spline, or invalid; motions interpolate linearly",
                name(channel.node)
            );
        }
        let in_order = found.times.windows(2).all(|pair| pair[0] < pair[1]);
        if !in_order || found.times.first().is_some_and(|&first| first < 0.0) {
            refuse!(
                "the times of the keys of {} must increase from 0",
                name(channel.node)
            );
        }
        let part = base.nodes.get(channel.node).and_then(|node| {
            index_of(node)?;
            node.extras.get("zipper")?.get("name")?.as_str()
        });
        changes.push(TrackChange {
            part: part.map_or_else(|| name(channel.node), str::to_owned),
            channels: [channel.clone(), found.clone()],
        });
    }
    for channel in &new.channels {
        let from = back.get(&channel.node).copied();
        let mut known = old.channels.iter();
        if known.any(|it| Some(it.node) == from && it.moves == channel.moves) {
            continue;
        }
        refuse!(
            "it has a new track for {}; tracks cannot be added",
            from.map(name).unwrap_or_default()
        );
    }
    Ok(changes)
}

/// True if a curve is as it was.
fn is_same(old: &SceneChannel, new: &SceneChannel) -> bool {
    old.between == new.between && old.times == new.times && old.values == new.values
}

/// Applies rest poses that follow an edited motion: packed nodes take the transform of the edit if the edit did not
/// move them itself.
pub(in crate::pack::scene) fn settle(
    after: &mut SceneFile,
    base: &SceneFile,
    edited: &SceneFile,
    changes: &[MotionChange],
) -> Result<usize, Refusal> {
    let mut settled = 0;
    if changes.is_empty() {
        return Ok(settled);
    }
    let nodes = match_nodes(base, edited)?;
    for channel in changes.iter().flat_map(|change| &change.tracks) {
        let [old, _] = &channel.channels;
        let to = nodes.get(old.node).copied().flatten();
        let pair = (
            base.nodes.get(old.node),
            to.and_then(|to| edited.nodes.get(to)),
        );
        let found = after.nodes.get_mut(old.node);
        if let ((Some(was), Some(edit)), Some(found)) = (pair, found)
            && index_of(was) == index_of(found)
            && was.local == edit.local
            && found.local != edit.local
        {
            found.local = edit.local;
            settled += 1;
        }
    }
    Ok(settled)
}

/// Checks that the packed file shows the edits, and reports the rounding.
///
/// # Errors
/// A motion differs.
pub(in crate::pack::scene) fn check(
    after: &SceneFile,
    edited: &SceneFile,
    changes: &[MotionChange],
) -> Result<Option<String>, Refusal> {
    if changes.is_empty() {
        return Ok(None);
    }
    let nodes = match_nodes(after, edited)?;
    let mut worst = 0.0_f32;
    for change in changes {
        let [_, place] = change.clips;
        let Some(wanted) = edited.clips.get(place) else {
            continue;
        };
        let shows = |clip: &&SceneClip| clip.motion() == Some((&*change.archive, &*change.member));
        let inside = |what: &str| refusal!("animation {}: the packed file {what}", wanted.name);
        let found = after.clips.iter().find(shows);
        let found = found.ok_or_else(|| inside("does not show it"))?;
        for track in &change.tracks {
            let off = check_track(found, track, &nodes);
            worst = worst.max(off.map_err(|what| inside(&what))?);
        }
        if let Some(seconds) = change.seconds
            && (found
                .channels
                .iter()
                .map(SceneChannel::end)
                .fold(0.0, f32::max)
                - seconds)
                .abs()
                > 1e-4 * seconds.max(1.0)
        {
            return Err(inside("has another length"));
        }
        if let Some(key) = other_fact(&change.was, &wanted.facts, &found.facts) {
            return Err(inside(&format!(
                "has another extras.zipper.{key}, which is derived from the keys"
            )));
        }
    }
    Ok(Some(match worst > 1e-4 {
        true => format!(
            "motions are shared by all models that have them; keys are rounded to their frames, by at most {worst:.4}"
        ),
        false => "motions are shared by all models that have them".to_owned(),
    }))
}

/// Largest error of a packed track at the keys of the edit, relative to the larger of 1 and the value.
///
/// # Errors
/// The error is too large.
fn check_track(
    found: &SceneClip,
    track: &TrackChange,
    nodes: &[Option<usize>],
) -> Result<f32, String> {
    let [_, edit] = &track.channels;
    let mut channels = found.channels.iter();
    let channel = channels.find(|channel| {
        let node = nodes.get(channel.node).copied().flatten();
        node == Some(edit.node) && channel.moves == edit.moves
    });
    let channel = channel.ok_or_else(|| format!("does not move {}", track.part))?;
    let mut worst = 0.0_f32;
    for (&time, &value) in edit.times.iter().zip(&edit.values) {
        let shown = channel.at(f64::from(time)).unwrap_or_default();
        let off = distance(edit.moves, shown, value) / size_of(edit.moves, value);
        if off > 2e-4 {
            return Err(format!(
                "has {} off by {off} at {time} s, because its frames are too far apart for this key",
                track.part
            ));
        }
        worst = worst.max(off);
    }
    Ok(worst)
}

/// Scale for differences of a value.
fn size_of(moves: Moves, value: [f32; 4]) -> f32 {
    let [x, y, z, _] = value.map(f32::abs);
    match moves {
        Moves::Rotation => 1.0,
        _ => x.max(y).max(z).max(1.0),
    }
}

/// A fact that an edit changed, and that differs in the packed file.
fn other_fact(was: &Value, wanted: &Value, found: &Value) -> Option<&'static str> {
    ["loopTime", "frames"].into_iter().find(|key| {
        let numbers = [wanted, found].map(|facts| facts.get(*key).and_then(Value::as_f64));
        let is_near = match numbers {
            [Some(old), Some(new)] => (old - new).abs() <= 1e-4 * old.abs().max(1.0),
            [old, new] => old == new,
        };
        // Facts that the edit did not change follow from the keys.
        was.get(*key) != wanted.get(*key) && !is_near
    })
}
