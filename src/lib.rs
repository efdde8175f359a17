//! relicast turns installs of late-1990s games into files that today's engines read.
//!
//! # Module map
//!
//! Data moves down only:
//!
//! | module | floor |
//! | --- | --- |
//! | [`asset`] | what kinds of assets, folders and games there are |
//! | [`source`] | finds bytes: walks inputs, maps files, names the game |
//! | [`formats`] | bytes ↔ typed values, one codec a format; no files, threads or output formats |
//! | [`convert`] | what the values mean; the only floor that knows a game and the scene |
//! | [`scene`] | engine-neutral assets |
//! | [`emit`] | assets → bytes of modern files |
//! | [`pipeline`] | the run: plan, threads, files, manifest, report |
//! | [`golden`] | hashes of outputs and what differs |
//! | `cli` | arguments as typed, one file a subcommand; with the feature of this name, which is on by default |
//! | [`config`] | `pipeline.toml` as types |
//! | [`limits`] | what one input may make the process spend |
//!
//! # Departures from the first plan
//!
//! - Structures are declared with [`formats::codec`] and not with a deriving library: one walk runs in
//!   both directions, borrows from the file, and reports broken soft rules with their offsets.
//! - [`convert`] reads [`config`], which is plain data without behaviour of its own; [`emit`] has options of
//!   its own, which [`pipeline`] makes from it.
//! - A part is decoded, converted and emitted by one task; the stages are timed, not separated by
//!   barriers, so that memory stays near the largest asset a thread.

// Standard output and error may be closed or full; these macros panic then. See `cli::console`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod asset;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod convert;
pub mod emit;
pub mod formats;
pub mod golden;
pub mod limits;
pub mod pipeline;
pub mod scene;
pub mod source;
