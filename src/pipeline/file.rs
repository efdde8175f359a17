//! One file of the plan carried out: read, decoded, converted and emitted, part by part.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use tracing::{debug, error, warn};

use super::documents::is_whole;
use super::inputs::Roots;
use super::manifest::{CONVERTER, ManifestOutput, ManifestSource};
use super::open_dependencies::{self, Hashes};
use super::output::{Destination, PartSink, StageClock, VideoContext};
use super::plan::{FilePlan, NOT_SELECTED, Plan, PlanError, PlannedFile, PlannedItem};
use super::progress::{PartProgress, Stage};
use super::provenance;
use super::report::{CANCELLED, Faults, PartReport, SourceReport, Status};
use super::source_io;
use super::state::{Finished, Previous};
use super::unchanged::part_key;
use super::video::Videos;
use super::work;
use crate::asset::AssetKind;
use crate::config::Config;
use crate::convert::{self, ConvertError, Disposition, Needs};
use crate::emit::video::tool::Tool;
use crate::formats::codec::{Deviations, FormatError};
use crate::limits;
use crate::source::bytes::FileBytes;
use crate::source::tree::Location;

/// All that the threads share.
pub(super) struct Shared<'a> {
    pub(super) config: &'a Config,
    pub(super) plan: &'a Plan,
    pub(super) roots: &'a Roots,
    pub(super) hashes: Hashes<'a>,
    pub(super) previous: &'a Previous,
    pub(super) destination: Option<&'a Destination<'a>>,
    pub(super) out: &'a Path,
    pub(super) clock: StageClock,
    pub(super) videos: Videos<'a>,
    pub(super) cancel: &'a AtomicBool,
    pub(super) force: bool,
}

/// What became of a file.
pub(super) struct FileResult {
    pub(super) report: SourceReport,
    /// Its bytes could not be had, so that nothing is known of what it holds.
    pub(super) unread: bool,
    pub(super) source: Option<ManifestSource>,
    pub(super) outputs: Vec<ManifestOutput>,
    pub(super) times: Vec<(AssetKind, u64, u64, f64)>,
}

/// Deals with one file: what the plan says of each part, in parallel.
pub(super) fn run_file(file: &PlannedFile, shared: &Shared<'_>, stage: &Stage) -> FileResult {
    let source = &file.source;
    let mut result = FileResult {
        unread: false,
        report: SourceReport {
            input: shared.roots.of(&source.path),
            path: source.path.clone(),
            size: source.size,
            modified: source.modified,
            blake3: None,
            kind: file.kind.label().to_owned(),
            game: file.game,
            status: Status::Skipped,
            reason: None,
            deviations: Faults::default(),
            parts: Vec::new(),
        },
        source: None,
        outputs: Vec::new(),
        times: Vec::new(),
    };
    for deviation in file.medium.described() {
        debug!("{}: {deviation}", source.path);
    }
    result.report.deviations = (&file.medium).into();
    match &file.plan {
        FilePlan::Skip(reason) => {
            debug!("{}: skipped, {reason}", source.path);
            if reason != NOT_SELECTED || shared.hashes.knows(file) {
                note_hash(file, None, shared, &mut result);
            }
            result.report.reason = Some(reason.clone());
            stage.add(1, 0);
        }
        FilePlan::Fail(fault) => {
            result.unread = matches!(fault, PlanError::Read(_));
            log_failure(&source.path, None, fault);
            stage.add(1, 0);
            result.report.status = Status::Failed;
            result.report.reason = Some(fault.to_string());
            note_hash(file, None, shared, &mut result);
        }
        FilePlan::Parts { parts, deviations } => {
            for deviation in deviations.described() {
                debug!("{}: {deviation}", source.path);
            }
            let mut all = file.medium.clone();
            all.absorb_from(deviations.clone(), |_| (None, 0));
            result.report.deviations = (&all).into();
            run_parts(file, parts, shared, stage, &mut result);
            let worst = result.report.parts.iter().map(|part| part.status).max();
            let done = |part: &&PartReport| part.status < Status::Skipped;
            result.report.status = match worst {
                Some(Status::Skipped) => result
                    .report
                    .parts
                    .iter()
                    .filter(done)
                    .map(|part| part.status)
                    .min()
                    .unwrap_or(Status::Skipped),
                worst => worst.unwrap_or(Status::Skipped),
            };
            if shared.config.run.strict && !all.is_empty() {
                result.report.status = Status::Failed;
                result.report.reason = Some(strict_reason(all.total()));
            }
        }
    }
    result
}

