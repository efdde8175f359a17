//! InstallShield cabinets, versions 5 and later: the headers, the tables, and the packing of file data.
//!
//! - [`header`] — the start of every `.cab` and `.hdr`, and the meaning of versions.
//! - [`records`] — the structures of the tables, as stored.
//! - [`tables`] — reader and writer of all tables: folders, files, groups, components, setup types.
//! - [`mod@file`] — file descriptors.
//! - [`packed`] — obfuscation and compression of file data.
//!
//! `relicast_source::cabinet` finds and reads the files of a set. InstallShield 3 archives (`*.z`) are another format.
//!
//! Source of the facts: measurements of public installers and public reference programs.
//!
//! ```
//! use relicast_formats::installshield::tables;
//!
//! let error = tables::decode(b"ISc(").unwrap_err();
//! assert!(error.to_string().contains("expected"), "{error}");
//! ```

pub mod file;
pub mod header;
pub mod packed;
pub mod records;
pub mod tables;
mod walker;

pub use walker::{Placed, Text};
