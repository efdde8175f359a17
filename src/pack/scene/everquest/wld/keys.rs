//! Frames of the tracks of scene files: the movements that they show, and their edits.

use super::members::Members;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::everquest::corners::to_file;
use crate::pack::scene::everquest::curves::Part;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::frames::FrameEdit;
use crate::pack::scene::everquest::movements::{Key, Movements, Wanted, part_of_pose};
use crate::pack::scene::everquest::tracks::Tracks;
use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_convert::posed;
use relicast_formats::everquest::wld::{
    Body, FloatFrame, Fragment, Frames, PackedFrame, TrackDefinition, TrackFlags,
};

/// The movements of scene files.
pub(super) struct OfFiles<'m> {
    members: &'m Members<'m>,
    places: Vec<Place>,
}

impl<'m> OfFiles<'m> {
    pub(super) fn new(members: &'m Members<'m>) -> Self {
        let places = places(members);
        Self { members, places }
    }
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

    /// Frames are evenly spaced.
    fn times(&self, keys: &[Key], wanted: &Wanted) -> Vec<f64> {
        let own = keys.windows(2).find_map(|two| match two {
            [one, other] if other.frame == one.frame + 1 => Some(other.time - one.time),
            _ => None,
        });
        let Some(step) = own.or(wanted.step).filter(|step| *step > 1e-4) else {
            return Vec::new();
        };
        let last = (wanted.end / step).round().clamp(0.0, MAX_FRAMES) as u32;
        let frames = 0..last + u32::from(!wanted.is_loop);
        frames.map(|frame| f64::from(frame) * step).collect()
    }
}

/// Most frames that a track gets.
const MAX_FRAMES: f64 = 32_000.0;

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

/// Applies the edits of frames.
///
/// # Errors
/// By scene, edits that the format cannot hold.
pub(super) fn put(tracks: &Tracks, members: &mut Members<'_>) -> Result<(), Refusals> {
    let mut refusals = Refusals::new();
    for (Place { member, index }, edit) in tracks.all() {
        let Some(file) = members.edit(member) else {
            continue;
        };
        let fragments = &mut file.body.fragments;
        let Some(fragment) = fragments.get_mut(index) else {
            continue;
        };
        let name = fragment.name().to_owned();
        let Body::TrackDefinition(track) = &mut fragment.body else {
            continue;
        };
        if let Some(times) = &edit.times {
            let was_still = track.len() == 1;
            resize(track, times.len());
            if let (true, [start, next, ..]) = (was_still, &**times) {
                let sleep = ((next - start) * 1000.0).round() as u32;
                set_sleep(fragments, index, sleep);
            }
        }
        let Some(Body::TrackDefinition(track)) = fragments.get_mut(index).map(|it| &mut it.body)
        else {
            continue;
        };
        for (&frame, edit_of_frame) in &edit.frames {
            if let Err(refusal) = put_frame(track, frame, edit_of_frame) {
                let reason =
                    format_args!("track {name} of {}, frame {frame}: {refusal}", file.name);
                refusals.push((edit.path.clone(), Refusal::new(reason)));
                break;
            }
        }
    }
    unless_refused((), refusals)
}

fn put_frame(
    track: &mut TrackDefinition<'_>,
    frame: usize,
    edit: &FrameEdit,
) -> Result<(), Refusal> {
    match &mut track.frames {
        Frames::Packed(frames) => {
            let frame = frames.to_mut().get_mut(frame);
            frame.map_or(Ok(()), |frame| edit.put_packed(frame))
        }
        Frames::Float(frames) => {
            let frame = frames.to_mut().get_mut(frame);
            frame.map_or(Ok(()), |frame| edit.put_float(frame))
        }
    }
}

/// Gives a track another number of frames; new ones equal the last.
fn resize(track: &mut TrackDefinition<'_>, count: usize) {
    fn resized<T: Clone>(frames: &mut Vec<T>, count: usize) {
        if let Some(last) = frames.last().cloned() {
            frames.resize(count, last);
        }
    }
    match &mut track.frames {
        Frames::Packed(frames) => resized(frames.to_mut(), count),
        Frames::Float(frames) => resized(frames.to_mut(), count),
    }
}

/// Sets the milliseconds of each frame of a track, the fragment `index`.
fn set_sleep(fragments: &mut [Fragment<'_>], index: usize, sleep: u32) {
    for fragment in fragments {
        if let Body::Track(track) = &mut fragment.body
            && track.definition.index() == Some(index)
        {
            track.flags.insert(TrackFlags::SLEEP);
            track.sleep = Some(sleep);
        }
    }
}
