//! `[target]`: named sets of defaults, one for each target program. A set overrides the defaults, and a
//! configuration file overrides the set.
//!
//! If a program could read a format that relicast does not write yet (Ogg Vorbis music, WebP pictures,
//! quantized vertices, vertex colors for Godot), the set has the nearest one that it reads.

use std::fmt;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// Target of the outputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Target {
    /// Set of defaults.
    pub engine: Engine,
}

/// Target program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// No specific program.
    #[default]
    None,
    /// Godot 4.
    Godot,
    /// Unity, with glTFast.
    Unity,
    /// Blender.
    Blender,
    /// Pages in a browser.
    Web,
    /// Archive from which everything can be made again.
    Archive,
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::None => "none",
            Self::Godot => "godot",
            Self::Unity => "unity",
            Self::Blender => "blender",
            Self::Web => "web",
            Self::Archive => "archive",
        })
    }
}

impl Engine {
    /// All targets.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Godot,
        Self::Unity,
        Self::Blender,
        Self::Web,
        Self::Archive,
    ];

    /// Settings of the target, as TOML.
    pub fn settings(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Godot => include_str!("targets/godot.toml"),
            Self::Unity => include_str!("targets/unity.toml"),
            Self::Blender => include_str!("targets/blender.toml"),
            Self::Web => include_str!("targets/web.toml"),
            Self::Archive => include_str!("targets/archive.toml"),
        }
    }

    /// Settings of the target, overridden by those of a file.
    pub(super) fn below(self, own: &Table) -> Table {
        let mut all: Table = toml::from_str(self.settings()).unwrap_or_default();
        for (section, keys) in own {
            match (all.get_mut(section), keys) {
                (Some(Value::Table(known)), Value::Table(keys)) => {
                    known.extend(keys.clone());
                }
                _ => {
                    all.insert(section.clone(), keys.clone());
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, SceneContainer, SoundFormat, VideoProfile, read, read_for};

    #[test]
    fn every_set_is_a_configuration_and_changes_something() {
        for engine in Engine::ALL {
            let config = read(engine.settings()).unwrap();
            assert_eq!(config == Config::default(), engine == Engine::None);
        }
    }

    #[test]
    fn files_beat_sets_and_the_command_line_chooses_them() {
        let text = "[target]\nengine = \"godot\"\n[music]\nformat = \"both\"\n";
        let config = read(text).unwrap();
        assert_eq!(config.target.engine, Engine::Godot);
        assert_eq!(config.music.format, SoundFormat::Both);
        assert_eq!(config.video.profile, VideoProfile::Theora);
        let config = read_for(text, Some(Engine::Web)).unwrap();
        assert_eq!(config.target.engine, Engine::Web);
        assert_eq!(config.scenes.container, SceneContainer::Glb);
        assert_eq!(config.video.profile, VideoProfile::Mp4);
        let config = read_for(text, Some(Engine::None)).unwrap();
        assert_eq!(config.video.profile, VideoProfile::Mp4);
        // Errors are reported at their position.
        let faults = read("[target]\nengine = \"godoth\"\n").unwrap_err();
        assert_eq!((faults[0].line, faults.len()), (Some(2), 1));
        let faults = read_for(
            "[video]\ncontainer = \"mp4\"\naudio = \"vorbis\"\ncrf = 60\n",
            Some(Engine::Godot),
        );
        assert_eq!(faults.unwrap_err()[0].line, Some(4));
    }
}
