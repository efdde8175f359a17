//! Executes the plan of one file: reads and opens it, and handles each item.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use tracing::debug;

use super::item::{self, Conversion, ItemResult, log_failure};
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
use crate::pipeline::reuse::unchanged::item_key;
use relicast_codec::{FaultKind, FormatError};
use relicast_convert::{self as convert, Disposition, Needs, SkipCode};
use relicast_formats::kind::Kind;
use relicast_limits::spending;
use relicast_source::bytes::FileBytes;
use relicast_source::location::Location;
use relicast_source::stamp::Stamps;

/// Result for a file.
pub(in crate::pipeline) struct FileResult {
    pub(in crate::pipeline) report: SourceReport,
    /// True if the file could not be read, so that its contents are unknown.
    pub(in crate::pipeline) unread: bool,
    pub(in crate::pipeline) source: Option<ManifestSource>,
    pub(in crate::pipeline) outputs: Vec<ManifestOutput>,
    /// Items that were converted or copied.
    pub(in crate::pipeline) work: Vec<ItemWork>,
}

/// Executes the plan of one file, with its items in parallel.
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
            items: Vec::new(),
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
        FilePlan::Items { items, deviations } => {
            for deviation in deviations.described() {
                debug!("{}: {deviation}", source.path);
            }
            let mut all = file.medium.clone();
            all.absorb_from(deviations.clone(), |_| (None, 0));
            result.report.deviations = (&all).into();
            result.report.notes = all.usual_notes();
            run_items(file, items, shared, stage, &mut result);
            result.report.status = SourceReport::status_of_items(&result.report.items);
            if shared.config.run.strict && !all.is_empty() {
                result.report.status = Status::Failed;
                result.report.reason = Some(Reason::strict(all.total()));
            }
        }
    }
    result
}

/// Reads a file and converts its items.
fn run_items(
    file: &PlannedFile,
    items: &[PlannedItem],
    shared: &Shared<'_>,
    stage: &Stage<'_>,
    result: &mut FileResult,
) {
    let bytes = match read(file, items, shared, result) {
        Ok(bytes) => bytes,
        Err(reason) => return fail_all(file, &reason, stage, result),
    };
    let blake3 = result.report.blake3.clone().unwrap_or_default();
    let mut done: Vec<Option<ItemResult>> = items.iter().map(|_| None).collect();
    for needs in Needs::EACH {
        let chosen: Vec<(&PlannedItem, &mut Option<ItemResult>)> = items
            .iter()
            .zip(&mut done)
            .filter(|(planned, _)| convert::needs(file.kind, &planned.item) == needs)
            .collect();
        let group = Group {
            file,
            needs,
            bytes: bytes.as_deref(),
            blake3: &blake3,
            stage,
        };
        run_group(&group, chosen, shared);
    }
    let done = items.iter().zip(done);
    let done = done.filter_map(|(planned, done)| Some((planned, done?)));
    let done = done.collect();
    let fault = bytes
        .as_ref()
        .and_then(|bytes| fault_of(file, bytes, shared));
    if let Some(reason) = &fault {
        log_failure(&file.source.path, None, reason);
        // Its current contents are unknown.
        (result.source, result.report.blake3) = (None, None);
        result.unread = true;
    }
    note_items(file, done, fault.as_ref(), shared, result);
}

/// Opens a file with items to convert, and records its hash.
///
/// # Errors
/// It cannot be read, or has changed since it was listed: nothing may be made from it.
fn read(
    file: &PlannedFile,
    items: &[PlannedItem],
    shared: &Shared<'_>,
    result: &mut FileResult,
) -> Result<Option<Arc<FileBytes>>, Reason> {
    let is_read = items.iter().any(Group::converts);
    let reading = spending::enter(spending::Stage::Read, "");
    let start = Instant::now();
    let bytes = is_read.then(|| shared.hashes.open(file)).transpose();
    let bytes = bytes.map_err(|fault| Reason::unreadable(&fault))?;
    let is_left_out = items
        .iter()
        .all(|planned| planned.item.verdict.skips_for(SkipCode::NotSelected));
    if !is_left_out || shared.hashes.knows(file) {
        note_hash(file, bytes.as_deref(), shared, result);
    }
    StageClock::add(&shared.clock.read, start);
    reading.note(bytes.as_deref().map_or(0, FileBytes::size), 0);
    drop(reading);
    // A completely read file reports its fault before anything is made from it.
    match bytes
        .as_ref()
        .and_then(|bytes| fault_of(file, bytes, shared))
    {
        Some(reason) => Err(reason),
        None => Ok(bytes),
    }
}

