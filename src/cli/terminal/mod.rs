//! Output for people at a terminal.
//!
//! - `lines` — lines on standard output; `wrapped` — line wrapping; `wording` — numbers, sizes, nouns.
//! - `console` — standard error and the terminal; `log` — log lines; `progress` — the bar of a run.
//! - `pager` — pages of the manual.
//! - `exit` — exit codes.

pub(in crate::cli) mod console;
pub(in crate::cli) mod exit;
pub(in crate::cli) mod lines;
pub(in crate::cli) mod log;
pub(in crate::cli) mod pager;
pub(in crate::cli) mod progress;
pub(in crate::cli) mod wording;
mod wrapped;
