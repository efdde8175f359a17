//! Differences between the worlds of the games as a whole.

use crate::zipper::ZipperGame;

use super::early::EARLY_VERSION;

impl ZipperGame {
    /// The game whose worlds have this version word.
    pub const fn from_world_version(version: u32) -> Option<Self> {
        match version {
            EARLY_VERSION | 15 => Some(Self::Recoil),
            27 => Some(Self::MechWarrior3),
            41 => Some(Self::PiratesMoon),
            42 => Some(Self::CrimsonSkies),
            _ => None,
        }
    }

    /// The version word of its worlds and model libraries, as released.
    pub const fn world_version(self) -> u32 {
        match self {
            Self::Recoil => 15,
            Self::MechWarrior3 => 27,
            Self::PiratesMoon => 41,
            Self::CrimsonSkies => 42,
        }
    }

    /// Bits of a polygon's first word that count its corners.
    pub const fn corner_mask(self) -> u32 {
        if self.since(Self::PiratesMoon) {
            0x3FF
        } else {
            0xFF
        }
    }

    /// Edge of a world partition, in world units.
    pub const fn partition_edge(self) -> f32 {
        match self {
            Self::CrimsonSkies => 1024.0,
            _ => 256.0,
        }
    }

    /// True when the trailer of a used node is the offset of its data, and unused node slots are stored (Recoil,
    /// MechWarrior 3). Otherwise the trailer is a link and only used nodes are stored.
    pub const fn stores_free_nodes(self) -> bool {
        self.until(Self::MechWarrior3)
    }

    /// True when free model slots are anywhere among the used ones (Crimson Skies).
    pub const fn scatters_models(self) -> bool {
        matches!(self, Self::CrimsonSkies)
    }
}
