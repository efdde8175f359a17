//! The four games and what differs between their files as a whole.

use serde::Serialize;

/// The game that a file was built for, known by the version word of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Version {
    /// Version 15.
    #[default]
    Recoil,
    /// Version 27.
    MechWarrior3,
    /// Version 41.
    PiratesMoon,
    /// Version 42.
    CrimsonSkies,
}

/// A set of games, used to say where a field exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Versions(u8);

/// Recoil alone.
pub(super) const RC: Versions = Versions(1);
/// MechWarrior 3 alone.
pub(super) const MW: Versions = Versions(2);
/// Recoil and MechWarrior 3.
pub(super) const RC_MW: Versions = Versions(3);
/// All but Crimson Skies.
pub(super) const RC_MW_PM: Versions = Versions(7);
/// MechWarrior 3 and Pirate's Moon, the games with a mechlib.
pub(super) const MW_PM: Versions = Versions(6);
/// Pirate's Moon and Crimson Skies.
pub(super) const PM_CS: Versions = Versions(12);
/// Crimson Skies alone.
pub(super) const CS: Versions = Versions(8);
/// All but Recoil.
pub(super) const MW_PM_CS: Versions = Versions(14);

impl Version {
    /// Every version, in order of appearance.
    pub const ALL: [Self; 4] = [
        Self::Recoil,
        Self::MechWarrior3,
        Self::PiratesMoon,
        Self::CrimsonSkies,
    ];

    /// The version of a stored word.
    pub const fn from_code(code: u32) -> Option<Self> {
        match code {
            15 => Some(Self::Recoil),
            27 => Some(Self::MechWarrior3),
            41 => Some(Self::PiratesMoon),
            42 => Some(Self::CrimsonSkies),
            _ => None,
        }
    }

    /// The stored word.
    pub const fn code(self) -> u32 {
        match self {
            Self::Recoil => 15,
            Self::MechWarrior3 => 27,
            Self::PiratesMoon => 41,
            Self::CrimsonSkies => 42,
        }
    }

    /// Tells whether this game belongs to `versions`.
    #[inline]
    pub const fn is_in(self, versions: Versions) -> bool {
        let bit = match self {
            Self::Recoil => RC.0,
            Self::MechWarrior3 => MW.0,
            Self::PiratesMoon => 4,
            Self::CrimsonSkies => CS.0,
        };
        versions.0 & bit != 0
    }

    /// Bits of a polygon's first word that count its corners.
    pub const fn corner_mask(self) -> u32 {
        if self.is_in(PM_CS) { 0x3FF } else { 0xFF }
    }

    /// Edge of a world partition, in world units.
    pub const fn partition_edge(self) -> f32 {
        match self {
            Self::CrimsonSkies => 1024.0,
            _ => 256.0,
        }
    }

    /// True when the trailer of a used node is the offset of its data, and unused node slots are
    /// stored (Recoil, MechWarrior 3). Otherwise the trailer is a link and only live nodes are stored.
    pub const fn stores_free_nodes(self) -> bool {
        self.is_in(RC_MW)
    }

    /// True when free model slots lie anywhere among the used ones (Crimson Skies).
    pub const fn scatters_models(self) -> bool {
        self.is_in(CS)
    }
}
