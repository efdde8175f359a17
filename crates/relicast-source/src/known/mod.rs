//! Detection of a game's edition: looks files up by hash or by size, and draws conclusions for the whole input.
//!
//! The table is compiled in. It holds published hashes, sizes and names, and no content of the files;
//! `cargo xtask known-files` generates it from the project's list. Conversion never depends on it: an unknown
//! file is converted like a known one.
//!
//! ```
//! use relicast_formats::asset::Game;
//! use relicast_source::known::table;
//!
//! let known = table().at_path("games/mw3/zbd/mechlib.zbd");
//! assert!(known.iter().any(|file| table().edition(file).game == Game::Mw));
//! ```

mod hashing;
mod lookup;
mod survey;
mod table;

pub use lookup::{survey, survey_observed};
pub use survey::{EditionMatch, FileVerdict, Foreign, NamedFile, OtherContent, Reading, Survey};
pub use table::{Edition, KnownFile, Sha256Digest, Table, table};
