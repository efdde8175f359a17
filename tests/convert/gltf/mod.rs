//! Scenes written as glTF, read back by the `gltf` crate and judged by the Khronos validator.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

use glam::{DMat4, DVec3};
use relicast::emit::gltf::{Container, GltfError, GltfFiles, GltfOptions, ImageSource, encode};
use relicast::emit::png;
use relicast::scene::image::Effort;
use relicast::scene::model::{Extras, Node, Scene, specimen};
use serde_json::Value;
use std::borrow::Cow;

mod everything;
mod instances;
mod khronos;
mod read;
mod rules;
mod small;
mod views;

/// Every key is the specimen's picture.
struct Pictures {
    png: Vec<u8>,
}

impl Pictures {
    fn new() -> Self {
        let png = png::encode(&specimen::picture(), Effort::Fast).unwrap();
        Self { png }
    }
}

impl ImageSource for Pictures {
    fn path(&self, key: &str) -> Option<String> {
        Some(format!("text ures/{key}"))
    }

    fn bytes(&self, _key: &str) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(&self.png))
    }
}

fn write(scene: &Scene, container: Container) -> Result<GltfFiles, GltfError> {
    write_with(scene, container, false)
}

fn write_with(
    scene: &Scene,
    container: Container,
    gpu_instancing: bool,
) -> Result<GltfFiles, GltfError> {
    let options = GltfOptions {
        binary_path: "a scene.bin",
        images: &Pictures::new(),
        container,
        gpu_instancing,
        first_variant_only: false,
        quantize: false,
        webp: false,
        godot_extras: false,
    };
    encode(scene, &options)
}

/// A file as the `gltf` crate reads it.
struct ReadBack {
    document: gltf::Document,
    bin: Vec<u8>,
    json: Value,
}

fn read_back(scene: &Scene, container: Container) -> ReadBack {
    match write(scene, container).unwrap() {
        GltfFiles::Gltf { json, bin } => ReadBack {
            document: gltf::Gltf::from_slice(&json).unwrap().document,
            bin,
            json: serde_json::from_slice(&json).unwrap(),
        },
        GltfFiles::Glb(bytes) => {
            let parts = gltf::binary::Glb::from_slice(&bytes).unwrap();
            let file = gltf::Gltf::from_slice(&bytes).unwrap();
            ReadBack {
                document: file.document,
                bin: file.blob.unwrap(),
                json: serde_json::from_slice(&parts.json).unwrap(),
            }
        }
    }
}

impl ReadBack {
    fn bytes<'s>(&'s self) -> impl Clone + Fn(gltf::Buffer<'_>) -> Option<&'s [u8]> {
        move |_| Some(self.bin.as_slice())
    }

    fn node(&self, name: &str) -> gltf::Node<'_> {
        self.document
            .nodes()
            .find(|node| node.name() == Some(name))
            .unwrap()
    }

    /// Corners of every triangle in scene space with their texture coordinates.
    fn triangles(&self) -> Vec<[(DVec3, [f32; 2]); 3]> {
        let mut found = Vec::new();
        let scene = self.document.default_scene().unwrap();
        let mut stack: Vec<(gltf::Node<'_>, DMat4)> =
            scene.nodes().map(|node| (node, DMat4::IDENTITY)).collect();
        while let Some((node, parent)) = stack.pop() {
            let local = node
                .transform()
                .matrix()
                .map(|column| column.map(f64::from));
            let matrix = parent * DMat4::from_cols_array_2d(&local);
            for primitive in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
                let reader = primitive.reader(self.bytes());
                let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
                let uvs: Option<Vec<[f32; 2]>> = reader
                    .read_tex_coords(0)
                    .map(|uvs| uvs.into_f32().collect());
                let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
                for triangle in indices.chunks_exact(3) {
                    found.push([0, 1, 2].map(|corner| {
                        let index = triangle[corner] as usize;
                        let position = DVec3::from_array(positions[index].map(f64::from));
                        let uv = uvs.as_ref().map_or([0.0; 2], |uvs| uvs[index]);
                        (matrix.transform_point3(position), uv)
                    }));
                }
            }
            stack.extend(node.children().map(|child| (child, matrix)));
        }
        found
    }
}

fn extras(value: Value) -> Extras {
    value.as_object().unwrap().clone()
}

fn named(name: &str) -> Node {
    Node {
        name: name.to_owned(),
        ..Node::default()
    }
}
