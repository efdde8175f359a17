//! Restored meshes: the vertices of the original, with the edited values.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::Pair;
use super::builder::Builder;
use super::noise::{Change, Noise};
use super::normals::without_mean;
use super::shapes::{TrianglePairs, pair_triangles};
use super::skin::{Skin, Weights};
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::difference::{CornerChange, Tolerance, corner_change};
use crate::pack::scene::compare::pairing::{Triangle, Twin};
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::{Document, SceneMesh, ScenePrimitive};

/// Pair of meshes, and what is known of their surfaces.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshPair<'f> {
    pub pair: Pair<'f>,
    pub base: usize,
    pub edited: usize,
    pub skin: Option<&'f Skin>,
    /// For each material of the edited file its index in the restored file.
    pub materials: &'f [usize],
}

/// Change at a corner.
#[derive(Debug, Clone, Default, PartialEq)]
struct Changed {
    values: CornerChange,
    weights: Option<Weights>,
}

impl Changed {
    fn is_any(&self) -> bool {
        self.values.is_any() || self.weights.is_some()
    }

    /// Value that is equal for equal changes.
    fn key(&self) -> Vec<u32> {
        let mut key = Vec::new();
        let mut put = |values: Option<&[f32]>| match values {
            Some(values) => key.extend(values.iter().map(|it| (it + 0.0).to_bits())),
            None => key.push(u32::MAX),
        };
        put(self.values.position.as_ref().map(|it| &it[..]));
        put(self.values.normal.as_ref().map(|it| &it[..]));
        put(self.values.color.as_ref().map(|it| &it[..]));
        for uv in &self.values.uvs {
            put(uv.as_ref().map(|it| &it[..]));
        }
        for (joint, weight) in self.weights.iter().flatten() {
            put(Some(&[*joint as f32, *weight]));
        }
        key
    }
}

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
        let material = material.map(|it| meshes.materials.get(it).copied().unwrap_or(it));
        // Some programs give a material to primitives without one.
        material == old.primitives[from].material
            || (old.primitives[from].material.is_none() && pair.exporter.drops_extras)
            || pair.edited_scene.materials.is_empty()
    };
    let triangles = pair_triangles(old, new, pair.exporter, &fits);
    noise.add(Change::Face, triangles.left_out.len());
    let changes = changes(meshes, old, new, &triangles, &weights, noise);
    let has_other_triangles = !triangles.removed.is_empty() || !triangles.added.is_empty();
    if !has_other_triangles && !changes.iter().flatten().any(Changed::is_any) {
        return Ok(None);
    }
    let mut mesh = items(&pair.base.json, "meshes")
        .get(meshes.base)
        .cloned()
        .unwrap_or_default();
    let removed: HashSet<Triangle> = triangles.removed.iter().copied().collect();
    let mut parts = Vec::new();
    for (number, part) in items(&mesh, "primitives").iter().enumerate() {
        let added: Vec<Triangle> = triangles
            .added
            .iter()
            .copied()
            .filter(|added| {
                let first = (0..old.primitives.len()).find(|&from| fits(from, added.primitive));
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
    let unmatched = triangles
        .added
        .iter()
        .filter(|added| !(0..old.primitives.len()).any(|from| fits(from, added.primitive)));
    let mut others: BTreeMap<usize, Vec<Triangle>> = BTreeMap::new();
    for triangle in unmatched {
        others
            .entry(triangle.primitive)
            .or_default()
            .push(*triangle);
    }
    for (number, triangles) in others {
        parts.push(new_primitive(
            new,
            number,
            &triangles,
            meshes.materials,
            &weights,
            builder,
        ));
    }
    if let Some(mesh) = mesh.as_object_mut() {
        mesh.insert("primitives".to_owned(), parts.into());
    }
    Ok(Some(mesh))
}

/// A mesh that the original does not have.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn new_mesh(
    pair: Pair<'_>,
    edited: usize,
    materials: &[usize],
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

/// Bones and weights of the corners of both meshes, with the joints of the original skin.
#[derive(Debug, Default)]
struct SideWeights {
    base: Vec<Vec<Weights>>,
    edited: Vec<Vec<Weights>>,
}

impl SideWeights {
    fn new(meshes: MeshPair<'_>) -> Result<Self, Refusal> {
        let Some(skin) = meshes.skin else {
            return Ok(Self::default());
        };
        let pair = meshes.pair;
        let base = &pair.base_scene.meshes[meshes.base];
        let edited = &pair.edited_scene.meshes[meshes.edited];
        Ok(Self {
            base: weights(pair.base, meshes.base, base, Some)?,
            edited: weights(pair.edited, meshes.edited, edited, |joint| {
                skin.joints.get(joint).copied()
            })?,
        })
    }

    /// The edited mesh with the vertices where the original has them.
    fn to_base(&self, meshes: MeshPair<'_>, skin: &Skin) -> SceneMesh {
        let mut mesh = meshes.pair.edited_scene.meshes[meshes.edited].clone();
        for (part, weights) in mesh.primitives.iter_mut().zip(&self.edited) {
            let normals = &mut part.normals;
            for (corner, (position, weights)) in part.positions.iter_mut().zip(weights).enumerate()
            {
                skin.to_base(weights, position, normals.get_mut(corner));
            }
        }
        mesh
    }

    /// The edited weights of a corner, if they differ.
    fn change(&self, from: (usize, usize), to: (usize, usize)) -> Option<Weights> {
        let old = self.base.get(from.0)?.get(from.1)?;
        // Programs may leave out the weights.
        let new = self.edited.get(to.0)?.get(to.1)?;
        if new.is_empty() {
            return None;
        }
        let weight = |all: &Weights, joint: usize| -> f32 {
            let own = all.iter().filter(|(it, _)| *it == joint);
            own.map(|(_, weight)| weight).sum()
        };
        let mut joints = old.iter().chain(new).map(|(joint, _)| *joint);
        let differs = joints.any(|joint| (weight(old, joint) - weight(new, joint)).abs() > 0.004);
        differs.then(|| new.clone())
    }
}

/// Bones and weights of the corners of a mesh.
fn weights(
    document: &Document,
    mesh: usize,
    scene: &SceneMesh,
    joint: impl Fn(usize) -> Option<usize>,
) -> Result<Vec<Vec<Weights>>, Refusal> {
    let parts = items(&document.json["meshes"][mesh], "primitives");
    let mut all = Vec::with_capacity(parts.len());
    for (part, primitive) in parts.iter().zip(&scene.primitives) {
        let rows = |name: &str| match part["attributes"].get(name).and_then(index) {
            Some(accessor) => document.rows::<4>(accessor),
            None => Ok(Vec::new()),
        };
        let (joints, weights) = (rows("JOINTS_0")?, rows("WEIGHTS_0")?);
        let of = |vertex: &usize| -> Weights {
            let (Some(joints), Some(weights)) = (joints.get(*vertex), weights.get(*vertex)) else {
                return Weights::new();
            };
            let pairs = joints
                .iter()
                .zip(weights)
                .filter(|(_, weight)| **weight > 0.0);
            pairs
                .filter_map(|(it, weight)| Some((joint(*it as usize)?, *weight as f32)))
                .collect()
        };
        all.push(primitive.vertices.iter().map(of).collect());
    }
    Ok(all)
}

/// Changes at the corners of the original mesh, without noise.
fn changes(
    meshes: MeshPair<'_>,
    old: &SceneMesh,
    new: &SceneMesh,
    triangles: &TrianglePairs,
    weights: &SideWeights,
    noise: &mut Noise,
) -> Vec<Vec<Changed>> {
    let exporter = meshes.pair.exporter;
    let tolerance = Tolerance {
        place: exporter.translation,
        position: exporter.position,
        turn: exporter.rotation,
        uv: exporter.uv,
        normal: exporter.normal,
        color: exporter.color,
    };
    let mut all = Vec::with_capacity(old.primitives.len());
    let mut remade = 0;
    for (primitive, part) in old.primitives.iter().enumerate() {
        let mut changes = vec![Changed::default(); part.positions.len()];
        let mut unstable: Option<Vec<bool>> = None;
        for first in (0..part.positions.len().saturating_sub(2)).step_by(3) {
            let triangle = Triangle { primitive, first };
            let Some(Twin { triangle: to, turn }) = triangles.edited.get(&triangle).copied() else {
                continue;
            };
            let Some(other) = new.primitives.get(to.primitive) else {
                continue;
            };
            for step in 0..3 {
                let (from, at) = (first + step, to.first + (step + turn) % 3);
                let mut values = corner_change(part.corner(from), other.corner(at), tolerance);
                if values.normal.is_some() {
                    let unstable = unstable.get_or_insert_with(|| without_mean(part));
                    let vertex = part.vertices.get(from).copied().unwrap_or_default();
                    if unstable.get(vertex) == Some(&true) {
                        values.normal = None;
                        remade += 1;
                    }
                }
                let weights = weights.change((primitive, from), (to.primitive, at));
                changes[from] = Changed { values, weights };
            }
        }
        remade += rejoin(part, primitive, triangles, &mut changes);
        follow(part, primitive, triangles, &mut changes);
        all.push(changes);
    }
    noise.add(Change::Normal, remade);
    all
}

/// Gives all corners of a vertex one normal where faces around it were moved: Blender turns the normal of each corner
/// with its face, so that one vertex becomes several. Returns the number of corners with another normal than the edit.
fn rejoin(
    part: &ScenePrimitive,
    primitive: usize,
    triangles: &TrianglePairs,
    changes: &mut [Changed],
) -> usize {
    let is_moved = |corner: usize| {
        let first = corner - corner % 3;
        !triangles.unmoved.contains(&Triangle { primitive, first })
    };
    let mut sums: HashMap<usize, DVec3> = HashMap::new();
    for (corner, (&vertex, change)) in part.vertices.iter().zip(changes.iter()).enumerate() {
        if change.values.normal.is_some() && is_moved(corner) {
            sums.entry(vertex).or_default();
        }
    }
    for (corner, (vertex, change)) in part.vertices.iter().zip(changes.iter()).enumerate() {
        let own = change.values.normal.or(part.normals.get(corner).copied());
        if let (Some(sum), Some(own)) = (sums.get_mut(vertex), own) {
            *sum += DVec3::from_array(own.map(f64::from));
        }
    }
    let mut count = 0;
    for (vertex, change) in part.vertices.iter().zip(changes) {
        let mean = sums.get(vertex).and_then(|sum| sum.try_normalize());
        if let Some(mean) = mean.map(|mean| mean.as_vec3().to_array()) {
            let was = change.values.normal.replace(mean);
            count += usize::from(was.is_none_or(|was| !is_near(&was, &mean, 0.02)));
        }
    }
    count
}

/// Gives the corners of triangles that the program left out the changes of their vertices.
fn follow(
    part: &ScenePrimitive,
    primitive: usize,
    triangles: &TrianglePairs,
    changes: &mut [Changed],
) {
    let own = triangles
        .left_out
        .iter()
        .filter(|it| it.primitive == primitive);
    let corners: HashSet<usize> = own.flat_map(|it| it.first..it.first + 3).collect();
    if corners.is_empty() {
        return;
    }
    let mut known: HashMap<usize, Changed> = HashMap::new();
    for (corner, (&vertex, change)) in part.vertices.iter().zip(changes.iter()).enumerate() {
        if !corners.contains(&corner) {
            known
                .entry(vertex)
                .and_modify(|known| {
                    if !change.is_any() {
                        *known = Changed::default();
                    }
                })
                .or_insert_with(|| change.clone());
        }
    }
    for corner in corners {
        let change = part
            .vertices
            .get(corner)
            .and_then(|vertex| known.get(vertex));
        if let (Some(to), Some(change)) = (changes.get_mut(corner), change) {
            *to = change.clone();
        }
    }
}

/// An original primitive with its edited values.
struct Drawn<'m> {
    old: &'m SceneMesh,
    new: &'m SceneMesh,
    number: usize,
    changes: &'m [Changed],
    removed: &'m HashSet<Triangle>,
    added: &'m [Triangle],
    weights: &'m SideWeights,
}

/// A list of numbers of the vertices, four a vertex at most.
#[derive(Debug)]
struct Attribute {
    rows: Vec<[f32; 4]>,
    width: usize,
    is_changed: bool,
}

impl Drawn<'_> {
    /// The primitive; `None` if no triangle is left.
    fn primitive(
        &self,
        base: &Document,
        json: &Value,
        builder: &mut Builder,
    ) -> Result<Option<Value>, Refusal> {
        let part = &self.old.primitives[self.number];
        let is_removed = |first: usize| {
            let triangle = Triangle {
                primitive: self.number,
                first,
            };
            self.removed.contains(&triangle)
        };
        let is_edited = self.changes.iter().any(Changed::is_any);
        let has_removed = self.removed.iter().any(|it| it.primitive == self.number);
        if !is_edited && !has_removed && self.added.is_empty() {
            return Ok(Some(json.clone()));
        }
        let mut attributes = attributes(base, json)?;
        let mut slots = Slots::new(part, self.changes);
        let mut indices = Vec::with_capacity(part.vertices.len());
        for (corner, &vertex) in part.vertices.iter().enumerate() {
            if part.is_triangles && has_removed && is_removed(corner - corner % 3) {
                continue;
            }
            let slot = slots.of(vertex, &self.changes[corner], &mut attributes);
            indices.push(u32::try_from(slot).unwrap_or(u32::MAX));
        }
        self.append(&mut attributes, &mut indices);
        if indices.is_empty() {
            return Ok(None);
        }
        let mut json = json.clone();
        let is_longer = slots.has_new() || !self.added.is_empty();
        let mut written = Map::new();
        for (name, attribute) in &attributes {
            let original = json["attributes"]
                .get(name)
                .filter(|_| !is_longer && !attribute.is_changed);
            let accessor = match original {
                Some(accessor) => accessor.clone(),
                None => attribute.write(name, builder).into(),
            };
            written.insert(name.clone(), accessor);
        }
        let order = json["attributes"].as_object().cloned().unwrap_or_default();
        let mut sorted: Map<String, Value> = order
            .keys()
            .filter_map(|name| Some((name.clone(), written.remove(name)?)))
            .collect();
        sorted.extend(written);
        json["attributes"] = sorted.into();
        if is_longer || has_removed {
            json["indices"] = builder.indices(&indices).into();
        }
        Ok(Some(json))
    }

    /// Appends the vertices of added triangles.
    fn append(&self, attributes: &mut BTreeMap<String, Attribute>, indices: &mut Vec<u32>) {
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        for triangle in self.added {
            let part = &self.new.primitives[triangle.primitive];
            for corner in triangle.first..triangle.first + 3 {
                let row = corner_values(part, corner);
                let weights = self.weights.edited.get(triangle.primitive);
                let weights = weights.and_then(|it| it.get(corner));
                let row = row.chain(weights.into_iter().flat_map(weight_rows));
                let row: BTreeMap<String, [f32; 4]> = row.collect();
                let key = row.values().flatten().map(|it| it.to_bits()).collect();
                let next = attributes.get("POSITION").map_or(0, |it| it.rows.len());
                let slot = *known.entry(key).or_insert_with(|| {
                    for (name, attribute) in attributes.iter_mut() {
                        let default = default_of(name);
                        attribute
                            .rows
                            .push(row.get(name).copied().unwrap_or(default));
                    }
                    u32::try_from(next).unwrap_or(u32::MAX)
                });
                indices.push(slot);
            }
        }
    }
}

