//! Lights that an edit removes from a scene or adds to it.

use std::collections::BTreeSet;

use super::copies::unlink;
use super::light_nodes::{LightRules, light_of};
use super::new_lights::NewLight;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::{plain_name, shown};
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::SceneFile;

/// Lights that only one of two scenes has.
#[derive(Debug)]
pub(super) struct OtherLights {
    /// Original nodes of removed ones.
    pub gone: Vec<usize>,
    pub new: Vec<NewLight>,
}

/// Takes the lights that an edit removes or adds out of both scenes.
///
/// # Errors
/// The game cannot store a new light.
pub(super) fn take_out(
    base: &mut Opened,
    edited: &mut Opened,
    rules: LightRules,
) -> Result<OtherLights, Refusal> {
    let has_light = rules.has_light;
    let lights = |opened: &Opened| {
        let nodes = 0..opened.scene.nodes.len();
        let is_light = |&node: &usize| light_of(&opened.document, node, has_light).is_some();
        nodes.filter(is_light).collect::<Vec<_>>()
    };
    let [before, after] = [&*base, &*edited].map(lights);
    let still_shown = shown(&edited.scene);
    let (mut left, loose): (Vec<usize>, Vec<usize>) = after
        .into_iter()
        .partition(|node| still_shown.contains(node));
    let name = |scene: &SceneFile, node: usize| scene.nodes.get(node).map(|it| it.name.clone());
    let facts = |opened: &Opened, node| light_of(&opened.document, node, has_light);
    let mut gone: Vec<usize> = before;
    // A light may have another name, or other values.
    for pass in 0..3 {
        gone.retain(|&old| {
            let own = name(&base.scene, old);
            let found = left
                .iter()
                .position(|&new| match (pass, name(&edited.scene, new)) {
                    (0, new) => new == own,
                    (1, Some(new)) => own.as_deref() == Some(plain_name(&new)),
                    _ => facts(base, old) == facts(edited, new),
                });
            found.map(|at| left.remove(at)).is_none()
        });
    }
    let new = NewLight::take_out(base, edited, &left, rules)?;
    let groups: BTreeSet<usize> = gone
        .iter()
        .filter_map(|&light| base.scene.nodes.get(light)?.parent)
        .collect();
    unlink(&mut base.scene, gone.iter().copied());
    unlink(&mut edited.scene, loose.into_iter());
    // The conversion makes no groups without lights.
    let groups: Vec<usize> = groups
        .into_iter()
        .filter(|&group| is_empty(&base.scene, group))
        .collect();
    let names: BTreeSet<_> = groups
        .iter()
        .filter_map(|&group| name(&base.scene, group))
        .collect();
    let same = still_shown.into_iter().filter(|&node| {
        is_empty(&edited.scene, node)
            && name(&edited.scene, node).is_some_and(|name| names.contains(&name))
    });
    let same: Vec<usize> = same.collect();
    unlink(&mut base.scene, groups.into_iter());
    unlink(&mut edited.scene, same.into_iter());
    Ok(OtherLights { gone, new })
}

/// Returns true for a node with nothing below it that shows nothing.
fn is_empty(scene: &SceneFile, node: usize) -> bool {
    let node = scene.nodes.get(node);
    node.is_some_and(|node| node.children.is_empty() && node.mesh.is_none())
}
