//! Edits of motions: `edits` compares them, `table` puts them into their archives.

pub(super) mod edits;
pub(super) mod table;
