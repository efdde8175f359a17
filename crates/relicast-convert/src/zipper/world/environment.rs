//! Lights, cameras, fog and background.

use std::collections::HashSet;
use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

use crate::options::ConvertOptions;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layout, Nodes};
use relicast_codec::Vec3;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    Camera, FogType, GameZ, Light, LightFlags, Node, NodeData, NodeFlags, World,
};
use relicast_scene::extras::{Float, ObjectExtras, floats, zipper};
use relicast_scene::model::{self, LightKind, NodeId, Placement};

use super::roots;
use super::weather::Sunlight;

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

/// Lights that are inactive and that the world does not list: deleted ones. The engine lights a world only with active
/// lights that are linked to it (Recoil: two reports on its program agree).
pub(super) fn deleted_lights(gamez: &GameZ) -> Vec<usize> {
    let Some((_, world)) = gamez.nodes.world() else {
        return Vec::new();
    };
    let listed = world.lights.iter();
    let listed: HashSet<usize> = listed.filter_map(|it| usize::try_from(*it).ok()).collect();
    let nodes = gamez.nodes.used.iter().enumerate();
    let deleted = nodes.filter(|(index, node)| {
        let is_active = node.record.flags.contains(NodeFlags::ACTIVE);
        matches!(node.data, NodeData::Light(_)) && !is_active && !listed.contains(index)
    });
    deleted.map(|(index, _)| index).collect()
}

/// Adds the nodes of lights, below the world, and of cameras, unless they are already in the layout. Deleted lights are
/// left out.
pub(super) fn add<N: Nodes>(gamez: &GameZ, layout: &mut Layout<'_, N>) {
    let world = gamez.nodes.world().map(|(index, _)| index);
    let deleted = deleted_lights(gamez);
    for (index, node) in gamez.nodes.used.iter().enumerate() {
        let below = match &node.data {
            NodeData::Light(_) if deleted.contains(&index) => continue,
            NodeData::Light(_) => world,
            NodeData::Camera(_) => None,
            _ => continue,
        };
        if !layout.has(index) {
            layout.add(&[index], below);
        }
    }
}

/// Builds a world from its layout, with its lights and cameras, and the sun of a mission's weather.
pub(super) fn build_world<N: Nodes>(
    gamez: &GameZ,
    sun: Option<Sunlight>,
    options: &ConvertOptions,
    hierarchy: &mut WorldAssembly<'_, '_, '_, N>,
) {
    // The groups of the world itself; those of lights and cameras are in no cell.
    hierarchy.build_group();
    hierarchy.build_group();
    if options.scenes.group_partitions {
        roots::group_by_cell(gamez, hierarchy);
    }
    hierarchy.build();
    for (index, node) in gamez.nodes.used.iter().enumerate() {
        if matches!(node.data, NodeData::Light(_) | NodeData::Camera(_))
            && let Some(id) = hierarchy.in_main(index)
        {
            furnish(node, id, gamez.version, options, hierarchy.main());
        }
    }
    if let Some(sun) = sun {
        apply_sunlight(gamez, sun, options, hierarchy);
    }
}

/// Gives a node of a scene its light or camera, and its place.
pub(super) fn furnish(
    source: &Node,
    id: NodeId,
    game: ZipperGame,
    options: &ConvertOptions,
    scene: &mut model::Scene,
) {
    let scale = finite(options.scenes.light_scale, 0.0);
    match &source.data {
        NodeData::Light(light) => {
            let transform = placed(light.record.orientation, light.record.translate);
            let light_id = scene.add_light(light_of(light, source.name(), scale, game));
            let node = &mut scene.nodes[id.index()];
            node.transform = transform.unwrap_or_default();
            node.light = Some(light_id);
        }
        NodeData::Camera(camera) => {
            let transform = placed(camera.rotate, camera.translate);
            let camera_id = camera_of(camera, source.name(), game);
            let camera_id = camera_id.map(|camera| scene.add_camera(camera));
            let node = &mut scene.nodes[id.index()];
            node.transform = transform.unwrap_or_default();
            node.camera = camera_id;
        }
        _ => {}
    }
}

