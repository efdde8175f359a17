//! Executes the plan: parses, converts and emits in parallel, one item at a time per thread, so that memory
//! stays near the largest asset per thread.
//!
//! - `scheduler` — orders the files; `file` converts one, `item` one item of it; `results` — collects the
//!   results.
//! - `shared` — state shared by all files of a run; `source_io`, `open_dependencies` — bytes of files and of
//!   their dependencies.
//! - `video` — ffmpeg in a run; `video_options` — its options from the settings.
//! - `stage_clock` — time by stage.
//! - [`dry_run`] — dry run for comparisons; `collector` — collects outputs of it.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use relicast::pipeline::progress::StageProgress;
//! use relicast::pipeline::request::Request;
//! use relicast::pipeline::run::convert;
//!
//! let folder = tempfile::tempdir()?;
//! let (install, out) = (folder.path().join("install"), folder.path().join("out"));
//! std::fs::create_dir(&install)?;
//! std::fs::write(install.join("detail.zrd"), "( DETAIL 3 )")?;
//! let request = Request { inputs: vec![install], out: out.clone(), ..Request::default() };
//! let outcome = convert(&request, &|_: &StageProgress| {}, &AtomicBool::new(false))?;
//! assert!(!outcome.failed());
//! assert!(out.join("manifest.json").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(in crate::pipeline) mod collector;
pub mod dry_run;
pub(in crate::pipeline) mod file;
pub(in crate::pipeline) mod item;
pub(crate) mod log_target;
pub(in crate::pipeline) mod open_dependencies;
mod results;
pub(in crate::pipeline) mod scheduler;
pub(in crate::pipeline) mod shared;
pub(in crate::pipeline) mod source_io;
pub(in crate::pipeline) mod stage_clock;
pub(crate) mod video;
mod video_options;

use log_target::FOR_SCRIPTS;
use relicast_codec::quantity::counted;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tracing::{error, info, warn};

use crate::config::{Config, SyncPolicy, Unchanged};
use crate::pipeline::output::atomic::Written;
use crate::pipeline::output::destination::Destination;
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::output::originals::{Clash, clash};
use crate::pipeline::plan::cut;
use crate::pipeline::plan::inputs::{Known, Roots, check_kind, check_place};
use crate::pipeline::plan::order;
use crate::pipeline::plan::planned::{Plan, PlannedFile};
use crate::pipeline::plan::work;
use crate::pipeline::plan::{PlanningError, plan};
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::manifest::{self, Manifest};
use crate::pipeline::report::summary::{Summary, add_others};
use crate::pipeline::report::{self, Report, Status};
use crate::pipeline::request::Request;
use crate::pipeline::reuse::edited::Keeper;
use crate::pipeline::reuse::journal::WorkFolder;
use crate::pipeline::reuse::stale::{Unseen, add_origins, sweep};
use crate::pipeline::reuse::state::Previous;
use crate::pipeline::reuse::store::{self, Store, StoreError};
use crate::pipeline::reuse::unchanged::{is_up_to_date, mark_unchanged, request_digest};
use crate::pipeline::shard::Shard;
use file::{FileResult, fail_changed, run_file};
use relicast_convert::SharedWork;
use relicast_formats::asset::AssetKind;
use relicast_limits::spending;
use relicast_source::known::{self, Reading, Survey};
use relicast_source::tree::{SourceFile, Tree};
use shared::Shared;

/// Result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Result for every source.
    pub report: Report,
    /// True if nothing had changed and nothing was written.
    pub nothing_to_do: bool,
    /// True if the run was canceled; finished items are preserved.
    pub cancelled: bool,
}

impl Outcome {
    /// Returns whether anything failed.
    pub fn failed(&self) -> bool {
        self.report.count(Status::Failed) > 0
    }
}

