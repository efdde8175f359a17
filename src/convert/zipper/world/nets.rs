//! Nets of paths, as Recoil's readers `net_NN` have them: nodes with up to three links, and how those that
//! follow them behave.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::DQuat;
use serde_json::{Map, Value as Json};

use crate::convert::zipper::settings;
use crate::formats::zipper::zrd::Value;
use crate::scene::model::{Mesh, Primitive, Topology};

use super::key_table::NETS;
use super::records::{MissionPlacement, MissionPlacementKind, Record, place, records, whole};

/// The version of nets that the game takes.
const VERSION: f32 = 105.0;

/// A net.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Net {
    /// Name of its reader.
    pub label: String,
    /// Its settings.
    pub settings: Map<String, Json>,
    pub nodes: Vec<MissionPlacement>,
    /// Pairs of linked nodes, as places in `nodes`, each once.
    pub links: BTreeSet<(usize, usize)>,
}

impl Net {
    /// The net of a reader; `None` for one of another version, which the game drops.
    pub(super) fn of(label: &str, values: &[Value<'_>]) -> Option<Self> {
        let version = NETS.after(values, "version").unwrap_or_default();
        let version = settings::numbers(version, 1);
        if version.first().is_some_and(|version| *version != VERSION) {
            return None;
        }
        let mut net = Self {
            label: label.to_owned(),
            ..Self::default()
        };
        if NETS.cuts(settings::unwrapped(values))
            && let Json::Object(found) = NETS.document(values)
        {
            let is_setting = |name: &str| !name.to_lowercase().starts_with("node_");
            let settings = found.into_iter().filter(|(name, _)| is_setting(name));
            net.settings = settings
                .filter(|(name, _)| name != "values" && name != "again")
                .collect();
        }
        let mut numbers: BTreeMap<i64, usize> = BTreeMap::new();
        let mut wanted: Vec<(usize, i64)> = Vec::new();
        for (number, node, links) in records(values).into_iter().filter_map(path_node) {
            let at = net.nodes.len();
            if let Some(number) = number {
                numbers.entry(number).or_insert(at);
            }
            wanted.extend(links.into_iter().map(|link| (at, link)));
            net.nodes.push(node);
        }
        for (from, link) in wanted {
            if let Some(&to) = numbers.get(&link)
                && from != to
            {
                net.links.insert((from.min(to), from.max(to)));
            }
        }
        Some(net)
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

/// A node with its own number and the numbers of those that it leads to.
fn path_node((name, values): Record<'_, '_>) -> Option<(Option<i64>, MissionPlacement, Vec<i64>)> {
    let name = name.as_text()?.shown().into_owned();
    let numbers = settings::numbers(values, 7);
    let own = name.to_lowercase();
    let own = own.strip_prefix("node_")?;
    let place = place(numbers.get(1..)?)?;
    let mut facts = Map::new();
    let value = whole(numbers.first());
    facts.extend(value.map(|value| ("value".to_owned(), Json::from(value))));
    let links = numbers.get(4..).unwrap_or_default().iter();
    let links: Vec<i64> = links.filter_map(|link| whole(Some(link))).collect();
    facts.insert("links".to_owned(), Json::from(links.clone()));
    let node = MissionPlacement {
        kind: MissionPlacementKind::PathNode,
        name: name.clone(),
        template: None,
        place,
        rotation: DQuat::IDENTITY,
        facts,
    };
    Some((own.parse().ok(), node, links))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::zipper::zrd::text;

    fn read(spelling: &str) -> Option<Net> {
        let decoded = text::decode(spelling.as_bytes()).unwrap().value;
        Net::of("net_01", &decoded.values().unwrap())
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
        assert_eq!(node.facts["links"], serde_json::json!([1, -1, 2]));
        assert_eq!(node.facts["value"], 5);
        assert_eq!(net.settings["name"], "patrol");
        assert_eq!(net.settings["hide_times"], serde_json::json!([8, 4]));
        assert!(!net.settings.contains_key("node_00"), "{net:?}");
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
}
