//! Shared conversion of worlds, aircraft and 'mechs: polygons to meshes, nodes to a hierarchy.
//!
//! - [`texture_library`] — pictures looked up in texture packages;
//! - [`alpha`] — distinguishes cut-outs from pictures with soft alpha;
//! - [`variants`] — material variants, which replace textures;
//! - [`material`] — the materials of a file, and the surfaces made of them;
//! - [`triangulate`] — polygons and strips to triangles;
//! - [`mesh`] — models to meshes;
//! - `sources`, `corner` — the corners of polygons that the vertices of meshes come from;
//! - `nodes` — the nodes of a file, and subsets of them;
//! - [`scene_builder`] — one scene under construction; `scene_materials`, `material_key`, `material_content` — its
//!   materials, each made once;
//! - [`hierarchy`] — trees of nodes to scenes: the main one, and others for hidden nodes, which `layer` lists;
//!   [`layout`] — the scene of each node; `detail_levels` — levels of detail among siblings;
//! - `node_places` — the places of the nodes of a file, for files that refer to them;
//! - [`finish`] — final pass over a whole scene;
//! - [`extras`] — the extras of nodes;
//! - [`checks`] — counters.

pub(super) mod alpha;
pub(super) mod checks;
pub(super) mod corner;
mod detail_levels;
pub(super) mod extras;
pub(super) mod finish;
pub(super) mod hierarchy;
mod layer;
pub(super) mod layout;
pub(super) mod material;
mod material_content;
pub(super) mod material_draft;
mod material_key;
pub(super) mod mesh;
pub(crate) mod node_places;
mod nodes;
mod prepared_shapes;
pub(super) mod scene_builder;
mod scene_materials;
pub(super) mod sources;
pub(super) mod texture_library;
pub(super) mod triangulate;
pub(super) mod variants;
