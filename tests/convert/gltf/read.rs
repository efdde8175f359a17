//! Files that are written are read back and compared.

use glam::{DMat4, DVec3, Vec3};
use relicast::emit::gltf::Container;
use relicast::scene::model::specimen;
use relicast::scene::space::matrix_from_rows;
use relicast_testing::test;
use serde_json::json;
use std::collections::BTreeMap;

use super::everything::everything;
use super::read_back;

#[test]
fn the_specimen_comes_back_triangle_by_triangle() {
    for container in [Container::Gltf, Container::Glb] {
        let back = read_back(&specimen::scene(), container);
        let triangles = back.triangles();
        assert_eq!(triangles.len(), specimen::BOXES.len() * 12);
        let mut areas: BTreeMap<&str, f64> = BTreeMap::new();
        for [(a, _), (b, _), (c, _)] in &triangles {
            let middle = (a + b + c) / 3.0;
            let across = (b - a).cross(c - a);
            // The box whose surface the triangle is on, with the normal pointing out of it. Boxes touch, but
            // where they do their normals are opposite.
            let (name, ..) = specimen::BOXES
                .into_iter()
                .find(|(_, least, greatest)| {
                    let (least, greatest) = (
                        Vec3::from(*least).as_dvec3(),
                        Vec3::from(*greatest).as_dvec3(),
                    );
                    let outwards = across.dot(middle - (least + greatest) * 0.5) > 0.0;
                    outwards
                        && [a, b, c].into_iter().all(|corner| {
                            corner.cmpge(least - 1e-6).all() && corner.cmple(greatest + 1e-6).all()
                        })
                })
                .expect("every face looks out of its box");
            *areas.entry(name).or_default() += across.length() / 2.0;
        }
        for (name, least, greatest) in specimen::BOXES {
            let size = (Vec3::from(greatest) - Vec3::from(least)).as_dvec3();
            let surface = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
            assert!((areas[name] - surface).abs() < 1e-5, "{name}");
        }
    }
}

#[test]
fn pictures_are_upright_on_the_specimen() {
    let back = read_back(&specimen::scene(), Container::Gltf);
    // The face of the nose that looks ahead: seen from there, +X is to the left.
    let corners: Vec<(DVec3, [f32; 2])> = back.triangles().into_iter().flatten().collect();
    let at = |x: f64, y: f64| {
        let faces = back.triangles();
        let face = faces
            .iter()
            .find(|face| face.iter().all(|(position, _)| position.z == -3.0))
            .unwrap();
        let all = faces
            .iter()
            .filter(|other| other.iter().all(|(position, _)| position.z == -3.0));
        assert_eq!(face.len(), 3);
        let corner = all
            .flatten()
            .find(|(position, _)| position.x == x && position.y == y)
            .unwrap();
        corner.1
    };
    assert_eq!(corners.len(), specimen::BOXES.len() * 36);
    assert_eq!(at(0.25, 0.375), [0.0, 0.0]);
    assert_eq!(at(-0.25, 0.375), [1.0, 0.0]);
    assert_eq!(at(0.25, 0.125), [0.0, 1.0]);
}

