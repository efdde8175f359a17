//! Sound emitters of EverQuest's zones.

use std::collections::BTreeMap;

use glam::DAffine3;

use super::text::{SceneText, number, quoted, transform, variant, vector};
use crate::project::emitters::{Emitter, read};
use crate::project::facts::{Project, name_of, stem};
use crate::project::files::Plan;
use crate::project::gltf::{SceneFile, godot_name};
use relicast_codec::quantity::counted;

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
    let (mut missing, mut unplayed) = (BTreeMap::new(), BTreeMap::new());
    let mut others = 0_usize;
    for emitter in &emitters {
        match emitter.sounds.first() {
            Some(sound) if project.plays(sound) => {
                player(scene, emitter, sound);
                others += usize::from(emitter.sounds.len() > 1);
            }
            Some(sound) if project.is_silent_music(sound) => {}
            Some(sound) => *unplayed.entry(sound.as_str()).or_insert(0_usize) += 1,
            None => {
                let name = emitter.name.as_deref().unwrap_or("sounds without a name");
                *missing.entry(name).or_insert(0_usize) += 1;
            }
        }
    }
    plan.notes.extend(silent(zone, "no file for", &missing));
    plan.notes
        .extend(silent(zone, "the engine does not play", &unplayed));
    if others > 0 {
        let emitters = counted(others, "emitter", "emitters");
        plan.notes.push(format!(
            "{zone}: {emitters} with a second sound: only the first is played, the second is in the metadata"
        ));
    }
}

/// Note about emitters that are silent for the same reason.
fn silent(zone: &str, why: &str, names: &BTreeMap<&str, usize>) -> Option<String> {
    let count: usize = names.values().sum();
    if count == 0 {
        return None;
    }
    let emitters = counted(count, "emitter is silent", "emitters are silent");
    let names: Vec<&str> = names.keys().copied().collect();
    Some(format!("{zone}: {emitters}: {why} {}", names.join(", ")))
}

fn player(scene: &mut SceneText, emitter: &Emitter, sound: &str) {
    let document = ("metadata/relicast", variant(&emitter.document));
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
                    transform(DAffine3::from_translation(emitter.position)),
                ),
                ("script", script),
                stream,
                ("attenuation_model", "0".to_owned()),
                ("unit_size", number(emitter.full_volume_radius.max(0.1))),
                ("max_distance", number(emitter.radius)),
                ("attenuation_filter_cutoff_hz", number(20500.0)),
                ("pause", number(emitter.pause)),
                ("chance", number(emitter.max_extra_pause)),
                ("scatter", number(emitter.scatter)),
                document,
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
                ("place", vector(emitter.position)),
                ("radius", number(emitter.radius)),
                document,
            ],
        );
    }
}
