//! EverQuest archives, scenes and pictures: round trips, counts and pictures of the fixtures, values
//! made by our own writers, and corrupt files.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panic; clippy knows test functions only"
)]

#[path = "../common/mod.rs"]
mod common;

mod actors;
mod archives;
mod damaged;
mod eqg;
mod eqg_clips;
mod eqg_made;
mod flipped;
mod grass;
mod instances;
mod moor;
mod music;
mod output;
mod pictures;
mod repeats;
mod retail;
mod rookery;
mod scenes;
mod server;
mod stored;
mod support;
mod synthetic;
mod tables;
mod things;
mod whole;
mod zones;

/// Result of the sample makers.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

relicast_testing::main!();