#[test]
fn hierarchy_and_placements_come_back() {
    let scene = everything();
    for container in [Container::Gltf, Container::Glb] {
        let back = read_back(&scene, container);
        let mut expected = Vec::new();
        scene.visit(|id, matrix| expected.push((id.index(), *matrix)));
        assert_eq!(expected.len(), back.document.nodes().len());
        let mut matrices: BTreeMap<usize, DMat4> = BTreeMap::new();
        let roots = back.document.default_scene().unwrap().nodes();
        let mut stack: Vec<_> = roots.map(|node| (node, DMat4::IDENTITY)).collect();
        while let Some((node, parent)) = stack.pop() {
            let local = node
                .transform()
                .matrix()
                .map(|column| column.map(f64::from));
            let matrix = parent * DMat4::from_cols_array_2d(&local);
            matrices.insert(node.index(), matrix);
            stack.extend(node.children().map(|child| (child, matrix)));
        }
        for (index, matrix) in expected {
            assert!(matrices[&index].abs_diff_eq(matrix, 1e-5), "node {index}");
        }
        let sheared = matrix_from_rows(
            [[1.0, 0.5, 0.0], [0.0, -2.0, 0.25], [0.0, 0.0, 1.0]],
            [4.0, 5.0, 6.0],
        );
        let inner = back.node("box_1__shear");
        assert!(matrices[&inner.index()].abs_diff_eq(sheared, 1e-5));
        assert_eq!(inner.mesh().unwrap().name(), Some("boxes"));
        assert!(
            back.document
                .nodes()
                .all(|node| matches!(node.transform(), gltf::scene::Transform::Decomposed { .. }))
        );
        let names: Vec<_> = back
            .document
            .nodes()
            .skip(5)
            .map(|node| node.name().unwrap().to_owned())
            .collect();
        let wanted = [
            "box_1",
            "box_1__shear",
            "box_1_2",
            "box_1_3",
            "bender",
            "again_col",
            "node_11",
            "hip",
            "knee",
            "body_2",
        ];
        assert_eq!(names, wanted);
        assert!(back.node("node_11").mesh().is_none());
        assert_eq!(
            back.node("again_col").mesh().unwrap().index(),
            inner.mesh().unwrap().index()
        );
        assert_eq!(
            back.json["nodes"][5]["extras"],
            json!({"zipper": {"index": 5, "name": "box.1"}})
        );
        assert_eq!(
            back.json["scenes"][0]["extras"],
            json!({"zipper": {"forward": "-Z"}})
        );
    }
}

#[test]
fn attributes_morphs_and_skins_come_back() {
    let scene = everything();
    let back = read_back(&scene, Container::Glb);
    let boxes = back
        .document
        .meshes()
        .find(|mesh| mesh.name() == Some("boxes"))
        .unwrap();
    assert_eq!(
        boxes.primitives().len(),
        1,
        "a primitive without triangles is left out"
    );
    let source = scene
        .meshes
        .iter()
        .find(|mesh| mesh.name == "boxes")
        .unwrap();
    let primitive = boxes.primitives().next().unwrap();
    let reader = primitive.reader(back.bytes());
    assert!(
        reader
            .read_positions()
            .unwrap()
            .eq(source.primitives[0].positions.iter().copied())
    );
    assert!(
        reader
            .read_normals()
            .unwrap()
            .eq(source.primitives[0].normals.iter().copied())
    );
    for set in 0..2 {
        let uvs = reader.read_tex_coords(set).unwrap().into_f32();
        assert!(uvs.eq(source.primitives[0].uvs[set as usize].iter().copied()));
    }
    let colors = reader.read_colors(0).unwrap().into_rgba_u16();
    assert!(colors.eq(source.primitives[0].colors.iter().copied()));
    assert_eq!(
        back.json["meshes"][4]["primitives"][0]["extras"],
        json!({"priority": 3})
    );

    let morphing = back
        .document
        .meshes()
        .find(|mesh| mesh.name() == Some("morphing"))
        .unwrap();
    assert_eq!(morphing.weights(), Some(&[0.25, 0.0][..]));
    let primitive = morphing.primitives().next().unwrap();
    assert!(primitive.get(&gltf::Semantic::TexCoords(0)).is_none());
    let deltas: Vec<Vec<[f32; 3]>> = primitive
        .reader(back.bytes())
        .read_morph_targets()
        .map(|(positions, _, _)| positions.unwrap().collect())
        .collect();
    assert_eq!(deltas, [vec![[0.5, 0.0, 0.0]; 8], vec![[0.0, 1.0, 0.0]; 8]]);
    assert_eq!(
        back.json["meshes"][5]["extras"],
        json!({"targetNames": ["wide", "high"]})
    );

    let body = back.node("body_2");
    let skin = body.skin().unwrap();
    let joints: Vec<_> = skin
        .joints()
        .map(|node| node.name().unwrap().to_owned())
        .collect();
    assert_eq!(joints, ["hip", "knee"]);
    assert_eq!(skin.skeleton().unwrap().name(), Some("hip"));
    let matrices: Vec<_> = skin
        .reader(back.bytes())
        .read_inverse_bind_matrices()
        .unwrap()
        .collect();
    assert_eq!(matrices[1][3], [0.0, 1.0, 0.0, 1.0]);
    let mesh = body.mesh().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(back.bytes());
    let joints: Vec<_> = reader.read_joints(0).unwrap().into_u16().collect();
    let weights: Vec<_> = reader.read_weights(0).unwrap().into_f32().collect();
    assert_eq!(joints, [[[0, 1, 0, 0]; 4], [[1, 0, 0, 0]; 4]].concat());
    assert!(
        weights
            .iter()
            .all(|weights| *weights == [0.75, 0.25, 0.0, 0.0])
    );
}