/// Applies the sun of a mission's weather to the light `sunlight`, where the file leaves it to the game.
fn apply_sunlight<N: Nodes>(
    gamez: &GameZ,
    sun: Sunlight,
    options: &ConvertOptions,
    hierarchy: &mut WorldAssembly<'_, '_, '_, N>,
) {
    let nodes = gamez.nodes.used.iter().enumerate();
    let mut suns = nodes.filter(|(_, node)| match &node.data {
        NodeData::Light(light) => {
            node.name().eq_ignore_ascii_case("sunlight") && is_unset(light, gamez.version)
        }
        _ => false,
    });
    let found = suns.next().and_then(|(index, _)| hierarchy.in_main(index));
    let scene = hierarchy.main();
    let light = found.and_then(|id| scene.nodes.get(id.index())?.light);
    let (Some(id), Some(light)) = (found, light) else {
        return;
    };
    let angles = sun.angles.map(f32::to_radians);
    let transform = placed(Vec3::from(angles), Vec3::default());
    if let Some(node) = scene.nodes.get_mut(id.index()) {
        node.transform = transform.unwrap_or_default();
    }
    if let Some(light) = scene.lights.get_mut(light.index()) {
        let scale = finite(options.scenes.light_scale, 0.0);
        let diffuse = if sun.is_active {
            finite(sun.diffuse, 0.0)
        } else {
            0.0
        };
        light.kind = LightKind::Directional;
        light.intensity = finite(PI * diffuse * scale, 0.0);
        light.range = None;
        let facts = zipper::Light {
            from: Some("weather.zrd".to_owned()),
            diffuse: Some(Float(sun.diffuse)),
            ambient: Some(Float(sun.ambient)),
            is_active: Some(sun.is_active),
            ..zipper::Light::default()
        };
        light.extras = facts.extras();
    }
}

fn finite(value: f32, least: f32) -> f32 {
    if value.is_finite() {
        value.max(least)
    } else {
        least
    }
}

/// Kind of a light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LightShape {
    /// The sun.
    Parallel,
    /// From a point, by the angle to its axis.
    Cone,
    /// From a point to all sides.
    Point,
}

fn light_shape(flags: LightFlags) -> LightShape {
    if flags.contains(LightFlags::DIRECTED_SOURCE) {
        LightShape::Parallel
    } else if flags.contains(LightFlags::DIRECTIONAL) {
        LightShape::Cone
    } else if flags.contains(LightFlags::POINT_SOURCE) {
        LightShape::Point
    } else {
        LightShape::Parallel
    }
}

/// True if a light of Crimson Skies is as the engine makes it, with nothing filled in: its values are set when
/// the game runs.
fn is_unset(light: &Light, game: ZipperGame) -> bool {
    const AS_MADE: u32 = 0x8B1;
    let record = &light.record;
    game == ZipperGame::CrimsonSkies
        && record.flags.word(game) == Some(AS_MADE)
        && record.diffuse.0 == 0.0
        && record.ambient.0 == 1.0
        && record.color.to_array() == [1.0; 3]
        && record.range_near_sq.0 == 1024.0
}

