//! Matches the materials of edited primitives with those of the original scene.

use super::scene_pair::ScenePair;
use crate::pack::scene::file::{SceneFile, ScenePrimitive};

/// The material of a primitive of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pack::scene) enum Surface<'f> {
    /// No material.
    Bare,
    /// A material of the original scene, by its index.
    Known(usize),
    /// A material that the original scene does not have, by its name.
    Unknown(&'f str),
}

/// The material of a primitive: by index if the name there is the same, else by name, else by index.
pub(in crate::pack::scene) fn of<'f>(
    base: &SceneFile,
    edited: &'f SceneFile,
    primitive: &ScenePrimitive,
) -> Surface<'f> {
    let Some(number) = primitive.material else {
        return Surface::Bare;
    };
    let Some(name) = edited.materials.get(number) else {
        return Surface::Unknown("that does not exist in the file");
    };
    if base.materials.get(number) == Some(name) {
        return Surface::Known(number);
    }
    let mut known = base.materials.iter();
    let exact = known.position(|known| known == name);
    let found = exact.or(Some(number).filter(|&number| number < base.materials.len()));
    found.map_or(Surface::Unknown(name), Surface::Known)
}

/// True if a primitive of an edit has a material that the scene did not have before.
pub(in crate::pack::scene) fn is_new(
    ScenePair { base, edited }: ScenePair<'_>,
    new: &ScenePrimitive,
) -> bool {
    matches!(of(base, edited, new), Surface::Unknown(_))
}

/// A name without the number that distinguishes it in its list, and without the suffixes for the way in which its node
/// is drawn.
pub(in crate::pack::scene) fn essence(name: &str, list: &[String]) -> String {
    let numbered = name.rsplit_once('_').filter(|(stem, number)| {
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        is_number && !number.starts_with('0') && list.iter().any(|other| other == stem)
    });
    let mut rest = numbered.map_or(name, |(stem, _)| stem);
    let mut is_double_sided = false;
    for word in ["_unlit", "_blend", "_ds", "_tint"] {
        if let Some(shorter) = rest.strip_suffix(word) {
            rest = shorter;
            is_double_sided |= word == "_ds";
        }
    }
    let side = if is_double_sided { "_ds" } else { "" };
    format!("{rest}{side}")
}

#[cfg(test)]
mod tests {
    use super::essence;

    #[test]
    fn names_of_one_surface_are_one() {
        let list = ["brick", "brick_2", "tile_3", "brick_ds_unlit"].map(str::to_owned);
        let plain = |name: &str| essence(name, &list);
        assert_eq!(plain("brick_2"), "brick");
        assert_eq!(plain("tile_3"), "tile_3", "there is no tile");
        assert_eq!(plain("brick_ds_unlit"), "brick_ds");
        assert_eq!(plain("brick_tint_ds_blend_unlit"), "brick_ds");
    }
}
