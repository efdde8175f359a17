//! Settings of pictures.

use serde::{Deserialize, Serialize};

use relicast_scene::image::Effort;

/// Pictures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Textures {
    /// Convert them.
    pub enabled: bool,
    /// Output form of palettized images.
    pub palette: Palette,
    /// Output form of alpha planes.
    pub alpha_plane: AlphaPlane,
    /// Spread colors into transparent texels of color-keyed images.
    pub dilate: bool,
    /// Also write the mipmaps of DDS pictures.
    pub mips: bool,
    /// Output form of pictures outside the archives of an EverQuest install.
    pub loose: LoosePictures,
    /// Compression effort.
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

/// Output form of palettized images.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Palette {
    /// Indexed pictures.
    #[default]
    Keep,
    /// True color.
    Expand,
}

/// Output form of loose Targa, BMP and JPEG pictures of an EverQuest install.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoosePictures {
    /// PNG.
    #[default]
    Png,
    /// Copies of the files.
    Copy,
}

/// Output form of alpha planes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlphaPlane {
    /// The fourth channel of the picture.
    #[default]
    Merge,
    /// A separate picture.
    Separate,
}
