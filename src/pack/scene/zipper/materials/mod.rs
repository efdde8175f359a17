//! Edited materials put into polygons and tables.
//!
//! - `difference` — what is new of materials; `texture_lookup` — the textures that pictures are;
//! - `edits` — new surfaces of polygons; `material_usage` — which polygons wear a material; `table` — tables of materials;
//! - `proof` — whether what was packed shows them.

pub(super) mod difference;
pub(super) mod edits;
mod material_usage;
pub(super) mod proof;
pub(super) mod table;
pub(super) mod texture_lookup;
