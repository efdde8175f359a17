//! Edited outputs are packed into game files.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

#[path = "../common/mod.rs"]
mod common;

mod converted;
mod documents;
mod faults;
mod install;
mod kills;
mod kinds;
mod members;
mod music;
mod packaged;
mod paint;
mod palettes;
mod pictures;
mod place;
mod races;
mod random;
mod resources;
mod saves;
mod scenes;
mod schemas;
mod selected;
mod sequence;
mod sounds;
mod tutorial;
mod values;
mod words;

relicast_testing::main!();
