//! Sound emitters of EverQuest's zones. Positions and radii are those of the documents times the configured scale of
//! the scenes, in meters.

use glam::DVec3;
use serde_json::Value;

use super::facts::{Project, everquest_scale, name_of, stem};

/// Maximum size of a document of emitters, in bytes; bounds the memory.
const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// Positioned sound.
#[derive(Debug)]
pub(super) struct Emitter {
    /// Index among the emitters of the zone.
    pub number: usize,
    /// Files of its sounds, that of the day first.
    pub sounds: Vec<String>,
    /// Name of the first, even if there is no file.
    pub name: Option<String>,
    /// Position in the scene, in meters.
    pub position: DVec3,
    /// Radius of random variation of the position, in meters; 0 for a fixed one.
    pub scatter: f64,
    /// Radius beyond which it is inaudible, in meters.
    pub radius: f64,
    /// Radius of full volume, in meters.
    pub full_volume_radius: f64,
    /// True if the volume depends on the distance, false if it is constant in the radius.
    pub is_positional: bool,
    /// Pause between two playbacks in seconds.
    pub pause: f64,
    /// Maximum random addition to the pause in seconds.
    pub max_extra_pause: f64,
    /// Entry of the document.
    pub document: Value,
}

/// Emitters of the zone at `path`: those of its `_sounds.eff`, then those of its `.emt`.
pub(super) fn read(project: &Project<'_>, path: &str) -> Vec<Emitter> {
    let zone = name_of(stem(path));
    let scale = everquest_scale(project.config);
    let binary = document(project, &format!("{zone}_sounds.json"));
    let text = document(project, &format!("{zone}.json"));
    let text = text
        .into_iter()
        .filter(|document| document["file"].is_string());
    let all = binary
        .into_iter()
        .map(|document| from_binary(document, scale));
    let all = all.chain(text.map(|document| from_text(document, scale)));
    let numbered = all.enumerate();
    numbered
        .map(|(number, emitter)| Emitter { number, ..emitter })
        .collect()
}

/// Reads the emitters of the sound document with this name; empty if there is none.
fn document(project: &Project<'_>, name: &str) -> Vec<Value> {
    let mut paths = project.paths.iter();
    let path = paths.find(|path| path.starts_with("sounds/") && name_of(path) == name);
    let bytes = path.and_then(|path| project.converted.read(path, MAX_DOCUMENT_BYTES));
    let document: Option<Value> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    match document.map(|mut document| document["emitters"].take()) {
        Some(Value::Array(emitters)) => emitters,
        _ => Vec::new(),
    }
}

/// Position of an emitter of a document, scaled.
fn position(document: &Value, scale: f64) -> DVec3 {
    let axis = |axis: usize| {
        let coordinate = document["scene_position"][axis].as_f64();
        coordinate.unwrap_or_default() * scale
    };
    DVec3::new(axis(0), axis(1), axis(2))
}

/// Milliseconds of the document as seconds.
fn seconds(document: &Value, key: &str) -> f64 {
    document[key].as_f64().unwrap_or_default() / 1000.0
}

/// Converts an emitter of a `_sounds.eff`.
fn from_binary(document: Value, scale: f64) -> Emitter {
    let length = |key: &str| document[key].as_f64().unwrap_or_default() * scale;
    let sounds = document["sounds"].as_array().into_iter().flatten();
    Emitter {
        number: 0,
        sounds: sounds
            .filter_map(|sound| Some(sound["path"].as_str()?.to_owned()))
            .collect(),
        name: document["sounds"][0]["name"].as_str().map(str::to_owned),
        position: position(&document, scale),
        scatter: 0.0,
        radius: length("radius").max(0.0),
        full_volume_radius: length("full_volume_range"),
        is_positional: document["kind"] == "positional",
        pause: seconds(&document, "cooldown1"),
        max_extra_pause: seconds(&document, "random_delay"),
        document,
    }
}

/// Converts an emitter of an `.emt`. One without a distance has full volume in its active range.
fn from_text(document: Value, scale: f64) -> Emitter {
    let length = |key: &str| (document[key].as_f64().unwrap_or_default() * scale).max(0.0);
    let (heard, active) = (length("max_distance"), length("activation_range"));
    let is_positional = heard > 0.0;
    let pause = seconds(&document, "min_delay").max(0.0);
    Emitter {
        number: 0,
        sounds: document["path"]
            .as_str()
            .map(str::to_owned)
            .into_iter()
            .collect(),
        name: document["file"].as_str().map(str::to_owned),
        position: position(&document, scale),
        scatter: length("random_radius"),
        radius: if is_positional { heard } else { active },
        full_volume_radius: length("full_volume_radius"),
        is_positional,
        pause,
        max_extra_pause: (seconds(&document, "max_delay") - pause).max(0.0),
        document,
    }
}
