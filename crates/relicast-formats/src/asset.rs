//! Kinds of assets, the folders that they go to, and the games that they come from.
//!
//! ```
//! use relicast_formats::asset::{Category, Game};
//!
//! assert_eq!(Game::Mw.title(), "MechWarrior 3");
//! assert_eq!(Category::Worlds.folder(), "worlds");
//! ```

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// Folder of the output tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Worlds and maps.
    Worlds,
    /// 'Mechs, aircraft, objects.
    Models,
    /// Motions and animations.
    Animations,
    /// Pictures.
    Textures,
    /// Sounds.
    Sounds,
    /// Music, and facts about discs.
    Music,
    /// Videos.
    Video,
    /// Readers, scripts, saves.
    Config,
    /// Messages.
    Text,
    /// Files that need no conversion.
    Loose,
}

impl Category {
    /// Name of the folder.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Worlds => "worlds",
            Self::Models => "models",
            Self::Animations => "animations",
            Self::Textures => "textures",
            Self::Sounds => "sounds",
            Self::Music => "music",
            Self::Config => "config",
            Self::Text => "text",
            Self::Video => "video",
            Self::Loose => "loose",
        }
    }
}

/// Kind of an asset, for settings, totals and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AssetKind {
    /// Pictures.
    Textures,
    /// Sounds.
    Sounds,
    /// Reader files (game data as nested lists).
    Readers,
    /// Prepared scripts.
    Scripts,
    /// Message tables.
    Messages,
    /// Motions of 'mechs.
    Motions,
    /// Compiled animations: doors, lifts, effects, camera rides.
    Animations,
    /// Mission maps.
    Maps,
    /// Save games.
    Saves,
    /// Tables of contents of archives and packages.
    Archives,
    /// Worlds.
    Worlds,
    /// 'Mechs and other models.
    Models,
    /// Audio tracks of discs, songs, sound fonts.
    Music,
    /// Facts about discs.
    Discs,
    /// Facts about cabinets and archives.
    Cabinets,
    /// Videos.
    Video,
    /// Files that need no conversion.
    Loose,
    /// Anything without a converter.
    Other,
}

impl AssetKind {
    /// Label for reports.
    pub fn label(self) -> &'static str {
        match self {
            Self::Textures => "textures",
            Self::Sounds => "sounds",
            Self::Readers => "readers",
            Self::Scripts => "scripts",
            Self::Messages => "messages",
            Self::Motions => "motions",
            Self::Animations => "animations",
            Self::Maps => "maps",
            Self::Saves => "saves",
            Self::Archives => "archives",
            Self::Worlds => "worlds",
            Self::Models => "models",
            Self::Music => "music",
            Self::Discs => "discs",
            Self::Cabinets => "cabinets",
            Self::Video => "videos",
            Self::Loose => "loose files",
            Self::Other => "other",
        }
    }
}

/// A supported game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Game {
    /// Recoil.
    #[cfg_attr(feature = "clap", value(aliases = ["recoil"]))]
    Rc,
    /// MechWarrior 3.
    #[cfg_attr(feature = "clap", value(aliases = ["mechwarrior3", "mechwarrior-3", "mech3", "mw3"]))]
    Mw,
    /// MechWarrior 3: Pirate's Moon.
    #[cfg_attr(feature = "clap", value(aliases = ["piratesmoon", "pirates-moon", "mw3pm"]))]
    Pm,
    /// Crimson Skies.
    #[cfg_attr(feature = "clap", value(aliases = ["crimsonskies", "crimson-skies", "crimson"]))]
    Cs,
    /// EverQuest.
    #[cfg_attr(feature = "clap", value(aliases = ["everquest"]))]
    Eq,
}

impl Game {
    /// The game's title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Rc => "Recoil",
            Self::Mw => "MechWarrior 3",
            Self::Pm => "MechWarrior 3: Pirate's Moon",
            Self::Cs => "Crimson Skies",
            Self::Eq => "EverQuest",
        }
    }

    /// Description of the files that identify the game.
    pub fn wanted(self) -> &'static str {
        match self {
            Self::Rc => "Zipper containers (.zbd) and Recoil maps (.zmap)",
            Self::Mw | Self::Pm | Self::Cs => "Zipper containers (.zbd)",
            Self::Eq => "EverQuest archives (.s3d) and scenes (.wld)",
        }
    }
}

impl Display for Game {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.title())
    }
}