/// Adds the results of a file's items: as failed if `fault` reports that the file does not match the plan.
fn note_items(
    file: &PlannedFile,
    done: Vec<(&PlannedItem, ItemResult)>,
    fault: Option<&Reason>,
    shared: &Shared<'_>,
    result: &mut FileResult,
) {
    let rows = done.iter().map(|(_, done)| done.outputs.len()).sum();
    result.outputs.reserve_exact(rows);
    result.report.items.reserve_exact(done.len());
    for (planned, done) in done {
        let done = match fault {
            Some(reason) => item::fail_unread(planned, done, reason, shared),
            None => done,
        };
        cached::keep(file, planned, &done, shared);
        if matches!(done.report.status, Status::Converted | Status::Copied) {
            result.work.push(ItemWork {
                asset: planned.item.asset,
                source_bytes: planned.item.range.end - planned.item.range.start,
                output_bytes: done.written_bytes,
                seconds: done.report.seconds,
            });
        }
        let mut report = done.report;
        if shared.is_shard {
            item::note_made(&mut report, planned, &done.outputs);
        }
        result.outputs.extend(done.outputs);
        result.report.items.push(report);
    }
}

/// Fails all items of a file before anything is made from it.
fn fail_all(file: &PlannedFile, reason: &Reason, stage: &Stage<'_>, result: &mut FileResult) {
    log_failure(&file.source.path, None, reason);
    (result.source, result.report.blake3) = (None, None);
    result.unread = true;
    for planned in file.items() {
        stage.spare(1, work::estimate(planned));
        let failed = ItemResult::failed(planned, reason.clone());
        result.report.items.push(failed.report);
    }
}

/// Reason why bytes could not be read completely.
fn read_fault(bytes: &FileBytes) -> Option<Reason> {
    let fault = bytes.check().err()?;
    Some(Reason::unreadable(&fault))
}

/// Reason for files that another program changed.
const CHANGED: &str = "the file changed while it was read";

/// Reason for files that another program changed.
fn changed() -> Reason {
    changed_as(&format!("{CHANGED}; run the same command again"))
}

fn changed_as(text: &str) -> Reason {
    Reason::failure(FailureCode::Changed, text)
}

/// Reason why outputs made from these bytes are invalid: they could not be read completely, or the file
/// changed.
fn fault_of(file: &PlannedFile, bytes: &FileBytes, shared: &Shared<'_>) -> Option<Reason> {
    read_fault(bytes).or_else(|| change(file, bytes, &shared.hashes.plan.stamps))
}