#[test]
fn surfaces_lights_and_cameras_come_back() {
    let back = read_back(&everything(), Container::Gltf);
    let names: Vec<_> = back
        .document
        .materials()
        .map(|material| material.name().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["specimen", "leaf", "leaf_2"]);
    let leaf = back.document.materials().nth(1).unwrap();
    assert!(leaf.unlit() && leaf.double_sided());
    assert_eq!(
        (leaf.alpha_mode(), leaf.alpha_cutoff()),
        (gltf::material::AlphaMode::Mask, Some(0.5))
    );
    assert_eq!(leaf.pbr_metallic_roughness().metallic_factor(), 0.0);
    let texture = leaf.pbr_metallic_roughness().base_color_texture().unwrap();
    assert_eq!(texture.tex_coord(), 1);
    let transform = texture.texture_transform().unwrap();
    assert_eq!(
        (transform.offset(), transform.rotation(), transform.scale()),
        ([0.1, 0.0], 0.5, [2.0, 1.0])
    );
    let sampler = texture.texture().sampler();
    assert_eq!(sampler.wrap_s(), gltf::texture::WrappingMode::ClampToEdge);
    assert_eq!(
        sampler.wrap_t(),
        gltf::texture::WrappingMode::MirroredRepeat
    );
    assert_eq!(
        sampler.min_filter(),
        Some(gltf::texture::MinFilter::Nearest)
    );
    let gltf::image::Source::Uri { uri, mime_type } = texture.texture().source().source() else {
        panic!("the picture is beside the file");
    };
    assert_eq!(
        (uri, mime_type),
        ("text%20ures/r%C3%BCst%20%231.png", Some("image/png"))
    );
    assert_eq!(texture.texture().source().name(), Some("rust_b"));
    let glass = back.document.materials().nth(2).unwrap();
    assert_eq!(glass.alpha_mode(), gltf::material::AlphaMode::Blend);
    assert_eq!(glass.alpha_cutoff(), None);
    assert_eq!(
        glass.pbr_metallic_roughness().base_color_factor(),
        [0.1, 0.2, 0.3, 0.4]
    );
    assert_eq!(glass.emissive_factor(), [0.0, 0.5, 1.0]);

    let variants: Vec<_> = back
        .document
        .variants()
        .unwrap()
        .map(|variant| variant.name().to_owned())
        .collect();
    assert_eq!(
        variants,
        ["red", "blue"],
        "a look that changes nothing is left out"
    );
    let boxes = back
        .document
        .meshes()
        .find(|mesh| mesh.name() == Some("boxes"))
        .unwrap();
    let primitive = boxes.primitives().next().unwrap();
    let mappings: Vec<_> = primitive
        .mappings()
        .map(|mapping| {
            (
                mapping.material().index().unwrap(),
                mapping.variants().to_vec(),
            )
        })
        .collect();
    assert_eq!(mappings, [(2, vec![1]), (1, vec![0])]);

    let sun = back.node("box_1_2");
    let light = sun.light().unwrap();
    assert!(matches!(
        light.kind(),
        gltf::khr_lights_punctual::Kind::Directional
    ));
    assert_eq!(
        (light.intensity(), light.color(), light.range()),
        (3.0, [1.0, 0.9, 0.8], None)
    );
    let camera = sun.camera().unwrap();
    let gltf::camera::Projection::Perspective(eye) = camera.projection() else {
        panic!("cameras are perspective");
    };
    assert_eq!(
        (eye.yfov(), eye.aspect_ratio(), eye.znear(), eye.zfar()),
        (1.0, Some(1.5), 0.5, Some(2000.0))
    );
    let lamp = back.node("box_1_3").light().unwrap();
    assert!(matches!(
        lamp.kind(),
        gltf::khr_lights_punctual::Kind::Spot {
            inner_cone_angle: 0.25,
            outer_cone_angle: 0.5
        }
    ));
    assert_eq!(lamp.range(), Some(20.0));
    let used = [
        "KHR_lights_punctual",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_texture_transform",
    ];
    assert_eq!(back.json["extensionsUsed"], json!(used));
    assert!(back.json.get("extensionsRequired").is_none());
    let plain = read_back(&specimen::scene(), Container::Gltf);
    assert!(plain.json.get("extensionsUsed").is_none());
}

