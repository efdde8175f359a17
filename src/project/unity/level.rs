//! Data of levels and models for the scripts of the package: plain classes and lists, because Unity's
//! `JsonUtility` supports nothing else.

use std::collections::BTreeSet;

use glam::DVec3;
use relicast_scene::extras::{ClipExtras, MaterialExtras, SceneExtras, read, zipper};
use serde::Serialize;
use serde_json::Value;

use super::solid::{Area, Detail, Solid, areas, details, solids};
use crate::pipeline::report::manifest::InputNumber;
use crate::project::air;
use crate::project::emitters;
use crate::project::facts::{Project, name_of, stem};
use crate::project::gltf::{SceneFile, stored_facts};
use relicast_codec::quantity::counted;

/// A level.
#[derive(Debug, Serialize)]
pub(super) struct Level {
    name: String,
    /// glTF file, below the package, and its first scene.
    file: String,
    scene: String,
    /// Sky file of EverQuest's zones; empty if there is none.
    sky: String,
    /// Names of all nodes of the file: other objects that the importer creates belong to their parent node.
    nodes: Vec<String>,
    air: Air,
    start: [f64; 3],
    missions: Vec<Mission>,
    hidden: Vec<String>,
    skies: Vec<String>,
    solids: Vec<Solid>,
    areas: Vec<Area>,
    details: Vec<Detail>,
    clips: Vec<Clip>,
    emitters: Vec<Emitter>,
    sounds: Vec<Sound>,
    surfaces: Vec<Surface>,
}

/// Fog, ambient light and background.
#[derive(Debug, Serialize)]
struct Air {
    background: [f64; 3],
    ambient: f64,
    fog: bool,
    #[serde(rename = "fogColor")]
    fog_color: [f64; 3],
    #[serde(rename = "fogStart")]
    fog_start: f64,
    #[serde(rename = "fogEnd")]
    fog_end: f64,
}

/// Mission: its own state of the level, the objects it places, or both.
#[derive(Debug, Serialize)]
struct Mission {
    name: String,
    /// Scene of the level's file; empty if there is none.
    scene: String,
    /// File with the placed objects; empty if there is none.
    file: String,
}

/// Animation clip of a file.
#[derive(Debug, Serialize)]
struct Clip {
    name: String,
    loops: bool,
    /// True if it runs from the start.
    starts: bool,
    /// Trigger: `weapon_hit` and so on.
    activation: String,
    /// Root node.
    root: String,
    marks: Vec<Mark>,
    visibility: Vec<Visibility>,
}

/// Event of a clip.
#[derive(Debug, Serialize)]
struct Mark {
    time: f64,
    what: String,
    sound: String,
    node: String,
    facts: String,
}

/// Visibility of a node over time.
#[derive(Debug, Serialize)]
struct Visibility {
    node: String,
    times: Vec<f64>,
    shown: Vec<bool>,
}

/// Positioned sound.
#[derive(Debug, Serialize)]
struct Emitter {
    file: String,
    place: [f64; 3],
    /// True if the volume is constant in its radius.
    flat: bool,
    full: f64,
    radius: f64,
    pause: f64,
    chance: f64,
    scatter: f64,
}

/// Sound that clips play by name.
#[derive(Debug, Serialize)]
struct Sound {
    name: String,
    file: String,
}

/// Surface that moves or changes.
#[derive(Debug, Serialize)]
struct Surface {
    material: String,
    scroll: [f64; 2],
    rate: f64,
    pictures: Vec<String>,
    additive: bool,
}

/// Model.
#[derive(Debug, Serialize)]
pub(super) struct Model {
    name: String,
    file: String,
    scene: String,
    nodes: Vec<String>,
    clips: Vec<Clip>,
    surfaces: Vec<Surface>,
}

/// All models.
#[derive(Debug, Serialize)]
pub(super) struct Models {
    pub models: Vec<Model>,
}

/// World of a mission file, such as `gamez.gltf` for `gamez.m1.gltf`.
pub(super) fn owner<'p>(project: &Project<'p>, path: &str) -> Option<&'p str> {
    let stem = stem(path);
    let folder = stem.len() - name_of(stem).len();
    let mut ends = stem
        .char_indices()
        .filter(|&(at, sign)| at > folder && sign == '.');
    ends.find_map(|(end, _)| {
        let above = stem.get(..end)?;
        ["gltf", "glb"]
            .iter()
            .find_map(|ending| project.paths.get(&*format!("{above}.{ending}")).copied())
    })
}

