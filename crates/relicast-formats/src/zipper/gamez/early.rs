//! Worlds of version 13, from Recoil's demos of July and August 1998. They equal worlds of version 15 except for
//! two records: a node (264 bytes instead of 192) and an object (156 bytes instead of 144).
//!
//! Source: measured by the authors of zStudio on the demos' files. Version 14 was never seen.

use serde::Serialize;

use crate::zipper::ZipperGame;
use relicast_codec::{self as codec, Box3, Field, NumericEq, Sizes, Stream, Vec3};

use super::affine::Affine;

/// Version word of the demos' worlds.
pub const EARLY_VERSION: u32 = 13;

/// Layout of a world's records within its game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Revision {
    /// Layout of the released game.
    #[default]
    Released,
    /// Layout of Recoil's demos: version 13.
    Early,
}

impl Revision {
    /// The revision of a world with this version word.
    pub const fn from_world_version(version: u32) -> Self {
        if version == EARLY_VERSION {
            Self::Early
        } else {
            Self::Released
        }
    }

    /// True for the released layout, which the JSON of a world omits.
    pub fn is_released(&self) -> bool {
        *self == Self::Released
    }

    /// Additional bytes of a node's record, compared with the released game.
    pub(super) const fn further_node_bytes(self) -> usize {
        match self {
            Self::Released => 0,
            Self::Early => CORNERS - BOX,
        }
    }
}

const BOX: usize = 24;
const CORNERS: usize = 96;

/// Box around a node's model and all descendants, as its world stores it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum NodeBounds {
    /// 24 bytes: the box, in the node's own space.
    Box(Box3),
    /// 96 bytes, worlds of version 13: the corners under the node's own matrix, in the space of its parent; zeros
    /// without any. The lower face comes first, each face in the order (−, +) (+, +) (+, −) (−, −) of x and z.
    Corners(Box<[Vec3; 8]>),
}

impl Default for NodeBounds {
    fn default() -> Self {
        Self::Box(Box3::default())
    }
}

impl NodeBounds {
    /// Empty bounds, in the form of the revision.
    pub fn of_revision(revision: Revision) -> Self {
        match revision {
            Revision::Released => Self::default(),
            Revision::Early => Self::Corners(Box::default()),
        }
    }

    /// Corners of a box under a transform.
    pub fn corners(bounds: &Box3, transform: &Affine) -> Self {
        let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
        let columns = transform.basis.map(|row| row.to_array());
        let origin = transform.translation.to_array();
        let [(x0, x1), (y0, y1), (z0, z1)] =
            [0, 1, 2].map(|axis: usize| (part(&min, axis), part(&max, axis)));
        let faces = [y0, y1].map(|y| [[x0, y, z1], [x1, y, z1], [x1, y, z0], [x0, y, z0]]);
        let [lower, upper] = faces;
        let [a, b, c, d] = lower;
        let [e, f, g, h] = upper;
        let placed = [a, b, c, d, e, f, g, h].map(|[x, y, z]: [f32; 3]| {
            let along = |axis: usize| {
                let [first, second, third] = columns.map(|row| part(&row, axis));
                x * first + y * second + z * third + part(&origin, axis)
            };
            Vec3::from([along(0), along(1), along(2)])
        });
        Self::Corners(Box::new(placed))
    }

    /// The stored box; `None` where corners are stored.
    pub fn stored_box(&self) -> Option<Box3> {
        match self {
            Self::Box(bounds) => Some(*bounds),
            Self::Corners(_) => None,
        }
    }

    /// True when all stored values are 0.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Box(bounds) => bounds.same(&Box3::default()),
            Self::Corners(corners) => corners.iter().all(|corner| corner.same(&Vec3::default())),
        }
    }

    /// False when a box other than `expected` is stored. No rule is known for corners.
    pub(super) fn may_be(&self, expected: &Box3) -> bool {
        self.stored_box().is_none_or(|bounds| bounds.same(expected))
    }
}

fn part(of: &[f32; 3], axis: usize) -> f32 {
    of.get(axis).copied().unwrap_or_default()
}

/// The value determines the form; reading sets it beforehand.
impl Field<ZipperGame> for NodeBounds {
    const SIZES: Sizes = [BOX; 4];

    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        _version: ZipperGame,
    ) -> codec::Result<()> {
        match self {
            Self::Box(bounds) => stream.value(name, bounds),
            Self::Corners(corners) => stream.value(name, &mut **corners),
        }
    }
}

/// Translation of an object, which worlds of version 13 store before its matrix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EarlyTranslation(pub Option<Vec3>);

impl EarlyTranslation {
    /// An empty translation, or none, by the revision.
    pub fn of_revision(revision: Revision) -> Self {
        match revision {
            Revision::Released => Self(None),
            Revision::Early => Self(Some(Vec3::default())),
        }
    }

    /// True for objects of all other worlds; their JSON omits it.
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

/// 12 bytes if there is one; reading sets it beforehand.
impl Field<ZipperGame> for EarlyTranslation {
    const SIZES: Sizes = [0; 4];

    fn visit<'a, S: Stream<'a>>(
        &mut self,
        name: &'static str,
        stream: &mut S,
        _version: ZipperGame,
    ) -> codec::Result<()> {
        match &mut self.0 {
            Some(translation) => stream.value(name, translation),
            None => Ok(()),
        }
    }
}
