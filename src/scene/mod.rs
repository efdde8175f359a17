//! The engine-neutral model: what was converted, before it is written in some output format.
//!
//! Nothing here knows a game, a source format or an output format.

mod sound;

pub use sound::{Annotation, CuePoint, Loop, LoopDirection, Samples, Sound};
