//! `relicast convert`: the whole pipeline.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tracing::level_filters::LevelFilter;
use tracing::{debug, info};

use super::gallery;
use super::layout::{self, Layout};
use super::output_folder;
use super::project;
use super::summary;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::log::{self, LogFormat};
use super::terminal::progress::{Mode, ProgressDisplay};
use super::verify;
use crate::config::{Config, Engine, GameChoice, ServerTables};
use crate::gallery::Options;
use crate::pipeline::plan::planned::{FilePlan, Plan};
use crate::pipeline::report::findings;
use crate::pipeline::request::Request;
use crate::pipeline::run::{Outcome, convert, prepare};
use crate::pipeline::shard::{By, Shard};
use relicast_convert::Disposition;
use relicast_formats::asset::Game;
use relicast_formats::everquest::pfs;
use relicast_limits::spending;

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images or files to convert.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Output folder; created if it does not exist. Default: NAME-converted in the current folder, after the
    /// name of the input.
    #[arg(short, long, visible_alias = "output", value_name = "DIR")]
    out: Option<PathBuf>,
    /// Configuration file (see `relicast config`).
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Use the defaults for this target; settings from --config take precedence.
    #[arg(long, value_name = "NAME")]
    target: Option<Engine>,
    /// Place the doors, objects and creatures of an EverQuest server's table (CSV) in the zone scenes; may be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    placements: Vec<PathBuf>,
    /// Treat the input as this game instead of detecting it.
    #[arg(long)]
    game: Option<Game>,
    /// Convert only files or archive members (ARCHIVE/MEMBER) that match; may be repeated.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// With --only: leave out the textures, motions and sounds that the selected worlds, models and animations
    /// need.
    #[arg(long)]
    no_needs: bool,
    /// Worker threads; 0 for one per core, at most 16 per core.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Share outputs with other runs in this folder: each content is stored once and nothing is converted
    /// twice. Outputs are read-only links into it where the file system supports them.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Treat deviations from a format as failures.
    #[arg(long)]
    strict: bool,
    /// Show the plan and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Convert everything again, even if up to date, and overwrite outputs that were edited.
    #[arg(long)]
    force: bool,
    /// Keep outputs of earlier runs that the input no longer produces; by default they are deleted.
    #[arg(long)]
    keep: bool,
    /// Layout of the outputs below DIR.
    #[arg(long, value_enum, default_value_t)]
    layout: Layout,
    /// Convert only shard I of N, into an output folder of its own; `relicast merge` joins the folders. The
    /// same input and settings give the same shards on every machine.
    #[arg(long, value_name = "I/N", conflicts_with = "dry_run")]
    shard: Option<Shard>,
    /// Balance the shards by work (an estimate) or size (bytes of the sources). Must be the same for all
    /// shards.
    #[arg(long, value_name = "WHAT", requires = "shard", default_value = "work")]
    by: By,
    /// Write the time and bytes of each stage and asset kind to this file, as JSON, for benchmarks.
    #[arg(long, value_name = "FILE", hide = true)]
    spending: Option<PathBuf>,
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print each file and what is done with it.
    #[arg(short, long)]
    verbose: bool,
    /// Format of log lines on standard error.
    #[arg(long, value_enum, default_value_t)]
    log_format: LogFormat,
}

/// Runs `convert`.
pub fn run(arguments: Arguments) -> Exit {
    let progress = ProgressDisplay::new(match (arguments.quiet, arguments.log_format) {
        (true, _) => Mode::Silent,
        (false, LogFormat::Json) => Mode::Events,
        (false, LogFormat::Text) => Mode::Normal,
    });
    let level = match (arguments.quiet, arguments.verbose) {
        (true, _) => LevelFilter::ERROR,
        (_, true) => LevelFilter::DEBUG,
        _ => LevelFilter::INFO,
    };
    log::start(level, arguments.log_format, &progress);
    let load = |path: &Path| Config::load_for(path, arguments.target);
    let mut config = match arguments.config.as_deref().map(load) {
        None => Config::of_target(arguments.target),
        Some(Ok(config)) => config,
        Some(Err(error)) => return usage(error),
    };
    config.run.strict |= arguments.strict;
    config.run.jobs = arguments.jobs.unwrap_or(config.run.jobs);
    if let Some(store) = &arguments.store {
        config.run.store.clone_from(store);
    }
    if !arguments.placements.is_empty() {
        config.everquest.placements = ServerTables(arguments.placements.clone());
        if let Err(fault) = config.everquest.placements.read() {
            return usage(format_args!("--placements {fault}"));
        }
    }
    if let Some(game) = arguments.game {
        config.run.game = GameChoice::from(game);
    }
    config
        .limits
        .scope(|| convert_with(arguments, config.clone(), &progress))
}

