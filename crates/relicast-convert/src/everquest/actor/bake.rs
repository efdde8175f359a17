//! Animation sets as clips.

use glam::{Quat, Vec3};

use super::animation_sets::FoundSet;
use super::code::SetCode;
use super::rig::{Joint, movement, transform};
use relicast_formats::everquest::wld::{FragmentRef, TrackFlags};
use relicast_scene::extras::{Float, ObjectExtras, everquest};
use relicast_scene::model::clip::smooth_rotations;
use relicast_scene::model::{Channel, Clip, Interpolation, NameHint, NodeId, Track, Transform};

/// Name of the clip of rest poses that move.
const POSE_CLIP: &str = "POS";

/// Duration of a frame without a stored one, in milliseconds.
const USUAL_SLEEP: u32 = 100;

/// Counts of faults in the tracks of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TrackFaults {
    /// Tracks without frames.
    pub empty: usize,
    /// Tracks with several frames and no time for them; they get a tenth of a second.
    pub timeless: usize,
    /// Frames with numbers that are not finite, or a scale of 0.
    pub invalid_pose: usize,
    /// Tracks that are left out because the sets of the model use the same frames so often that their clips
    /// would exceed the frame budget.
    pub dropped: usize,
}

/// The frames of one joint.
struct JointTrack {
    joint: usize,
    poses: Vec<Transform>,
    sleep: u32,
}

/// Makes clips for the joints of one model.
#[derive(Debug)]
pub(super) struct Baker<'a> {
    /// The joints at rest.
    pub joints: &'a [Joint],
    /// Their nodes.
    pub nodes: &'a [NodeId],
    /// Frames that may still be written. It bounds the output for files in which tracks share frames.
    pub budget: usize,
    /// All sets start again at their end.
    pub loop_all: bool,
    /// Clips that start again at their end get a name that makes Godot loop them.
    pub godot_loop: bool,
    /// Faults that were counted so far.
    pub faults: TrackFaults,
}

/// Milliseconds until a frame.
fn milliseconds(frame: usize, sleep: u32) -> u64 {
    (frame as u64).saturating_mul(u64::from(sleep))
}

/// Milliseconds as seconds.
fn seconds(milliseconds: u64) -> f32 {
    (milliseconds as f64 / 1000.0) as f32
}

