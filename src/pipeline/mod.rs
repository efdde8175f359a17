//! Pipeline: discovers, plans, converts, emits, verifies and reports.
//!
//! - [`request`] — options of a run.
//! - [`plan`] — everything that will happen, before it happens: inputs, items, paths, shards.
//! - [`run`] — executes the plan in parallel.
//! - [`reuse`] — results of earlier runs, so that only changes are redone.
//! - [`output`] — encodes, hashes and writes assets.
//! - [`shard`] — shards of a run, and merging their folders.
//! - [`report`] — manifest and report: what was written, and the result for every source.
//! - [`progress`] — progress of a run for observers.
//! - [`census`] — counts of files, compared with published counts.
//!
//! Decoding and meaning belong to the layers below; this one knows threads, files and time.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use relicast::pipeline::progress::Unobserved;
//! use relicast::pipeline::request::Request;
//! use relicast::pipeline::run::convert;
//!
//! let folder = tempfile::tempdir()?;
//! let (input, out) = (folder.path().join("in"), folder.path().join("out"));
//! std::fs::create_dir(&input)?;
//! std::fs::write(input.join("detail.zrd"), "( DETAIL 3 )")?;
//! let request = Request { inputs: vec![input], out, ..Request::default() };
//! let outcome = convert(&request, &Unobserved, &AtomicBool::new(false))?;
//! assert_eq!(outcome.report.totals.outputs, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod census;
pub mod output;
pub mod plan;
pub mod progress;
pub mod report;
pub mod request;
pub mod reuse;
pub mod run;
pub mod shard;
