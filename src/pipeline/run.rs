//! The plan carried out: parse, convert and emit in parallel, one part at a time a thread, so that
//! memory stays near the largest asset a thread.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tracing::{error, info, warn};

use super::companions::Hashes;
use super::file::{FileResult, Shared, run_file};
use super::lanes;
use super::manifest::{self, Manifest};
use super::output::{Destination, StageClock, write_document};
use super::plan::{Plan, PlannedFile, PlanningError, plan};
use super::progress::Progress;
use super::report::{self, Report, Status};
use super::state::{Previous, WorkFolder};
use super::summary::conclude;
use super::unchanged::{settle, still_stands};
use super::video::Videos;
use super::work;
use crate::config::{Config, SyncPolicy};
use crate::emit::json;
use crate::formats::kind::Kind;
use crate::source::tree::Tree;

/// What a run is asked to do.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Folders and files to convert.
    pub inputs: Vec<PathBuf>,
    /// The output folder.
    pub out: PathBuf,
    /// Globs of files and members to take; empty for all.
    pub only: Vec<String>,
    /// The effective configuration.
    pub config: Config,
    /// Redo everything, whatever the run before left.
    pub force: bool,
}

/// What a run did.
#[derive(Debug)]
pub struct Outcome {
    /// What became of every source.
    pub report: Report,
    /// Nothing had changed, and nothing was written.
    pub nothing_to_do: bool,
    /// The run was cancelled; what was finished is kept.
    pub cancelled: bool,
}

impl Outcome {
    /// Whether anything failed.
    pub fn failed(&self) -> bool {
        self.report.count(Status::Failed) > 0
    }
}

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// No plan could be made.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// The output folder cannot be written.
    #[error("cannot write to output folder {path}: {error}")]
    Output {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The worker threads cannot be started.
    #[error("cannot start worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Threads for each core, at most: more of them cost memory and gain nothing.
const MOST_JOBS_A_CORE: usize = 16;

/// The number of threads for that which was asked for; 0 is one a core.
pub fn jobs(asked: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let most = cores.saturating_mul(MOST_JOBS_A_CORE).max(MOST_JOBS_A_CORE);
    if asked > most {
        warn!("{asked} jobs are more than {cores} cores can use; working with {most}");
    }
    asked.min(most)
}

/// A pool of the configured number of threads.
///
/// # Errors
/// The threads cannot be started.
pub fn thread_pool(config: &Config) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs(config.run.jobs))
        .thread_name(|index| format!("worker-{index}"))
        .build()
}

/// The files of the inputs, without those of the output folder.
///
/// # Errors
/// An input does not exist.
pub fn list(request: &Request) -> Result<Tree, PlanningError> {
    let (inputs, out) = (&request.inputs, Some(&*request.out));
    Ok(match request.config.discs.enabled {
        true => Tree::list(inputs, out)?,
        false => Tree::list_without_discs(inputs, out)?,
    })
}

/// Makes the plan for the files of `tree` with progress shown. Planning and converting pass all bytes
/// once each.
///
/// # Errors
/// As [`plan`].
pub fn discover(request: &Request, tree: Tree, progress: &Progress) -> Result<Plan, PlanningError> {
    let bytes: u64 = tree.files.iter().map(|file| file.size).sum();
    let stage = progress.stage("plan", tree.files.len() as u64, bytes);
    let Request {
        inputs,
        only,
        config,
        ..
    } = request;
    let made = plan(inputs, tree, only, config, &|bytes| stage.add(1, bytes));
    stage.finish();
    made
}

/// Converts the inputs. Files that fail are reported and do not stop the rest; `cancel` stops the run
/// after the parts at work.
///
/// # Errors
/// Nothing to convert, or the output folder cannot be written.
pub fn convert(
    request: &Request,
    progress: &Progress,
    cancel: &AtomicBool,
) -> Result<Outcome, RunError> {
    let pool = thread_pool(&request.config)?;
    pool.install(|| {
        let stages = &request.config.stages;
        let writes = stages.convert && stages.emit;
        let mut previous = match writes && !request.force {
            true => Previous::load(&request.out),
            false => Previous::default(),
        };
        let started = Instant::now();
        let tree = list(request)?;
        if still_stands(request, &previous, &tree)
            && let Some(mut report) = previous.take_report()
        {
            progress.finish();
            settle(&mut report);
            return Ok(Outcome {
                report,
                nothing_to_do: true,
                cancelled: false,
            });
        }
        previous.index();
        let plan = discover(request, tree, progress)?;
        let planned = started.elapsed().as_secs_f64();
        log_games(&plan);
        execute(request, &plan, &previous, planned, progress, cancel)
    })
}

