//! `pipeline.toml` as types.
//!
//! The file at the project's root is the commented default and is compiled in; a test keeps it and
//! the types in step. Unknown keys are errors that show their line; so are values that mean nothing.
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

/// The commented default configuration.
pub const DEFAULT: &str = include_str!("../../pipeline.toml");

/// Everything that can be set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Whom the outputs are for.
    pub target: Target,
    /// How the run is done.
    pub run: Run,
    /// Which stages run.
    pub stages: Stages,
    /// What a file may make the program spend.
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
    /// Worlds, 'mechs and aircraft alike.
    pub scenes: Scenes,
    /// Worlds.
    pub worlds: Worlds,
    /// 'Mechs, aircraft and things that are made at run time.
    pub models: Models,
    /// Liveries of aircraft.
    pub liveries: Liveries,
    /// Inputs.
    pub source: Source,
    /// Disc images.
    pub discs: Discs,
    /// Cabinets and archives.
    pub cabinets: Cabinets,
    /// Music of discs.
    pub music: Music,
    /// What only EverQuest's zones and models have.
    pub everquest: EverQuest,
    /// Videos.
    pub video: Video,
    /// Files that need no conversion.
    pub loose: Loose,
    /// JSON files.
    pub documents: Documents,
    /// Typed decodes.
    pub raw: Raw,
    /// The gallery beside the outputs.
    pub gallery: Gallery,
    /// The project around the outputs.
    pub project: Project,
}

/// How the run is done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// Worker threads, 0 for one a core.
    pub jobs: usize,
    /// Deviations are failures.
    pub strict: bool,
    /// Which game the input is from.
    pub game: GameChoice,
    /// Globs of files to take; empty for all.
    pub include: Vec<String>,
    /// Globs of files to leave.
    pub exclude: Vec<String>,
    /// How output names are made.
    pub names: NameStyle,
    /// Golden file to compare with; empty for none.
    pub golden: PathBuf,
    /// Store that outputs are shared in; empty for none.
    pub store: PathBuf,
    /// How unchanged sources are told.
    pub unchanged: Unchanged,
    /// What is on the disk before the run says that it is done.
    pub sync: SyncPolicy,
}

/// What is on the disk, and not only handed to the system, before a run says that it is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncPolicy {
    /// `manifest.json` and `report.json`; the journal goes after that.
    #[default]
    Manifest,
    /// Each output too, before the journal names it.
    All,
    /// Nothing: the system writes when it likes.
    None,
}

/// Which game the input is from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameChoice {
    /// Tell by the files.
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
    /// The game, when one is chosen.
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

/// How output names are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NameStyle {
    /// Lower case.
    #[default]
    Lower,
    /// The source's letter case.
    Keep,
}

/// How unchanged sources are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unchanged {
    /// By size and time of change.
    #[default]
    Time,
    /// By reading them again.
    Hash,
}

/// Which stages run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stages {
    /// Make assets.
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

/// One kind of asset without further settings.
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

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read configuration {path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not a configuration, or holds values that cannot be used.
    #[error("configuration {path} is not valid:{}", listed(faults))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// All that is wrong with it.
        faults: Vec<ConfigFault>,
    },
}

fn listed(faults: &[ConfigFault]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

impl Config {
    /// Reads a configuration; keys that it lacks take their defaults.
    ///
    /// # Errors
    /// The file cannot be read, has an unknown key, or a value that cannot be used.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::load_for(path, None)
    }

    /// The defaults of a target; `None` for those of no one in particular.
    pub fn of_target(engine: Option<Engine>) -> Self {
        read_for("", engine).unwrap_or_default()
    }

    /// Reads a configuration for a target, which is that of the file when `None`.
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

    /// The settings of converters.
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

    /// Whether assets of `kind` are converted.
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

    /// The effective settings as TOML.
    ///
    /// # Errors
    /// Never for settings that were read from TOML; the serializer's type has an error all the same.
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
