//! Finds bytes: walks the inputs, reads files, identifies games.
//!
//! - [`tree`] — the files of all inputs, in a stable order.
//! - [`location`] — location of a file's bytes; [`names`] — comparison of file names.
//! - [`bytes`] — bytes of one file, read at once or in windows.
//! - [`cabinet`] — cabinets and archives as folders; `packed` — their discovery.
//! - [`disc`] — disc images: sheets, tracks, file systems.
//! - [`known`] — edition of a game, by published hashes and sizes.
//! - [`stamp`] — detection of files that changed while they were read.
//! - [`install`] — game of each file, with the evidence.
//!
//! Formats are decoded only as far as their identification needs, and nothing is written.
//!
//! ```
//! use relicast_source::tree::Tree;
//!
//! let folder = tempfile::tempdir().unwrap();
//! std::fs::write(folder.path().join("detail.zrd"), "( DETAIL 3 )").unwrap();
//! let tree = Tree::list(&[folder.path().to_owned()], None).unwrap();
//! assert_eq!(tree.files[0].path, "detail.zrd");
//! ```

#![warn(clippy::too_many_lines)]

pub mod bytes;
pub mod cabinet;
pub mod disc;
pub mod install;
pub mod known;
mod links;
pub mod location;
pub mod names;
pub mod own_output;
mod packed;
mod source_file;
pub mod stamp;
pub mod tree;
