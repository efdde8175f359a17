//! Sample data: small, invented, and made by the encoders of the library, so that everything can be
//! tested without the games. Tests, fuzz targets, the demonstration and the benchmarks share it.
//!
//! - `install`: the files of one game's install, with the names and the letter case of real ones.
//! - `sounds`, `pictures`, `world`, `animation`, `data`: contents of the files.
//! - `everquest`: the install of the game that shares nothing with the others.
//! - `pack`, `picture`, `texture`, `tone`, `motion`, `random`: building blocks of the files.
//! - `video`: moving pictures.
//! - `disc`: a disc image with an install and music on it.
//! - `cabinet`: cabinets, and discs with an install in them.
//! - `skies`, `recoil_save`: resource archives, liveries and saves of Crimson Skies; a save of Recoil.
//! - [`edits`]: random edits of outputs, for packing.
//! - [`hostile`]: names that try to break programs that show them.
//! - `bulk`, `bulk_small`, `terrain`: many megabytes, or many files, for benchmarks.
//! - `minimal`: one small file of each kind, with as many optional parts as possible.
//!
//! The bytes depend only on the code: no time, no platform mathematics, own random numbers.

#![warn(clippy::too_many_lines)]

pub mod animation;
pub mod bulk;
pub mod bulk_everquest;
pub mod bulk_small;
pub mod cabinet;
#[cfg(test)]
mod changes;
mod data;
pub mod disc;
pub mod edits;
pub mod everquest;
pub mod hostile;
mod install;
pub mod minimal;
pub mod motion;
mod pack;
mod picture;
mod pictures;
#[cfg(test)]
mod provenance;
pub mod random;
pub mod recoil_save;
#[cfg(test)]
mod settings;
pub mod skies;
mod sounds;
pub mod terrain;
#[cfg(test)]
mod tests;
mod texture;
mod tone;
mod video;
pub mod world;

pub use install::{GAMES, files, folder};

use std::fs;
use std::path::Path;

/// Result of the makers: a value that does not fit its format is a fault of the maker.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A file of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleFile {
    /// Path below the folder of the install, with `/`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Writes the files below `folder`, which is created.
///
/// # Errors
/// A folder or file cannot be written.
pub fn write_files(folder: &Path, files: &[SampleFile]) -> Outcome {
    for file in files {
        let path = folder.join(&file.path);
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, &file.bytes));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
