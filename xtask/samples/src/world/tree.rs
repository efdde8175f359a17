//! Nodes with their parents, boxes and links.

use std::f32::consts::{FRAC_PI_2, PI};

use relicast::formats::codec::{Box3, F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    ActiveBox, Affine, AreaPartition, FreeNode, Lod, Node, NodeBounds, NodeData, NodeFlags,
    NodeName, NodeRecord, Nodes, Object3d, Object3dFlags, ZoneId,
};

use super::{ADDRESS, is_late};
use crate::Outcome;

/// An angle with its sine and cosine, which do not depend on the platform's library.
#[derive(Debug, Clone, Copy)]
pub struct Angle {
    radians: f32,
    sine: f32,
    cosine: f32,
}

/// Angles whose sines and cosines are exact.
impl Angle {
    /// None.
    pub const ZERO: Self = Self::new(0.0, 0.0, 1.0);
    /// A quarter turn.
    pub const QUARTER: Self = Self::new(FRAC_PI_2, 1.0, 0.0);
    /// Half a turn.
    pub const HALF: Self = Self::new(PI, 0.0, -1.0);
    /// Angle of the triangle of 3, 4 and 5.
    pub const STEEP: Self = Self::new(0.643_501_1, 0.6, 0.8);
    /// Angle of the triangle of 5, 12 and 13.
    pub const FLAT: Self = Self::new(0.394_791_12, 5.0 / 13.0, 12.0 / 13.0);

    const fn new(radians: f32, sine: f32, cosine: f32) -> Self {
        Self {
            radians,
            sine,
            cosine,
        }
    }

    /// The opposite angle.
    pub const fn back(self) -> Self {
        Self::new(-self.radians, -self.sine, self.cosine)
    }
}

/// Position of a node in its parent's space.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    at: [f32; 3],
    turn: [Angle; 3],
    scale: [f32; 3],
}

impl Place {
    /// Moved only.
    pub const fn at(x: f32, y: f32, z: f32) -> Self {
        Self {
            at: [x, y, z],
            turn: [Angle::ZERO; 3],
            scale: [1.0; 3],
        }
    }

    /// Turned about z, then x, then y.
    pub const fn turned(mut self, x: Angle, y: Angle, z: Angle) -> Self {
        self.turn = [x, y, z];
        self
    }

    /// Scaled before it is turned.
    pub const fn scaled(mut self, x: f32, y: f32, z: f32) -> Self {
        self.scale = [x, y, z];
        self
    }

    fn affine(&self) -> Affine {
        let [x, y, z] = self.turn;
        let (sx, cx, sy, cy, sz, cz) = (x.sine, x.cosine, y.sine, y.cosine, z.sine, z.cosine);
        let rows = [
            [sy * sx * sz + cy * cz, cx * sz, cy * sx * sz - sy * cz],
            [sy * sx * cz - cy * sz, cx * cz, cy * sx * cz + sy * sz],
            [sy * cx, -sx, cy * cx],
        ];
        let mut basis = [Vec3::default(); 3];
        for ((stored, row), factor) in basis.iter_mut().zip(rows).zip(self.scale) {
            *stored = Vec3::from(row.map(|value| value * factor));
        }
        Affine {
            basis,
            translation: Vec3::from(self.at),
        }
    }
}

/// The data of an object at its parent's position.
pub fn still() -> Object3d {
    Object3d {
        flags: Object3dFlags::ALWAYS | Object3dFlags::TRANSFORM_INITIAL,
        scale: Vec3::from([1.0; 3]),
        transform: Affine::identity(),
        ..Object3d::default()
    }
}

/// The data of an object with a position of its own.
pub fn placed(place: Place) -> Object3d {
    Object3d {
        flags: Object3dFlags::ALWAYS,
        rotate: Vec3::from(place.turn.map(|angle| angle.radians)),
        scale: Vec3::from(place.scale),
        transform: place.affine(),
        ..Object3d::default()
    }
}

/// The data of a level of detail that is visible from `near` to `far`.
pub fn lod(near: f32, far: f32, version: ZipperGame) -> NodeData {
    let pair = [F32(2.0), F32(4.0)];
    let late = is_late(version);
    NodeData::Lod(Box::new(Lod {
        measures_distance: 1,
        range_near_sq: F32(near * near),
        range_far: F32(far),
        range_far_sq: F32(far * far),
        fade_far: if late { Default::default() } else { pair },
        field64: if late { pair } else { Default::default() },
        uniform_scale: 1,
        ..Lod::default()
    }))
}

