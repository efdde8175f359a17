//! A glTF file of the same triangles, with no hierarchy: one mesh for each material, one buffer view for each
//! attribute. Its import time is that of the triangles themselves.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast::emit::gltf::Accessor;
use serde_json::{Map, Value, json};

use crate::Outcome;

/// Rows of a matrix, its translation last.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// Parts of a file that go over as they are.
const KEPT: [&str; 5] = ["asset", "materials", "textures", "samplers", "images"];

/// Triangles of one material.
#[derive(Debug, Default)]
struct Batch {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colors: Vec<[u16; 4]>,
    indices: Vec<u32>,
}

/// Writes the triangles of the first scene of `from` as `to`, with its buffer next to it; returns their number.
///
/// # Errors
/// A file cannot be read or written, or `from` is none that this project writes.
pub fn write(from: &Path, to: &Path) -> Outcome<usize> {
    let document: Value = serde_json::from_slice(&fs::read(from)?)?;
    let uri = document["buffers"][0]["uri"].as_str();
    let uri = uri.ok_or("the file has no external buffer")?;
    let buffer = fs::read(from.with_file_name(uri.replace("%20", " ")))?;
    let buffers = [buffer];
    let gltf = Gltf { document, buffers };
    let mut batches: BTreeMap<Option<u64>, Batch> = BTreeMap::new();
    let number = gltf.document["scene"].as_u64().unwrap_or_default();
    let roots = &gltf.document["scenes"][number as usize]["nodes"];
    let mut open: Vec<(u64, Matrix)> = numbers(roots).map(|root| (root, IDENTITY)).collect();
    while let Some((node, above)) = open.pop() {
        let node = &gltf.document["nodes"][node as usize];
        let place = product(&above, &local(node));
        open.extend(numbers(&node["children"]).map(|child| (child, place)));
        let Some(mesh) = node["mesh"].as_u64() else {
            continue;
        };
        let primitives = gltf.document["meshes"][mesh as usize]["primitives"].as_array();
        for primitive in primitives.into_iter().flatten() {
            if primitive["mode"].as_u64().unwrap_or(4) == 4 {
                let batch = batches.entry(primitive["material"].as_u64()).or_default();
                batch.take(&gltf, primitive, &place)?;
            }
        }
    }
    let triangles = batches.values().map(|batch| batch.indices.len() / 3).sum();
    let name = to.with_extension("bin");
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let (written, bin) = assemble(&gltf.document, &batches, &name);
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(to, serde_json::to_vec(&written)?)?;
    fs::write(to.with_extension("bin"), bin)?;
    Ok(triangles)
}

struct Gltf {
    document: Value,
    buffers: [Vec<u8>; 1],
}

impl Gltf {
    /// The rows of an accessor, `N` numbers each; normalized integers as the fractions that they stand for.
    fn rows<const N: usize>(&self, accessor: &Value) -> Outcome<Vec<[f64; N]>> {
        let number = accessor.as_u64().ok_or("an accessor is missing")?;
        let accessor = Accessor::open(&self.document, &self.buffers, number as usize)?;
        Ok(accessor.rows()?)
    }
}

fn numbers(list: &Value) -> impl Iterator<Item = u64> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_u64)
}

fn floats<const N: usize>(list: &Value, otherwise: [f64; N]) -> [f64; N] {
    let read = |(lane, other): (usize, f64)| list[lane].as_f64().unwrap_or(other);
    let mut values = otherwise;
    for (lane, value) in values.iter_mut().enumerate() {
        *value = read((lane, *value));
    }
    values
}

/// The matrix of a node: rows are images of the axes, and its place.
fn local(node: &Value) -> Matrix {
    if node["matrix"].is_array() {
        let values = floats(&node["matrix"], [0.0; 16]);
        return std::array::from_fn(|row| std::array::from_fn(|lane| values[row * 4 + lane]));
    }
    let [x, y, z, w] = floats(&node["rotation"], [0.0, 0.0, 0.0, 1.0]);
    let [sx, sy, sz] = floats(&node["scale"], [1.0; 3]);
    let [tx, ty, tz] = floats(&node["translation"], [0.0; 3]);
    [
        [
            sx * (1.0 - 2.0 * (y * y + z * z)),
            sx * 2.0 * (x * y + z * w),
            sx * 2.0 * (x * z - y * w),
            0.0,
        ],
        [
            sy * 2.0 * (x * y - z * w),
            sy * (1.0 - 2.0 * (x * x + z * z)),
            sy * 2.0 * (y * z + x * w),
            0.0,
        ],
        [
            sz * 2.0 * (x * z + y * w),
            sz * 2.0 * (y * z - x * w),
            sz * (1.0 - 2.0 * (x * x + y * y)),
            0.0,
        ],
        [tx, ty, tz, 1.0],
    ]
}