impl Baker<'_> {
    /// The clip of a set; `None` if no track of it has frames.
    pub(super) fn clip(&mut self, set: &FoundSet<'_>) -> Option<Clip> {
        let tracks = set.tracks.iter();
        let moves: Vec<JointTrack> = tracks
            .filter_map(|(&joint, &track)| self.moves(set, joint, track))
            .collect();
        let end = moves
            .iter()
            .map(|moves| milliseconds(moves.poses.len(), moves.sleep))
            .max()?;
        let first = moves.first()?.joint;
        let loops = self.loop_all || set.code.is_none_or(|code| code.loops());
        let mut channels = Vec::new();
        for moves in &moves {
            self.channels(moves, loops.then_some(end), &mut channels);
        }
        if channels.is_empty() {
            // Nothing differs from the rest pose, but a clip needs a channel.
            let rest = self.joints.get(first)?.rest;
            channels.push(Channel {
                node: *self.nodes.get(first)?,
                times: vec![0.0],
                interpolation: Interpolation::Linear,
                track: Track::Rotation(vec![rest.rotation]),
            });
        }
        Some(Clip {
            name: set
                .code
                .map_or_else(|| POSE_CLIP.to_owned(), SetCode::clip_name),
            hint: (loops && self.godot_loop).then_some(NameHint::Loop),
            channels,
            surfaces: Vec::new(),
            extras: facts(set, &moves, loops, end).extras(),
        })
    }

    fn moves(
        &mut self,
        set: &FoundSet<'_>,
        joint: usize,
        track: FragmentRef,
    ) -> Option<JointTrack> {
        let found = movement(set.file.wld, track).filter(|(_, frames)| !frames.is_empty());
        let Some((track, definition)) = found else {
            self.faults.empty += 1;
            return None;
        };
        let length = definition.len();
        let Some(left) = self.budget.checked_sub(length) else {
            self.faults.dropped += 1;
            return None;
        };
        self.budget = left;
        let mut poses = Vec::with_capacity(length);
        for pose in (0..length).filter_map(|frame| definition.pose(frame)) {
            let (pose, invalid_pose) = transform(&pose);
            self.faults.invalid_pose += usize::from(invalid_pose);
            poses.push(pose);
        }
        if track.flags.contains(TrackFlags::REVERSE) {
            poses.reverse();
        }
        let sleep = track.sleep.filter(|&sleep| sleep > 0);
        self.faults.timeless += usize::from(length > 1 && sleep.is_none());
        Some(JointTrack {
            joint,
            poses,
            sleep: sleep.unwrap_or(USUAL_SLEEP),
        })
    }

    /// The channels of a joint, without values that never differ from the rest pose. `closing` is the time at which the
    /// first frame returns.
    fn channels(&self, moves: &JointTrack, closing: Option<u64>, channels: &mut Vec<Channel>) {
        let (Some(joint), Some(&node)) =
            (self.joints.get(moves.joint), self.nodes.get(moves.joint))
        else {
            return;
        };
        let rest = joint.rest;
        if moves.poses.iter().all(|pose| *pose == rest) {
            return;
        }
        let keys = keys(moves, closing);
        let moved = |differs: fn(&Transform, &Transform) -> bool| {
            keys.iter().any(|(_, pose)| differs(pose, &rest))
        };
        let times: Vec<f32> = keys.iter().map(|&(time, _)| seconds(time)).collect();
        let mut add = |track: Track| {
            channels.push(Channel {
                node,
                times: times.clone(),
                interpolation: Interpolation::Linear,
                track,
            });
        };
        let values = |part: fn(&Transform) -> Vec3| -> Vec<Vec3> {
            keys.iter().map(|(_, pose)| part(pose)).collect()
        };
        if moved(|pose, rest| pose.translation != rest.translation) {
            add(Track::Translation(values(|pose| pose.translation)));
        }
        if moved(|pose, rest| pose.rotation != rest.rotation) {
            let mut rotations: Vec<Quat> = keys.iter().map(|(_, pose)| pose.rotation).collect();
            smooth_rotations(&mut rotations);
            add(Track::Rotation(rotations));
        }
        if moved(|pose, rest| pose.scale != rest.scale) {
            add(Track::Scale(values(|pose| pose.scale)));
        }
    }
}

/// The poses of a joint by their milliseconds. `closing` is the time at which the first one returns.
fn keys(moves: &JointTrack, closing: Option<u64>) -> Vec<(u64, Transform)> {
    // Two more keys hold and close the set.
    let mut keys = Vec::with_capacity(moves.poses.len().saturating_add(2));
    let timed = moves.poses.iter().enumerate();
    keys.extend(timed.map(|(frame, &pose)| (milliseconds(frame, moves.sleep), pose)));
    if let (Some(end), [first, _, ..]) = (closing, &*moves.poses) {
        // A track shorter than its set holds its last frame until the set's last one.
        let hold = end.saturating_sub(u64::from(moves.sleep));
        keys.extend(moves.poses.last().map(|&last| (hold, last)));
        keys.push((end, *first));
    }
    // Single precision cannot separate all late keys.
    keys.dedup_by_key(|&mut (time, _)| seconds(time));
    keys
}

/// Extras of a clip.
fn facts(set: &FoundSet<'_>, moves: &[JointTrack], loops: bool, end: u64) -> everquest::Clip {
    let frames = moves.iter().map(|moves| moves.poses.len()).max();
    let meaning = set.code.and_then(|code| code.meaning());
    everquest::Clip {
        code: set.code.map(|code| code.to_string()),
        meaning: meaning.map(str::to_owned),
        frames: Some(frames.unwrap_or_default()),
        seconds: Some(Float(seconds(end))),
        r#loop: Some(loops),
        model: set.lender.as_ref().map(|lender| lender.as_str().to_owned()),
        source: Some(set.file.name.to_owned()),
        ..everquest::Clip::default()
    }
}
