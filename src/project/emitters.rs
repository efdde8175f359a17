//! Sounds of EverQuest's zones where they stand, in metres of the scenes.
//!
//! Source: `everquest-extras` (kinds of emitters).

use glam::DVec3;
use serde_json::Value;

use super::facts::{Project, everquest_scale, name_of, stem};

/// Largest document of emitters.
const LARGEST: u64 = 64 << 20;

/// A sound that stands somewhere.
#[derive(Debug)]
pub(super) struct Emitter {
    /// Place in the document.
    pub number: usize,
    /// Files of its sounds, that of the day first.
    pub sounds: Vec<String>,
    /// Name of the first, whether or not there is a file.
    pub name: Option<String>,
    /// Where it stands in the scene.
    pub place: DVec3,
    /// Where it is heard no more.
    pub radius: f64,
    /// Where it is as loud as it gets.
    pub full: f64,
    /// Louder the nearer one is, instead of alike in all its radius.
    pub is_positional: bool,
    /// Seconds between two turns.
    pub pause: f64,
    /// Seconds that may be added to them by chance.
    pub chance: f64,
    /// All that the document tells of it.
    pub told: Value,
}

/// The emitters of the zone at `path`.
pub(super) fn read(project: &Project<'_>, path: &str) -> Vec<Emitter> {
    let document = format!("{}_sounds.json", name_of(stem(path)));
    let mut paths = project.paths.iter();
    let path = paths.find(|path| path.starts_with("sounds/") && name_of(path) == document);
    let bytes = path.and_then(|path| project.converted.read(path, LARGEST));
    let told: Option<Value> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(Value::Array(emitters)) = told.map(|mut told| told["emitters"].take()) else {
        return Vec::new();
    };
    let scale = everquest_scale(project.config);
    let emitters = emitters.into_iter().enumerate();
    emitters
        .map(|(number, told)| {
            let length = |key: &str| told[key].as_f64().unwrap_or_default() * scale;
            let seconds = |key: &str| told[key].as_f64().unwrap_or_default() / 1000.0;
            let sounds = told["sounds"].as_array().into_iter().flatten();
            let axis = |axis: usize| {
                let place = told["scene_position"][axis].as_f64();
                place.unwrap_or_default() * scale
            };
            Emitter {
                number,
                sounds: sounds
                    .filter_map(|sound| Some(sound["path"].as_str()?.to_owned()))
                    .collect(),
                name: told["sounds"][0]["name"].as_str().map(str::to_owned),
                place: DVec3::new(axis(0), axis(1), axis(2)),
                radius: length("radius").max(0.0),
                full: length("full_volume_range"),
                is_positional: told["kind"] == "positional",
                pause: seconds("cooldown1"),
                chance: seconds("random_delay"),
                told,
            }
        })
        .collect()
}