/// The sun shines along its node's -Z. The games light surfaces by at most 1; a surface that faces a sun of π lux
/// is as bright as its color. The strength of point lights is the sum of their directed and ambient parts, for any
/// orientation of a surface. Recoil's sun has no color; the stored one is that of the shade.
fn light_of(light: &Light, name: String, scale: f32, game: ZipperGame) -> model::Light {
    let record = &light.record;
    let flags = light.flags();
    let far = finite(record.range_far.0, 0.0);
    let diffuse = finite(record.diffuse.0, 0.0);
    let ambient = finite(record.ambient.0, 0.0);
    let apply_sunlight = light_shape(flags);
    let names: Vec<String> = flags
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect();
    let is_unset = is_unset(light, game);
    let facts = zipper::Light {
        flags: Some(names),
        diffuse: Some(Float(record.diffuse.0)),
        ambient: Some(Float(record.ambient.0)),
        color: Some(floats(record.color.to_array())),
        near: Some(Float(record.range_near.0)),
        far: Some(Float(record.range_far.0)),
        unset: is_unset.then_some(true),
        ambient_light: (apply_sunlight == LightShape::Parallel).then_some(Float(ambient.min(1.0))),
        ..zipper::Light::default()
    };
    let strength = match apply_sunlight {
        LightShape::Parallel => diffuse,
        LightShape::Cone | LightShape::Point => (diffuse + ambient).min(1.0),
    };
    let intensity = match apply_sunlight {
        _ if is_unset => 0.0,
        LightShape::Parallel => PI * strength,
        LightShape::Cone | LightShape::Point => far * far * 0.25 * strength,
    };
    let is_ranged = game != ZipperGame::Recoil || flags.contains(LightFlags::RANGED);
    let color = match (apply_sunlight, game) {
        (LightShape::Parallel, ZipperGame::Recoil) => [1.0; 3],
        _ => record
            .color
            .to_array()
            .map(|part| finite(part, 0.0).min(1.0)),
    };
    model::Light {
        name,
        kind: match apply_sunlight {
            LightShape::Parallel => LightKind::Directional,
            LightShape::Point => LightKind::Point,
            // The strength falls with the cosine to the side; there is no angle at which it is cut off.
            LightShape::Cone => LightKind::Spot {
                inner: 0.0,
                outer: FRAC_PI_2,
            },
        },
        color,
        intensity: finite(intensity * scale, 0.0),
        range: (apply_sunlight != LightShape::Parallel && is_ranged && far > 0.0).then_some(far),
        extras: facts.extras(),
    }
}

/// The greatest full angle that Recoil's engine allows when it loads a camera, and its nearest plane.
const RECOIL_WIDEST: f32 = 1.396;
const RECOIL_NEAREST: f32 = 1.0;

/// A camera; `None` if its planes or angles are invalid. The limits of Recoil's engine are applied and reported.
fn camera_of(camera: &Camera, name: String, game: ZipperGame) -> Option<model::Camera> {
    let stored = (camera.clip_near.0, camera.clip_far.0);
    let vertical = camera.fov_v_base.0 / camera.fov_v_scale.0;
    let horizontal = camera.fov_h_base.0 / camera.fov_h_scale.0;
    let is_angle = |angle: f32| angle > 0.0 && angle < PI;
    let (stored_near, far) = stored;
    let sees = stored_near > 0.0 && far > stored_near && far.is_finite() && is_angle(vertical);
    let widest = |angle: f32| match game {
        ZipperGame::Recoil => angle.min(RECOIL_WIDEST),
        _ => angle,
    };
    let (capped, capped_horizontal) = (widest(vertical), widest(horizontal));
    let near = match game {
        ZipperGame::Recoil if far > RECOIL_NEAREST => stored_near.max(RECOIL_NEAREST),
        _ => stored_near,
    };
    let limited = |stored: f32, used: f32| {
        (sees && stored != used && stored.is_finite()).then_some(Float(stored))
    };
    let facts = zipper::Camera {
        stored_vertical_angle: limited(vertical, capped),
        stored_horizontal_angle: limited(horizontal, capped_horizontal),
        stored_near: limited(stored_near, near),
        ..zipper::Camera::default()
    };
    let half_tangent = |angle: f32| libm::tan(f64::from(angle) / 2.0);
    let aspect = (half_tangent(capped_horizontal) / half_tangent(capped)) as f32;
    sees.then(|| model::Camera {
        name,
        vertical_angle: capped,
        aspect: (is_angle(horizontal) && aspect.is_finite() && aspect > 0.0).then_some(aspect),
        near,
        far: Some(far),
        extras: facts.extras(),
    })
}

