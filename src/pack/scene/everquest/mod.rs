//! Edited scenes of EverQuest, packed into their archive.
//!
//! - `wld` — scene files (`.wld`); `eqg` — models, zones and animations in EQG format (`.mod`, `.ter`, `.zon`);
//! - `archive` — archives with their members; `scene` — edited scenes with their originals; `server` — refuses edits of
//!   placements from a server's tables;
//! - `attach` — placements with other parents, new shapes and moved meshes; `snap` — corners of parted
//!   meshes; `applied` — transforms of meshes that placements take back; `own_models` — placements that get a model of
//!   their own;
//! - `corners` — corners of meshes; `vertex_edits` — edited corners as edits of vertices; `copies`, `moved` — added,
//!   removed and moved placements; `recut` — meshes whose triangles changed; `sides` — both sides of
//!   faces;
//! - `light_nodes`, `glow`, `other_lights`, `new_lights`, `stored_lights`, `material_leaves`, `new_materials` — edited and new lights and materials; `baked` — pictures made for
//!   materials, each a `baked_picture`; `colors` — light of vertices;
//! - `edits` — edits by place; `proof` — check that the packed file shows the edit;
//! - `rests` — bones that are moved at rest; `clips` — edited clips; `tracks` — their edits; `clip_check` — check of these; `curves` — clips over time;
//!   `movements`, `frames` — of tracks.

mod applied;
mod archive;
mod attach;
mod baked;
mod baked_picture;
mod clip_check;
mod clips;
mod colors;
mod copies;
mod corners;
mod curves;
mod edits;
pub(super) mod eqg;
mod frames;
mod glow;
mod light_nodes;
mod material_leaves;
mod moved;
mod movements;
mod new_lights;
mod new_materials;
mod other_lights;
mod own_models;
mod packed;
mod proof;
mod recut;
mod rests;
mod scene;
mod server;
mod sides;
mod snap;
mod stored_lights;
mod tracks;
mod vertex_edits;
pub(super) mod wld;

pub(super) use archive::merged;
pub(super) use copies::is_ground;
