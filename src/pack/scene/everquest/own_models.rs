//! Placements that an edit shows with a shape of their own: scaled along one axis, mirrored, sheared, joined to others or
//! edited in edit mode. The game places models only as they are, so such a placement gets a model of its own, which is
//! that of the placement with the vertices of the edit.

use std::collections::{BTreeMap, HashMap};

use glam::{DMat4, DVec3};
use serde_json::{Value, json};

use super::applied::is_like;
use super::attach::transform;
use super::copies::{Copies, is_ground};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::compare_meshes;
use crate::pack::scene::compare::matching::{Matches, placement_of, shown};
use crate::pack::scene::compare::surfaces::{self, Surface};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{Document, Local, SceneFile, SceneMesh, ScenePrimitive};

/// A model that placements get.
#[derive(Debug)]
pub(in crate::pack::scene) struct OwnModel {
    /// The original nodes of the placements.
    pub nodes: Vec<usize>,
    /// True if it has materials that the model of the placements does not have.
    pub has_other_materials: bool,
    /// True if its shape was edited, not only the transform of the placements.
    pub is_shaped: bool,
    /// True if its edited shape has light.
    pub is_lit: bool,
    /// Reason why the placements cannot have the model of others, in words.
    pub reason: &'static str,
}

/// Edits that the files of a family can store.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    /// Returns true if a placement can be moved from one transform to another.
    pub can_place: fn(Local, Local) -> bool,
    /// Returns true if a transform is even, so that only its rotation cannot be stored.
    pub is_even: fn(Local, Local) -> bool,
    /// Returns true if an edit of all placements of a model is an edit of the model. `is_recut` is true where triangles
    /// or materials changed.
    pub can_change: &'r dyn Fn(&str, bool) -> bool,
}

/// Difference of the mesh of a placement from its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// At most its light.
    None,
    /// The values of corners.
    Corners,
    /// Its triangles or materials.
    Triangles,
}

/// A placement.
struct Placed<'s> {
    /// Its original and its edited node.
    nodes: [usize; 2],
    /// Its original and its edited mesh.
    meshes: [usize; 2],
    model: &'s str,
    change: Change,
    /// The transform that can be stored, and what is left of that of the edit, if the game cannot store the latter.
    rest: Option<(Local, DMat4)>,
    reason: &'static str,
}

const SCALED: &str =
    "the game scales placements equally along all axes, and neither mirrors nor shears them";
const TURNED: &str = "the game cannot store the rotation of its placement";
const SHAPED: &str = "its shape was edited";

/// Meshes of placements, and parts of what is left of their transforms: equal for those that share a model.
type Key = ([usize; 2], Option<[i64; 16]>);

/// An original and an edited scene, each with its file.
pub(super) struct Scenes<'s> {
    pub base: &'s mut SceneFile,
    pub base_document: &'s mut Document,
    pub edited: &'s mut SceneFile,
    pub edited_document: &'s mut Document,
}

