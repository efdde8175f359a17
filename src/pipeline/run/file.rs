//! One file of the plan carried out: read, opened, and dealt with item by item.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use tracing::debug;

use super::item::{self, ItemResult, Task, log_failure};
use super::open_dependencies::{self, Hashes};
use super::shared::{ItemWork, Shared};
use super::source_io;
use super::stage_clock::StageClock;
use crate::pipeline::plan::planned::{FilePlan, PlanError, PlannedFile, PlannedItem};
use crate::pipeline::plan::work;
use crate::pipeline::progress::Stage;
use crate::pipeline::report::manifest::{ManifestOutput, ManifestSource};
use crate::pipeline::report::provenance;
use crate::pipeline::report::reason::{FailureCode, Reason};
use crate::pipeline::report::{Faults, SourceReport, Status};
use crate::pipeline::reuse::cached;
use crate::pipeline::reuse::finished::Finished;
use crate::pipeline::reuse::unchanged::part_key;
use relicast_codec::FaultKind;
use relicast_convert::{self as convert, Disposition, Needs, SkipCode};
use relicast_formats::kind::Kind;
use relicast_limits::spending;
use relicast_source::bytes::FileBytes;
use relicast_source::location::Location;
use relicast_source::stamp::Stamps;

/// What became of a file.
pub(in crate::pipeline) struct FileResult {
    pub(in crate::pipeline) report: SourceReport,
    /// The file could not be read, so that its contents are not known.
    pub(in crate::pipeline) unread: bool,
    pub(in crate::pipeline) source: Option<ManifestSource>,
    pub(in crate::pipeline) outputs: Vec<ManifestOutput>,
    /// Items that were converted or copied.
    pub(in crate::pipeline) work: Vec<ItemWork>,
}

/// Carries out the plan of one file, its items in parallel.
pub(in crate::pipeline) fn run_file(
    file: &PlannedFile,
    shared: &Shared<'_>,
    stage: &Stage<'_>,
) -> FileResult {
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
            notes: Vec::new(),
            parts: Vec::new(),
        },
        source: None,
        outputs: Vec::new(),
        work: Vec::new(),
    };
    for deviation in file.medium.described() {
        debug!("{}: {deviation}", source.path);
    }
    result.report.deviations = (&file.medium).into();
    result.report.notes = file.medium.usual_notes();
    match &file.plan {
        FilePlan::Skip(reason) => {
            debug!("{}: skipped, {reason}", source.path);
            if reason.code != SkipCode::NotSelected || shared.hashes.knows(file) {
                note_hash(file, None, shared, &mut result);
            }
            result.report.reason = Some(reason.into());
            stage.add(1, 0);
        }
        FilePlan::Fail(fault) => {
            result.unread = matches!(fault, PlanError::Read(_));
            log_failure(&source.path, None, fault);
            stage.add(1, 0);
            result.report.status = Status::Failed;
            result.report.reason = Some(fault.into());
            note_hash(file, None, shared, &mut result);
        }
        FilePlan::Parts { parts, deviations } => {
            for deviation in deviations.described() {
                debug!("{}: {deviation}", source.path);
            }
            let mut all = file.medium.clone();
            all.absorb_from(deviations.clone(), |_| (None, 0));
            result.report.deviations = (&all).into();
            result.report.notes = all.usual_notes();
            run_items(file, parts, shared, stage, &mut result);
            result.report.status = SourceReport::status_of_parts(&result.report.parts);
            if shared.config.run.strict && !all.is_empty() {
                result.report.status = Status::Failed;
                result.report.reason = Some(Reason::strict(all.total()));
            }
        }
    }
    result
}

