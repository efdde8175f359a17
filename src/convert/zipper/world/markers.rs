//! Nodes of a world that stand for something by their name, whatever the mission: volumes of fog in Crimson
//! Skies, things to pick up in Recoil.

use serde_json::{Map, Value as Json, json};

use crate::formats::codec::Vec3;
use crate::formats::zipper::ZipperGame;
use crate::formats::zipper::gamez::{GameZ, Node};
use crate::scene::model::number;

use super::pickups;

/// Start of the names of volumes of fog, in this letter case.
const FOG_VOLUME: &str = "fvol";

/// What the nodes of a file stand for, for their extras: index, name and value.
pub(super) fn marks(gamez: &GameZ) -> Vec<(usize, &'static str, Json)> {
    let nodes = gamez.nodes.used.iter().enumerate();
    let mark = |(index, node): (usize, &Node)| {
        let name = node.name();
        let (key, value) = match gamez.version {
            ZipperGame::CrimsonSkies if name.starts_with(FOG_VOLUME) => {
                ("fogVolume", fog_volume(node, gamez.version))
            }
            ZipperGame::Recoil => ("pickup", pickups::of_node(&name)?),
            _ => return None,
        };
        Some((index, key, value))
    };
    nodes.filter_map(mark).collect()
}

/// The live box of a volume, in the space of its node.
fn fog_volume(node: &Node, version: ZipperGame) -> Json {
    let triple = |at: Vec3| Json::from_iter(at.to_array().map(number));
    match node.bounds(version) {
        Some(bounds) => json!({"min": triple(bounds.min), "max": triple(bounds.max)}),
        None => Json::Object(Map::new()),
    }
}
