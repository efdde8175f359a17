//! The run: discover, plan, convert and emit, verify, report.
//!
//! - [`request`] — what a run is asked to do.
//! - [`plan`] — everything that will happen, before anything happens: inputs, parts, paths, cuts.
//! - [`run`] — the plan carried out in parallel.
//! - [`reuse`] — what earlier runs left, so that only changes are redone.
//! - [`output`] — assets to files: encoded, hashed, written.
//! - [`shard`] — which part of a run is asked for, and the folders of such parts joined.
//! - [`report`] — what was written and what became of every source, written and read again.
//! - [`progress`] — how far a run is, for whoever watches it.
//! - [`census`] — what files are, counted and compared with published counts.
//!
//! Decoding and meaning live in the floors below; this one knows threads, files and time.
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
