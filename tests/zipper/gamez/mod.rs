//! Worlds and mechlibs: every fixture against an independent decode of it, small worlds of our own
//! for all four games, and hostile files.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod classic;
mod early;
mod fixtures;
mod hostile;
mod mechlib;
mod nodes;
mod own;
mod skies;
