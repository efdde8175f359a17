//! Checks that the packed file shows the edit, and measures the difference.

use std::collections::BTreeSet;

use super::facts;
use crate::pack::edited::Refusal;
use crate::pack::rounding::{COLORS_ARE_ROUNDED, PLACES_ARE_ROUNDED, RoundingReport};
use crate::pack::scene::compare::difference::{
    CornerChange, Difference, OtherScenes, compare, compare_meshes, had_no_mesh, is_gated,
};
use crate::pack::scene::compare::matching::{match_nodes, shown};
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::compare::triangle_check::{Otherwise, shows_all};
use crate::pack::scene::driver::Unproven;
use crate::pack::scene::file::{SceneFile, SceneMesh};

/// Words for one and for several nodes of secondary scenes that follow an edit.
const NODES_FOLLOW: [&str; 2] = [
    "node of a secondary scene follows from it",
    "nodes of secondary scenes follow from it",
];
/// Words for nodes with derived facts.
const FACTS_FOLLOW: [&str; 2] = [
    "node has other facts that follow from it",
    "nodes have other facts that follow from it",
];
/// Words for rounded corners.
const CORNERS_ARE_ROUNDED: [&str; 2] = [
    "corner is rounded, by at most 0.0001",
    "corners are rounded, by at most 0.0001",
];
/// Words for other normals.
const NORMALS_DIFFER: [&str; 2] = [
    "normal differs from the edit: it is rounded, or derived from the shape",
    "normals differ from the edit: they are rounded, or derived from the shape",
];
/// Words for meshes that are triangulated differently.
const MESHES_ARE_RECUT: [&str; 2] = [
    "mesh has other triangles along its polygons",
    "meshes have other triangles along their polygons",
];
/// Words for rebuilt meshes.
const MESHES_ARE_REMADE: [&str; 2] = [
    "mesh has other triangles: each new one is a separate polygon",
    "meshes have other triangles: each new one is a separate polygon",
];
/// Words for invisible triangles.
const TRIANGLES_ARE_OMITTED: [&str; 2] = [
    "triangle has no area, and is omitted",
    "triangles have no area, and are omitted",
];

const COLORS_FOLLOW: [&str; 2] = [
    "triangle has the color that its node gives it",
    "triangles have the color that their node gives them",
];

/// The packed scene, with the triangulation of the edit in meshes that show the same in other triangles.
struct PackedScene {
    scene: SceneFile,
    /// Number of meshes that are triangulated differently along their polygons.
    recut: usize,
    /// Number of meshes whose triangles changed.
    remade: usize,
    otherwise: Otherwise,
}

impl PackedScene {
    fn new(after: &SceneFile, scenes: ScenePair<'_>, wanted: &Difference) -> Result<Self, Refusal> {
        let mut packed_scene = Self {
            scene: SceneFile {
                nodes: after.nodes.clone(),
                roots: after.roots.clone(),
                meshes: after.meshes.clone(),
                materials: after.materials.clone(),
                ..SceneFile::default()
            },
            recut: 0,
            remade: 0,
            otherwise: Otherwise::default(),
        };
        let edited = scenes.edited;
        let is_remade = |mesh: usize| wanted.remade.iter().any(|remade| remade.new == mesh);
        let is_edited = |mesh: usize| wanted.meshes.iter().any(|change| change.new == mesh);
        let mut seen = BTreeSet::new();
        for (from, to) in match_nodes(after, edited)?.into_iter().enumerate() {
            let mesh = |file: &SceneFile, node: Option<usize>| {
                let node = node.and_then(|node| file.nodes.get(node))?;
                node.mesh
            };
            let (Some(ours), Some(theirs)) = (mesh(after, Some(from)), mesh(edited, to)) else {
                continue;
            };
            let meshes = (after.meshes.get(ours), edited.meshes.get(theirs));
            let (Some(mine), Some(edit)) = meshes else {
                continue;
            };
            let is_shown = !is_remade(theirs) && shows(mine, edit);
            if is_shown || !seen.insert((ours, theirs)) {
                continue;
            }
            if !is_remade(theirs) && is_recut(mine, edit) {
                packed_scene.recut += 1;
            } else if is_remade(theirs) || is_edited(theirs) {
                match shows_all(after, mine, scenes, edit) {
                    Ok(other) => {
                        packed_scene.remade += 1;
                        packed_scene.otherwise.normals += other.normals;
                        packed_scene.otherwise.without_area += other.without_area;
                        packed_scene.otherwise.colors += other.colors;
                    }
                    Err(refusal) if is_remade(theirs) => {
                        refuse!("mesh {}: {refusal}", edit.name);
                    }
                    // Differences are reported by node.
                    Err(_) => continue,
                }
            } else {
                continue;
            }
            if let Some(mesh) = packed_scene.scene.meshes.get_mut(ours) {
                mesh.primitives.clone_from(&edit.primitives);
            }
        }
        Ok(packed_scene)
    }
}