/// Value of a vertex that has none.
fn default_of(attribute: &str) -> [f32; 4] {
    match attribute {
        "COLOR_0" => [1.0; 4],
        "WEIGHTS_0" => [1.0, 0.0, 0.0, 0.0],
        _ => [0.0; 4],
    }
}

/// Joints and weights as rows.
fn weight_rows(weights: &Weights) -> [(String, [f32; 4]); 2] {
    let (mut joints, mut rows) = ([0.0; 4], [0.0; 4]);
    for (at, (joint, weight)) in weights.iter().take(4).enumerate() {
        joints[at] = *joint as f32;
        rows[at] = *weight;
    }
    [
        ("JOINTS_0".to_owned(), joints),
        ("WEIGHTS_0".to_owned(), rows),
    ]
}

/// The values of a corner by attribute.
fn corner_values(part: &ScenePrimitive, corner: usize) -> impl Iterator<Item = (String, [f32; 4])> {
    let three = |row: Option<&[f32; 3]>, last: f32| row.map(|&[x, y, z]| [x, y, z, last]);
    let plain = [
        ("POSITION", three(part.positions.get(corner), 0.0)),
        ("NORMAL", three(part.normals.get(corner), 0.0)),
        ("COLOR_0", three(part.colors.get(corner), 1.0)),
    ];
    let sets = part.uvs.iter().enumerate().map(move |(set, rows)| {
        let row = rows.get(corner).map(|&[u, v]| [u, v, 0.0, 0.0]);
        (format!("TEXCOORD_{set}"), row)
    });
    let plain = plain.into_iter().map(|(name, row)| (name.to_owned(), row));
    plain
        .chain(sets)
        .filter_map(|(name, row)| Some((name, row?)))
}

