//! Events of a sequence: a 12-byte header and a payload whose layout depends on type and version.
//!
//! One structure an event type, grouped by what it acts on:
//!
//! - [`sound`]: sounds, sprites and weapons;
//! - [`light`]: lights and fog;
//! - [`object`]: state of nodes; [`motion`]: movement of nodes;
//! - [`camera`]: cameras and full-screen effects; [`puffer`]: particle emitters;
//! - [`control`]: calls, conditions and loops.
//!
//! The flags of an event say which of its fields count; fields that do not are normally zero, and
//! always kept.

pub mod camera;
pub mod control;
pub mod light;
pub mod motion;
pub mod object;
pub mod puffer;
pub mod sound;

mod body;

pub use body::{Event, EventBody, EventStart, UnknownEvent};
pub(super) use body::{tile, visit_events};
