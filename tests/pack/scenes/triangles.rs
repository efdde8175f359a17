//! Primitives as lists of corners, to be given other triangles.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::scenes::scene::Scene;

/// Material values of a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    pub at: [f32; 3],
    pub normal: Option<[f32; 3]>,
    pub uv: Option<[f32; 2]>,
    pub color: Option<[f32; 4]>,
}

impl Corner {
    /// Between two corners.
    pub fn between(self, other: Self) -> Self {
        fn half<const N: usize>(one: [f32; N], other: [f32; N]) -> [f32; N] {
            std::array::from_fn(|part| (one[part] + other[part]) / 2.0)
        }
        fn both<const N: usize>(
            one: Option<[f32; N]>,
            other: Option<[f32; N]>,
        ) -> Option<[f32; N]> {
            one.zip(other).map(|(one, other)| half(one, other))
        }
        Self {
            at: half(self.at, other.at),
            normal: self.normal,
            uv: both(self.uv, other.uv),
            color: both(self.color, other.color),
        }
    }
}

/// The corners of a primitive, three for each triangle.
pub fn read(scene: &Scene, mesh: usize, primitive: usize) -> Vec<Corner> {
    let rows = |name: &str| scene.attribute(mesh, primitive, name);
    let positions = scene.floats::<3>(rows("POSITION").unwrap());
    let normals = rows("NORMAL").map(|accessor| scene.floats::<3>(accessor));
    let uvs = rows("TEXCOORD_0").map(|accessor| scene.floats::<2>(accessor));
    let colors = rows("COLOR_0").map(|accessor| scene.shorts(accessor));
    let indices = scene.indices(rows("indices").unwrap());
    let corner = |index: &u32| {
        let at = *index as usize;
        Corner {
            at: positions[at],
            normal: normals.as_ref().map(|rows| rows[at]),
            uv: uvs.as_ref().map(|rows| rows[at]),
            color: colors
                .as_ref()
                .map(|rows| rows[at].map(|part| f32::from(part) / 65535.0)),
        }
    };
    indices.iter().map(corner).collect()
}

/// Gives a primitive other corners, none of them shared.
pub fn write(scene: &mut Scene, mesh: usize, primitive: usize, corners: &[Corner]) {
    let mut attributes = serde_json::Map::new();
    let positions: Vec<_> = corners.iter().map(|corner| corner.at).collect();
    attributes.insert("POSITION".to_owned(), scene.add_floats(&positions).into());
    let normals: Option<Vec<_>> = corners.iter().map(|corner| corner.normal).collect();
    if let Some(rows) = normals {
        attributes.insert("NORMAL".to_owned(), scene.add_floats(&rows).into());
    }
    let uvs: Option<Vec<_>> = corners.iter().map(|corner| corner.uv).collect();
    if let Some(rows) = uvs {
        attributes.insert("TEXCOORD_0".to_owned(), scene.add_floats(&rows).into());
    }
    let colors: Option<Vec<_>> = corners.iter().map(|corner| corner.color).collect();
    if let Some(rows) = colors {
        attributes.insert("COLOR_0".to_owned(), scene.add_floats(&rows).into());
    }
    let count = u32::try_from(corners.len()).unwrap();
    let indices = scene.add_indices(&(0..count).collect::<Vec<_>>());
    let value = &mut scene.json["meshes"][mesh]["primitives"][primitive];
    value["attributes"] = attributes.into();
    value["indices"] = indices.into();
}

/// Number of the model that a mesh comes from, by its name.
fn model(mesh: &Value) -> &str {
    let name = mesh["name"].as_str().unwrap();
    name.split('_').next().unwrap()
}

/// Meshes of objects that are shown, of models that the scene shows in one way only, whose vertices do not morph.
pub fn candidates(scene: &Scene) -> Vec<usize> {
    let meshes = scene.json["meshes"].as_array().unwrap();
    let objects = scene.objects();
    let is_plain = |primitive: &Value| {
        primitive["mode"].as_u64().unwrap_or(4) == 4
            && primitive["targets"].is_null()
            && primitive["material"].is_u64()
            && primitive["extras"]["zipper"]["layer"].is_null()
    };
    let has_texture = |primitive: &Value| {
        let material = primitive["material"].as_u64().unwrap() as usize;
        let material = &scene.json["materials"][material];
        // Colors that are mixed with a tint are not packed when corners change: `pack` refuses them.
        let is_tinted = material["name"].as_str().unwrap().contains("_tint");
        material["extras"]["zipper"]["missingTexture"].is_null() && !is_tinted
    };
    let fits = |&mesh: &usize| {
        let value = &meshes[mesh];
        let shown = objects
            .iter()
            .any(|&node| scene.nodes()[node]["mesh"] == json!(mesh));
        let once = meshes
            .iter()
            .filter(|other| model(other) == model(value))
            .count()
            == 1;
        let mut primitives = value["primitives"].as_array().unwrap().iter();
        shown && once && primitives.all(|it| is_plain(it) && has_texture(it))
    };
    (0..meshes.len()).filter(fits).collect()
}

/// Name of a material without the number that distinguishes it from others of the scene, which counts those
/// that are used.
fn surface(material: &Value) -> String {
    let name = material["name"].as_str().unwrap();
    match name.rsplit_once('_') {
        Some((stem, number)) if number.len() == 1 && number.parse::<u8>().is_ok() => {
            stem.to_owned()
        }
        _ => name.to_owned(),
    }
}

/// A triangle, identified by bits of places and texture coordinates.
pub type WrittenTriangle = (String, [([u32; 3], Option<[u32; 2]>); 3]);

/// The triangles of every mesh, by its name, in no order.
pub fn all(scene: &Scene) -> BTreeMap<String, Vec<WrittenTriangle>> {
    let mut meshes = BTreeMap::new();
    let strewn = scene.strewn_meshes();
    let listed = scene.json["meshes"].as_array().unwrap().iter();
    for (mesh, value) in listed
        .enumerate()
        .filter(|(mesh, _)| !strewn.contains(mesh))
    {
        let mut list = Vec::new();
        for (number, primitive) in value["primitives"].as_array().unwrap().iter().enumerate() {
            if primitive["mode"].as_u64().unwrap_or(4) != 4 {
                continue;
            }
            let material = primitive["material"].as_u64();
            let material = material.map(|it| surface(&scene.json["materials"][it as usize]));
            for triangle in read(scene, mesh, number).as_chunks::<3>().0 {
                let corners = triangle.map(|corner| {
                    (
                        corner.at.map(|part| (part + 0.0).to_bits()),
                        corner.uv.map(|uv| uv.map(|part| (part + 0.0).to_bits())),
                    )
                });
                let [a, b, c] = corners;
                let least = [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap();
                list.push((material.clone().unwrap_or_default(), least));
            }
        }
        list.sort_unstable();
        meshes.insert(value["name"].as_str().unwrap().to_owned(), list);
    }
    meshes
}
