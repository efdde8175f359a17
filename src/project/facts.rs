//! Inputs for the scenes of a project: outputs, settings, and playable sounds.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::gltf::SceneFile;
use super::media;
use crate::config::{Config, Unit};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::InputNumber;
use relicast_codec::quantity::counted;
use relicast_convert::is_sound_font;
use relicast_formats::asset::AssetKind;

/// Maximum size of a sound font to check.
const MAX_FONT_BYTES: u64 = 256 << 20;

/// Inputs for the scenes of a project.
pub(super) struct Project<'c> {
    pub(super) converted: &'c Converted,
    pub(super) config: &'c Config,
    /// All outputs.
    pub(super) paths: BTreeSet<&'c str>,
    /// Sounds of each input by stem, in the best quality.
    pub(super) sounds: BTreeMap<(InputNumber, String), &'c str>,
    /// Number of emitters so far with music that the engine cannot play.
    silent_music: Cell<usize>,
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
            silent_music: Cell::default(),
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

    /// Scene file, unless it is empty.
    pub(super) fn scene(&self, path: &str) -> Option<SceneFile> {
        let file = SceneFile::read(self.converted, path);
        file.filter(|file| !file.nodes_of(0).is_empty())
    }

    /// Returns whether an engine plays an output.
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

    /// Counts the emitter of a sound that the engine cannot play, if the sound is MIDI music.
    pub(super) fn is_silent_music(&self, path: &str) -> bool {
        let is_music = path.ends_with(".mid");
        if is_music {
            self.silent_music.set(self.silent_music.get() + 1);
        }
        is_music
    }

    /// Note about MIDI music that the engine cannot play, with advice; none if there is no such music.
    pub(super) fn silent_music_note(&self) -> Option<String> {
        let count = self.silent_music.get();
        if count == 0 {
            return None;
        }
        let paths = self.paths.iter().copied();
        let fonts: Vec<&str> = paths
            .filter(|path| self.is_sound_font(path))
            .map(name_of)
            .collect();
        let font = if fonts.is_empty() {
            "music.sound_font = \"FILE.sf2\", because this install has no playable sound font"
                .to_owned()
        } else {
            format!("the sound font of this install: {}", fonts.join(", "))
        };
        let places = counted(
            count,
            "place with music is silent",
            "places with music are silent",
        );
        Some(format!(
            "{places}, because the engine does not play MIDI; to hear it, convert with music.render = true ({font})"
        ))
    }

    /// Returns whether an output is a sound font that music can be rendered with.
    fn is_sound_font(&self, path: &str) -> bool {
        if !(path.ends_with(".sf2") || path.ends_with(".dls")) {
            return false;
        }
        let bytes = self.converted.read(path, MAX_FONT_BYTES);
        bytes.is_some_and(|bytes| is_sound_font(&bytes))
    }

    /// Path of a sound with this name in an input.
    pub(super) fn sound(&self, input: InputNumber, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let stem = name.strip_suffix(".wav").unwrap_or(&name);
        self.sounds.get(&(input, stem.to_owned())).copied()
    }
}

/// Returns whether a world is EverQuest's sky.
pub(super) fn is_sky(path: &str) -> bool {
    matches!(name_of(path), "sky.gltf" | "sky.glb")
}

/// Last component of a path.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Path without its extension.
pub(super) fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Factor for positions that outputs contain in units of EverQuest's files.
pub(super) fn everquest_scale(config: &Config) -> f64 {
    match config.everquest.scale {
        Unit::Units => 1.0,
        Unit::Meters => 0.3048,
    }
}

pub(super) fn is_scene(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "gltf" | "glb")))
}