fn scene_name(file: &SceneFile, scene: usize) -> String {
    text(&file.scenes()[scene]["name"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl Level {
    pub(super) fn new(
        project: &Project<'_>,
        file: &SceneFile,
        input: InputNumber,
        notes: &mut Vec<String>,
    ) -> Self {
        let is_everquest = file.scenes()[0]["extras"]["everquest"].is_object();
        let bounds = file.bounds(0).unwrap_or([DVec3::NEG_ONE, DVec3::ONE]);
        let middle = (bounds[0] + bounds[1]) / 2.0;
        let mut nodes = file.nodes_of(0).into_iter();
        let start = nodes
            .find(|&node| file.facts(node).is_player())
            .map(|node| file.global(node).translation)
            .unwrap_or_else(|| DVec3::new(middle.x, bounds[1].y + 1.0, middle.z));
        let hidden = file.all_nodes().into_iter();
        let hidden = hidden.filter(|&node| file.facts(node).is_hidden);
        let skies = file.all_nodes().into_iter().filter(|&node| {
            let known = file.facts(node);
            known.is_sky || known.is_sky_layer
        });
        let clips = clips(file);
        let named = |nodes: &mut dyn Iterator<Item = usize>| -> Vec<String> {
            nodes.map(|node| file.raw_name(node).to_owned()).collect()
        };
        let (emitters, silent) = match is_everquest {
            true => emitters_of(project, &file.path),
            false => (Vec::new(), 0),
        };
        if silent > 0 {
            notes.push(format!(
                "{}: {}: no file that the engine can play",
                file.path,
                counted(silent, "emitter is silent", "emitters are silent")
            ));
        }
        let (sounds, missing) = sounds(project, &clips, input);
        if !missing.is_empty() {
            let missing: Vec<&str> = missing.into_iter().collect();
            notes.push(format!(
                "{}: no sound for {}",
                file.path,
                missing.join(", ")
            ));
        }
        let sky = ["worlds/sky.gltf", "worlds/sky.glb"];
        let sky = sky.iter().find(|path| project.paths.contains(**path));
        Self {
            name: level_name(&file.path),
            scene: scene_name(file, 0),
            sky: sky
                .filter(|_| is_everquest)
                .map(|path| (*path).to_owned())
                .unwrap_or_default(),
            nodes: named(&mut file.all_nodes().into_iter()),
            air: Air::new(air::Air::new(&file.scenes()[0], is_everquest)),
            start: start.to_array(),
            missions: missions(project, file),
            hidden: named(&mut { hidden }),
            skies: named(&mut { skies }),
            solids: solids(file),
            areas: areas(file),
            details: details(file),
            emitters,
            sounds,
            surfaces: surfaces(project, file),
            file: file.path.clone(),
            clips,
        }
    }
}

impl Air {
    fn new(air: air::Air) -> Self {
        let [near, far] = air.fog_range.unwrap_or_default();
        Self {
            background: air.background,
            ambient: air.ambient,
            fog: air.fog_range.is_some() && air.fog_color.is_some(),
            fog_color: air.fog_color.unwrap_or_default(),
            fog_start: near,
            fog_end: far,
        }
    }
}

/// Name of a level: Zipper uses one name for all worlds, and the folder distinguishes them.
fn level_name(path: &str) -> String {
    let stem = stem(path);
    let mut parts = stem.rsplit('/');
    let last = parts.next().unwrap_or(stem);
    match (last, parts.next()) {
        ("gamez", Some(folder)) => folder.to_owned(),
        _ => last.to_owned(),
    }
}

fn missions(project: &Project<'_>, file: &SceneFile) -> Vec<Mission> {
    let mut missions: Vec<Mission> = Vec::new();
    for (number, scene) in file.scenes().iter().enumerate().skip(1) {
        let start = SceneExtras::of(scene).zipper.start.unwrap_or_default();
        for name in start.missions.unwrap_or_default() {
            missions.push(Mission {
                name,
                scene: scene_name(file, number),
                file: String::new(),
            });
        }
    }
    let prefix = format!("{}.", stem(&file.path));
    for path in project
        .paths
        .iter()
        .filter(|path| path.starts_with(&prefix))
    {
        let Some((name, "gltf" | "glb")) = path[prefix.len()..].rsplit_once('.') else {
            continue;
        };
        let known = missions.iter_mut().find(|mission| mission.name == name);
        match known {
            Some(mission) => mission.file = (*path).to_owned(),
            None => missions.push(Mission {
                name: name.to_owned(),
                scene: String::new(),
                file: (*path).to_owned(),
            }),
        }
    }
    missions
}

impl Mark {
    fn new(stored: &Value) -> Self {
        let mark: zipper::Mark = read(stored);
        let first = || stored.as_object()?.keys().next().cloned();
        let what = mark
            .event
            .or_else(first)
            .unwrap_or_else(|| "mark".to_owned());
        let name =
            |thing: Option<Value>| thing.map(|thing| text(&thing["name"])).unwrap_or_default();
        Self {
            time: mark.time.map_or(0.0, f64::from),
            what: what.to_lowercase(),
            sound: name(mark.sound).to_lowercase(),
            node: name(mark.at_node),
            facts: stored.to_string(),
        }
    }
}

fn clips(file: &SceneFile) -> Vec<Clip> {
    let by_index = file.by_index(0);
    let clips = file.list("animations").iter();
    clips
        .map(|clip| {
            let ClipExtras { zipper, everquest } = ClipExtras::of(clip);
            let is_looped = everquest.r#loop == Some(true);
            let loops = zipper.loops.unwrap_or_default();
            let endless = loops.iter().any(|part| part.passes.is_none());
            let period = zipper.loop_time.map_or(0.0, f64::from);
            // Each event is passed on unchanged.
            let marks = stored_facts(clip)["marks"].as_array();
            let marks = marks.into_iter().flatten().map(Mark::new);
            let visibility = zipper.visibility.into_iter().flatten().filter_map(|track| {
                let node = by_index.get(&track.index?)?;
                Some(Visibility {
                    node: file.raw_name(*node).to_owned(),
                    times: track.times?.into_iter().map(f64::from).collect(),
                    shown: track.shown?,
                })
            });
            let activation = zipper.activation.unwrap_or_default();
            Clip {
                name: text(&clip["name"]),
                loops: is_looped || endless || period > 0.0,
                starts: activation == "on_startup" || is_looped,
                activation,
                root: zipper.root.unwrap_or_default(),
                marks: marks.collect(),
                visibility: visibility.collect(),
            }
        })
        .collect()
}

fn emitters_of(project: &Project<'_>, path: &str) -> (Vec<Emitter>, usize) {
    let mut silent = 0;
    let mut found = Vec::new();
    for emitter in emitters::read(project, path) {
        match emitter.sounds.first() {
            Some(sound) if project.plays(sound) => found.push(Emitter {
                file: sound.clone(),
                place: emitter.position.to_array(),
                flat: !emitter.is_positional,
                full: emitter.full_volume_radius,
                radius: emitter.radius,
                pause: emitter.pause,
                chance: emitter.max_extra_pause,
                scatter: emitter.scatter,
            }),
            Some(sound) if project.is_silent_music(sound) => {}
            _ => silent += 1,
        }
    }
    (found, silent)
}

fn sounds<'c>(
    project: &Project<'_>,
    clips: &'c [Clip],
    input: InputNumber,
) -> (Vec<Sound>, BTreeSet<&'c str>) {
    let marks = clips.iter().flat_map(|clip| &clip.marks);
    let names: BTreeSet<&str> = marks
        .map(|mark| &*mark.sound)
        .filter(|name| !name.is_empty())
        .collect();
    let mut missing = BTreeSet::new();
    let mut found = Vec::new();
    for name in names {
        match project.sound(input, name) {
            Some(file) => found.push(Sound {
                name: name.to_owned(),
                file: file.to_owned(),
            }),
            None => drop(missing.insert(name)),
        }
    }
    (found, missing)
}

/// Surfaces that move, change their texture, or use additive blending.
fn surfaces(project: &Project<'_>, file: &SceneFile) -> Vec<Surface> {
    let mut found = Vec::new();
    for material in file.list("materials") {
        let extras = MaterialExtras::of(material);
        let scroll = extras.zipper.scroll.as_ref();
        let scroll = scroll.map_or([None; 2], |scroll| [scroll.u, scroll.v]);
        let scroll = scroll.map(|speed| speed.map_or(0.0, f64::from));
        let additive = extras.is_additive();
        let (pictures, rate) = pictures(file, material, extras);
        let are_there = pictures.len() > 1 && rate > 0.0;
        let are_there = are_there && pictures.iter().all(|path| project.paths.contains(&**path));
        if are_there || additive || scroll != [0.0; 2] {
            found.push(Surface {
                material: text(&material["name"]),
                scroll,
                rate: if are_there { rate } else { 0.0 },
                pictures: if are_there { pictures } else { Vec::new() },
                additive,
            });
        }
    }
    found
}

fn pictures(file: &SceneFile, material: &Value, extras: MaterialExtras) -> (Vec<String>, f64) {
    let flips = extras.everquest.texture_animation.unwrap_or_default();
    if let Some(frames) = flips.frames {
        let frames = frames.into_iter().filter_map(|frame| frame.image);
        let pause = f64::from(flips.sleep_ms.unwrap_or_default());
        let rate = if pause > 0.0 { 1000.0 / pause } else { 0.0 };
        return (frames.collect(), rate);
    }
    let texture = &material["pbrMetallicRoughness"]["baseColorTexture"]["index"];
    let base = texture
        .as_u64()
        .and_then(|texture| file.picture(texture as usize));
    let cycle = extras.zipper.cycle.unwrap_or_default();
    let (Some(frames), Some(base)) = (cycle.frames, base) else {
        return (Vec::new(), 0.0);
    };
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    (
        frames
            .into_iter()
            .map(|name| format!("{folder}/{}.png", name.to_lowercase()))
            .collect(),
        cycle.fps.map_or(0.0, f64::from),
    )
}

impl Model {
    pub(super) fn new(project: &Project<'_>, file: &SceneFile) -> Self {
        let nodes = file.all_nodes().into_iter();
        Self {
            name: name_of(stem(&file.path)).to_owned(),
            file: file.path.clone(),
            scene: scene_name(file, 0),
            nodes: nodes.map(|node| file.raw_name(node).to_owned()).collect(),
            clips: clips(file),
            surfaces: surfaces(project, file),
        }
    }
}
