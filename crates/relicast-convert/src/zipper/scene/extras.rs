//! Extras of nodes.

use relicast_codec::F32;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    Lod, Model, Node, NodeClass, NodeData, PointLight, PointLightRecord,
};
use relicast_scene::extras::{Float, floats, zipper};

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
fn flags(node: &Node, facts: &mut zipper::Node) {
    let flags = node.flags();
    let names: Vec<String> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    facts.flags = (!names.is_empty()).then_some(names);
    let known = flags
        .iter_names()
        .fold(0, |bits, (_, flag)| bits | flag.bits());
    let unnamed = flags.bits() & !known;
    facts.unnamed_flags = (unnamed != 0).then_some(unnamed);
}

/// The facts of the node at `index` of its file.
pub(super) fn of_node(index: usize, node: &Node) -> zipper::Node {
    let name = node.name();
    let zone = node.record.zone_id.id();
    let mut facts = zipper::Node {
        index: Some(index),
        class: Some(class_label(node.data.class()).to_owned()),
        zone: (zone != -1).then_some(zone.into()),
        collision: is_collision(&name).then_some(true),
        name: Some(name),
        ..zipper::Node::default()
    };
    flags(node, &mut facts);
    match &node.data {
        NodeData::Object3d(object) => {
            facts.opacity = object.opacity().map(Float);
            facts.tint = object.color().map(|color| zipper::Tint {
                color: Some(floats(color)),
                weight: Some(Float(object.tint_weight.0)),
            });
        }
        NodeData::Lod(lod) => facts.lod = Some(range(lod)),
        _ => {}
    }
    facts
}

/// True if a node of this name is a collision volume or marks one: `bvol`, with or without a number, and
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

/// The distances of a level of detail: its visible range, and its fading, scaling and morphing.
fn range(lod: &Lod) -> zipper::Lod {
    let (near, far) = lod.range();
    // A band without width has no effect.
    let width = |[width, _]: [F32; 2]| (width.0 > 0.0 && width.0.is_finite()).then_some(width.0);
    // The later games probably store the same two bands one word later.
    let later = [lod.field64, lod.field72].map(width);
    let is_inferred = later.iter().any(Option::is_some);
    let bands = [lod.fade_near, lod.fade_far].map(width);
    let bands = if is_inferred { later } else { bands };
    let [fade_near, fade_far] = bands.map(|width| width.map(Float));
    let triple = |parts: [F32; 3]| parts.map(|part| Float(part.0));
    let grows = lod.scale_gate.iter().any(|gate| gate.0 > 0.01);
    zipper::Lod {
        near: Some(Float(near)),
        far: Some(Float(far)),
        distance_of_other: (lod.measures_distance == 0).then_some(true),
        fade: (fade_near.is_some() || fade_far.is_some()).then(|| zipper::LodFade {
            near: fade_near,
            far: fade_far,
            inferred: is_inferred.then_some(true),
        }),
        scale: grows.then(|| zipper::LodScale {
            width: Some(triple(lod.scale_width)),
            end: Some(triple(lod.scale_end)),
            uniform: Some(lod.uniform_scale != 0),
        }),
        morph_band: lod.morph_band().map(Float),
        ..zipper::Lod::default()
    }
}

/// The points of light of a model.
pub(super) fn points(model: &Model, version: ZipperGame) -> Option<Vec<zipper::Points>> {
    let point = |light: &PointLight| {
        let record = &light.record;
        let positions = light.vertices.iter().map(|at| floats(at.to_array()));
        let drawn = match version {
            ZipperGame::Recoil => recoil_point(record),
            ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => later_point(record),
            ZipperGame::CrimsonSkies => zipper::Points {
                largest_size: Some(Float(record.largest_size.0)),
                seen_to: Some(Float(record.flare_full.0)),
                ..later_point(record)
            },
        };
        zipper::Points {
            color: Some(floats(record.color.to_array())),
            positions: Some(positions.collect()),
            ..drawn
        }
    };
    (!model.lights.is_empty()).then(|| model.lights.iter().map(point).collect())
}

/// Facts about the points of light of the later games.
fn later_point(record: &PointLightRecord) -> zipper::Points {
    zipper::Points {
        flags: Some(record.flags),
        size: Some(Float(record.interval_or_scale.0)),
        ..zipper::Points::default()
    }
}

/// Drawing of Recoil's points of light.
fn recoil_point(record: &PointLightRecord) -> zipper::Points {
    let mode = if record.is_chaser == 0 {
        "steady"
    } else {
        "chaser"
    };
    let is_known = (0..=1).contains(&record.behavior);
    zipper::Points {
        mode: Some(mode.to_owned()),
        blink: Some(record.behavior == 1),
        behavior: (!is_known).then_some(record.behavior),
        interval: Some(Float(record.interval_or_scale.0)),
        second_color16: Some(record.second_color),
        priority: Some(record.depth_priority),
        fade: (record.fade_to.0 > 0.0).then_some(zipper::PointFade {
            from: Some(Float(record.fade_from.0)),
            to: Some(Float(record.fade_to.0)),
        }),
        flare: (record.has_flare != 0).then_some(zipper::Flare {
            full: Some(Float(record.flare_full.0)),
            gone: Some(Float(record.flare_gone.0)),
        }),
        ..zipper::Points::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_of_collision_are_detected_by_their_names() {
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
