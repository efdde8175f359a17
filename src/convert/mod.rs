//! What decoded values mean: the only place that knows both the source formats and the scene.

mod sound;

pub use sound::sound;
