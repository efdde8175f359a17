//! Compiled animations as clips of scenes.
//!
//! - [`clips`] — the clips and their events;
//! - [`clip_writer`] — adds the clips to their scene; `opacity_channels` — its surfaces that fade;
//! - [`stored_nodes`] — the nodes of those scenes at rest;
//! - [`world_clips`] — the same clips in the scene of a world.

pub(super) mod clip_writer;
pub(super) mod clips;
mod letterbox;
mod opacity_channels;
pub(super) mod stored_nodes;
pub(super) mod world_clips;
