//! EverQuest models with skeletons: joints over time, skins, variants and borrowed sets, compared with a
//! direct evaluation of the stored tracks; skeletons with wrong contents.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panic; clippy knows test functions only"
)]

mod collect;
mod expected;
mod fixtures;
mod synthetic;
