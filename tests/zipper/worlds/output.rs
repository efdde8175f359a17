//! Scenes read back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::expected::{IDENTITY, Rows, multiply};

/// A vertex of a triangle.
#[derive(Debug, Clone)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv: Option<[f32; 2]>,
    pub color: Option<[u16; 4]>,
}

/// Triangles of one surface.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Name of the picture's file, without extension.
    pub picture: Option<String>,
    pub double_sided: bool,
    pub layer: u64,
    pub priority: i64,
    /// True if its vertex colors are mixed with a tint.
    pub is_mixed: bool,
    pub triangles: Vec<[Vertex; 3]>,
}

/// A node of the source as it is in a scene.
#[derive(Debug, Clone)]
pub struct Place {
    pub name: String,
    pub to_world: Rows,
    pub surfaces: Vec<Surface>,
    pub children: Vec<usize>,
}

/// Nodes by their index in the source. Copies are left out.
pub type Places = BTreeMap<usize, Place>;

fn rows_of(matrix: [[f32; 4]; 4]) -> Rows {
    matrix.map(|column| [0, 1, 2].map(|part: usize| f64::from(column[part])))
}

fn zipper(extras: &gltf::json::Extras) -> serde_json::Value {
    let raw = extras.as_ref().map_or("{}", |extras| extras.get());
    let value: serde_json::Value = serde_json::from_str(raw).unwrap();
    value["zipper"].clone()
}

/// A glTF file with its buffer.
pub struct Loaded {
    pub document: gltf::Document,
    pub buffer: Vec<u8>,
    path: PathBuf,
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
        path: path.to_owned(),
    }
}

impl Loaded {
    fn surfaces(&self, mesh: &gltf::Mesh<'_>) -> Vec<Surface> {
        let triangles = gltf::mesh::Mode::Triangles;
        let parts = mesh.primitives().filter(|part| part.mode() == triangles);
        parts.map(|part| self.surface(&part)).collect()
    }

    fn surface(&self, part: &gltf::Primitive<'_>) -> Surface {
        let reader = part.reader(|_| Some(&self.buffer));
        let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
        let uvs: Option<Vec<[f32; 2]>> = reader
            .read_tex_coords(0)
            .map(|coord| coord.into_f32().collect());
        let colors: Option<Vec<[u16; 4]>> = reader
            .read_colors(0)
            .map(|color| color.into_rgba_u16().collect());
        let vertices: Vec<Vertex> = (0..positions.len())
            .map(|index| Vertex {
                position: positions[index],
                normal: normals[index],
                uv: uvs.as_ref().map(|uvs| uvs[index]),
                color: colors.as_ref().map(|colors| colors[index]),
            })
            .collect();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let triangles = indices.chunks_exact(3);
        let extras = zipper(part.extras());
        let material = part.material();
        let texture = material.pbr_metallic_roughness().base_color_texture();
        let picture = texture.map(|texture| match texture.texture().source().source() {
            gltf::image::Source::Uri { uri, .. } => {
                let file = self.path.parent().unwrap().join(uri);
                assert!(file.is_file(), "{} is missing", file.display());
                file.file_stem().unwrap().to_str().unwrap().to_owned()
            }
            gltf::image::Source::View { .. } => {
                texture.texture().source().name().unwrap().to_owned()
            }
        });
        let name = material.name().unwrap_or_default();
        let is_mixed = material.unlit() && picture.is_none() && name.contains("_tint");
        Surface {
            is_mixed,
            picture,
            double_sided: material.double_sided(),
            layer: extras["layer"].as_u64().unwrap_or(0),
            priority: extras["priority"].as_i64().unwrap_or(0),
            triangles: triangles
                .map(|corners| [0, 1, 2].map(|at: usize| vertices[corners[at] as usize].clone()))
                .collect(),
        }
    }

    /// Adds the nodes of the source that stand in this file.
    pub fn places(&self, all: &mut Places) {
        let scene = self.document.default_scene().unwrap();
        let mut pending: Vec<(gltf::Node<'_>, Rows, Option<usize>)> =
            scene.nodes().map(|node| (node, IDENTITY, None)).collect();
        while let Some((node, above, parent)) = pending.pop() {
            let to_world = multiply(&rows_of(node.transform().matrix()), &above);
            let extras = zipper(node.extras());
            let index = extras["index"].as_u64();
            let index = index.map(|index| usize::try_from(index).unwrap());
            // Shear needs a second node, which has no facts.
            let index = index.or(parent);
            if let Some(index) = index.filter(|_| extras["instanceOf"].is_null()) {
                let place = Place {
                    name: extras["name"].as_str().unwrap_or_default().to_owned(),
                    to_world,
                    surfaces: node.mesh().map_or(Vec::new(), |mesh| self.surfaces(&mesh)),
                    children: Vec::new(),
                };
                // One with several parents is in the file of each.
                all.entry(index).or_insert(place);
                if let Some(parent) = parent.and_then(|parent| all.get_mut(&parent)) {
                    parent.children.push(index);
                }
            }
            pending.extend(node.children().map(|child| (child, to_world, index)));
        }
    }
}

/// All glTF files below a folder.
pub fn scenes(folder: &Path) -> Vec<PathBuf> {
    let files = super::common::files(folder).into_iter();
    files
        .filter(|file| file.ends_with(".gltf") || file.ends_with(".glb"))
        .map(|file| folder.join(file))
        .collect()
}
