//! Packs clips into the tracks of bones, frame by frame.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::clips::{Clips, animations, clips, edited_clips, part_of};
use super::corners::to_file;
use super::curves::{self, Curve, PARTS, Part, slack};
use super::edits::Place;
use super::frames::FrameEdit;
use super::movements::{Key, Movements, Wanted};
use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::file::{Document, SceneFile};

/// Edits of the frames of a track.
#[derive(Debug, Default)]
pub(super) struct TrackEdit {
    /// An output that asks for it.
    pub path: String,
    pub frames: BTreeMap<usize, FrameEdit>,
    /// The times of all frames in seconds, if the track gets others than it had.
    pub times: Option<Vec<f64>>,
}

/// Edits of tracks.
#[derive(Debug, Default)]
pub(super) struct Tracks(BTreeMap<Place, TrackEdit>);

/// The keys of the bones of a clip of the numbered scene.
fn keys_of(
    numbered: &Document,
    clip: usize,
    movements: &dyn Movements,
) -> Result<HashMap<usize, Vec<Key>>, Refusal> {
    let mut keys = HashMap::new();
    let Some(clip) = animations(numbered).get(clip) else {
        return Ok(keys);
    };
    for ((node, part), curve) in curves::of(numbered, clip)? {
        if part != Part::Translation {
            continue;
        }
        let of_key = |(&time, value): (&f64, &[f64; 4])| movements.key(*value, time);
        let found: Option<Vec<Key>> = curve.times.iter().zip(&curve.values).map(of_key).collect();
        if let Some(found) = found {
            keys.insert(node, found);
        }
    }
    Ok(keys)
}

