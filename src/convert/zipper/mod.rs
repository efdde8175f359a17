//! Assets of Zipper's games.
//!
//! - [`value`] — sources that hold one value: sounds, readers, scripts, motions, maps, saves.
//! - [`messages`] — message libraries, one document a language.
//! - [`texture`] — packages of pictures.
//! - [`document`] — what the JSON files say, where it is not the typed value itself.

pub mod document;
pub mod messages;
pub mod texture;
pub mod value;