fn strict_reason(total: u64) -> String {
    format!("{total} deviations from the format (strict)")
}

fn run_parts(
    file: &PlannedFile,
    parts: &[PlannedItem],
    shared: &Shared<'_>,
    stage: &Stage,
    result: &mut FileResult,
) {
    let source = &file.source;
    let wanted = parts
        .iter()
        .any(|planned| planned.part.verdict == Disposition::Convert);
    let start = Instant::now();
    let bytes = match wanted.then(|| FileBytes::open(&source.location)) {
        None => None,
        Some(Ok(bytes)) => Some(bytes),
        Some(Err(fault)) => {
            return give_up(file, &format!("cannot read: {fault}"), stage, result);
        }
    };
    let left = parts
        .iter()
        .all(|planned| planned.part.verdict == Disposition::Skip(NOT_SELECTED.to_owned()));
    if !left || shared.hashes.knows(file) {
        note_hash(file, bytes.as_ref(), shared, result);
    }
    StageClock::add(&shared.clock.read, start);
    // Where all of it was read, a fault is met before anything is made from it.
    let unread = bytes.as_ref().and_then(|bytes| {
        let fault = unreadable(bytes);
        fault.or_else(|| changed(file, bytes))
    });
    if let Some(reason) = unread {
        return give_up(file, &reason, stage, result);
    }
    let blake3 = result.report.blake3.clone().unwrap_or_default();
    let mut done: Vec<Option<Done>> = parts.iter().map(|_| None).collect();
    for needs in Needs::EACH {
        let chosen: Vec<(&PlannedItem, &mut Option<Done>)> = parts
            .iter()
            .zip(&mut done)
            .filter(|(planned, _)| convert::needs(file.kind, &planned.part) == needs)
            .collect();
        let group = Group {
            file,
            needs,
            bytes: bytes.as_ref(),
            blake3: &blake3,
            stage,
        };
        run_group(&group, chosen, shared);
    }
    let done = done.into_iter().flatten();
    let lost = bytes.as_ref().and_then(unreadable);
    if let Some(reason) = &lost {
        log_failure(&source.path, None, reason);
        result.unread = true;
    }
    for (planned, done) in parts.iter().zip(done) {
        let (report, outputs, bytes) = match &lost {
            Some(reason) => lose(planned, done, reason, shared),
            None => done,
        };
        if matches!(report.status, Status::Converted | Status::Copied) {
            let length = planned.part.range.end - planned.part.range.start;
            result
                .times
                .push((planned.part.asset, length, bytes, report.seconds));
        }
        result.outputs.extend(outputs);
        result.report.parts.push(report);
    }
}

/// Fails all parts of a file before anything is made from it.
fn give_up(file: &PlannedFile, reason: &str, stage: &Stage, result: &mut FileResult) {
    log_failure(&file.source.path, None, &reason);
    (result.source, result.report.blake3) = (None, None);
    result.unread = true;
    for planned in file.parts() {
        stage.spare(1, work::estimate(planned));
        let report = failed(planned, reason.to_owned());
        result.report.parts.push(report);
    }
}

/// What is told of bytes that cannot be read to their end.
fn unreadable(bytes: &FileBytes) -> Option<String> {
    let fault = bytes.check().err()?;
    Some(format!("cannot read: {fault}"))
}

/// What is told of a file that has another size than when it was listed. What was planned means nothing
/// for it.
fn changed(file: &PlannedFile, bytes: &FileBytes) -> Option<String> {
    let (now, before) = (bytes.len() as u64, file.source.size);
    let is_file = matches!(file.source.location, Location::File(_));
    (is_file && now != before)
        .then(|| format!("the file changed while it was read: it had {before} bytes and has {now}"))
}

/// Tells what became of a part. One that the run did not come to is not done.
fn tell(progress: &PartProgress, report: &PartReport) {
    match (report.status, report.reason.as_deref()) {
        (Status::Skipped, Some(CANCELLED)) => {}
        (Status::Unchanged | Status::Skipped, _) => progress.spare(),
        _ => progress.finish(),
    }
}

/// Logs that a file, or a part of it, failed.
fn log_failure(path: &str, planned: Option<&PlannedItem>, reason: &dyn Display) {
    let (event, member) = (
        "failed",
        planned.and_then(|planned| planned.part.member.as_deref()),
    );
    let text = reason.to_string();
    match planned {
        None => error!(event, source = path, reason = text, "{path}: {text}"),
        Some(planned) => {
            let part = member_of(planned);
            error!(
                event,
                source = path,
                member,
                reason = text,
                "{path}: {part}: {text}"
            );
        }
    }
}