#[test]
fn clips_come_back() {
    use gltf::animation::util::ReadOutputs;
    let back = read_back(&everything(), Container::Glb);
    let names: Vec<_> = back
        .document
        .animations()
        .map(|clip| clip.name().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        ["walk", "walk_2"],
        "a clip that moves nothing is left out"
    );
    let walk = back.document.animations().next().unwrap();
    let mut inputs = Vec::new();
    for channel in walk.channels() {
        let reader = channel.reader(back.bytes());
        assert!(reader.read_inputs().unwrap().eq([0.0, 0.5, 1.25]));
        inputs.push(channel.sampler().input().index());
        let node = channel.target().node();
        let between = channel.sampler().interpolation();
        match reader.read_outputs().unwrap() {
            ReadOutputs::Rotations(values) => {
                assert_eq!(
                    (node.name(), between),
                    (Some("knee"), gltf::animation::Interpolation::Linear)
                );
                let values: Vec<[f32; 4]> = values.into_f32().collect();
                let wanted: [[f32; 4]; 3] = [
                    [0.0, 0.0, 0.0, 1.0],
                    [0.0, 0.6, 0.0, 0.8],
                    [0.0, 0.0, 0.0, 1.0],
                ];
                assert_eq!(values.len(), wanted.len());
                for (value, wanted) in values.iter().flatten().zip(wanted.iter().flatten()) {
                    assert!((value - wanted).abs() < 1e-6, "{values:?}");
                }
            }
            ReadOutputs::Translations(values) => {
                assert_eq!(
                    (node.name(), between),
                    (Some("knee"), gltf::animation::Interpolation::Step)
                );
                let values: Vec<_> = values.collect();
                assert_eq!(values, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 3.0]]);
                assert!(values[2][0].is_sign_positive());
            }
            ReadOutputs::Scales(values) => {
                assert_eq!(values.collect::<Vec<_>>(), [[1.0; 3], [2.0; 3], [1.0; 3]])
            }
            ReadOutputs::MorphTargetWeights(values) => {
                assert_eq!(node.name(), Some("bender"));
                assert!(values.into_f32().eq([0.0, 0.1, 0.2, 0.3, 0.4, 0.5]));
            }
        }
    }
    assert_eq!(inputs, [inputs[0]; 4], "equal key times are shared");
    assert_eq!(
        back.json["animations"][0]["extras"],
        json!({"zipper": {"frames": 2}})
    );
}

#[test]
fn variants_are_in_all_primitives_of_a_mesh_or_in_none() {
    let mut scene = everything();
    let own = |mesh: &gltf::Mesh<'_>| -> Vec<Vec<(Option<usize>, Vec<u32>)>> {
        let primitives = mesh.primitives().map(|primitive| {
            let mappings = primitive.mappings();
            let mappings = mappings.map(|it| (it.material().index(), it.variants().to_vec()));
            mappings.collect()
        });
        primitives.collect()
    };
    let boxes = scene.meshes.iter_mut().find(|mesh| mesh.name == "boxes");
    let boxes = boxes.unwrap();
    let mut plain = boxes.primitives[0].clone();
    plain.variants.clear();
    boxes.primitives.push(plain);
    for container in [Container::Gltf, Container::Glb] {
        let back = read_back(&scene, container);
        for mesh in back.document.meshes() {
            let found = own(&mesh);
            match mesh.name() {
                Some("boxes") => assert_eq!(
                    found,
                    [
                        vec![(Some(2), vec![1]), (Some(1), vec![0])],
                        vec![(Some(1), vec![0, 1])]
                    ]
                ),
                _ => assert!(found.iter().all(Vec::is_empty)),
            }
        }
    }
}
