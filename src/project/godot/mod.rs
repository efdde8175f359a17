//! Godot 4 project in the output folder, with levels to walk in.
//!
//! - `settings` — `project.godot`, scripts, ignored folders;
//! - `level` — a scene for each world: environment, sounds, start position; `emitters` — EverQuest's sounds;
//! - `mission` — a scene for each mission, inherited from its world;
//! - `model` — scenes of models with clips and variants; `material` — materials as resources;
//! - `text` — the text format of scenes.
//!
//! `post_import.gd` creates collision, areas, levels of detail, animated textures, loops and events of clips
//! when the engine imports the scenes.

mod emitters;
mod level;
mod material;
mod mission;
mod model;
mod settings;
mod text;

use self::text::{SceneText, quoted, texts};
use super::facts::{Project, is_scene, is_sky, stem};
use super::files::Plan;
use super::gltf::SceneFile;
use super::media;
use crate::config::{Config, ProjectKind};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_formats::asset::AssetKind;

/// Plan of the project files for a converted folder.
pub(super) fn plan(converted: &Converted, config: &Config) -> Plan {
    let outputs = &converted.manifest.outputs;
    let project = Project::new(converted, config);
    let mut plan = Plan {
        files: settings::files(converted, &project.title()),
        ..Plan::default()
    };
    for path in project.paths.iter().filter(|path| path.ends_with(".mp3")) {
        if !settings::is_ignored(path) && !project.plays(path) {
            plan.notes
                .push(format!("{path}: no MP3 that can be played"));
            plan.files
                .insert(format!("{path}.import"), settings::keep());
        }
    }
    for path in project.paths.iter().filter(|path| path.ends_with(".wav")) {
        let head = converted.head(path, media::WAV_HEAD);
        let part = head.and_then(|head| media::sound_loop(&head));
        if let Some(part) = part.filter(|_| !settings::is_ignored(path)) {
            plan.files
                .insert(format!("{path}.import"), settings::looped(part));
        }
    }
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    let [levels, missions, models] = &mut lists;
    let scenes: Vec<&ManifestOutput> = outputs
        .iter()
        .filter(|output| !settings::is_ignored(&output.path) && is_scene(&output.path))
        .collect();
    let is_level =
        |output: &ManifestOutput| output.kind == AssetKind::Worlds && !is_sky(&output.path);
    // Missions use scenes of models.
    for output in scenes.iter().filter(|output| !is_level(output)) {
        if let Some(file) = scene(&project, &output.path, &mut plan) {
            models.push(model::add(&project, &file, &mut plan));
        }
    }
    for output in scenes.iter().filter(|output| is_level(output)) {
        let path = &*output.path;
        let Some(file) = scene(&project, path, &mut plan) else {
            continue;
        };
        levels.push(level::add(&project, &file, output.input, &mut plan));
        let below = stem(path).strip_prefix("worlds/").unwrap_or(path);
        let prefix = format!("{}/{below}.", ProjectKind::PLACEMENTS);
        for other in project
            .paths
            .iter()
            .filter(|other| other.starts_with(&prefix) && is_scene(other))
        {
            let mission = SceneFile::read(converted, other);
            let mission = mission.filter(|mission| !mission.nodes_of(0).is_empty());
            let Some(mission) = mission else { continue };
            missions.push(mission::add(&project, &file, &mission, &mut plan));
        }
    }
    plan.notes.extend(project.silent_music_note());
    plan.scenes = lists.iter().map(Vec::len).sum();
    plan.files
        .insert("main.tscn".to_owned(), main_scene(&lists));
    plan
}

/// Start scene.
fn main_scene([levels, missions, models]: &[Vec<String>; 3]) -> Vec<u8> {
    let mut scene = SceneText::default();
    let list = |paths: &[String]| {
        let mut paths: Vec<String> = paths.iter().map(|path| format!("res://{path}")).collect();
        paths.sort();
        texts(paths.iter().map(|path| &**path))
    };
    let menu = scene.outside("Script", "relicast/menu.gd");
    let walker = scene.outside("Script", "relicast/walker.gd");
    let body = scene.inside(
        "CapsuleShape3D",
        "body",
        &[("radius", "0.35".to_owned()), ("height", "1.8".to_owned())],
    );
    scene.node(
        "Main",
        &[("type", quoted("Node3D"))],
        &[
            ("script", menu),
            ("levels", list(levels)),
            ("missions", list(missions)),
            ("models", list(models)),
        ],
    );
    let below = |kind: &str, parent: &str| [("type", quoted(kind)), ("parent", quoted(parent))];
    scene.node(
        "Light",
        &below("DirectionalLight3D", "."),
        &[("transform", "Transform3D(0.8660254, -0.38302222, 0.32139382, 0.0, 0.64278764, 0.76604444, -0.5, -0.66341394, 0.5566704, 0.0, 0.0, 0.0)".to_owned())],
    );
    scene.node(
        "Walker",
        &below("CharacterBody3D", "."),
        &[("script", walker)],
    );
    scene.node(
        "Shape",
        &below("CollisionShape3D", "Walker"),
        &[
            (
                "transform",
                "Transform3D(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.9, 0.0)"
                    .to_owned(),
            ),
            ("shape", body),
        ],
    );
    scene.node(
        "Eyes",
        &below("Camera3D", "Walker"),
        &[
            (
                "transform",
                "Transform3D(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.6, 0.0)"
                    .to_owned(),
            ),
            ("current", "true".to_owned()),
            ("near", "0.1".to_owned()),
            ("far", "8000.0".to_owned()),
        ],
    );
    scene.finish()
}

/// Scene file, unless it is empty. Empty scenes are not imported, because the engine warns about them.
fn scene(project: &Project<'_>, path: &str, plan: &mut Plan) -> Option<SceneFile> {
    let file = project.scene(path);
    if file.is_none() {
        plan.notes.push(format!("{path}: no scene with nodes"));
        plan.files
            .insert(format!("{path}.import"), settings::keep());
    }
    file
}
