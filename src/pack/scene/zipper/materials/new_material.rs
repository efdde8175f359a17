//! A material that faces of an edit have and that the original scene does not have.

use super::table::stored_channel;
use super::tinted::NodeTint;
use crate::pack::scene::file::surface::Surface;
use relicast_convert::zipper::color_label;

/// A material that the scene gets.
#[derive(Debug)]
pub(in crate::pack::scene) struct NewMaterial {
    /// Name of its texture, or of its color.
    pub name: String,
    /// The name that scenes show for it.
    pub shown: String,
    /// The materials of the edit that become it.
    pub edited: Vec<EditedMaterial>,
    /// Its color, if it has no picture: sRGB channels of 0 to 255, and opacity of 0 to 255.
    pub color: Option<([f32; 3], u8)>,
    /// True if the game file has it already.
    pub is_stored: bool,
    /// True if the objects that have it mix its color with a tint.
    pub is_tinted: bool,
    /// True if its color, opacity or use of alpha is in the texels of its picture.
    pub is_painted: bool,
    /// Its picture, if no package has it yet.
    pub picture: Option<NewPicture>,
}

impl NewMaterial {
    /// One without picture, whose color nodes may mix with a tint.
    pub(super) fn of_color(
        surface: &Surface,
        edited: Vec<EditedMaterial>,
        tint: Option<NodeTint>,
    ) -> Self {
        let own = tint.map_or(surface.color, |tint| tint.nearest_own(surface.color));
        let color = own.map(stored_channel);
        let name = color_label(color);
        Self {
            shown: shown_name(&name),
            name,
            edited,
            color: Some((color, (surface.opacity * 255.0).round() as u8)),
            is_stored: false,
            is_tinted: tint.is_some(),
            is_painted: false,
            picture: None,
        }
    }
}

/// A material of the edit.
#[derive(Debug)]
pub(in crate::pack::scene) struct EditedMaterial {
    pub number: usize,
    /// Its name in the edit.
    pub name: String,
}

/// A picture that a texture package gets.
#[derive(Debug)]
pub(in crate::pack::scene) struct NewPicture {
    /// Path of the package below the install.
    pub package: String,
    pub png: Vec<u8>,
    /// Difference between the picture and the edit.
    pub rounding: Option<String>,
}

/// The name that scenes show for a material: names in outputs have no periods.
pub(in crate::pack::scene::zipper) fn shown_name(label: &str) -> String {
    label.replace('.', "_")
}
