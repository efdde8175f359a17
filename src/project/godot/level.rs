//! Scene for each world: the world itself, its environment, EverQuest's sky and sounds, and the start position.
//! Fog, clear color and ambient light follow the engine's definitions.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DAffine3, DVec3};
use relicast_scene::extras::ClipExtras;
use serde_json::Value;

use super::emitters;
use super::text::{SceneText, aabb, color, number, quoted, texts, transform, variant};
use crate::pipeline::report::manifest::InputNumber;
use crate::project::air::Air;
use crate::project::facts::{Project, is_sky, stem};
use crate::project::files::Plan;
use crate::project::gltf::{SceneFile, godot_name};

/// Adds the scene of a world and returns its path.
pub(super) fn add(
    project: &Project<'_>,
    file: &SceneFile,
    input: InputNumber,
    plan: &mut Plan,
) -> String {
    let path = format!("{}.tscn", stem(&file.path));
    let mut scene = SceneText::default();
    let is_everquest = file.scenes()[0]["extras"]["everquest"].is_object();
    let script = scene.outside("Script", "relicast/level.gd");
    let bounds = file.bounds(0).unwrap_or([DVec3::NEG_ONE, DVec3::ONE]);
    let start = start(file, 0).unwrap_or_else(|| above(bounds));
    let name = level_name(&file.path);
    let (sounds, missing) = sounds(project, file, input);
    if !missing.is_empty() {
        let missing: Vec<&str> = missing.iter().map(|name| &**name).collect();
        plan.notes
            .push(format!("{path}: no sound for {}", missing.join(", ")));
    }
    scene.node(
        &name,
        &[("type", quoted("Node3D"))],
        &[
            ("script", script),
            ("sounds", variant(&sounds)),
            ("running", texts(running(file).iter().map(|clip| &**clip))),
            ("start", transform(start)),
            ("bounds", aabb(bounds)),
            ("bottom", number(bounds[0].y - 50.0)),
        ],
    );
    let world = scene.outside("PackedScene", &file.path);
    scene.node(
        "World",
        &[("parent", quoted(".")), ("instance", world)],
        &[],
    );
    let air = air(&mut scene, &Air::new(&file.scenes()[0], is_everquest));
    scene.node(
        "Air",
        &[
            ("type", quoted("WorldEnvironment")),
            ("parent", quoted(".")),
        ],
        &[("environment", air)],
    );
    if is_everquest {
        if let Some(sky) = sky(project) {
            let sky = scene.outside("PackedScene", sky);
            scene.node("Sky", &[("parent", quoted(".")), ("instance", sky)], &[]);
        }
        emitters::add(project, file, &mut scene, plan);
    }
    scene.node(
        "Spawn",
        &[
            ("type", quoted("Marker3D")),
            ("parent", quoted(".")),
            ("groups", "[\"spawn\"]".to_owned()),
        ],
        &[("transform", transform(start))],
    );
    plan.files.insert(path.clone(), scene.finish());
    path
}

/// Output with EverQuest's sky.
fn sky<'p>(project: &Project<'p>) -> Option<&'p str> {
    let found = ["worlds/sky.gltf", "worlds/sky.glb"];
    let mut named = project
        .paths
        .iter()
        .filter(|path| is_sky(path) && path.starts_with("worlds/"));
    found
        .into_iter()
        .find_map(|path| project.paths.get(path).copied())
        .or_else(|| named.next().copied())
}

/// Name of a level's root node.
fn level_name(path: &str) -> String {
    let stem = stem(path);
    let mut parts = stem.rsplit('/');
    let last = parts.next().unwrap_or(stem);
    // Zipper uses one name for all worlds; the folder distinguishes them.
    let name = match (last, parts.next()) {
        ("gamez", Some(folder)) => folder,
        _ => last,
    };
    godot_name(name)
}

