//! Animation containers: small, but with every event type of each game, on the nodes of the sample
//! worlds.
//!
//! - `maker`: builder of definitions; their tables fill when events name items.
//! - `scripts`: keyframes.
//! - `events`, `rare`: bodies of events.
//! - `scenes`: animations of the sample: a roof that opens, a house that burns, a lift, a camera
//!   ride.
//! - `indices`: nodes by index, in Crimson Skies.
//! - `file`: containers of each game.

mod events;
mod file;
mod indices;
mod maker;
mod rare;
mod scenes;
mod scripts;
#[cfg(test)]
mod tests;

pub use file::{Holding, bulk, encoded};
