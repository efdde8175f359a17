//! Settings of pictures.

use serde::{Deserialize, Serialize};

use relicast_scene::image::Effort;

/// Pictures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Textures {
    /// Convert them.
    pub enabled: bool,
    /// What palettised images become.
    pub palette: Palette,
    /// What alpha planes become.
    pub alpha_plane: AlphaPlane,
    /// Spread colors into transparent texels of color-keyed images.
    pub dilate: bool,
    /// Write the smaller copies that DDS pictures bring along, too.
    pub mips: bool,
    /// What pictures of an EverQuest install outside archives become.
    pub loose: LoosePictures,
    /// How hard to compress.
    pub effort: Effort,
}

impl Default for Textures {
    fn default() -> Self {
        Self {
            enabled: true,
            palette: Palette::default(),
            alpha_plane: AlphaPlane::default(),
            dilate: true,
            mips: false,
            loose: LoosePictures::default(),
            effort: Effort::default(),
        }
    }
}

/// What palettised images become.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Palette {
    /// Indexed pictures.
    #[default]
    Keep,
    /// True color.
    Expand,
}

/// What loose Targa, BMP and JPEG pictures of an EverQuest install become.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoosePictures {
    /// PNG.
    #[default]
    Png,
    /// Copies of the files.
    Copy,
}

/// What alpha planes become.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlphaPlane {
    /// The fourth channel of the picture.
    #[default]
    Merge,
    /// A picture of its own.
    Separate,
}
