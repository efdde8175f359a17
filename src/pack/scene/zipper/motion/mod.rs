//! Edits of motions: `edits` compares them, `table` packs them into their archives.

pub(super) mod edits;
pub(super) mod table;
