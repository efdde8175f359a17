//! Scenes written as glTF, read back by the `gltf` crate and judged by the Khronos validator.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use glam::{DMat4, DVec3, Quat, Vec3};
use relicast::emit::gltf::{Container, GltfError, GltfFiles, GltfOptions, ImageSource, encode};
use relicast::emit::png::{self, Effort};
use relicast::scene::model::{
    AlphaMode, Camera, Channel, Clip, Corner, Extras, Filter, Interpolation, Layout, Light,
    LightKind, Material, MaterialId, Mesh, MeshId, MorphTarget, Node, NodeId, Placement, Primitive,
    PrimitiveBuilder, Sampler, Scene, Skin, Texture, TextureRef, Track, Transform, UvTransform,
    VariantMaterial, Wrap, specimen,
};
use relicast::scene::space::matrix_from_rows;
use serde_json::{Value, json};

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
    let options = GltfOptions {
        binary_path: "a scene.bin",
        images: &Pictures::new(),
        container,
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

/// A box with the attributes of a layout, in one of the colours.
fn box_of(layout: Layout, material: MaterialId) -> Primitive {
    let mut builder = PrimitiveBuilder::new(layout);
    let morphs = [[0.5, 0.0, -0.0], [0.0, 1.0, 0.0]];
    for (index, corners) in [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5]]
        .into_iter()
        .enumerate()
    {
        let corners = corners.map(|corner: u8| Corner {
            position: [0, 1, 2].map(|axis| f32::from(corner >> axis & 1) - 0.5),
            normal: None,
            uvs: &[[0.25, -0.0], [2.0, 3.0]],
            colour: Some([u16::from(corner) * 9000, 30_000, 65_535, 65_535]),
            skin: Some((
                [index as u16 / 2, 1 - index as u16 / 2, 0, 0],
                [3.0, 1.0, 0.0, 0.0],
            )),
            morphs: &morphs,
        });
        assert!(builder.triangle([&corners[0], &corners[1], &corners[2]]));
    }
    let mut primitive = builder.finish();
    primitive.material = Some(material);
    primitive
}

