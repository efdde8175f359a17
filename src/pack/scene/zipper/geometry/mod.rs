//! Places and shapes put into the nodes and models of a game file.
//!
//! - `place` — places in the form of the games; `bounds` — boxes and cells that follow;
//! - `shapes` — models changed in place or made anew; `models` — vertices and corners changed in place;
//! - `retriangulation` — corners of polygons that are cut otherwise since;
//! - `remake`, `face_maker`, `triangle_template` — models from meshes with other triangles.

pub(super) mod bounds;
mod face_maker;
mod models;
pub(super) mod place;
mod remake;
mod retriangulation;
pub(super) mod shapes;
mod triangle_template;
