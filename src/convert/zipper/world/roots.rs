//! Which nodes stand in the world, and which wait outside until something is made of them.

use std::collections::{BTreeSet, HashSet};

use crate::convert::zipper::model::assembly::{Assembly, Nodes};
use crate::formats::zipper::gamez::{GameZ, Model, Node, NodeData, PolygonFlags, Version};

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

/// Nodes of Crimson Skies that editors and scripts see but players do not, by name: volumes of fog,
/// paths through danger zones; and markers, which are single triangles without texture.
pub(super) fn helpers(gamez: &GameZ) -> HashSet<usize> {
    if gamez.version != Version::CrimsonSkies {
        return HashSet::new();
    }
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
