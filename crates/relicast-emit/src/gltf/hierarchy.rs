//! Nodes, and the skins, lights and cameras on them.

use gltf_json as json;
use json::Index;
use json::camera::{Perspective, Type as CameraType};
use json::extensions::root::KhrMaterialsVariants;
use json::extensions::scene::khr_lights_punctual::{
    KhrLightsPunctual, Light as JsonLight, Spot, Type,
};
use json::extensions::scene::khr_materials_variants::Variant;
use json::scene::UnitQuaternion;
use json::validation::Checked;

use serde_json::{Value, json};

use super::binary::{Binary, Bounds, Section};
use super::check::Used;
use super::error::{GltfError, Part};
use super::values::raw_extras;
use relicast_scene::model::{
    Camera, DetailGroup, Light, LightKind, Node, Scene, SceneNames, Skin, Transform, number,
};

/// Writes the nodes and everything on them to a file that has its meshes.
pub(super) fn write(
    scene: &Scene,
    names: &SceneNames,
    used: &Used,
    binary: &mut Binary,
    root: &mut json::Root,
) -> Result<(), GltfError> {
    root.nodes = (scene.nodes.iter().zip(&names.nodes).enumerate())
        .map(|(index, (one, name))| node(one, name, used, Part("node", index)))
        .collect::<Result<_, _>>()?;
    for group in &scene.detail_groups {
        detail_group(group, scene, &mut root.nodes)?;
    }
    let first = (&scene.name, &scene.roots, &scene.extras);
    let others = scene.others.iter();
    let others = others.map(|other| (&other.name, &other.roots, &other.extras));
    for (name, roots, extras) in std::iter::once(first).chain(others) {
        root.scenes.push(json::Scene {
            extensions: None,
            extras: raw_extras(extras)?,
            name: (!name.is_empty()).then(|| name.clone()),
            nodes: roots.iter().map(|root| Index::new(root.0)).collect(),
        });
    }
    root.scene = Some(Index::new(0));
    for id in used.skins.list().iter().map(|&id| id as usize) {
        let skin = skin(&scene.skins[id], &names.skins[id], binary, Part("skin", id))?;
        root.skins.push(skin);
    }
    for id in used.cameras.list().iter().map(|&id| id as usize) {
        let camera = camera(&scene.cameras[id], &names.cameras[id], Part("camera", id))?;
        root.cameras.push(camera);
    }
    let lights = used.lights.list().iter().map(|&id| id as usize);
    let lights = lights.map(|id| light(&scene.lights[id], &names.lights[id], Part("light", id)));
    let lights = lights.collect::<Result<Vec<_>, _>>()?;
    let variants = used.variants.list().iter().map(|&id| Variant {
        name: names.variants[id as usize].clone(),
    });
    let variants: Vec<Variant> = variants.collect();
    if !(lights.is_empty() && variants.is_empty()) {
        root.extensions = Some(json::extensions::root::Root {
            khr_lights_punctual: (!lights.is_empty())
                .then_some(json::extensions::root::KhrLightsPunctual { lights }),
            khr_materials_variants: (!variants.is_empty())
                .then_some(KhrMaterialsVariants { variants }),
            ..Default::default()
        });
    }
    Ok(())
}

fn node(node: &Node, name: &str, used: &Used, part: Part) -> Result<json::Node, GltfError> {
    let Transform {
        translation,
        rotation,
        scale,
    } = node.transform;
    let finite = |field, finite: bool| {
        if finite {
            Ok(())
        } else {
            Err(GltfError::NotFinite { part, field })
        }
    };
    finite("translation", translation.is_finite())?;
    finite("scale", scale.is_finite())?;
    let rotation = unit_rotation(rotation).ok_or(GltfError::NotFinite {
        part,
        field: "rotation",
    })?;
    let plain = |values: [f32; 3], default: [f32; 3]| {
        (values != default).then(|| values.map(|value| value + 0.0))
    };
    let mesh = node.mesh.and_then(|id| used.meshes.place(id.0));
    let skin = node.skin.filter(|_| mesh.is_some());
    let light = node.light.and_then(|id| used.lights.place(id.0));
    let children: Vec<_> = node
        .children
        .iter()
        .map(|child| Index::new(child.0))
        .collect();
    let mut extensions = light.map(|light| json::extensions::scene::Node {
        khr_lights_punctual: Some(KhrLightsPunctual {
            light: Index::new(light),
        }),
        ..Default::default()
    });
    if let Some(shown) = node.shown {
        let others = &mut extensions.get_or_insert_default().others;
        let visibility = json!({ "visible": shown });
        others.insert("KHR_node_visibility".to_owned(), visibility);
    }
    Ok(json::Node {
        camera: node
            .camera
            .and_then(|id| used.cameras.place(id.0))
            .map(Index::new),
        children: (!children.is_empty()).then_some(children),
        extensions,
        extras: raw_extras(&node.extras)?,
        mesh: mesh.map(Index::new),
        name: Some(name.to_owned()),
        rotation: (rotation != [0.0, 0.0, 0.0, 1.0]).then_some(UnitQuaternion(rotation)),
        scale: plain(scale.to_array(), [1.0; 3]),
        translation: plain(translation.to_array(), [0.0; 3]),
        skin: skin.and_then(|id| used.skins.place(id.0)).map(Index::new),
        ..json::Node::default()
    })
}

