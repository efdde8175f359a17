//! Zones: terrain, placed models and lights as one scene, and tables of everything that glTF cannot hold.
//!
//! - [`sources`] — the scene files of a zone; [`build`] — its scenes;
//! - `group`, `runs` — nodes that hold others together, numbers as runs;
//! - [`terrain`] — the meshes of regions;
//! - [`placements`] — models where they stand;
//! - [`lights`] — placed and ambient lights;
//! - [`cells`] — the space of a region, cut out by the planes of the partition;
//! - [`tables`] — regions, partition, visibility, volumes.

mod build;
mod cells;
mod group;
mod lights;
mod placements;
mod runs;
mod sources;
mod tables;
mod terrain;

pub(in crate::convert) use tables::FORMS;

pub(super) use sources::Zone;
