//! Formats of EverQuest. A field says so if a fact about it is
//! uncertain.
//!
//! - [`eqg`] — EQG files: models, zones, animations.
//! - [`lists`] — text lists, maps of zones, settings of the world.
//! - [`model_list`] — texts that name further archives of a zone.
//! - [`number`] — numbers in texts, as the client scans them.
//! - [`pfs`] — archives (`.s3d`, `.pfs`, `.eqg`).
//! - [`ply`] — meshes of other tools.
//! - [`server_tables`] — objects that a server places in zones, as CSV.
//! - [`wld`] — scenes: meshes, materials, skeletons, placements, lights, regions.
//! - [`texture`] — pictures: BMP and DDS, regardless of their names.
//! - [`readable`] — texts that cannot be read.
//! - [`sound`] — lists of the sounds of a zone.
//! - [`spells`] — tables of spells.
//! - [`xmidi`] — music (`.xmi`).
//!
//! ```
//! use relicast_formats::everquest::texture::{FileKind, sniff};
//!
//! assert_eq!(sniff(b"DDS and more"), Some(FileKind::Dds));
//! ```

pub mod eqg;
pub mod grass;
pub mod lists;
pub mod model_list;
pub mod number;
pub mod pfs;
mod plain;
pub mod ply;
pub mod readable;
pub mod server_tables;
pub mod sound;
pub mod spells;
pub mod texture;
pub mod wld;
pub mod xmidi;
