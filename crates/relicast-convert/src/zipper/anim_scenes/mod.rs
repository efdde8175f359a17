//! Compiled animations as clips of scenes.
//!
//! - [`clips`] — which clips there are, and what happens in them;
//! - [`clip_writer`] — those clips in the scene in which they play; `opacity_channels` — its surfaces that fade;
//! - [`stored_nodes`] — what the nodes of those scenes are like before anything moves;
//! - [`world_clips`] — the same clips in the scene of a world.

pub(super) mod clip_writer;
pub(super) mod clips;
mod letterbox;
mod opacity_channels;
pub(super) mod stored_nodes;
pub(super) mod world_clips;
