//! Vertices of restored primitives: those of the original with the edited values, and new ones.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::builder::Builder;
use super::changes::Changed;
use super::weights::{SideWeights, weight_rows};
use crate::pack::edited::Refusal;
use crate::pack::json::index;
use crate::pack::scene::compare::pairing::Triangle;
use crate::pack::scene::file::{Document, SceneMesh, ScenePrimitive};

/// An original primitive with its edited values.
pub(super) struct Drawn<'m> {
    pub old: &'m SceneMesh,
    pub new: &'m SceneMesh,
    pub number: usize,
    pub changes: &'m [Changed],
    pub removed: &'m HashSet<Triangle>,
    pub added: &'m [Triangle],
    pub weights: &'m SideWeights,
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
    pub(super) fn primitive(
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
pub(super) fn new_primitive(
    mesh: &SceneMesh,
    number: usize,
    triangles: &[Triangle],
    materials: &[Option<usize>],
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
    let material = part.material.and_then(|it| materials.get(it).copied()?);
    if let Some(material) = material {
        json["material"] = material.into();
    }
    json
}
