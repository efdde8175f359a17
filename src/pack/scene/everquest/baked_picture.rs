//! A picture that is made for a material of an edited scene.

use crate::pack::picture::Pixels;
use crate::pipeline::report::manifest::ManifestOutput;

/// Source of the texels of a picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Origin {
    /// A plain color.
    Color,
    /// The picture at a path in the folder of outputs.
    File(String),
    /// A new picture inside of the scene, as a file.
    Inside(Vec<u8>),
}

/// A picture that is made for a material.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BakedPicture<'j> {
    /// Path in the folder of outputs by which the edited scene names it; no file is there.
    pub path: String,
    /// Name of the new member.
    pub member: String,
    /// Source of its texels.
    pub from: Origin,
    /// Linear red, green, blue, and alpha by which the texels are multiplied.
    pub tint: [f32; 4],
    /// The output of the archive's picture on which its format is modeled.
    pub like: &'j ManifestOutput,
    /// Name of the material.
    pub material: String,
}

impl BakedPicture<'_> {
    /// Multiplies texels by the tint.
    pub(super) fn paint(&self, pixels: &mut Pixels) {
        let [red, green, blue, opacity] = self.tint;
        let opacity = opacity.clamp(0.0, 1.0);
        pixels.paint([red, green, blue], |alpha| {
            (f32::from(alpha) * opacity).round() as u8
        });
    }

    /// Describes it, with its difference from the edit, for people.
    pub(super) fn words(&self, rounding: Option<String>) -> String {
        let Self {
            material, member, ..
        } = self;
        let [.., opacity] = self.tint;
        let done = match (&self.from, self.tint == [1.0; 4]) {
            (_, false) if opacity != 1.0 => {
                format!("material {material}: the new picture {member} holds its opacity")
            }
            (Origin::Color, _) => {
                format!("material {material} has a plain color: the new picture {member} holds it")
            }
            (_, false) => {
                format!("material {material} is tinted: the new picture {member} holds the tint")
            }
            (Origin::File(from), true) => format!(
                "material {material} shows a picture of another archive: {member} is a copy of {from}"
            ),
            (Origin::Inside(_), true) => format!(
                "material {material} shows a new picture inside of the scene: {member} is added"
            ),
        };
        match rounding {
            Some(rounding) => format!("{done} ({rounding})"),
            None => done,
        }
    }
}
