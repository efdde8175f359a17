//! Airships of Crimson Skies' `zeppelins`: each moves a node of the world to a place.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use serde_json::{Map, Value as Json};

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;

use super::key_table::AIRSHIPS;
use super::records::{about, place};

/// Maximum depth of lists that are searched for records.
const MAX_DEPTH: usize = 16;

/// An airship of a mission.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Airship {
    /// Name of the node of the world that it moves.
    pub node: String,
    pub place: DVec3,
    pub rotation: DQuat,
    /// It is absent when the mission begins.
    pub is_deactivated: bool,
    /// Its keys.
    pub facts: Map<String, Json>,
}

/// The airships of a list of records. Those without a node or a place are left out.
pub(super) fn airships(values: &[Value<'_>]) -> Vec<Airship> {
    let mut found = Vec::new();
    visit(values, 0, &mut found);
    found
}

fn visit(values: &[Value<'_>], depth: usize, found: &mut Vec<Airship>) {
    if AIRSHIPS.after(values, "node").is_some() && AIRSHIPS.after(values, "position").is_some() {
        found.extend(airship(values));
    } else if depth < MAX_DEPTH {
        for inner in values.iter().filter_map(Value::as_list) {
            visit(inner, depth + 1, found);
        }
    }
}

fn airship(values: &[Value<'_>]) -> Option<Airship> {
    let numbers = |key: &str| settings::numbers(AIRSHIPS.after(values, key).unwrap_or_default(), 3);
    let angle = |key: &str| {
        let degrees = numbers(key).first().copied().unwrap_or(0.0);
        let degrees = if degrees.abs() <= 1e6 { degrees } else { 0.0 };
        f64::from(degrees) * PI / 180.0
    };
    let node = settings::texts(AIRSHIPS.after(values, "node")?)
        .into_iter()
        .next()?;
    let deactivated = AIRSHIPS.after(values, "deactivated");
    let facts = match AIRSHIPS.document(values) {
        Json::Object(facts) => facts,
        _ => Map::new(),
    };
    Some(Airship {
        node,
        place: place(&numbers("position"))?,
        rotation: about(DVec3::Y, angle("yaw")) * about(DVec3::X, angle("pitch")),
        is_deactivated: deactivated
            .is_some_and(|values| settings::numbers(values, 1).first() != Some(&0.0)),
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn read(source_text: &str) -> Vec<Airship> {
        let decoded = text::decode(source_text.as_bytes()).unwrap().value;
        airships(&decoded.values().unwrap())
    }

    #[test]
    fn airships_turn_about_the_vertical_then_pitch() {
        for source_text in [
            "((node (piratezep) position (1. 2. -3.) yaw (90.) pitch (30) team (ally)) \
              (node (cargozep1) position (4. 5. 6.) yaw (0.) deactivated (1)))",
            "(((node piratezep position (1. 2. -3.) yaw 90. pitch 30 team ally) \
               (node cargozep1 position (4. 5. 6.) yaw 0. deactivated)))",
            "(((node piratezep) (position 1. 2. -3.) (yaw 90.) (pitch 30) (team ally)) \
              ((node cargozep1) (position (4. 5. 6.)) (yaw 0.) (deactivated 1)))",
        ] {
            let ships = read(source_text);
            let [pirate, cargo] = &*ships else {
                panic!("{source_text}: {ships:?}")
            };
            assert_eq!(pirate.place, DVec3::new(1.0, 2.0, -3.0), "{source_text}");
            // A nose at -Z is turned to -X and raised.
            let nose = pirate.rotation * DVec3::NEG_Z;
            let lifted = DVec3::new(-(3.0_f64.sqrt()) / 2.0, 0.5, 0.0);
            assert!((nose - lifted).length() < 1e-12, "{source_text}: {nose}");
            assert_eq!(pirate.facts["team"], "ally", "{source_text}");
            assert_eq!(
                (pirate.is_deactivated, cargo.is_deactivated),
                (false, true),
                "{source_text}"
            );
        }
    }

    #[test]
    fn what_names_no_node_or_has_no_place_is_no_airship() {
        for source_text in [
            "()",
            "(())",
            "(node piratezep)",
            "(node piratezep position (1 2))",
            "(position (1 2 3))",
            "(node 7 position (1 2 3))",
            "(node piratezep position (1e30 2 3))",
        ] {
            assert!(read(source_text).is_empty(), "{source_text}");
        }
    }
}
