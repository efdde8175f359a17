//! Boxes of EQG zones: water, ways to other zones and the like.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::Serialize;

use crate::everquest::mesh::primitive_extras;
use crate::everquest::scene_builder::Layers;
use crate::everquest::space;
use relicast_codec::F32;
use relicast_formats::everquest::eqg::zone::{Region, RegionKind, zone_line};
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Mesh, Node, Primitive};

/// A box in scene space.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Volume {
    /// Name.
    pub name: String,
    /// Kind of the region.
    pub kind: RegionKind,
    /// Number of a way to another zone; only the server knows its target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Center.
    pub center: [F32; 3],
    /// Half the lengths of the sides along x, y and z of the file.
    pub half: [F32; 3],
    /// 512ths of a turn about z, −y and x of the file.
    pub turn: [i32; 3],
    /// Corners: x, y and z of the file from least to greatest, z first.
    pub corners: Vec<[F32; 3]>,
}

fn turn(axis: DVec3, parts: i32) -> DQuat {
    let half = f64::from(parts) / 512.0 * std::f64::consts::PI;
    let (sine, cosine) = (libm::sin(half), libm::cos(half));
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Angle as the client reads it: whole 512ths of a turn, within one turn.
fn whole(angle: f32) -> i32 {
    // A cast of a float saturates, and turns NaN into 0.
    (angle as i32) & 511
}

impl Volume {
    /// A region of a zone; `None` when a value is not finite.
    pub(super) fn of(name: String, region: &Region) -> Option<Self> {
        let turns = region.turn.to_array().map(whole);
        let [q0, q1, q2] = turns;
        let rotation = turn(DVec3::Z, q0) * turn(DVec3::Y, -q1) * turn(DVec3::X, q2);
        Self::new(
            name,
            region.center.to_array(),
            region.half.to_array(),
            turns,
            rotation,
        )
    }

    /// A box by its rotation in file axes; `None` when a value is not finite.
    pub(super) fn new(
        name: String,
        center: [f32; 3],
        half: [f32; 3],
        turn: [i32; 3],
        rotation: DQuat,
    ) -> Option<Self> {
        let kind = RegionKind::new(&name);
        let [mut x, mut y, z] = half.map(f32::abs);
        if kind == RegionKind::Fog {
            (x, y) = (x.max(y), x.max(y));
        }
        let half = [x, y, z];
        let parts = center.into_iter().chain(half);
        if !parts.into_iter().all(f32::is_finite) || !rotation.is_finite() {
            return None;
        }
        let middle = DVec3::from_array(center.map(f64::from));
        let mut corners = Vec::with_capacity(8);
        for sign_x in [-1.0, 1.0] {
            for sign_y in [-1.0, 1.0] {
                for sign_z in [-1.0, 1.0] {
                    let [x, y, z] = half.map(f64::from);
                    let corner = DVec3::new(x * sign_x, y * sign_y, z * sign_z);
                    let corner = middle + rotation * corner;
                    let corner = corner.to_array().map(|part| part as f32);
                    corners.push(space::vector(corner).map(F32));
                }
            }
        }
        Some(Self {
            index: (kind == RegionKind::ZoneLine).then(|| zone_line(&name)),
            name,
            kind,
            center: space::vector(center).map(F32),
            half: half.map(F32),
            turn,
            corners,
        })
    }

    /// Multiplies all lengths.
    pub(super) fn scale_lengths(&mut self, factor: f32) {
        let parts = self.corners.iter_mut().flatten();
        for part in parts.chain(&mut self.center).chain(&mut self.half) {
            part.0 *= factor;
        }
    }

    /// Adds the box as a mesh to the hidden scene.
    pub(super) fn add(&self, layers: &mut Layers<'_, '_>) {
        // Corner numbers: bit 2 is x, bit 1 is y, bit 0 is z of the file; faces look outwards.
        const FACES: [[u32; 4]; 6] = [
            [0, 1, 3, 2],
            [4, 6, 7, 5],
            [0, 4, 5, 1],
            [2, 3, 7, 6],
            [0, 2, 6, 4],
            [1, 5, 7, 3],
        ];
        let positions = self.corners.iter().map(|corner| corner.map(F32::get));
        let indices = FACES.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
        let mesh = Mesh {
            name: self.name.clone(),
            primitives: vec![Primitive {
                positions: Arc::new(positions.collect()),
                indices: Arc::new(indices.collect()),
                is_passable: true,
                extras: primitive_extras(false),
                ..Primitive::default()
            }],
            ..Mesh::default()
        };
        let facts = everquest::Node {
            volume: serde_json::to_value(self.kind).ok(),
            index: self.index.map(|index| index as usize),
            ..everquest::Node::default()
        };
        let hidden = layers.hidden();
        let mesh = hidden.scene.add_mesh(mesh);
        hidden.attach(Node {
            name: self.name.clone(),
            mesh: Some(mesh),
            extras: facts.extras(),
            ..Node::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Vec3;

    #[test]
    fn boxes_turn_and_their_extents_have_no_sign() {
        let region = Region {
            center: Vec3::from([10.0, 20.0, 30.0]),
            turn: Vec3::from([128.9, 0.0, 0.0]),
            half: Vec3::from([-1.0, 2.0, 3.0]),
            ..Region::default()
        };
        let made = Volume::of("AWT_a".to_owned(), &region).unwrap();
        // A quarter turn from x to y: the corner (−1, −2, −3) goes to (2, −1, −3).
        let [x, y, z] = made.corners[0].map(F32::get);
        for (found, expected) in [(x, 19.0), (y, 27.0), (z, 12.0)] {
            assert!((found - expected).abs() < 1e-4, "{:?}", made.corners[0]);
        }
        let fog = Volume::of("AFG".to_owned(), &region).unwrap();
        assert_eq!(fog.half, [2.0, 2.0, 3.0].map(F32));
        let wild = Region {
            half: Vec3::from([f32::NAN, 0.0, 0.0]),
            ..Region::default()
        };
        assert_eq!(Volume::of(String::new(), &wild), None);
    }
}