/// Finds the placements that need a model of their own, and gives them meshes of their own in both scenes. In the edit,
/// they have transforms that can be stored.
///
/// # Errors
/// A file has no list of meshes.
pub(super) fn part(
    scenes: Scenes<'_>,
    matches: &Matches,
    rules: Rules<'_>,
) -> Result<Vec<OwnModel>, Refusal> {
    let Scenes {
        base,
        base_document,
        edited,
        edited_document,
    } = scenes;
    let placed = all(base, edited, matches, rules);
    let is_one = agreeing(&placed, edited);
    let mut groups: BTreeMap<Key, Vec<&Placed<'_>>> = BTreeMap::new();
    for one in &placed {
        let is_of_model = match one.change {
            Change::None => true,
            change => {
                let is_one = is_one.get(one.model).copied().unwrap_or_default();
                is_one && (rules.can_change)(one.model, change == Change::Triangles)
            }
        };
        if !is_of_model || one.rest.is_some() {
            let key = one.rest.map(|(_, rest)| {
                let parts = rest.to_cols_array();
                parts.map(|part| (part * 1e5).round() as i64)
            });
            groups.entry((one.meshes, key)).or_default().push(one);
        }
    }
    let mut own = Vec::new();
    let mut changes = Vec::new();
    for (([was, now], _), placed) in groups {
        let (Some(model), Some(shape)) = (base.meshes.get(was), edited.meshes.get(now)) else {
            continue;
        };
        let rest = placed.first().and_then(|one| one.rest);
        let mut shape = shape.clone();
        if let Some((_, rest)) = rest {
            transform(&mut shape, rest);
        }
        let had: Vec<Option<usize>> = model.primitives.iter().map(|part| part.material).collect();
        let is_other = |part: &ScenePrimitive| {
            material_of(base, edited, part).is_none_or(|material| !had.contains(&material))
        };
        let reason = placed.first().map_or(SHAPED, |one| one.reason);
        own.push(OwnModel {
            nodes: placed.iter().map(|one| one.nodes[0]).collect(),
            has_other_materials: shape.primitives.iter().any(is_other),
            is_lit: shape.primitives.iter().any(|part| !part.colors.is_empty()),
            is_shaped: placed.iter().any(|one| one.change != Change::None),
            reason,
        });
        let nodes = placed.iter();
        let nodes = nodes.map(|one| (one.nodes, one.rest.map(|(local, _)| local)));
        changes.push(([was, now], model.clone(), shape, nodes.collect::<Vec<_>>()));
    }
    for (numbers, model, shape, nodes) in changes {
        let parted = [
            push(base, base_document, numbers[0], model)?,
            push(edited, edited_document, numbers[1], shape)?,
        ];
        for ([old, new], local) in nodes {
            show(base, base_document, old, parted[0]);
            show(edited, edited_document, new, parted[1]);
            if let Some((local, node)) = local.zip(edited.nodes.get_mut(new)) {
                node.local = local;
            }
        }
    }
    Ok(own)
}

/// Checks that copies of placements have the shape of these.
///
/// # Errors
/// One has another.
pub(super) fn check_copies(
    base: &SceneFile,
    edited: &SceneFile,
    copies: &Copies,
    matches: &Matches,
) -> Result<(), Refusal> {
    for &(of, new) in &copies.new {
        let mesh = |file: &SceneFile, node: usize| file.nodes.get(node)?.mesh;
        let Some((was, now)) = mesh(base, of).zip(mesh(edited, new)) else {
            continue;
        };
        let original = matches.get(of).copied().flatten();
        let is_known = original.and_then(|node| mesh(edited, node)) == Some(now);
        if !is_known && change(base, edited, [was, now]) != Change::None {
            refuse!(
                "node {}: it is a copy with another shape; pack the copy without this edit, convert a copy of the game with it, and edit its shape there",
                edited.nodes.get(new).map_or("", |node| &*node.name)
            );
        }
    }
    Ok(())
}

/// The placements of an edit.
fn all<'s>(
    base: &'s SceneFile,
    edited: &SceneFile,
    matches: &Matches,
    rules: Rules<'_>,
) -> Vec<Placed<'s>> {
    let visible = shown(base);
    let mut known: HashMap<[usize; 2], Change> = HashMap::new();
    let pairs = matches.iter().enumerate();
    let placed = pairs.filter_map(|(old, new)| {
        let (before, new) = (base.nodes.get(old)?, (*new)?);
        let after = edited.nodes.get(new)?;
        let facts = before.extras.get("everquest")?;
        let (file, index) = placement_of(before).filter(|_| visible.contains(&old))?;
        let model = facts.get("model")?.as_str()?;
        let is_terrain = is_ground(file) || is_ground(model) || (index == 0 && file == model);
        let meshes = [before.mesh?, after.mesh?];
        let has_parts = !before.children.is_empty() || !after.children.is_empty();
        if is_terrain || has_parts || facts.get("server").is_some() {
            return None;
        }
        let change = *known
            .entry(meshes)
            .or_insert_with(|| change(base, edited, meshes));
        let rest = rest(before.local, after.local, rules);
        let is_turned = (rules.is_even)(before.local, after.local);
        let reason = match rest {
            None => SHAPED,
            Some(_) if is_turned => TURNED,
            Some(_) => SCALED,
        };
        Some(Placed {
            nodes: [old, new],
            meshes,
            model,
            change,
            rest,
            reason,
        })
    });
    placed.collect()
}

