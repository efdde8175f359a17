//! Models and zones of the EQG format (`.eqg`).
//!
//! - [`models`] — the models of an archive, decoded, and their use of pictures;
//! - [`shader`] — surface properties by the names of shaders;
//! - [`surfaces`] — materials;
//! - [`shape`] — geometry to meshes of a scene;
//! - [`skeleton`] — bones as joints at rest;
//! - [`clips`] — animations of a model;
//! - [`companions`] — layers, points and particles of a model; [`shader_material`] — a material with its texts;
//!   [`variants`] — variants of a creature by its materials;
//! - [`model`] — a model as scenes;
//! - [`placing`] — models placed in zones; `server` — those of the tables of a server; `creatures` — those with bones,
//!   in their standing pose;
//! - [`regions`] — boxes of zones;
//! - [`lights`] — lights of zones;
//! - [`zone`] — zones of placements;
//! - [`ground`], [`tiles`] — zones of tiles: the ground, and all objects on it;
//! - [`tables`] — tables of zones;
//! - [`documents`] — all other sources as documents; [`forms`] — the structure of these documents;
//! - [`eqg_file`] — files outside archives.

mod clips;
mod companions;
mod creatures;
mod documents;
mod eqg_file;
mod forms;
mod ground;
mod lights;
pub(super) mod model;
pub(super) mod models;
mod placing;
mod regions;
pub(super) mod server;
mod shader;
mod shader_material;
mod shape;
mod skeleton;
mod surfaces;
mod tables;
mod tiles;
mod variants;
pub(super) mod zone;

pub(super) use companions::turned;
pub(crate) use documents::FORMS as DOCUMENTS;
pub(crate) use forms::FORMS as MADE;
pub(super) use skeleton::transform;
pub(crate) use tables::FORMS as TABLES;

pub(super) use documents::{
    convert as convert_document, is_document, item as document_item, verdict,
};
pub(crate) use eqg_file::EqgFile;
