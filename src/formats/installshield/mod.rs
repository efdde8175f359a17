//! InstallShield cabinets, versions 5 and later: the headers, the tables, and how the data of a file is packed.
//!
//! - [`header`] — the start of every `.cab` and `.hdr`, and what a version means.
//! - [`records`] — the structures of the tables, as stored.
//! - [`tables`] — all of them together: folders, files, groups, components, setup types; both ways.
//! - [`mod@file`] — what is told of a file.
//! - [`packed`] — obfuscation and compression of file data.
//!
//! How the files of a set are found and read is the matter of [`source::cabinet`](crate::source::cabinet).
//! InstallShield 3 archives (`*.z`) are another format.
//!
//! Source of the facts: measurements of public installers and public reference programs, as told in the sheet
//! `installers.md` of the project.
//!
//! ```
//! use relicast::formats::installshield::tables;
//! use relicast_samples::cabinet::disc::groups;
//! use relicast_samples::cabinet::set::{NewSet, files};
//! use relicast_samples::SampleFile;
//!
//! let install = [SampleFile { path: "readme.txt".to_owned(), bytes: b"Hello".to_vec() }];
//! let files = files(&NewSet::new(groups(&install)))?;
//! let header = files.iter().find(|file| file.path == "data1.hdr").ok_or("no header")?;
//! let tables = tables::decode(&header.bytes)?.value;
//! assert!(tables.groups.iter().any(|group| group.name.text == "Program Files"));
//! assert_eq!(tables.encode(), header.bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod file;
pub mod header;
pub mod packed;
pub mod records;
pub mod tables;
mod walker;

pub use walker::{Placed, Text};
