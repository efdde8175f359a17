//! Numbers in fewer bytes have the same values.

use glam::{Quat, Vec3};
use relicast::emit::gltf::{Container, GltfFiles, GltfOptions, encode};
use relicast::scene::model::{Mesh, Node, Primitive, Scene, Transform};
use relicast_testing::test;
use serde_json::{Value, json};

use super::{Pictures, named};

const ON_GRID: [[f32; 3]; 3] = [[0.125, -40.5, 3.0], [1.0, 2.0, 700.25], [-9.0, 0.0, 0.5]];
const OFF_GRID: [[f32; 3]; 3] = [[0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]];

fn triangle(positions: [[f32; 3]; 3], normals: [[f32; 3]; 3]) -> Mesh {
    Mesh {
        primitives: vec![Primitive {
            positions: positions.to_vec().into(),
            normals: normals.to_vec().into(),
            indices: vec![0, 1, 2].into(),
            ..Primitive::default()
        }],
        ..Mesh::default()
    }
}

/// A mesh on a grid twice, one off it, and one on it with something below.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let slanted = [[0.6, 0.8, 0.0]; 3];
    scene.meshes = vec![
        triangle(ON_GRID, [[0.0, 1.0, 0.0]; 3]),
        triangle(OFF_GRID, slanted),
        triangle(ON_GRID, slanted),
    ];
    let nodes = [("plain", 0), ("turned", 0), ("off", 1), ("above", 2)];
    for (name, mesh) in nodes {
        let node = scene.add_node(Node {
            mesh: Some(mesh.into()),
            transform: Transform {
                translation: Vec3::new(1.0, 2.0, 3.0),
                rotation: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
                scale: match name {
                    "turned" => Vec3::new(2.0, 3.0, 5.0),
                    _ => Vec3::ONE,
                },
            },
            ..named(name)
        });
        scene.roots.push(node);
    }
    let below = scene.add_node(named("below"));
    let above = scene.roots[3];
    scene.add_child(above, below);
    scene
}

/// The file as it is, and its buffer.
fn written(quantize: bool) -> (Value, Vec<u8>) {
    let options = GltfOptions {
        binary_path: "small.bin",
        images: &Pictures::new(),
        container: Container::Gltf,
        gpu_instancing: false,
        first_variant_only: false,
        quantize,
        webp: false,
        godot_extras: false,
    };
    match encode(&scene(), &options).unwrap() {
        GltfFiles::Gltf { json, bin } => (serde_json::from_slice(&json).unwrap(), bin),
        GltfFiles::Glb(_) => panic!("JSON was asked for"),
    }
}

/// The rows of an accessor of three numbers, as they are in the file.
fn rows(document: &Value, bin: &[u8], accessor: &Value) -> Vec<[f32; 3]> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let number = |value: &Value| value.as_u64().unwrap_or_default() as usize;
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let (width, read): (usize, fn(&[u8]) -> f32) = match accessor["componentType"].as_u64() {
        Some(5120) => (1, |bytes| f32::from(bytes[0].cast_signed())),
        Some(5122) => (2, |bytes| {
            f32::from(i16::from_le_bytes([bytes[0], bytes[1]]))
        }),
        _ => (4, |bytes| {
            f32::from_le_bytes(bytes[..4].try_into().unwrap())
        }),
    };
    let stride = number(&view["byteStride"]);
    assert_eq!(stride % 4, 0);
    (0..number(&accessor["count"]))
        .map(|row| {
            let at = start + row * stride;
            [0, 1, 2].map(|lane| read(&bin[at + lane * width..]))
        })
        .collect()
}

#[test]
fn positions_on_a_grid_are_integers_that_the_node_makes_the_same_of() {
    let (document, bin) = written(true);
    assert_eq!(
        document["extensionsRequired"],
        json!(["KHR_mesh_quantization"])
    );
    assert_eq!(document["extensionsUsed"], document["extensionsRequired"]);
    for (node, stored) in scene()
        .nodes
        .iter()
        .zip(document["nodes"].as_array().unwrap())
    {
        let Some(mesh) = stored["mesh"].as_u64() else {
            continue;
        };
        let primitive = &document["meshes"][mesh as usize]["primitives"][0];
        let position = &primitive["attributes"]["POSITION"];
        let accessor = &document["accessors"][position.as_u64().unwrap() as usize];
        let is_small = accessor["componentType"] == 5122;
        assert_eq!(
            is_small,
            matches!(&*node.name, "plain" | "turned"),
            "{}",
            node.name
        );
        assert!(accessor["normalized"].is_null());
        let scale: [f32; 3] = match &stored["scale"] {
            Value::Null => [1.0; 3],
            scale => serde_json::from_value(scale.clone()).unwrap(),
        };
        let expected = if node.name == "off" {
            OFF_GRID
        } else {
            ON_GRID
        };
        let stored = node.transform.scale.to_array();
        for (row, expected) in rows(&document, &bin, position).iter().zip(expected) {
            for lane in 0..3 {
                assert_eq!(row[lane] * scale[lane], expected[lane] * stored[lane]);
            }
        }
        let least: Vec<f64> = serde_json::from_value(accessor["min"].clone()).unwrap();
        let smallest = rows(&document, &bin, position)
            .iter()
            .map(|row| row[0])
            .fold(f32::INFINITY, f32::min);
        assert_eq!(least[0], f64::from(smallest));
    }
}

#[test]
fn normals_are_bytes_or_shorts_by_what_they_need() {
    let (document, bin) = written(true);
    let normal = |mesh: usize| {
        let accessor = &document["meshes"][mesh]["primitives"][0]["attributes"]["NORMAL"];
        let stored = &document["accessors"][accessor.as_u64().unwrap() as usize];
        assert_eq!(stored["normalized"], true);
        let most = if stored["componentType"] == 5120 {
            127.0
        } else {
            32_767.0
        };
        let row = rows(&document, &bin, accessor)[0];
        (
            stored["componentType"].clone(),
            row.map(|value| value / most),
        )
    };
    assert_eq!(normal(0), (json!(5120), [0.0, 1.0, 0.0]));
    let (kind, [x, y, z]) = normal(1);
    assert_eq!(kind, 5122);
    assert!((x - 0.6).abs() < 2e-5 && (y - 0.8).abs() < 2e-5 && z == 0.0);
}

#[test]
fn without_the_setting_nothing_is_required() {
    let (document, _) = written(false);
    assert!(document["extensionsRequired"].is_null());
    assert!(document["extensionsUsed"].is_null());
}