impl Tracks {
    /// Collects the edits of the clips of a scene, by the movements that they show.
    ///
    /// # Errors
    /// A clip has no track for an edit, or the track is in another archive.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        numbered: Option<&Document>,
        movements: &dyn Movements,
    ) -> Result<(), Refusal> {
        for (clip, edited) in edited_clips(scene)? {
            let name = animations(&scene.base_document)
                .get(clip)
                .and_then(|clip| clip["name"].as_str())
                .unwrap_or_default();
            self.take_clip(scene, clip, edited, numbered, movements)
                .map_err(|refusal| refusal!("clip {name}: {refusal}"))?;
        }
        Ok(())
    }

    /// Reason to refuse a clip whose tracks are in another archive.
    fn elsewhere(scene: &Scene<'_>, clip: usize) -> Refusal {
        let facts = animations(&scene.base_document).get(clip);
        let facts = facts.map(|clip| &clip["extras"]["everquest"]);
        let text = |key: &str| facts.and_then(|facts| facts[key].as_str());
        let source = text("source").unwrap_or_default();
        let own = scene.output.member.as_deref().unwrap_or_default();
        let own = own.split('/').next().unwrap_or_default();
        match text("model") {
            Some(model) if !source.is_empty() && !source.eq_ignore_ascii_case(own) => {
                let archive = source.strip_suffix(".wld").unwrap_or(source);
                let archive = archive.strip_suffix(".ani").unwrap_or(archive);
                refusal!(
                    "the game takes it from {source}, from the model {model}, whose clips other models share; edit the clip in the scene of that model (models/{archive}/), and convert again to see it here"
                )
            }
            _ => refusal!(
                "this archive has no track for it in this clip; edit the model that has the track"
            ),
        }
    }

    /// Collects the poses at rest that a scene changes. `numbered` is its scene with the numbers of tracks.
    ///
    /// # Errors
    /// A pose has no track of its own.
    pub(super) fn take_rests(
        &mut self,
        scene: &Scene<'_>,
        numbered: &SceneFile,
        movements: &dyn Movements,
    ) -> Result<(), Refusal> {
        for &node in &scene.rests {
            let inside = |refusal: Refusal| refusal!("bone {}: {refusal}", scene.name(node));
            self.take_rest(scene, node, numbered, movements)
                .map_err(inside)?;
        }
        Ok(())
    }

    fn take_rest(
        &mut self,
        scene: &Scene<'_>,
        node: usize,
        numbered: &SceneFile,
        movements: &dyn Movements,
    ) -> Result<(), Refusal> {
        let lost = || refusal!("its pose at rest cannot be traced to a track of this archive");
        let edited = scene.matches.get(node).copied().flatten();
        let (Some(before), Some(after), Some(coded)) = (
            scene.base.nodes.get(node),
            edited.and_then(|edited| scene.edited.nodes.get(edited)),
            numbered.nodes.get(node),
        ) else {
            return Err(lost());
        };
        let code = part_of(coded.local, Part::Translation);
        let key = movements.key(code, 0.0).ok_or_else(lost)?;
        for part in PARTS {
            let [old, new] = [before.local, after.local].map(|local| part_of(local, part));
            let own = movements.stored(key, part).ok_or_else(lost)?;
            if !Curve::still(old, part).is_near(own, old, 1e-5) {
                return Err(lost());
            }
            if old != new {
                self.set(key, part, new, &scene.output.path)?;
            }
        }
        Ok(())
    }

    fn take_clip(
        &mut self,
        scene: &Scene<'_>,
        clip: usize,
        edited: usize,
        numbered: Option<&Document>,
        movements: &dyn Movements,
    ) -> Result<(), Refusal> {
        let clips = clips(scene, clip, edited)?;
        let keys = match numbered {
            Some(numbered) => keys_of(numbered, clip, movements)?,
            None => HashMap::new(),
        };
        // A bone that is at rest in a clip may have a track there.
        let resting = scene.rests.iter().filter(|node| keys.contains_key(*node));
        let nodes: BTreeSet<usize> = clips
            .nodes(scene)
            .into_iter()
            .chain(resting.copied())
            .collect();
        let mut is_any = !scene.rests.is_empty();
        for node in nodes {
            let inside = |refusal: Refusal| refusal!("bone {}: {refusal}", scene.name(node));
            is_any |= self
                .take_bone(scene, (clip, node), &clips, keys.get(&node), movements)
                .map_err(inside)?;
        }
        match is_any {
            true => Ok(()),
            false => Err(refusal!(
                "only translation, rotation and scale of bones can be packed, not weights of shapes or other changes"
            )),
        }
    }

    fn take_bone(
        &mut self,
        scene: &Scene<'_>,
        (clip, node): (usize, usize),
        clips: &Clips<'_>,
        keys: Option<&Vec<Key>>,
        movements: &dyn Movements,
    ) -> Result<bool, Refusal> {
        let mut is_edited = false;
        let mut seen: HashSet<(Place, usize)> = HashSet::new();
        for part in PARTS {
            let curves = (clips.old.curve(node, part), clips.new.curve(node, part));
            let (Some(before), Some(after)) = curves else {
                continue;
            };
            let slack = slack(part);
            if before.is_like(&after, part) {
                continue;
            }
            let Some(keys) = keys else {
                if before.has(&after, slack) {
                    continue;
                }
                return Err(Self::elsewhere(scene, clip));
            };
            let needs_others = clips.has_other_end() && !after.is_still(slack);
            let is_any = match needs_others {
                true => None,
                false => {
                    seen.clear();
                    self.take_part((keys, part), (&before, &after), &mut seen, scene, movements)?
                }
            };
            match is_any {
                Some(is_any) => is_edited |= is_any,
                None => {
                    let wanted = wanted(scene, clip, node, clips);
                    self.retake(keys, &wanted, &scene.output.path, movements)?;
                    return Ok(true);
                }
            }
        }
        Ok(is_edited)
    }

    /// Collects the edits of a part of a bone. Returns whether there are any; `None` where the curve has other keys than
    /// the track.
    fn take_part(
        &mut self,
        (keys, part): (&[Key], Part),
        (before, after): (&Curve, &Curve),
        seen: &mut HashSet<(Place, usize)>,
        scene: &Scene<'_>,
        movements: &dyn Movements,
    ) -> Result<Option<bool>, Refusal> {
        let slack = slack(part);
        let mut is_any = false;
        for &key in keys {
            let own = movements.stored(key, part);
            if !own.is_some_and(|own| before.is_near(before.at(key.time), own, 1e-5)) {
                refuse!("its keys cannot be traced to a track");
            }
            let changed = before.changed_in(after, key.time, slack);
            let is_first = seen.insert((key.track, key.frame));
            let Some(value) = changed else { continue };
            if !is_first {
                let known = self.0.get(&key.track);
                let known = known.and_then(|track| track.frames.get(&key.frame));
                if !known.is_some_and(|known| known.has(part)) {
                    refuse!(
                        "a key that repeats a frame was edited alone, such as the last key of a loop; edit the first key"
                    );
                }
                continue;
            }
            is_any = true;
            self.set(key, part, value, &scene.output.path)?;
        }
        // Keys between frames with different values.
        let end = keys.last().map_or(0.0, |key| key.time);
        let held = after.at(end);
        let grown = after.times.iter().any(|&time| {
            time > end + 1e-4 && !before.is_near(held, after.at(time), slack.max(1e-6))
        });
        let has_others = grown || (!is_any && !before.has(after, slack));
        Ok((!has_others).then_some(is_any))
    }

    /// Gives a track other frames, which show the curves of an edit.
    fn retake(
        &mut self,
        keys: &[Key],
        wanted: &Wanted,
        path: &str,
        movements: &dyn Movements,
    ) -> Result<(), Refusal> {
        let between = || {
            refusal!(
                "it has keys where the track of the game cannot have frames (in Blender, export with Animation > Animation mode > Actions)"
            )
        };
        let is_forward = keys.windows(2).all(|two| match two {
            [one, other] => one.frame <= other.frame || other.frame == 0,
            _ => true,
        });
        let times = movements.times(keys, wanted);
        let track = keys.first().map(|key| key.track);
        let (Some(track), Some(&last), true) = (track, times.last(), is_forward) else {
            return Err(between());
        };
        let had = keys
            .iter()
            .map(|key| key.frame + 1)
            .max()
            .unwrap_or_default();
        for (part, curve) in &wanted.curves {
            let sampled = curve.sampled(&times);
            let keys = curve.times.iter().filter(|time| **time <= last + 1e-4);
            for &time in keys {
                if !curve.is_near(curve.at(time), sampled.at(time), 1e-3) {
                    return Err(between());
                }
            }
            for (frame, &time) in times.iter().enumerate() {
                let key = Key { time, track, frame };
                let value = curve.at(time);
                let own = movements.stored(key, *part).filter(|_| frame < had);
                let is_kept = own.is_some_and(|own| curve.is_near(own, value, 1e-7));
                if !is_kept {
                    self.set(key, *part, value, path)?;
                }
            }
        }
        let edit = self.0.entry(track).or_default();
        path.clone_into(&mut edit.path);
        edit.times = Some(times);
        Ok(())
    }

    fn set(&mut self, key: Key, part: Part, value: [f64; 4], path: &str) -> Result<(), Refusal> {
        let track = self.0.entry(key.track).or_default();
        if track.path.is_empty() {
            path.clone_into(&mut track.path);
        }
        let frame = track.frames.entry(key.frame).or_default();
        let known = *frame;
        let [x, y, z, w] = value;
        let [x, y, z] = to_file([x, y, z]);
        match part {
            Part::Translation => frame.translation = Some([x, y, z]),
            Part::Rotation => frame.rotation = Some([x, y, z, w]),
            Part::Scale => frame.scale = Some([x, y, z]),
        }
        match known.has(part) && known != *frame {
            true => Err(refusal!(
                "several bones or clips share its track and set different values"
            )),
            false => Ok(()),
        }
    }

    /// Adds the edits of poses at rest of another scene.
    ///
    /// # Errors
    /// Both set different values.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), Refusal> {
        for (place, edit) in other.0 {
            match self.0.get(&place) {
                Some(known) if known.frames != edit.frames => {
                    refuse!("several scenes share a pose at rest and set different values");
                }
                _ => drop(self.0.insert(place, edit)),
            }
        }
        Ok(())
    }

    /// All edits with their tracks.
    pub(super) fn all(&self) -> impl Iterator<Item = (Place, &TrackEdit)> {
        self.0.iter().map(|(&place, edit)| (place, edit))
    }
}

/// The movement of a bone in an edited clip.
fn wanted(scene: &Scene<'_>, clip: usize, node: usize, clips: &Clips<'_>) -> Wanted {
    let facts = animations(&scene.base_document).get(clip);
    let facts = facts.map_or(&Value::Null, |clip| &clip["extras"]["everquest"]);
    let frames = facts["frames"].as_f64().filter(|frames| *frames > 0.0);
    let curves = PARTS.into_iter();
    let curves = curves.filter_map(|part| Some((part, clips.new.curve(node, part)?)));
    Wanted {
        end: clips.new.end(),
        is_loop: facts["loop"].as_bool().unwrap_or_default(),
        step: facts["seconds"]
            .as_f64()
            .zip(frames)
            .map(|(seconds, frames)| seconds / frames),
        curves: curves.collect(),
    }
}
