//! Compiled animations as documents for authors of game logic.
//!
//! - [`index`] — the contents, calls and names of a container; [`missing`] — names without a known object;
//! - [`flow`] — conditions and loops as blocks; [`timing`] — start times of events, where they are known;
//! - [`definition`] — the document as a whole; [`context`] — its shared context;
//! - [`block`] — sequences, with conditions and loops as blocks;
//! - [`event`] — one event; [`fields`] — the fields of each type;
//! - [`script`] — keyframes as tables; [`script_uses`] — the events that have them;
//! - [`names`] — indices resolved;
//!
//! Stale memory (pointers, padding, unused fields) is left out. The typed decode has it.

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
