//! Places and shapes put into the nodes and models of a game file.
//!
//! - `place` — places in the form of the games; `bounds` — boxes and cells that follow;
//! - `shapes` — models changed in place or made anew; `models` — vertices and corners changed in place;
//! - `rings` — corners of polygons that are cut otherwise since;
//! - `remake`, `face_maker`, `mould` — models from meshes with other triangles.

pub(super) mod bounds;
mod face_maker;
mod models;
mod mould;
pub(super) mod place;
mod remake;
mod rings;
pub(super) mod shapes;
