//! Lights, cameras, fog and background.

use std::f32::consts::PI;

use glam::{DMat4, DQuat, DVec3};
use serde_json::{Map, Value, json};

use crate::config::Config;
use crate::convert::zipper::scene::extras::zipper;
use crate::convert::zipper::scene::hierarchy::{HierarchyBuilder, Nodes};
use crate::formats::codec::Vec3;
use crate::formats::zipper::ZipperGame;
use crate::formats::zipper::gamez::{
    Camera, FogType, GameZ, Light, LightFlags, Node, NodeData, World,
};
use crate::scene::model::{self, LightKind, NodeId, Placement, number};

type WorldAssembly<'s, 'l, 'a, N> = HierarchyBuilder<'s, 'l, 'a, N>;

/// Rotation about z, then x, then y. Angles in radians. Computed in software, so that results are the same on
/// every machine.
fn rotation(angles: Vec3) -> DQuat {
    let about = |axis: DVec3, angle: f32| {
        let half = f64::from(angle) / 2.0;
        let (sine, cosine) = (libm::sin(half), libm::cos(half));
        DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
    };
    let [x, y, z] = angles.to_array();
    about(DVec3::Y, y) * about(DVec3::X, x) * about(DVec3::Z, z)
}

fn placed(angles: Vec3, place: Vec3) -> Option<model::Transform> {
    let place = DVec3::from_array(place.to_array().map(f64::from));
    let matrix = DMat4::from_rotation_translation(rotation(angles), place);
    Placement::from_matrix(&matrix)
        .ok()
        .map(|placement| placement.outer())
}

/// Adds lights and cameras, each on a node of its own unless its node is in the scene already.
pub(super) fn add<N: Nodes>(
    gamez: &GameZ,
    above: Option<NodeId>,
    config: &Config,
    hierarchy: &mut WorldAssembly<'_, '_, '_, N>,
) {
    for (index, node) in gamez.nodes.used.iter().enumerate() {
        let is_light = match &node.data {
            NodeData::Light(_) => true,
            NodeData::Camera(_) => false,
            _ => continue,
        };
        if !hierarchy.has(index) {
            hierarchy.add(&[index], above.filter(|_| is_light));
        }
        let Some(id) = hierarchy.in_main(index) else {
            continue;
        };
        furnish(node, id, config, hierarchy.main());
    }
}

/// Gives a node of a scene the light or the camera that it stands for, and its place.
pub(super) fn furnish(source: &Node, id: NodeId, config: &Config, scene: &mut model::Scene) {
    let scale = finite(config.scenes.light_scale, 0.0);
    match &source.data {
        NodeData::Light(light) => {
            let transform = placed(light.record.orientation, light.record.translate);
            let light_id = scene.add_light(light_of(light, source.name(), scale));
            let node = &mut scene.nodes[id.index()];
            node.transform = transform.unwrap_or_default();
            node.light = Some(light_id);
        }
        NodeData::Camera(camera) => {
            let transform = placed(camera.rotate, camera.translate);
            let camera_id = camera_of(camera, source.name());
            let camera_id = camera_id.map(|camera| scene.add_camera(camera));
            let node = &mut scene.nodes[id.index()];
            node.transform = transform.unwrap_or_default();
            node.camera = camera_id;
        }
        _ => {}
    }
}

fn finite(value: f32, least: f32) -> f32 {
    if value.is_finite() {
        value.max(least)
    } else {
        least
    }
}

/// The sun shines along its node's -Z. The games light surfaces by at most 1; a surface that faces a
/// sun of π lux is as bright as its colour.
pub(super) fn light_of(light: &Light, name: String, scale: f32) -> model::Light {
    let record = &light.record;
    let flags = light.flags();
    let far = finite(record.range_far.0, 0.0);
    let diffuse = finite(record.diffuse.0, 0.0);
    let parallel = LightFlags::DIRECTIONAL | LightFlags::DIRECTED_SOURCE;
    let is_point = flags.contains(LightFlags::POINT_SOURCE) && !flags.intersects(parallel);
    let triple = |parts: Vec3| Value::from_iter(parts.to_array().map(number));
    let names: Vec<String> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    let extras = json!({
        "flags": names,
        "diffuse": number(record.diffuse.0),
        "ambient": number(record.ambient.0),
        "color": triple(record.color),
        "near": number(record.range_near.0),
        "far": number(record.range_far.0),
    });
    let extras = match extras {
        Value::Object(extras) => extras,
        _ => Map::new(),
    };
    let intensity = if is_point {
        far * far * 0.25 * diffuse
    } else {
        PI * diffuse
    };
    model::Light {
        name,
        kind: if is_point {
            LightKind::Point
        } else {
            LightKind::Directional
        },
        colour: record
            .color
            .to_array()
            .map(|part| finite(part, 0.0).min(1.0)),
        intensity: finite(intensity * scale, 0.0),
        range: (is_point && far > 0.0).then_some(far),
        extras: zipper(extras),
    }
}

