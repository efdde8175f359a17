//! Distinguishes cut-outs from pictures with soft alpha.
//!
//! The games blend every texture with alpha, back to front. Current engines sort such surfaces badly, so a cut-out
//! becomes an alpha mask instead. The threshold was measured by others on all textures of Crimson Skies: in soft
//! pictures less than a third of the visible texels are solid, in cut-outs about half or more.

use crate::options::{AlphaRule, Scenes};
use relicast_formats::zipper::texture::package::{Alpha, Image};
use relicast_scene::model::AlphaMode;

/// Minimum alpha of a visible texel.
const INK: u8 = 32;
/// Minimum alpha of a solid texel.
const SOLID: u8 = 200;
/// Minimum alpha, 0 to 255, that is treated as opaque.
const OPAQUE: u8 = 250;

/// Alpha mode of a texture; `name` in lower case.
pub(super) fn mode(image: &Image<'_>, name: &str, options: &Scenes) -> AlphaMode {
    let mask = AlphaMode::Mask { cutoff: 0.5 };
    let found = match (image.alpha_kind(), image.alpha.as_deref()) {
        (Alpha::None, _) | (Alpha::Full, None) => AlphaMode::Opaque,
        (Alpha::Simple, _) => mask,
        (Alpha::Full, Some(plane)) => {
            let from = |least: u8| plane.iter().filter(|&&alpha| alpha >= least).count();
            let (ink, solid) = (from(INK), from(SOLID));
            if from(OPAQUE) == plane.len() {
                AlphaMode::Opaque
            } else if ink == 0 || (solid as f64 / ink as f64) < f64::from(options.alpha_threshold) {
                AlphaMode::Blend
            } else {
                mask
            }
        }
    };
    let soft = || options.always_blend.iter().any(|soft| soft == name);
    match (found, options.alpha) {
        (AlphaMode::Opaque, _) => found,
        (_, AlphaRule::Blend) => AlphaMode::Blend,
        (_, AlphaRule::Mask) => mask,
        (_, AlphaRule::Auto) if soft() => AlphaMode::Blend,
        (found, AlphaRule::Auto) => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Blob;
    use relicast_formats::zipper::texture::package::ImageFlags;

    fn with_plane(plane: &[u8]) -> Image<'static> {
        let mut image = Image::default();
        image.header.flags = ImageFlags::ALPHA | ImageFlags::ALPHA_PLANE;
        image.alpha = Some(Blob::from(plane.to_vec()));
        image
    }

    #[test]
    fn planes_are_distinguished_by_their_share_of_solid_texels() {
        let options = Scenes::default();
        let mode = |plane: &[u8]| mode(&with_plane(plane), "x", &options);
        assert_eq!(mode(&[255, 250]), AlphaMode::Opaque);
        assert_eq!(mode(&[0, 0, 31]), AlphaMode::Blend);
        assert_eq!(mode(&[0, 255, 255, 100]), AlphaMode::Mask { cutoff: 0.5 });
        assert_eq!(mode(&[0, 255, 100, 100]), AlphaMode::Blend);
    }

    #[test]
    fn settings_overrule_but_leave_opaque_pictures() {
        let mut options = Scenes::default();
        let cut_out = with_plane(&[0, 255]);
        assert_eq!(mode(&cut_out, "shore1", &options), AlphaMode::Blend);
        options.alpha = AlphaRule::Mask;
        assert_ne!(mode(&cut_out, "shore1", &options), AlphaMode::Blend);
        options.alpha = AlphaRule::Blend;
        assert_eq!(mode(&cut_out, "x", &options), AlphaMode::Blend);
        assert_eq!(mode(&with_plane(&[255]), "x", &options), AlphaMode::Opaque);
    }
}
