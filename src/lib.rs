//! relicast turns installs of late-1990s games into files that today's engines read.
//!
//! # Module map
//!
//! Data moves down only:
//!
//! | module | floor |
//! | --- | --- |
//! | [`source`] | finds bytes: walks inputs, maps files, names the game |
//! | [`formats`] | bytes ↔ typed values, one codec a format; no files, threads or output formats |
//! | [`convert`] | what the values mean; the only floor that knows a game and the scene |
//! | [`scene`] | engine-neutral assets |
//! | [`emit`] | assets → bytes of modern files |
//! | [`pipeline`] | the run: plan, threads, files, manifest, report |
//! | [`golden`] | hashes of outputs and what differs |
//! | [`cli`] | arguments as typed, one file a subcommand |
//! | [`config`] | `pipeline.toml` as types |

pub mod cli;
pub mod config;
pub mod convert;
pub mod emit;
pub mod formats;
pub mod golden;
pub mod pipeline;
pub mod scene;
pub mod source;
