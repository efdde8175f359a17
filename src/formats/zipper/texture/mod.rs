//! Texture packages (`texture*.zbd`, `rtexture*.zbd`, `image.zbd`, `rimage.zbd`, `rmechtex*.zbd`),
//! one layout in all four games.
//!
//! - [`package`] — the file: header, table, palettes, images.
//! - [`colour`] — 5:6:5 words and their exact 8-bit values.

pub mod colour;
pub mod package;
