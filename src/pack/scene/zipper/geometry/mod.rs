//! Transforms and shapes, packed into the nodes and models of a game file.
//!
//! - `place` — transforms in the form of the games; `bounds` — derived boxes and cells;
//! - `shapes` — models changed in place or rebuilt; `models` — vertices and corners changed in place;
//! - `retriangulation` — corners of polygons that are triangulated differently since the edit;
//! - `remake`, `face_maker`, `triangle_template` — models from meshes whose triangles changed.

pub(super) mod bounds;
mod face_maker;
mod models;
pub(super) mod place;
pub(super) mod remake;
mod retriangulation;
pub(super) mod shapes;
mod triangle_template;
