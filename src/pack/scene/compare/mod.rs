//! Differences between an edited scene and the original.
//!
//! - `scene_pair` — an original scene and its edit; `description` — the differences in words;
//! - `matching` — matching of nodes; `game_node` — the node of the game file behind a node;
//! - `difference` — changed nodes and meshes; `triangles` — matching of corners; `strewn` — clutter, which no file
//!   stores;
//! - `leaves` — values of JSON that differ;
//! - `pairing` — triangles that meshes have in common; `surfaces` — materials of primitives; `triangle_check` — check
//!   that a packed mesh shows the triangles of an edit.

pub(super) mod description;
pub(super) mod difference;
pub(super) mod game_node;
pub(super) mod leaves;
pub(super) mod matching;
pub(super) mod pairing;
pub(super) mod scene_pair;
pub(super) mod strewn;
pub(super) mod surfaces;
pub(super) mod tolerance;
pub(super) mod triangle_check;
pub(super) mod triangles;
