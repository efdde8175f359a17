//! Restored meshes: the vertices of the original, with the edited values.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use super::builder::Builder;
use super::changes::{Changed, changes};
use super::mesh_pair::MeshPair;
use super::noise::{Change, Noise};
use super::pair::Pair;
use super::shapes::pair_triangles;
use super::turned::take_original;
use super::vertices::{Drawn, new_primitive};
use super::weights::SideWeights;
use crate::pack::edited::Refusal;
use crate::pack::json::items;
use crate::pack::scene::compare::pairing::Triangle;
use crate::pack::scene::file::{Document, SceneMesh};

/// The restored mesh of a pair. `None`: that of the original.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn restore_mesh(
    meshes: MeshPair<'_>,
    builder: &mut Builder,
    noise: &mut Noise,
) -> Result<Option<Value>, Refusal> {
    let pair = meshes.pair;
    let old = &pair.base_scene.meshes[meshes.base];
    let weights = SideWeights::new(meshes)?;
    let moved = meshes.skin.map(|skin| weights.to_base(meshes, skin));
    let new = moved
        .as_ref()
        .unwrap_or(&pair.edited_scene.meshes[meshes.edited]);
    let fits = |from: usize, to: usize| {
        let material = new.primitives[to].material;
        let material = material.and_then(|it| meshes.materials.get(it).copied().flatten());
        material == old.primitives[from].material
            || (old.primitives[from].material.is_none() && pair.exporter.adds_materials)
            || pair.edited_scene.materials.is_empty()
    };
    let tolerance = pair.exporter.tolerance(old, meshes.skin.is_some());
    let triangles = pair_triangles(old, new, pair.exporter, tolerance, &fits);
    noise.add(Change::Face, triangles.left_out.len());
    name_unstored(meshes, old, new, noise);
    let recovered = Some(&triangles.recovered).filter(|all| !all.is_empty());
    let recovered = recovered.map(|pairs| {
        let mut new = new.clone();
        let remakes_normals = pair.exporter.remakes_normals;
        take_original(old, &mut new, pairs, tolerance, remakes_normals);
        new
    });
    let new = recovered.as_ref().unwrap_or(new);
    let changes = changes(meshes, old, new, (&triangles, tolerance), &weights, noise);
    let has_other_triangles = !triangles.removed.is_empty() || !triangles.added.is_empty();
    if !has_other_triangles && !changes.iter().flatten().any(Changed::is_any) {
        return Ok(None);
    }
    let mut mesh = items(&pair.base.json, "meshes")
        .get(meshes.base)
        .cloned()
        .unwrap_or_default();
    let takes = |from: usize, to: usize| old.primitives[from].is_triangles && fits(from, to);
    let removed: HashSet<Triangle> = triangles.removed.iter().copied().collect();
    let mut parts = Vec::new();
    for (number, part) in items(&mesh, "primitives").iter().enumerate() {
        let added: Vec<Triangle> = triangles
            .added
            .iter()
            .copied()
            .filter(|added| {
                let first = (0..old.primitives.len()).find(|&from| takes(from, added.primitive));
                first == Some(number)
            })
            .collect();
        let drawn = Drawn {
            old,
            new,
            number,
            changes: &changes[number],
            removed: &removed,
            added: &added,
            weights: &weights,
        };
        if let Some(part) = drawn.primitive(pair.base, part, builder)? {
            parts.push(part);
        }
    }
    let added = triangles.added.iter().copied();
    let unmatched =
        added.filter(|added| !(0..old.primitives.len()).any(|from| takes(from, added.primitive)));
    parts.extend(new_parts(meshes, new, unmatched, &weights, builder));
    if let Some(mesh) = mesh.as_object_mut() {
        mesh.insert("primitives".to_owned(), parts.into());
    }
    Ok(Some(mesh))
}

/// Primitives of added triangles of which no original primitive has the material.
fn new_parts(
    meshes: MeshPair<'_>,
    new: &SceneMesh,
    added: impl Iterator<Item = Triangle>,
    weights: &SideWeights,
    builder: &mut Builder,
) -> Vec<Value> {
    let mut others: BTreeMap<usize, Vec<Triangle>> = BTreeMap::new();
    for triangle in added {
        others.entry(triangle.primitive).or_default().push(triangle);
    }
    let parts = others.into_iter().map(|(number, triangles)| {
        new_primitive(new, number, &triangles, meshes.materials, weights, builder)
    });
    parts.collect()
}

/// Names edits that no mesh of a game stores: other numbers of UV maps, and shape keys.
fn name_unstored(meshes: MeshPair<'_>, old: &SceneMesh, new: &SceneMesh, noise: &mut Noise) {
    let pair = meshes.pair;
    // A program gives all parts of a mesh the maps that one has.
    let count = |mesh: &SceneMesh| mesh.primitives.iter().map(|part| part.uvs.len()).max();
    let (had, has) = (count(old), count(new));
    if had != has {
        let what = if had < has { "an added" } else { "a removed" };
        noise.put_unstored(format!("{what} UV map of mesh {}", old.name));
    }
    let has_targets = |document: &Document, mesh: usize| {
        let parts = items(&document.json["meshes"][mesh], "primitives").iter();
        parts
            .flat_map(|part| items(part, "targets"))
            .next()
            .is_some()
    };
    if has_targets(pair.edited, meshes.edited) && !has_targets(pair.base, meshes.base) {
        noise.put_unstored(format!("shape keys of mesh {}", old.name));
    }
}

/// A mesh that the original does not have.
pub(super) fn new_mesh(
    pair: Pair<'_>,
    edited: usize,
    materials: &[Option<usize>],
    builder: &mut Builder,
) -> Value {
    let mesh = &pair.edited_scene.meshes[edited];
    let weights = SideWeights::default();
    let parts = mesh.primitives.iter().enumerate().map(|(number, part)| {
        let triangles: Vec<Triangle> = (0..part.positions.len() / 3)
            .map(|triangle| Triangle {
                primitive: number,
                first: triangle * 3,
            })
            .collect();
        new_primitive(mesh, number, &triangles, materials, &weights, builder)
    });
    let parts: Vec<Value> = parts.collect();
    json!({"name": mesh.name, "primitives": parts})
}
