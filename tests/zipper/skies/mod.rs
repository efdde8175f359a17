//! Formats of Crimson Skies alone: resource archives, liveries, and saves; and the saves of the other games.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod damaged;
mod fixtures;
mod made;

use sha2::{Digest, Sha256};

/// SHA-256 as text.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
