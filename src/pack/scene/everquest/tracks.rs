//! Packs clips into the tracks of bones, frame by frame.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::corners::to_file;
use super::curves::{self, Curve, Curves, PARTS, Part};
use super::edits::Place;
use super::frames::FrameEdit;
use super::movements::{Key, Movements, part_of_pose};
use super::packed::Packed;
use super::scene::Scene;
use super::wld::members::Members;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::json::{index, items};
use crate::pack::scene::compare::matching::shown;
use crate::pack::scene::file::{Document, Local, SceneFile};
use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_convert::posed;
use relicast_formats::everquest::wld::{Body, FloatFrame, Frames, PackedFrame, TrackDefinition};

/// Edits of the frames of a track.
#[derive(Debug, Default)]
struct TrackEdit {
    path: String,
    frames: BTreeMap<usize, FrameEdit>,
}

/// Edits of tracks.
#[derive(Debug, Default)]
pub(super) struct Tracks(BTreeMap<Place, TrackEdit>);

/// The movements of scene files.
struct OfFiles<'m> {
    members: &'m Members<'m>,
    places: Vec<Place>,
}

impl Movements for OfFiles<'_> {
    fn key(&self, [a, b, c, _]: [f64; 4], time: f64) -> Option<Key> {
        let code = to_file([a, b, c]).map(|part| (part * 256.0).round());
        let [low, frame, high] = code.map(|part| part as i64);
        let number = usize::try_from(low).ok()? | (usize::try_from(high - 1).ok()? << 15);
        let place = *self.places.get(number)?;
        let frame = usize::try_from(frame).ok()?;
        let exists = track(self.members, place).is_some_and(|track| frame < track.len());
        exists.then_some(Key {
            time,
            track: place,
            frame,
        })
    }

    fn stored(&self, key: Key, part: Part) -> Option<[f64; 4]> {
        let pose = track(self.members, key.track)?.pose(key.frame)?;
        Some(part_of_pose(&posed(&pose), part))
    }
}

/// Replaces translations by numbers of tracks and frames.
///
/// # Errors
/// There are more tracks or frames than numbers.
pub(super) fn number(members: &mut Members<'_>) -> Result<(), Refusal> {
    for (number, place) in places(members).into_iter().enumerate() {
        let Some(Body::TrackDefinition(track)) = members.edit_body(place) else {
            continue;
        };
        let many = || refusal!("its archive has too many tracks");
        let low = i16::try_from(number & 0x7FFF).map_err(|_| many())?;
        // Never 0: the position of things without a number.
        let high = i16::try_from((number >> 15) + 1).map_err(|_| many())?;
        match &mut track.frames {
            Frames::Packed(frames) => {
                for (frame, stored) in frames.to_mut().iter_mut().enumerate() {
                    let frame = i16::try_from(frame).map_err(|_| many())?;
                    *stored = PackedFrame {
                        rotation: [16384, 0, 0, 0],
                        translation: [low, frame, high],
                        scale: 256,
                    };
                }
            }
            Frames::Float(frames) => {
                for (frame, stored) in frames.to_mut().iter_mut().enumerate() {
                    let frame = i16::try_from(frame).map_err(|_| many())?;
                    let code = [low, frame, high].map(|part| f32::from(part) / 256.0);
                    *stored = FloatFrame {
                        scale: F32(1.0),
                        translation: Vec3::from(code),
                        rotation: QuatWxyz {
                            w: F32(1.0),
                            ..QuatWxyz::default()
                        },
                    };
                }
            }
        }
    }
    Ok(())
}

/// The movements of an archive, in the order of their numbers.
fn places(members: &Members<'_>) -> Vec<Place> {
    members.places(|body| matches!(body, Body::TrackDefinition(_)))
}

fn track<'m>(members: &'m Members<'_>, place: Place) -> Option<&'m TrackDefinition<'static>> {
    match members.body(place)? {
        Body::TrackDefinition(track) => Some(track),
        _ => None,
    }
}

fn animations(document: &Document) -> &[Value] {
    items(&document.json, "animations")
}

/// True if a scene has clips that may have been edited.
pub(super) fn has_edits(scene: &Scene<'_>) -> bool {
    !edited_clips(scene)
        .unwrap_or_else(|_| vec![(0, 0)])
        .is_empty()
}

