//! Golden hashes: the expected content of an output folder, and the sort of content that differs.
//!
//! A golden file stores the BLAKE3 hash of every output, and short hashes of its *content digest*: size and pixels of a
//! picture, samples and chunks of a sound, subtrees of a document, accessors of a scene. When a file differs, the
//! content digest shows where.
//!
//! The bytes of a video depend on the installed encoder and are not compared. Instead its decoded streams and frames
//! are compared, and the video must be unchanged since it was written.
//!
//! [`diff`] compares two folders or installs, and measures the differences.
//!
//! ```
//! use relicast::golden::{Golden, compare};
//!
//! let empty = Golden::default();
//! assert!(compare(&empty, &empty).differences.is_empty());
//! ```

mod compare;
mod content_digest;
pub mod diff;
mod error;
mod folder;
mod hashes;
mod video;
mod written;

pub use compare::{Comparison, Difference, compare};
pub use content_digest::content_digest;
pub use error::GoldenError;
pub use hashes::{Golden, GoldenOutput};
pub use written::{Checked, Fault, Reading, check_outputs, check_written};
