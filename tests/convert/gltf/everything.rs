//! A scene with every feature of scenes.

use glam::{DMat4, DVec3, Quat, Vec3};
use relicast::scene::model::{
    AlphaMode, Camera, Channel, Clip, Corner, Extras, Filter, Interpolation, Layout, Light,
    LightKind, Material, MaterialId, Mesh, MorphTarget, Node, NodeId, Placement, Primitive,
    PrimitiveBuilder, Sampler, Scene, Skin, Texture, TextureRef, Track, Transform, UvTransform,
    VariantMaterial, Wrap, specimen,
};
use relicast::scene::space::matrix_from_rows;
use serde_json::json;

use super::{extras, named};

/// A box with the attributes of a layout, in one of the colors.
pub fn box_of(layout: Layout, material: MaterialId) -> Primitive {
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
            color: Some([u16::from(corner) * 9000, 30_000, 65_535, 65_535]),
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
pub fn everything() -> Scene {
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
        base_color: [0.1, 0.2, 0.3, 0.4],
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
        colors: true,
        ..Layout::default()
    };
    let mut colored = box_of(plain, masked);
    colored.extras = extras(json!({"priority": 3}));
    colored.variants = vec![
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
        primitives: vec![colored, Primitive::default()],
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
        color: [1.0, 0.9, 0.8],
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
        color: [1.0; 3],
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