/// What became of a part: its line of the report, its outputs, their bytes.
type Done = (PartReport, Vec<ManifestOutput>, u64);

/// Writes down the hash of a source.
fn note_hash(
    file: &PlannedFile,
    bytes: Option<&FileBytes>,
    shared: &Shared<'_>,
    result: &mut FileResult,
) {
    result.report.blake3 = shared.hashes.of_file(file, bytes);
    result.source = provenance::row(file, &shared.hashes);
}

/// The parts of a file that are made from the same dependencies.
struct Group<'a> {
    file: &'a PlannedFile,
    needs: Needs,
    /// The bytes of the file, when any of its parts is to be converted.
    bytes: Option<&'a FileBytes>,
    /// Their BLAKE3.
    blake3: &'a str,
    stage: &'a Stage,
}

/// Deals with the parts of a group, in parallel. The file is opened with the dependencies that these parts
/// need and no others, so that the keys, which hold just these, hold everything.
fn run_group(
    group: &Group<'_>,
    chosen: Vec<(&PlannedItem, &mut Option<Done>)>,
    shared: &Shared<'_>,
) {
    let &Group {
        file,
        needs,
        bytes,
        blake3,
        stage,
    } = group;
    let converts = |planned: &PlannedItem| planned.part.verdict == Disposition::Convert;
    let around = match chosen.iter().any(|(planned, _)| converts(planned)) {
        true => open_dependencies::digest(file, needs, &shared.hashes),
        false => String::new(),
    };
    let origins = match chosen.iter().any(|(planned, _)| converts(planned)) {
        true => provenance::origins(file, needs, &shared.hashes),
        false => Arc::default(),
    };
    let key_of = |planned: &PlannedItem| part_key(file, planned, blake3, &around, shared.config);
    let reused: Vec<Option<&Finished>> = chosen
        .par_iter()
        .map(|(planned, _)| {
            let key = (converts(planned) && !shared.force).then(|| key_of(planned))?;
            shared.previous.reusable(&key, &planned.outputs, shared.out)
        })
        .collect();
    let needed = chosen
        .iter()
        .zip(&reused)
        .any(|((planned, _), reused)| converts(planned) && reused.is_none());
    let held = match needed {
        true => open_dependencies::open(file, needs, shared.plan, shared.previous),
        false => Vec::new(),
    };
    let lent = open_dependencies::as_dependencies(&held);
    let opened = match bytes {
        Some(bytes) if needed => match source_io::open(file, bytes, &lent) {
            Ok(opened) => Some((bytes, opened)),
            Err(fault) => {
                log_failure(&file.source.path, None, &fault);
                None
            }
        },
        _ => None,
    };
    chosen
        .into_par_iter()
        .zip(reused)
        .for_each(|((planned, done), reused)| {
            let progress = stage.part(work::estimate(planned));
            let made = match &planned.part.verdict {
                Disposition::Skip(reason) if reason == NOT_SELECTED => {
                    keep_previous(file, planned, reason, shared)
                }
                Disposition::Skip(reason) => (skipped(planned, reason), Vec::new(), 0),
                Disposition::Fail(fault) => {
                    log_failure(&file.source.path, Some(planned), fault);
                    (failed(planned, fault.to_string()), Vec::new(), 0)
                }
                Disposition::Convert => match (reused, &opened) {
                    (Some(finished), _) => reuse(planned, finished, &origins, shared),
                    (None, Some((bytes, opened))) => {
                        let task = Task {
                            planned,
                            bytes,
                            opened: &**opened,
                            key: key_of(planned),
                            origins: &origins,
                            progress: &progress,
                        };
                        let done = run_part(file, &task, shared);
                        match open_dependencies::fault(&held) {
                            Some(reason) => lose(planned, done, &reason, shared),
                            None => done,
                        }
                    }
                    (None, None) => {
                        let reason = "the file changed while it was read".to_owned();
                        (failed(planned, reason), Vec::new(), 0)
                    }
                },
            };
            tell(&progress, &made.0);
            *done = Some(made);
        });
}

fn member_of(planned: &PlannedItem) -> &str {
    planned.part.member.as_deref().unwrap_or("whole file")
}

fn line(planned: &PlannedItem, status: Status, reason: Option<String>) -> PartReport {
    PartReport {
        member: planned.part.member.clone(),
        asset: planned.part.asset,
        status,
        reason,
        outputs: Vec::new(),
        deviations: Faults::default(),
        notes: Vec::new(),
        missing: Vec::new(),
        checks: None,
        seconds: 0.0,
    }
}