fn log_games(plan: &Plan) {
    for (game, evidence) in plan.detection.games() {
        match evidence {
            Some(evidence) => info!(
                event = "game",
                game = game.title(),
                evidence = evidence.reason,
                source = evidence.path,
                "{game}: {} in {} ({} evidence)",
                evidence.reason,
                evidence.path,
                format!("{:?}", evidence.strength).to_lowercase()
            ),
            None => info!("{game}: as told by the user"),
        }
    }
    for fault in &plan.faults {
        error!("cannot list {}: {}", fault.location.display(), fault.error);
    }
}

fn execute(
    request: &Request,
    plan: &Plan,
    previous: &Previous,
    planned: f64,
    progress: &Progress,
    cancel: &AtomicBool,
) -> Result<Outcome, RunError> {
    let config = &request.config;
    let out = &*request.out;
    let writes = config.stages.convert && config.stages.emit;
    let output_error = |error| RunError::Output {
        path: out.to_owned(),
        error,
    };
    let work = if writes {
        fs::create_dir_all(out).map_err(output_error)?;
        Some(WorkFolder::create(out).map_err(output_error)?)
    } else {
        None
    };
    let destination = work
        .as_ref()
        .map(|work| Destination::new(out, work, config.run.sync))
        .transpose()
        .map_err(output_error)?;
    let shared = Shared {
        config,
        plan,
        hashes: Hashes::new(plan),
        previous,
        destination: destination.as_ref(),
        out,
        clock: StageClock::default(),
        videos: Videos::new(&config.video, cancel, progress),
        cancel,
        force: request.force,
    };
    let items = plan
        .files
        .iter()
        .map(|file| file.parts().len().max(1) as u64);
    let amount = plan.files.iter().flat_map(PlannedFile::parts);
    let amount = amount.map(work::estimate).fold(0, u64::saturating_add);
    let stage = progress.stage("convert", items.sum(), amount);

    let mut order: Vec<usize> = (0..plan.files.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(plan.files[index].source.size));
    let is_video = |&index: &usize| matches!(plan.files[index].kind, Kind::Avi | Kind::Mpeg);
    let (videos, others) = order.into_iter().partition(is_video);
    let mut results: Vec<(usize, FileResult)> = lanes::work(videos, others, |index| {
        (index, run_file(&plan.files[index], &shared, &stage))
    });
    results.sort_by_key(|(index, _)| *index);
    stage.finish();
    progress.finish();

    let cancelled = cancel.load(Ordering::Relaxed);
    let results: Vec<FileResult> = results.into_iter().map(|(_, result)| result).collect();
    let (mut report, manifest) = conclude(request, plan, results, &shared, planned, cancelled);
    if let Some(work) = work {
        report.removed = remove_stale(previous, &manifest, out);
        let sync = config.run.sync;
        write_documents(out, &manifest, &report, sync).map_err(output_error)?;
        work.remove().map_err(output_error)?;
    }
    Ok(Outcome {
        report,
        nothing_to_do: false,
        cancelled,
    })
}

/// Deletes outputs of the run before that nothing makes any more.
fn remove_stale(previous: &Previous, manifest: &Manifest, out: &Path) -> Vec<String> {
    let current: HashSet<String> = manifest
        .outputs
        .iter()
        .map(|output| output.path.to_lowercase())
        .collect();
    let mut stale: Vec<String> = previous
        .outputs
        .keys()
        .filter(|path| !current.contains(&path.to_lowercase()) && is_inside(path))
        .cloned()
        .collect();
    stale.sort();
    stale.retain(|path| match fs::remove_file(out.join(path)) {
        Ok(()) => {
            drop_empty_folders(out, path);
            true
        }
        Err(fault) => {
            if fault.kind() != io::ErrorKind::NotFound {
                warn!("cannot delete {path}: {fault}");
            }
            false
        }
    });
    stale
}

/// Whether a path from a manifest stays below the output folder. Manifests are files that anyone may
/// have edited.
fn is_inside(path: &str) -> bool {
    Path::new(path)
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn drop_empty_folders(out: &Path, path: &str) {
    let mut folder = Path::new(path).parent();
    while let Some(inner) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
        if fs::remove_dir(out.join(inner)).is_err() {
            return;
        }
        folder = inner.parent();
    }
}

fn write_documents(
    out: &Path,
    manifest: &Manifest,
    report: &Report,
    sync: SyncPolicy,
) -> io::Result<()> {
    write_document(out, report::FILE_NAME, &json::rows(report, 4)?, sync)?;
    write_document(out, manifest::FILE_NAME, &json::rows(manifest, 2)?, sync)
}