/// Product that applies `inner` first, then `outer`.
fn product(outer: &Matrix, inner: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|lane| (0..4).map(|at| inner[row][at] * outer[at][lane]).sum())
    })
}

/// A point (with `w` 1) or a direction (with 0) where the matrix puts it.
fn moved([x, y, z]: [f64; 3], w: f64, place: &Matrix) -> [f64; 3] {
    std::array::from_fn(|lane| {
        x * place[0][lane] + y * place[1][lane] + z * place[2][lane] + w * place[3][lane]
    })
}

fn unit(normal: [f64; 3]) -> [f64; 3] {
    let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
    match length > 0.0 {
        true => normal.map(|value| value / length),
        false => [0.0, 1.0, 0.0],
    }
}

impl Batch {
    fn take(&mut self, gltf: &Gltf, primitive: &Value, place: &Matrix) -> Outcome {
        let attributes = &primitive["attributes"];
        let first = self.positions.len() as u32;
        let positions = gltf.rows::<3>(&attributes["POSITION"])?;
        let count = positions.len();
        let small = |row: [f64; 3]| row.map(|value| value as f32);
        self.positions.extend(
            positions
                .into_iter()
                .map(|row| small(moved(row, 1.0, place))),
        );
        match attributes["NORMAL"].is_null() {
            true => self.normals.resize(self.positions.len(), [0.0, 1.0, 0.0]),
            false => {
                let rows = gltf.rows::<3>(&attributes["NORMAL"])?.into_iter();
                self.normals
                    .extend(rows.map(|row| small(unit(moved(row, 0.0, place)))));
            }
        }
        match attributes["TEXCOORD_0"].is_null() {
            true => self.uvs.resize(self.positions.len(), [0.0; 2]),
            false => {
                let rows = gltf.rows::<2>(&attributes["TEXCOORD_0"])?.into_iter();
                self.uvs
                    .extend(rows.map(|row| row.map(|value| value as f32)));
            }
        }
        match attributes["COLOR_0"].is_null() {
            true => self.colors.resize(self.positions.len(), [u16::MAX; 4]),
            false => {
                let rows = gltf.rows::<4>(&attributes["COLOR_0"])?.into_iter();
                let short = |value: f64| (value * 65535.0).round() as u16;
                self.colors.extend(rows.map(|row| row.map(short)));
            }
        }
        match primitive["indices"].is_null() {
            true => self.indices.extend(first..first + count as u32),
            false => {
                let rows = gltf.rows::<1>(&primitive["indices"])?.into_iter();
                self.indices
                    .extend(rows.map(|[index]| first + index as u32));
            }
        }
        Ok(())
    }
}

/// Accessors and their data while the file is assembled.
#[derive(Default)]
struct Buffer {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds the data of an accessor; returns the accessor's index.
    fn add(&mut self, bytes: Vec<u8>, mut accessor: Value, target: u32) -> usize {
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len(), "target": target,
        }));
        self.bin.extend(bytes);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds the vertices and indices of a batch; returns its primitive, without a material.
    fn add_batch(&mut self, batch: &Batch) -> Value {
        let count = batch.positions.len();
        let fold = |start: f32, pick: fn(f32, f32) -> f32| -> [f32; 3] {
            let rows = batch.positions.iter();
            rows.fold([start; 3], |so_far, row| {
                std::array::from_fn(|lane| pick(so_far[lane], row[lane]))
            })
        };
        let float = |kind: &str| json!({"componentType": 5126, "count": count, "type": kind});
        let mut place = float("VEC3");
        place["min"] = json!(fold(f32::INFINITY, f32::min));
        place["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
        let positions = self.add(bytes_of(batch.positions.as_flattened()), place, 34962);
        let normals = self.add(bytes_of(batch.normals.as_flattened()), float("VEC3"), 34962);
        let uvs = self.add(bytes_of(batch.uvs.as_flattened()), float("VEC2"), 34962);
        let color = json!({
            "componentType": 5123, "count": count, "type": "VEC4", "normalized": true,
        });
        let shorts = batch.colors.as_flattened().iter();
        let shorts = shorts.flat_map(|value| value.to_le_bytes()).collect();
        let colors = self.add(shorts, color, 34962);
        let index = json!({
            "componentType": 5125, "count": batch.indices.len(), "type": "SCALAR",
        });
        let words = batch.indices.iter();
        let words = words.flat_map(|value| value.to_le_bytes()).collect();
        let indices = self.add(words, index, 34963);
        json!({
            "attributes": {
                "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs, "COLOR_0": colors,
            },
            "indices": indices,
        })
    }
}

