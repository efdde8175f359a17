//! Views of Crimson Skies' aircraft: cameras at a marker of the game file, the eye. Their other values are the program's.

use std::collections::BTreeSet;

use glam::DMat4;

use super::edited_scene::EditedScene;
use super::geometry::place::Move;
use super::tree::GameTree;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::NodeChange;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::matching::{index_of, match_nodes, plain_name};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneFile, SceneNode};
use relicast_convert::zipper::{EYE, eye_below};

/// True for a camera that is a view from an eye.
pub(super) fn is_view(file: &SceneFile, node: usize) -> bool {
    let all = &file.lights_and_cameras;
    let camera = all.of_nodes.get(node).and_then(|[_, camera]| *camera);
    let camera = camera.and_then(|camera| all.cameras.get(camera));
    camera.is_some_and(|camera| camera.contains_key("extras.zipper.view"))
}

/// The eye of a moved view, and the move that takes the view to its place in the edit; `None` for a node that is no
/// view, and for other changes.
pub(super) fn move_of_eye(
    tree: &GameTree,
    scene: &EditedScene<'_>,
    change: &NodeChange,
) -> Option<(usize, Move)> {
    let GameTree::World(gamez) = tree else {
        return None;
    };
    if !change.is_moved || change.name.is_some() || change.has_other_extras {
        return None;
    }
    let base = &scene.base;
    let matrix = |file: &SceneFile, node: usize| Some(file.nodes.get(node)?.local.to_matrix());
    let old = matrix(base, change.base).filter(|_| is_view(base, change.base))?;
    let movement = matrix(&scene.edited, change.edited)? * old.inverse();
    let parent = base.nodes.get(change.base)?.parent?;
    let mut root = parent;
    for _ in 0..base.nodes.len() {
        let above = base.nodes.get(root)?.parent;
        root = above.unwrap_or(root);
    }
    let eye = eye_below(gamez, index_of(base.nodes.get(root)?)?)?;
    let (parent, _) = game_node(base, parent)?;
    let before = tree.local(eye);
    let above = tree.world(parent).inverse() * tree.world(eye) * before.inverse();
    let after = above.inverse() * movement * above * before;
    let one = Move {
        before,
        after,
        plain: None,
        tolerance: Tolerance::EXACT,
    };
    after.is_finite().then_some((eye, one))
}

/// The transform from a node of a file to its top.
fn whole(file: &SceneFile, node: usize) -> DMat4 {
    let mut matrix = DMat4::IDENTITY;
    let mut at = Some(node);
    for _ in 0..file.nodes.len() {
        let Some(found) = at.and_then(|at| file.nodes.get(at)) else {
            break;
        };
        matrix = found.local.to_matrix() * matrix;
        at = found.parent;
    }
    matrix
}

/// Gives packed views and their eye, which follow another one of them, the transform of the edit, which left them where
/// they were. Returns a line for each.
///
/// # Errors
/// Nodes cannot be matched.
pub(super) fn settle(
    after: &mut SceneFile,
    scene: &EditedScene<'_>,
) -> Result<Vec<String>, Refusal> {
    let mut lines = Vec::new();
    let (base, edited) = (&scene.base, &scene.edited);
    let is_eye = |node: &SceneNode| plain_name(&node.name).eq_ignore_ascii_case(EYE);
    let all = base.nodes.iter().enumerate();
    let mut group = all.filter(|(number, node)| is_view(base, *number) || is_eye(node));
    let changes = scene.difference.nodes.iter().filter(|it| it.is_moved);
    let changed: BTreeSet<usize> = changes.map(|change| change.base).collect();
    let Some((leader, _)) = group.clone().find(|(number, _)| changed.contains(number)) else {
        return Ok(lines);
    };
    let in_edit = match_nodes(base, edited)?;
    let packed = match_nodes(after, edited)?;
    let of = |number: usize| {
        let to = in_edit.get(number).copied().flatten()?;
        let found = packed.iter().position(|it| *it == Some(to))?;
        Some((found, edited.nodes.get(to)?))
    };
    let Some((found_leader, _)) = of(leader) else {
        return Ok(lines);
    };
    let from_leader = [
        whole(base, leader).inverse(),
        whole(after, found_leader).inverse(),
    ];
    let followers = group
        .by_ref()
        .filter(|(number, _)| !changed.contains(number));
    for (number, old) in followers {
        let Some((found, edit)) = of(number) else {
            continue;
        };
        let was = from_leader[0] * whole(base, number);
        let is = from_leader[1] * whole(after, found);
        if let Some(node) = after.nodes.get_mut(found)
            && node.local != old.local
            && is.abs_diff_eq(was, 1e-3)
        {
            node.local = edit.local;
            lines.push(format!(
                "{} moves too, because views are at the eye",
                old.name
            ));
        }
    }
    Ok(lines)
}
