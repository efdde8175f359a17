//! Templates of the actors of MechWarrior 3's missions. Names compare with their case:
//!
//! 1. One object of the world has the full name: the first record moves that node to the record's place in the
//!    world. Later records of that name are copies of it. Several such objects: nothing is placed.
//! 2. Otherwise the name is truncated before the first `_` that a digit follows. One object of that name, anywhere
//!    in the hierarchy: copies of it and all descendants.
//! 3. Otherwise a member `mech_NAME.flt` of the model library whose root has a child with that name: copies of the
//!    member.
//!
//! Source: zStudio, whose rules place all actors of the shipped missions. No known program places those of Pirate's
//! Moon; the same rules are assumed.

use std::collections::BTreeSet;

use crate::zipper::scene::hierarchy::Nodes;
use relicast_formats::zipper::gamez::{GameZ, NodeData};

use super::missions::Mission;
use super::records::MissionPlacementKind;

/// The objects with a name, in the order of their slots.
pub(super) fn objects_called(gamez: &GameZ, name: &str) -> Vec<usize> {
    let nodes = gamez.nodes.used.iter().enumerate();
    let found = nodes.filter(|(_, node)| {
        let own = node.name();
        matches!(node.data, NodeData::Object3d(_))
            && !name.is_empty()
            && own.strip_suffix(".flt").unwrap_or(&own) == name
    });
    found.map(|(index, _)| index).collect()
}

/// Returns true if the world is the only parent of a node, or if the node is only in cells.
fn is_in_world(gamez: &GameZ, index: usize, templates: &[usize]) -> bool {
    let parents = gamez.node(index).map(|node| node.parents.as_slice());
    match parents {
        Some([]) => !templates.contains(&index),
        Some(&[parent]) => {
            let parent = gamez.node(parent as usize);
            parent.is_some_and(|parent| matches!(parent.data, NodeData::World(_)))
        }
        _ => false,
    }
}

/// Finds the actors of a mission that are nodes of the world with their full name.
pub(super) fn take_named(mission: &mut Mission, gamez: &GameZ, templates: &[usize]) {
    let mut taken = BTreeSet::new();
    for mut thing in std::mem::take(&mut mission.things) {
        if thing.kind != MissionPlacementKind::Vehicle {
            mission.things.push(thing);
            continue;
        }
        let found = objects_called(gamez, &thing.name);
        if !found.is_empty() {
            thing.template = Some(thing.name.clone());
        }
        let first = match *found {
            [index] => Some(index).filter(|&index| taken.insert(index)),
            _ => None,
        };
        match first {
            Some(index) if is_in_world(gamez, index, templates) => {
                mission.standing.push((index, thing));
            }
            // Nodes outside the world are in none of its scenes.
            Some(index) if !templates.contains(&index) => {
                mission.taken.push((index, thing.name.clone()));
                mission.things.push(thing);
            }
            _ => mission.things.push(thing),
        }
    }
}