/// The attributes of an original primitive.
fn attributes(base: &Document, json: &Value) -> Result<BTreeMap<String, Attribute>, Refusal> {
    fn wide<const N: usize>(rows: Vec<[f64; N]>) -> Vec<[f32; 4]> {
        let wide = |row: [f64; N]| {
            let mut all = [0.0; 4];
            for (to, from) in all.iter_mut().zip(row) {
                *to = from as f32;
            }
            all
        };
        rows.into_iter().map(wide).collect()
    }
    let mut all = BTreeMap::new();
    for (name, accessor) in json["attributes"].as_object().into_iter().flatten() {
        let Some(accessor) = index(accessor) else {
            continue;
        };
        let (rows, width) = match base.json["accessors"][accessor]["type"].as_str() {
            Some("SCALAR") => (wide(base.rows::<1>(accessor)?), 1),
            Some("VEC2") => (wide(base.rows::<2>(accessor)?), 2),
            Some("VEC3") => (wide(base.rows::<3>(accessor)?), 3),
            _ => (wide(base.rows::<4>(accessor)?), 4),
        };
        let is_changed = false;
        all.insert(
            name.clone(),
            Attribute {
                rows,
                width,
                is_changed,
            },
        );
    }
    Ok(all)
}

impl Attribute {
    fn write(&self, name: &str, builder: &mut Builder) -> usize {
        fn narrow<const N: usize>(rows: &[[f32; 4]]) -> Vec<[f32; N]> {
            let narrow = |row: &[f32; 4]| {
                let mut all = [0.0; N];
                for (to, from) in all.iter_mut().zip(row) {
                    *to = *from;
                }
                all
            };
            rows.iter().map(narrow).collect()
        }
        if name.starts_with("JOINTS_") {
            let rows: Vec<[u16; 4]> = self
                .rows
                .iter()
                .map(|row| row.map(|it| it as u16))
                .collect();
            return builder.shorts(&rows);
        }
        match self.width {
            1 => builder.rows::<1>(&narrow(&self.rows)),
            2 => builder.rows::<2>(&narrow(&self.rows)),
            3 => builder.rows::<3>(&narrow(&self.rows)),
            _ => builder.rows::<4>(&narrow(&self.rows)),
        }
    }
}

