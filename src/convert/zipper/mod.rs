//! Assets of Zipper's games.
//!
//! - `archive` — archives with their table at the end.
//! - [`value`] — sources that hold one value: sounds, readers, scripts, motions, maps, saves.
//! - [`messages`] — message libraries, one document a language.
//! - [`texture`] — packages of pictures.
//! - `world` — worlds and aircraft, as scenes.
//! - `clip` — compiled animations as movement.
//! - `mech` — 'mechs with their motions, as scenes.
//! - `anim` — compiled animations, as documents.
//! - `settings` — reader values as keys with values.
//! - [`document`] — what the JSON files say, where it is not the typed value itself.

pub(super) mod anim;
pub(super) mod archive;
mod bake;
pub mod document;
pub(super) mod mech;
pub mod messages;
mod scene;
pub(super) mod settings;
pub mod texture;
pub mod value;
pub(super) mod world;
