//! Golden hashes: what an output folder should hold, and what sort of content differs when it does
//! not.
//!
//! A golden file keeps the BLAKE3 hash of every output, and beside it short hashes of its *content_digest*:
//! size and pixels of a picture, samples and chunks of a sound, subtrees of a document, accessors of
//! a scene. When a file differs, the content_digest tell where.
//!
//! Bytes of a video depend on the encoder that was at hand, so those of videos are not
//! compared: golden are the streams and the frames of their source, as decoded, and that the file is
//! the one that was written.

mod compare;
mod content_digest;
mod error;
mod folder;
mod hashes;
mod video;
mod written;

pub use compare::{Comparison, Difference, compare};
pub use content_digest::content_digest;
pub use error::GoldenError;
pub use hashes::{Golden, GoldenOutput};
pub use written::{Checked, Fault, check_written};