/// Reads a file and deals with its items.
fn run_items(
    file: &PlannedFile,
    parts: &[PlannedItem],
    shared: &Shared<'_>,
    stage: &Stage<'_>,
    result: &mut FileResult,
) {
    let source = &file.source;
    let wanted = parts
        .iter()
        .any(|planned| planned.part.verdict == Disposition::Convert);
    let reading = spending::enter(spending::Stage::Read, "");
    let start = Instant::now();
    let bytes = match wanted.then(|| source.open()) {
        None => None,
        Some(Ok(bytes)) => Some(bytes),
        Some(Err(fault)) => {
            return fail_all(file, &Reason::unreadable(&fault), stage, result);
        }
    };
    let is_left_out = parts
        .iter()
        .all(|planned| planned.part.verdict.skips_for(SkipCode::NotSelected));
    if !is_left_out || shared.hashes.knows(file) {
        note_hash(file, bytes.as_ref(), shared, result);
    }
    StageClock::add(&shared.clock.read, start);
    reading.note(bytes.as_ref().map_or(0, FileBytes::size), 0);
    drop(reading);
    // Where all of it was read, a fault is met before anything is made from it.
    let stamps = &shared.hashes.plan.stamps;
    let unread = bytes.as_ref().and_then(|bytes| {
        let fault = read_fault(bytes);
        fault.or_else(|| change(file, bytes, stamps))
    });
    if let Some(reason) = unread {
        return fail_all(file, &reason, stage, result);
    }
    let blake3 = result.report.blake3.clone().unwrap_or_default();
    let mut done: Vec<Option<ItemResult>> = parts.iter().map(|_| None).collect();
    for needs in Needs::EACH {
        let chosen: Vec<(&PlannedItem, &mut Option<ItemResult>)> = parts
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
    let fault = bytes.as_ref().and_then(|bytes| {
        let fault = read_fault(bytes);
        fault.or_else(|| change(file, bytes, stamps))
    });
    if let Some(reason) = &fault {
        log_failure(&source.path, None, reason);
        // Nothing is known of what it holds now.
        (result.source, result.report.blake3) = (None, None);
        result.unread = true;
    }
    let made = done.iter().flatten();
    let rows = made.map(|done| done.outputs.len()).sum();
    result.outputs.reserve_exact(rows);
    result.report.parts.reserve_exact(done.len());
    for (planned, done) in parts.iter().zip(done) {
        let Some(done) = done else { continue };
        let done = match &fault {
            Some(reason) => item::fail_unread(planned, done, reason, shared),
            None => done,
        };
        cached::keep(file, planned, &done, shared);
        if matches!(done.report.status, Status::Converted | Status::Copied) {
            result.work.push(ItemWork {
                asset: planned.part.asset,
                source_bytes: planned.part.range.end - planned.part.range.start,
                output_bytes: done.written_bytes,
                seconds: done.report.seconds,
            });
        }
        let mut report = done.report;
        if shared.is_shard {
            item::note_made(&mut report, planned, &done.outputs);
        }
        result.outputs.extend(done.outputs);
        result.report.parts.push(report);
    }
}

/// Fails all items of a file before anything is made from it.
fn fail_all(file: &PlannedFile, reason: &Reason, stage: &Stage<'_>, result: &mut FileResult) {
    log_failure(&file.source.path, None, reason);
    (result.source, result.report.blake3) = (None, None);
    result.unread = true;
    for planned in file.parts() {
        stage.spare(1, work::estimate(planned));
        let failed = ItemResult::failed(planned, reason.clone());
        result.report.parts.push(failed.report);
    }
}

/// Why bytes could not be read to their end.
fn read_fault(bytes: &FileBytes) -> Option<Reason> {
    let fault = bytes.check().err()?;
    Some(Reason::unreadable(&fault))
}

/// Reason of files that another program changed.
const CHANGED: &str = "the file changed while it was read";

/// The reason of files that another program changed.
fn changed() -> Reason {
    changed_as(&format!("{CHANGED}; run the same command again"))
}

fn changed_as(text: &str) -> Reason {
    Reason::failure(FailureCode::Changed, text)
}

/// Why the plan, or what was made, does not fit a file: it differs from what was listed, or has been written since.
fn change(file: &PlannedFile, bytes: &FileBytes, stamps: &Stamps) -> Option<Reason> {
    let (now, before) = (bytes.size(), file.source.size);
    // What is undone on the way has another size.
    let is_stored = file.source.damage.is_none();
    let is_file = is_stored && matches!(file.source.location, Location::File(_));
    if is_file && now != before {
        return Some(changed_as(&format!(
            "{CHANGED}: it had {before} bytes and has {now}"
        )));
    }
    let is_unchanged = file.source.location.is_unchanged(stamps);
    (!is_unchanged).then(changed)
}

/// Fails the files that have changed since they were listed, though what was made of them before that is right: the plan of
/// others may follow from what they hold.
pub(in crate::pipeline) fn fail_changed(results: &mut [FileResult], hashes: &Hashes<'_>) {
    for result in results.iter_mut().filter(|result| !result.unread) {
        let Some(file) = hashes.at(&result.report.path) else {
            continue;
        };
        let is_planned = matches!(file.plan, FilePlan::Parts { .. });
        if !is_planned || file.source.location.is_unchanged(&hashes.plan.stamps) {
            continue;
        }
        let reason = changed();
        log_failure(&file.source.path, None, &reason);
        (result.source, result.report.blake3) = (None, None);
        result.unread = true;
        result.report.status = Status::Failed;
        result.report.reason = Some(reason);
    }
}

/// Puts the hash of a source into report and manifest.
fn note_hash(
    file: &PlannedFile,
    bytes: Option<&FileBytes>,
    shared: &Shared<'_>,
    result: &mut FileResult,
) {
    result.report.blake3 = shared.hashes.of_file(file, bytes);
    result.source = provenance::row(file, &shared.hashes);
}

/// The items of a file that are made from the same dependencies.
struct Group<'a> {
    file: &'a PlannedFile,
    needs: Needs,
    /// The bytes of the file, when any of its items is to be converted.
    bytes: Option<&'a FileBytes>,
    /// Their BLAKE3.
    blake3: &'a str,
    stage: &'a Stage<'a>,
}

