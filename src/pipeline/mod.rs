//! The run: discover, plan, convert and emit, verify, report.
//!
//! - `plan` — everything that will happen, before anything happens; `planned` — its parts; `part_paths` — what they are called.
//! - [`paths`] — output paths: sanitised, unique, stable.
//! - [`request`] — what a run is asked to do.
//! - [`run`] — the plan carried out in parallel; `scheduler` orders the files.
//! - `output` — assets to files: hashed, written; `encoding` — their bytes;
//!   `spelling` — documents as they are spelled;
//!   `destination` — where they go; `folder` writes files beside and renames them.
//! - [`shard`] — which part of a run is asked for; [`cut`] — a plan cut into such parts, `relicast plan`.
//! - [`merge`] — the folders of shards joined: `shard_folder` reads and checks them, `merge_report` joins their reports.
//! - [`unwritten`] — a run that writes nothing, for comparisons; `collector` — takes outputs of it.
//! - `video` — ffmpeg within a run; `video_options` — what the settings come down to.
//! - `inputs` — the inputs that share an output folder, and by what each is known again.
//! - [`atomic`] — whole files or none; `hash` — hashes of large ones.
//! - `state` — what earlier runs left, so that only changes are redone; `finished` — one part of it;
//!   `journal` — what a run has finished so far.
//! - [`store`] — outputs that many runs share; `cached` — items that need not be converted again.
//! - `provenance` — what each output was made from.
//! - `edited`, `outgrown`, `originals` — what a run must not write over, nor delete.
//! - [`manifest`], [`report`] — what was written and what became of every source; [`reason`] — why it was skipped or failed.
//! - [`progress`] — how far a run is, for whoever watches it; `work` estimates what is left; `stage_clock` — what it spent.
//! - [`links`] — references between outputs.
//! - `documents`, `document_file`, `rows` — documents of runs as they are read: from anywhere, within their share of memory; `seal` —
//!   whether they are as written.
//! - [`converted`] — an output folder to read from: manifest, report, outputs.
//! - [`written_list`] — the lists of what is written beside the outputs: gallery, project.
//! - [`findings`] — messages of many files, grouped; [`finding`] — one group.
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

pub mod atomic;
mod cached;
pub mod census;
mod collector;
pub mod converted;
pub mod cut;
mod destination;
pub(crate) mod document_file;
pub(crate) mod documents;
mod edited;
mod encoding;
mod file;
pub mod finding;
pub mod findings;
pub(crate) mod finished;
pub(crate) mod folder;
pub(crate) mod hash;
pub(crate) mod inputs;
pub mod install_guard;
mod item;
pub(crate) mod journal;
pub mod links;
pub mod manifest;
pub mod merge;
mod merge_report;
mod open_dependencies;
mod order;
mod originals;
mod outgrown;
pub(crate) mod output;
mod part_paths;
pub mod paths;
pub(crate) mod plan;
pub(crate) mod planned;
pub mod progress;
mod provenance;
pub mod quantity;
pub mod reason;
pub mod report;
pub mod request;
mod results;
mod rows;
pub mod run;
mod scheduler;
mod seal;
mod select;
pub mod shard;
mod shard_folder;
mod shared;
mod source_io;
mod spelling;
mod stage_clock;
mod state;
pub mod store;
mod stream;
mod summary;
mod unchanged;
pub mod unwritten;
pub(crate) mod video;
mod video_options;
mod work;
pub mod written_list;
