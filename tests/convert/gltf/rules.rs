//! Rules of glTF for a file, and its limits.

use std::sync::Arc;

use glam::Quat;
use relicast::emit::gltf::{Container, GltfFiles};
use relicast::scene::model::{
    Corner, Interpolation, Layout, MaterialId, Mesh, MeshId, Node, NodeId, PrimitiveBuilder, Scene,
    SurfaceChannel, SurfaceTrack, Track,
};
use relicast_testing::test;
use serde_json::{Value, json};

use super::everything::everything;
use super::{named, read_back, write};

#[test]
fn bounds_are_exact_and_nothing_is_unused() {
    let back = read_back(&everything(), Container::Gltf);
    let accessors = back.json["accessors"].as_array().unwrap();
    let mut uses = vec![0; accessors.len()];
    for mesh in back.document.meshes() {
        for primitive in mesh.primitives() {
            let positions = primitive.get(&gltf::Semantic::Positions).unwrap();
            let values: Vec<[f32; 3]> = primitive
                .reader(back.bytes())
                .read_positions()
                .unwrap()
                .collect();
            for axis in 0..3 {
                let least = values
                    .iter()
                    .map(|value| value[axis])
                    .fold(f32::INFINITY, f32::min);
                let stated = positions.min().unwrap()[axis].as_f64().unwrap() as f32;
                assert_eq!(stated.to_bits(), least.to_bits());
                let greatest = values
                    .iter()
                    .map(|value| value[axis])
                    .fold(f32::NEG_INFINITY, f32::max);
                let stated = positions.max().unwrap()[axis].as_f64().unwrap() as f32;
                assert_eq!(stated.to_bits(), greatest.to_bits());
            }
            let indices = primitive.indices().unwrap();
            assert_eq!(indices.data_type(), gltf::accessor::DataType::U16);
            let morphs = primitive
                .morph_targets()
                .filter_map(|target| target.positions());
            for accessor in primitive
                .attributes()
                .map(|(_, accessor)| accessor)
                .chain(morphs)
                .chain([indices])
            {
                uses[accessor.index()] += 1;
            }
        }
    }
    for sampler in back
        .document
        .animations()
        .flat_map(|clip| clip.samplers().collect::<Vec<_>>())
    {
        uses[sampler.input().index()] += 1;
        uses[sampler.output().index()] += 1;
    }
    for skin in back.document.skins() {
        uses[skin.inverse_bind_matrices().unwrap().index()] += 1;
    }
    assert!(uses.iter().all(|uses| *uses > 0));
    let text = back.json.to_string();
    for odd in ["[]", "{}", "-0.0,", "-0.0]", "null"] {
        let found = text.replace("\"KHR_materials_unlit\":{}", "unlit");
        assert!(!found.contains(odd), "{odd} in {text}");
    }
}

/// Ranges side by side in the order of their starts, up to the end, with less than a word between two.
fn assert_gapless(mut ranges: Vec<(usize, usize)>, end: usize, what: &str) {
    ranges.sort_unstable();
    ranges.dedup();
    let mut at = 0;
    for (start, length) in ranges {
        let gap = start.checked_sub(at);
        assert!(gap.is_some_and(|gap| gap < 4), "{what}: {at} to {start}");
        at = start + length;
    }
    assert!(end >= at && end - at < 4, "{what}: {at} of {end}");
}

#[test]
fn every_byte_of_the_buffer_is_in_one_view_and_of_a_view_in_one_accessor() {
    let back = read_back(&everything(), Container::Gltf);
    let views = || back.document.views();
    let length = back.document.buffers().next().unwrap().length();
    let ranges = views().map(|view| (view.offset(), view.length())).collect();
    assert_gapless(ranges, length, "buffer");
    let pictures = back.document.images().filter_map(|it| match it.source() {
        gltf::image::Source::View { view, .. } => Some(view.index()),
        gltf::image::Source::Uri { .. } => None,
    });
    let pictures: Vec<usize> = pictures.collect();
    for view in views().filter(|view| !pictures.contains(&view.index())) {
        let own = back.document.accessors();
        let own = own.filter(|it| it.view().unwrap().index() == view.index());
        let ranges = own.map(|accessor| {
            let row = view.stride().unwrap_or(accessor.size());
            (accessor.offset(), accessor.count() * row)
        });
        assert_gapless(ranges.collect(), view.length(), "view");
    }
}

