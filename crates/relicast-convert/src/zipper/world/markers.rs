//! Nodes with a meaning in every mission: by their names fog volumes, instruments and states of aircraft in Crimson
//! Skies, and pickups in Recoil; by their flags Recoil's ground that takes craters.

use relicast_scene::extras::{floats, zipper};

use relicast_codec::NumericEq;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{Affine, GameZ, Node, NodeData, NodeFlags, Object3dFlags};

use super::aircraft_parts::panel_facts;
use super::pickups;

/// Start of the names of fog volumes, in this letter case.
const FOG_VOLUME: &str = "fvol";

/// Meanings of the nodes of a file, for their extras: index, name and value.
pub(super) fn marks(gamez: &GameZ) -> Vec<(usize, zipper::Node)> {
    let nodes = gamez.nodes.used.iter().enumerate();
    let mark = |(index, node): (usize, &Node)| {
        let name = node.name();
        let facts = match gamez.version {
            ZipperGame::CrimsonSkies if name.starts_with(FOG_VOLUME) => zipper::Node {
                fog_volume: Some(fog_volume(node, gamez.version)),
                ..zipper::Node::default()
            },
            ZipperGame::CrimsonSkies => part_of_aircraft(&name)?,
            ZipperGame::Recoil => zipper::Node {
                pickup: Some(pickups::of_node(&name)?),
                ..zipper::Node::default()
            },
            _ => return None,
        };
        Some((index, facts))
    };
    let mut marks: Vec<(usize, zipper::Node)> = nodes.filter_map(mark).collect();
    if gamez.version == ZipperGame::Recoil {
        marks.extend(craters(gamez));
    }
    marks
}

/// Effects of hits on the ground of Recoil. They count for active nodes at the top of the world with a model of
/// their own. `CLIP_TO` is tested first, so that a node with both flags blocks. The model is tested in its own
/// space, so that no crater reaches a node with a transform (zStudio, from the program).
fn craters(gamez: &GameZ) -> impl Iterator<Item = (usize, zipper::Node)> {
    let nodes = gamez.nodes.used.iter().enumerate();
    nodes.filter_map(|(index, node)| {
        let NodeData::Object3d(object) = &node.data else {
            return None;
        };
        let is_top = match *node.parents.as_slice() {
            [] => true,
            [parent] => {
                let parent = gamez.nodes.used.get(parent as usize);
                parent.is_some_and(|parent| matches!(parent.data, NodeData::World(_)))
            }
            _ => false,
        };
        let flags = node.flags();
        let counts = is_top && flags.contains(NodeFlags::ACTIVE) && node.model().is_some();
        let is_still = object.flags.contains(Object3dFlags::TRANSFORM_INITIAL)
            || object.transform.same(&Affine::identity());
        let crater = if flags.contains(NodeFlags::CLIP_TO) {
            if counts { "blocks" } else { "no" }
        } else if flags.contains(NodeFlags::CAN_MODIFY) {
            if counts && is_still { "yes" } else { "no" }
        } else {
            return None;
        };
        let facts = zipper::Node {
            crater: Some(crater.to_owned()),
            ..zipper::Node::default()
        };
        Some((index, facts))
    })
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

/// Meaning of an aircraft's node, by its name: an instrument of the cockpit, a panel, or a state of the whole.
fn part_of_aircraft(name: &str) -> Option<zipper::Node> {
    let instrument = |name: &str, number| zipper::Node {
        instrument: Some(zipper::Instrument {
            name: Some(name.to_owned()),
            number,
        }),
        ..zipper::Node::default()
    };
    let name = name.to_lowercase();
    if INSTRUMENTS.contains(&&*name) {
        return Some(instrument(&name, None));
    }
    for (start, count) in NUMBERED {
        let number = name.strip_prefix(start).map(str::parse::<usize>);
        if let Some(Ok(number)) = number
            && number < count
        {
            return Some(instrument(start, Some(number)));
        }
    }
    let damage_panel = panel_facts(&name);
    let is_state = ["healthy", "destroyed"].contains(&&*name);
    (is_state || damage_panel.is_some()).then(|| zipper::Node {
        damage_panel,
        damage_state: is_state.then_some(name),
        ..zipper::Node::default()
    })
}

/// The active box of a volume, in the space of its node.
fn fog_volume(node: &Node, version: ZipperGame) -> zipper::Bounds {
    let bounds = node.bounds(version);
    zipper::Bounds {
        min: bounds.map(|bounds| floats(bounds.min.to_array())),
        max: bounds.map(|bounds| floats(bounds.max.to_array())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_takes_craters_by_flag_place_and_model() {
        let node = |flags: NodeFlags, model: i32, is_still: bool| {
            let mut object = relicast_formats::zipper::gamez::Object3d::default();
            if is_still {
                object.flags.insert(Object3dFlags::TRANSFORM_INITIAL);
            }
            let mut node = Node {
                data: NodeData::Object3d(Box::new(object)),
                ..Node::default()
            };
            node.record.flags = flags;
            node.record.model_index = model;
            node
        };
        let (takes, blocks) = (NodeFlags::CAN_MODIFY, NodeFlags::CLIP_TO);
        let on = NodeFlags::ACTIVE;
        let mut gamez = GameZ::default();
        gamez.nodes.used = vec![
            node(on | takes, 0, true),
            node(on | takes | blocks, 0, true),
            // As `g502` of the second mission: it has a transform.
            node(on | takes, 0, false),
            // As 30 groups there: no model of their own.
            node(on | blocks, -1, true),
            node(takes, 0, true),
            node(on, 0, true),
        ];
        gamez.version = ZipperGame::Recoil;
        let crater: Vec<_> = craters(&gamez)
            .map(|(at, facts)| (at, facts.crater))
            .collect();
        let expected = ["yes", "blocks", "no", "no", "no"];
        let expected = expected
            .map(|crater| Some(crater.to_owned()))
            .into_iter()
            .enumerate();
        assert_eq!(crater, expected.collect::<Vec<_>>());
    }
}
