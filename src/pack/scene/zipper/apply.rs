//! Applies changes of scenes to the nodes and models of a game file.

use std::collections::{BTreeMap, BTreeSet};

use glam::DMat4;

use super::edited_scene::EditedScene;
use super::facts;
use super::geometry::bounds::{self, Touched};
use super::geometry::place::{Move, is_like, move_node};
use super::geometry::shapes::Shapes;
use super::lights::{self, LightOrCameraEdits};
use super::materials::edits::{self, SurfaceEdits};
use super::materials::table::MaterialEdits;
use super::objects::deletion::Animated;
use super::objects::{self, MadeObjects, own_models};
use super::tree::GameTree;
use super::views;
use crate::config::Config;
use crate::pack::edited::{Refusal, unless_refused};
use crate::pack::scene::compare::difference::NodeChange;
use crate::pack::scene::compare::game_node::{game_node, shear_of};
use crate::pack::scene::compare::matching::{index_of, plain_name};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::SceneFile;
use relicast_formats::zipper::gamez::NodeName;

/// Changes to a node of the game file.
#[derive(Debug, Default)]
struct NodeEdit {
    change: Option<(Move, String)>,
    name: Option<(String, String)>,
}

/// Applies the changes of scenes that show one tree to the tree.
///
/// # Errors
/// By scene, the edits that cannot be packed, and the reasons.
pub(super) fn apply(
    tree: &mut GameTree,
    scenes: &[&EditedScene<'_>],
    config: &Config,
    tables: &mut MaterialEdits,
    animated: &Animated,
) -> Result<BTreeMap<String, MadeObjects>, Vec<(String, Refusal)>> {
    own_models::copy_all(tree, scenes).map_err(|refused| vec![refused])?;
    let before = tree.clone();
    let mut surfaces = SurfaceEdits::default();
    let mut lights_and_cameras = LightOrCameraEdits::new();
    let mut nodes: BTreeMap<usize, NodeEdit> = BTreeMap::new();
    let mut shapes = Shapes::default();
    let mut refusals = Vec::new();
    for scene in scenes {
        let collected = collect(&before, scene, config, &mut nodes, &mut shapes, tree)
            .and_then(|()| edits::collect(&before, scene, config, tables, &mut surfaces))
            .and_then(|()| collect_lights_and_cameras(scene, &mut lights_and_cameras));
        if let Err(refusal) = collected {
            refusals.push((scene.output.path.clone(), refusal));
        }
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let remade: BTreeSet<usize> = shapes.remade().collect();
    let both = remade.iter().find(|&&model| surfaces.assigns(model));
    if let (Some(number), Some(scene)) = (both, scenes.first()) {
        let reason = format_args!(
            "model {number}: its triangles and the materials of other polygons were edited; edit one, pack, convert again, then edit the other"
        );
        return Err(vec![(scene.output.path.clone(), Refusal::new(reason))]);
    }
    surfaces.apply(tree);
    let version = tree.version();
    for (&index, (change, path)) in lights_and_cameras.iter() {
        let done = lights::apply(tree.node_mut(index), change, version, config);
        if let Err(refusal) = done {
            refusals.push((path.clone(), refusal));
        }
    }
    let first = scenes
        .first()
        .map(|scene| scene.output.path.clone())
        .unwrap_or_default();
    let mut touched = Touched::default();
    apply_nodes(tree, nodes, &mut touched, &mut refusals);
    for (number, reason) in shapes.put(tree, &mut touched.models) {
        refusals.push((first.clone(), refusal!("model {number}: {reason}")));
    }
    surfaces.apply_to_remade(tree, &remade);
    let mut made = BTreeMap::new();
    if refusals.is_empty() {
        match apply_objects(&before, tree, scenes, config, animated, &mut touched) {
            Ok(objects) => made = objects,
            Err(refusal) => refusals.push(refusal),
        }
    }
    if refusals.is_empty()
        && let Err(refusal) = bounds::update(&before, tree, &touched)
    {
        refusals.push((first, refusal));
    }
    unless_refused(made, refusals)
}

/// Adds and deletes objects, which one scene of a game file may do at a time.
fn apply_objects(
    before: &GameTree,
    tree: &mut GameTree,
    scenes: &[&EditedScene<'_>],
    config: &Config,
    animated: &Animated,
    touched: &mut Touched,
) -> Result<BTreeMap<String, MadeObjects>, (String, Refusal)> {
    let mut made = BTreeMap::new();
    let mut scenes = scenes.iter().filter(|scene| !scene.objects.is_empty());
    let Some(scene) = scenes.next() else {
        return Ok(made);
    };
    let path = scene.output.path.clone();
    if scenes.next().is_some() {
        let reason = "objects were added or deleted in several scenes of one game file; pack them one after the other, with --only";
        return Err((path, Refusal::new(reason)));
    }
    let parents = &mut touched.parents;
    match objects::apply(before, tree, scene, config, animated, parents) {
        Ok(objects) => made.insert(path, objects),
        Err(refusal) => return Err((path, refusal)),
    };
    Ok(made)
}

fn apply_nodes(
    tree: &mut GameTree,
    nodes: BTreeMap<usize, NodeEdit>,
    touched: &mut Touched,
    refusals: &mut Vec<(String, Refusal)>,
) {
    let version = tree.version();
    for (index, edit) in nodes {
        let Some(node) = tree.node_mut(index) else {
            continue;
        };
        let label = node.name();
        let inside = |refusal: Refusal| refusal!("node {label}: {refusal}");
        if let Some((change, path)) = &edit.change {
            let moved = match lights::is_one(node) {
                true => lights::move_node(node, change).map(|()| false),
                false => move_node(node, change, version).map(|()| true),
            };
            match moved {
                Ok(false) => {}
                Ok(true) => {
                    touched.moved.insert(index);
                }
                Err(refusal) => refusals.push((path.clone(), inside(refusal))),
            }
        }
        if let Some((name, path)) = &edit.name {
            match name.is_ascii().then(|| NodeName::new(name)).flatten() {
                Some(stored) if !name.is_empty() => node.record.name = stored,
                _ => refusals.push((
                    path.clone(),
                    inside(refusal!(
                        "{name} is not a valid node name: use 1 to 35 ASCII characters"
                    )),
                )),
            }
        }
    }
}

fn collect(
    before: &GameTree,
    scene: &EditedScene<'_>,
    config: &Config,
    nodes: &mut BTreeMap<usize, NodeEdit>,
    shapes: &mut Shapes,
    tree: &mut GameTree,
) -> Result<(), Refusal> {
    for change in &scene.difference.nodes {
        collect_node(before, scene, change, nodes, tree)
            .map_err(|refusal| refusal!("node {}: {refusal}", scene.name(change.base)))?;
    }
    shapes.collect(before, scene, config)
}

/// Reason to refuse an edit of a node that the conversion adds.
const NO_NODE: &str = "it is not in the game file, but follows from the program or from other files, such as the views of an aircraft from its marker cockpit_camera in the scene NAME.hidden; set it back, and move what it follows from";

fn collect_lights_and_cameras(
    scene: &EditedScene<'_>,
    lights_and_cameras: &mut LightOrCameraEdits,
) -> Result<(), Refusal> {
    for change in &scene.lights_and_cameras {
        let (index, _) = game_node(&scene.base, change.node)
            .ok_or_else(|| refusal!("node {}: {NO_NODE}", scene.name(change.node)))?;
        lights::add(lights_and_cameras, index, change, scene.path())?;
    }
    Ok(())
}

fn whole_place(file: &SceneFile, node: usize) -> DMat4 {
    let matrix = |node: usize| {
        file.nodes
            .get(node)
            .map_or(DMat4::IDENTITY, |node| node.local.to_matrix())
    };
    match shear_of(file, node) {
        Some(inner) => matrix(node) * matrix(inner),
        None => matrix(node),
    }
}

fn collect_node(
    before: &GameTree,
    scene: &EditedScene<'_>,
    change: &NodeChange,
    nodes: &mut BTreeMap<usize, NodeEdit>,
    tree: &mut GameTree,
) -> Result<(), Refusal> {
    let (base, edited) = (&scene.base, &scene.edited);
    let unknown = || refusal!("{NO_NODE}");
    let Some((index, outer)) = game_node(base, change.base) else {
        let (eye, one) = views::move_of_eye(before, scene, change).ok_or_else(unknown)?;
        return put_move(&mut nodes.entry(eye).or_default().change, one, scene);
    };
    let game = before.node(index).ok_or_else(unknown)?;
    let (Some(old), Some(new)) = (base.nodes.get(change.base), edited.nodes.get(change.edited))
    else {
        return Ok(());
    };
    if change.has_other_extras && index_of(old).is_some() {
        facts::apply(tree, index, &old.extras, &new.extras)?;
    }
    let edit = nodes.entry(index).or_default();
    if let Some(name) = &change.name {
        let is_top = before.parent(index).is_none() && base.roots.contains(&change.base);
        if is_top && !matches!(before, GameTree::World(gamez) if gamez.nodes.world().is_some()) {
            refuse!("roots of models cannot be renamed: the output is named after them");
        }
        // Suffixes that conversion adds, such as numbers of levels, are dropped: conversion adds them again.
        let stored = game.name();
        let ending = old.name.strip_prefix(&stored).unwrap_or_default();
        let name = plain_name(name);
        let name = name.strip_suffix(ending).unwrap_or(name).to_owned();
        match &edit.name {
            Some((known, path)) if *known != name => {
                refuse!("{path} names it {known}, this scene {name}");
            }
            _ => edit.name = Some((name, scene.output.path.clone())),
        }
    }
    if change.is_moved {
        let of_edit = match outer == change.base {
            true => change.edited,
            false => new.parent.unwrap_or(change.edited),
        };
        let is_plain = shear_of(base, outer).is_none();
        let one = Move {
            before: whole_place(base, outer),
            after: whole_place(edited, of_edit),
            plain: is_plain.then_some((old.local, new.local)),
            tolerance: Tolerance::EXACT,
        };
        // Nodes at the top of a scene may be child nodes in the game file.
        let is_below = base
            .nodes
            .get(outer)
            .is_some_and(|node| node.parent.is_some());
        if is_below && !lights::is_one(game) && !is_like(&before.local(index), &one.before) {
            refuse!(
                "a motion or a mission determines its transform in this scene; convert with models.rest_pose = \"stored\" and move it there"
            );
        }
        put_move(&mut edit.change, one, scene)?;
    }
    Ok(())
}

/// Sets the movement of a node of the game file, which several nodes of scenes may show.
fn put_move(
    change: &mut Option<(Move, String)>,
    one: Move,
    scene: &EditedScene<'_>,
) -> Result<(), Refusal> {
    match change {
        Some((known, path))
            if !known.after.abs_diff_eq(one.after, 1e-4)
                && known.before.abs_diff_eq(one.before, 1e-9) =>
        {
            Err(refusal!(
                "{path} sets another transform for what it shows; move both in the same way"
            ))
        }
        Some(_) => Ok(()),
        None => {
            *change = Some((one, scene.output.path.clone()));
            Ok(())
        }
    }
}
