//! Treatment of full palettes.

/// Treatment of full palettes when an edited picture has new colors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Palettes {
    /// The palette of a picture is made anew from all of its colors, where that is closer to the edit.
    #[default]
    Remake,
    /// Palettes stay, and new colors become the nearest ones.
    Keep,
}
