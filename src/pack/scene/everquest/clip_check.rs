//! Check that packed clips show the edit, key by key.

use std::collections::HashMap;

use serde_json::Value;

use super::clips::{self, Clips, Moves, animations, edited_clips, part_of, targets};
use super::curves::{self, Curve, PARTS, Part, slack};
use super::packed::Packed;
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::shown;
use crate::pack::scene::file::Local;

/// Checks that the packed clips show the edit. Returns the number of rounded keys.
///
/// # Errors
/// One does not, or an unedited one changed.
pub(super) fn check(scene: &Scene<'_>, packed: &Packed<'_>) -> Result<usize, Refusal> {
    let mut rounded = 0_usize;
    let edited: HashMap<usize, usize> = edited_clips(scene)?.into_iter().collect();
    let visible = shown(&scene.base);
    for (number, clip) in animations(&scene.base_document).iter().enumerate() {
        let name = clip["name"].as_str().unwrap_or_default();
        let other = |what: &str| {
            refusal!(
                "clip {name}: {what} moves differently in the packed file: several clips or bones share its track"
            )
        };
        let found = animations(packed.document);
        let is_it = |found: &&Value| found["name"] == clip["name"];
        let same = found.get(number).filter(is_it);
        let Some(found) = same.or_else(|| found.iter().find(is_it)) else {
            // The game has no clips of nodes that are not placed any more.
            match targets(clip).any(|node| visible.contains(&node)) {
                true => return Err(other("all")),
                false => continue,
            }
        };
        let old = Moves {
            curves: curves::of(&scene.base_document, clip)?,
            nodes: Box::new(Some),
            file: &scene.base,
        };
        let now = Moves {
            curves: curves::of(packed.document, found)?,
            nodes: Box::new(|node| packed.node(scene.matches.get(node).copied().flatten()?)),
            file: packed.scene,
        };
        let new = match edited.get(&number) {
            Some(&own) => Some(clips::clips(scene, number, own)?),
            None => None,
        };
        for node in 0..scene.base.nodes.len() {
            let moves = [Some(&old), Some(&now), new.as_ref().map(|clips| &clips.new)];
            if !moves.into_iter().flatten().any(|moves| moves.has(node)) {
                continue;
            }
            for part in PARTS {
                let now = now.curve(node, part);
                let (Some(before), Some(now)) = (old.curve(node, part), now) else {
                    continue;
                };
                let wanted = new.as_ref();
                let has_other_end = wanted.is_some_and(Clips::has_other_end);
                let wanted = wanted.and_then(|clips| clips.new.curve(node, part));
                let slack = slack(part);
                let wanted = wanted.filter(|wanted| has_other_end || !before.has(wanted, slack));
                let Some(wanted) = wanted else {
                    if !before.has(&now, 1e-6) || !now.has(&before, 1e-6) {
                        return Err(other(scene.name(node)));
                    }
                    continue;
                };
                let compared = match has_other_end {
                    true => compare_whole(&wanted, &now, part),
                    false => compare_keys(&before, &wanted, &now, part, slack),
                };
                rounded += compared.ok_or_else(|| other(scene.name(node)))?;
            }
        }
    }
    Ok(rounded)
}

/// True if the rest pose of a bone equals the first frame of an edited clip: some rest poses are first frames.
pub(super) fn is_rest(scene: &Scene<'_>, node: usize, found: Local) -> bool {
    let clips = edited_clips(scene).unwrap_or_default().into_iter();
    let mut clips =
        clips.filter_map(|(clip, edited)| Some(clips::clips(scene, clip, edited).ok()?.new));
    clips.any(|clip| {
        PARTS.iter().all(|&part| {
            let curve = clip.curve(node, part);
            curve.is_some_and(|curve| curve.is_near(curve.at(0.0), part_of(found, part), 0.003))
        })
    })
}

/// Largest difference of an edited value.
fn allowed(part: Part) -> f64 {
    match part {
        Part::Translation | Part::Scale => 0.5 / 256.0 + 1e-4,
        Part::Rotation => 2e-4,
    }
}

/// Number of rounded keys of a clip with another end; `None` if a key of either curve differs by more.
fn compare_whole(wanted: &Curve, now: &Curve, part: Part) -> Option<usize> {
    let is_off = |time: &f64, allowed: f64| !now.is_near(now.at(*time), wanted.at(*time), allowed);
    let mut times = wanted.times.iter().chain(&now.times);
    let is_other = times.any(|time| is_off(time, allowed(part)));
    let rounded = now.times.iter().filter(|time| is_off(time, 1e-7));
    (!is_other).then(|| rounded.count())
}

/// Number of rounded keys; `None` if a key differs by more. Keys that hold or repeat a frame follow it.
fn compare_keys(
    before: &Curve,
    wanted: &Curve,
    now: &Curve,
    part: Part,
    slack: f64,
) -> Option<usize> {
    let mut rounded = 0_usize;
    let allowed = allowed(part);
    let last = now.times.len().saturating_sub(1);
    for (place, &time) in now.times.iter().enumerate() {
        let value = now.at(time);
        match before.changed_in(wanted, time, slack) {
            Some(wanted) => {
                if !now.is_near(value, wanted, allowed) {
                    return None;
                }
                rounded += usize::from(!now.is_near(value, wanted, 1e-7));
            }
            None => {
                let is_same = now.is_near(value, before.at(time), 1e-6);
                // The last key of a loop is its first frame, and the one before it may hold a shorter track.
                if !is_same && place + 1 < last {
                    return None;
                }
            }
        }
    }
    Some(rounded)
}
