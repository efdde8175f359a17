//! Sample installs: small, invented, and made by the encoders of the library, so that everything can
//! be tried without the games.
//!
//! - [`install`]: the files of one game's install, with the names and the letter case of real ones.
//! - [`sounds`], [`pictures`], [`world`], [`animation`], [`data`]: what the files hold.
//! - [`everquest`]: the install of the game that shares nothing with the others.
//! - [`pack`], [`picture`], [`texture`], [`tone`], [`motion`], [`random`]: what that is made of.
//! - [`video`]: moving pictures.
//! - [`disc`]: a disc image with an install and music on it.
//! - [`bulk`], [`terrain`]: many megabytes for benchmarks.
//!
//! The bytes depend on nothing but the code: no time, no platform mathematics, own random numbers.

pub mod animation;
pub mod bulk;
#[cfg(test)]
mod changes;
mod command;
mod data;
pub mod disc;
mod everquest;
mod install;
mod motion;
mod pack;
mod picture;
mod pictures;
mod random;
mod sounds;
pub mod terrain;
#[cfg(test)]
mod tests;
mod texture;
mod tone;
mod video;
pub mod world;

pub use command::{Arguments, run, write_files};
pub use install::{GAMES, files, folder};

/// A file of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleFile {
    /// Path below the folder of the install, with `/`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}
