//! Edited materials, packed into polygons and tables.
//!
//! - `difference` — changes of materials; `texture_lookup` — the textures behind pictures;
//! - `edits` — new surfaces of polygons; `material_usage` — the polygons that use a material; `table` — tables of
//!   materials; `tinted` — colors that nodes mix with those of materials;
//! - `new_materials` — materials that an edit adds; `new_pictures` — their pictures; `painted` — pictures with the
//!   color of their material; `new_material_check` — check that the packed file shows them;
//! - `proof` — check that the packed file shows edited ones; `unstored` — values that the games do not have.

pub(super) mod difference;
pub(super) mod edits;
mod material_usage;
pub(super) mod new_material;
pub(super) mod new_material_check;
pub(super) mod new_materials;
mod new_pictures;
mod painted;
pub(super) mod proof;
pub(super) mod table;
pub(super) mod texture_lookup;
mod tinted;
mod unstored;
