//! Edited pictures as images of texture packages and as bitmaps.
//!
//! - `package` — an image of a texture package; `bitmap` — a bitmap of EverQuest; `surface` — a DDS surface.
//! - `pixels` — the edit; `palette` — colours that have to share a table.
//!
//! Texels that were not edited keep what is stored for them: only the others are encoded.

pub(super) mod bitmap;
pub(super) mod package;
mod palette;
mod pixels;
pub(super) mod surface;
