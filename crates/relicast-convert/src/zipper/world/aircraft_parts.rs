//! Parts of Crimson Skies' aircraft: parts that are hidden from outside at first, states of propellers, panels.
//!
//! The initial state of an aircraft comes from the reset states of the animations `plane_reset` and
//! `player_damage_on`, not from the flags of its nodes (CSVM, docs/formats, CC BY 4.0): `healthy` is on;
//! `destroyed`, `shadow`, `staticprop`, `staticrotor` and `nitroprop` are off, so that the propellers turn. The
//! torn panels `pdp1` to `pdp8` are off until a hit; `pdp2_h` and `pdp3_h` are the undamaged panels at their place.
//! `pdp2i` and `pdp3i` are duplicates for another setting of the game (`player_damage_off`).

use std::collections::{BTreeMap, HashSet};

use relicast_scene::extras::zipper;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{GameZ, Node, NodeFlags};

/// Fractions of health below which the panels tear, by number from 1, with the part of the aircraft.
const PANELS: [(&str, f64); 8] = [
    ("right", 0.3),
    ("right", 0.15),
    ("left", 0.15),
    ("left", 0.3),
    ("left", 0.5),
    ("right", 0.4),
    ("nose", 0.15),
    ("tail", 0.15),
];

/// Parts of aircraft whose visibility does not follow the flags of their nodes.
#[derive(Debug, Default)]
pub(super) struct AircraftParts {
    /// Shown regardless of their flags.
    pub shown: HashSet<usize>,
    /// Hidden regardless of their flags.
    pub hidden: HashSet<usize>,
}

impl AircraftParts {
    /// Finds the parts in a file of Crimson Skies.
    pub(super) fn new(gamez: &GameZ) -> Self {
        let mut parts = Self::default();
        if gamez.version != ZipperGame::CrimsonSkies {
            return parts;
        }
        parts.add_propellers(gamez);
        parts.add_bodies(gamez);
        parts
    }

    /// Adds the states of propellers, which are sibling nodes, in most aircraft below `dontmove`: one state of each
    /// number.
    fn add_propellers(&mut self, gamez: &GameZ) {
        let is_active = |index: usize| {
            let node = gamez.nodes.used.get(index);
            node.is_some_and(|node| node.flags().contains(NodeFlags::ACTIVE))
        };
        for node in &gamez.nodes.used {
            let mut hubs: BTreeMap<(bool, String), Vec<(Propeller, usize)>> = BTreeMap::new();
            for (index, name) in children_of(gamez, node) {
                if let Some((state, hub)) = propeller(&name) {
                    hubs.entry(hub).or_default().push((state, index));
                }
            }
            let states = hubs.values().flatten();
            let are_known = states
                .clone()
                .any(|(state, _)| *state != Propeller::Turning);
            if !are_known && !node.name().eq_ignore_ascii_case("dontmove") {
                continue;
            }
            for states in hubs.values() {
                let of = |wanted: Propeller| {
                    let states = states.iter();
                    states
                        .filter(move |(state, _)| *state == wanted)
                        .map(|(_, index)| *index)
                };
                let turning = of(Propeller::Turning);
                let seen = turning.clone().find(|&index| is_active(index));
                let seen = seen.or_else(|| turning.clone().next());
                let seen = seen.or_else(|| of(Propeller::Still).next());
                let all = states.iter().map(|(_, index)| *index);
                self.hidden.extend(all.filter(|&index| Some(index) != seen));
                self.shown.extend(seen);
            }
        }
    }

    /// Adds the nodes below the `geometry` of each aircraft: cockpit, wreck, shadow, panels.
    fn add_bodies(&mut self, gamez: &GameZ) {
        for node in &gamez.nodes.used {
            let is_geometry = |name: &str| name == "geometry";
            if !is_geometry(&node.name().to_lowercase())
                && !children_of(gamez, node).any(|(_, name)| is_geometry(&name))
            {
                continue;
            }
            for (index, name) in children_of(gamez, node) {
                if is_not_outside(&name) {
                    self.hidden.insert(index);
                } else if name == "healthy" {
                    self.shown.insert(index);
                }
            }
            self.add_panels(gamez, node);
        }
    }

    fn add_panels(&mut self, gamez: &GameZ, root: &Node) {
        let mut seen = HashSet::new();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            for (index, name) in children_of(gamez, node) {
                if !seen.insert(index) {
                    continue;
                }
                match panel(&name) {
                    Some((_, Panel::Torn | Panel::Duplicate)) => {
                        self.hidden.insert(index);
                    }
                    Some((_, Panel::Whole)) => {
                        self.shown.insert(index);
                    }
                    None => stack.extend(gamez.nodes.used.get(index)),
                }
            }
        }
    }
}

