//! Nodes that stand for something by their name, whatever the mission: volumes of fog, instruments and states of
//! aircraft in Crimson Skies, things to pick up in Recoil.

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
            ZipperGame::CrimsonSkies => part_of_aircraft(&name)?,
            ZipperGame::Recoil => ("pickup", pickups::of_node(&name)?),
            _ => return None,
        };
        Some((index, key, value))
    };
    nodes.filter_map(mark).collect()
}

/// Instruments of a cockpit that the game's scripts bind, without and with a number.
const INSTRUMENTS: [&str; 9] = [
    "gungauge",
    "4char_ammo",
    "missilegauge",
    "6char_type",
    "damageindicator",
    "rightwingdamage",
    "leftwingdamage",
    "taildamage",
    "nosedamage",
];
const NUMBERED: [(&str, usize); 2] = [("ggindicator", 4), ("mgindicator", 8)];

/// What a node of an aircraft is by its name: an instrument of the cockpit, or a state of the whole.
fn part_of_aircraft(name: &str) -> Option<(&'static str, Json)> {
    let name = name.to_lowercase();
    if INSTRUMENTS.contains(&&*name) {
        return Some(("instrument", json!({"name": name})));
    }
    for (start, count) in NUMBERED {
        let number = name.strip_prefix(start).map(str::parse::<usize>);
        if let Some(Ok(number)) = number
            && number < count
        {
            return Some(("instrument", json!({"name": start, "number": number})));
        }
    }
    let is_state = ["healthy", "destroyed"].contains(&&*name);
    is_state.then(|| ("damageState", Json::from(name)))
}

/// The live box of a volume, in the space of its node.
fn fog_volume(node: &Node, version: ZipperGame) -> Json {
    let triple = |at: Vec3| Json::from_iter(at.to_array().map(number));
    match node.bounds(version) {
        Some(bounds) => json!({"min": triple(bounds.min), "max": triple(bounds.max)}),
        None => Json::Object(Map::new()),
    }
}
