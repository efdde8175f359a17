//! Unity package: the output folder is placed in `Packages/`, and an editor menu builds prefabs of its levels
//! and models.
//!
//! - `level` — data of levels for the scripts; `solid` — collision and areas;
//! - `settings` — `package.json`, assemblies, scripts, and the `.meta` files with their identities.
//!
//! Positions are those of the glTF files; the scripts mirror them as glTFast does. Nothing of this was run in
//! Unity.

mod level;
mod settings;
mod solid;

use self::level::{Level, Model};
use super::facts::{Project, is_scene, is_sky, stem};
use super::files::Plan;
use crate::config::Config;
use crate::pipeline::report::converted::Converted;
use relicast_formats::asset::AssetKind;

/// Folder of the level documents.
const LEVELS: &str = "Levels";

/// Plan of the package files for a converted folder.
pub(super) fn plan(converted: &Converted, config: &Config) -> Plan {
    let project = Project::new(converted, config);
    let mut plan = Plan {
        files: settings::files(&project.title()),
        ..Plan::default()
    };
    let mut models = Vec::new();
    for output in &converted.manifest.outputs {
        let path = &*output.path;
        if !is_scene(path) {
            continue;
        }
        match output.kind {
            AssetKind::Worlds if !is_sky(path) => {
                // Missions are parts of their level.
                if level::owner(&project, path).is_some() {
                    continue;
                }
                let Some(file) = project.scene(path) else {
                    plan.notes.push(format!("{path}: a scene without nodes"));
                    continue;
                };
                let level = Level::new(&project, &file, output.input, &mut plan.notes);
                let to = format!("{LEVELS}/{}.json", stem(path));
                plan.files.insert(to, settings::json(&level));
                plan.scenes += 1;
            }
            AssetKind::Models => {
                if let Some(file) = project.scene(path) {
                    models.push(Model::new(&project, &file));
                    plan.scenes += 1;
                }
            }
            _ => {}
        }
    }
    plan.notes.extend(project.silent_music_note());
    if !models.is_empty() {
        let models = level::Models { models };
        plan.files
            .insert(format!("{LEVELS}/models.json"), settings::json(&models));
    }
    settings::add_metas(&mut plan.files);
    plan
}