/// Names of a node's children in lower case.
fn children_of<'g>(gamez: &'g GameZ, node: &'g Node) -> impl Iterator<Item = (usize, String)> + 'g {
    let children = node.children.iter().map(|&child| child as usize);
    children.filter_map(|child| Some((child, gamez.nodes.used.get(child)?.name().to_lowercase())))
}

/// Returns true if a part of an intact aircraft is not visible from outside: the cockpit interior, the wreck, the
/// shadow.
fn is_not_outside(name: &str) -> bool {
    let cockpit = name.strip_prefix("cockpit");
    let is_numbered = cockpit.is_some_and(|rest| rest.chars().all(|sign| sign.is_ascii_digit()));
    is_numbered || name == "destroyed" || name == "shadow"
}

/// State of a propeller or rotor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Propeller {
    Turning,
    Still,
    Nitro,
}

/// The state in a node's name, with its hub: true for a rotor, and the number.
fn propeller(name: &str) -> Option<(Propeller, (bool, String))> {
    let states = [
        ("static", Propeller::Still),
        ("nitro", Propeller::Nitro),
        ("", Propeller::Turning),
    ];
    let found = states.into_iter().find_map(|(prefix, state)| {
        let rest = name.strip_prefix(prefix)?;
        let (is_rotor, rest) = match rest.strip_prefix("rotor") {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("prop")?),
        };
        Some((state, is_rotor, rest))
    });
    let (state, is_rotor, rest) = found?;
    let number = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((state, (is_rotor, number)))
}

/// State of a panel that hits can tear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Panel {
    Torn,
    Whole,
    Duplicate,
}

/// The number and state of a panel by the name of its node in lower case.
fn panel(name: &str) -> Option<(usize, Panel)> {
    let rest = name.strip_prefix("pdp")?;
    let number = rest.get(..1)?.parse().ok()?;
    let state = match rest.get(1..)? {
        "" => Panel::Torn,
        "_h" => Panel::Whole,
        "i" => Panel::Duplicate,
        _ => return None,
    };
    (1..=PANELS.len())
        .contains(&number)
        .then_some((number, state))
}

/// Extras of a panel: its number and state, the part of the aircraft, the fraction of health below which it tears.
pub(super) fn panel_facts(name: &str) -> Option<zipper::DamagePanel> {
    let (number, state) = panel(name)?;
    let (part, health) = PANELS.get(number.checked_sub(1)?)?;
    let state = match state {
        Panel::Torn => "torn",
        Panel::Whole => "whole",
        Panel::Duplicate => "duplicate",
    };
    Some(zipper::DamagePanel {
        number: Some(number),
        state: Some(state.to_owned()),
        part: Some((*part).to_owned()),
        tears_below: Some(*health),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::gamez::NodeName;

    fn node(name: &str, children: &[u32]) -> Node {
        let mut node = Node {
            children: children.to_vec(),
            ..Node::default()
        };
        node.record.name = NodeName::new(name).unwrap();
        node.record.flags = NodeFlags::ACTIVE;
        node
    }

    fn parts(nodes: Vec<Node>) -> AircraftParts {
        let mut gamez = GameZ {
            version: ZipperGame::CrimsonSkies,
            ..GameZ::default()
        };
        gamez.nodes.used = nodes;
        AircraftParts::new(&gamez)
    }

    #[test]
    fn each_propeller_turns_and_its_other_states_are_hidden() {
        let found = parts(vec![
            node("dontmove", &[1, 2, 3, 4, 5, 6]),
            node("staticprop1", &[]),
            node("prop1", &[]),
            node("prop1b", &[]),
            node("nitroprop1", &[]),
            node("staticprop2", &[]),
            node("prop2", &[]),
            // No node here has another state in its name: the first is shown.
            node("dontmove", &[8, 9]),
            node("prop_spin", &[]),
            node("prop_still", &[]),
            // No propeller: its siblings have no states.
            node("stage", &[11]),
            node("props", &[]),
        ]);
        assert_eq!(found.shown, HashSet::from([2, 6, 8]));
        assert_eq!(found.hidden, HashSet::from([1, 3, 4, 5, 9]));
    }

    #[test]
    fn torn_panels_and_duplicates_are_hidden_below_an_aircraft() {
        let found = parts(vec![
            node("player_fury", &[1]),
            node("geometry", &[2, 3]),
            node("healthy", &[4, 5, 6, 7]),
            node("destroyed", &[]),
            node("pdp2", &[]),
            node("pdp2_h", &[]),
            node("pdp2i", &[]),
            node("pdp9", &[]),
            // No aircraft.
            node("crate", &[9]),
            node("pdp1", &[]),
        ]);
        assert_eq!(found.shown, HashSet::from([2, 5]));
        assert_eq!(found.hidden, HashSet::from([3, 4, 6]));
        let facts = panel_facts("pdp5").unwrap();
        assert_eq!(
            (facts.part.as_deref(), facts.tears_below),
            (Some("left"), Some(0.5))
        );
        assert_eq!(panel_facts("pdp9"), None);
    }
}