/// Reason why a run could not be performed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Planning failed.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// The output folder cannot be written.
    #[error("cannot write to output folder {path}: {error}")]
    Output {
        /// The folder.
        path: PathBuf,
        /// Error.
        error: io::Error,
    },
    /// An output is a source.
    #[error(
        "the output {output} is the source {source_file}: originals are never written or deleted; \
         choose another output folder"
    )]
    Original {
        /// The output.
        output: PathBuf,
        /// The source.
        source_file: PathBuf,
    },
    /// The output folder belongs to another shard, to a whole run, or to other inputs.
    #[error(
        "shard {shard} needs an output folder of its own: {} contains {held}; choose another folder",
        out.display()
    )]
    NotOfShard {
        /// The output folder.
        out: PathBuf,
        /// The shard.
        shard: Shard,
        /// Current content of the folder.
        held: String,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The worker threads cannot be started.
    #[error("cannot start worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Maximum threads per core: more of them use memory without a gain.
const MAX_JOBS_PER_CORE: usize = 16;

/// Number of threads for the requested number; 0 means one per core.
pub fn jobs(asked: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let most = cores
        .saturating_mul(MAX_JOBS_PER_CORE)
        .max(MAX_JOBS_PER_CORE);
    if asked > most {
        let cores = counted(cores, "core", "cores");
        warn!("{asked} jobs are too many for {cores}; using {most}");
    }
    asked.min(most)
}

/// Thread pool with the configured number of threads and limits.
///
/// # Errors
/// The threads cannot be started.
pub fn thread_pool(config: &Config) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    config.limits.thread_pool(jobs(config.run.jobs))
}

/// State of a run before anything is written.
#[derive(Debug)]
pub struct Prepared {
    /// Everything that will happen; `None` if nothing has changed since the last run.
    pub plan: Option<Plan>,
    roots: Roots,
    previous: Previous,
    /// Duration in seconds.
    seconds: f64,
}

/// Lists the inputs, reads the documents of earlier runs, and makes the plan. Planning and converting each
/// count all bytes once in the progress that `observer` receives.
///
/// # Errors
/// An input does not exist, there is nothing to convert, or originals would be overwritten.
pub fn prepare(request: &Request, observer: &dyn Observer) -> Result<Prepared, RunError> {
    thread_pool(&request.config)?.install(|| prepare_with(request, None, observer))
}

