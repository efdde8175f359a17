//! Which edition of a game an input is: files that are known by hash or by size, and what that says of the
//! whole.
//!
//! The table is compiled in. It holds hashes, sizes and names that others published, nothing of the files
//! themselves, and `cargo xtask known-files` makes it from the project's list of them. Nothing is a condition
//! for converting: a file that is not known is converted like one that is.
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