/// Places of the vertices of a primitive: the own place for unchanged ones, or for the first change; new places for
/// others.
struct Slots {
    /// For each vertex true if a corner uses it unchanged.
    is_used: Vec<bool>,
    places: HashMap<(usize, Vec<u32>), usize>,
    has_new: bool,
}

impl Slots {
    fn new(part: &ScenePrimitive, changes: &[Changed]) -> Self {
        let count = part.vertices.iter().max().map_or(0, |most| most + 1);
        let mut is_used = vec![false; count];
        for (&vertex, change) in part.vertices.iter().zip(changes) {
            is_used[vertex] |= !change.is_any();
        }
        Self {
            is_used,
            places: HashMap::new(),
            has_new: false,
        }
    }

    fn has_new(&self) -> bool {
        self.has_new
    }

    /// The place of a vertex with a change; changes the attributes.
    fn of(
        &mut self,
        vertex: usize,
        change: &Changed,
        attributes: &mut BTreeMap<String, Attribute>,
    ) -> usize {
        if !change.is_any() {
            return vertex;
        }
        let key = (vertex, change.key());
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let is_free = !std::mem::replace(&mut self.is_used[vertex], true);
        let count = attributes.get("POSITION").map_or(0, |it| it.rows.len());
        let place = if is_free { vertex } else { count };
        if !is_free {
            self.has_new = true;
            for attribute in attributes.values_mut() {
                let row = attribute.rows.get(vertex).copied().unwrap_or_default();
                attribute.rows.push(row);
            }
        }
        let three = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        let values = &change.values;
        put(attributes, "POSITION", place, 3, values.position.map(three));
        put(attributes, "NORMAL", place, 3, values.normal.map(three));
        put(attributes, "COLOR_0", place, 3, values.color.map(three));
        for (set, uv) in values.uvs.iter().enumerate() {
            let row = uv.map(|[u, v]| [u, v, 0.0, 0.0]);
            put(attributes, &format!("TEXCOORD_{set}"), place, 2, row);
        }
        if let Some(weights) = &change.weights {
            for (name, row) in weight_rows(weights) {
                put(attributes, &name, place, 4, Some(row));
            }
        }
        self.places.insert(key, place);
        place
    }
}