/// A node with the constants of its class.
pub fn node(name: &str, data: NodeData, version: ZipperGame) -> Outcome<Node> {
    let mut record = NodeRecord {
        name: NodeName::new(name).ok_or_else(|| format!("name too long: {name}"))?,
        flags: NodeFlags::ACTIVE
            | NodeFlags::ALTITUDE_SURFACE
            | NodeFlags::INTERSECT_SURFACE
            | NodeFlags::TREE_VALID
            | NodeFlags::ID_ZONE_CHECK,
        zone_id: ZoneId::ANY,
        class: data.class(),
        data_ptr: ADDRESS,
        model_index: -1,
        action_priority: 1,
        area_partition: AreaPartition::NONE,
        ..NodeRecord::default()
    };
    match data {
        NodeData::Lod(_) if is_late(version) => {
            record.field196 = 160;
            record.active_bbox = ActiveBox::Child;
        }
        NodeData::Empty | NodeData::Object3d(_) | NodeData::Lod(_)
            if version != ZipperGame::Recoil =>
        {
            record.field196 = 160;
        }
        NodeData::Light(_) => {
            record.flags |= NodeFlags::BBOX_NODE;
            if version == ZipperGame::CrimsonSkies {
                record.flags -= NodeFlags::ACTIVE;
            }
            record.node_bbox = NodeBounds::Box(Box3 {
                min: Vec3::from([1.0, 1.0, -2.0]),
                max: Vec3::from([2.0, 2.0, -1.0]),
            });
        }
        _ => {}
    }
    if data == NodeData::Empty {
        record.data_ptr = 0;
    }
    Ok(Node {
        record,
        data,
        ..Node::default()
    })
}

/// Builder of a node tree.
#[derive(Debug)]
pub struct Tree {
    version: ZipperGame,
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Creates an empty tree.
    pub fn new(version: ZipperGame) -> Self {
        Self {
            version,
            nodes: Vec::new(),
        }
    }

    /// Adds a node below another or without a parent, and returns its index.
    pub fn add(&mut self, name: &str, data: NodeData, parent: Option<usize>) -> Outcome<usize> {
        let index = self.nodes.len();
        self.nodes.push(node(name, data, self.version)?);
        if let Some(parent) = parent {
            self.relate(parent, index);
        }
        Ok(index)
    }

    /// Adds an object.
    pub fn object(
        &mut self,
        name: &str,
        object: Object3d,
        parent: Option<usize>,
    ) -> Outcome<usize> {
        self.add(name, NodeData::Object3d(Box::new(object)), parent)
    }

    /// Adds a level of detail.
    pub fn lod(&mut self, name: &str, near: f32, far: f32, parent: usize) -> Outcome<usize> {
        self.add(name, lod(near, far, self.version), Some(parent))
    }

    /// Makes a node the child of another, in addition to its other parents.
    pub fn relate(&mut self, parent: usize, child: usize) {
        let above = &mut self.nodes[parent];
        above.children.push(child as u32);
        above.record.relations.child_array_ptr = ADDRESS;
        let below = &mut self.nodes[child];
        below.parents.push(parent as u32);
        below.record.relations.parent_array_ptr = ADDRESS;
        below.record.relations.parent_count += 1;
    }

    /// Gives a node a model that fills `bounds`; `word` is the model's slot, or an address.
    pub fn set_model(&mut self, index: usize, word: i32, bounds: [[f32; 3]; 2]) {
        let record = &mut self.nodes[index].record;
        let [min, max] = bounds.map(Vec3::from);
        record.model_index = word;
        record.flags |= NodeFlags::BBOX_MODEL;
        record.model_bbox = Box3 { min, max };
        if is_late(self.version) {
            record.active_bbox = ActiveBox::Model;
        }
    }

    /// Hides a node.
    pub fn hide(&mut self, index: usize) {
        self.nodes[index].record.flags -= NodeFlags::ACTIVE;
    }

    /// Returns the node section and the count for the header, with a freed node and free slots if the
    /// game stores them.
    pub fn finish(mut self) -> Outcome<(Nodes, i32)> {
        const END: u32 = 0x00FF_FFFF;
        let mut free = Vec::new();
        let freed = self.nodes.len();
        if self.version.stores_free_nodes() {
            let index = self.add("wreck", NodeData::Empty, None)?;
            self.nodes[index].link = index as u32 + 1;
            for link in [index as u32 + 2, END] {
                free.push(FreeNode {
                    link,
                    residue: None,
                });
            }
        } else {
            for (index, node) in (0_u32..).zip(&mut self.nodes) {
                node.link = 0x0200_0000 | index;
            }
        }
        let used = self.nodes;
        Ok((Nodes { used, free }, freed as i32))
    }
}
