//! The movements of an archive, in any of its files.

use super::curves::{Curve, Part};
use super::edits::Place;
use relicast_scene::model::Transform;

/// A key of a clip: its time, and the frame of the movement that it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    pub time: f64,
    pub track: Place,
    pub frame: usize,
}

/// The movements of an archive.
pub(super) trait Movements {
    /// The key behind a translation of the numbered archive.
    fn key(&self, code: [f64; 4], time: f64) -> Option<Key>;

    /// A value of a frame in scene space.
    fn stored(&self, key: Key, part: Part) -> Option<[f64; 4]>;

    /// The times at which a track with these keys can have frames to show the curves of an edit.
    fn times(&self, keys: &[Key], wanted: &Wanted) -> Vec<f64>;
}

/// The movement that an edit wants for a bone.
#[derive(Debug)]
pub(super) struct Wanted {
    /// End of the clip.
    pub end: f64,
    /// True if the clip returns to its first frame at its end.
    pub is_loop: bool,
    /// Seconds between the frames of the original clip.
    pub step: Option<f64>,
    pub curves: Vec<(Part, Curve)>,
}

/// A part of a pose in scene space.
pub(super) fn part_of_pose(pose: &Transform, part: Part) -> [f64; 4] {
    match part {
        Part::Translation => {
            let [x, y, z] = pose.translation.to_array().map(f64::from);
            [x, y, z, 0.0]
        }
        Part::Rotation => pose.rotation.to_array().map(f64::from),
        Part::Scale => {
            let [x, y, z] = pose.scale.to_array().map(f64::from);
            [x, y, z, 0.0]
        }
    }
}
