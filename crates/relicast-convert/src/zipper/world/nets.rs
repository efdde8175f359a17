//! Nets of paths from the readers `net_NN` of Recoil and MechWarrior 3: places, the links between them, and the
//! behavior of vehicles that follow them.
//!
//! Recoil's nets are of version 105: a place has three links, -1 where there is none. All of MechWarrior 3's more
//! than 100 nets are of version 106 (zStudio, counted on the shipped files). There a key `node_N` is one of two
//! things, distinguished by the kind of its first item, and the same key may occur once as each:
//!
//! - a place: a whole number, the place, a list of links of any length, then attributes, each a text and a list
//!   (`valve`, `valveunion`);
//! - an edge: two numbers of places, then attributes (`valve_assign`, `canleave`, `scan_time`).
//!
//! The meaning of the attributes is unknown, so they are reported as stored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::zipper::settings;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::zipper;
use relicast_scene::model::{Mesh, Primitive, Topology};

use super::key_table::NETS;
use super::records::{MissionPlacement, MissionPlacementKind, place, records, whole};

/// The version of nets that a game accepts. That of Pirate's Moon is unknown.
fn version_of(game: ZipperGame) -> Option<f32> {
    match game {
        ZipperGame::Recoil | ZipperGame::CrimsonSkies => Some(105.0),
        ZipperGame::MechWarrior3 => Some(106.0),
        ZipperGame::PiratesMoon => None,
    }
}

/// A net.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Net {
    /// Name of its reader.
    pub label: String,
    /// Its settings.
    pub settings: zipper::Net,
    pub nodes: Vec<MissionPlacement>,
    /// Pairs of linked nodes, as indices into `nodes`, each once.
    pub links: BTreeSet<(usize, usize)>,
    /// Edges, for extras.
    pub edges: Vec<zipper::Edge>,
    /// Names of the mission's variables that its attributes mention.
    pub valves: BTreeSet<String>,
    /// The version, where the game is not known to accept it.
    pub odd_version: Option<f32>,
}

