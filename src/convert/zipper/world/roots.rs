//! Which nodes stand in the world, and which wait outside until something is made of them.

use std::collections::{BTreeSet, HashSet};

use glam::{DMat4, DVec3};

use crate::config::{Config, HideUnplaced};
use crate::convert::zipper::model::assembly::{Assembly, Nodes, matrix_of};
use crate::formats::codec::F32;
use crate::formats::zipper::gamez::{
    GameZ, Model, Node, NodeData, NodeFlags, Object3dFlags, PolygonFlags, Version,
};

/// How far up ancestors are followed.
const FARTHEST: usize = 512;

impl Nodes for GameZ {
    fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.used.get(index)
    }

    fn model(&self, index: usize) -> Option<(usize, &Model)> {
        let node = self.node(index)?;
        if !matches!(node.data, NodeData::Object3d(_)) {
            return None;
        }
        let slot = node.model()?;
        Some((slot, self.models.get(slot)?))
    }

    fn count(&self) -> usize {
        self.nodes.used.len()
    }
}

/// Whether a node is a thing that can stand in a world.
fn is_thing(node: &Node) -> bool {
    matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_))
}

/// Nodes without a parent that are things, in order.
pub(super) fn parentless(gamez: &GameZ) -> impl Iterator<Item = usize> {
    let nodes = gamez.nodes.used.iter().enumerate();
    nodes
        .filter(|(_, node)| is_thing(node) && node.parents.is_empty())
        .map(|(index, _)| index)
}

/// Adds the world with all that stands in it: its children, and what its cells list besides.
pub(super) fn add_world(gamez: &GameZ, index: usize, assembly: &mut Assembly<'_, '_, '_, GameZ>) {
    assembly.add(&[index], None);
    let above = assembly.in_main(index);
    let Some((_, world)) = gamez.nodes.world() else {
        return;
    };
    let mut listed: Vec<usize> = Vec::new();
    let mut seen = HashSet::new();
    for entry in world.partitions.iter().flat_map(|cell| &cell.entries) {
        let node = entry.node as usize;
        if seen.insert(node) {
            listed.push(node);
        }
    }
    assembly.checks.unknown_nodes += listed
        .iter()
        .filter(|&&node| gamez.node(node).is_none())
        .count();
    let all: HashSet<usize> = listed.iter().copied().collect();
    listed.retain(|&node| {
        let is_free = gamez.node(node).is_some_and(is_thing) && !assembly.has(node);
        is_free
            && !ancestors(gamez, node)
                .iter()
                .any(|ancestor| assembly.has(*ancestor) || all.contains(ancestor))
    });
    assembly.add(&listed, above);
}

/// What is above a node, by first parents.
fn ancestors(gamez: &GameZ, node: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = node;
    while let Some(&parent) = gamez.node(at).and_then(|node| node.parents.first()) {
        at = parent as usize;
        if at == node || found.len() >= FARTHEST {
            break;
        }
        found.push(at);
    }
    found
}

/// Whether helpers and what waits for a place are hidden.
pub(super) fn hides_unplaced(gamez: &GameZ, config: &Config) -> bool {
    match config.worlds.hide_unplaced {
        HideUnplaced::Auto => gamez.version == Version::CrimsonSkies,
        HideUnplaced::Always => true,
        HideUnplaced::Never => false,
    }
}

/// Nodes that editors and scripts see but players do not, by name: volumes of fog, paths through
/// danger zones; and markers, which are single triangles without texture.
pub(super) fn helpers(gamez: &GameZ) -> HashSet<usize> {
    let is_helper = |index: usize, node: &Node| {
        let name = node.name().to_lowercase();
        name.starts_with("fvol") || name.starts_with("dz") || is_marker(gamez, index)
    };
    let nodes = gamez.nodes.used.iter().enumerate();
    nodes
        .filter(|(index, node)| is_thing(node) && is_helper(*index, node))
        .map(|(index, _)| index)
        .collect()
}