/// The file and its buffer.
fn assemble(from: &Value, batches: &BTreeMap<Option<u64>, Batch>, name: &str) -> (Value, Vec<u8>) {
    let mut buffer = Buffer::default();
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    for (number, (material, batch)) in batches.iter().enumerate() {
        let mut primitive = buffer.add_batch(batch);
        if let Some(material) = material {
            primitive["material"] = json!(material);
        }
        meshes.push(json!({"name": format!("batch{number}"), "primitives": [primitive]}));
        nodes.push(json!({"name": format!("batch{number}"), "mesh": number}));
    }
    let mut written = Map::new();
    for part in KEPT {
        if !from[part].is_null() {
            written.insert(part.to_owned(), from[part].clone());
        }
    }
    let used = from["extensionsUsed"].as_array().into_iter().flatten();
    let of_materials = |name: &&Value| {
        let name = name.as_str().unwrap_or_default();
        name == "KHR_texture_transform"
            || name.starts_with("KHR_materials_") && name != "KHR_materials_variants"
    };
    let used: Vec<&Value> = used.filter(of_materials).collect();
    if !used.is_empty() {
        written.insert("extensionsUsed".to_owned(), json!(used));
    }
    written.insert("scene".to_owned(), json!(0));
    let roots: Vec<usize> = (0..nodes.len()).collect();
    written.insert("scenes".to_owned(), json!([{"nodes": roots}]));
    written.insert("nodes".to_owned(), json!(nodes));
    written.insert("meshes".to_owned(), json!(meshes));
    written.insert("accessors".to_owned(), json!(buffer.accessors));
    written.insert("bufferViews".to_owned(), json!(buffer.views));
    written.insert(
        "buffers".to_owned(),
        json!([{"byteLength": buffer.bin.len(), "uri": name}]),
    );
    (Value::Object(written), buffer.bin)
}

fn bytes_of(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle that two nodes show, one of them moved and turned by its parent.
    #[test]
    fn triangles_are_where_their_nodes_put_them() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("a.gltf");
        let corners: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        fs::write(folder.path().join("a.bin"), bytes_of(&corners)).unwrap();
        let half = 0.5_f64.sqrt();
        let document = json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [
                {"mesh": 0},
                {"translation": [10, 0, 0], "rotation": [0, 0, half, half], "children": [2]},
                {"mesh": 0, "scale": [2, 2, 2]},
            ],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36, "byteStride": 12}],
            "buffers": [{"byteLength": 36, "uri": "a.bin"}],
        });
        fs::write(&from, document.to_string()).unwrap();
        let to = folder.path().join("b.gltf");
        assert_eq!(write(&from, &to).unwrap(), 2);
        let gltf = Gltf {
            document: serde_json::from_slice(&fs::read(&to).unwrap()).unwrap(),
            buffers: [fs::read(folder.path().join("b.bin")).unwrap()],
        };
        let mut rows = gltf.rows::<3>(&json!(0)).unwrap();
        let rounded = |row: [f64; 3]| row.map(|value| (value * 1000.0).round() / 1000.0 + 0.0);
        rows.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let rows: Vec<[f64; 3]> = rows.into_iter().map(rounded).collect();
        let expected = [
            [0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 0.0, 0.0],
            [8.0, 0.0, 0.0],
            [10.0, 0.0, 0.0],
            [10.0, 2.0, 0.0],
        ];
        assert_eq!(rows, expected);
    }
}
