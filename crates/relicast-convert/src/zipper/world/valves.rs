//! Variables of missions of MechWarrior 3 (`valves.zrd`), the only explicit script of its missions: their names
//! connect nets, actors, sounds and objectives.
//!
//! A definition is a condition on other valves, or a list of actions. The same name may occur again, and all
//! definitions are preserved in order; a name that starts with `:` is switched off. Source: zStudio, which reads
//! the 1,510 definitions of the shipped missions this way. The action `teleport` places an actor later in the
//! mission; its heading is probably in degrees, as in the records of vehicles.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

use glam::DVec3;

use crate::zipper::settings::{self, is_key};
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::{Float, zipper};

use super::key_table::VALVES;
use super::nets::Net;
use super::records::{MissionPlacement, MissionPlacementKind, about, pairs, place};

/// Keys of objectives that name valves.
const OF_OBJECTIVES: [&str; 2] = ["valve", "set_valve"];

/// Maximum depth of lists that are searched for objectives.
const MAX_DEPTH: usize = 8;

/// The valves of a mission.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Valves {
    definitions: Vec<zipper::Valve>,
    /// Names of valves in the objectives.
    in_objectives: BTreeSet<String>,
    /// Places of actors that appear later.
    pub teleports: Vec<MissionPlacement>,
}

impl Valves {
    /// Adds the definitions of a reader.
    pub(super) fn add(&mut self, values: &[Value<'_>]) {
        for (name, values) in pairs(values) {
            let Some(stored) = name.as_text().map(|name| name.shown().into_owned()) else {
                continue;
            };
            let name = stored.strip_prefix(':').unwrap_or(&stored).to_owned();
            let mut definition = zipper::Valve {
                name: Some(name.clone()),
                is_off: stored.starts_with(':').then_some(true),
                ..zipper::Valve::default()
            };
            let known = VALVES.pairs(values);
            let is_condition =
                |key: &str| ["all_zero", "all_nonzero", "any_nonzero"].contains(&key);
            let mut actions = Vec::new();
            for (key, own) in &known {
                let lower = key.to_lowercase();
                if is_condition(&lower) {
                    definition.condition = Some(lower);
                } else if lower == "namelist" {
                    definition.of = Some(settings::texts(own));
                } else {
                    if lower == "teleport" {
                        self.teleports.extend(teleport(&name, own));
                    }
                    let own = settings::unwrapped(own);
                    let own = own.iter().map(std::slice::from_ref).map(settings::json);
                    actions.push(zipper::ValveAction {
                        action: Some(lower),
                        values: Some(own.collect()),
                    });
                }
            }
            definition.actions = (!actions.is_empty()).then_some(actions);
            if known.is_empty() && !values.is_empty() {
                definition.values = Some(settings::json(values));
            }
            self.definitions.push(definition);
        }
    }

    /// Adds the names that the objectives test and set.
    pub(super) fn add_objectives(&mut self, values: &[Value<'_>]) {
        let mut lists = vec![values];
        for _ in 0..MAX_DEPTH {
            let mut inner = Vec::new();
            for list in lists {
                for pair in list.windows(2) {
                    if let [key, value] = pair
                        && is_key(key, &OF_OBJECTIVES)
                    {
                        let texts = settings::texts(std::slice::from_ref(value));
                        self.in_objectives.extend(texts);
                    }
                }
                inner.extend(list.iter().filter_map(Value::as_list));
            }
            lists = inner;
        }
    }

    /// The definitions, each with the places that use its name; `None` where there are none.
    pub(super) fn facts(&self, nets: &[Net]) -> Option<Vec<zipper::Valve>> {
        if self.definitions.is_empty() {
            return None;
        }
        let mut uses: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for net in nets {
            for name in &net.valves {
                uses.entry(name).or_default().push(&net.label);
            }
        }
        for name in &self.in_objectives {
            uses.entry(name).or_default().push("objectives");
        }
        let definitions = self.definitions.iter().map(|definition| {
            let name = definition.name.as_deref().unwrap_or_default();
            let used = uses.get(name);
            let used = used.map(|used| used.iter().map(|&name| name.to_owned()).collect());
            zipper::Valve {
                used_by: used,
                ..definition.clone()
            }
        });
        Some(definitions.collect())
    }
}

/// The place that a valve moves an actor to.
fn teleport(valve: &str, values: &[Value<'_>]) -> Option<MissionPlacement> {
    let actor = settings::texts(values).into_iter().next()?;
    let numbers = settings::numbers(values, 4);
    let place = place(&numbers)?;
    let heading = numbers
        .get(3)
        .copied()
        .filter(|heading| heading.abs() <= 1e6);
    let heading = heading.unwrap_or_default();
    let guessed = zipper::GuessedAngle {
        value: Some(Float(heading)),
        unit: Some("degree".to_owned()),
        certain: Some(false),
    };
    let facts = zipper::Placement {
        valve: Some(valve.to_owned()),
        heading: Some(zipper::Heading::Guessed(guessed)),
        ..zipper::Placement::default()
    };
    Some(MissionPlacement {
        kind: MissionPlacementKind::Teleport,
        name: actor,
        template: None,
        place,
        rotation: about(DVec3::Y, f64::from(heading) * PI / 180.0),
        facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;
    use relicast_formats::zipper::ZipperGame;
    use serde_json::json;

    #[test]
    fn valves_are_kept_in_order_with_their_uses() {
        let mut valves = Valves::default();
        valves.add(&values(
            "(won (all_zero namelist (a b)) :old (destroy (gate 1)) \
              a (delayupdate (won 2.5) teleport (boss_1 (1. 2. 3.) 90. 4)) a (sound_once (horn 0.5)))",
        ));
        valves.add_objectives(&values(
            "(one (valve_change (valve (a won)) title (won)) set_valve (other 1))",
        ));
        let net = values("(version 106 node_0 (1 (0. 0. 0.) () valve (0 a)))");
        let net = Net::new("net_07", &net, ZipperGame::MechWarrior3).unwrap();
        assert_eq!(
            json!(valves.facts(&[net]).unwrap()),
            json!([
                {"name": "won", "condition": "all_zero", "of": ["a", "b"], "usedBy": ["objectives"]},
                {"name": "old", "isOff": true, "actions": [{"action": "destroy", "values": ["gate", 1]}]},
                {"name": "a", "actions": [
                    {"action": "delayupdate", "values": ["won", 2.5]},
                    {"action": "teleport", "values": ["boss_1", [1.0, 2.0, 3.0], 90.0, 4]},
                ], "usedBy": ["net_07", "objectives"]},
                {"name": "a", "actions": [{"action": "sound_once", "values": ["horn", 0.5]}], "usedBy": ["net_07", "objectives"]},
            ])
        );
        let [boss] = &*valves.teleports else {
            panic!("{valves:?}")
        };
        assert_eq!(
            (&*boss.name, boss.place),
            ("boss_1", DVec3::new(1.0, 2.0, 3.0))
        );
        // A heading of 90 degrees looks along -X.
        assert!((boss.rotation * DVec3::NEG_Z - DVec3::NEG_X).length() < 1e-12);
        assert_eq!(json!(boss.facts)["heading"]["certain"], false);
    }

    #[test]
    fn odd_valves_do_no_harm() {
        let mut valves = Valves::default();
        valves.add(&values(
            "(7 () lonely odd (nothing (1)) far (teleport (x)))",
        ));
        assert!(valves.teleports.is_empty());
        let document = json!(valves.facts(&[]).unwrap());
        assert!(document.to_string().contains("nothing"), "{document}");
    }
}
