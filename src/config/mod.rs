//! `pipeline.toml` as types.
//!
//! The file in the root of the project is the commented default and is compiled in; a test compares it with the
//! types. Unknown keys and invalid values are errors that show their line.
//!
//! ```
//! use relicast::config::{Config, SceneContainer};
//!
//! let mut config = Config::default();
//! config.scenes.container = SceneContainer::Glb;
//! assert!(config.to_toml().unwrap().contains("container = \"glb\""));
//! ```

mod cabinet;
mod check;
mod digest;
mod disc;
mod gallery;
mod printing;
mod project;
mod reading;
mod source;
mod target;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use relicast_formats::asset::{AssetKind, Game};

pub use cabinet::Cabinets;
pub use digest::KindDigests;
pub use disc::Discs;
pub use gallery::{Embed, Gallery};
pub use printing::commented;
pub use project::{Project, ProjectKind};
pub use reading::{ConfigFault, closest, read, read_for, without_removed};
pub use relicast_convert::options::{
    AUTO, AlphaPlane, AlphaRule, Animations, ByteOrder, Clips, ConvertOptions, Documents,
    EverQuest, Hidden, HideUnplaced, LampLight, Layers, LimbTranslations, Liveries, Lods, Loose,
    LoosePictures, Models, Music, NormalGreen, Palette, Raw, RestPose, SamplerRule, SceneContainer,
    SceneFilter, Scenes, ServerTables, Shading, SoundFormat, Sounds, Terrain, Textures, Unit,
    VertexAnimation, VertexLight, Video, VideoAudio, VideoProfile, Visibility, WorldState, Worlds,
};
pub use relicast_limits::Limits;
pub use source::Source;
pub use target::{Engine, Target};

/// Commented default configuration.
pub const DEFAULT: &str = include_str!("../../pipeline.toml");

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Target of the outputs.
    pub target: Target,
    /// Settings of the run.
    pub run: Run,
    /// Enabled stages.
    pub stages: Stages,
    /// Resource limits.
    pub limits: Limits,
    /// Pictures.
    pub textures: Textures,
    /// Sounds.
    pub sounds: Sounds,
    /// Reader values.
    pub readers: Switch,
    /// Prepared scripts.
    pub scripts: Switch,
    /// Message libraries.
    pub messages: Switch,
    /// Motions.
    pub motions: Switch,
    /// Compiled animations.
    pub animations: Animations,
    /// Mission maps.
    pub maps: Switch,
    /// Save games.
    pub saves: Switch,
    /// Tables of contents.
    pub archives: Switch,
    /// Worlds, 'mechs and aircraft.
    pub scenes: Scenes,
    /// Worlds.
    pub worlds: Worlds,
    /// 'Mechs, aircraft and objects that are created at run time.
    pub models: Models,
    /// Liveries of aircraft.
    pub liveries: Liveries,
    /// Reading of inputs.
    pub source: Source,
    /// Disc images.
    pub discs: Discs,
    /// Cabinets and archives.
    pub cabinets: Cabinets,
    /// Music of discs.
    pub music: Music,
    /// Features of EverQuest's zones and models only.
    pub everquest: EverQuest,
    /// Videos.
    pub video: Video,
    /// Files that need no conversion.
    pub loose: Loose,
    /// JSON files.
    pub documents: Documents,
    /// JSON files with all fields of the source files, next to the other outputs.
    pub raw: Raw,
    /// Gallery written next to the outputs.
    pub gallery: Gallery,
    /// Engine project written with the outputs.
    pub project: Project,
}

/// Settings of the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// Worker threads; 0 for one per core.
    pub jobs: usize,
    /// Treat deviations as failures.
    pub strict: bool,
    /// Game of the input.
    pub game: GameChoice,
    /// Globs of files to include; empty for all.
    pub include: Vec<String>,
    /// Globs of files to exclude.
    pub exclude: Vec<String>,
    /// Style of output names.
    pub names: NameStyle,
    /// Golden file to compare with; empty for none.
    pub golden: PathBuf,
    /// Store for sharing outputs; empty for none.
    pub store: PathBuf,
    /// Method to detect unchanged sources.
    pub unchanged: Unchanged,
    /// Files synchronized to the disk before the run reports success.
    pub sync: SyncPolicy,
}

/// Files that are synchronized to the disk before a run reports success.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncPolicy {
    /// `manifest.json` and `report.json`; the journal is deleted afterwards.
    #[default]
    Manifest,
    /// Also each output, before it is recorded in the journal.
    All,
    /// None: the system decides when to write.
    None,
}

/// Game of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameChoice {
    /// Detect from the files.
    #[default]
    Auto,
    /// Recoil.
    #[serde(alias = "recoil")]
    Rc,
    /// MechWarrior 3.
    #[serde(
        alias = "mechwarrior3",
        alias = "mechwarrior-3",
        alias = "mech3",
        alias = "mw3"
    )]
    Mw,
    /// Pirate's Moon.
    #[serde(alias = "piratesmoon", alias = "pirates-moon", alias = "mw3pm")]
    Pm,
    /// Crimson Skies.
    #[serde(alias = "crimsonskies", alias = "crimson-skies", alias = "crimson")]
    Cs,
    /// EverQuest.
    #[serde(alias = "everquest")]
    Eq,
}

