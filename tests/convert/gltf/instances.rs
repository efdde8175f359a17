//! Many nodes with one mesh as one node, and cycles of pictures.

use glam::{DMat4, DVec3, Quat, Vec3};
use relicast::emit::gltf::{Container, GltfError, GltfFiles};
use relicast::scene::model::{
    Channel, Clip, FlipBook, Interpolation, Node, NodeId, Scene, TextureRef, Track, Transform,
    UvTransform, specimen,
};
use relicast_testing::test;
use serde_json::{Value, json};

use super::{extras, named, read_back, write, write_with};

/// Number of copies of the specimen, in a row.
const CROWD: u8 = 20;

fn place(number: u8) -> Transform {
    let turn = f32::from(number) * 0.1;
    Transform {
        translation: Vec3::new(f32::from(number) * 3.0, 1.0, -2.0),
        rotation: Quat::from_xyzw(0.0, libm::sinf(turn), 0.0, libm::cosf(turn)),
        scale: Vec3::splat(1.0 + f32::from(number)),
    }
}

/// Copies of the specimen's mesh below one node; among them one with a child, and one that a clip moves.
pub fn crowd() -> Scene {
    let mut scene = specimen::scene();
    let mesh = scene.nodes.iter().find_map(|node| node.mesh).unwrap();
    let above = scene.add_node(named("crowd"));
    scene.roots.push(above);
    let mut moved = above;
    for number in 0..CROWD {
        let node = scene.add_node(Node {
            name: format!("one {number}"),
            mesh: Some(mesh),
            transform: place(number),
            extras: extras(json!({"number": number})),
            ..Node::default()
        });
        scene.add_child(above, node);
        moved = node;
        if number == 3 {
            let below = scene.add_node(named("below"));
            scene.add_child(node, below);
        }
    }
    scene.clips.push(Clip {
        name: "rise".to_owned(),
        channels: vec![Channel {
            node: moved,
            times: vec![0.0, 1.0],
            interpolation: Interpolation::Linear,
            track: Track::Translation(vec![Vec3::ZERO, Vec3::Y]),
        }],
        ..Clip::default()
    });
    scene
}

/// The specimen with a texture of four pictures.
pub fn flip_book() -> Scene {
    let mut scene = specimen::scene();
    let textured = |it: &relicast::scene::model::Material| it.base_texture.is_some();
    let material = scene.materials.iter().position(textured).unwrap();
    let assigned = &mut scene.materials[material].base_texture;
    *assigned = assigned.map(|assigned| TextureRef {
        transform: Some(UvTransform {
            scale: [0.25, 1.0],
            ..UvTransform::default()
        }),
        ..assigned
    });
    scene.flip_books.push(FlipBook {
        material: material.into(),
        times: vec![0.0, 0.5, 1.0, 1.5, 2.0],
        offsets: vec![[0.0; 2], [0.25, 0.0], [0.5, 0.0], [0.75, 0.0], [0.0; 2]],
    });
    scene
}

/// The JSON and the buffer of a scene written with lists of places.
pub fn gathered(scene: &Scene) -> (Value, Vec<u8>) {
    let written = write_with(scene, Container::Gltf, true).unwrap();
    let GltfFiles::Gltf { json, bin } = written else {
        panic!("asked for .gltf");
    };
    (serde_json::from_slice(&json).unwrap(), bin)
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or(0)).unwrap()
}

/// The floats of an accessor, in rows.
fn rows<const N: usize>(file: &(Value, Vec<u8>), accessor: &Value) -> Vec<[f32; N]> {
    let (json, bin) = file;
    let accessor = &json["accessors"][number(accessor)];
    let view = &json["bufferViews"][number(&accessor["bufferView"])];
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let bytes = &bin[start..][..number(&accessor["count"]) * N * 4];
    let words = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|chunk| f32::from_le_bytes(*chunk));
    let words: Vec<f32> = words.collect();
    words.as_chunks::<N>().0.to_vec()
}