/// Compares the packed scene with the edit, and reports the rounding.
///
/// # Errors
/// It shows something else.
pub(in crate::pack::scene) fn check(
    after: &SceneFile,
    scenes: ScenePair<'_>,
    wanted: &Difference,
) -> Result<Option<String>, Unproven> {
    let edited = scenes.edited;
    let mut following = wanted.following_rest.iter();
    if let Some(other) = following.find(|key| !after.rest.agrees(&edited.rest, key)) {
        let refusal = refusal!(
            "{other} was changed; only transforms, names, flags, zones, shapes and materials of a scene can be packed"
        );
        return Err(refusal.into());
    }
    check_gated(after, scenes, wanted)?;
    let packed_scene = PackedScene::new(after, scenes, wanted)?;
    let allowed = Tolerance::STORED;
    let left = compare(&packed_scene.scene, edited, allowed, OtherScenes::Ignore)?;
    let name = |node: usize| {
        let node = after.nodes.get(node);
        node.map(|node| node.name.clone()).unwrap_or_default()
    };
    if let Some(node) = left.nodes.iter().find(|node| node.is_moved) {
        let found = after
            .nodes
            .get(node.base)
            .map(|node| node.local.translation);
        let refusal = refusal!(
            "node {}: the packed file has it at another position, {}: it is shown several times, or is derived from other values",
            name(node.base),
            relicast_codec::shown(&found)
        );
        return Err(refusal.into());
    }
    let others = left.meshes.iter().map(|mesh| (mesh.node, mesh.new));
    let others = others.chain(left.remade.iter().map(|mesh| (mesh.node, mesh.new)));
    if let Some((node, _)) = others.clone().next() {
        return Err(Unproven {
            refusal: refusal!(
                "mesh of node {}: the packed file shows another shape: its model is shown several times, or its values are derived from others",
                name(node)
            ),
            meshes: others.map(|(_, mesh)| mesh).collect(),
        });
    }
    check_following(&packed_scene.scene, scenes, wanted)?;
    facts_follow(&packed_scene.scene, scenes, wanted)?;
    Ok(report(&packed_scene, edited, wanted)?)
}

/// Checks that no edited mesh is lost at a node that the packed scene hides by its zone: such a mesh is not compared.
fn check_gated(
    after: &SceneFile,
    ScenePair { base, edited }: ScenePair<'_>,
    wanted: &Difference,
) -> Result<(), Refusal> {
    if !after.nodes.iter().any(is_gated) {
        return Ok(());
    }
    let in_base = match_nodes(base, edited)?;
    for (from, to) in match_nodes(after, edited)?.into_iter().enumerate() {
        let (Some(hidden), Some(place)) = (after.nodes.get(from), to) else {
            continue;
        };
        let node = edited.nodes.get(place);
        let Some(mesh) = node.and_then(|node| node.mesh) else {
            continue;
        };
        if !is_gated(hidden) || hidden.mesh.is_some() {
            continue;
        }
        let before = in_base.iter().position(|other| *other == Some(place));
        let before = before.and_then(|before| base.nodes.get(before));
        if let Some(before) = before.filter(|before| before.mesh.is_none()) {
            return Err(had_no_mesh(before));
        }
        let meshes = wanted.meshes.iter().map(|change| change.new);
        let mut meshes = meshes.chain(wanted.remade.iter().map(|remade| remade.new));
        if meshes.any(|edit| edit == mesh) {
            refuse!(
                "node {}: extras.zipper.zone hides its mesh, which was edited too; edit one, pack, convert again, then edit the other",
                hidden.name
            );
        }
    }
    Ok(())
}

/// Checks that nodes show the facts of the edit that follow from its other values.
fn facts_follow(
    after: &SceneFile,
    ScenePair { base, edited }: ScenePair<'_>,
    wanted: &Difference,
) -> Result<(), Refusal> {
    let packed = match_nodes(after, edited)?;
    for change in wanted.nodes.iter().filter(|it| it.has_other_extras) {
        let found = packed.iter().position(|to| *to == Some(change.edited));
        let found = found.and_then(|found| after.nodes.get(found));
        let pair = (base.nodes.get(change.base), edited.nodes.get(change.edited));
        if let (Some(old), Some(new)) = pair {
            let none = serde_json::Value::Null;
            let found = found.map_or(&none, |found| &found.extras);
            facts::check_followers(&old.extras, &new.extras, found)
                .map_err(|refusal| refusal!("node {}: {refusal}", old.name))?;
        }
    }
    Ok(())
}

