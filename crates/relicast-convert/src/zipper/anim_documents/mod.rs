//! Compiled animations as documents for authors of game logic.
//!
//! - [`index`] — what a container holds, what calls what, and what it names; [`missing`] — names without a known
//!   object;
//! - [`flow`] — conditions and loops as blocks; [`timing`] — when events start, where that is known;
//! - [`definition`] — the document as a whole; [`context`] — what its parts need;
//! - [`block`] — sequences, with conditions and loops as blocks;
//! - [`event`] — one event; [`fields`] — the fields of each type;
//! - [`script`] — key frames as tables; [`script_uses`] — which event shows them;
//! - [`names`] — indices resolved;
//!
//! Stale memory (pointers, padding, fields whose flag is off) is left out. The typed decode has it.

mod block;
pub(super) mod context;
pub(super) mod definition;
mod event;
pub(in crate::zipper) use event::facts;
mod fields;
mod flow;
pub(super) mod index;
mod missing;
mod names;
mod script;
pub(super) mod script_uses;
mod timing;
