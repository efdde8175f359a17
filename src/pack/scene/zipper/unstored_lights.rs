//! Values of lights and cameras that no file of the game has.

use super::lights::{LightOrCameraChange, is_sun};
use super::tree::GameTree;
use super::views::is_view;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::file::SceneFile;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::NodeData;

/// Takes these values out of the changes. Returns a line for each light and camera.
pub(super) fn take(
    tree: &GameTree,
    base: &SceneFile,
    changes: &mut Vec<LightOrCameraChange>,
) -> Vec<String> {
    let mut lines = Vec::new();
    changes.retain_mut(|change| {
        let name = base.nodes.get(change.node).map_or("", |node| &node.name);
        if is_view(base, change.node) {
            let values: Vec<&str> = change.values.keys().map(|key| word(key)).collect();
            lines.push(format!(
                "camera {name}: not stored by the game: its {}, which the program decides",
                values.join(", ")
            ));
            return false;
        }
        if is_colorless(tree, base, change.node) && change.values.remove("color").is_some() {
            lines.push(format!(
                "light {name}: not stored by the game: its color, because a sun of Recoil has none; extras.zipper.color is the color of the shade"
            ));
        }
        !change.values.is_empty()
    });
    lines
}

fn word(key: &str) -> &str {
    match key {
        "perspective.znear" => "near plane",
        "perspective.zfar" => "far plane",
        "perspective.yfov" => "angle",
        "perspective.aspectRatio" => "aspect ratio",
        other => other,
    }
}

fn is_colorless(tree: &GameTree, base: &SceneFile, node: usize) -> bool {
    let game = game_node(base, node).and_then(|(index, _)| tree.node(index));
    tree.version() == ZipperGame::Recoil
        && game.is_some_and(|game| matches!(&game.data, NodeData::Light(light) if is_sun(light)))
}