/// Places of each node of a mesh, with a row for each instance, by names.
fn places(file: &(Value, Vec<u8>)) -> Vec<(String, DMat4)> {
    let (json, _) = file;
    let nodes = json["nodes"].as_array().unwrap();
    let wide = |row: [f32; 3]| DVec3::from_array(row.map(f64::from));
    let matrix = |t: [f32; 3], r: [f32; 4], s: [f32; 3]| {
        let rotation = Quat::from_array(r).as_dquat();
        DMat4::from_scale_rotation_translation(wide(s), rotation, wide(t))
    };
    let own = |node: &Value| {
        let list = |key: &str| {
            let list = node[key].as_array()?;
            Some(
                list.iter()
                    .map(|it| it.as_f64().unwrap() as f32)
                    .collect::<Vec<f32>>(),
            )
        };
        matrix(
            list("translation").map_or([0.0; 3], |it| it.try_into().unwrap()),
            list("rotation").map_or([0.0, 0.0, 0.0, 1.0], |it| it.try_into().unwrap()),
            list("scale").map_or([1.0; 3], |it| it.try_into().unwrap()),
        )
    };
    let mut found = Vec::new();
    let roots = json["scenes"][0]["nodes"].as_array().unwrap();
    let mut stack: Vec<(usize, DMat4)> = roots
        .iter()
        .map(|root| (number(root), DMat4::IDENTITY))
        .collect();
    while let Some((index, above)) = stack.pop() {
        let node = &nodes[index];
        let here = above * own(node);
        let children = node["children"].as_array().into_iter().flatten();
        stack.extend(children.map(|child| (number(child), here)));
        if node["mesh"].is_null() {
            continue;
        }
        let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
        if attributes.is_null() {
            found.push((node["name"].as_str().unwrap().to_owned(), here));
            continue;
        }
        let t = rows::<3>(file, &attributes["TRANSLATION"]);
        let r = rows::<4>(file, &attributes["ROTATION"]);
        let s = rows::<3>(file, &attributes["SCALE"]);
        let instances = node["extras"]["instances"].as_array().unwrap();
        assert_eq!([t.len(), r.len(), s.len()], [instances.len(); 3]);
        for (place, instance) in instances.iter().enumerate() {
            let name = instance["name"].as_str().unwrap().to_owned();
            assert_eq!(name, format!("one {}", instance["extras"]["number"]));
            found.push((name, here * matrix(t[place], r[place], s[place])));
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

#[test]
fn instances_are_where_their_nodes_were() {
    let scene = crowd();
    let file = gathered(&scene);
    let plain = read_back(&scene, Container::Gltf);
    let expected = places(&(plain.json.clone(), plain.bin.clone()));
    let found = places(&file);
    assert_eq!(found.len(), expected.len());
    for ((name, here), (other, there)) in found.iter().zip(&expected) {
        assert_eq!(name, other);
        assert!(here.abs_diff_eq(*there, 1e-6), "{name}: {here} {there}");
    }
    let (json, _) = &file;
    assert_eq!(json["extensionsUsed"], json!(["EXT_mesh_gpu_instancing"]));
    // The one with a child and the one that moves stay nodes of their own.
    let nodes = json["nodes"].as_array().unwrap();
    let saved = usize::from(CROWD) - 3;
    assert_eq!(nodes.len(), scene.nodes.len() - saved);
    let target = number(&json["animations"][0]["channels"][0]["target"]["node"]);
    assert_eq!(nodes[target]["name"], format!("one {}", CROWD - 1));
}

#[test]
fn few_nodes_stay_nodes() {
    let mut scene = crowd();
    let above = scene.roots[scene.roots.len() - 1];
    let gone = scene.nodes[above.index()].children.split_off(17);
    for node in gone {
        // Not below the same node any more.
        let apart = scene.add_node(Node {
            children: vec![node],
            ..named("apart")
        });
        scene.roots.push(apart);
    }
    let (json, _) = gathered(&scene);
    let held = |it: &&Value| !it["extensions"]["EXT_mesh_gpu_instancing"].is_null();
    let count = |json: &Value| {
        json["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(held)
            .count()
    };
    // Seventeen, of which one has a child.
    assert_eq!(count(&json), 1);
    let last = scene.nodes[above.index()].children.pop().unwrap();
    scene.roots.push(last);
    let (json, _) = gathered(&scene);
    assert_eq!(count(&json), 0);
    assert!(json["extensionsUsed"].is_null());
}

#[test]
fn references_to_nodes_that_are_not_there_are_still_refused() {
    let mut scene = crowd();
    scene.clips[0].channels[0].node = NodeId::from(10_000);
    let found = write_with(&scene, Container::Gltf, true);
    assert!(matches!(found, Err(GltfError::Missing { .. })), "{found:?}");
}

#[test]
fn pictures_take_turns_by_steps() {
    let scene = flip_book();
    let file = gathered(&scene);
    let (json, _) = &file;
    let clip = &json["animations"][0];
    assert_eq!(clip["samplers"][0]["interpolation"], "STEP");
    let target = &clip["channels"][0]["target"]["extensions"]["KHR_animation_pointer"];
    let pointer = target["pointer"].as_str().unwrap();
    let transform = pointer.strip_suffix("/offset").unwrap();
    assert_eq!(
        json.pointer(transform).unwrap()["scale"],
        json!([0.25, 1.0])
    );
    let offsets = rows::<2>(&file, &clip["samplers"][0]["output"]);
    assert_eq!(offsets, scene.flip_books[0].offsets);
    let times = rows::<1>(&file, &clip["samplers"][0]["input"]);
    assert_eq!(times.concat(), scene.flip_books[0].times);

    let mut odd = scene.clone();
    odd.flip_books[0].times[1] = 0.0;
    let refused = write(&odd, Container::Gltf).unwrap_err().to_string();
    assert!(refused.contains("flip-book 0"), "{refused}");
    odd = scene;
    odd.flip_books[0].offsets.pop();
    let refused = write(&odd, Container::Gltf).unwrap_err().to_string();
    assert!(refused.contains("flip-book 0"), "{refused}");
}