/// Like [`prepare`], for a run that continues with the state of the plan.
fn prepare_with(
    request: &Request,
    shared_work: Option<&SharedWork>,
    observer: &dyn Observer,
) -> Result<Prepared, RunError> {
    let _region = spending::enter(spending::Stage::Plan, "");
    let started = Instant::now();
    check_place(&request.inputs, &request.out)?;
    let store = &request.config.run.store;
    if !store.as_os_str().is_empty() {
        store::check_place(store, &request.inputs, &request.out)?;
    }
    let stages = &request.config.stages;
    let mut previous = if stages.convert && stages.emit {
        Previous::load(
            &request.out,
            request.config.run.unchanged == Unchanged::Time,
        )
    } else {
        Previous::default()
    };
    let known = previous.known();
    let mut roots = Roots::resolve(request, &known).map_err(PlanningError::from)?;
    if let Some(shard) = request.shard {
        check_owner(request, shard, &previous, &known, &roots)?;
    }
    let tree = roots.list(request).map_err(PlanningError::from)?;
    let mut plan = None;
    if !is_up_to_date(request, &previous, &roots, &tree) {
        previous.index(&roots);
        let owned = owned_by_others(&previous);
        // A repeated run converts few of the planned items.
        let shared_work = shared_work.filter(|_| previous.items.is_empty());
        let first = discover(request, &roots, tree, &owned, shared_work, observer)?;
        plan = Some(if roots.is_one_new() && first.evaded {
            roots.set_apart(&known);
            let tree = roots.list(request).map_err(PlanningError::from)?;
            discover(request, &roots, tree, &owned, shared_work, observer)?
        } else {
            first
        });
    }
    if let Some(plan) = &plan
        && let Some(Clash { output, source }) = clash(&request.out, plan, &previous, &known)
    {
        return Err(RunError::Original {
            output: request.out.join(output),
            source_file: source,
        });
    }
    Ok(Prepared {
        plan,
        roots,
        previous,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Refuses to write a shard to a folder with anything else: it would delete outputs of other shards, or be
/// merged with foreign ones.
fn check_owner(
    request: &Request,
    shard: Shard,
    previous: &Previous,
    known: &[Known],
    roots: &Roots,
) -> Result<(), RunError> {
    let held = match previous.shard() {
        _ if previous.is_empty() => return Ok(()),
        None => "the outputs of a whole run".to_owned(),
        Some(other) if other != shard => format!("shard {other} (by {})", other.by.label()),
        Some(_)
            if known
                .iter()
                .any(|input| !roots.has(input.input_report.input)) =>
        {
            "that shard of other inputs".to_owned()
        }
        Some(_) => return Ok(()),
    };
    Err(RunError::NotOfShard {
        out: request.out.clone(),
        shard,
        held,
    })
}

/// Plan for inputs without writing, as each of their shards makes it.
///
/// # Errors
/// An input does not exist, or there is nothing to convert.
pub fn plan_only(request: &Request, observer: &dyn Observer) -> Result<Plan, RunError> {
    let pool = thread_pool(&request.config)?;
    let made: Result<Plan, PlanningError> = pool.install(|| {
        request
            .inputs
            .iter()
            .try_for_each(|input| check_kind(input))?;
        let roots = Roots::resolve(request, &[])?;
        let tree = roots.list(request)?;
        discover(request, &roots, tree, &[], None, observer)
    });
    Ok(made?)
}

/// Outputs of other inputs.
fn owned_by_others(previous: &Previous) -> Vec<String> {
    let outputs = previous.others.outputs.iter();
    outputs.map(|output| output.path.clone()).collect()
}

pub(super) fn discover(
    request: &Request,
    roots: &Roots,
    tree: Tree,
    owned: &[String],
    shared_work: Option<&SharedWork>,
    observer: &dyn Observer,
) -> Result<Plan, PlanningError> {
    for folder in &tree.output_folders {
        info!(
            "{} is an output folder of relicast; it was skipped",
            folder.display()
        );
    }
    let bytes: u64 = tree.files.iter().map(|file| file.size).sum();
    let stage = Stage::start(observer, "plan", tree.files.len() as u64, bytes);
    let made = plan(request, &roots.prefixes(), tree, owned, shared_work, &stage);
    stage.finish();
    made
}

/// Converts the inputs. Files that fail are reported and do not stop the rest; `cancel` stops the run after the
/// current items.
///
/// # Errors
/// There is nothing to convert, or the output folder cannot be written.
pub fn convert(
    request: &Request,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<Outcome, RunError> {
    let pool = thread_pool(&request.config)?;
    pool.install(|| {
        let work = SharedWork::default();
        let mut prepared = prepare_with(request, Some(&work), observer)?;
        let plan = prepared.plan.take();
        match (plan, &mut prepared) {
            (Some(plan), prepared) => {
                log_games(&plan);
                log_inputs(prepared);
                execute(request, plan, work, prepared, observer, cancel)
            }
            (
                None,
                Prepared {
                    previous, roots, ..
                },
            ) => {
                let (manifest, report) = previous.take_found().unwrap_or_default();
                Ok(Outcome {
                    report: mark_unchanged(&manifest, report, roots),
                    nothing_to_do: true,
                    cancelled: false,
                })
            }
        }
    })
}

fn log_inputs(prepared: &Prepared) {
    let others = prepared.previous.others.inputs.len();
    if others > 0 {
        let others = counted(others, "other input", "other inputs");
        info!("outputs of {others} in the output folder are preserved");
    }
    if !prepared.previous.is_sealed {
        warn!(
            "manifest.json or report.json was edited: everything is converted again, and stale outputs are preserved"
        );
    }
    let refused = &prepared.previous.refused;
    if let Some(path) = refused.first() {
        warn!(
            "ignored {} in the manifest, such as {path}",
            counted(refused.len(), "invalid path", "invalid paths")
        );
    }
}

fn log_games(plan: &Plan) {
    for (game, evidence) in plan.detection.games() {
        match evidence {
            Some(evidence) => info!(
                target: FOR_SCRIPTS,
                event = "game",
                game = game.title(),
                evidence = evidence.reason,
                source = evidence.path,
                "{game}: {} in {}",
                evidence.reason,
                evidence.path
            ),
            None => info!(target: FOR_SCRIPTS, "{game}: set by the user"),
        }
    }
    for fault in &plan.faults {
        error!("cannot list {}: {}", fault.location.display(), fault.error);
    }
}

fn execute(
    request: &Request,
    plan: Plan,
    shared_work: SharedWork,
    prepared: &Prepared,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<Outcome, RunError> {
    let (previous, roots) = (&prepared.previous, &prepared.roots);
    let config = &request.config;
    let out = &*request.out;
    let planned = &plan;
    let writes = config.stages.convert && config.stages.emit;
    let output_error = |error| RunError::Output {
        path: out.to_owned(),
        error,
    };
    let store = writes.then(|| open_store(config)).transpose()?.flatten();
    let keeper = Keeper::new(out, previous, request.force);
    let work = writes.then(|| begin(request, prepared, &keeper));
    let work = work.transpose().map_err(output_error)?;
    let destination = work.as_ref().map(|work| {
        let destination = Destination::new(out, work, &keeper, config.run.sync)?;
        Ok(Destination {
            store: store.as_ref(),
            ..destination
        })
    });
    let destination = destination.transpose().map_err(output_error)?;
    let mut shared = Shared {
        work: shared_work,
        destination: destination.as_ref(),
        ..Shared::new(request, planned, roots, previous, cancel)
    };
    let taken = request.shard.map(|shard| cut::taken(planned, shard));
    let mut results = work_off(planned, taken.as_deref(), &shared, observer);
    let _region = spending::enter(spending::Stage::Close, "");
    fail_changed(&mut results, &shared.hashes);
    let cancelled = cancel.load(Ordering::Relaxed);
    let mut unseen = Unseen::new(request, planned, previous, roots);
    unseen.add_unread(&results);
    // Dropping the data shared by converters, in memory and in a temporary file, takes time.
    let kept = mem::take(&mut shared.work);
    let summary = || {
        let sum = Summary {
            request,
            plan: planned,
            shared: &shared,
            planned: prepared.seconds,
            cancelled,
        };
        sum.of(results, survey(planned))
    };
    let ((mut report, mut manifest), ()) = rayon::join(summary, || drop(kept));
    let settle = || {
        if !writes {
            return;
        }
        let keep = request.keep || cancelled;
        let swept = sweep(out, previous, &unseen, &keeper, keep, &mut manifest);
        add_origins(planned, previous, &mut manifest);
        report.removed = swept.removed;
        report.kept = swept.kept;
        report.edited = keeper.take();
        add_others(&mut manifest, &mut report, &previous.others);
    };
    rayon::join(settle, || drop(shared));
    if let Some(work) = work {
        let written = write_documents(out, &manifest, &report, config.run.sync, || drop(plan));
        written.map_err(output_error)?;
        let (removed, ()) = rayon::join(|| work.remove(), || drop(manifest));
        removed.map_err(output_error)?;
    }
    Ok(Outcome {
        report,
        nothing_to_do: false,
        cancelled,
    })
}

/// Published editions that the planned files belong to. No member is unpacked again for this; `identify` does
/// that.
fn survey(plan: &Plan) -> Survey {
    let files: Vec<&SourceFile> = plan.files.iter().map(|file| &file.source).collect();
    known::survey(&files, Reading::Cheap, &|file| {
        plan.detection.game(&file.path)
    })
}

/// Locks the output folder and starts its journal. Foreign files with the names of documents are moved aside.
fn begin(request: &Request, prepared: &Prepared, keeper: &Keeper<'_>) -> io::Result<WorkFolder> {
    let (previous, roots) = (&prepared.previous, &prepared.roots);
    fs::create_dir_all(&request.out)?;
    let work = lock(&request.out, previous)?;
    let reports = roots.reports(&request_digest(request, roots), false);
    work.start(reports, request.shard)?;
    for name in &previous.strangers {
        keeper.move_document(name)?;
    }
    Ok(work)
}

/// The run's store, if any.
fn open_store(config: &Config) -> Result<Option<Store>, StoreError> {
    let root = &config.run.store;
    if root.as_os_str().is_empty() {
        return Ok(None);
    }
    let durability = match config.run.sync {
        SyncPolicy::All => Durability::Disk,
        SyncPolicy::Manifest | SyncPolicy::None => Durability::System,
    };
    Store::open(root, durability).map(Some)
}

/// Locks the output folder, unless another run has ended there meanwhile.
fn lock(out: &Path, previous: &Previous) -> io::Result<WorkFolder> {
    let work = WorkFolder::create(out)?;
    if previous.is_current(out) {
        return Ok(work);
    }
    work.remove()?;
    let reason = "another run has just ended there; run the same command again";
    Err(io::Error::new(io::ErrorKind::ResourceBusy, reason))
}

/// Converts the files, or those of a shard.
pub(super) fn work_off(
    plan: &Plan,
    taken: Option<&[bool]>,
    shared: &Shared<'_>,
    observer: &dyn Observer,
) -> Vec<FileResult> {
    let is_taken = |index: usize| taken.is_none_or(|taken| taken.get(index) == Some(&true));
    let files = || {
        let files = plan.files.iter().enumerate();
        files.filter_map(|(index, file)| is_taken(index).then_some(file))
    };
    let items = files().map(|file| file.items().len().max(1) as u64);
    let amount = files().flat_map(PlannedFile::items);
    let amount = amount.map(work::estimate).fold(0, u64::saturating_add);
    let stage = Stage::start(observer, "convert", items.sum(), amount);
    let mut order = order::order_of_work(plan);
    order.retain(|&index| is_taken(index));
    let count = order.len();
    let is_video = |&index: &usize| plan.files[index].kind.asset().0 == AssetKind::Video;
    let (videos, others) = order.into_iter().partition(is_video);
    let size = |index: usize| plan.files[index].source.size;
    let mut results = results::gather(count, |hand_over| {
        let run = |index: usize| {
            hand_over((index, run_file(&plan.files[index], shared, &stage)));
        };
        scheduler::work(videos, others, size, run);
    });
    results.sort_by_key(|(index, _)| *index);
    stage.finish();
    results.into_iter().map(|(_, result)| result).collect()
}

/// Writes manifest and report, which ends a run. They are serialized in parallel, the report together with the
/// slow work `beside`, because it is shorter; the manifest is renamed last.
pub(super) fn write_documents(
    out: &Path,
    manifest: &Manifest,
    report: &Report,
    sync: SyncPolicy,
    beside: impl FnOnce() + Send,
) -> io::Result<()> {
    let folder = OutputFolder::open(out, Durability::System)?;
    let write_report = || {
        let report = Written::new(&folder, report::FILE_NAME, report, 4);
        beside();
        report
    };
    let (report, manifest) = rayon::join(write_report, || {
        Written::new(&folder, manifest::FILE_NAME, manifest, 2)
    });
    report?.finish(sync)?;
    manifest?.finish(sync)
}
