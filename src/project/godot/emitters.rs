//! Sounds of EverQuest's zones where they stand.
//!
//! Source: `engine-targets` §4.12, `everquest-extras` (kinds of emitters).

use std::collections::BTreeMap;

use glam::DVec3;
use serde_json::Value;

use super::facts::{Project, everquest_scale, name_of, stem};
use super::text::{SceneText, number, quoted, variant, vector};
use crate::project::files::Plan;
use crate::project::gltf::{SceneFile, godot_name};

/// Largest document of emitters.
const LARGEST: u64 = 64 << 20;

/// Adds the emitters of a zone to its level.
pub(super) fn add(project: &Project<'_>, file: &SceneFile, scene: &mut SceneText, plan: &mut Plan) {
    let zone = name_of(stem(&file.path)).to_owned();
    let document = format!("{zone}_sounds.json");
    let path = project
        .paths
        .iter()
        .find(|path| path.starts_with("sounds/") && name_of(path) == document);
    let bytes = path.and_then(|path| project.converted.read(path, LARGEST));
    let told: Option<Value> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(emitters) = told.as_ref().and_then(|told| told["emitters"].as_array()) else {
        return;
    };
    scene.node(
        "Sounds",
        &[("type", quoted("Node3D")), ("parent", quoted("."))],
        &[],
    );
    let scale = everquest_scale(project.config);
    let (mut silent, mut others) = (BTreeMap::new(), 0_usize);
    for (number_of, emitter) in emitters.iter().enumerate() {
        let sounds = emitter["sounds"].as_array();
        let sounds: Vec<&str> = sounds
            .into_iter()
            .flatten()
            .filter_map(|sound| sound["path"].as_str())
            .collect();
        let Some(&sound) = sounds.first() else {
            let sound = emitter["sounds"][0]["name"]
                .as_str()
                .unwrap_or("what it plays");
            *silent
                .entry(format!("no file for {sound}"))
                .or_insert(0_usize) += 1;
            continue;
        };
        if !project.plays(sound) {
            let why = format!("the engine does not play {sound}");
            *silent.entry(why).or_default() += 1;
            continue;
        }
        let place = emitter["scene_position"].as_array();
        let place = |axis: usize| {
            place
                .and_then(|place| place.get(axis)?.as_f64())
                .unwrap_or_default()
        };
        let place = DVec3::new(place(0), place(1), place(2)) * scale;
        let radius = emitter["radius"].as_f64().unwrap_or_default() * scale;
        let told = ("metadata/relicast", variant(emitter));
        let stream = ("stream", scene.outside("AudioStream", sound));
        let name = godot_name(&format!("{number_of:03}_{}", stem(name_of(sound))));
        let seconds = |key: &str| emitter[key].as_f64().unwrap_or_default() / 1000.0;
        let parent = ("parent", quoted("Sounds"));
        if emitter["kind"] == "positional" {
            let script = scene.outside("Script", "relicast/emitter.gd");
            let full = emitter["full_volume_range"].as_f64().unwrap_or_default() * scale;
            scene.node(
                &name,
                &[("type", quoted("AudioStreamPlayer3D")), parent],
                &[
                    (
                        "transform",
                        super::text::transform(glam::DAffine3::from_translation(place)),
                    ),
                    ("script", script),
                    stream,
                    ("attenuation_model", "0".to_owned()),
                    ("unit_size", number(full.max(0.1))),
                    ("max_distance", number(radius.max(0.0))),
                    ("attenuation_filter_cutoff_hz", number(20500.0)),
                    ("pause", number(seconds("cooldown1"))),
                    ("chance", number(seconds("random_delay"))),
                    told,
                ],
            );
        } else {
            let script = scene.outside("Script", "relicast/area_sound.gd");
            scene.node(
                &name,
                &[("type", quoted("AudioStreamPlayer")), parent],
                &[
                    ("script", script),
                    stream,
                    ("place", vector(place)),
                    ("radius", number(radius.max(0.0))),
                    told,
                ],
            );
        }
        others += usize::from(sounds.len() > 1);
    }
    for (why, count) in silent {
        plan.notes
            .push(format!("{zone}: {count} emitters are silent: {why}"));
    }
    if others > 0 {
        plan.notes.push(format!(
            "{zone}: of {others} emitters the second sound is metadata only"
        ));
    }
}
