//! Treatment of full palettes.

use serde::{Deserialize, Serialize};

/// Treatment of full palettes when an edited picture has new colors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Palettes {
    /// The palette of a picture is made anew from all of its colors, where that is closer to the edit.
    #[default]
    Remake,
    /// Palettes stay, and new colors become the nearest ones.
    Keep,
}

impl Palettes {
    /// True for the treatment that lists of packed outputs leave out.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
