//! Texture packages (`texture*.zbd`, `rtexture*.zbd`, `image.zbd`, `rimage.zbd`, `rmechtex*.zbd`),
//! one layout in all four games.
//!
//! - [`package`] — the file: header, table, palettes, images.
//! - [`color`] — 5:6:5 words and their exact 8-bit values.
//!
//! ```
//! use relicast_formats::zipper::texture::color::Rgb565;
//!
//! assert_eq!(Rgb565(0xFFFF).to_rgb8(), [255, 255, 255]);
//! ```

pub mod color;
pub mod package;

/// Look-up key of a texture: its stored name up to the first period, in lower case.
///
/// ```
/// assert_eq!(relicast_formats::zipper::texture::key_of("Hull.01.TIF"), "hull");
/// ```
pub fn key_of(name: &str) -> String {
    let stem = name.split('.').next().unwrap_or_default();
    stem.to_lowercase()
}
