//! Maps nodes of a scene to nodes of the game file.

use super::matching::{index_of, plain_name};
use crate::pack::scene::file::SceneFile;

/// The part of a node that only undoes shear.
pub(in crate::pack::scene) fn shear_of(file: &SceneFile, node: usize) -> Option<usize> {
    let found = file.nodes.get(node)?;
    let ending = format!("{}__shear", plain_name(&found.name));
    let is_shear = |child: &usize| {
        file.nodes
            .get(*child)
            .is_some_and(|child| index_of(child).is_none() && plain_name(&child.name) == ending)
    };
    found.children.iter().copied().find(is_shear)
}

/// The node of the game file behind a node of a scene; for a part of a node, that of its parent.
pub(in crate::pack::scene) fn game_node(file: &SceneFile, node: usize) -> Option<(usize, usize)> {
    let found = file.nodes.get(node)?;
    if let Some(index) = index_of(found) {
        return Some((index, node));
    }
    let parent = found.parent?;
    let index = index_of(file.nodes.get(parent)?)?;
    (shear_of(file, parent) == Some(node)).then_some((index, parent))
}
