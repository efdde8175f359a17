//! Edited pictures as images of texture packages and as bitmaps.
//!
//! - `package` — an image of a texture package; `bitmap` — a bitmap of EverQuest; `surface` — a DDS surface;
//!   `livery` — the parts of a livery; `foreign` — pictures of programs, Targa and TIFF; `portable` — PNG, JPEG and
//!   Targa of EverQuest's archives.
//! - `pixels` — the edit; `opened` — the file that it is in; `palette` — colors that share a table;
//!   `quantized` — the best colors for a table.
//!
//! Texels that were not edited keep what is stored for them: only the others are encoded.

pub(super) use pixels::{Pixels, level};

pub(super) mod bitmap;
pub(super) mod foreign;
pub(super) mod livery;
pub(super) mod opened;
pub(super) mod package;
mod palette;
mod pixels;
pub(super) mod portable;
mod quantized;
pub(super) mod surface;

/// Characters that Blender leaves out of the names of the pictures that it writes.
const LEFT_OUT: &str = r"!#$&'()*+,/:;<>?@[\]^`{|}~";

/// The name of the file at a path without its ending, as Blender writes it beside a scene: without some characters, with
/// `_` in place of dots, and without the number, as in `wing-1`, that it gives to further files of one name. In lower
/// case.
pub(super) fn file_key(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let numbered = stem.rsplit_once('-');
    let numbered = numbered.filter(|(_, end)| end.bytes().all(|byte| byte.is_ascii_digit()));
    let name = numbered.map_or(stem, |(name, _)| name).replace('.', "_");
    let written = name.chars().filter(|it| !LEFT_OUT.contains(*it));
    written.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::file_key;

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
}