/// Lists the coarser levels of detail at the node of the finest.
fn detail_group(
    group: &DetailGroup,
    scene: &Scene,
    nodes: &mut [json::Node],
) -> Result<(), GltfError> {
    let Some((finest, coarser)) = group.levels.split_first() else {
        return Ok(());
    };
    let holder = Part("node", finest.index());
    for level in &group.levels {
        if level.index() >= nodes.len() {
            let target = Part("node", level.index());
            return Err(GltfError::Missing { holder, target });
        }
    }
    let ids: Vec<u32> = coarser.iter().map(|level| level.0).collect();
    let mut extras = scene.nodes[finest.index()].extras.clone();
    let shares: Vec<Value> = group.coverage.iter().map(|&share| number(share)).collect();
    extras.insert("MSFT_screencoverage".to_owned(), shares.into());
    let node = &mut nodes[finest.index()];
    node.extras = raw_extras(&extras)?;
    let extensions = node.extensions.get_or_insert_default();
    let levels = json!({ "ids": ids });
    extensions.others.insert("MSFT_lod".to_owned(), levels);
    Ok(())
}

/// X, y, z and w of a rotation, normalized; `None` for the zero quaternion.
pub(super) fn unit_rotation(rotation: glam::Quat) -> Option<[f32; 4]> {
    let wide = rotation.as_dquat();
    let length = wide.length();
    (length.is_finite() && length > 0.0)
        .then(|| (wide / length).to_array().map(|value| value as f32 + 0.0))
}

fn skin(skin: &Skin, name: &str, binary: &mut Binary, part: Part) -> Result<json::Skin, GltfError> {
    let mut matrices = Vec::with_capacity(skin.joints.len());
    for (_, matrix) in &skin.joints {
        if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
            let field = "inverse bind matrices";
            return Err(GltfError::OutOfRange {
                part,
                field,
                rule: "the last row must be 0 0 0 1",
            });
        }
        matrices.push(matrix.to_cols_array().map(|value| value as f32));
    }
    let of = (part, "inverse bind matrices");
    let matrices = binary.floats(Section::Matrices, &matrices, Bounds::Absent, of)?;
    Ok(json::Skin {
        extensions: None,
        extras: raw_extras(&skin.extras)?,
        inverse_bind_matrices: Some(matrices),
        joints: skin
            .joints
            .iter()
            .map(|(joint, _)| Index::new(joint.0))
            .collect(),
        name: Some(name.to_owned()),
        skeleton: skin.skeleton.map(|node| Index::new(node.0)),
    })
}

fn camera(camera: &Camera, name: &str, part: Part) -> Result<json::Camera, GltfError> {
    let Camera {
        vertical_angle,
        aspect,
        near,
        far,
        ..
    } = *camera;
    let positive = |value: f32| value > 0.0 && value.is_finite();
    let require = |field, rule, holds: bool| {
        if holds {
            Ok(())
        } else {
            Err(GltfError::OutOfRange { part, field, rule })
        }
    };
    let angle_fits = vertical_angle > 0.0 && vertical_angle < std::f32::consts::PI;
    require("vertical angle", "between 0 and π", angle_fits)?;
    require("aspect", "above 0", aspect.is_none_or(positive))?;
    require("near", "above 0", positive(near))?;
    require(
        "far",
        "above near",
        far.is_none_or(|far| far > near && far.is_finite()),
    )?;
    Ok(json::Camera {
        name: Some(name.to_owned()),
        orthographic: None,
        perspective: Some(Perspective {
            aspect_ratio: aspect,
            yfov: vertical_angle,
            zfar: far,
            znear: near,
            extensions: None,
            extras: None,
        }),
        type_: Checked::Valid(CameraType::Perspective),
        extensions: None,
        extras: raw_extras(&camera.extras)?,
    })
}

fn light(light: &Light, name: &str, part: Part) -> Result<JsonLight, GltfError> {
    let require = |field, rule, holds: bool| {
        if holds {
            Ok(())
        } else {
            Err(GltfError::OutOfRange { part, field, rule })
        }
    };
    let colored = light.color.iter().all(|value| (0.0..=1.0).contains(value));
    require("color", "0 to 1", colored)?;
    require(
        "intensity",
        "0 or more",
        light.intensity >= 0.0 && light.intensity.is_finite(),
    )?;
    let reaches = light
        .range
        .is_none_or(|range| range > 0.0 && range.is_finite());
    require("range", "above 0", reaches)?;
    let (kind, range, spot) = match light.kind {
        LightKind::Directional => (Type::Directional, None, None),
        LightKind::Point => (Type::Point, light.range, None),
        LightKind::Spot { inner, outer } => {
            let fits = 0.0 <= inner && inner < outer && outer <= std::f32::consts::FRAC_PI_2;
            require("cone", "0 ≤ inner < outer ≤ π/2", fits)?;
            let cone = Spot {
                inner_cone_angle: inner + 0.0,
                outer_cone_angle: outer,
            };
            (Type::Spot, light.range, Some(cone))
        }
    };
    Ok(JsonLight {
        color: light.color.map(|value| value + 0.0),
        extensions: None,
        extras: raw_extras(&light.extras)?,
        intensity: light.intensity + 0.0,
        name: Some(name.to_owned()),
        range,
        spot,
        type_: Checked::Valid(kind),
    })
}
