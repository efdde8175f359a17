//! Facts in the extras of nodes that can be packed: flags and the zone. Others may follow from edits.

use serde_json::Value;

use super::tree::GameTree;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::leaves::is_near;
use relicast_formats::zipper::gamez::{NodeFlags, ZoneId};

/// Facts that can be packed.
const EDITABLE: [&str; 2] = ["flags", "zone"];

/// Applies the edited extras of a node.
///
/// # Errors
/// A value is invalid.
pub(super) fn apply(
    tree: &mut GameTree,
    index: usize,
    old: &Value,
    new: &Value,
) -> Result<(), Refusal> {
    let (Some(old), Some(new)) = (facts(old), facts(new)) else {
        // Programs that drop extras leave these unchanged.
        return Ok(());
    };
    let changed: Vec<&str> = changed(old, new)
        .filter(|key| EDITABLE.contains(key))
        .collect();
    let Some(node) = tree.node_mut(index) else {
        return Ok(());
    };
    for key in changed {
        let value = new.get(key);
        match key {
            "flags" => {
                let mut flags = node.record.flags.difference(NodeFlags::all());
                for name in value.and_then(Value::as_array).into_iter().flatten() {
                    let text = name.as_str().unwrap_or_default();
                    let flag = NodeFlags::from_name(&text.to_uppercase());
                    flags |= flag.ok_or_else(|| {
                        refusal!("extras.zipper.flags: {name} is not a flag of a node")
                    })?;
                }
                node.record.flags = flags;
            }
            _ => {
                let zone = value.map_or(Some(-1), Value::as_i64);
                let zone = zone
                    .and_then(|zone| i8::try_from(zone).ok())
                    .ok_or_else(|| {
                        refusal!("extras.zipper.zone: expected a number from -128 to 127")
                    })?;
                let [_, rest @ ..] = node.record.zone_id.0.to_le_bytes();
                let [a, b, c] = rest;
                node.record.zone_id = ZoneId(u32::from_le_bytes([zone.cast_unsigned(), a, b, c]));
            }
        }
    }
    Ok(())
}

/// Checks that the packed file shows the edited facts that can only follow from others.
///
/// # Errors
/// It shows something else.
pub(in crate::pack::scene) fn check_followers(
    old: &Value,
    new: &Value,
    found: &Value,
) -> Result<(), Refusal> {
    let (Some(old), Some(new)) = (facts(old), facts(new)) else {
        return Ok(());
    };
    let of = |key: &str| facts(found).and_then(|found| found.get(key));
    let mut followers = changed(old, new).filter(|key| !EDITABLE.contains(key));
    match followers.find(|key| !is_same(of(key), new.get(*key))) {
        None => Ok(()),
        Some(key) => Err(refusal!(
            "extras.zipper.{key} cannot be packed; only flags and zone can; change name and position at the node itself"
        )),
    }
}

/// True if an edit has other facts of a node. Programs that drop extras leave no facts.
pub(in crate::pack::scene) fn differ(old: &Value, new: &Value) -> bool {
    matches!((facts(old), facts(new)), (Some(old), Some(new)) if changed(old, new).next().is_some())
}

/// True if the packed node shows all edited facts.
pub(in crate::pack::scene) fn are_shown(old: &Value, new: &Value, found: &Value) -> bool {
    let (Some(old), Some(new)) = (facts(old), facts(new)) else {
        return true;
    };
    let of = |key: &str| facts(found).and_then(|found| found.get(key));
    changed(old, new).all(|key| is_same(of(key), new.get(key)))
}

/// True if facts of a node differ, besides those that are packed.
pub(in crate::pack::scene) fn has_followed(one: &Value, other: &Value) -> bool {
    match (facts(one), facts(other)) {
        (Some(one), Some(other)) => changed(one, other).any(|key| !EDITABLE.contains(&key)),
        _ => false,
    }
}

fn changed<'f>(old: &'f Facts, new: &'f Facts) -> impl Iterator<Item = &'f str> {
    let keys = old.keys().chain(new.keys());
    keys.filter(|key| !is_same(old.get(*key), new.get(*key)))
        .map(String::as_str)
}

type Facts = serde_json::Map<String, Value>;

fn facts(extras: &Value) -> Option<&Facts> {
    extras.get("zipper")?.as_object()
}

/// True for values that are equal except for the notation and the precision of numbers; a missing value equals null.
pub(in crate::pack::scene) fn is_same(old: Option<&Value>, new: Option<&Value>) -> bool {
    let none = &Value::Null;
    is_near(old.unwrap_or(none), new.unwrap_or(none), 1e-6)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn extras(zone: i32, radius: f64) -> Value {
        json!({"zipper": {"zone": zone, "radius": radius}})
    }

    #[test]
    fn facts_that_follow_are_those_of_what_was_packed() {
        let (old, new) = (extras(1, 2.0), extras(3, 4.0));
        // The zone is packed by itself, the radius must be there already.
        assert!(check_followers(&old, &new, &extras(1, 4.0)).is_ok());
        let refusal = check_followers(&old, &new, &extras(3, 2.0)).unwrap_err();
        assert!(refusal.to_string().contains("extras.zipper.radius"));
        assert!(check_followers(&old, &Value::Null, &old).is_ok());
        assert!(has_followed(&old, &extras(1, 4.0)));
        assert!(!has_followed(&old, &extras(3, 2.000_000_1)));
    }

    #[test]
    fn edited_facts_are_shown_when_all_of_them_are() {
        let (old, new) = (extras(1, 2.0), extras(3, 2.0));
        assert!(differ(&old, &new));
        assert!(!differ(&old, &Value::Null));
        assert!(are_shown(&old, &new, &extras(3, 9.0)));
        assert!(!are_shown(&old, &new, &extras(1, 2.0)));
    }
}
