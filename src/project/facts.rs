//! What the scenes of a project are made from: outputs, settings, and which sounds can be heard.

use std::collections::{BTreeMap, BTreeSet};

use super::gltf::SceneFile;
use super::media;
use crate::asset::AssetKind;
use crate::config::{Config, Unit};
use crate::pipeline::converted::Converted;
use crate::pipeline::manifest::InputNumber;

/// What the scenes of a project are made from.
pub(super) struct Project<'c> {
    pub(super) converted: &'c Converted,
    pub(super) config: &'c Config,
    /// All outputs.
    pub(super) paths: BTreeSet<&'c str>,
    /// Sounds of each input by their stems, of the best quality.
    pub(super) sounds: BTreeMap<(InputNumber, String), &'c str>,
}

impl<'c> Project<'c> {
    pub(super) fn new(converted: &'c Converted, config: &'c Config) -> Self {
        let outputs = &converted.manifest.outputs;
        let mut sounds = BTreeMap::new();
        for output in outputs
            .iter()
            .filter(|output| output.kind == AssetKind::Sounds)
        {
            if let Some((stem, "wav" | "ogg" | "mp3")) = name_of(&output.path).rsplit_once('.') {
                sounds
                    .entry((output.input, stem.to_lowercase()))
                    .or_insert(&*output.path);
            }
        }
        Self {
            converted,
            config,
            paths: outputs.iter().map(|output| &*output.path).collect(),
            sounds,
        }
    }

    /// Name of the project: the games in it.
    pub(super) fn title(&self) -> String {
        let games = &self.converted.report.games;
        let mut titles: Vec<&str> = games.iter().map(|game| &*game.title).collect();
        titles.dedup();
        match titles.is_empty() {
            true => "relicast".to_owned(),
            false => titles.join(", "),
        }
    }

    /// A scene file that has something in it.
    pub(super) fn scene(&self, path: &str) -> Option<SceneFile> {
        let file = SceneFile::read(self.converted, path);
        file.filter(|file| !file.nodes_of(0).is_empty())
    }

    /// Whether an engine plays an output.
    pub(super) fn plays(&self, path: &str) -> bool {
        match path.rsplit_once('.') {
            Some((_, "wav" | "ogg")) => true,
            Some((_, "mp3")) => {
                let head = self.converted.head(path, media::HEAD);
                head.is_some_and(|head| media::is_mp3(&head))
            }
            _ => false,
        }
    }

    /// The place of a sound of this name in an input.
    pub(super) fn sound(&self, input: InputNumber, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let stem = name.strip_suffix(".wav").unwrap_or(&name);
        self.sounds.get(&(input, stem.to_owned())).copied()
    }
}

/// Whether a world is EverQuest's sky.
pub(super) fn is_sky(path: &str) -> bool {
    matches!(name_of(path), "sky.gltf" | "sky.glb")
}

/// The last part of a path.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A path without its ending.
pub(super) fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Factor of positions that outputs tell in units of EverQuest's files.
pub(super) fn everquest_scale(config: &Config) -> f64 {
    match config.everquest.scale {
        Unit::Units => 1.0,
        Unit::Metres => 0.3048,
    }
}

pub(super) fn is_scene(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "gltf" | "glb")))
}
