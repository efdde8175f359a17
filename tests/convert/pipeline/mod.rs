//! The run as a user sees it: what is redone and what is not, the same bytes for any number of
//! threads, interrupted runs, partial runs, reports.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod again;
mod changing;
mod interrupted;
mod outcome;
mod tampered;
