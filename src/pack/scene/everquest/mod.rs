//! Scenes of EverQuest that a person edited, put back into their archive.
//!
//! - `wld` — scene files (`.wld`); `eqg` — models, zones and animations of later archives (`.mod`, `.ter`, `.zon`);
//! - `archive` — archives with their members; `scene` — edited scenes with what they were; `server` — edits of what the tables of a server place, which are refused;
//! - `corners` — corners of meshes; `vertex_edits` — edited corners as edits of vertices; `copies`, `moved` — placements that came, went, or stand elsewhere; `recut` — meshes with other triangles than they had;
//! - `glow`, `material_leaves` — edited values of lights and materials; `colors` — light of vertices;
//! - `edits` — edits by place; `proof` — whether what was packed shows the edit;
//! - `tracks` — edits of clips; `curves` — clips over time; `movements`, `frames` — of tracks.

mod archive;
mod colors;
mod copies;
mod corners;
mod curves;
mod edits;
pub(super) mod eqg;
mod frames;
mod glow;
mod material_leaves;
mod moved;
mod movements;
mod packed;
mod proof;
mod recut;
mod scene;
mod server;
mod tracks;
mod vertex_edits;
pub(super) mod wld;
