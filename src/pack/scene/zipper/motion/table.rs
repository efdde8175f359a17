//! Edited motions, packed into their archives, which are other game files than the models.

use std::collections::BTreeMap;

use super::edits::{MotionChange, TrackChange};
use crate::pack::container::Container;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::driver::error::SceneError;
use crate::pack::scene::driver::job::{Job, Members};
use crate::pack::scene::file::curve::{Moves, SceneChannel, distance, turned};
use crate::pack::scene::zipper::edited_scene::EditedScene;
use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_formats::kind::{Kind, sniff};
use relicast_formats::zipper::motion::{self, Motion, Part};
use relicast_formats::zipper::texture::package;

/// Makes the new members for the motions of scenes.
///
/// # Errors
/// An archive cannot be read, or a motion cannot be stored.
pub(in crate::pack::scene) fn members(
    job: &Job<'_>,
    scenes: &[EditedScene<'_>],
) -> Result<Members, SceneError> {
    let mut members = Members::new();
    let mut refusals = Refusals::new();
    let mut archives: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for scene in scenes {
        for change in &scene.motions {
            if !archives.contains_key(&change.archive) {
                let bytes = job.originals.read(&change.archive)?;
                archives.insert(change.archive.clone(), bytes);
            }
            let Some(archive) = archives.get(&change.archive) else {
                continue;
            };
            let known = members
                .get(&change.archive)
                .and_then(|all| all.get(&change.member));
            match edited(archive, known.map(Vec::as_slice), change) {
                Ok(bytes) => {
                    let all = members.entry(change.archive.clone()).or_default();
                    all.insert(change.member.clone(), bytes);
                }
                Err(refusal) => refusals.push((
                    scene.output.path.clone(),
                    refusal!("motion {}: {refusal}", change.member),
                )),
            }
        }
    }
    Ok(unless_refused(members, refusals)?)
}

/// Makes an archive with new members, or a texture package with new pictures. `original` is the archive of the install, `current` the one with other edits.
///
/// # Errors
/// A member has another edit too, or the archive cannot be written.
pub(in crate::pack) fn merged(
    original: &[u8],
    current: &[u8],
    members: &BTreeMap<String, Vec<u8>>,
) -> Result<Vec<u8>, Refusal> {
    if sniff(original, "") == Kind::Textures {
        return with_pictures(current, members);
    }
    let open = |bytes| -> Result<Container<'_>, Refusal> {
        let opened = Container::open(Kind::Archive, "", bytes)?;
        opened.ok_or_else(|| refusal!("it is not an archive"))
    };
    let before = open(original)?;
    let mut after = open(current)?;
    for (name, bytes) in members {
        let lost = || refusal!("its archive no longer has a member {name}");
        let was = place_of(&before, name).ok_or_else(lost)?;
        let place = place_of(&after, name).ok_or_else(lost)?;
        if after.extract(place)? != before.extract(was)? && *after.extract(place)? != **bytes {
            refuse!(
                "the motion {name} was edited in another output too; edit it in one, or pack one with --only"
            );
        }
        after.replace(place, bytes.clone())?;
    }
    after.encode()
}

