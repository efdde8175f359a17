//! Nodes that shared a mesh, and that an edit shows with different ones: some of them get a model of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::OwnMesh;
use super::mesh_models::is_equal;
use super::slots;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::matching::{match_nodes, shown};
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::tree::GameTree;

/// Nodes of the original scene that show a mesh, by their indices in the game file, each with its edited node and the
/// mesh of that.
type Users = BTreeMap<usize, Vec<(usize, usize, usize)>>;

/// Finds the nodes that shared a mesh and no longer do, and parts the mesh in the original scene too. Adds the edited
/// meshes that have another place in the file for it to `read`.
///
/// # Errors
/// The nodes cannot be paired.
pub(in crate::pack::scene) fn part(
    base: &mut SceneFile,
    edited: &mut SceneFile,
    read: &mut BTreeSet<usize>,
) -> Result<Vec<OwnMesh>, Refusal> {
    let mut by_mesh: BTreeMap<usize, Users> = BTreeMap::new();
    for (from, to) in match_nodes(base, edited)?.into_iter().enumerate() {
        let mesh = |file: &SceneFile, node: usize| file.nodes.get(node)?.mesh;
        let Some((old, to)) = mesh(base, from).zip(to) else {
            continue;
        };
        if let Some((new, (index, _))) = mesh(edited, to).zip(game_node(base, from)) {
            let users = by_mesh.entry(old).or_default();
            users.entry(index).or_default().push((from, to, new));
        }
    }
    let first = shown(base);
    let mut all = Vec::new();
    for (old, users) in by_mesh {
        let meshes = users.values().flatten().map(|&(_, _, new)| new);
        let meshes: BTreeSet<usize> = meshes.collect();
        if meshes.len() < 2 {
            continue;
        }
        let is_changed = |new: &usize| {
            let parts = (base.meshes.get(old), edited.meshes.get(*new));
            let scenes = ScenePair { base, edited };
            matches!(parts, (Some(old), Some(new)) if !is_equal(scenes, old, new))
        };
        let changed: BTreeSet<usize> = meshes.into_iter().filter(is_changed).collect();
        read.extend(&changed);
        let mut groups: BTreeMap<Option<usize>, BTreeSet<usize>> = BTreeMap::new();
        for (&index, nodes) in &users {
            let own = |node: &&(usize, usize, usize)| changed.contains(&node.2);
            let shown = nodes.iter().filter(|node| first.contains(&node.0));
            let found = shown.chain(nodes).find(own).map(|node| node.2);
            groups.entry(found).or_default().insert(index);
            for &(from, to, new) in nodes {
                // Nodes of secondary scenes follow.
                if found.is_some()
                    && !first.contains(&from)
                    && !changed.contains(&new)
                    && let Some(node) = edited.nodes.get_mut(to)
                {
                    node.mesh = found;
                }
            }
        }
        let stays = match groups.contains_key(&None) {
            true => None,
            false => {
                let first = groups
                    .iter()
                    .min_by_key(|(_, nodes)| nodes.first().copied());
                first.and_then(|(mesh, _)| *mesh)
            }
        };
        groups.remove(&stays);
        for (_, nodes) in groups {
            let Some(copy) = base.meshes.get(old).cloned() else {
                continue;
            };
            let number = base.meshes.len();
            base.meshes.push(copy);
            for &(from, _, _) in nodes.iter().filter_map(|it| users.get(it)).flatten() {
                if let Some(node) = base.nodes.get_mut(from) {
                    node.mesh = Some(number);
                }
            }
            all.push(OwnMesh { nodes });
        }
    }
    Ok(all)
}

/// Gives the nodes copies of their models.
///
/// # Errors
/// The game file has no slot for one.
pub(in crate::pack::scene::zipper) fn copy_models(
    tree: &mut GameTree,
    own: &[OwnMesh],
) -> Result<(), Refusal> {
    if matches!(tree, GameTree::Mech { .. }) {
        // Each node has a model of its own.
        return Ok(());
    }
    for OwnMesh { nodes } in own {
        let mut by_model: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &node in nodes {
            if let Some(model) = tree.model_of(node) {
                by_model.entry(model).or_default().push(node);
            }
        }
        for (number, nodes) in by_model {
            let is_other =
                |node: usize| tree.model_of(node) == Some(number) && !nodes.contains(&node);
            if !(0..tree.count()).any(is_other) {
                continue;
            }
            let Some(copy) = tree.model(number).cloned() else {
                continue;
            };
            let mut made = None;
            for node in nodes {
                if let GameTree::World(gamez) = tree {
                    slots::release_model(gamez, number);
                }
                match made {
                    Some(made) => slots::share_model(tree, node, made)?,
                    None => made = Some(slots::add_model(tree, node, copy.clone())?),
                }
            }
        }
    }
    Ok(())
}

/// Gives nodes of a tree the models that scenes ask for.
///
/// # Errors
/// Scenes do not agree, or the game file has no slot for a model.
pub(in crate::pack::scene::zipper) fn copy_all(
    tree: &mut GameTree,
    scenes: &[&EditedScene<'_>],
) -> Result<(), (String, Refusal)> {
    let mut known: Vec<&BTreeSet<usize>> = Vec::new();
    for scene in scenes {
        let path = || scene.output.path.clone();
        let own = scene.own_meshes.iter();
        let mut others = own.clone().map(|own| &own.nodes).filter(|nodes| {
            let mut known = known.iter();
            known.any(|known| known != nodes && !known.is_disjoint(nodes))
        });
        if let Some(node) = others.next().and_then(BTreeSet::first) {
            let name = tree.node(*node).map(|node| node.name());
            let reason = refusal!(
                "node {}: another scene gives it a mesh of its own together with other nodes; pack the scenes one after the other, with --only",
                name.unwrap_or_default()
            );
            return Err((path(), reason));
        }
        let new = own.filter(|own| !known.contains(&&own.nodes));
        for own in new {
            copy_models(tree, std::slice::from_ref(own)).map_err(|refusal| (path(), refusal))?;
        }
        known.extend(scene.own_meshes.iter().map(|own| &own.nodes));
    }
    Ok(())
}