/// Clips that may have changed, each with the edited clip.
fn edited_clips(scene: &Scene<'_>) -> Result<Vec<(usize, usize)>, Refusal> {
    let (old, new) = (
        animations(&scene.base_document),
        animations(&scene.edited_document),
    );
    if old.len() != new.len() {
        refuse!("clips cannot be added or removed");
    }
    let key = |number: usize| {
        let name = old.get(number).and_then(|clip| clip["name"].as_str());
        format!("animations[{number}] ({})", name.unwrap_or("without name"))
    };
    Ok((0..old.len())
        .filter(|&number| {
            let key = key(number);
            !scene.base.rest.agrees(&scene.edited.rest, &key)
        })
        .map(|number| (number, number))
        .collect())
}

/// Curves of a clip by the nodes of the original scene; a part without a curve has the value of its node.
struct Moves<'m> {
    curves: Curves,
    nodes: Box<dyn Fn(usize) -> Option<usize> + 'm>,
    file: &'m SceneFile,
}

impl Moves<'_> {
    /// True if anything of a node moves.
    fn has(&self, node: usize) -> bool {
        let own = (self.nodes)(node);
        let has = |own| {
            PARTS
                .iter()
                .any(|&part| self.curves.contains_key(&(own, part)))
        };
        own.is_some_and(has)
    }

    fn curve(&self, node: usize, part: Part) -> Option<Curve> {
        let own = (self.nodes)(node)?;
        if let Some(curve) = self.curves.get(&(own, part)) {
            return Some(curve.clone());
        }
        let local = self.file.nodes.get(own)?.local;
        Some(Curve::still(part_of(local, part), part))
    }
}

fn part_of(local: Local, part: Part) -> [f64; 4] {
    let three = |[x, y, z]: [f32; 3]| [x, y, z, 0.0].map(f64::from);
    match part {
        Part::Translation => three(local.translation),
        Part::Rotation => local.rotation.map(f64::from),
        Part::Scale => three(local.scale),
    }
}

/// Largest difference between values that count as equal.
fn slack(part: Part) -> f64 {
    match part {
        Part::Rotation => 1e-9,
        Part::Translation | Part::Scale => 0.0,
    }
}

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
    /// Collects the edits of the clips of a scene.
    ///
    /// # Errors
    /// A clip has no track for an edit, or the track is in another archive.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        numbered: Option<&Document>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let movements = OfFiles {
            members,
            places: places(members),
        };
        self.take_from(scene, numbered, &movements)
    }

    /// Collects the edits of the clips of a scene, by the movements that they show.
    ///
    /// # Errors
    /// A clip has no track for an edit, or the track is in another archive.
    pub(super) fn take_from(
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
        let nodes: BTreeSet<usize> = (0..scene.base.nodes.len())
            .filter(|&node| {
                let own = scene.matches.get(node).copied().flatten();
                PARTS.iter().any(|&part| {
                    clips.old.curves.contains_key(&(node, part))
                        || own.is_some_and(|own| clips.new.curves.contains_key(&(own, part)))
                })
            })
            .collect();
        let mut is_any = false;
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
            if before.has(&after, slack) && after.has(&before, slack.max(1e-9)) {
                continue;
            }
            let Some(keys) = keys else {
                if before.has(&after, slack) {
                    continue;
                }
                return Err(Self::elsewhere(scene, clip));
            };
            seen.clear();
            let mut is_any = false;
            for &key in keys {
                let own = movements.stored(key, part);
                if !own.is_some_and(|own| before.is_near(before.at(key.time), own, 1e-5)) {
                    refuse!("its keys cannot be traced to a track");
                }
                let changed = before.changed_in(&after, key.time, slack);
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
                (is_any, is_edited) = (true, true);
                self.set(key, part, value, &scene.output.path)?;
            }
            // Keys between frames with different values.
            let grown = after.times.iter().any(|&time| {
                let end = keys.last().map_or(0.0, |key| key.time);
                time > end + 1e-4
                    && !before.is_near(before.at(time), after.at(time), slack.max(1e-6))
            });
            if grown || (!is_any && !before.has(&after, slack)) {
                refuse!(
                    "it has keys where the track of the game has no frames; frames cannot be added (in Blender, export with Animation > Animation mode > Actions)"
                );
            }
        }
        Ok(is_edited)
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

    /// All edits of frames: the track, an output that asks for the edit, and the frames.
    pub(super) fn all(&self) -> impl Iterator<Item = (Place, &str, &BTreeMap<usize, FrameEdit>)> {
        let all = self.0.iter();
        all.map(|(&place, edit)| (place, &*edit.path, &edit.frames))
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&Place { member, index }, edit) in &self.0 {
            let Some(file) = members.edit(member) else {
                continue;
            };
            let Some(fragment) = file.body.fragments.get_mut(index) else {
                continue;
            };
            let name = fragment.name().to_owned();
            let Body::TrackDefinition(track) = &mut fragment.body else {
                continue;
            };
            for (&frame, edit_of_frame) in &edit.frames {
                let put = match &mut track.frames {
                    Frames::Packed(frames) => {
                        let frame = frames.to_mut().get_mut(frame);
                        frame.map_or(Ok(()), |frame| edit_of_frame.put_packed(frame))
                    }
                    Frames::Float(frames) => {
                        let frame = frames.to_mut().get_mut(frame);
                        frame.map_or(Ok(()), |frame| edit_of_frame.put_float(frame))
                    }
                };
                if let Err(refusal) = put {
                    let reason =
                        format_args!("track {name} of {}, frame {frame}: {refusal}", file.name);
                    refusals.push((edit.path.clone(), Refusal::new(reason)));
                    break;
                }
            }
        }
        unless_refused((), refusals)
    }
}