/// A scene with everything in it.
fn everything() -> Scene {
    let mut scene = specimen::scene();
    scene.extras = extras(json!({"zipper": {"forward": "-Z"}}));
    let other = scene.add_texture(Texture {
        name: "rust.b".to_owned(),
        key: "rüst #1.png".to_owned(),
        sampler: Sampler {
            wrap_u: Wrap::Clamp,
            wrap_v: Wrap::Mirror,
            filter: Filter::Nearest,
        },
        extras: Extras::new(),
    });
    let masked = scene.add_material(Material {
        name: "leaf".to_owned(),
        base_texture: Some(TextureRef {
            texture: other,
            uv_set: 1,
            transform: Some(UvTransform {
                offset: [0.1, -0.0],
                rotation: 0.5,
                scale: [2.0, 1.0],
            }),
        }),
        alpha: AlphaMode::Mask { cutoff: 0.5 },
        double_sided: true,
        unlit: true,
        extras: extras(json!({"zipper": {"soil": 8}})),
        ..Material::default()
    });
    let glass = scene.add_material(Material {
        name: "leaf".to_owned(),
        base_colour: [0.1, 0.2, 0.3, 0.4],
        alpha: AlphaMode::Blend,
        emissive: [0.0, 0.5, 1.0],
        ..Material::default()
    });
    scene.add_material(Material {
        name: "unused".to_owned(),
        ..Material::default()
    });
    let red = scene.add_variant("red");
    scene.add_variant("unused");
    let blue = scene.add_variant("blue");

    let plain = Layout {
        normals: true,
        uv_sets: 2,
        colours: true,
        ..Layout::default()
    };
    let mut coloured = box_of(plain, masked);
    coloured.extras = extras(json!({"priority": 3}));
    coloured.variants = vec![
        VariantMaterial {
            variant: blue,
            material: glass,
        },
        VariantMaterial {
            variant: red,
            material: masked,
        },
    ];
    let bent = Layout {
        normals: true,
        morph_targets: 2,
        ..Layout::default()
    };
    let boxes = scene.add_mesh(Mesh {
        name: "boxes".to_owned(),
        primitives: vec![coloured, Primitive::default()],
        ..Mesh::default()
    });
    let morphing = scene.add_mesh(Mesh {
        name: "morphing".to_owned(),
        primitives: vec![box_of(bent, glass)],
        morph_targets: vec![
            MorphTarget {
                name: "wide".to_owned(),
                weight: 0.25,
            },
            MorphTarget {
                name: "high".to_owned(),
                weight: -0.0,
            },
        ],
        ..Mesh::default()
    });
    let empty = scene.add_mesh(Mesh::default());
    let skinned_layout = Layout {
        normals: true,
        skin: true,
        ..Layout::default()
    };
    let skinned = scene.add_mesh(Mesh {
        name: "skinned".to_owned(),
        primitives: vec![box_of(skinned_layout, glass)],
        ..Mesh::default()
    });

    let root = scene.roots[0];
    let sun = scene.add_light(Light {
        name: "sun".to_owned(),
        kind: LightKind::Directional,
        colour: [1.0, 0.9, 0.8],
        intensity: 3.0,
        range: None,
        extras: extras(json!({"ambient": 0.25})),
    });
    let lamp = scene.add_light(Light {
        name: "lamp".to_owned(),
        kind: LightKind::Spot {
            inner: 0.25,
            outer: 0.5,
        },
        colour: [1.0; 3],
        intensity: 100.0,
        range: Some(20.0),
        extras: Extras::new(),
    });
    let eye = scene.add_camera(Camera {
        name: "eye".to_owned(),
        vertical_angle: 1.0,
        aspect: Some(1.5),
        near: 0.5,
        far: Some(2000.0),
        extras: Extras::new(),
    });
    // Shear and mirror at once.
    let matrix = matrix_from_rows(
        [[1.0, 0.5, 0.0], [0.0, -2.0, 0.25], [0.0, 0.0, 1.0]],
        [4.0, 5.0, 6.0],
    );
    let placement = Placement::from_matrix(&matrix).unwrap();
    let sheared = scene.add_placed(
        Node {
            mesh: Some(boxes),
            extras: extras(json!({"zipper": {"index": 5, "name": "box.1"}})),
            ..named("box.1")
        },
        &placement,
    );
    assert_ne!(sheared.outer, sheared.inner);
    scene.add_child(root, sheared.outer);
    let children = [
        Node {
            light: Some(sun),
            camera: Some(eye),
            ..named("box_1")
        },
        Node {
            light: Some(lamp),
            ..named("box_1")
        },
        Node {
            mesh: Some(morphing),
            transform: Transform {
                translation: Vec3::new(-0.0, 1.5, 0.0),
                rotation: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
                scale: Vec3::new(1.0, -1.0, 2.0),
            },
            ..named("bender")
        },
        Node {
            mesh: Some(boxes),
            ..named("again-col")
        },
        Node {
            mesh: Some(empty),
            ..named("")
        },
    ];
    for child in children {
        let child = scene.add_node(child);
        scene.add_child(root, child);
    }
    let hip = scene.add_node(named("hip"));
    let knee = scene.add_node(Node {
        transform: Transform::from_translation(Vec3::new(0.0, -1.0, 0.0)),
        ..named("knee")
    });
    scene.add_child(hip, knee);
    let skin = scene.add_skin(Skin {
        name: "bones".to_owned(),
        joints: vec![
            (hip, DMat4::IDENTITY),
            (knee, DMat4::from_translation(DVec3::new(0.0, 1.0, 0.0))),
        ],
        skeleton: Some(hip),
        extras: Extras::new(),
    });
    let body = scene.add_node(Node {
        mesh: Some(skinned),
        skin: Some(skin),
        ..named("body")
    });
    scene.roots.extend([hip, body]);
    scene.clips = clips(&scene, knee);
    scene
}

