//! `relicast convert`: runs, shards, faults, the output folder, and the encoders of scenes, sounds and videos.

#[path = "../common/mod.rs"]
mod common;

mod diff;
mod faults;
mod gltf;
mod install;
mod outputs;
mod pipeline;
mod shards;
mod sounds;
mod video;

relicast_testing::main!();
