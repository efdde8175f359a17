//! Formats and features of Crimson Skies alone.
//!
//! - `resources` — resource archives and their files; `resource_document` — their tables; `census` — comparison
//!   with the retail release.
//! - `livery_file` — the pictures of a livery, alone or in an archive.
//! - `liveries` — liveries as variants of aircraft; `paint_jobs` — paint jobs in readers and saves.
//! - `table_text` — tables as JSON; `foreign_picture` — pictures in third-party formats.

mod census;
pub mod foreign_picture;
mod liveries;
mod livery_file;
mod paint_jobs;
mod resource_document;
mod resources;
pub mod table_text;

pub(crate) use liveries::{Liveries, LiveryVariants};
pub(crate) use livery_file::FORMS as LIVERIES;
pub(crate) use livery_file::LiveryFile;
pub(crate) use resource_document::FORMS as RESOURCES;
pub(crate) use resources::ResourceFile;
pub(crate) use table_text::FORMS as INTERFACE_TABLES;