/// Checks that nodes of secondary scenes have the transforms and facts of the edit.
fn check_following(
    after: &SceneFile,
    ScenePair { base, edited }: ScenePair<'_>,
    wanted: &Difference,
) -> Result<(), Refusal> {
    if wanted.following.is_empty() {
        return Ok(());
    }
    let in_edit = match_nodes(base, edited)?;
    let packed = match_nodes(after, edited)?;
    wanted.refuse_following(base, |node| {
        let edit = in_edit.get(node).copied().flatten();
        let found = edit.and_then(|edit| packed.iter().position(|to| *to == Some(edit)));
        let edit = edit.and_then(|edit| edited.nodes.get(edit));
        let found = found.and_then(|found| after.nodes.get(found));
        let nodes = (base.nodes.get(node), edit, found);
        let (Some(old), Some(new), Some(found)) = nodes else {
            return false;
        };
        let is_moved = !is_same_place(old.local, new.local, Tolerance::EXACT);
        (!is_moved || is_same_place(found.local, new.local, Tolerance::STORED))
            && facts::are_shown(&old.extras, &new.extras, &found.extras)
    })
}

/// Rounded values, and other differences from the edit.
fn report(
    packed_scene: &PackedScene,
    edited: &SceneFile,
    wanted: &Difference,
) -> Result<Option<String>, Refusal> {
    let exact = compare(
        &packed_scene.scene,
        edited,
        Tolerance::EXACT,
        OtherScenes::Ignore,
    )?;
    let unchanged = |node: usize| wanted.nodes.iter().all(|change| change.base != node);
    let moved = exact
        .nodes
        .iter()
        .filter(|change| change.is_moved && !unchanged(change.base))
        .count();
    let corners = exact
        .meshes
        .iter()
        .flat_map(|mesh| mesh.corners.iter().flatten());
    let shapes = corners
        .clone()
        .filter(|corner| corner.position.is_some() || corner.uvs.iter().any(Option::is_some))
        .count();
    let colors = corners
        .clone()
        .filter(|corner| corner.color.is_some())
        .count();
    let normals =
        corners.filter(|corner| corner.normal.is_some()).count() + packed_scene.otherwise.normals;
    let firsts = shown(&packed_scene.scene);
    let matches = match_nodes(&packed_scene.scene, edited)?;
    let following = matches.iter().enumerate().filter(|(node, to)| {
        let pair = (
            packed_scene.scene.nodes.get(*node),
            to.and_then(|to| edited.nodes.get(to)),
        );
        let (Some(found), Some(edit)) = pair else {
            return false;
        };
        !firsts.contains(node) && !is_same_place(found.local, edit.local, Tolerance::STORED)
    });
    let following = following.count();
    let other_facts = matches.iter().enumerate().filter(|(node, to)| {
        let pair = (
            packed_scene.scene.nodes.get(*node),
            to.and_then(|to| edited.nodes.get(to)),
        );
        firsts.contains(node)
            && matches!(pair, (Some(found), Some(edit)) if facts::has_followed(&edit.extras, &found.extras))
    });
    let other_facts = other_facts.count();
    let mut report = RoundingReport::default();
    for (count, words) in [
        (moved, PLACES_ARE_ROUNDED),
        (following, NODES_FOLLOW),
        (other_facts, FACTS_FOLLOW),
        (shapes, CORNERS_ARE_ROUNDED),
        (colors, COLORS_ARE_ROUNDED),
        (normals, NORMALS_DIFFER),
        (packed_scene.recut, MESHES_ARE_RECUT),
        (packed_scene.remade, MESHES_ARE_REMADE),
        (packed_scene.otherwise.without_area, TRIANGLES_ARE_OMITTED),
        (packed_scene.otherwise.colors, COLORS_FOLLOW),
    ] {
        report.count(count, words);
    }
    Ok(report.text())
}

/// True if a mesh shows another, triangle for triangle.
pub(super) fn shows(one: &SceneMesh, edit: &SceneMesh) -> bool {
    let changes = compare_meshes(one, edit, Tolerance::STORED, &|_, _| true);
    changes.is_ok_and(|changes| !changes.iter().flatten().any(CornerChange::is_any))
}

/// True if a mesh has the corners of another and other triangles between them.
fn is_recut(one: &SceneMesh, other: &SceneMesh) -> bool {
    let corners = |mesh: &SceneMesh| -> BTreeSet<([u32; 3], Option<[u32; 2]>)> {
        let all = mesh.primitives.iter().flat_map(|part| {
            let uvs = part.uvs.first();
            part.positions
                .iter()
                .enumerate()
                .map(move |(corner, position)| {
                    let uv = uvs.and_then(|uvs| uvs.get(corner));
                    (
                        position.map(|part| (part + 0.0).to_bits()),
                        uv.map(|uv| uv.map(|part| (part + 0.0).to_bits())),
                    )
                })
        });
        all.collect()
    };
    let order = |mesh: &SceneMesh| -> Vec<[u32; 3]> {
        let all = mesh.primitives.iter().flat_map(|part| &part.positions);
        all.map(|position| position.map(|part| (part + 0.0).to_bits()))
            .collect()
    };
    order(one) != order(other) && corners(one) == corners(other)
}