/// Makes a texture package with new pictures, each a PNG.
fn with_pictures(current: &[u8], pictures: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, Refusal> {
    let mut package = package::decode(current).map_err(Refusal::new)?.value;
    for (name, png) in pictures {
        crate::pack::picture::package::add(&mut package, name, png)?;
    }
    package::encode(&package).map_err(Refusal::new)
}

fn place_of(archive: &Container<'_>, name: &str) -> Option<usize> {
    (0..archive.len()).find(|&index| {
        let found = archive.place(index);
        found.is_some_and(|(_, found)| found.to_lowercase() == name)
            && archive.stored(index).is_some_and(motion::looks_like)
    })
}

/// Makes the bytes of a member with a change.
fn edited(archive: &[u8], known: Option<&[u8]>, change: &MotionChange) -> Result<Vec<u8>, Refusal> {
    let opened = Container::open(Kind::Archive, "", archive)?;
    let opened = opened.ok_or_else(|| refusal!("it is not in an archive"))?;
    let stored = place_of(&opened, &change.member)
        .map(|place| opened.extract(place))
        .transpose()?;
    let bytes = match (known, &stored) {
        (Some(known), _) => known,
        (None, Some(stored)) => stored,
        (None, None) => return Err(refusal!("its archive has no such member")),
    };
    let mut motion = motion::decode(bytes).map_err(Refusal::new)?.value;
    perform(&mut motion, change)?;
    motion::encode(&motion).map_err(Refusal::new)
}

/// The length of a motion.
#[derive(Debug, Clone, Copy)]
struct Length {
    seconds: f32,
    frames: u32,
}

impl Length {
    /// The time of a sample.
    fn time_of(self, sample: u32) -> f64 {
        let time = f64::from(self.seconds) * f64::from(sample) / f64::from(self.frames.max(1));
        f64::from(time as f32)
    }
}

/// Applies a change to a motion.
fn perform(motion: &mut Motion<'_>, change: &MotionChange) -> Result<(), Refusal> {
    let (frames, seconds) = (motion.header.frame_count, motion.header.loop_time.0);
    let new_seconds = change.seconds.unwrap_or(seconds);
    let new_frames = frames_of(change, frames, new_seconds)?;
    for track in &change.tracks {
        // Scenes have a constant channel for a part that a motion does not move.
        let follows = track.channels.iter().all(SceneChannel::is_constant);
        if !follows && !motion.parts.iter().any(|part| part.name() == track.part) {
            refuse!("it does not move {}; add parts in its document", track.part);
        }
    }
    if new_frames != frames {
        for part in &mut motion.parts {
            resample(part, frames, new_frames);
        }
    }
    let new = Length {
        seconds: new_seconds,
        frames: new_frames,
    };
    for track in &change.tracks {
        let mut parts = motion.parts.iter_mut();
        if let Some(part) = parts.find(|part| part.name() == track.part) {
            let old = (frames == new_frames).then_some(Length { seconds, frames });
            put(part, track, old, new)?;
        }
    }
    motion.header.frame_count = new_frames;
    motion.header.loop_time = F32(new_seconds);
    Ok(())
}

/// Most frames that an edit may give a motion.
const MAX_FRAMES: u32 = 1 << 16;

/// Number of frames that a motion needs for all edited keys.
fn frames_of(change: &MotionChange, frames: u32, new_seconds: f32) -> Result<u32, Refusal> {
    let channels = || {
        let all = change.tracks.iter().map(|track| &track.channels[1]);
        all.filter(|channel| !channel.is_constant())
    };
    let fits = |frames: &u32| {
        channels().flat_map(|channel| &channel.times).all(|&time| {
            let at = f64::from(time) / f64::from(new_seconds) * f64::from(*frames);
            (at - at.round()).abs() <= 0.01
        })
    };
    let counts = channels().filter_map(|channel| {
        let keys = u32::try_from(channel.times.len()).ok()?;
        keys.checked_sub(1)
    });
    let finer = (2..=8_u32).map(|times| frames.saturating_mul(times));
    let mut candidates = std::iter::once(frames).chain(counts).chain(finer);
    let found = candidates.find(|count| (1..=MAX_FRAMES).contains(count) && fits(count));
    found.ok_or_else(|| {
        refusal!(
            "its keys are not at evenly spaced times; motions store one sample per frame and part"
        )
    })
}

/// The samples of a part for another number of frames.
fn resample(part: &mut Part<'_>, frames: u32, new_frames: u32) {
    let mut translations = Vec::new();
    let mut rotations = Vec::new();
    for sample in 0..=new_frames {
        let at = f64::from(sample) * f64::from(frames) / f64::from(new_frames.max(1));
        let before = at.floor() as usize;
        let share = (at - at.floor()) as f32;
        let next = if share > 0.0 {
            before.saturating_add(1)
        } else {
            before
        };
        let places = (part.translations.get(before), part.translations.get(next));
        if let (Some(from), Some(to)) = places {
            let (from, to) = (from.to_array(), to.to_array());
            let mixed = [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
            translations.push(Vec3::from(if share > 0.0 { mixed } else { from }));
        }
        let turns = (part.rotations.get(before), part.rotations.get(next));
        if let (Some(from), Some(to)) = turns {
            rotations.push(match share > 0.0 {
                true => stored(turned(plain(from), plain(to), share)),
                false => *from,
            });
        }
    }
    part.translations = translations;
    part.rotations = rotations;
}

fn plain(turn: &QuatWxyz) -> [f32; 4] {
    [turn.x.0, turn.y.0, turn.z.0, turn.w.0]
}

fn stored([x, y, z, w]: [f32; 4]) -> QuatWxyz {
    QuatWxyz {
        w: F32(w),
        x: F32(x),
        y: F32(y),
        z: F32(z),
    }
}

/// The rotation of an edit, with length 1.
///
/// # Errors
/// It is not a rotation: its length.
fn wanted_turn(edit: [f32; 4]) -> Result<[f32; 4], f32> {
    let length = edit.iter().map(|part| part * part).sum::<f32>().sqrt();
    if (length - 1.0).abs() > 0.1 {
        return Err(length);
    }
    Ok(edit.map(|part| part / length))
}

/// Applies an edited track to a part. Unchanged samples keep their bits.
fn put(
    part: &mut Part<'_>,
    track: &TrackChange,
    old: Option<Length>,
    new: Length,
) -> Result<(), Refusal> {
    let [before, after] = &track.channels;
    let value = |channel: &SceneChannel, time: f64| channel.at(time).unwrap_or_default();
    for sample in 0..=new.frames {
        let time = new.time_of(sample);
        let edit = value(after, time);
        let was = old.map(|old| value(before, old.time_of(sample)));
        if was.is_some_and(|was| distance(after.moves, was, edit) == 0.0) {
            continue;
        }
        let place = sample as usize;
        if after.moves == Moves::Rotation {
            let wanted = wanted_turn(edit).map_err(|length| {
                refusal!(
                    "a key of {} is not a rotation: its length is {length}",
                    track.part
                )
            })?;
            if let Some(turn) = part.rotations.get_mut(place) {
                let near = plain(turn)
                    .iter()
                    .zip(wanted)
                    .map(|(a, b)| a * b)
                    .sum::<f32>();
                let sign = if near < 0.0 { -1.0 } else { 1.0 };
                *turn = stored(wanted.map(|part| part * sign));
            }
        } else if let Some(at) = part.translations.get_mut(place) {
            let mut parts = at.to_array();
            for (axis, part) in parts.iter_mut().enumerate() {
                // Axes along which it was not moved keep their bits.
                if was.is_none_or(|was| was[axis] != edit[axis]) {
                    *part = edit[axis];
                }
            }
            *at = Vec3::from(parts);
        }
    }
    Ok(())
}