/// Adds the environment of a scene and returns a reference to it.
pub(super) fn air(scene: &mut SceneText, air: &Air) -> String {
    let rgb = |[red, green, blue]: [f64; 3]| color([red, green, blue, 1.0]);
    let mut properties = vec![("background_mode", "1".to_owned())];
    properties.push(("background_color", rgb(air.background)));
    let ambient = air.ambient;
    properties.push(("ambient_light_source", "2".to_owned()));
    properties.push((
        "ambient_light_color",
        color([ambient, ambient, ambient, 1.0]),
    ));
    properties.push(("ambient_light_energy", number(1.0)));
    properties.push(("reflected_light_source", "1".to_owned()));
    if let (Some(color), Some([near, far])) = (air.fog_color, air.fog_range) {
        properties.extend([
            ("fog_enabled", "true".to_owned()),
            ("fog_mode", "1".to_owned()),
            ("fog_light_color", rgb(color)),
            ("fog_density", number(1.0)),
            ("fog_sky_affect", number(0.0)),
            ("fog_depth_curve", number(1.0)),
            ("fog_depth_begin", number(near)),
            ("fog_depth_end", number(far)),
        ]);
    }
    scene.inside("Environment", "air", &properties)
}

/// Position above the center of a box.
fn above([low, high]: [DVec3; 2]) -> DAffine3 {
    let middle = (low + high) / 2.0;
    DAffine3::from_translation(DVec3::new(middle.x, high.y + 1.0, middle.z))
}

/// Start position of the scene, that of the player's vehicle, upright.
pub(super) fn start(file: &SceneFile, scene: usize) -> Option<DAffine3> {
    let mut nodes = file.nodes_of(scene).into_iter();
    let player = nodes.find(|&node| file.facts(node).is_player())?;
    Some(upright(file.global(player)))
}

/// Transform with its vertical rotation only.
fn upright(place: DAffine3) -> DAffine3 {
    let ahead = place.transform_vector3(DVec3::NEG_Z);
    let turn = libm::atan2(-ahead.x, -ahead.z);
    let turn = if turn.is_finite() { turn } else { 0.0 };
    let (sine, cosine) = (libm::sin(turn), libm::cos(turn));
    let mut upright = DAffine3::from_translation(place.translation);
    upright.matrix3.x_axis = DVec3::new(cosine, 0.0, -sine);
    upright.matrix3.z_axis = DVec3::new(sine, 0.0, cosine);
    upright
}

/// Clips of a world that run from the start, by their names in the engine.
pub(super) fn running(file: &SceneFile) -> Vec<String> {
    let clips = file.list("animations").iter();
    let started = clips.filter(|clip| {
        let ClipExtras { zipper, everquest } = ClipExtras::of(clip);
        zipper.activation.as_deref() == Some("on_startup") || everquest.r#loop == Some(true)
    });
    started
        .map(|clip| clip_name(clip["name"].as_str().unwrap_or_default()))
        .collect()
}

/// Name of a clip in the engine.
pub(super) fn clip_name(name: &str) -> String {
    let change = |sign| {
        if matches!(sign, '/' | '.' | ':' | ',' | '[') {
            '_'
        } else {
            sign
        }
    };
    name.chars().map(change).collect()
}

/// Sounds that the clips of a world play, by name, and the missing ones.
fn sounds(
    project: &Project<'_>,
    file: &SceneFile,
    input: InputNumber,
) -> (Value, BTreeSet<String>) {
    let mut names = BTreeSet::new();
    for clip in file.list("animations") {
        for mark in ClipExtras::of(clip).zipper.marks.into_iter().flatten() {
            let sound = mark.sound.unwrap_or_default();
            names.extend(sound["name"].as_str().map(str::to_lowercase));
        }
    }
    let mut known = BTreeMap::new();
    let mut missing = BTreeSet::new();
    for name in names {
        match project.sound(input, &name) {
            Some(path) => drop(known.insert(name, format!("res://{path}"))),
            None => drop(missing.insert(name)),
        }
    }
    (serde_json::to_value(known).unwrap_or_default(), missing)
}
