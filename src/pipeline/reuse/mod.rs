//! Results of earlier runs, so that only changes are redone, and files that a run must not overwrite or delete.
//!
//! - `state` — documents of earlier runs; `finished` — one finished item; `journal` — items that a run has
//!   finished so far.
//! - `unchanged` — detects results that are up to date.
//! - [`store`] — outputs that many runs share; `cached` — reuses items from it.
//! - `edited` — outputs that were changed since; `stale` — stale outputs.

pub(in crate::pipeline) mod cached;
pub(in crate::pipeline) mod edited;
pub(crate) mod finished;
pub(crate) mod journal;
pub(in crate::pipeline) mod stale;
pub(in crate::pipeline) mod state;
pub mod store;
pub(in crate::pipeline) mod unchanged;
