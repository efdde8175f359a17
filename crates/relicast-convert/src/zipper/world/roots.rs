//! Nodes in the world, and templates outside it.

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::{DMat4, DVec3};

use crate::options::{ConvertOptions, HideUnplaced};
use crate::zipper::scene::hierarchy::{
    HierarchyBuilder, Layer, Layout, ModelNumber, Nodes, matrix_of,
};
use relicast_codec::F32;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    GameZ, Model, Node, NodeData, NodeFlags, Object3dFlags, PolygonFlags,
};
use relicast_scene::model::{self, NodeId};

/// Maximum number of ancestors that are followed.
const FARTHEST: usize = 512;

impl Nodes for GameZ {
    fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.used.get(index)
    }

    fn model(&self, index: usize) -> Option<(ModelNumber, &Model)> {
        let node = self.node(index)?;
        if !matches!(node.data, NodeData::Object3d(_)) {
            return None;
        }
        let slot = node.model()?;
        Some((ModelNumber(slot), self.models.get(slot)?))
    }

    fn count(&self) -> usize {
        self.nodes.used.len()
    }
}

/// True if a node is an object that can be in a world.
pub(super) fn is_thing(node: &Node) -> bool {
    matches!(node.data, NodeData::Object3d(_) | NodeData::Lod(_))
}

/// Object nodes without a parent, in order.
pub(super) fn root_nodes(gamez: &GameZ) -> impl Iterator<Item = usize> {
    let nodes = gamez.nodes.used.iter().enumerate();
    nodes
        .filter(|(_, node)| is_thing(node) && node.parents.is_empty())
        .map(|(index, _)| index)
}

/// Adds the world with all nodes in it: its children, in a group, and other nodes that its cells list, in another.
pub(super) fn add_world<N: Nodes>(gamez: &GameZ, layout: &mut Layout<'_, N>) {
    let Some((index, world)) = gamez.nodes.world() else {
        return;
    };
    layout.add(&[index], None);
    let mut listed: Vec<usize> = Vec::new();
    let mut seen = HashSet::new();
    for entry in world.partitions.iter().flat_map(|cell| &cell.entries) {
        let node = entry.node as usize;
        if seen.insert(node) {
            listed.push(node);
        }
    }
    layout.checks.unknown_nodes += listed
        .iter()
        .filter(|&&node| gamez.node(node).is_none())
        .count();
    let all: HashSet<usize> = listed.iter().copied().collect();
    listed.retain(|&node| {
        let is_free = gamez.node(node).is_some_and(is_thing) && !layout.has(node);
        is_free
            && !ancestors(gamez, node)
                .iter()
                .any(|ancestor| layout.has(*ancestor) || all.contains(ancestor))
    });
    layout.add(&listed, Some(index));
}

/// Moves the topmost nodes of each cell of the world below an empty node of that cell; a node in several cells goes
/// to the first. Names and transforms do not change.
pub(super) fn group_by_cell<N: Nodes>(
    gamez: &GameZ,
    hierarchy: &mut HierarchyBuilder<'_, '_, '_, N>,
) {
    let Some((index, world)) = gamez.nodes.world() else {
        return;
    };
    let Some(above) = hierarchy.in_main(index) else {
        return;
    };
    let columns = usize::try_from(world.record.virt_partition_x_count).unwrap_or(0);
    let columns = columns.max(1);
    let places: HashMap<usize, NodeId> = hierarchy
        .shown
        .iter()
        .filter(|shown| shown.layer == Layer::Main)
        .map(|shown| (shown.index, shown.node))
        .collect();
    let scene = hierarchy.main();
    let mut free: HashSet<NodeId> = scene.nodes[above.index()]
        .children
        .iter()
        .copied()
        .collect();
    let mut cells = Vec::new();
    for (number, cell) in world.partitions.iter().enumerate() {
        let entries = cell.entries.iter().map(|entry| entry.node as usize);
        let members: Vec<NodeId> = entries
            .filter_map(|node| places.get(&node).copied())
            .filter(|node| free.remove(node))
            .collect();
        if members.is_empty() {
            continue;
        }
        let (x, z) = (number % columns, number / columns);
        cells.push(scene.add_node(model::Node {
            name: format!("cell_{x}_{z}"),
            children: members,
            ..model::Node::default()
        }));
    }
    let children = &mut scene.nodes[above.index()].children;
    children.retain(|child| free.contains(child));
    children.extend(cells);
}

/// Ancestors of a node, by first parents.
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

/// True if helpers and nodes that wait for a place are hidden.
pub(super) fn hides_unplaced(gamez: &GameZ, options: &ConvertOptions) -> bool {
    match options.worlds.hide_unplaced {
        HideUnplaced::Auto => gamez.version == ZipperGame::CrimsonSkies,
        HideUnplaced::Always => true,
        HideUnplaced::Never => false,
    }
}

/// Nodes for editors and scripts that players do not see, by name: fog volumes, paths through danger zones; and
/// markers, which are single triangles without texture.
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

/// Actors without a position, which are at the origin until a mission moves them. They are children of the
/// world or in its cells, with an identity transform. Unlike the ground they have parts and extend to all
/// sides of the origin; unlike the sky they are far smaller than the world.
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

/// Box around the visible geometry of a tree, in the space of its root's parent; none if there is none.
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

/// Objects that cannot be reached from any root, as in a cycle of parents.
pub(super) fn unreachable(gamez: &GameZ, reached: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
    let nodes = gamez.nodes.used.iter().enumerate();
    nodes
        .filter(|(index, node)| {
            let above = ancestors(gamez, *index);
            is_thing(node) && !reached(*index) && !above.iter().any(|above| reached(*above))
        })
        .map(|(index, _)| index)
        .collect()
}
