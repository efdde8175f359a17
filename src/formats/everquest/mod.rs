//! Formats of EverQuest. Facts come from the project's EverQuest fact sheet; where a fact is
//! uncertain the field says so.
//!
//! - [`eqg`] — files of the later client: models, zones, animations.
//! - [`lists`] — text lists, maps of zones, settings of the world.
//! - [`model_list`] — texts that name further archives of a zone.
//! - [`pfs`] — archives (`.s3d`, `.pfs`, `.eqg`).
//! - [`ply`] — meshes of other tools.
//! - [`wld`] — scenes: meshes, materials, skeletons, placements, lights, regions.
//! - [`texture`] — pictures: BMP and DDS, whatever their names say.
//! - [`sound`] — lists of what sounds where.
//! - [`spells`] — tables of spells.
//! - [`xmidi`] — music (`.xmi`).
//!
//! ```
//! use relicast::formats::everquest::texture::{FileKind, sniff};
//!
//! assert_eq!(sniff(b"DDS and more"), Some(FileKind::Dds));
//! ```

pub mod eqg;
pub mod lists;
pub mod model_list;
pub mod pfs;
mod plain;
pub mod ply;
pub mod sound;
pub mod spells;
pub mod texture;
pub mod wld;
pub mod xmidi;
