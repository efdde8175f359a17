//! Zones: terrain, placed models and lights as one scene, and tables of everything that glTF cannot hold.
//!
//! - [`build`] — the scenes of a zone;
//! - [`terrain`] — the meshes of regions;
//! - [`placements`] — models where they stand;
//! - [`lights`] — placed and ambient lights;
//! - [`cells`] — the space of a region, cut out by the planes of the partition;
//! - [`tables`] — regions, partition, visibility, volumes.

mod build;
mod cells;
mod lights;
mod placements;
mod tables;
mod terrain;

pub(super) use build::Zone;
