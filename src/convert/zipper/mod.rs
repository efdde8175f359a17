//! Assets of Zipper's games.
//!
//! - [`value`] — sources that hold one value: sounds, readers, scripts, motions, maps, saves.
//! - [`texture`] — packages of pictures.
//! - [`document`] — what the JSON files say, where it is not the typed value itself.

pub mod document;
pub mod texture;
pub mod value;