fn skipped(planned: &PlannedItem, reason: &str) -> PartReport {
    line(planned, Status::Skipped, Some(reason.to_owned()))
}

fn failed(planned: &PlannedItem, reason: String) -> PartReport {
    line(planned, Status::Failed, Some(reason))
}

/// A part that this run was told to leave alone, or did not come to: the outputs of an earlier run
/// stay, with what was said of them.
fn keep_previous(
    file: &PlannedFile,
    planned: &PlannedItem,
    reason: &str,
    shared: &Shared<'_>,
) -> (PartReport, Vec<ManifestOutput>, u64) {
    let mut report = skipped(planned, reason);
    let finished = planned
        .outputs
        .first()
        .and_then(|output| shared.previous.outputs.get(&output.path))
        .filter(|before| before.source == file.source.path && before.member == planned.part.member)
        .and_then(|before| shared.previous.parts.get(&before.key))
        .filter(|finished| is_whole(finished, &planned.outputs));
    let Some(finished) = finished else {
        return (report, Vec::new(), 0);
    };
    report.outputs.clone_from(&finished.report.outputs);
    report.deviations = finished.report.deviations.clone();
    report.notes.clone_from(&finished.report.notes);
    report.missing.clone_from(&finished.report.missing);
    report.checks.clone_from(&finished.report.checks);
    (report, finished.outputs.clone(), 0)
}

fn reuse(
    planned: &PlannedItem,
    finished: &Finished,
    origins: &Arc<[ManifestSource]>,
    shared: &Shared<'_>,
) -> (PartReport, Vec<ManifestOutput>, u64) {
    let deviations = &finished.report.deviations;
    if shared.config.run.strict && !deviations.is_empty() {
        let mut report = failed(planned, strict_reason(deviations.total));
        report.deviations = deviations.clone();
        return (report, Vec::new(), 0);
    }
    let mut report = finished.report.clone();
    report.status = Status::Unchanged;
    report.seconds = 0.0;
    let mut outputs = finished.outputs.clone();
    for output in &mut outputs {
        output.origins = Arc::clone(origins);
    }
    (report, outputs, 0)
}

/// A part that is to be converted.
struct Task<'a> {
    planned: &'a PlannedItem,
    bytes: &'a FileBytes,
    opened: &'a dyn convert::Converter,
    /// Digest of all that it is made from.
    key: String,
    /// The sources among that.
    origins: &'a Arc<[ManifestSource]>,
    progress: &'a PartProgress,
}

