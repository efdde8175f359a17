//! Zones: terrain, placed models and lights as one scene, and tables of everything that glTF cannot hold.
//!
//! - [`sources`] — the scene files of a zone; [`build`] — its scenes;
//! - `group`, `runs` — nodes that group others, numbers as runs;
//! - [`terrain`] — the meshes of regions;
//! - `models` — models by the names of their actors;
//! - [`placements`] — placed models;
//! - `server` — objects that a server places;
//! - [`lights`] — placed and ambient lights;
//! - [`cells`] — the space of a region, cut out by the planes of the partition;
//! - [`tables`] — regions, partition, visibility, volumes.

mod baked_light;
mod build;
mod cells;
mod group;
mod lights;
mod models;
mod placements;
mod runs;
pub(super) mod server;
mod sources;
mod tables;
mod terrain;

pub(crate) use tables::FORMS;

pub(super) use sources::Zone;
