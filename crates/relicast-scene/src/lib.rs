//! Engine-neutral assets, between a game's files and the files that engines read.
//!
//! - [`image`] — pictures.
//! - [`sound`] — sounds.
//! - [`recording`] — music, too long to be in memory.
//! - [`video`] — videos.
//! - [`document`] — structured data that becomes JSON.
//! - [`extras`] — typed glTF extras: the only module that knows keys of games.
//! - [`model`] — hierarchies of meshes, lights and movements, in the space of [`space`].
//!
//! The crate knows no other facts about games, and no output format.
//!
//! ```
//! use relicast_scene::{Image, Pixels};
//!
//! let image = Image { width: 1, height: 1, pixels: Pixels::Rgba(vec![9, 9, 9, 0].into()) };
//! assert_eq!(image.into_owned().width, 1);
//! ```

#![warn(clippy::too_many_lines)]

mod asset;
pub mod document;
pub mod extras;
pub mod image;
pub mod model;
pub mod recording;
pub mod sound;
pub mod space;
pub mod video;

pub use asset::{Asset, Encoding, Pictures};
pub use document::Document;
pub use image::{Image, Pixels};
pub use recording::{Recording, SampleSource};
pub use sound::{Annotation, CuePoint, Loop, LoopDirection, Samples, Sound};
pub use video::{Container, Video};