fn run_part(
    file: &PlannedFile,
    task: &Task<'_>,
    shared: &Shared<'_>,
) -> (PartReport, Vec<ManifestOutput>, u64) {
    let source = &file.source;
    let &Task {
        planned,
        bytes,
        opened,
        ref key,
        origins,
        progress,
    } = task;
    if shared.cancel.load(Ordering::Relaxed) {
        return keep_previous(file, planned, CANCELLED, shared);
    }
    let start = Instant::now();
    let mut sink = PartSink::new(
        planned,
        file,
        bytes,
        shared.config,
        shared.destination,
        &shared.clock,
        VideoContext {
            videos: &shared.videos,
            location: source
                .location
                .on_disk()
                .filter(|_| planned.part.member.is_none()),
            progress,
        },
    );
    // A panic would be a fault of this program; it must cost one part and not the run.
    let converted = catch_unwind(AssertUnwindSafe(|| {
        limits::guarded(|| opened.convert(planned.index, shared.config, &mut sink))
            .unwrap_or_else(|exceeded| Err(FormatError::from(exceeded).into()))
    }))
    .unwrap_or_else(|_| {
        let reason = "internal error: the converter panicked; please report this file";
        Err(ConvertError::Emit(reason.to_owned()))
    });
    // A large archive is worked off part by part; what is done with need not stay in memory.
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    let range = place(planned.part.range.start)..place(planned.part.range.end);
    bytes.release(bytes.get(range).unwrap_or_default());
    let fault = match &converted {
        Err(ConvertError::Cancelled) => Some(CANCELLED.to_owned()),
        Err(ConvertError::Unavailable(reason)) => Some(reason.clone()),
        _ => None,
    };
    if let Some(reason) = fault {
        debug!("{}: {}: {reason}", source.path, member_of(planned));
        discard(&sink, shared);
        return keep_previous(file, planned, &reason, shared);
    }
    let elapsed = start.elapsed();
    let nanoseconds = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
    let own = nanoseconds.saturating_sub(sink.nanoseconds);
    shared.clock.convert.fetch_add(own, Ordering::Relaxed);

    let mut report = line(planned, Status::Converted, None);
    report.seconds = elapsed.as_secs_f64();
    for note in &sink.notes {
        debug!("{}: {}: {note}", source.path, member_of(planned));
    }
    report.notes = std::mem::take(&mut sink.notes);
    report.missing = std::mem::take(&mut sink.missing);
    report.checks = sink.checks.take();
    let fault = match converted {
        Ok(deviations) => {
            note_deviations(&source.path, planned, &deviations);
            report.deviations = (&deviations).into();
            let strict = shared.config.run.strict && !deviations.is_empty();
            strict.then(|| strict_reason(deviations.total()))
        }
        Err(fault) => Some(fault.to_string()),
    };
    if let Some(reason) = fault {
        log_failure(&source.path, Some(planned), &reason);
        discard(&sink, shared);
        report.status = Status::Failed;
        report.reason = Some(reason);
        return (report, Vec::new(), 0);
    }
    if !sink.written.is_empty() && sink.written.iter().all(|written| written.copied) {
        report.status = Status::Copied;
    }
    if shared.destination.is_none() {
        return (report, Vec::new(), 0);
    }
    let config_digest = shared.config.digest_for(planned.part.asset);
    let disc = provenance::disc_place(file, planned, &shared.hashes);
    let tool = match planned.part.asset {
        AssetKind::Video => shared.videos.used().map(Tool::name),
        _ => None,
    };
    let outputs: Vec<ManifestOutput> = sink
        .written
        .iter()
        .map(|written| ManifestOutput {
            path: written.path.clone(),
            blake3: written.blake3.clone(),
            size: written.size,
            kind: planned.part.asset,
            input: shared.roots.of(&source.path),
            source: source.path.clone(),
            made_from: Vec::new(),
            origins: Arc::clone(origins),
            member: planned.part.member.clone(),
            range: planned.part.range.clone(),
            packing: provenance::packing(file, planned),
            disc: disc.clone(),
            converter: CONVERTER.to_owned(),
            tool: tool.clone(),
            config_digest: config_digest.clone(),
            key: key.clone(),
        })
        .collect();
    report.outputs = outputs.iter().map(|output| output.path.clone()).collect();
    let bytes = outputs.iter().map(|output| output.size).sum();
    journal(&report, &outputs, key.clone(), shared);
    (report, outputs, bytes)
}

fn note_deviations(path: &str, planned: &PlannedItem, deviations: &Deviations) {
    for deviation in deviations.described() {
        debug!("{path}: {}: {deviation}", member_of(planned));
    }
    let more = deviations.total() - deviations.described().len() as u64;
    if more > 0 {
        debug!("{path}: {}: {more} more deviations", member_of(planned));
    }
}

/// Deletes what a failed part had written.
fn discard(sink: &PartSink<'_>, shared: &Shared<'_>) {
    if let Some(destination) = shared.destination {
        for written in &sink.written {
            if let Err(fault) = destination.folder.remove_file(&written.path) {
                warn!("cannot delete {}: {fault}", written.path);
            }
        }
    }
}

/// Takes back a part of a file that could not be read to its end: what was made from the rest of it may be
/// wrong, and what was right belongs to a file that is no more.
fn lose(planned: &PlannedItem, done: Done, reason: &str, shared: &Shared<'_>) -> Done {
    let (report, outputs, _) = &done;
    let status = report.status;
    if !matches!(status, Status::Converted | Status::Copied | Status::Failed) {
        return done;
    }
    let mut report = failed(planned, reason.to_owned());
    for output in outputs {
        let Some(destination) = shared.destination else {
            break;
        };
        match destination.folder.remove_file(&output.path) {
            Ok(()) => report.notes.push(format!("{} was discarded", output.path)),
            Err(fault) => warn!("cannot delete {}: {fault}", output.path),
        }
    }
    (report, Vec::new(), 0)
}

fn journal(report: &PartReport, outputs: &[ManifestOutput], key: String, shared: &Shared<'_>) {
    let Some(destination) = shared.destination else {
        return;
    };
    let finished = Finished {
        key,
        origins: outputs
            .first()
            .map_or_else(Vec::new, |output| output.origins.to_vec()),
        outputs: outputs.to_vec(),
        report: report.clone(),
    };
    if let Err(fault) = destination.work.record(&finished) {
        warn!("cannot keep the journal: {fault}; a killed run would start again");
    }
}
