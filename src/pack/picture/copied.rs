//! Copies of pictures, which programs write beside a scene under names of their own.

use super::opened::open;

/// Characters that Blender leaves out of the names of the pictures that it writes.
const LEFT_OUT: &str = r"!#$&'()*+,/:;<>?@[\]^`{|}~";

/// The name of the file at a path without its ending, as [`name_key`] gives it.
pub(in crate::pack) fn file_key(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    name_key(file.rsplit_once('.').map_or(file, |(stem, _)| stem))
}

/// A name as Blender writes it beside a scene: without some characters, with `_` in place of dots, and without the number,
/// as in `wing-1`, that it gives to further files of one name. In lower case.
pub(in crate::pack) fn name_key(stem: &str) -> String {
    let numbered = stem.rsplit_once('-');
    let numbered = numbered.filter(|(_, end)| end.bytes().all(|byte| byte.is_ascii_digit()));
    let name = numbered.map_or(stem, |(name, _)| name).replace('.', "_");
    let written = name.chars().filter(|it| !LEFT_OUT.contains(*it));
    written.collect::<String>().to_lowercase()
}

/// Names that a copy of a picture may have.
#[derive(Debug)]
pub(in crate::pack) struct Names([String; 2]);

impl Names {
    /// The names of copies of the picture at `path`; programs take that of the image in the scene, if it has one.
    pub(in crate::pack) fn of(path: &str, image: Option<&str>) -> Self {
        Self([file_key(path), image.map(name_key).unwrap_or_default()])
    }

    /// True if this key is one of the names.
    pub(in crate::pack) fn are_exact(&self, key: &str) -> bool {
        !key.is_empty() && self.0.iter().any(|name| name == key)
    }

    /// True if this key is one of the names, or one with a number: our second image `wing` is `wing_2`, and Godot's
    /// `wing2`.
    pub(in crate::pack) fn may_be(&self, key: &str) -> bool {
        let mut names = self.0.iter().filter(|name| !name.is_empty());
        names.any(|name| {
            let number = key.strip_prefix(&**name);
            let number = number.map(|number| number.strip_prefix('_').unwrap_or(number));
            number.is_some_and(|number| number.bytes().all(|it| it.is_ascii_digit()))
        })
    }
}

/// Least alpha of pixels whose color counts: Godot gives others the color of their neighbors.
const BARELY_SEEN: u8 = 20;

/// True if two files show the same pixels, besides colors of transparent ones.
pub(in crate::pack) fn is_one_picture(one: &[u8], other: &[u8]) -> bool {
    let open = |bytes: &[u8]| Some(open(bytes).ok()?.picture);
    let (Some(one), Some(other)) = (open(one), open(other)) else {
        return false;
    };
    // Programs leave out an alpha channel that their material does not use.
    let has_alpha = one.color().has_alpha() && other.color().has_alpha();
    let (one, other) = (one.into_rgba8(), other.into_rgba8());
    let mut pairs = one.pixels().zip(other.pixels());
    one.dimensions() == other.dimensions()
        && pairs.all(|(one, other)| match has_alpha {
            true => one == other || (one.0[3] == other.0[3] && one.0[3] < BARELY_SEEN),
            false => one.0[..3] == other.0[..3],
        })
}

#[cfg(test)]
mod tests {
    use super::{Names, file_key};

    #[test]
    fn names_of_pictures_are_those_that_blender_gives_their_copies() {
        for (stored, copied) in [
            ("textures/a/glow.additive.png", "worlds/glow_additive.png"),
            ("textures/a/drana'sbb.png", "worlds/dranasbb.png"),
            ("textures/b/Wing.png", "models/wing-2.png"),
            ("textures/b/a b-c.png", "models/a b-c.png"),
        ] {
            assert_eq!(file_key(stored), file_key(copied), "{stored}");
        }
        assert_ne!(file_key("a/wing.png"), file_key("a/wings.png"));
    }

    #[test]
    fn names_of_pictures_may_have_numbers() {
        let names = Names::of("textures/a/glow.additive.png", Some("glow.bmp"));
        for copy in [
            "glow_additive.png",
            "glow_bmp.png",
            "t/glow_bmp2.png",
            "glow_bmp_2.png",
        ] {
            assert!(names.may_be(&file_key(copy)), "{copy}");
        }
        for other in ["glow.png", "glow_bmps.png", "aglow_bmp.png"] {
            assert!(!names.may_be(&file_key(other)), "{other}");
        }
    }
}
