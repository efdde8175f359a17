//! Facts from the extras of nodes, parsed once.

use relicast_scene::extras::{NodeExtras, everquest, read, zipper};
use serde_json::Value;

/// Facts of a node.
#[derive(Debug, Default)]
pub(super) struct NodeFacts {
    /// Index in the game's file.
    pub index: Option<usize>,
    /// Hidden.
    pub is_hidden: bool,
    /// Follows the camera: a sky of Zipper's games.
    pub is_sky: bool,
    /// Layer of EverQuest's sky.
    pub is_sky_layer: bool,
    /// Collision-only shape.
    pub is_collision: bool,
    /// Does not block movement, by its flags.
    pub is_open: bool,
    /// Light that an animation switches on.
    pub is_of_animation: bool,
    /// Kind of a volume of EverQuest.
    pub volume: Option<String>,
    /// Box of a fog volume.
    pub fog_volume: Option<zipper::Bounds>,
    /// Maximum distance of a level of detail, and its number.
    pub detail: Option<(f64, Option<usize>)>,
    /// Object that a mission places.
    pub placement: Option<Box<zipper::Placement>>,
    /// Path network.
    pub net: Option<Box<zipper::Net>>,
}

impl NodeFacts {
    /// Reads the valid extras of a node of a glTF document.
    pub(super) fn new(node: &Value) -> Self {
        if node["extras"].is_null() {
            return Self::default();
        }
        let extras = NodeExtras::of(node);
        let is_hidden = extras.is_hidden();
        let NodeExtras { zipper, everquest } = extras;
        let lod = zipper.lod.as_ref();
        Self {
            index: zipper.index.or(everquest.index),
            is_hidden,
            is_sky: zipper.sky.is_some(),
            is_sky_layer: everquest.layer.is_some(),
            is_collision: zipper.collision == Some(true) || everquest.collision == Some(true),
            is_open: is_open(&zipper),
            is_of_animation: zipper.of_animation.is_some(),
            volume: everquest.volume.as_ref().map(kind_of),
            fog_volume: zipper.fog_volume,
            detail: lod.and_then(|lod| Some((lod.far?.into(), lod.level))),
            placement: zipper.placement.map(Box::new),
            net: zipper.net.map(Box::new),
        }
    }

    /// Returns whether a mission moves the node itself, which is then not a copy of a model.
    pub(super) fn is_standing(&self) -> bool {
        let placement = self.placement.as_ref();
        placement.is_some_and(|placement| placement.template.is_none()) && self.index.is_some()
    }

    /// Returns whether a mission places a copy of a model.
    pub(super) fn is_placed(&self) -> bool {
        self.placement.is_some() && !self.is_standing()
    }

    /// Returns whether the player starts here.
    pub(super) fn is_player(&self) -> bool {
        let placement = self.placement.as_ref();
        placement.is_some_and(|placement| placement.player == Some(true))
    }
}

/// Returns whether a node of a world does not block movement: it has flags, but none of those of solid
/// surfaces.
fn is_open(node: &zipper::Node) -> bool {
    let solid = ["altitude_surface", "intersect_surface"];
    let is_solid = |flags: &Vec<String>| flags.iter().any(|flag| solid.contains(&&**flag));
    let is_world = node.class.as_deref() == Some("world");
    !is_world && node.flags.as_ref().is_some_and(|flags| !is_solid(flags))
}

/// Kind of a volume: its region, or `zone_line` if it leads to another zone.
fn kind_of(volume: &Value) -> String {
    let region: everquest::Volume = read(volume);
    let kind = match region.line {
        Some(_) => Some("zone_line".to_owned()),
        None => region.region_type,
    };
    let kind = kind.or_else(|| volume.as_str().map(str::to_owned));
    kind.unwrap_or_else(|| "region".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_of_both_families_are_read_and_damaged_ones_are_left_out() {
        let of = |extras: Value| NodeFacts::new(&json!({ "extras": extras }));
        let standing =
            of(json!({"zipper": {"index": 3, "hidden": "maybe", "placement": {"player": true}}}));
        assert!(standing.is_standing() && standing.is_player() && !standing.is_hidden);
        assert!(of(json!({"zipper": {"index": 3, "placement": {"template": "tank"}}})).is_placed());
        let volume = |stored: Value| {
            of(json!({"everquest": { "volume": stored }}))
                .volume
                .unwrap()
        };
        assert_eq!(
            volume(json!({"regionType": "water", "line": null})),
            "water"
        );
        assert_eq!(
            volume(json!({"regionType": "normal", "line": {"reference": 1}})),
            "zone_line"
        );
        assert_eq!(volume(json!("lava")), "lava");
        assert!(of(json!({"zipper": {"flags": ["active"]}})).is_open);
        assert!(!of(json!({"zipper": {"flags": ["active"], "class": "world"}})).is_open);
    }
}
