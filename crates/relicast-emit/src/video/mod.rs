//! Videos, through the external program ffmpeg: it decodes the games' formats and encodes modern ones.
//!
//! - `tool` — finds ffmpeg.
//! - `options` — options of videos; `arguments` — the command line of ffmpeg.
//! - `job`, `encode` — one video.
//! - `child` — the running program: progress, cancellation, stalls, last error; `process` ends it with
//!   all processes that it started.
//! - `facts` — facts about the source, with a digest of every decoded frame.
//!
//! One run of ffmpeg decodes a source once and writes the new file, the digests and the poster. It works
//! on one thread, so that its bytes do not depend on the machine; several videos run in parallel.
//!
//! ```
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//!
//! use relicast_emit::video::find;
//!
//! // A program that does not exist is reported as missing.
//! assert!(find(Path::new("no-such-ffmpeg"), &AtomicBool::new(false)).is_err());
//! ```

mod arguments;
mod child;
mod encode;
mod error;
mod facts;
mod job;
pub(crate) mod options;
mod poster;
mod process;
pub mod tool;

pub use encode::encode;
pub use error::VideoError;
pub use facts::{Decoded, StreamFacts};
pub use job::{Control, Encoded, Job};
pub use options::{AudioEncoder, VideoOptions};
pub use tool::{Tool, find};
