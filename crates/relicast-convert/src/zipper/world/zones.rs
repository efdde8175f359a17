//! Zones of Crimson Skies: parts of a world that are drawn depending on the camera.
//!
//! A node is drawn if its zone is -1 or 0, or equals the state of the camera; descendants have their own zones. The
//! state is 3 inside a fog volume with a `fog_zone`, else 2 from the height of the clouds up, else 1. Read from the
//! program by CSVM (documentation under CC BY 4.0). Scenes show the world for a camera near the ground; nodes of
//! other zones are handled like all hidden nodes.

use std::collections::BTreeMap;

use relicast_scene::extras::zipper;

use crate::zipper::scene::hierarchy::{HierarchyBuilder, Nodes};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::GameZ;

/// Zones that are drawn while the camera is near the ground.
const SHOWN: [i8; 3] = [-1, 0, 1];

/// True if a zone is drawn while the camera is near the ground, as scenes show the world.
pub fn is_shown_zone(zone: i64) -> bool {
    SHOWN.into_iter().any(|shown| i64::from(shown) == zone)
}

/// Nodes whose own models a camera near the ground does not see because of their zones.
pub(super) fn hidden_meshes(gamez: &GameZ) -> impl Iterator<Item = usize> {
    let has_zones = gamez.version == ZipperGame::CrimsonSkies;
    let nodes = gamez.nodes.used.iter().enumerate();
    let hidden = nodes.filter(move |(_, node)| {
        has_zones && !SHOWN.contains(&node.record.zone_id.id()) && node.model().is_some()
    });
    hidden.map(|(index, _)| index)
}

/// Records on nodes of a world that a zone hides their models.
pub(super) fn note_hidden<N: Nodes>(hierarchy: &mut HierarchyBuilder<'_, '_, '_, N>) {
    for &index in &hierarchy.layout.hidden_meshes {
        let notes = hierarchy.notes.entry(index).or_default();
        notes.hidden_by = Some("zone".to_owned());
    }
}

/// True if the zone of a node lets a camera near the ground see it.
pub(super) fn is_shown(gamez: &GameZ, index: usize) -> bool {
    let node = gamez.nodes.used.get(index);
    node.is_some_and(|node| SHOWN.contains(&node.record.zone_id.id()))
}

/// Facts about the zones of a world: the zones that its scenes show, and the number of nodes of each.
pub(super) fn facts(gamez: &GameZ) -> Option<zipper::Zones> {
    let mut nodes: BTreeMap<i32, usize> = BTreeMap::new();
    for node in &gamez.nodes.used {
        *nodes.entry(node.record.zone_id.id().into()).or_default() += 1;
    }
    (gamez.version == ZipperGame::CrimsonSkies).then(|| zipper::Zones {
        shown: Some(SHOWN.map(i32::from).to_vec()),
        nodes: Some(nodes),
    })
}
