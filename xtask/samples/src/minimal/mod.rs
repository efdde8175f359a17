//! Small well-formed files of every kind, made by the program's own encoders: seeds of the fuzz targets,
//! and the starting point of damage tests.

pub mod animations;
pub mod cabinets;
pub mod containers;
pub mod discs;
pub mod eqg;
mod eqg_ground;
pub mod eqg_rookery;
pub mod everquest;
pub mod media;
pub mod readers;
pub mod scene;
pub mod textures;
pub mod worlds;
