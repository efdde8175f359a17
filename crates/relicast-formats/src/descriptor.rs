//! Description of a format in the [registry](super::registry), without its codec.
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

/// Description of a format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Words for reports.
    pub label: &'static str,
    /// Usual file names, for people.
    pub files: &'static str,
    /// By what it is told; none for kinds that the place tells and not the content.
    pub signs: &'static [Sign],
    /// Meaning of an empty file whose name suggests this kind.
    pub empty: WhenEmpty,
    /// True if such a file shows that the input is an install of a game.
    pub shows_install: bool,
    /// Which games it may be of.
    pub owners: Owners,
    /// Finds the game that a source comes from.
    pub game: fn(&Candidate<'_>) -> GameSign,
    /// Storage of members, for containers.
    pub members: Members,
    /// The extension, with its period, that names of members of this kind do not need; empty for none.
    pub implies: &'static str,
    /// Level of support for Recoil, MechWarrior 3, Pirate's Moon, Crimson Skies and EverQuest.
    pub support: [Support; 5],
    /// Kind of conversion.
    pub becomes: Becomes,
    /// Output formats, for people.
    pub outputs: &'static str,
    /// Further notes for people.
    pub notes: &'static str,
}

/// Level of support for the files of a game.
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

/// Meaning of an empty file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenEmpty {
    /// One that was lost: it has a header at the least.
    Lost,
    /// An empty file like any other.
    Empty,
}

/// Kind of conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Becomes {
    /// This asset, in this folder of the output.
    Asset(AssetKind, Category),
    /// Nothing, for this reason.
    Nothing(&'static str),
    /// Nothing, for the reason that goes with its extension (`foreign_reason`).
    NothingByName,
}

/// Strength of the evidence for a game.
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

/// Evidence for the game that a source comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameSign {
    /// It is of this game, for this reason.
    Shown(Game, Strength, String),
    /// It is of no game that is known, whatever its name says.
    Denied,
    /// Nothing; the name may tell.
    Silent,
}

/// Storage of the members of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// It is no container.
    None,
    /// As they are.
    Stored,
    /// In deflated blocks.
    Deflated,
}