impl Group<'_> {
    /// Whether an item of the group is to be converted.
    fn converts(planned: &PlannedItem) -> bool {
        planned.part.verdict == Disposition::Convert
    }
}

/// What is known of an item before its file is opened.
enum Ready<'a> {
    /// An earlier run left its outputs in the folder.
    Before(&'a Finished),
    /// Its outputs were taken from the store.
    Stored(Box<ItemResult>),
    /// It is to be converted, or left out.
    Not,
}

/// What the keys and manifest rows of a group's items have in common.
struct Provenance {
    /// Digest of what the items take from other files.
    around: String,
    /// All sources of the items.
    origins: Arc<[ManifestSource]>,
}

impl Provenance {
    /// That of a group; empty when none of its items is to be converted.
    fn of(group: &Group<'_>, is_needed: bool, shared: &Shared<'_>) -> Self {
        if !is_needed {
            return Self {
                around: String::new(),
                origins: Arc::default(),
            };
        }
        Self {
            around: open_dependencies::digest(group.file, group.needs, &shared.hashes),
            origins: provenance::origins(group.file, group.needs, &shared.hashes),
        }
    }
}

/// Does with an item what the plan says of it; `convert` when it is to be converted.
fn carry_out(
    file: &PlannedFile,
    planned: &PlannedItem,
    convert: impl FnOnce() -> ItemResult,
    shared: &Shared<'_>,
) -> ItemResult {
    match &planned.part.verdict {
        Disposition::Skip(reason) if reason.code == SkipCode::NotSelected => {
            item::keep_previous(file, planned, reason, shared)
        }
        Disposition::Skip(reason) => ItemResult::skipped(planned, reason),
        Disposition::Fail(fault) => {
            log_failure(&file.source.path, Some(planned), fault);
            ItemResult::failed(planned, fault.into())
        }
        Disposition::Convert => convert(),
    }
}