/// Records the nodes that follow the camera: the sky.
pub(super) fn note_sky<N: Nodes>(gamez: &GameZ, hierarchy: &mut WorldAssembly<'_, '_, '_, N>) {
    for node in &gamez.nodes.used {
        let NodeData::Camera(camera) = &node.data else {
            continue;
        };
        for (focus, axes) in [(camera.focus_node_xy, "xyz"), (camera.focus_node_xz, "xz")] {
            let focus = usize::try_from(focus).ok();
            if let Some(focus) = focus.filter(|&focus| focus < gamez.nodes.used.len()) {
                let notes = hierarchy.notes.entry(focus).or_default();
                notes.sky = Some(axes.to_owned());
                hierarchy.sky_nodes.insert(focus);
            }
        }
    }
    let is_horizon = |index: usize| {
        let node = gamez.nodes.used.get(index);
        node.is_some_and(|node| {
            let is_object = matches!(node.data, NodeData::Object3d(_));
            is_object && node.name().eq_ignore_ascii_case("horizon")
        })
    };
    let highest = (0..gamez.nodes.used.len()).rev().find(|&at| is_horizon(at));
    match gamez.version {
        // Crimson Skies has its sky below a child of the world.
        ZipperGame::CrimsonSkies => {
            let world = gamez.nodes.world();
            let children = world.map(|(index, _)| &gamez.nodes.used[index].children);
            let children = children.into_iter().flatten().map(|&child| child as usize);
            for child in children.filter(|&child| is_horizon(child)) {
                note_horizon(child, hierarchy);
            }
        }
        // The program uses the object of this name as the sky where no script sets one, as in the first mission
        // (zStudio, from the program).
        ZipperGame::Recoil => {
            if let Some(horizon) = highest {
                note_horizon(horizon, hierarchy);
            }
        }
        // This is assumed for the later games, and nothing depends on it.
        ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon => {
            if let Some(horizon) = highest {
                let notes = hierarchy.notes.entry(horizon).or_default();
                if notes.sky.is_none() {
                    notes.likely_sky = Some(zipper::LikelySky {
                        axes: Some("xyz".to_owned()),
                        certain: Some(false),
                    });
                }
            }
        }
    }
}

/// Records that a node is the sky, by its name.
fn note_horizon<N: Nodes>(index: usize, hierarchy: &mut WorldAssembly<'_, '_, '_, N>) {
    let notes = hierarchy.notes.entry(index).or_default();
    notes.sky.get_or_insert_with(|| "xyz".to_owned());
    hierarchy.sky_nodes.insert(index);
}

/// The extras of the scene.
pub(super) fn extras(gamez: &GameZ) -> zipper::Scene {
    let mut facts = zipper::Scene {
        game: Some(gamez.version.short_name().to_owned()),
        forward: Some("-Z".to_owned()),
        ..zipper::Scene::default()
    };
    if let Some((_, world)) = gamez.nodes.world() {
        facts.fog = Some(fog(world));
        facts.ambient_light = ambient_light(gamez).map(Float);
        facts.endless = (world.record.virtual_partition != 0).then_some(true);
        // The engine finds the highest slot first; `DisplaySetClearColor` changes that one, too.
        let mut nodes = gamez.nodes.used.iter().rev();
        let display = nodes.find_map(|node| match &node.data {
            NodeData::Display(display) => Some(display),
            _ => None,
        });
        facts.clear_color = display.map(|display| floats(display.clear_color.to_array()));
    }
    facts
}

/// The ambient light of the suns of a world; without it a scene is darker than the game.
fn ambient_light(gamez: &GameZ) -> Option<f32> {
    let suns = gamez.nodes.used.iter().filter_map(|node| match &node.data {
        NodeData::Light(light) => Some(light),
        _ => None,
    });
    let suns = suns.filter(|sun| {
        light_shape(sun.flags()) == LightShape::Parallel && !is_unset(sun, gamez.version)
    });
    let parts = suns.map(|sun| finite(sun.record.ambient.0, 0.0).min(1.0));
    let strongest = parts.fold(0.0_f32, f32::max);
    (strongest > 0.0).then_some(strongest)
}

fn fog(world: &World) -> zipper::Fog {
    let record = &world.record;
    let kind = match record.fog_type {
        FogType::Off => Value::from("off"),
        FogType::Linear => Value::from("linear"),
        FogType::Exponential => Value::from("exp"),
        FogType::Other(code) => Value::from(code),
    };
    zipper::Fog {
        kind: Some(kind),
        color: Some(floats(record.fog_color.to_array())),
        near: Some(Float(record.fog_range.x.0)),
        far: Some(Float(record.fog_range.y.0)),
        altitude_low: Some(Float(record.fog_altitude.y.0)),
        altitude_high: Some(Float(record.fog_altitude.x.0)),
        density: Some(Float(record.fog_density.0)),
    }
}
