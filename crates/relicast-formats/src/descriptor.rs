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

use super::detector::{Candidate, Detector};

/// Description of a format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Label for reports.
    pub label: &'static str,
    /// Usual file names, for people.
    pub files: &'static str,
    /// Detectors; empty for kinds that are detected by their place and not by their content.
    pub detectors: &'static [Detector],
    /// Meaning of an empty file whose name suggests this kind.
    pub empty: WhenEmpty,
    /// True if such a file shows that the input is an install of a game.
    pub shows_install: bool,
    /// Games that it may come from.
    pub owners: Owners,
    /// Finds the game that a source comes from.
    pub game: fn(&Candidate<'_>) -> GameEvidence,
    /// Storage of members, for containers.
    pub members: Members,
    /// Extension with its period, which members of this kind may omit; empty for none.
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
    /// Converted, and packed byte for byte.
    Full,
    /// Read or copied, not packed.
    ReadOnly,
    /// Not supported yet: skipped with a reason.
    Missing,
    /// The game has no such files.
    Absent,
}

/// Games that a kind may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owners {
    /// Any game.
    Any,
    /// One of these.
    Only(&'static [Game]),
}

/// Meaning of an empty file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenEmpty {
    /// A damaged file: it needs at least a header.
    Lost,
    /// A valid empty file.
    Empty,
}

/// Kind of conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Becomes {
    /// Converted to this asset, in this folder of the output.
    Asset(AssetKind, Category),
    /// Not converted, for this reason.
    Nothing(&'static str),
    /// Not converted, for the reason of its extension (`foreign_reason`).
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
pub enum GameEvidence {
    /// It comes from this game, for this reason.
    Shown(Game, Strength, String),
    /// It comes from no known game, for any name.
    Denied,
    /// Unknown; the name may decide.
    Silent,
}

/// Storage of the members of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// Not a container.
    None,
    /// Uncompressed.
    Stored,
    /// In deflated blocks.
    Deflated,
}