/// An original clip and its edit.
struct Clips<'s> {
    old: Moves<'s>,
    new: Moves<'s>,
}

/// The curves of an original clip and its edit.
fn clips<'s>(scene: &'s Scene<'_>, clip: usize, edited: usize) -> Result<Clips<'s>, Refusal> {
    let lost = || refusal!("it was removed");
    let old = animations(&scene.base_document)
        .get(clip)
        .ok_or_else(lost)?;
    let new = animations(&scene.edited_document)
        .get(edited)
        .ok_or_else(lost)?;
    if old["name"] != new["name"] || old["extras"] != new["extras"] {
        refuse!("changes of its name and extras cannot be packed");
    }
    Ok(Clips {
        old: Moves {
            curves: curves::of(&scene.base_document, old)?,
            nodes: Box::new(Some),
            file: &scene.base,
        },
        new: Moves {
            curves: curves::of(&scene.edited_document, new)?,
            nodes: Box::new(|node| scene.matches.get(node).copied().flatten()),
            file: &scene.edited,
        },
    })
}

/// The nodes that a clip moves.
fn targets(clip: &Value) -> impl Iterator<Item = usize> {
    let channels = items(clip, "channels").iter();
    channels.filter_map(|channel| index(&channel["target"]["node"]))
}

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
            Some(&own) => Some(clips(scene, number, own)?.new),
            None => None,
        };
        for node in 0..scene.base.nodes.len() {
            let moves = [Some(&old), Some(&now), new.as_ref()];
            if !moves.into_iter().flatten().any(|moves| moves.has(node)) {
                continue;
            }
            for part in PARTS {
                let now = now.curve(node, part);
                let (Some(before), Some(now)) = (old.curve(node, part), now) else {
                    continue;
                };
                let wanted = new.as_ref().and_then(|new| new.curve(node, part));
                let slack = slack(part);
                let wanted = wanted.filter(|wanted| !before.has(wanted, slack));
                let Some(wanted) = wanted else {
                    if !before.has(&now, 1e-6) || !now.has(&before, 1e-6) {
                        return Err(other(scene.name(node)));
                    }
                    continue;
                };
                rounded += compare_keys(&before, &wanted, &now, part, slack)
                    .ok_or_else(|| other(scene.name(node)))?;
            }
        }
    }
    Ok(rounded)
}

/// True if the rest pose of a bone equals the first frame of an edited clip: some rest poses are first frames.
pub(super) fn is_rest(scene: &Scene<'_>, node: usize, found: Local) -> bool {
    let clips = edited_clips(scene).unwrap_or_default().into_iter();
    let mut clips =
        clips.filter_map(|(clip, edited)| Some(self::clips(scene, clip, edited).ok()?.new));
    clips.any(|clip| {
        PARTS.iter().all(|&part| {
            let curve = clip.curve(node, part);
            curve.is_some_and(|curve| curve.is_near(curve.at(0.0), part_of(found, part), 0.003))
        })
    })
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
    let allowed = match part {
        Part::Translation | Part::Scale => 0.5 / 256.0 + 1e-4,
        Part::Rotation => 2e-4,
    };
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