/// Items that a thread deals with before another one may take those behind them: where a thread comes late, it takes part
/// in what is left all the same.
const MOST_IN_A_ROW: usize = 8;

/// Deals with the items of a group, in parallel. The file is opened with the dependencies that these items
/// need and no others, so that their keys cover everything that they are made from.
fn run_group(
    group: &Group<'_>,
    chosen: Vec<(&PlannedItem, &mut Option<ItemResult>)>,
    shared: &Shared<'_>,
) {
    let &Group {
        file,
        needs,
        bytes,
        blake3,
        stage,
    } = group;
    let _region = spending::enter(spending::Stage::Convert, file.kind.asset().0.label());
    let is_needed = chosen.iter().any(|(planned, _)| Group::converts(planned));
    let provenance = Provenance::of(group, is_needed, shared);
    let key_of = |planned: &PlannedItem| {
        part_key(file, planned, blake3, &provenance.around, &shared.digests)
    };
    let ready: Vec<Ready<'_>> = chosen
        .par_iter()
        .map(|(planned, _)| {
            if !Group::converts(planned) || shared.force {
                return Ready::Not;
            }
            let key = key_of(planned);
            let before = shared.previous.reusable(&key, &planned.outputs, shared.out);
            if let Some(finished) = before {
                return Ready::Before(finished);
            }
            let stored = cached::take(file, planned, &key, &provenance.origins, shared);
            stored.map_or(Ready::Not, |result| Ready::Stored(Box::new(result)))
        })
        .collect();
    let is_opened = chosen
        .iter()
        .zip(&ready)
        .any(|((planned, _), ready)| Group::converts(planned) && matches!(ready, Ready::Not));
    let dependencies = if is_opened {
        open_dependencies::open(file, needs, &shared.hashes)
    } else {
        Vec::new()
    };
    let seen = open_dependencies::as_dependencies(&dependencies);
    let mut refusal = changed_as(CHANGED);
    let opened = match bytes {
        Some(bytes) if is_opened => match source_io::open(file, bytes, blake3, &seen, &shared.work)
        {
            Ok(opened) => Some((bytes, opened)),
            Err(fault) => {
                log_failure(&file.source.path, None, &fault);
                // The plan has read it, but needs less of it at once.
                if fault.kind() == FaultKind::Limit {
                    refusal = (&fault).into();
                }
                None
            }
        },
        _ => None,
    };
    let stamps = &shared.hashes.plan.stamps;
    let fault = || {
        let own = bytes.and_then(|bytes| read_fault(bytes).or_else(|| change(file, bytes, stamps)));
        // A disc's music is whole without what the files on it say of it.
        own.or_else(|| {
            let others = open_dependencies::fault(&dependencies, stamps);
            others.filter(|_| file.kind != Kind::Disc)
        })
    };
    let items = chosen.into_par_iter().zip(ready);
    let items = items.with_max_len(MOST_IN_A_ROW);
    items.for_each(|((planned, done), ready)| {
        let progress = stage.part(work::estimate(planned));
        if matches!(ready, Ready::Not) {
            stage.begin(&file.source.path, planned.part.member.as_deref());
        }
        let convert = || match (ready, &opened) {
            (Ready::Before(finished), _) => {
                item::reuse(planned, finished, &provenance.origins, shared)
            }
            (Ready::Stored(result), _) => *result,
            (Ready::Not, Some((bytes, opened))) => {
                let task = Task {
                    file,
                    planned,
                    bytes,
                    opened: &**opened,
                    key: key_of(planned),
                    origins: &provenance.origins,
                    progress: &progress,
                    fault: &fault,
                };
                task.run(shared)
            }
            (Ready::Not, None) => ItemResult::failed(planned, refusal.clone()),
        };
        let result = carry_out(file, planned, convert, shared);
        result.show(&progress);
        *done = Some(result);
    });
    // Much that was decoded takes a while to go.
    drop(opened);
}