/// Sets the first numbers of a row.
fn put(
    attributes: &mut BTreeMap<String, Attribute>,
    name: &str,
    place: usize,
    width: usize,
    row: Option<[f32; 4]>,
) {
    let Some(row) = row else { return };
    let count = attributes.get("POSITION").map_or(0, |it| it.rows.len());
    let attribute = attributes
        .entry(name.to_owned())
        .or_insert_with(|| Attribute {
            rows: vec![default_of(name); count],
            width,
            is_changed: true,
        });
    attribute.is_changed = true;
    if let Some(to) = attribute.rows.get_mut(place) {
        to[..width].copy_from_slice(&row[..width]);
    }
}

/// A primitive of triangles of the edit alone.
fn new_primitive(
    mesh: &SceneMesh,
    number: usize,
    triangles: &[Triangle],
    materials: &[usize],
    weights: &SideWeights,
    builder: &mut Builder,
) -> Value {
    let part = &mesh.primitives[number];
    let first: BTreeMap<String, [f32; 4]> = corner_values(part, 0).collect();
    let with_weights = weights.edited.get(number).is_some_and(|it| !it.is_empty());
    let weights_names = ["JOINTS_0", "WEIGHTS_0"].map(str::to_owned);
    let names = first
        .into_keys()
        .chain(weights_names.into_iter().filter(|_| with_weights));
    let mut attributes: BTreeMap<String, Attribute> = names
        .map(|name| {
            let width = match &*name {
                "POSITION" | "NORMAL" | "COLOR_0" => 3,
                "JOINTS_0" | "WEIGHTS_0" => 4,
                _ => 2,
            };
            let attribute = Attribute {
                rows: Vec::new(),
                width,
                is_changed: true,
            };
            (name, attribute)
        })
        .collect();
    let mut indices = Vec::new();
    let drawn = Drawn {
        old: mesh,
        new: mesh,
        number,
        changes: &[],
        removed: &HashSet::new(),
        added: triangles,
        weights,
    };
    drawn.append(&mut attributes, &mut indices);
    let written: Map<String, Value> = attributes
        .iter()
        .map(|(name, attribute)| (name.clone(), attribute.write(name, builder).into()))
        .collect();
    let mut json = json!({"attributes": written, "indices": builder.indices(&indices), "mode": 4});
    if let Some(material) = part.material {
        let material = materials.get(material).copied().unwrap_or(material);
        json["material"] = material.into();
    }
    json
}
