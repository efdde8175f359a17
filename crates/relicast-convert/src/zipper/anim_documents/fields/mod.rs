//! The fields of each event type. Unused fields and stale memory are left out; the typed decode has them.

pub(super) mod control;
pub(super) mod effect;
mod entries;
pub(super) mod motion;
pub(super) mod object;
pub(super) mod world;

pub(super) use entries::{Change, Fields, change, change_of, put_unknown_bits, vector_change};
