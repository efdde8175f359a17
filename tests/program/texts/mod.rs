//! Texts that people and scripts read: help texts, reports, error messages. A change of a text shows as a
//! change of a file in `snapshots/`; `INSTA_UPDATE=always cargo test --test program texts` writes them anew.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod documents;
mod errors;
mod help;
mod report;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
