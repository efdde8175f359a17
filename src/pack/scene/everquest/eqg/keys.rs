//! Clips in EQG format, key by key: the movements that they show, and their edits.

use std::collections::BTreeSet;

use super::members::{Body, Members};
use super::probe::{Code, code_at};
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::everquest::curves::Part;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::frames::FrameEdit;
use crate::pack::scene::everquest::movements::{Key, Movements, Wanted, part_of_pose};
use crate::pack::scene::everquest::tracks::Tracks;
use relicast_codec::{F32, Vec3};
use relicast_convert::posed_key;
use relicast_formats::everquest::eqg::animation::{Animation, Key as StoredKey};

/// The animations of an archive.
pub(super) struct OfMembers<'m>(pub &'m Members<'m>);

impl OfMembers<'_> {
    fn key_of(&self, track: Place, key: usize) -> Option<&StoredKey> {
        let animation = animation(&self.0.files.get(track.member)?.body)?;
        animation.tracks.get(track.index)?.keys.get(key)
    }
}

fn animation(body: &Body) -> Option<&Animation> {
    match body {
        Body::Animation(animation) => Some(animation),
        _ => None,
    }
}

impl Movements for OfMembers<'_> {
    fn key(&self, [a, b, c, _]: [f64; 4], time: f64) -> Option<Key> {
        let Code::Key(track, frame) = code_at([a, b, c].map(|part| part as f32))? else {
            return None;
        };
        self.key_of(track, frame)?;
        Some(Key { time, track, frame })
    }

    fn stored(&self, key: Key, part: Part) -> Option<[f64; 4]> {
        let stored = self.key_of(key.track, key.frame)?;
        Some(part_of_pose(&posed_key(stored), part))
    }

    /// Keys have any whole milliseconds.
    fn times(&self, _keys: &[Key], wanted: &Wanted) -> Vec<f64> {
        let times = wanted.curves.iter().flat_map(|(_, curve)| &curve.times);
        let whole: BTreeSet<u32> = times.map(|time| milliseconds(*time)).collect();
        whole
            .into_iter()
            .map(|time| f64::from(time) / 1000.0)
            .collect()
    }
}

fn milliseconds(seconds: f64) -> u32 {
    (seconds * 1000.0).round().clamp(0.0, f64::from(u32::MAX)) as u32
}

/// Applies the edits of keys.
///
/// # Errors
/// By scene, edits that the format cannot hold.
pub(super) fn put(tracks: &Tracks, members: &mut Members<'_>) -> Result<(), Refusals> {
    let mut refusals = Refusals::new();
    for (Place { member, index }, edit) in tracks.all() {
        let Some(file) = members.edit(member) else {
            continue;
        };
        let Body::Animation(animation) = &mut file.body else {
            continue;
        };
        let Some(track) = animation.tracks.get_mut(index) else {
            continue;
        };
        if let (Some(times), Some(last)) = (&edit.times, track.keys.last().cloned()) {
            track.keys.resize(times.len(), last);
            for (key, time) in track.keys.iter_mut().zip(times) {
                key.time = milliseconds(*time);
            }
        }
        for (&frame, edit_of_key) in &edit.frames {
            let Some(key) = track.keys.get_mut(frame) else {
                continue;
            };
            if let Err(refusal) = put_key(key, edit_of_key) {
                let reason = format_args!("{}, key {frame}: {refusal}", file.name);
                refusals.push((edit.path.clone(), Refusal::new(reason)));
                break;
            }
        }
    }
    unless_refused((), refusals)
}

/// Applies an edit to a pose.
///
/// # Errors
/// A scale is 0.
pub(super) fn put_key(key: &mut StoredKey, edit: &FrameEdit) -> Result<(), Refusal> {
    if let Some(translation) = edit.translation {
        key.translation = Vec3::from(translation.map(|part| part as f32));
    }
    if let Some(scale) = edit.scale {
        if scale.contains(&0.0) {
            refuse!("a scale of 0 cannot be stored: it is shown as 1");
        }
        key.scale = Vec3::from(scale.map(|part| part as f32));
    }
    if let Some([x, y, z, w]) = edit.rotation {
        // Files store the inverse, with either sign and any length.
        let wanted = [-x, -y, -z, w];
        let stored = key.rotation.map(|part| f64::from(part.get()));
        let dot = |one: [f64; 4], other: [f64; 4]| -> f64 {
            one.iter().zip(other).map(|(a, b)| a * b).sum()
        };
        let sign = if dot(wanted, stored) < 0.0 { -1.0 } else { 1.0 };
        let length = dot(stored, stored).sqrt();
        let length = match length.is_finite() && length > 0.0 && (length - 1.0).abs() > 1e-5 {
            true => length,
            false => 1.0,
        };
        key.rotation = wanted.map(|part| F32((part * sign * length) as f32 + 0.0));
    }
    Ok(())
}