#[test]
fn same_scene_same_bytes() {
    for container in [Container::Gltf, Container::Glb] {
        let first = write(&everything(), container).unwrap();
        for _ in 0..3 {
            assert_eq!(write(&everything(), container).unwrap(), first);
        }
    }
}

#[test]
fn indices_are_wide_only_when_they_must() {
    for (vertices, wide) in [(65_535, false), (65_538, true)] {
        let mut builder = PrimitiveBuilder::new(Layout::default());
        for triangle in 0..vertices / 3 {
            let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| Corner {
                position: [x, y, triangle as f32],
                ..Corner::default()
            });
            assert!(builder.triangle([&corners[0], &corners[1], &corners[2]]));
        }
        let mut scene = Scene::default();
        let mesh = scene.add_mesh(Mesh {
            primitives: vec![builder.finish()],
            ..Mesh::default()
        });
        let node = scene.add_node(Node {
            mesh: Some(mesh),
            ..Node::default()
        });
        scene.roots.push(node);
        let back = read_back(&scene, Container::Gltf);
        let primitive = back
            .document
            .meshes()
            .next()
            .unwrap()
            .primitives()
            .next()
            .unwrap();
        let kind = primitive.indices().unwrap().data_type();
        assert_eq!(kind == gltf::accessor::DataType::U32, wide);
        let indices: Vec<u32> = primitive
            .reader(back.bytes())
            .read_indices()
            .unwrap()
            .into_u32()
            .collect();
        assert!(indices.iter().copied().eq(0..vertices as u32));
    }
}

#[test]
fn a_scene_of_nothing_has_no_buffer() {
    let mut scene = Scene::default();
    let root = scene.add_node(named("alone"));
    scene.roots.push(root);
    let GltfFiles::Gltf { json, bin } = write(&scene, Container::Gltf).unwrap() else {
        panic!("asked for .gltf");
    };
    assert!(bin.is_empty());
    let generator = concat!("relicast ", env!("CARGO_PKG_VERSION"));
    let expected = json!({
        "asset": {"generator": generator, "version": "2.0"},
        "scene": 0,
        "nodes": [{"name": "alone"}],
        "scenes": [{"nodes": [0]}],
    });
    assert_eq!(serde_json::from_slice::<Value>(&json).unwrap(), expected);
}

/// Makes material 1 fade.
fn fade(scene: &mut Scene, values: &[[f32; 4]]) {
    scene.clips[0].surfaces.push(SurfaceChannel {
        material: MaterialId(1),
        times: vec![0.0, 1.0],
        interpolation: Interpolation::Linear,
        track: SurfaceTrack::BaseColor(values.to_vec()),
    });
}

