//! Extras of nodes.

use serde_json::{Map, Value, json};

use crate::convert::shared::extras::below;
use crate::formats::zipper::gamez::{Lod, Model, Node, NodeClass, NodeData, PointLight};
use crate::scene::model::{Extras, number};

/// Extras below the one key that all of these games share; none stay none.
pub(in crate::convert) fn zipper(facts: Map<String, Value>) -> Extras {
    below("zipper", facts)
}

/// Name of a class.
pub(super) fn class_label(class: NodeClass) -> &'static str {
    match class {
        NodeClass::Empty => "empty",
        NodeClass::Camera => "camera",
        NodeClass::World => "world",
        NodeClass::Window => "window",
        NodeClass::Display => "display",
        NodeClass::Object3d => "object3d",
        NodeClass::Lod => "lod",
        NodeClass::Light => "light",
        NodeClass::Other(_) => "unknown",
    }
}

/// Names of set flags, and the bits that have none.
fn flags(node: &Node, facts: &mut Map<String, Value>) {
    let flags = node.flags();
    let names: Vec<String> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    if !names.is_empty() {
        facts.insert("flags".to_owned(), Value::from(names));
    }
    let known = flags
        .iter_names()
        .fold(0, |bits, (_, flag)| bits | flag.bits());
    let unnamed = flags.bits() & !known;
    if unnamed != 0 {
        facts.insert("unnamedFlags".to_owned(), Value::from(unnamed));
    }
}

/// The facts of the node at `index` of its file.
pub(super) fn of_node(index: usize, node: &Node) -> Map<String, Value> {
    let mut facts = Map::new();
    facts.insert("index".to_owned(), Value::from(index));
    facts.insert("name".to_owned(), Value::from(node.name()));
    let class = class_label(node.data.class());
    facts.insert("class".to_owned(), Value::from(class));
    flags(node, &mut facts);
    let zone = node.record.zone_id.id();
    if zone != -1 {
        facts.insert("zone".to_owned(), Value::from(zone));
    }
    match &node.data {
        NodeData::Object3d(object) => {
            if let Some(opacity) = object.opacity() {
                facts.insert("opacity".to_owned(), number(opacity));
            }
            if let Some(colour) = object.color() {
                let colour: Vec<Value> = colour.into_iter().map(number).collect();
                let tint = json!({"color": colour, "weight": number(object.field020.0)});
                facts.insert("tint".to_owned(), tint);
            }
        }
        NodeData::Lod(lod) => {
            facts.insert("lod".to_owned(), range(lod));
        }
        _ => {}
    }
    if is_collision(&node.name()) {
        facts.insert("collision".to_owned(), Value::from(true));
    }
    facts
}

/// Whether a node of this name is a collision volume or marks one: `bvol`, with or without a number, and
/// `collide` with a number.
pub(super) fn is_collision(name: &str) -> bool {
    let after = |word: &str| {
        let (start, end) = name.split_at_checked(word.len())?;
        start.eq_ignore_ascii_case(word).then_some(end)
    };
    let counts = |letter: char| letter.is_ascii_digit() || letter == '_';
    let is_number = |end: &str| !end.is_empty() && end.chars().all(|char| char.is_ascii_digit());
    after("bvol").is_some_and(|end| end.chars().all(counts))
        || after("collide").is_some_and(is_number)
}

fn range(lod: &Lod) -> Value {
    let (near, far) = lod.range();
    json!({"near": number(near), "far": number(far)})
}

/// What the game shows of a model that is drawn as points: each vertex as a dot of one pixel that wears the
/// material of the first polygon. Its polygons are not filled.
pub(super) fn dots(model: &Model, material: &Value) -> Value {
    let triple = |parts: [f32; 3]| Value::from_iter(parts.map(number));
    let positions = model.vertices.iter().map(|at| triple(at.to_array()));
    json!({"material": material, "positions": Value::from_iter(positions)})
}

/// The sprites of a model.
pub(super) fn points(model: &Model) -> Option<Value> {
    let point = |light: &PointLight| {
        let triple = |parts: [f32; 3]| Value::from_iter(parts.map(number));
        let record = &light.record;
        json!({
            "color": triple(record.color.to_array()),
            "flags": record.flags,
            "size": number(record.unk08.0),
            "positions": Value::from_iter(light.vertices.iter().map(|at| triple(at.to_array()))),
        })
    };
    (!model.lights.is_empty()).then(|| Value::from_iter(model.lights.iter().map(point)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_of_collision_are_told_by_their_names() {
        for name in ["bvol", "BVOL2", "bvol_03", "collide00", "Collide11"] {
            assert!(is_collision(name), "{name}");
        }
        for name in [
            "bvolt",
            "collide",
            "collider",
            "collide_00",
            "support00",
            "b",
        ] {
            assert!(!is_collision(name), "{name}");
        }
    }
}
