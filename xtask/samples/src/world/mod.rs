//! Worlds, 'mechs and aircraft: small, but with every feature of the formats.
//!
//! - `surface`: textures and materials.
//! - `shape`: models and their polygons.
//! - `tree`: nodes with their parents, boxes and links.
//! - `stage`: nodes that a world has once: grid, sun, camera, window.
//! - `scenery`, `aircraft`, `mechs`: the files.
//! - `plain`: a large world for benchmarks.

mod aircraft;
mod mechs;
mod plain;
mod scenery;
mod shape;
pub(crate) mod stage;
mod surface;
#[cfg(test)]
mod tests;
mod tree;

pub use aircraft::aircraft;
pub use mechs::mechs;
pub use plain::plain;
pub use scenery::world;

use relicast::formats::zipper::ZipperGame;

/// An address that is never used, for pointers that announce data.
const ADDRESS: u32 = 0x0100_0010;

/// Pirate's Moon and Crimson Skies.
fn is_late(version: ZipperGame) -> bool {
    matches!(version, ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies)
}
