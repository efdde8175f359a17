//! Edited pictures as images of texture packages and as bitmaps.
//!
//! - `package` — an image of a texture package; `bitmap` — a bitmap of EverQuest; `surface` — a DDS surface;
//!   `livery` — the parts of a livery; `foreign` — pictures of programs, Targa and TIFF; `portable` — PNG, JPEG and
//!   Targa of EverQuest's archives.
//! - `pixels` — the edit; `opened` — the file that it is in; `palette` — colors that share a table;
//!   `quantized` — the best colors for a table.
//!
//! Texels that were not edited keep what is stored for them: only the others are encoded.

pub(super) use pixels::Pixels;

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

/// The name of the file at a path without its ending, as Blender writes it beside a scene: `_` in place of characters
/// that not every system has in names. Without the number, as in `wing-1`, that it gives to further files of one name.
/// In lower case.
pub(super) fn file_key(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let numbered = stem.rsplit_once('-');
    let numbered = numbered.filter(|(_, end)| end.bytes().all(|byte| byte.is_ascii_digit()));
    let name = numbered.map_or(stem, |(name, _)| name);
    let written = name.chars().map(|it| match it.is_ascii() {
        true if !it.is_ascii_alphanumeric() => '_',
        _ => it,
    });
    written.collect::<String>().to_lowercase()
}
