//! Sounds of EverQuest's zones where they stand.
//!
//! Source: `engine-targets` §4.12.

use std::collections::BTreeMap;

use glam::DAffine3;

use super::text::{SceneText, number, quoted, transform, variant, vector};
use crate::project::emitters::{Emitter, read};
use crate::project::facts::{Project, name_of, stem};
use crate::project::files::Plan;
use crate::project::gltf::{SceneFile, godot_name};

/// Adds the emitters of a zone to its level.
pub(super) fn add(project: &Project<'_>, file: &SceneFile, scene: &mut SceneText, plan: &mut Plan) {
    let emitters = read(project, &file.path);
    if emitters.is_empty() {
        return;
    }
    let zone = name_of(stem(&file.path));
    scene.node(
        "Sounds",
        &[("type", quoted("Node3D")), ("parent", quoted("."))],
        &[],
    );
    let (mut silent, mut others) = (BTreeMap::new(), 0_usize);
    for emitter in &emitters {
        let why = match emitter.sounds.first() {
            Some(sound) if project.plays(sound) => {
                player(scene, emitter, sound);
                others += usize::from(emitter.sounds.len() > 1);
                continue;
            }
            Some(sound) => format!("the engine does not play {sound}"),
            None => format!(
                "no file for {}",
                emitter.name.as_deref().unwrap_or("what it plays")
            ),
        };
        *silent.entry(why).or_insert(0_usize) += 1;
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

fn player(scene: &mut SceneText, emitter: &Emitter, sound: &str) {
    let told = ("metadata/relicast", variant(&emitter.told));
    let stream = ("stream", scene.outside("AudioStream", sound));
    let name = godot_name(&format!("{:03}_{}", emitter.number, stem(name_of(sound))));
    let parent = ("parent", quoted("Sounds"));
    if emitter.is_positional {
        let script = scene.outside("Script", "relicast/emitter.gd");
        scene.node(
            &name,
            &[("type", quoted("AudioStreamPlayer3D")), parent],
            &[
                (
                    "transform",
                    transform(DAffine3::from_translation(emitter.place)),
                ),
                ("script", script),
                stream,
                ("attenuation_model", "0".to_owned()),
                ("unit_size", number(emitter.full.max(0.1))),
                ("max_distance", number(emitter.radius)),
                ("attenuation_filter_cutoff_hz", number(20500.0)),
                ("pause", number(emitter.pause)),
                ("chance", number(emitter.chance)),
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
                ("place", vector(emitter.place)),
                ("radius", number(emitter.radius)),
                told,
            ],
        );
    }
}
