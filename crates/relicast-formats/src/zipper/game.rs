//! The games of the Zipper engine, in order of release.

use serde::Serialize;

use crate::asset::Game;

/// A game of the Zipper engine. Each has its own version of every format, so that the game determines the layout of
/// a file. Ordered by age.
///
/// ```
/// use relicast_formats::zipper::ZipperGame;
///
/// assert!(ZipperGame::PiratesMoon.since(ZipperGame::MechWarrior3));
/// assert_eq!(ZipperGame::from_world_version(42), Some(ZipperGame::CrimsonSkies));
/// assert_eq!(ZipperGame::CrimsonSkies.animation_version(), 53);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ZipperGame {
    /// Recoil.
    #[default]
    Recoil,
    /// MechWarrior 3.
    MechWarrior3,
    /// Pirate's Moon.
    PiratesMoon,
    /// Crimson Skies.
    CrimsonSkies,
}

impl ZipperGame {
    /// Every game, oldest first.
    pub const ALL: [Self; 4] = [
        Self::Recoil,
        Self::MechWarrior3,
        Self::PiratesMoon,
        Self::CrimsonSkies,
    ];

    /// Short name in the outputs.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Recoil => "rc",
            Self::MechWarrior3 => "mw",
            Self::PiratesMoon => "pm",
            Self::CrimsonSkies => "cs",
        }
    }

    /// True for `first` and every later game.
    #[inline]
    pub const fn since(self, first: Self) -> bool {
        self as u8 >= first as u8
    }

    /// True for `last` and every earlier game.
    #[inline]
    pub const fn until(self, last: Self) -> bool {
        self as u8 <= last as u8
    }
}

impl From<ZipperGame> for Game {
    fn from(game: ZipperGame) -> Self {
        match game {
            ZipperGame::Recoil => Self::Rc,
            ZipperGame::MechWarrior3 => Self::Mw,
            ZipperGame::PiratesMoon => Self::Pm,
            ZipperGame::CrimsonSkies => Self::Cs,
        }
    }
}
