//! Assets of EverQuest.
//!
//! - [`space`] — conversion from file axes to scene space, for all modules;
//! - [`dependencies`] — archives that belong together;
//! - [`archive`] — archives of a run, their cache, and the search across those of a zone;
//! - [`archive_items`] — the items of an archive or of a loose scene, and the outputs of each;
//! - [`picture`], [`render_method`] — pictures, and which of them have a color key;
//! - [`picture_file`] — pictures that are files of their own;
//! - [`ply_file`] — meshes of other tools under the names of pictures;
//! - [`corrections`] — materials that are wrong in retail files;
//! - [`scene_builder`] — builder of a scene: surfaces and textures; [`checks`] — counts;
//! - [`cycles`] — surfaces that show several pictures in turn;
//! - [`baking`] — light that was baked into vertices;
//! - [`geometry`] — meshes of both kinds as one type, in file axes;
//! - [`mesh`] — geometry to meshes of a scene;
//! - [`catalog`] — the models of a scene file;
//! - [`static_model`] — models of meshes alone;
//! - [`actor`] — models with a skeleton;
//! - [`zone`] — zones;
//! - [`eqg`] — models and zones of the EQG format;
//! - [`solids`] — solid surfaces;
//! - [`sounds`] — lists of the sounds of a zone;
//! - `server_rows` — rows of the tables of a server for a zone;
//! - [`sound_paths`] — output paths of sounds and songs;
//! - [`environment_emitters`] — emitters of particles in zones;
//! - [`music`] — XMIDI files;
//! - `races` — models of creatures by the numbers of servers;
//! - [`sky`] — skies; [`tables`] — spells, text lists, maps;
//! - [`packing`] — services for packing.
//!
//! # Fragments
//!
//! Conversion of each kind. Everything that is decoded is in NAME.raw.json too, when asked for.
//!
//! | kind | decoded | used for |
//! | --- | --- | --- |
//! | 01 palette file | yes | – |
//! | 03, 04, 05 bitmaps and textures | yes | pictures of materials; frames and layers in extras |
//! | 06, 07 flat sprites | yes | a quad and extras |
//! | 08, 09 solids of polygons | yes | – (the camera of zones); named in extras on a joint |
//! | 0A, 0B, 0C, 0D sequences, points | yes | – ; named in extras on a joint |
//! | 10, 11 skeletons | yes | joints, skins |
//! | 12, 13 tracks | yes | rest poses and clips |
//! | 14, 15 actors and placements | yes | models; nodes of zones |
//! | 16, 19, 1A bounding spheres | yes | – |
//! | 17, 18 collision volumes | yes | – |
//! | 1B, 1C, 28 lights | yes | lights of zones |
//! | 21, 22, 29 partition, regions, kinds of regions | yes | terrain; tables, volumes by option |
//! | 26, 27 pictures of particles | yes | extras |
//! | 2A, 35 ambient light | yes | facts of zones |
//! | 2B directed light | yes | lights of zones, though glTF has none of regions |
//! | 2C, 36 meshes; 2D | yes | geometry |
//! | 2E, 2F, 37 animated vertices | yes | morph targets with a clip |
//! | 30, 31 materials | yes | surfaces, variants |
//! | 32, 33 baked light of placements | yes | vertex colors |
//! | 34 particles | yes | extras |
//! | 02, 0E, 0F, 1D–20, 23–25, others | raw bytes | – |

mod actor;
mod archive;
mod archive_items;
mod baking;
mod catalog;
mod checks;
mod corrections;
mod cycles;
pub(super) mod dependencies;
mod environment_emitters;
mod eqg;
mod geometry;
mod grass;
mod mesh;
mod music;
mod packing;
mod picture;
mod picture_file;
mod ply_file;
mod races;
mod render_method;
mod scene_builder;
mod server_rows;
mod sky;
mod solids;
mod sound_paths;
mod sounds;
mod space;
mod static_model;
mod tables;
mod zone;

use crate::documents::DocumentForm;

pub use actor::borrowed_tracks;
pub(super) use archive_items::PfsConverter;
pub(super) use eqg::EqgFile;
pub(super) use music::{XmidiFile, is_playable, needs as needs_of_music};
pub use packing::{
    drawn_light, joint_places, posed, posed_key, shown_picture, skinned_meshes, turned_placement,
};
pub(super) use picture_file::PictureFile;
pub(super) use ply_file::PlyFile;
pub(super) use sounds::ListFile;
pub(super) use tables::TableFile;

/// Forms of the documents.
pub(crate) const FORMS: &[&[DocumentForm]] = &[
    archive_items::FORMS,
    zone::FORMS,
    eqg::TABLES,
    eqg::DOCUMENTS,
    eqg::MADE,
    sounds::FORMS,
    music::FORMS,
    tables::GRASS,
    tables::LISTS,
    tables::MAPS,
    tables::SETTINGS,
    tables::SPELLS,
];