/// Runs `convert` with a configuration whose limits are active.
fn convert_with(arguments: Arguments, config: Config, progress: &ProgressDisplay) -> Exit {
    let out = match arguments.out {
        Some(out) => out,
        None => match output_folder::default_for(&arguments.inputs) {
            Ok(out) => out,
            Err(problem) => return usage(problem),
        },
    };
    if let Some(problem) = output_folder::refusal_of_new(&out, &arguments.inputs) {
        return usage(problem);
    }
    let by = arguments.by;
    let shard = arguments.shard.map(|shard| Shard { by, ..shard });
    let request = Request {
        inputs: arguments.inputs,
        out,
        only: arguments.only,
        no_needs: arguments.no_needs,
        keep: arguments.keep,
        config,
        force: arguments.force,
        shard,
    };
    let shown = Shown {
        quiet: arguments.quiet,
        verbose: arguments.verbose,
        json: arguments.log_format == LogFormat::Json,
    };
    let requests = match arguments.layout {
        Layout::Category => vec![request],
        Layout::Source => match layout::apart(&request) {
            Ok(requests) => requests,
            Err(error) => return usage(error),
        },
    };
    if arguments.spending.is_some() {
        spending::start();
    }
    let cancel = match arguments.dry_run {
        true => Arc::default(),
        false => cancel_on_signals(),
    };
    let mut exits = Vec::new();
    for request in requests {
        if arguments.layout == Layout::Source && !arguments.quiet {
            let inputs = request.inputs.iter();
            inputs.for_each(|input| {
                print_line(&format!("{} -> {}", input.display(), request.out.display()));
            });
        }
        let exit = match arguments.dry_run {
            true => dry_run(request, progress, arguments.quiet),
            false => run_one(&request, progress, &cancel, shown),
        };
        exits.push(exit);
        if exit == Exit::Interrupted {
            break;
        }
    }
    if let Some(path) = &arguments.spending
        && let Err(error) = write_spending(path)
    {
        return usage(format_args!("cannot write {}: {error}", path.display()));
    }
    layout::exit_of(&exits)
}

/// Writes the statistics of all runs.
fn write_spending(path: &Path) -> std::io::Result<()> {
    let reported = serde_json::json!({
        "seconds": spending::process_seconds(),
        "inflated": pfs::inflated(),
        "places": spending::spent(),
    });
    std::fs::write(path, serde_json::to_vec_pretty(&reported)?)
}

/// Output options of a run.
#[derive(Debug, Clone, Copy)]
struct Shown {
    quiet: bool,
    verbose: bool,
    /// True when log lines are JSON.
    json: bool,
}

/// Time within which several signals count as one: a process that is about to become ffmpeg has the handler for
/// a moment and passes Ctrl-C on a second time, and a terminal that is closed may send more than one.
const ONE_PRESS: Duration = Duration::from_millis(150);

/// A flag that Ctrl-C sets; the second one ends the process.
fn cancel_on_signals() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let mut first: Option<Instant> = None;
    let handler = ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        match first {
            Some(first) if first.elapsed() < ONE_PRESS => return,
            Some(_) => std::process::exit(i32::from(Exit::Interrupted.code())),
            None => first = Some(Instant::now()),
        }
        // A blocked terminal must not delay the second Ctrl-C.
        thread::spawn(|| {
            let text = "finishing the current items; press Ctrl-C again to stop immediately";
            log::remark("stopping", text);
        });
    });
    if let Err(error) = handler {
        info!("Ctrl-C will stop immediately: {error}");
    }
    cancel
}

/// Performs one run and prints its summary.
fn run_one(
    request: &Request,
    progress: &ProgressDisplay,
    cancel: &AtomicBool,
    shown: Shown,
) -> Exit {
    let outcome = convert(request, progress, cancel);
    progress.finish();
    let bytes = pfs::inflated();
    debug!(
        event = "inflated",
        bytes, "{bytes} bytes of archive members were decompressed"
    );
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return usage(error),
    };
    if !shown.quiet {
        summary::print(request, &outcome);
        // People read the summary, and with -v the log after it.
        if !outcome.nothing_to_do && (shown.json || shown.verbose) {
            findings::log(&outcome.report.findings, usize::MAX);
        }
    }
    let exit = finish(request, &outcome, shown);
    if !shown.quiet {
        summary::print_end(request, &outcome);
    }
    exit
}

