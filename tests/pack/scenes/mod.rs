//! Edited scenes are packed into worlds and model libraries: an edited scene converts to the edit, everything
//! else stays as it was, and edits that cannot be packed are refused by name before anything is written.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod binary;
mod combined;
mod everquest;
mod everquest_baked;
mod everquest_blender;
mod everquest_bones;
mod everquest_clips;
mod everquest_eqg;
mod everquest_eqg_refusals;
mod everquest_eqg_topology;
mod everquest_ground;
mod everquest_meshes;
mod everquest_new_lights;
mod everquest_new_materials;
mod everquest_own_models;
mod everquest_real;
mod everquest_rest;
mod everquest_server;
mod everquest_shapes;
mod everquest_topology;
mod foreign;
mod hidden;
mod lights;
mod materials;
mod meshes;
mod motions;
pub mod new_materials;
mod new_pictures;
mod nodes;
mod objects;
mod objects_stored;
mod parts;
mod place;
mod refusals;
pub mod scene;
mod topology;
pub mod triangles;

use relicast::asset::Game;

/// Games whose scenes are packed.
const GAMES: [Game; 4] = [Game::Rc, Game::Mw, Game::Pm, Game::Cs];

/// True if numbers are the same to a part of the larger of 1 and the number.
fn near<const N: usize>(one: [f32; N], other: [f32; N], slack: f32) -> bool {
    one.iter()
        .zip(other)
        .all(|(a, b)| (a - b).abs() <= slack * a.abs().max(1.0))
}