/// For each model: true if all placements show it in the same shape.
fn agreeing<'s>(placed: &[Placed<'s>], edited: &SceneFile) -> HashMap<&'s str, bool> {
    let mut first: HashMap<&str, &Placed<'_>> = HashMap::new();
    let mut all = HashMap::new();
    for one in placed {
        let known = *first.entry(one.model).or_insert(one);
        let shapes = [known, one].map(|one| edited.meshes.get(one.meshes[1]));
        let is_one = known.change == one.change
            && (one.change == Change::None
                || known.meshes[1] == one.meshes[1]
                || matches!(shapes, [Some(known), Some(own)] if is_like(known, own)));
        *all.entry(one.model).or_insert(true) &= is_one;
    }
    all
}

/// The material of an edited primitive in the original scene; `None` if it is new there.
fn material_of(
    base: &SceneFile,
    edited: &SceneFile,
    part: &ScenePrimitive,
) -> Option<Option<usize>> {
    match surfaces::of(base, edited, part) {
        Surface::Known(place) => Some(Some(place)),
        Surface::Bare => Some(None),
        Surface::Unknown(_) => None,
    }
}

fn change(base: &SceneFile, edited: &SceneFile, [was, now]: [usize; 2]) -> Change {
    let (Some(model), Some(shape)) = (base.meshes.get(was), edited.meshes.get(now)) else {
        return Change::None;
    };
    let is_same = |old: usize, new: usize| {
        let parts = (model.primitives.get(old), shape.primitives.get(new));
        let (Some(old), Some(new)) = parts else {
            return true;
        };
        material_of(base, edited, new) == Some(old.material)
    };
    match compare_meshes(model, shape, Tolerance::EXACT, &is_same) {
        Err(_) => Change::Triangles,
        Ok(corners) => {
            let mut corners = corners.iter().flatten();
            let is_shaped = corners.any(|corner| {
                let has_uv = corner.uvs.iter().any(Option::is_some);
                corner.position.is_some() || corner.normal.is_some() || has_uv
            });
            if is_shaped {
                Change::Corners
            } else {
                Change::None
            }
        }
    }
}

/// The nearest transform that can be stored, and what is left of the wanted one; `None` if that can be stored, or if
/// there is none.
fn rest(old: Local, new: Local, rules: Rules<'_>) -> Option<(Local, DMat4)> {
    if old == new || (rules.can_place)(old, new) {
        return None;
    }
    let wanted = new.to_matrix();
    let plain = Local {
        translation: wanted.w_axis.truncate().as_vec3().to_array(),
        matrix: None,
        ..old
    };
    let turned = Local {
        rotation: new.rotation,
        ..plain
    };
    let is_plain = new.matrix.is_none();
    let local = [Some(turned).filter(|_| is_plain), Some(plain)];
    let mut local = local.into_iter().flatten();
    let local = local.find(|local| *local == old || (rules.can_place)(old, *local))?;
    let rest = local.to_matrix().inverse() * wanted;
    let columns = [rest.x_axis, rest.y_axis, rest.z_axis].map(|axis| axis.truncate());
    let is_flat = columns.iter().any(|axis| axis.length() < 1e-6);
    let origin = DVec3::ZERO;
    let rest = DMat4::from_cols(
        columns[0].extend(0.0),
        columns[1].extend(0.0),
        columns[2].extend(0.0),
        origin.extend(1.0),
    );
    (rest.is_finite() && !is_flat).then_some((local, rest))
}

/// Adds a mesh to a scene and, with the attributes of another one, to its file. Returns its number.
fn push(
    scene: &mut SceneFile,
    document: &mut Document,
    like: usize,
    mesh: SceneMesh,
) -> Result<usize, Refusal> {
    let number = scene.meshes.len();
    let copy = document.json["meshes"][like].clone();
    let meshes = document.json["meshes"].as_array_mut();
    let meshes = meshes.filter(|meshes| meshes.len() == number);
    let meshes = meshes.ok_or_else(|| refusal!("the file does not list its meshes"))?;
    meshes.push(copy);
    scene.meshes.push(mesh);
    Ok(number)
}

/// Makes a node show a mesh.
fn show(scene: &mut SceneFile, document: &mut Document, node: usize, mesh: usize) {
    if let Some(node) = scene.nodes.get_mut(node) {
        node.mesh = Some(mesh);
    }
    let nodes = document.json["nodes"].as_array_mut();
    let node = nodes.and_then(|nodes| nodes.get_mut(node));
    if let Some(node) = node.and_then(Value::as_object_mut) {
        node.insert("mesh".to_owned(), json!(mesh));
    }
}