fn finish(request: &Request, outcome: &Outcome, shown: Shown) -> Exit {
    let quiet = shown.quiet;
    if outcome.cancelled {
        let text =
            "interrupted: finished items are preserved; run the same command again to continue";
        log::remark("interrupted", text);
        return Exit::Interrupted;
    }
    let run = &request.config.run;
    let stages = &request.config.stages;
    // Golden hashes cover whole runs only.
    let is_whole = request.shard.is_none();
    let compares = is_whole && stages.verify && stages.convert && stages.emit;
    let golden = if compares && !run.golden.as_os_str().is_empty() {
        verify::compare(&request.out, &run.golden, quiet)
    } else {
        Exit::Success
    };
    let writes = is_whole && stages.convert && stages.emit;
    let gallery = match request.config.gallery.enabled {
        true if writes => {
            let options = Options {
                to: None,
                embed: request.config.gallery.embed,
                by_run: true,
            };
            gallery::write(&request.out, &options, quiet)
        }
        false if writes => gallery::remove(&request.out, quiet),
        _ => Exit::Success,
    };
    let project = if is_whole && stages.convert && stages.emit {
        project::write(&request.out, &request.config, shown.quiet, shown.verbose)
    } else {
        Exit::Success
    };
    match (outcome.failed(), golden, gallery, project) {
        (_, Exit::Usage, ..) | (_, _, Exit::Usage, _) | (.., Exit::Usage) => Exit::Usage,
        (false, Exit::Success, Exit::Success, Exit::Success) => Exit::Success,
        _ => Exit::Failures,
    }
}

fn dry_run(mut request: Request, progress: &ProgressDisplay, quiet: bool) -> Exit {
    // Shows the whole plan, not only the work that remains.
    request.force = true;
    let prepared = prepare(&request, progress);
    progress.finish();
    match prepared.map(|prepared| prepared.plan) {
        Ok(None) => Exit::Success,
        Ok(Some(plan)) => {
            if !quiet {
                print_plan(&plan);
            }
            let failed = |file: &&crate::pipeline::plan::planned::PlannedFile| match &file.plan {
                FilePlan::Fail(_) => true,
                FilePlan::Skip(_) => false,
                FilePlan::Items { items, .. } => items
                    .iter()
                    .any(|planned| matches!(planned.item.verdict, Disposition::Fail(_))),
            };
            for file in plan.files.iter().filter(failed) {
                if let FilePlan::Fail(error) = &file.plan {
                    log::remark("failed", &format!("error: {}: {error}", file.source.path));
                }
            }
            if plan.files.iter().any(|file| failed(&file)) {
                Exit::Failures
            } else {
                Exit::Success
            }
        }
        Err(error) => usage(error),
    }
}

fn print_plan(plan: &Plan) {
    for (game, evidence) in plan.detection.games() {
        let reason = evidence.map_or_else(
            || "set by the user".to_owned(),
            |evidence| format!("{} in {}", evidence.reason, evidence.path),
        );
        print_line(&format!("{game}: {reason}"));
    }
    for file in &plan.files {
        let path = &file.source.path;
        let kind = file.kind.label();
        match &file.plan {
            FilePlan::Skip(reason) => print_line(&format!("{path} ({kind}): skip, {reason}")),
            FilePlan::Fail(error) => print_line(&format!("{path} ({kind}): fail, {error}")),
            FilePlan::Items { items, .. } => {
                print_line(&format!("{path} ({kind})"));
                for &needed in &file.dependencies {
                    print_line(&format!("  needs {}", plan.files[needed].source.path));
                }
                for planned in items {
                    let member = planned.item.member.as_deref().unwrap_or("(whole file)");
                    let fate = match &planned.item.verdict {
                        Disposition::Skip(reason) => format!("skip, {reason}"),
                        Disposition::Fail(error) => format!("fail, {error}"),
                        Disposition::Convert => {
                            let outputs = planned.outputs.iter();
                            let paths: Vec<&str> = outputs.map(|output| &*output.path).collect();
                            paths.join(", ")
                        }
                    };
                    print_line(&format!("  {member} -> {fate}"));
                }
            }
        }
    }
}