/// A camera; `None` if its planes or angles are not valid.
fn camera_of(camera: &Camera, name: String) -> Option<model::Camera> {
    let (near, far) = (camera.clip_near.0, camera.clip_far.0);
    let vertical = camera.fov_v_base.0 / camera.fov_v_scale.0;
    let horizontal = camera.fov_h_base.0 / camera.fov_h_scale.0;
    let is_angle = |angle: f32| angle > 0.0 && angle < PI;
    let sees = near > 0.0 && far > near && far.is_finite() && is_angle(vertical);
    let half_tangent = |angle: f32| libm::tan(f64::from(angle) / 2.0);
    let aspect = (half_tangent(horizontal) / half_tangent(vertical)) as f32;
    sees.then(|| model::Camera {
        name,
        vertical_angle: vertical,
        aspect: (is_angle(horizontal) && aspect.is_finite() && aspect > 0.0).then_some(aspect),
        near,
        far: Some(far),
        extras: model::Extras::new(),
    })
}

/// Notes which nodes follow the camera: the sky.
pub(super) fn note_sky<N: Nodes>(gamez: &GameZ, hierarchy: &mut WorldAssembly<'_, '_, '_, N>) {
    for node in &gamez.nodes.used {
        let NodeData::Camera(camera) = &node.data else {
            continue;
        };
        for (focus, axes) in [(camera.focus_node_xy, "xyz"), (camera.focus_node_xz, "xz")] {
            let focus = usize::try_from(focus).ok();
            if let Some(focus) = focus.filter(|&focus| focus < gamez.nodes.used.len()) {
                let notes = hierarchy.notes.entry(focus).or_default();
                notes.insert("sky".to_owned(), Value::from(axes));
                hierarchy.sky_nodes.insert(focus);
            }
        }
    }
    // Crimson Skies has its sky below a child of the world.
    let world = gamez.nodes.world();
    let children = world.map(|(index, _)| &gamez.nodes.used[index].children);
    for &child in children.into_iter().flatten() {
        let horizon = |name: &str| name.eq_ignore_ascii_case("horizon");
        let node = gamez.nodes.used.get(child as usize);
        if gamez.version == ZipperGame::CrimsonSkies
            && node.is_some_and(|node| horizon(&node.name()))
        {
            let notes = hierarchy.notes.entry(child as usize).or_default();
            notes.entry("sky").or_insert_with(|| Value::from("xyz"));
            hierarchy.sky_nodes.insert(child as usize);
        }
    }
}

/// The extras of the scene.
pub(super) fn extras(gamez: &GameZ) -> Map<String, Value> {
    let mut extras = Map::new();
    let game = gamez.version.short_name();
    extras.insert("game".to_owned(), Value::from(game));
    extras.insert("forward".to_owned(), Value::from("-Z"));
    if let Some((_, world)) = gamez.nodes.world() {
        extras.insert("fog".to_owned(), fog(world));
        if world.record.flags != 0 {
            extras.insert("worldFlags".to_owned(), Value::from(world.record.flags));
        }
        if world.record.virtual_partition != 0 {
            extras.insert("endless".to_owned(), Value::from(true));
        }
        let display = gamez.nodes.used.iter().find_map(|node| match &node.data {
            NodeData::Display(display) => Some(display),
            _ => None,
        });
        if let Some(display) = display {
            let colour = display.clear_color.to_array().map(number);
            extras.insert("clearColor".to_owned(), Value::from_iter(colour));
        }
    }
    extras
}

fn fog(world: &World) -> Value {
    let record = &world.record;
    let kind = match record.fog_type {
        FogType::Off => Value::from("off"),
        FogType::Linear => Value::from("linear"),
        FogType::Exponential => Value::from("exp"),
        FogType::Other(code) => Value::from(code),
    };
    json!({
        "type": kind,
        "color": Value::from_iter(record.fog_color.to_array().map(number)),
        "near": number(record.fog_range.x.0),
        "far": number(record.fog_range.y.0),
        "altitudeLow": number(record.fog_altitude.y.0),
        "altitudeHigh": number(record.fog_altitude.x.0),
        "density": number(record.fog_density.0),
    })
}
