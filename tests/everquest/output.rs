//! Scenes read back with the `gltf` crate, and runs of the program that make them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common;

/// Converts some fixtures (or other archives) and hands over the outputs.
pub fn converted(inputs: &[PathBuf], config: &str, check: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    for path in inputs {
        std::fs::copy(path, input.join(path.file_name().unwrap())).unwrap();
    }
    let out = folder.path().join("out");
    let settings = folder.path().join("settings.toml");
    std::fs::write(&settings, config).unwrap();
    // One fixture breaks a soft rule on purpose.
    let odd = inputs.iter().any(|path| path.ends_with("names_by_crc.s3d"));
    let arguments: &[&str] = if odd { &["-q"] } else { &["-q", "--strict"] };
    let mut command = common::convert(&input, &out, arguments);
    command.arg("--config").arg(&settings).assert().success();
    check(&out);
}

/// Fixtures by name; `None` without the fixtures.
pub fn fixtures(names: &[&str]) -> Vec<PathBuf> {
    let folder = crate::support::fixtures();
    names.iter().map(|name| folder.join(name)).collect()
}

/// A vertex as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv: Option<[f32; 2]>,
    pub color: Option<[u16; 4]>,
}

/// A primitive.
#[derive(Debug, Clone)]
pub struct Part {
    pub material: String,
    pub solid: bool,
    pub vertices: Vec<Vertex>,
    pub triangles: Vec<[usize; 3]>,
}

/// A glTF file with its buffer.
pub struct Loaded {
    pub document: gltf::Document,
    buffer: Vec<u8>,
}

pub fn load(path: &Path) -> Loaded {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    let buffer = file.document.buffers().next();
    let buffer = buffer.map(|buffer| match buffer.source() {
        gltf::buffer::Source::Uri(uri) => std::fs::read(path.with_file_name(uri)).unwrap(),
        gltf::buffer::Source::Bin => file.blob.clone().unwrap(),
    });
    Loaded {
        document: file.document,
        buffer: buffer.unwrap_or_default(),
    }
}

pub fn facts(extras: &gltf::json::Extras) -> Value {
    let raw = extras.as_ref().map_or("{}", |extras| extras.get());
    let value: Value = serde_json::from_str(raw).unwrap();
    value["everquest"].clone()
}

impl Loaded {
    pub fn node(&self, name: &str) -> gltf::Node<'_> {
        let mut nodes = self.document.nodes();
        let found = nodes.find(|node| node.name() == Some(name));
        found.unwrap_or_else(|| panic!("no node {name}"))
    }

    pub fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    pub fn parts(&self, mesh: &gltf::Mesh<'_>) -> Vec<Part> {
        mesh.primitives().map(|part| self.part(&part)).collect()
    }

    fn part(&self, part: &gltf::Primitive<'_>) -> Part {
        let reader = part.reader(|_| Some(&self.buffer));
        let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
        let uvs: Option<Vec<[f32; 2]>> = reader
            .read_tex_coords(0)
            .map(|coord| coord.into_f32().collect());
        let colors: Option<Vec<[u16; 4]>> = reader
            .read_colors(0)
            .map(|color| color.into_rgba_u16().collect());
        let positions = reader.read_positions().unwrap().enumerate();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        Part {
            material: part.material().name().unwrap_or_default().to_owned(),
            solid: facts(part.extras())["solid"] != Value::Bool(false),
            vertices: positions
                .map(|(at, position)| Vertex {
                    position,
                    normal: normals[at],
                    uv: uvs.as_ref().map(|uvs| uvs[at]),
                    color: colors.as_ref().map(|colors| colors[at]),
                })
                .collect(),
            triangles: indices
                .chunks_exact(3)
                .map(|corners| [0, 1, 2].map(|at: usize| corners[at] as usize))
                .collect(),
        }
    }

    /// Values of each channel that moves nodes.
    pub fn movements(&self) -> Vec<Value> {
        let clips = self.document.animations();
        let channels = clips.flat_map(|clip| clip.channels().collect::<Vec<_>>());
        let places = channels.filter_map(|channel| {
            let reader = channel.reader(|_| Some(&self.buffer));
            match reader.read_outputs()? {
                gltf::animation::util::ReadOutputs::Translations(places) => {
                    Some(serde_json::json!(places.collect::<Vec<_>>()))
                }
                _ => None,
            }
        });
        places.collect()
    }

    /// The translations of the bindings of each skin.
    pub fn bindings(&self) -> Vec<Value> {
        let skins = self.document.skins().map(|skin| {
            let reader = skin.reader(|_| Some(&self.buffer));
            let matrices = reader.read_inverse_bind_matrices().unwrap();
            let [x, y, z] = [0, 1, 2];
            let places = matrices.map(|matrix| [matrix[3][x], matrix[3][y], matrix[3][z]]);
            serde_json::json!(places.collect::<Vec<_>>())
        });
        skins.collect()
    }

    /// Displacements of each morph target of a mesh's first primitive.
    pub fn morphs(&self, mesh: &gltf::Mesh<'_>) -> Vec<Vec<[f32; 3]>> {
        let part = mesh.primitives().next().unwrap();
        let reader = part.reader(|_| Some(&self.buffer));
        let targets = reader.read_morph_targets();
        targets
            .map(|(positions, _, _)| positions.unwrap().collect())
            .collect()
    }

    /// Key times and weights of each channel of a clip, by node.
    pub fn weights(&self, clip: &gltf::Animation<'_>) -> BTreeMap<usize, (Vec<f32>, Vec<f32>)> {
        let channels = clip.channels().map(|channel| {
            let reader = channel.reader(|_| Some(&self.buffer));
            let times = reader.read_inputs().unwrap().collect();
            let gltf::animation::util::ReadOutputs::MorphTargetWeights(weights) =
                reader.read_outputs().unwrap()
            else {
                panic!("no weights");
            };
            let weights = weights.into_f32().collect();
            (channel.target().node().index(), (times, weights))
        });
        channels.collect()
    }
}

/// Triangles by material, each as the sum of its corners' positions and texture coordinates, in an
/// order that depends on nothing but values.
pub fn triangles(parts: &[Part]) -> BTreeMap<(String, bool), Vec<[[i64; 5]; 3]>> {
    let mut all: BTreeMap<(String, bool), Vec<[[i64; 5]; 3]>> = BTreeMap::new();
    for part in parts {
        let list = all.entry((part.material.clone(), part.solid)).or_default();
        for triangle in &part.triangles {
            let corners = triangle.map(|corner| {
                let vertex = &part.vertices[corner];
                let [x, y, z] = vertex.position;
                let [u, v] = vertex.uv.unwrap_or_default();
                [x, y, z, u, v].map(key)
            });
            list.push(turned(corners));
        }
    }
    for list in all.values_mut() {
        list.sort_unstable();
    }
    all
}

/// A number in 65536ths: exact for stored values of the formats.
#[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
pub fn key(value: f32) -> i64 {
    (f64::from(value) * 65536.0).round() as i64
}

/// A triangle that starts at its least corner, with its orientation preserved.
pub fn turned(corners: [[i64; 5]; 3]) -> [[i64; 5]; 3] {
    let [a, b, c] = corners;
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap()
}
