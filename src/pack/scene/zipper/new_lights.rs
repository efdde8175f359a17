//! Lights that an edit adds. Every world of the games has exactly one, the sun; whether the games read others is unknown,
//! so none is added.

use std::collections::BTreeSet;

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::{index_of, plain_name};
use crate::pack::scene::file::SceneFile;

/// Checks that the edit has no light that the original does not have.
///
/// # Errors
/// It has one.
pub(super) fn check(base: &SceneFile, edited: &SceneFile) -> Result<(), Refusal> {
    let lights = |file: &SceneFile| -> Vec<usize> {
        let nodes = file.lights_and_cameras.of_nodes.iter().enumerate();
        nodes
            .filter_map(|(node, [light, _])| light.map(|_| node))
            .collect()
    };
    let (old, new) = (lights(base), lights(edited));
    let has_lights = !old.is_empty();
    let token = |file: &SceneFile, node: usize, is_by_name: bool| {
        let node = file.nodes.get(node)?;
        let name = is_by_name.then(|| node.name.clone());
        Some((index_of(node), name))
    };
    let mut left: BTreeSet<usize> = new.into_iter().collect();
    // Of a light and its copies, the one with its name is the light.
    let mut unpaired = old.clone();
    for is_by_name in [true, false] {
        unpaired.retain(|&old| {
            let own = token(base, old, is_by_name);
            let mut found = left.iter().copied();
            let found = found.find(|&new| token(edited, new, is_by_name) == own);
            found.is_none_or(|found| !left.remove(&found))
        });
    }
    let Some(node) = left.into_iter().find_map(|node| edited.nodes.get(node)) else {
        return Ok(());
    };
    let name = &node.name;
    match has_lights {
        true => Err(refusal!(
            "light {name}: it is new; each world of the game has exactly one light, and cannot get others; delete it, and edit {}",
            old.first()
                .and_then(|&old| base.nodes.get(old))
                .map_or("the sun", |old| plain_name(&old.name))
        )),
        false => Err(refusal!(
            "light {name}: it is new, and models of the game have no lights; delete it"
        )),
    }
}