/// Actors without a place: they wait at the origin until a mission moves them. They stand in the
/// world, as its children or in its cells, under an identity; unlike the ground, which stands there too,
/// they are made of parts and reach to all sides of the origin; unlike the sky, they are far smaller
/// than the world.
pub(super) fn unplaced(gamez: &GameZ) -> HashSet<usize> {
    let Some((index, world)) = gamez.nodes.world() else {
        return HashSet::new();
    };
    let record = &world.record;
    let edge = |one: F32, other: F32| f64::from((one.0 - other.0).abs());
    let area =
        edge(record.area_left, record.area_right).min(edge(record.area_top, record.area_bottom));
    let cells = world.partitions.iter().flat_map(|cell| &cell.entries);
    let listed = cells.map(|entry| entry.node as usize);
    let children = gamez
        .node(index)
        .into_iter()
        .flat_map(|node| &node.children);
    let standing: BTreeSet<usize> = listed
        .chain(children.map(|&child| child as usize))
        .collect();
    let sky = sky(gamez);
    let waits = |index: usize| {
        let node = gamez.node(index)?;
        let NodeData::Object3d(object) = &node.data else {
            return None;
        };
        let name = node.name().to_lowercase();
        let is_still = object.flags.contains(Object3dFlags::TRANSFORM_INITIAL)
            || matrix_of(&object.transform) == DMat4::IDENTITY;
        let can_wait = is_still
            && !node.children.is_empty()
            && !node.flags().contains(NodeFlags::TERRAIN)
            && !sky.contains(&index)
            && !name.starts_with("horizon")
            && !name.starts_with("sky");
        let (least, greatest) = can_wait.then(|| bounds(gamez, index))??;
        let around = |least: f64, greatest: f64| {
            least < 0.0 && greatest > 0.0 && greatest - least <= area / 2.0
        };
        (around(least.x, greatest.x) && around(least.z, greatest.z)).then_some(index)
    };
    standing.into_iter().filter_map(waits).collect()
}

/// Nodes that follow a camera.
fn sky(gamez: &GameZ) -> HashSet<usize> {
    let cameras = gamez.nodes.used.iter().filter_map(|node| match &node.data {
        NodeData::Camera(camera) => Some([camera.focus_node_xy, camera.focus_node_xz]),
        _ => None,
    });
    let nodes = cameras.flatten();
    nodes
        .filter_map(|node| usize::try_from(node).ok())
        .collect()
}

/// Box around all that a tree shows, in the space above its root; none if it shows nothing.
fn bounds(gamez: &GameZ, root: usize) -> Option<(DVec3, DVec3)> {
    let mut bounds: Option<(DVec3, DVec3)> = None;
    let mut seen = HashSet::new();
    let mut stack = vec![(root, DMat4::IDENTITY)];
    while let Some((index, above)) = stack.pop() {
        let Some(node) = gamez.node(index).filter(|_| seen.insert(index)) else {
            continue;
        };
        let own = match &node.data {
            NodeData::Object3d(object)
                if !object.flags.contains(Object3dFlags::TRANSFORM_INITIAL) =>
            {
                matrix_of(&object.transform)
            }
            _ => DMat4::IDENTITY,
        };
        let matrix = above * own;
        if let Some((_, model)) = gamez.model(index) {
            for vertex in &model.vertices {
                let vertex = DVec3::from_array(vertex.to_array().map(f64::from));
                let point = matrix.transform_point3(vertex);
                let (least, greatest) = bounds.get_or_insert((point, point));
                *least = least.min(point);
                *greatest = greatest.max(point);
            }
        }
        stack.extend(node.children.iter().map(|&child| (child as usize, matrix)));
    }
    bounds
}

fn is_marker(gamez: &GameZ, index: usize) -> bool {
    let Some((_, model)) = gamez.model(index) else {
        return false;
    };
    let [polygon] = &*model.polygons else {
        return false;
    };
    let plain = |material: &i32| {
        let material = usize::try_from(*material).ok();
        let material = material.and_then(|place| gamez.materials.used.get(place));
        material.is_some_and(|material| !material.record.is_textured())
    };
    polygon.corners() == 3
        && !polygon.flags().contains(PolygonFlags::TRI_STRIP)
        && polygon.materials.iter().all(plain)
}

/// Frames of turning propellers where one that stands still hangs beside them.
pub(super) fn turning_propellers(gamez: &GameZ) -> HashSet<usize> {
    let name = |index: &u32| {
        let node = gamez.node(*index as usize);
        node.map(|node| node.name().to_lowercase())
            .unwrap_or_default()
    };
    let mut hidden = HashSet::new();
    for node in &gamez.nodes.used {
        let stands = |index: &u32| {
            let name = name(index);
            name.starts_with("staticprop") || name == "prop_still"
        };
        if node.children.iter().any(stands) {
            let turning = node.children.iter().filter(|index| {
                let name = name(index);
                name.starts_with("prop") && !stands(index)
            });
            hidden.extend(turning.map(|&index| index as usize));
        }
    }
    hidden
}

/// Things that were not reached from any root, as in a ring of parents.
pub(super) fn lost(gamez: &GameZ, reached: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
    let nodes = gamez.nodes.used.iter().enumerate();
    nodes
        .filter(|(index, node)| {
            let above = ancestors(gamez, *index);
            is_thing(node) && !reached(*index) && !above.iter().any(|above| reached(*above))
        })
        .map(|(index, _)| index)
        .collect()
}
