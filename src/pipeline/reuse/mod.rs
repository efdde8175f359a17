//! What earlier runs left, so that only changes are redone, and what a run must neither write over nor delete.
//!
//! - `state` — what earlier runs left; `finished` — one item of it; `journal` — what a run has finished so far.
//! - `unchanged` — which results of earlier runs are up to date.
//! - [`store`] — outputs that many runs share; `cached` — items that need not be converted again.
//! - `edited` — outputs that somebody changed since; `outgrown` — outputs that this run no longer makes.

pub(in crate::pipeline) mod cached;
pub(in crate::pipeline) mod edited;
pub(crate) mod finished;
pub(crate) mod journal;
pub(in crate::pipeline) mod outgrown;
pub(in crate::pipeline) mod state;
pub mod store;
pub(in crate::pipeline) mod unchanged;
