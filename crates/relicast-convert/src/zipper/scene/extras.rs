//! Extras of nodes.

use serde_json::{Map, Value, json};

use crate::shared::extras::below;
use relicast_codec::F32;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    Lod, Model, Node, NodeClass, NodeData, PointLight, PointLightRecord,
};
use relicast_scene::model::{Extras, number};

/// Extras below the one key that all of these games share; none stay none.
pub(crate) fn zipper(facts: Map<String, Value>) -> Extras {
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
                let tint = json!({"color": colour, "weight": number(object.tint_weight.0)});
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

/// The distances of a level of detail: from where to where it is seen, and how it fades, grows and morphs.
fn range(lod: &Lod) -> Value {
    let (near, far) = lod.range();
    let mut facts = Map::new();
    facts.insert("near".to_owned(), number(near));
    facts.insert("far".to_owned(), number(far));
    if lod.measures_distance == 0 {
        facts.insert("distanceOfOther".to_owned(), Value::from(true));
    }
    // A band without width does nothing.
    let width = |[width, _]: [F32; 2]| (width.0 > 0.0 && width.0.is_finite()).then_some(width.0);
    let mut fade = Map::new();
    let later = [lod.field64, lod.field72].map(width);
    let bands = [("near", width(lod.fade_near)), ("far", width(lod.fade_far))];
    // By the look of it the later games store the same two bands a word further on.
    let inferred = [("near", later[0]), ("far", later[1])];
    let is_inferred = later.iter().any(Option::is_some);
    for (name, width) in if is_inferred { inferred } else { bands } {
        fade.extend(width.map(|width| (name.to_owned(), number(width))));
    }
    if !fade.is_empty() {
        if is_inferred {
            fade.insert("inferred".to_owned(), Value::from(true));
        }
        facts.insert("fade".to_owned(), Value::Object(fade));
    }
    if lod.scale_gate.iter().any(|gate| gate.0 > 0.01) {
        let triple = |parts: [F32; 3]| Value::from_iter(parts.map(|part| number(part.0)));
        let scale = json!({
            "width": triple(lod.scale_width),
            "end": triple(lod.scale_end),
            "uniform": lod.uniform_scale != 0,
        });
        facts.insert("scale".to_owned(), scale);
    }
    let band = lod.morph_band();
    facts.extend(band.map(|band| ("morphBand".to_owned(), number(band))));
    Value::Object(facts)
}

/// The points of light of a model.
pub(super) fn points(model: &Model, version: ZipperGame) -> Option<Value> {
    let point = |light: &PointLight| {
        let triple = |parts: [f32; 3]| Value::from_iter(parts.map(number));
        let record = &light.record;
        let positions = light.vertices.iter().map(|at| triple(at.to_array()));
        let positions = Value::from_iter(positions);
        let colour = triple(record.color.to_array());
        match version {
            ZipperGame::Recoil => {
                let mut facts = recoil_point(record);
                facts.insert("color".to_owned(), colour);
                facts.insert("positions".to_owned(), positions);
                Value::Object(facts)
            }
            ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => json!({
                "color": colour,
                "flags": record.flags,
                "size": number(record.interval_or_scale.0),
                "positions": positions,
            }),
            ZipperGame::CrimsonSkies => json!({
                "color": colour,
                "flags": record.flags,
                "size": number(record.interval_or_scale.0),
                "largestSize": number(record.largest_size.0),
                "seenTo": number(record.flare_full.0),
                "positions": positions,
            }),
        }
    };
    (!model.lights.is_empty()).then(|| Value::from_iter(model.lights.iter().map(point)))
}

/// How points of light of Recoil are drawn.
fn recoil_point(record: &PointLightRecord) -> Map<String, Value> {
    let mut facts = Map::new();
    let mode = if record.is_chaser == 0 {
        "steady"
    } else {
        "chaser"
    };
    facts.insert("mode".to_owned(), Value::from(mode));
    facts.insert("blink".to_owned(), Value::from(record.behaviour == 1));
    if !(0..=1).contains(&record.behaviour) {
        facts.insert("behaviour".to_owned(), Value::from(record.behaviour));
    }
    facts.insert("interval".to_owned(), number(record.interval_or_scale.0));
    facts.insert("secondColor16".to_owned(), Value::from(record.second_color));
    facts.insert("priority".to_owned(), Value::from(record.depth_priority));
    if record.fade_to.0 > 0.0 {
        let fade = json!({"from": number(record.fade_from.0), "to": number(record.fade_to.0)});
        facts.insert("fade".to_owned(), fade);
    }
    if record.has_flare != 0 {
        let (full, gone) = (number(record.flare_full.0), number(record.flare_gone.0));
        facts.insert("flare".to_owned(), json!({"full": full, "gone": gone}));
    }
    facts
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
