//! `relicast convert`: the whole pipeline.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::level_filters::LevelFilter;
use tracing::{debug, info};

use super::exit::Exit;
use super::gallery;
use super::layout::{self, Layout};
use super::lines::{print_line, usage};
use super::log::{self, LogFormat};
use super::progress::{Mode, ProgressDisplay};
use super::project;
use super::verify;
use crate::asset::Game;
use crate::config::{Config, Engine, GameChoice};
use crate::convert::{Disposition, SkipReason};
use crate::formats::everquest::pfs;
use crate::gallery::Options;
use crate::limits::spending;
use crate::pipeline::finding::FindingKind;
use crate::pipeline::findings;
use crate::pipeline::planned::{FilePlan, Plan};
use crate::pipeline::report::{Edited, Report, Status, StoreReport};
use crate::pipeline::request::Request;
use crate::pipeline::run::{Outcome, convert, prepare, thread_pool};
use crate::pipeline::shard::{By, Shard};

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images or files to convert.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Output folder; made when it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Configuration file (see `relicast config`).
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Use the defaults for this program; settings of a file beat them.
    #[arg(long, value_name = "NAME")]
    target: Option<Engine>,
    /// Take the input for this game's instead of looking inside.
    #[arg(long)]
    game: Option<Game>,
    /// Convert only files, or archive members (ARCHIVE/MEMBER), that match; may be repeated.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// With --only: leave out the textures, motions and sounds that the chosen worlds, models and
    /// animations need.
    #[arg(long)]
    no_needs: bool,
    /// Worker threads; 0 for one a core, 16 a core at most.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Share outputs with other runs in this folder: each content once, and nothing is converted twice. Outputs are
    /// links to it where the disk can, which are read-only.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Treat deviations from a format as failures.
    #[arg(long)]
    strict: bool,
    /// Show the plan and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Redo everything, whatever an earlier run left, and overwrite outputs that were edited.
    #[arg(long)]
    force: bool,
    /// Leave outputs of earlier runs that the input no longer makes; without this they are deleted.
    #[arg(long)]
    keep: bool,
    /// Where the outputs of the inputs lie below DIR.
    #[arg(long, value_enum, default_value_t)]
    layout: Layout,
    /// Do only shard I of N, into an output folder of its own; `relicast merge` joins the folders. The same input
    /// and settings make the same shards everywhere.
    #[arg(long, value_name = "I/N", conflicts_with = "dry_run")]
    shard: Option<Shard>,
    /// What the shards share evenly: work (an estimate) or size (bytes of the sources). The same for all shards.
    #[arg(long, value_name = "WHAT", requires = "shard", default_value = "work")]
    by: By,
    /// Write what each stage spends for each kind of asset to this file, as JSON: for the benchmark.
    #[arg(long, value_name = "FILE", hide = true)]
    spending: Option<PathBuf>,
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print what is done with every file.
    #[arg(short, long)]
    verbose: bool,
    /// Spelling of log lines on standard error.
    #[arg(long, value_enum, default_value_t)]
    log_format: LogFormat,
}

/// Maximum number of findings that are printed; the report has all.
const FINDINGS: usize = 12;

/// Failures that the end of a run names one by one; the report has them all.
const FAILURES: usize = 10;

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
    if let Some(store) = arguments.store {
        config.run.store = store;
    }
    if let Some(game) = arguments.game {
        config.run.game = GameChoice::from(game);
    }
    crate::limits::set(config.limits);
    let by = arguments.by;
    let shard = arguments.shard.map(|shard| Shard { by, ..shard });
    let request = Request {
        inputs: arguments.inputs,
        out: arguments.out,
        only: arguments.only,
        no_needs: arguments.no_needs,
        keep: arguments.keep,
        config,
        force: arguments.force,
        shard,
    };
    let shown = Shown {
        quiet: arguments.quiet,
        findings: match arguments.log_format {
            _ if arguments.verbose => usize::MAX,
            LogFormat::Json => usize::MAX,
            LogFormat::Text => FINDINGS,
        },
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
            true => dry_run(request, &progress, arguments.quiet),
            false => run_one(&request, &progress, &cancel, shown),
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

/// Writes what all runs spent.
fn write_spending(path: &Path) -> std::io::Result<()> {
    let told = serde_json::json!({
        "seconds": spending::process_seconds(),
        "inflated": pfs::inflated(),
        "places": spending::spent(),
    });
    std::fs::write(path, serde_json::to_vec_pretty(&told)?)
}

/// What is printed of a run.
#[derive(Debug, Clone, Copy)]
struct Shown {
    quiet: bool,
    /// Findings at most.
    findings: usize,
}

/// A flag that Ctrl-C sets; the second one ends the process.
fn cancel_on_signals() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let handler = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
        let text = "stopping after the parts at work; press again to stop at once";
        log::remark("stopping", text);
    });
    if let Err(error) = handler {
        info!("Ctrl-C will stop at once: {error}");
    }
    cancel
}