impl GameChoice {
    /// The selected game, if any.
    pub fn forced(self) -> Option<Game> {
        match self {
            Self::Auto => None,
            Self::Rc => Some(Game::Rc),
            Self::Mw => Some(Game::Mw),
            Self::Pm => Some(Game::Pm),
            Self::Cs => Some(Game::Cs),
            Self::Eq => Some(Game::Eq),
        }
    }
}

impl From<Game> for GameChoice {
    fn from(game: Game) -> Self {
        match game {
            Game::Rc => Self::Rc,
            Game::Mw => Self::Mw,
            Game::Pm => Self::Pm,
            Game::Cs => Self::Cs,
            Game::Eq => Self::Eq,
        }
    }
}

/// Style of output names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NameStyle {
    /// Lower case.
    #[default]
    Lower,
    /// Letter case of the source.
    Keep,
}

/// Method to detect unchanged sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unchanged {
    /// By size and modification time.
    #[default]
    Time,
    /// By reading and hashing them.
    Hash,
}

/// Enabled stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stages {
    /// Convert assets.
    pub convert: bool,
    /// Write files.
    pub emit: bool,
    /// Compare with the golden file.
    pub verify: bool,
}

impl Default for Stages {
    fn default() -> Self {
        Self {
            convert: true,
            emit: true,
            verify: true,
        }
    }
}

/// Asset kind without further settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Switch {
    /// Convert it.
    pub enabled: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// Reason why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read configuration {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Error.
        error: std::io::Error,
    },
    /// The file is not a configuration, or contains invalid values.
    #[error("configuration {path} is not valid:{}", listed(faults))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// All errors in it.
        faults: Vec<ConfigFault>,
    },
}

fn listed(faults: &[ConfigFault]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

impl Config {
    /// Reads a configuration; missing keys get their defaults.
    ///
    /// # Errors
    /// The file cannot be read, has an unknown key, or an invalid value.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::load_for(path, None)
    }

    /// Defaults of a target; the general defaults for `None`.
    pub fn of_target(engine: Option<Engine>) -> Self {
        read_for("", engine).unwrap_or_default()
    }

    /// Reads a configuration for a target; `None` uses the target of the file.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_for(path: &Path, engine: Option<Engine>) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Read {
            path: path.to_owned(),
            error,
        })?;
        read_for(&text, engine).map_err(|faults| ConfigError::Invalid {
            path: path.to_owned(),
            faults,
        })
    }

    /// Settings for converters.
    pub fn options(&self) -> ConvertOptions {
        ConvertOptions {
            animations: self.animations.clone(),
            documents: self.documents.clone(),
            everquest: self.everquest.clone(),
            liveries: self.liveries.clone(),
            loose: self.loose.clone(),
            models: self.models.clone(),
            music: self.music.clone(),
            raw: self.raw.clone(),
            scenes: self.scenes.clone(),
            sounds: self.sounds.clone(),
            textures: self.textures.clone(),
            video: self.video.clone(),
            worlds: self.worlds.clone(),
        }
    }

    /// Returns whether assets of `kind` are converted.
    pub fn enables(&self, kind: AssetKind) -> bool {
        match kind {
            AssetKind::Textures => self.textures.enabled,
            AssetKind::Sounds => self.sounds.enabled,
            AssetKind::Readers => self.readers.enabled,
            AssetKind::Scripts => self.scripts.enabled,
            AssetKind::Messages => self.messages.enabled,
            AssetKind::Motions => self.motions.enabled,
            AssetKind::Animations => self.animations.enabled,
            AssetKind::Maps => self.maps.enabled,
            AssetKind::Saves => self.saves.enabled,
            AssetKind::Archives => self.archives.enabled,
            AssetKind::Worlds => self.worlds.enabled,
            AssetKind::Models => self.models.enabled,
            AssetKind::Music => self.music.enabled,
            AssetKind::Video => self.video.enabled,
            AssetKind::Loose => self.loose.enabled,
            AssetKind::Discs | AssetKind::Cabinets | AssetKind::Other => true,
        }
    }

    /// Effective settings as TOML.
    ///
    /// # Errors
    /// Never for settings that were read from TOML, but the serializer is fallible.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commented_default_is_the_default() {
        let parsed: Config = toml::from_str(DEFAULT).unwrap();
        assert_eq!(parsed, Config::default());
    }

    #[test]
    fn the_commented_default_shows_every_key() {
        let all = toml::Table::try_from(Config::default()).unwrap();
        let shown: toml::Table = toml::from_str(DEFAULT).unwrap();
        for (section, keys) in &all {
            for key in keys.as_table().unwrap().keys() {
                let section = shown.get(section).and_then(toml::Value::as_table);
                assert!(section.unwrap().contains_key(key), "{key}");
            }
        }
    }

    #[test]
    fn unknown_keys_show_their_line() {
        let error = toml::from_str::<Config>("[textures]\npalete = \"keep\"\n").unwrap_err();
        let text = error.to_string();
        assert!(text.contains("line 2"), "{text}");
        assert!(text.contains("palete"), "{text}");
    }
}