/// Reason why a file does not match the plan or the outputs: it differs from the listing, or was modified
/// since.
fn change(file: &PlannedFile, bytes: &FileBytes, stamps: &Stamps) -> Option<Reason> {
    let (now, before) = (bytes.size(), file.source.size);
    // A repaired file has another size.
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

/// Fails the files that have changed since they were listed, even if their outputs are right: the plan of other
/// files may depend on their contents.
pub(in crate::pipeline) fn fail_changed(results: &mut [FileResult], hashes: &Hashes<'_>) {
    for result in results.iter_mut().filter(|result| !result.unread) {
        let Some(file) = hashes.at(&result.report.path) else {
            continue;
        };
        let is_planned = matches!(file.plan, FilePlan::Items { .. });
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

/// Adds the hash of a source to report and manifest.
fn note_hash(
    file: &PlannedFile,
    bytes: Option<&FileBytes>,
    shared: &Shared<'_>,
    result: &mut FileResult,
) {
    result.report.blake3 = shared.hashes.of_file(file, bytes);
    result.source = provenance::row(file, &shared.hashes);
}

/// Items of a file that share the same dependencies.
struct Group<'a> {
    file: &'a PlannedFile,
    needs: Needs,
    /// Bytes of the file, if any of its items is to be converted.
    bytes: Option<&'a FileBytes>,
    /// Their BLAKE3.
    blake3: &'a str,
    stage: &'a Stage<'a>,
}

impl Group<'_> {
    /// Returns whether an item of the group is to be converted.
    fn converts(planned: &PlannedItem) -> bool {
        planned.item.verdict == Disposition::Convert
    }
}

/// State of an item before its file is opened.
enum Ready<'a> {
    /// Its outputs of an earlier run are in the folder.
    Before(&'a Finished),
    /// Its outputs were taken from the store.
    Stored(Box<ItemResult>),
    /// It is to be converted or skipped.
    Not,
}

impl<'a> Ready<'a> {
    /// Looks for the outputs of an item, first in the folder, then in the store.
    fn find(
        group: &Group<'_>,
        planned: &PlannedItem,
        provenance: &Provenance,
        shared: &Shared<'a>,
    ) -> Self {
        if !Group::converts(planned) || shared.force {
            return Self::Not;
        }
        let key = provenance.key(group, planned, shared);
        let before = shared.previous.reusable(&key, &planned.outputs, shared.out);
        if let Some(finished) = before {
            return Self::Before(finished);
        }
        let stored = cached::take(group.file, planned, &key, &provenance.origins, shared);
        stored.map_or(Self::Not, |result| Self::Stored(Box::new(result)))
    }
}

/// Common parts of the keys and manifest rows of a group's items.
struct Provenance {
    /// Digest of the dependencies.
    around: String,
    /// All sources of the items.
    origins: Arc<[ManifestSource]>,
}

impl Provenance {
    /// Provenance of a group; empty if none of its items is to be converted.
    fn new(group: &Group<'_>, is_needed: bool, shared: &Shared<'_>) -> Self {
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

    /// Digest of everything that an item of the group is made from.
    fn key(&self, group: &Group<'_>, planned: &PlannedItem, shared: &Shared<'_>) -> String {
        let Group { file, blake3, .. } = group;
        item_key(file, planned, blake3, &self.around, &shared.digests)
    }
}

/// Performs the planned action for an item; calls `convert` if it is to be converted.
fn carry_out(
    file: &PlannedFile,
    planned: &PlannedItem,
    convert: impl FnOnce() -> ItemResult,
    shared: &Shared<'_>,
) -> ItemResult {
    match &planned.item.verdict {
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

/// Reason for items that fail although the plan could open their file.
fn refusal(file: &PlannedFile, fault: &FormatError) -> Reason {
    log_failure(&file.source.path, None, fault);
    match fault.kind() {
        // The plan needs less memory at once.
        FaultKind::Limit => fault.into(),
        _ => changed_as(CHANGED),
    }
}

/// Items that a thread takes in a row before others may take the following ones: a thread that starts late
/// still gets a share.
const MAX_IN_A_ROW: usize = 8;

/// Handles the items of a group in parallel. The file is opened with exactly the dependencies that these items
/// need, so that their keys cover everything they are made from.
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
    let provenance = Provenance::new(group, is_needed, shared);
    let ready: Vec<Ready<'_>> = chosen
        .par_iter()
        .map(|(planned, _)| Ready::find(group, planned, &provenance, shared))
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
    let bytes = bytes.filter(|_| is_opened);
    let opened = bytes.map(|bytes| {
        let opened = source_io::open(file, bytes, blake3, &seen, &shared.work);
        Ok((bytes, opened.map_err(|fault| refusal(file, &fault))?))
    });
    let opened = opened.unwrap_or_else(|| Err(changed_as(CHANGED)));
    let fault = || {
        let own = bytes.and_then(|bytes| fault_of(file, bytes, shared));
        // The music of a disc does not depend on its files.
        own.or_else(|| {
            let others = open_dependencies::fault(&dependencies, &shared.hashes.plan.stamps);
            others.filter(|_| file.kind != Kind::Disc)
        })
    };
    let items = chosen.into_par_iter().zip(ready);
    let items = items.with_max_len(MAX_IN_A_ROW);
    items.for_each(|((planned, done), ready)| {
        let progress = stage.item_progress(work::estimate(planned));
        if matches!(ready, Ready::Not) {
            stage.begin(&file.source.path, planned.item.member.as_deref());
        }
        let convert = || match (ready, &opened) {
            (Ready::Before(finished), _) => {
                item::reuse(planned, finished, &provenance.origins, shared)
            }
            (Ready::Stored(result), _) => *result,
            (Ready::Not, Ok((bytes, opened))) => {
                let conversion = Conversion {
                    file,
                    planned,
                    bytes,
                    opened: &**opened,
                    key: provenance.key(group, planned, shared),
                    origins: &provenance.origins,
                    progress: &progress,
                    fault: &fault,
                };
                conversion.run(shared)
            }
            (Ready::Not, Err(reason)) => ItemResult::failed(planned, reason.clone()),
        };
        let result = carry_out(file, planned, convert, shared);
        result.show(&progress);
        *done = Some(result);
    });
    // Dropping large decoded values takes time.
    drop(opened);
}