fn clips(scene: &Scene, knee: NodeId) -> Vec<Clip> {
    let bender = NodeId::from(
        scene
            .nodes
            .iter()
            .position(|node| node.name == "bender")
            .unwrap(),
    );
    let channel = |node, interpolation, track| Channel {
        node,
        times: vec![0.0, 0.5, 1.25],
        interpolation,
        track,
    };
    let turn = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    let walk = Clip {
        hint: None,
        name: "walk".to_owned(),
        channels: vec![
            channel(
                knee,
                Interpolation::Linear,
                Track::Rotation(vec![Quat::IDENTITY, turn * 1.001, Quat::IDENTITY]),
            ),
            channel(
                knee,
                Interpolation::Step,
                Track::Translation(vec![Vec3::ZERO, Vec3::Y, Vec3::new(-0.0, 2.0, 3.0)]),
            ),
            channel(
                bender,
                Interpolation::Linear,
                Track::Scale(vec![Vec3::ONE, Vec3::splat(2.0), Vec3::ONE]),
            ),
            channel(
                bender,
                Interpolation::Linear,
                Track::Weights(vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
            ),
        ],
        surfaces: Vec::new(),
        extras: extras(json!({"zipper": {"frames": 2}})),
    };
    let nothing = Clip {
        name: "nothing".to_owned(),
        ..Clip::default()
    };
    let again = Clip {
        channels: vec![channel(
            knee,
            Interpolation::Linear,
            Track::Translation(vec![Vec3::ZERO, Vec3::Y, Vec3::ZERO]),
        )],
        extras: Extras::new(),
        ..walk.clone()
    };
    vec![walk, nothing, again]
}

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
            // The box on whose surface the triangle lies, with the normal pointing out of it. Boxes
            // touch, but where they do their normals are opposite.
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
fn pictures_stand_upright_on_the_specimen() {
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
    let colours = reader.read_colors(0).unwrap().into_rgba_u16();
    assert!(colours.eq(source.primitives[0].colours.iter().copied()));
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
    let expected = json!({
        "asset": {"generator": "relicast", "version": "2.0"},
        "scene": 0,
        "nodes": [{"name": "alone"}],
        "scenes": [{"nodes": [0]}],
    });
    assert_eq!(serde_json::from_slice::<Value>(&json).unwrap(), expected);
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
            refused(&|scene| scene.meshes[boxes].primitives[0].positions[0][1] = f32::NAN),
        ),
        (
            "texture coordinates of mesh 4 is not finite",
            refused(&|scene| scene.meshes[boxes].primitives[0].uvs[1][0][1] = f32::INFINITY),
        ),
        (
            "normals of mesh 4 is out of range",
            refused(&|scene| scene.meshes[boxes].primitives[0].normals[0] = [0.0; 3]),
        ),
        (
            "indices of mesh 4 is out of range",
            refused(&|scene| scene.meshes[boxes].primitives[0].indices[0] = 99),
        ),
        (
            "colours of mesh 4 must have 8 values",
            refused(&|scene| {
                scene.meshes[boxes].primitives[0].colours.pop();
            }),
        ),
        (
            "mesh 4 has 1 sets of texture coordinates but material 1 needs 2",
            refused(&|scene| {
                scene.meshes[boxes].primitives[0].uvs.pop();
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
            "node 1 is the root or child of more than one place",
            refused(&|scene| scene.roots.push(NodeId(1))),
        ),
        (
            "node 0 is the root or child of more than one place",
            refused(&|scene| scene.add_child(NodeId(3), NodeId(0))),
        ),
        (
            "node 15 is neither a root nor below one",
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
            "base colour of material 2 is out of range",
            refused(&|scene| scene.materials[2].base_colour[3] = 1.5),
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

#[test]
fn the_khronos_validator_has_nothing_to_say() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let modules = target.join("validator");
    if !modules.join("node_modules/gltf-validator").is_dir() {
        println!(
            "SKIPPED: the Khronos validator is not installed; cargo xtask validate installs it"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let textures = folder.path().join("text ures");
    std::fs::create_dir(&textures).unwrap();
    let pictures = Pictures::new();
    let mut files = Vec::new();
    for (name, scene) in [
        ("specimen", specimen::scene()),
        ("everything", everything()),
    ] {
        for texture in &scene.textures {
            std::fs::write(textures.join(&texture.key), &pictures.png).unwrap();
        }
        let GltfFiles::Glb(glb) = write(&scene, Container::Glb).unwrap() else {
            panic!("asked for .glb");
        };
        let path = folder.path().join(format!("{name}.glb"));
        std::fs::write(&path, glb).unwrap();
        files.push(path);
        // Both scenes share a path of the buffer, so each has a folder of its own.
        let own = folder.path().join(name);
        std::fs::create_dir_all(own.join("text ures")).unwrap();
        for texture in &scene.textures {
            std::fs::copy(
                textures.join(&texture.key),
                own.join("text ures").join(&texture.key),
            )
            .unwrap();
        }
        let GltfFiles::Gltf { json, bin } = write(&scene, Container::Gltf).unwrap() else {
            panic!("asked for .gltf");
        };
        std::fs::write(own.join("a scene.bin"), bin).unwrap();
        let path = own.join(format!("{name}.gltf"));
        std::fs::write(&path, json).unwrap();
        files.push(path);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("xtask/validator/validate.cjs");
    let mut node = Command::new("node")
        .args([&script, &modules])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    for file in &files {
        writeln!(input, "{}", file.display()).unwrap();
    }
    drop(input);
    let output = node.wait_with_output().unwrap();
    let reports: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(reports.len(), files.len());
    for report in reports {
        for message in report["messages"].as_array().unwrap() {
            // A node without anything is what a marker is, and a material may wear its texture on the
            // second set of texture coordinates alone.
            assert_eq!(message["severity"], "info", "{report}");
            let code = message["code"].as_str().unwrap();
            assert!(["NODE_EMPTY", "UNUSED_OBJECT"].contains(&code), "{report}");
        }
    }
}