/// One run, and what is told at its end.
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
        bytes, "{bytes} bytes of members of archives were inflated"
    );
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return usage(error),
    };
    if !shown.quiet {
        if !outcome.nothing_to_do {
            findings::log(&outcome.report.findings, shown.findings);
        }
        print_summary(request, &outcome);
    }
    finish(request, &outcome, shown)
}

fn finish(request: &Request, outcome: &Outcome, shown: Shown) -> Exit {
    let quiet = shown.quiet;
    if outcome.cancelled {
        let text = "interrupted: what was finished is kept; run the same command again to go on";
        log::remark("interrupted", text);
        return Exit::Interrupted;
    }
    let run = &request.config.run;
    let stages = &request.config.stages;
    // Golden hashes are those of whole runs.
    let is_whole = request.shard.is_none();
    let compares = is_whole && stages.verify && stages.convert && stages.emit;
    let golden = if compares && !run.golden.as_os_str().is_empty() {
        verify::compare(&request.out, &run.golden, quiet)
    } else {
        Exit::Success
    };
    let gallery = if request.config.gallery.enabled && is_whole && stages.convert && stages.emit {
        let options = Options {
            to: None,
            embed: request.config.gallery.embed,
        };
        gallery::write(&request.out, &options, quiet)
    } else {
        Exit::Success
    };
    let project = if is_whole && stages.convert && stages.emit {
        project::write(
            &request.out,
            &request.config,
            shown.quiet,
            shown.findings == usize::MAX,
        )
    } else {
        Exit::Success
    };
    match (outcome.failed(), golden, gallery, project) {
        (_, Exit::Usage, ..) | (_, _, Exit::Usage, _) | (.., Exit::Usage) => Exit::Usage,
        (false, Exit::Success, Exit::Success, Exit::Success) => Exit::Success,
        _ => Exit::Failures,
    }
}

fn print_summary(request: &Request, outcome: &Outcome) {
    let report = &outcome.report;
    if let Some(shard) = request.shard {
        print_line(&format!("shard {shard}:"));
    }
    if outcome.nothing_to_do {
        print_line(&format!(
            "nothing to do: {} outputs in {} are up to date",
            report.totals.outputs,
            request.out.display()
        ));
        return;
    }
    print_line(&counts(report));
    for edition in &report.editions {
        print_line(&format!("  {}", edition.line()));
    }
    if report.unknown_variant.is_some() {
        print_line(
            "  a variant of the game that is not known: report.json and `relicast identify` have a text to send",
        );
    }
    let mut skipped: Vec<(&String, &u64)> = report.totals.skipped.iter().collect();
    skipped.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (reason, count) in skipped
        .into_iter()
        .filter(|&(reason, _)| SkipReason::from(&**reason) != SkipReason::Cancelled)
    {
        print_line(&format!("  {count} skipped: {reason}"));
    }
    if report.totals.deviations > 0 {
        print_line(&format!(
            "  {} deviations from the formats were kept; report.json tells where",
            report.totals.deviations
        ));
    }
    print_failures(report);
    print_left(report);
    if let Some(store) = &report.store {
        print_store(store);
    }
    let stages = &request.config.stages;
    if stages.convert && stages.emit {
        print_line(&format!(
            "{} outputs, {} in {} (see report.json)",
            report.totals.outputs,
            size(report.totals.output_bytes),
            request.out.display()
        ));
    }
}

/// What the store was good for.
pub(super) fn print_store(store: &StoreReport) {
    print_line(&format!(
        "  store: {} items taken as they were converted before; {} outputs linked, {} cloned, {} copied from it, \
         {} saved; {} contents added, {}",
        store.items,
        store.linked,
        store.cloned,
        store.copied,
        size(store.bytes_saved),
        store.added,
        size(store.added_bytes)
    ));
    if store.damaged > 0 {
        print_line(&format!(
            "  store: {} contents had been changed by somebody; put aside and made again",
            store.damaged
        ));
    }
    if store.faults > 0 {
        print_line(&format!(
            "  store: {} outputs or items could not be shared; they are as they would be without",
            store.faults
        ));
    }
}

