//! The person at the terminal: what is said, and how.
//!
//! - `lines` — lines on standard output; `wrapped` — those broken between words; `wording` — numbers, sizes, nouns.
//! - `console` — standard error, and the terminal; `log` — log lines there; `progress` — the bar of a run.
//! - `pager` — pages of the manual.
//! - `exit` — how a run ended.

pub(in crate::cli) mod console;
pub(in crate::cli) mod exit;
pub(in crate::cli) mod lines;
pub(in crate::cli) mod log;
pub(in crate::cli) mod pager;
pub(in crate::cli) mod progress;
pub(in crate::cli) mod wording;
mod wrapped;