#[test]
fn what_gltf_cannot_hold_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut scene = everything();
        change(&mut scene);
        write(&scene, Container::Gltf).unwrap_err().to_string()
    };
    let boxes = 4;
    let cases: Vec<(&str, String)> = vec![
        (
            "positions of mesh 4 is not finite",
            refused(&|scene| {
                Arc::make_mut(&mut scene.meshes[boxes].primitives[0].positions)[0][1] = f32::NAN
            }),
        ),
        (
            "texture coordinates of mesh 4 is not finite",
            refused(&|scene| {
                Arc::make_mut(&mut scene.meshes[boxes].primitives[0].uvs)[1][0][1] = f32::INFINITY
            }),
        ),
        (
            "normals of mesh 4 is out of range",
            refused(&|scene| {
                Arc::make_mut(&mut scene.meshes[boxes].primitives[0].normals)[0] = [0.0; 3]
            }),
        ),
        (
            "indices of mesh 4 is out of range",
            refused(&|scene| Arc::make_mut(&mut scene.meshes[boxes].primitives[0].indices)[0] = 99),
        ),
        (
            "colors of mesh 4 must have 8 values",
            refused(&|scene| {
                scene.meshes[boxes].primitives[0].colors.pop();
            }),
        ),
        (
            "too few sets of texture coordinates in mesh 4: material 1 needs 2, found 1",
            refused(&|scene| {
                Arc::make_mut(&mut scene.meshes[boxes].primitives[0].uvs).pop();
            }),
        ),
        (
            "mesh 4 has two entries for variant 0",
            refused(&|scene| {
                let again = scene.meshes[boxes].primitives[0].variants[1];
                scene.meshes[boxes].primitives[0].variants.push(again);
            }),
        ),
        (
            "node 1 refers to mesh 999, which does not exist",
            refused(&|scene| scene.nodes[1].mesh = Some(MeshId(999))),
        ),
        (
            "translation of node 1 is not finite",
            refused(&|scene| scene.nodes[1].transform.translation.x = f32::NAN),
        ),
        (
            "rotation of node 1 is not finite",
            refused(&|scene| {
                scene.nodes[1].transform.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)
            }),
        ),
        (
            "node 1 has more than one parent, or is its own ancestor",
            refused(&|scene| scene.roots.push(NodeId(1))),
        ),
        (
            "node 0 has more than one parent, or is its own ancestor",
            refused(&|scene| scene.add_child(NodeId(3), NodeId(0))),
        ),
        (
            "node 15 cannot be reached from a root",
            refused(&|scene| {
                scene.add_node(named("lost"));
            }),
        ),
        (
            "node 14 has a skin",
            refused(&|scene| scene.nodes[14].transform.translation.x = 1.0),
        ),
        (
            "the joints of skin 0",
            refused(&|scene| scene.skins[0].skeleton = Some(NodeId(13))),
        ),
        (
            "shown of clip 0 is out of range",
            refused(&|scene| {
                let channel = &mut scene.clips[0].channels[1];
                channel.track = Track::Shown(vec![true, false, true]);
            }),
        ),
        (
            "interpolation of clip 0 is out of range",
            refused(&|scene| {
                let channel = &mut scene.clips[0].channels[0];
                channel.track = Track::Shown(vec![true, false, true]);
            }),
        ),
        (
            "base color of clip 0 is out of range",
            refused(&|scene| fade(scene, &[[0.5, 0.5, 0.5, 1.0], [0.5, 0.5, 0.5, 1.5]])),
        ),
        (
            "values of clip 0 must have 2 values",
            refused(&|scene| fade(scene, &[[1.0; 4]])),
        ),
        (
            "clip 0 has two entries for material 1",
            refused(&|scene| {
                fade(scene, &[[1.0; 4]; 2]);
                fade(scene, &[[1.0; 4]; 2]);
            }),
        ),
        (
            "clip 0 refers to material 999, which does not exist",
            refused(&|scene| {
                fade(scene, &[[1.0; 4]; 2]);
                scene.clips[0].surfaces[0].material = MaterialId(999);
            }),
        ),
        (
            "base color of material 2 is out of range",
            refused(&|scene| scene.materials[2].base_color[3] = 1.5),
        ),
        (
            "intensity of light 0 is out of range",
            refused(&|scene| scene.lights[0].intensity = f32::NAN),
        ),
        (
            "far of camera 0 is out of range",
            refused(&|scene| scene.cameras[0].far = Some(0.25)),
        ),
        (
            "key times of clip 0 is out of range",
            refused(&|scene| scene.clips[0].channels[0].times[1] = 1.25),
        ),
        (
            "clip 0 has two entries for node 13",
            refused(&|scene| {
                let again = scene.clips[0].channels[0].clone();
                scene.clips[0].channels.push(again);
            }),
        ),
    ];
    for (expected, found) in cases {
        assert!(
            found.starts_with(expected),
            "expected {expected:?}, found {found:?}"
        );
    }
}
