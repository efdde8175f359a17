//! Turrets of Recoil's `ai`: each definition applies to all nodes of the world that match its pattern. Their fire
//! points and effects are switched off when a mission begins.

use serde_json::{Map, Value as Json};

use crate::zipper::settings;
use relicast_formats::zipper::gamez::{GameZ, Node};
use relicast_formats::zipper::zrd::Value;

use super::key_table::TURRETS;

/// Maximum depth of lists that are searched for definitions.
const MAX_DEPTH: usize = 16;
/// Maximum number of nodes below a turret that are searched.
const MAX_NODES: usize = 4096;

/// A definition of turrets.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::zipper) struct TurretDefinition {
    /// Name of its nodes; each `*` is one digit.
    pub pattern: String,
    /// Names of the nodes that are switched off.
    pub switched_off: Vec<String>,
    /// The animation of its destruction, if it has its own.
    pub destroyed_by: Option<String>,
    /// Its keys.
    pub facts: Map<String, Json>,
}

/// The definitions of a document.
pub(in crate::zipper) fn definitions(values: &[Value<'_>]) -> Vec<TurretDefinition> {
    let mut found = Vec::new();
    visit(values, 0, &mut found);
    found
}

fn visit(values: &[Value<'_>], depth: usize, found: &mut Vec<TurretDefinition>) {
    let is_start = |value: &Value<'_>| settings::is_key(value, &["TURRET"]);
    let mut rest = values;
    while let Some(at) = rest.iter().position(is_start) {
        let behind = rest.get(at + 1..).unwrap_or_default();
        let end = behind.iter().position(is_start).unwrap_or(behind.len());
        let (own, next) = behind.split_at(end);
        found.extend(definition(settings::unwrapped(own)));
        rest = next;
    }
    if depth < MAX_DEPTH {
        let inner = values.iter().filter_map(Value::as_list);
        let inner = inner.filter(|_| !values.iter().any(is_start));
        inner.for_each(|inner| visit(inner, depth + 1, found));
    }
}

fn definition(values: &[Value<'_>]) -> Option<TurretDefinition> {
    let (pattern, rest) = values.split_first()?;
    let pattern = pattern.as_text()?.shown().into_owned();
    let rest = settings::unwrapped(rest);
    let facts = match TURRETS.document(rest) {
        Json::Object(facts) => facts,
        _ => Map::new(),
    };
    let texts = |key: &str| settings::texts(TURRETS.after(rest, key).unwrap_or_default());
    let parts = texts("PARTS");
    // Two parts: barrel, fire point. Three and four: base, barrel, one or two fire points.
    let fixed = if parts.len() > 2 { 2 } else { 1 };
    let mut switched_off: Vec<String> = parts.into_iter().skip(fixed).collect();
    switched_off.extend(texts("EFFECT").into_iter().next());
    Some(TurretDefinition {
        pattern,
        switched_off,
        destroyed_by: texts("DESTROY_ANIM").into_iter().next(),
        facts,
    })
}

impl TurretDefinition {
    /// True if a node of this name is such a turret.
    pub(in crate::zipper) fn names(&self, name: &str) -> bool {
        self.pattern.len() == name.len()
            && (self.pattern.bytes().zip(name.bytes())).all(|(sign, letter)| match sign {
                b'*' => letter.is_ascii_digit(),
                _ => sign.eq_ignore_ascii_case(&letter),
            })
    }

    /// The nodes below a turret that are switched off: those below `healthy`, where there is one.
    pub(in crate::zipper) fn off_below(&self, gamez: &GameZ, turret: usize) -> Vec<usize> {
        let healthy = below(gamez, turret, "healthy");
        let top = healthy.unwrap_or(turret);
        let names = self.switched_off.iter();
        names.filter_map(|name| below(gamez, top, name)).collect()
    }
}

/// The first node of a name below a node.
fn below(gamez: &GameZ, top: usize, name: &str) -> Option<usize> {
    let node_of = |index: usize| gamez.nodes.used.get(index);
    let children = |node: &Node| -> Vec<usize> {
        node.children
            .iter()
            .rev()
            .map(|&child| child as usize)
            .collect()
    };
    let mut stack = children(node_of(top)?);
    for _ in 0..MAX_NODES {
        let index = stack.pop()?;
        let Some(node) = node_of(index) else {
            continue;
        };
        if node.name().eq_ignore_ascii_case(name) {
            return Some(index);
        }
        stack.extend(children(node));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    #[test]
    fn turrets_are_cut_and_their_fire_points_named() {
        for source_text in [
            "(TURRET (tur_** PARTS (base barrel fire1 fire2) EFFECT (smoke 2.) HEALTH 80) \
              TURRET (gun* PARTS (barrel fire)))",
            "(DESTROY_ANIM boom TURRETS (TURRET (tur_** (PARTS (base barrel fire1 fire2) \
              EFFECT (smoke 2.) HEALTH 80)) TURRET (gun* (PARTS (barrel fire)))))",
        ] {
            let decoded = text::decode(source_text.as_bytes()).unwrap().value;
            let found = definitions(&decoded.values().unwrap());
            let [tower, gun] = &*found else {
                panic!("{source_text}: {found:?}")
            };
            assert_eq!(
                tower.switched_off,
                ["fire1", "fire2", "smoke"],
                "{source_text}"
            );
            assert_eq!(gun.switched_off, ["fire"], "{source_text}");
            assert_eq!(tower.facts["HEALTH"], 80, "{source_text}");
            assert!(tower.names("TUR_07") && !tower.names("tur_7") && !tower.names("tur_0a"));
        }
    }
}