impl Net {
    /// The net of a reader; `None` for another version, which Recoil drops. Nets of the later games are read by
    /// their shape, regardless of their version.
    pub(super) fn new(label: &str, values: &[Value<'_>], game: ZipperGame) -> Option<Self> {
        let version = NETS.after(values, "version").unwrap_or_default();
        let version = settings::numbers(version, 1).first().copied();
        let odd_version = version.filter(|version| {
            version_of(game).map_or(![105.0, 106.0].contains(version), |own| *version != own)
        });
        let is_late = matches!(game, ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon);
        if odd_version.is_some() && !is_late {
            return None;
        }
        let mut net = Self {
            label: label.to_owned(),
            odd_version,
            ..Self::default()
        };
        if NETS.cuts(settings::unwrapped(values))
            && let serde_json::Value::Object(found) = NETS.document(values)
        {
            let is_setting = |name: &str| !name.to_lowercase().starts_with("node_");
            let settings = found.into_iter().filter(|(name, _)| is_setting(name));
            net.settings.stored = settings
                .filter(|(name, _)| name != "values" && name != "again")
                .collect();
        }
        net.add_nodes(values);
        Some(net)
    }

    fn add_nodes(&mut self, values: &[Value<'_>]) {
        let mut numbers: BTreeMap<i64, usize> = BTreeMap::new();
        let mut wanted: Vec<(i64, i64)> = Vec::new();
        let mut unnumbered: Vec<(usize, i64)> = Vec::new();
        for (key, values) in records(values) {
            let Some(name) = key.as_text().map(|name| name.shown().into_owned()) else {
                continue;
            };
            let lower = name.to_lowercase();
            let Some(number) = lower.strip_prefix("node_") else {
                continue;
            };
            let number: Option<i64> = number.parse().ok();
            if let Some((ends, behind)) = edge_of(values) {
                wanted.push((ends[0], ends[1]));
                let edge = zipper::Edge {
                    name: Some(name),
                    from: Some(ends[0]),
                    to: Some(ends[1]),
                    attributes: self.attributes(behind),
                };
                self.edges.push(edge);
            } else if let Some(found) = PathNode::new(values) {
                let at = self.nodes.len();
                if let Some(number) = number {
                    numbers.entry(number).or_insert(at);
                }
                unnumbered.extend(found.links.iter().map(|&link| (at, link)));
                let mut facts = found.facts;
                facts.attributes = self.attributes(found.behind);
                self.nodes.push(MissionPlacement {
                    kind: MissionPlacementKind::PathNode,
                    name,
                    template: None,
                    place: found.place,
                    rotation: DQuat::IDENTITY,
                    facts,
                });
            }
        }
        let of_number = |number: &i64| numbers.get(number).copied();
        let edges = wanted
            .iter()
            .map(|(from, to)| (of_number(from), of_number(to)));
        let links = unnumbered
            .iter()
            .map(|(from, to)| (Some(*from), of_number(to)));
        for pair in links.chain(edges) {
            if let (Some(from), Some(to)) = pair
                && from != to
            {
                self.links.insert((from.min(to), from.max(to)));
            }
        }
    }

    /// Attributes after the place or the ends: a text and its values, in the order of the file. `None` without any.
    fn attributes(&mut self, values: &[Value<'_>]) -> Option<Vec<zipper::Attribute>> {
        let mut found = Vec::new();
        let mut rest = values;
        while let Some((first, behind)) = rest.split_first() {
            let is_text = |value: &Value<'_>| value.as_text().is_some();
            let (own, next) = match (first.as_text().is_some(), behind.first()) {
                (true, Some(Value::List(own))) => (&**own, behind.get(1..).unwrap_or_default()),
                (true, _) => {
                    let end = behind.iter().position(is_text);
                    behind.split_at(end.unwrap_or(behind.len()))
                }
                (false, _) => (std::slice::from_ref(first), behind),
            };
            let mut attribute = zipper::Attribute::default();
            if let Some(key) = first.as_text() {
                let key = key.shown();
                if key.to_lowercase().starts_with("valve") {
                    self.valves.extend(settings::texts(own));
                }
                attribute.key = Some(key.into_owned());
            }
            let values = own.iter().map(std::slice::from_ref).map(settings::json);
            attribute.values = Some(values.collect());
            found.push(attribute);
            rest = next;
        }
        (!found.is_empty()).then_some(found)
    }

    /// Lines along the links, in the space of the world.
    pub(super) fn mesh(&self) -> Option<Mesh> {
        let positions = self
            .nodes
            .iter()
            .map(|node| node.place.as_vec3().to_array());
        let index = |place: usize| u32::try_from(place).ok();
        let mut indices = Vec::with_capacity(self.links.len() * 2);
        for &(from, to) in &self.links {
            indices.extend([index(from)?, index(to)?]);
        }
        if indices.is_empty() {
            return None;
        }
        Some(Mesh {
            name: self.label.clone(),
            primitives: vec![Primitive {
                positions: Arc::new(positions.collect()),
                indices: Arc::new(indices),
                topology: Topology::Lines,
                ..Primitive::default()
            }],
            ..Mesh::default()
        })
    }
}

/// The ends of an edge, and the values after them; `None` for a place.
fn edge_of<'r, 'v>(values: &'r [Value<'v>]) -> Option<([i64; 2], &'r [Value<'v>])> {
    let (first, behind) = values.split_first()?;
    let [Value::Int(from), Value::Int(to)] = first.as_list()? else {
        return None;
    };
    Some(([i64::from(*from), i64::from(*to)], behind))
}

/// A place of a net.
struct PathNode<'r, 'v> {
    place: DVec3,
    links: Vec<i64>,
    facts: zipper::Placement,
    /// The values after the links.
    behind: &'r [Value<'v>],
}

