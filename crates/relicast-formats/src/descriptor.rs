//! What a row of the [registry](super::registry) tells of a format, its codec aside.
//!
//! ```
//! use relicast_formats::asset::Game;
//! use relicast_formats::descriptor::Owners;
//! use relicast_formats::kind::Kind;
//!
//! assert_eq!(Kind::Zmap.format().owners, Owners::Only(&[Game::Rc]));
//! ```

use serde::Serialize;

use crate::asset::{AssetKind, Category, Game};

use super::sign::{Candidate, Sign};

/// What is known of a format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Words for reports.
    pub label: &'static str,
    /// How its files are usually called, for people.
    pub files: &'static str,
    /// By what it is told; none for kinds that the place tells and not the content.
    pub signs: &'static [Sign],
    /// What a file without a byte is whose name tells this kind.
    pub empty: WhenEmpty,
    /// Whether finding one means that the input is an install of a game.
    pub shows_install: bool,
    /// Which games it may be of.
    pub owners: Owners,
    /// What one says about the game that it is of.
    pub game: fn(&Candidate<'_>) -> GameSign,
    /// Whether it holds members, and how these lie in it.
    pub members: Members,
    /// The extension, with its period, that names of members of this kind do not need; empty for none.
    pub implies: &'static str,
    /// How far the files of Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies and EverQuest are understood.
    pub support: [Support; 5],
    /// What becomes of it.
    pub becomes: Becomes,
    /// What it is written as, for people.
    pub outputs: &'static str,
    /// What people should know besides.
    pub notes: &'static str,
}

/// How far the files of a game are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// Converted, and written back byte for byte.
    Full,
    /// Read or copied, not written back.
    ReadOnly,
    /// Not yet: skipped with a reason.
    Missing,
    /// The game has none.
    Absent,
}

/// Which games a kind may be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owners {
    /// The kind says nothing about the game.
    Any,
    /// One of these.
    Only(&'static [Game]),
}

/// What a file without a byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenEmpty {
    /// One that was lost: it has a header at the least.
    Lost,
    /// An empty file like any other.
    Empty,
}

/// What becomes of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Becomes {
    /// This asset, in this folder of the output.
    Asset(AssetKind, Category),
    /// Nothing, for this reason.
    Nothing(&'static str),
    /// Nothing, for the reason that goes with its extension (`foreign_reason`).
    NothingByName,
}

/// How much a sign of a game says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// A file name.
    Weak,
    /// A container variant that one game uses.
    Medium,
    /// A version word of one game.
    Strong,
}

/// What a source says about the game that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameSign {
    /// It is of this game, for this reason.
    Shown(Game, Strength, String),
    /// It is of no game that is known, whatever its name says.
    Denied,
    /// Nothing; the name may tell.
    Silent,
}

/// How the members of a container lie in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// It is no container.
    None,
    /// As they are.
    Stored,
    /// In deflated blocks.
    Deflated,
}