/// What became of files in the output folder that this run did not write.
fn print_left(report: &Report) {
    if !report.removed.is_empty() {
        print_line(&format!(
            "  {} outputs of an earlier run are no longer made from this input; deleted (--keep leaves them)",
            report.removed.len()
        ));
    }
    if !report.kept.is_empty() {
        print_line(&format!(
            "  {} outputs of an earlier run were not made again; left as they are",
            report.kept.len()
        ));
    }
    let moved = |edited: &&Edited| edited.moved_to.is_some();
    let (moved, left): (Vec<&Edited>, Vec<&Edited>) = report.edited.iter().partition(moved);
    if let Some(first) = moved.first() {
        print_line(&format!(
            "  {} files were not as a run wrote them; moved aside, such as {} (--force overwrites)",
            moved.len(),
            first.moved_to.as_deref().unwrap_or_default()
        ));
    }
    if let Some(first) = left.first() {
        print_line(&format!(
            "  {} outputs that are no longer made were edited, such as {}; left where they are",
            left.len(),
            first.path
        ));
    }
}

/// Names what failed: each one, or of many the kinds with an example.
pub(super) fn print_failures(report: &Report) {
    let failed = report.count(Status::Failed);
    if failed == 0 {
        return;
    }
    print_line(&format!("  {failed} failed:"));
    let parts = report.sources.iter().flat_map(|source| {
        let own = source
            .reason
            .as_deref()
            .map(|reason| (source.status, None, reason));
        let parts = source.parts.iter();
        let parts = parts.filter_map(|part| {
            Some((part.status, part.member.as_deref(), part.reason.as_deref()?))
        });
        own.into_iter()
            .chain(parts)
            .map(|(status, member, reason)| (status, &*source.path, member, reason))
    });
    let failures: Vec<String> = parts
        .filter(|&(status, ..)| status == Status::Failed)
        .map(|(_, path, member, reason)| match member {
            Some(member) => format!("{path}: {member}: {reason}"),
            None => format!("{path}: {reason}"),
        })
        .collect();
    if failures.len() <= FAILURES {
        failures
            .iter()
            .for_each(|line| print_line(&format!("    {line}")));
        return;
    }
    let kinds = report.findings.iter();
    let kinds = kinds.filter(|finding| finding.kind == FindingKind::Failure);
    for finding in kinds.clone().take(FAILURES) {
        print_line(&format!("    {finding}"));
    }
    let more = kinds.count().saturating_sub(FAILURES);
    if more > 0 {
        print_line(&format!(
            "    {more} more kinds of failures are in report.json"
        ));
    }
}

pub(super) fn counts(report: &Report) -> String {
    let all = [
        Status::Converted,
        Status::Copied,
        Status::Unchanged,
        Status::Skipped,
        Status::Failed,
    ];
    // What was not come to is neither done nor left out on purpose.
    let cancelled = report.totals.skipped_for(&SkipReason::Cancelled);
    let counts: Vec<String> = all
        .into_iter()
        .map(|status| match status {
            Status::Skipped => (
                report.count(status).saturating_sub(cancelled),
                status.label(),
            ),
            _ => (report.count(status), status.label()),
        })
        .chain([(cancelled, "not come to")])
        .filter(|&(count, _)| count > 0)
        .map(|(count, label)| format!("{count} {label}"))
        .collect();
    format!(
        "{} files, {}: {}",
        report.totals.files,
        size(report.totals.bytes),
        counts.join(", ")
    )
}

pub(super) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

fn dry_run(mut request: Request, progress: &ProgressDisplay, quiet: bool) -> Exit {
    // The whole plan, not what is left to do of it.
    request.force = true;
    let pool = match thread_pool(&request.config) {
        Ok(pool) => pool,
        Err(error) => return usage(error),
    };
    let prepared = pool.install(|| prepare(&request, progress));
    progress.finish();
    match prepared.map(|prepared| prepared.plan) {
        Ok(None) => Exit::Success,
        Ok(Some(plan)) => {
            if !quiet {
                print_plan(&plan);
            }
            let failed = |file: &&crate::pipeline::planned::PlannedFile| match &file.plan {
                FilePlan::Fail(_) => true,
                FilePlan::Skip(_) => false,
                FilePlan::Parts { parts, .. } => parts
                    .iter()
                    .any(|planned| matches!(planned.part.verdict, Disposition::Fail(_))),
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
            || "as told by the user".to_owned(),
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
            FilePlan::Parts { parts, .. } => {
                print_line(&format!("{path} ({kind})"));
                for &needed in &file.dependencies {
                    print_line(&format!("  needs {}", plan.files[needed].source.path));
                }
                for planned in parts {
                    let member = planned.part.member.as_deref().unwrap_or("(whole file)");
                    let fate = match &planned.part.verdict {
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
