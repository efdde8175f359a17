//! Edited pictures as images of texture packages and as bitmaps.
//!
//! - `package` — an image of a texture package; `bitmap` — a bitmap of EverQuest; `surface` — a DDS surface;
//!   `livery` — the parts of a livery; `foreign` — pictures of programs, Targa and TIFF; `portable` — PNG, JPEG and
//!   Targa of EverQuest's archives.
//! - `pixels` — the edit; `opened` — the file that it is in; `palette` — colors that share a table;
//!   `quantized` — the best colors for a table; `copied` — copies that programs write beside a scene.
//!
//! Texels that were not edited keep what is stored for them: only the others are encoded.

pub(super) use pixels::{Pixels, level};

pub(super) mod bitmap;
pub(super) mod copied;
pub(super) mod foreign;
pub(super) mod livery;
pub(super) mod opened;
pub(super) mod package;
mod palette;
mod pixels;
pub(super) mod portable;
mod quantized;
pub(super) mod surface;
