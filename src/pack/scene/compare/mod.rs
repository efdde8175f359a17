//! Differences between an edited scene and the scene as it was.
//!
//! - `scene_pair` — a scene as it was, beside its edit;
//! - `matching` — which node is which; `game_node` — the node of the game file that one stands for;
//! - `difference` — nodes and meshes that are not as they were; `triangles` — which corner is which; `strewn` — things that no file holds;
//! - `leaves` — values of JSON that differ;
//! - `pairing` — triangles that meshes have in common; `surfaces` — materials of primitives; `triangle_check` — whether a mesh shows
//!   the triangles of an edit.

pub(super) mod difference;
pub(super) mod game_node;
pub(super) mod leaves;
pub(super) mod matching;
pub(super) mod pairing;
pub(super) mod scene_pair;
pub(super) mod strewn;
pub(super) mod surfaces;
pub(super) mod triangle_check;
pub(super) mod triangles;