impl<'r, 'v> PathNode<'r, 'v> {
    fn new(values: &'r [Value<'v>]) -> Option<Self> {
        let shaped = match values {
            [
                Value::Int(value),
                at @ Value::List(_),
                Value::List(links),
                behind @ ..,
            ] => {
                let at = settings::numbers(std::slice::from_ref(at), 3);
                let links = settings::numbers(links, links.len());
                Some((Some(i64::from(*value)), at, links, behind))
            }
            _ => None,
        };
        // Bare numbers: three links at most, as in Recoil.
        let (value, at, links, behind) = shaped.unwrap_or_else(|| {
            let numbers = settings::numbers(values, 7);
            let from = |first: usize| numbers.get(first..).unwrap_or_default().to_vec();
            (whole(numbers.first()), from(1), from(4), &[][..])
        });
        let place = place(&at)?;
        let links: Vec<i64> = links.iter().filter_map(|link| whole(Some(link))).collect();
        let facts = zipper::Placement {
            value,
            links: Some(links.clone()),
            ..zipper::Placement::default()
        };
        Some(Self {
            place,
            links,
            facts,
            behind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn read_in(game: ZipperGame, source_text: &str) -> Option<Net> {
        let decoded = text::decode(source_text.as_bytes()).unwrap().value;
        Net::new("net_01", &decoded.values().unwrap(), game)
    }

    fn read(source_text: &str) -> Option<Net> {
        read_in(ZipperGame::Recoil, source_text)
    }

    #[test]
    fn nodes_of_paths_have_their_facts_and_nets_their_settings() {
        let net = read(
            "(version 105 name (patrol) hide_times (8 4) \
              node_00 (5 (1. 2. 3.) (1 -1 2)) other (5 (1. 2. 3.) (1 1 1)) \
              node_01 (0 (4. 5. 6.) (0 -1 -1)))",
        )
        .unwrap();
        let [node, _] = &*net.nodes else {
            panic!("{net:?}")
        };
        assert_eq!(node.facts.links, Some(vec![1, -1, 2]));
        assert_eq!(node.facts.value, Some(5));
        assert_eq!(net.settings.stored["name"], "patrol");
        assert_eq!(net.settings.stored["hide_times"], serde_json::json!([8, 4]));
        assert!(!net.settings.stored.contains_key("node_00"), "{net:?}");
        // Both ways of a link are one line.
        let mesh = net.mesh().unwrap();
        assert_eq!(*mesh.primitives[0].indices, [0, 1]);
        assert_eq!(mesh.primitives[0].positions[1], [4.0, 5.0, 6.0]);
    }

    #[test]
    fn nets_of_another_version_are_dropped() {
        assert_eq!(
            read("(version (104) node_00 (5 (1. 2. 3.) (1 -1 2)))"),
            None
        );
        let lonely = read("(node_00 (5 (1. 2. 3.) (0 9 -1)))").unwrap();
        assert_eq!(lonely.mesh(), None);
    }

    #[test]
    fn nets_of_mechwarrior_have_any_number_of_links_and_edges_with_attributes() {
        let source_text = "(version (106) name (patrol) \
              node_742 (9 (1. 2. 3.) (3 1 2 4) valve (1 door) valveunion ((1 2) (3 4))) \
              node_1 (0 (4. 5. 6.) ()) node_2 (0 (7. 8. 9.) (742)) node_3 (0 (0. 0. 0.) (742)) \
              node_2 ((1 2) valve_assign (door 1) canleave scan_time (2.5)))";
        let net = read_in(ZipperGame::MechWarrior3, source_text).unwrap();
        assert_eq!(net.odd_version, None);
        let [first, ..] = &*net.nodes else {
            panic!("{net:?}")
        };
        assert_eq!(net.nodes.len(), 4);
        assert_eq!(first.facts.links, Some(vec![3, 1, 2, 4]));
        assert_eq!(
            serde_json::json!(first.facts.attributes),
            serde_json::json!([
                {"key": "valve", "values": [1, "door"]},
                {"key": "valveunion", "values": [[1, 2], [3, 4]]},
            ])
        );
        // The key `node_2` is a place and an edge.
        assert_eq!(
            serde_json::json!(net.edges),
            serde_json::json!([{
                "name": "node_2", "from": 1, "to": 2, "attributes": [
                    {"key": "valve_assign", "values": ["door", 1]},
                    {"key": "canleave", "values": []},
                    {"key": "scan_time", "values": [2.5]},
                ],
            }])
        );
        // 742 to 3, 1 and 2, and the edge from 1 to 2; there is no 4.
        assert_eq!(net.links, BTreeSet::from([(0, 1), (0, 2), (0, 3), (1, 2)]));
        assert_eq!(net.valves, BTreeSet::from(["door".to_owned()]));
    }

    #[test]
    fn nets_of_the_newer_games_are_read_in_every_version() {
        let odd = "(version (107) node_00 (5 (1. 2. 3.) (1 -1 2)))";
        let net = read_in(ZipperGame::MechWarrior3, odd).unwrap();
        assert_eq!((net.nodes.len(), net.odd_version), (1, Some(107.0)));
        let known = "(version (106) node_00 (5 (1. 2. 3.) (1 -1 2)))";
        let net = read_in(ZipperGame::PiratesMoon, known).unwrap();
        assert_eq!((net.nodes.len(), net.odd_version), (1, None));
        assert_eq!(read(known), None);
    }
}
