//! Animation clips.
//!
//! ```
//! use relicast_scene::model::Interpolation;
//!
//! assert_eq!(Interpolation::Linear.values_per_key(), 1);
//! assert_eq!(Interpolation::Cubic.values_per_key(), 3, "slope before, value, slope after");
//! ```

use glam::{Quat, Vec3};

use super::{Extras, MaterialId, NameHint, NodeId};

/// A movement of nodes and materials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clip {
    /// Name, need not be unique.
    pub name: String,
    /// Hint for engines, written as an ending of the name.
    pub hint: Option<NameHint>,
    /// Animated channels; no two have the same node and kind of track.
    pub channels: Vec<Channel>,
    /// Animated materials; no two channels have the same material and kind of track.
    pub surfaces: Vec<SurfaceChannel>,
    /// Extras.
    pub extras: Extras,
}

/// One property of one node over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// The node.
    pub node: NodeId,
    /// Key times in seconds, strictly increasing from 0 or more.
    pub times: Vec<f32>,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// The property and its values.
    pub track: Track,
}

/// One property of one material over time.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceChannel {
    /// The material.
    pub material: MaterialId,
    /// Key times in seconds, strictly increasing from 0 or more.
    pub times: Vec<f32>,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
    /// The property and its values.
    pub track: SurfaceTrack,
}

/// An animated property of a material, one value per key unless the interpolation says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceTrack {
    /// Replaces [`Material::base_color`](super::Material::base_color).
    BaseColor(Vec<[f32; 4]>),
    /// Replaces the texture offset of the material.
    TextureOffset(Vec<[f32; 2]>),
}

/// Interpolation between keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Linear, or spherical for rotations.
    #[default]
    Linear,
    /// The value of the previous key.
    Step,
    /// A cubic spline. Each key has three values: change per second before it, value, change per second
    /// after it. Not for rotations nor weights.
    Cubic,
}

impl Interpolation {
    /// Number of values per key.
    pub fn values_per_key(self) -> usize {
        match self {
            Self::Linear | Self::Step => 1,
            Self::Cubic => 3,
        }
    }
}

/// An animated property of a node, one value per key unless the interpolation says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub enum Track {
    /// Replaces the translation.
    Translation(Vec<Vec3>),
    /// Replaces the rotation.
    Rotation(Vec<Quat>),
    /// Replaces the scale.
    Scale(Vec<Vec3>),
    /// Replaces the weights of the morph targets, one per target of the mesh for each key.
    Weights(Vec<f32>),
    /// Replaces [`Node::shown`](super::Node::shown); in steps.
    Shown(Vec<bool>),
}

impl Clip {
    /// Time of the last key, in seconds.
    pub fn duration(&self) -> f32 {
        let nodes = self.channels.iter().map(|channel| &channel.times);
        let surfaces = self.surfaces.iter().map(|channel| &channel.times);
        let ends = nodes.chain(surfaces).filter_map(|times| times.last());
        ends.fold(0.0, |longest, &end| end.max(longest))
    }
}

/// Normalizes the rotations of a track and moves neighbors to the same half of the sphere, so that interpolation
/// takes the short way. A rotation without direction repeats the previous one.
pub fn smooth_rotations(rotations: &mut [Quat]) {
    let mut previous = Quat::IDENTITY;
    for rotation in rotations {
        let wide = rotation.as_dquat();
        let length = wide.length();
        let unit = if length.is_finite() && length > 0.0 {
            (wide / length).as_quat()
        } else {
            previous
        };
        *rotation = if unit.dot(previous) < 0.0 {
            -unit
        } else {
            unit
        };
        previous = *rotation;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_take_the_short_way() {
        let turn = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        let mut rotations = [
            turn * 2.0,
            -turn,
            Quat::from_xyzw(0.0, f32::NAN, 0.0, 0.0),
            turn,
        ];
        smooth_rotations(&mut rotations);
        for rotation in rotations {
            assert!((rotation - turn).length() < 1e-6, "{rotation}");
        }
    }
}
