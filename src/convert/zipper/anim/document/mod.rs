//! The document of a definition: what starts it, what it needs, and its sequences of events with the
//! names that their indices stand for.
//!
//! - [`definition`] — the document as a whole; [`context`] — what its parts need;
//! - [`block`] — sequences, with conditions and loops as blocks;
//! - [`event`] — one event; [`fields`] — the fields of each type;
//! - [`script`] — key frames as tables; [`script_uses`] — which event shows them;
//! - [`names`] — indices resolved;
//! - [`line`] — values in one line.
//!
//! Stale memory (pointers, padding, fields whose flag is off) is left out. The typed decode has it.

mod block;
mod context;
mod definition;
mod event;
mod fields;
mod line;
mod names;
mod script;
mod script_uses;

pub(super) use context::Shared;
pub(super) use definition::{Identity, with_document};
pub(super) use line::Line;
pub(super) use script::Table;
pub(super) use script_uses::{FirstUses, first_uses};
