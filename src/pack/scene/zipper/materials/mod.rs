//! Edited materials put into polygons and tables.
//!
//! - `difference` — what is new of materials; `chosen` — the textures that pictures are;
//! - `edits` — new surfaces of polygons; `wearing` — which polygons wear a material; `table` — tables of materials;
//! - `proof` — whether what was packed shows them.

pub(super) mod chosen;
pub(super) mod difference;
pub(super) mod edits;
pub(super) mod proof;
pub(super) mod table;
mod wearing;
