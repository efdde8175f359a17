//! Executes one item of a file: skips it, reuses it, or decodes, converts and emits it.

use std::fmt::Display;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use smallvec::SmallVec;
use smol_str::SmolStr;
use tracing::{debug, error, warn};

use super::shared::Shared;
use crate::pipeline::output::{ItemSink, VideoContext, Written};
use crate::pipeline::plan::planned::{PlannedFile, PlannedItem};
use crate::pipeline::progress::ItemProgress;
use crate::pipeline::report::manifest::{CONVERTER, ManifestOutput, ManifestSource};
use crate::pipeline::report::provenance;
use crate::pipeline::report::reason::Reason;
use crate::pipeline::report::{Faults, ItemReport, Made, Status};
use crate::pipeline::reuse::finished::{Finished, FinishedLine, is_whole};
use relicast_codec::{Deviations, FormatError};
use relicast_convert::{ConvertError, Converter, SkipCode, SkipReason};
use relicast_emit::video::tool::Tool;
use relicast_formats::asset::AssetKind;
use relicast_limits::{self as limits, spending, spending::Stage};
use relicast_source::bytes::FileBytes;

/// Result for an item.
#[derive(Debug)]
pub(in crate::pipeline) struct ItemResult {
    /// Line in the report.
    pub(in crate::pipeline) report: ItemReport,
    /// Its outputs, written now or by an earlier run.
    pub(in crate::pipeline) outputs: Vec<ManifestOutput>,
    /// Bytes of the outputs that this run wrote.
    pub(in crate::pipeline) written_bytes: u64,
}

impl ItemResult {
    /// Result without outputs.
    fn without_outputs(report: ItemReport) -> Self {
        Self {
            report,
            outputs: Vec::new(),
            written_bytes: 0,
        }
    }

    /// Result of a skipped item.
    pub(in crate::pipeline) fn skipped(planned: &PlannedItem, reason: &SkipReason) -> Self {
        Self::without_outputs(line(planned, Status::Skipped, Some(reason.into())))
    }

    /// Result of a failed item.
    pub(in crate::pipeline) fn failed(planned: &PlannedItem, reason: Reason) -> Self {
        Self::without_outputs(line(planned, Status::Failed, Some(reason)))
    }

    /// Advances the progress display. An item that was not started before the run was canceled does not count
    /// as done.
    pub(in crate::pipeline) fn show(&self, progress: &ItemProgress<'_>) {
        let is_cancelled = self.report.skip_code() == Some(SkipCode::Cancelled);
        match self.report.status {
            Status::Skipped if is_cancelled => {}
            Status::Unchanged | Status::Skipped => progress.spare(),
            Status::Converted | Status::Copied | Status::Failed => progress.finish(),
        }
    }
}

/// Report line of an item before its result is known.
pub(in crate::pipeline) fn line(
    planned: &PlannedItem,
    status: Status,
    reason: Option<Reason>,
) -> ItemReport {
    ItemReport {
        member: planned.item.member.clone(),
        asset: planned.item.asset,
        status,
        reason,
        outputs: Vec::new(),
        deviations: Faults::default(),
        notes: Vec::new(),
        missing: Vec::new(),
        checks: None,
        seconds: 0.0,
        made: None,
    }
}

/// Records how the item of a shard was made. For items of an earlier run, that run has recorded it.
pub(in crate::pipeline) fn note_made(
    report: &mut ItemReport,
    planned: &PlannedItem,
    outputs: &[ManifestOutput],
) {
    if matches!(report.status, Status::Converted | Status::Copied) {
        report.made = Some(Made {
            status: report.status,
            source_bytes: source_bytes(planned),
            output_bytes: outputs.iter().map(|output| output.size).sum(),
        });
    }
}

/// Length of an item in its source.
fn source_bytes(planned: &PlannedItem) -> u64 {
    let range = &planned.item.range;
    range.end.saturating_sub(range.start)
}

/// Record of how an earlier run made an item, if that run was also of a shard.
fn made_before(planned: &PlannedItem, finished: &Finished, shared: &Shared<'_>) -> Option<Made> {
    let noted = finished.report.made.unwrap_or(Made {
        status: finished.report.status,
        source_bytes: source_bytes(planned),
        output_bytes: finished.outputs.iter().map(|output| output.size).sum(),
    });
    shared.is_shard.then_some(noted)
}

/// Name of an item in log messages.
fn member_of(planned: &PlannedItem) -> &str {
    planned.item.member.as_deref().unwrap_or("whole file")
}

/// Logs the failure of a file or item.
pub(in crate::pipeline) fn log_failure(
    path: &str,
    planned: Option<&PlannedItem>,
    reason: &dyn Display,
) {
    let (event, member) = (
        "failed",
        planned.and_then(|planned| planned.item.member.as_deref()),
    );
    let text = reason.to_string();
    match planned {
        None => error!(event, source = path, reason = text, "{path}: {text}"),
        Some(planned) => {
            let item = member_of(planned);
            error!(
                event,
                source = path,
                member,
                reason = text,
                "{path}: {item}: {text}"
            );
        }
    }
}

/// Result of an item that this run skips or did not start: the outputs of an earlier run are preserved, with
/// their report.
pub(in crate::pipeline) fn keep_previous(
    file: &PlannedFile,
    planned: &PlannedItem,
    reason: &SkipReason,
    shared: &Shared<'_>,
) -> ItemResult {
    let mut result = ItemResult::skipped(planned, reason);
    let finished = planned
        .outputs
        .first()
        .and_then(|output| shared.previous.outputs.get(&output.path))
        .filter(|before| before.source == file.source.path && before.member == planned.item.member)
        .and_then(|before| shared.previous.items.get(&before.key))
        .filter(|finished| is_whole(finished, &planned.outputs));
    if let Some(finished) = finished {
        let report = &mut result.report;
        report.outputs.clone_from(&finished.report.outputs);
        report.deviations = finished.report.deviations.clone();
        report.notes.clone_from(&finished.report.notes);
        report.missing.clone_from(&finished.report.missing);
        report.checks.clone_from(&finished.report.checks);
        report.made = made_before(planned, finished, shared);
        result.outputs.clone_from(&finished.outputs);
    }
    result
}

/// Result of an item whose outputs of an earlier run are up to date.
pub(in crate::pipeline) fn reuse(
    planned: &PlannedItem,
    finished: &Finished,
    origins: &Arc<[ManifestSource]>,
    shared: &Shared<'_>,
) -> ItemResult {
    let deviations = &finished.report.deviations;
    if shared.config.run.strict && !deviations.is_empty() {
        let mut result = ItemResult::failed(planned, Reason::strict(deviations.total));
        result.report.deviations = deviations.clone();
        return result;
    }
    let mut outputs = finished.outputs.clone();
    for output in &mut outputs {
        output.origins = Arc::clone(origins);
    }
    ItemResult {
        report: ItemReport {
            status: Status::Unchanged,
            seconds: 0.0,
            made: made_before(planned, finished, shared),
            ..finished.report.clone()
        },
        outputs,
        written_bytes: 0,
    }
}

/// Item to convert.
pub(in crate::pipeline) struct Conversion<'a> {
    pub(in crate::pipeline) file: &'a PlannedFile,
    pub(in crate::pipeline) planned: &'a PlannedItem,
    /// Bytes of the file.
    pub(in crate::pipeline) bytes: &'a FileBytes,
    pub(in crate::pipeline) opened: &'a dyn Converter,
    /// Digest of everything that the outputs are made from.
    pub(in crate::pipeline) key: String,
    /// Sources of the item.
    pub(in crate::pipeline) origins: &'a Arc<[ManifestSource]>,
    pub(in crate::pipeline) progress: &'a ItemProgress<'a>,
    /// Reason why the result is invalid: a source could not be read, or changed meanwhile.
    pub(in crate::pipeline) fault: &'a (dyn Fn() -> Option<Reason> + Sync),
}

impl Conversion<'_> {
    /// Converts the item and emits its assets. Outputs of a failed item are deleted.
    pub(in crate::pipeline) fn run(&self, shared: &Shared<'_>) -> ItemResult {
        if shared.cancel.load(Ordering::Relaxed) {
            return keep_previous(self.file, self.planned, &SkipReason::cancelled(), shared);
        }
        let region = spending::enter(Stage::Convert, self.planned.item.asset.label());
        let range = &self.planned.item.range;
        region.note(range.end.saturating_sub(range.start), 0);
        let start = Instant::now();
        let mut sink = self.sink(shared);
        let converted = self.convert(&mut sink, shared);
        let skip = match &converted {
            Err(ConvertError::Cancelled) => Some(SkipReason::cancelled()),
            Err(ConvertError::NoFfmpeg(why)) => Some(SkipReason::no_ffmpeg(why)),
            _ => None,
        };
        if let Some(reason) = skip {
            self.log(&reason);
            discard(&sink, shared);
            return keep_previous(self.file, self.planned, &reason, shared);
        }
        if let Err(ConvertError::LeftOut(reason)) = &converted {
            self.log(reason);
            discard(&sink, shared);
            return ItemResult::skipped(self.planned, reason);
        }
        let elapsed = start.elapsed();
        let nanoseconds = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let own = nanoseconds.saturating_sub(sink.nanoseconds);
        shared.clock.convert.fetch_add(own, Ordering::Relaxed);

        let mut report = self.report(&mut sink, elapsed);
        let fault = match converted {
            Ok(deviations) => {
                self.log_deviations(&deviations);
                report.deviations = (&deviations).into();
                report.notes.extend(deviations.usual_notes());
                let strict = shared.config.run.strict && !deviations.is_empty();
                let strict = strict.then(|| Reason::strict(deviations.total()));
                // Before it is recorded in the journal, because another run would reuse it.
                strict.or_else(|| (self.fault)())
            }
            Err(fault) => Some((&fault).into()),
        };
        if let Some(reason) = fault {
            log_failure(&self.file.source.path, Some(self.planned), &reason);
            discard(&sink, shared);
            report.status = Status::Failed;
            report.reason = Some(reason);
            return ItemResult::without_outputs(report);
        }
        if !sink.written.is_empty() && sink.written.iter().all(|written| written.copied) {
            report.status = Status::Copied;
        }
        if shared.destination.is_none() && shared.collector.is_none() {
            return ItemResult::without_outputs(report);
        }
        let _region = spending::enter(Stage::Write, "");
        let (file, planned) = (self.file, self.planned);
        let outputs = rows(
            file,
            planned,
            &sink.written,
            &self.key,
            self.origins,
            shared,
        );
        report.outputs = outputs.iter().map(|output| output.path.clone()).collect();
        record(&report, &outputs, &self.key, shared);
        ItemResult {
            report,
            written_bytes: outputs.iter().map(|output| output.size).sum(),
            outputs,
        }
    }

    fn sink<'s>(&'s self, shared: &'s Shared<'_>) -> ItemSink<'s> {
        let location = self.file.source.location.on_disk();
        let mut sink = ItemSink::new(
            self.planned,
            self.file,
            self.bytes,
            shared.config,
            shared.destination,
            &shared.clock,
            VideoContext {
                videos: &shared.videos,
                location: location.filter(|_| self.planned.item.member.is_none()),
                progress: self.progress,
            },
        );
        sink.collector = shared.collector;
        sink
    }

    fn convert<'s>(
        &'s self,
        sink: &mut ItemSink<'s>,
        shared: &'s Shared<'_>,
    ) -> Result<Deviations, ConvertError> {
        let planned = self.planned;
        // A panic is a bug of this program; it must fail one item and not the run.
        catch_unwind(AssertUnwindSafe(|| {
            let mut is_repeated = false;
            limits::with_permits(|| {
                if mem::replace(&mut is_repeated, true) {
                    discard(sink, shared);
                    *sink = self.sink(shared);
                }
                self.opened
                    .convert(planned.index, &shared.config.options(), sink)
            })
            .unwrap_or_else(|exceeded| Err(FormatError::from(exceeded).into()))
        }))
        .unwrap_or_else(|_| {
            let reason = "internal error: the converter panicked; please report this file";
            Err(ConvertError::Emit(reason.to_owned()))
        })
    }

    fn report(&self, sink: &mut ItemSink<'_>, elapsed: Duration) -> ItemReport {
        for note in &sink.notes {
            self.log(note);
        }
        ItemReport {
            seconds: elapsed.as_secs_f64(),
            notes: mem::take(&mut sink.notes),
            missing: mem::take(&mut sink.missing),
            checks: sink.checks.take().map(Box::new),
            ..line(self.planned, Status::Converted, None)
        }
    }

    fn log(&self, text: &dyn Display) {
        debug!(
            "{}: {}: {text}",
            self.file.source.path,
            member_of(self.planned)
        );
    }

    fn log_deviations(&self, deviations: &Deviations) {
        for deviation in deviations.described() {
            self.log(deviation);
        }
        for note in deviations.usual_notes() {
            self.log(&note);
        }
        let more = deviations.total() - deviations.described().len() as u64;
        if more > 0 {
            self.log(&format_args!("{more} more deviations"));
        }
    }
}

/// Manifest rows of the written outputs.
pub(in crate::pipeline) fn rows(
    file: &PlannedFile,
    planned: &PlannedItem,
    written: &[Written],
    key: &str,
    origins: &Arc<[ManifestSource]>,
    shared: &Shared<'_>,
) -> Vec<ManifestOutput> {
    let config_digest = shared.digests.of(planned.item.asset);
    let disc = provenance::disc_place(file, planned, &shared.hashes).map(Box::new);
    let cabinet = provenance::cabinet_place(file).map(Box::new);
    let tool = match planned.item.asset {
        AssetKind::Video => shared.videos.used().map(Tool::name),
        _ => None,
    };
    let source = SmolStr::from(&file.source.path);
    let row = |written: &Written| ManifestOutput {
        path: written.path.clone(),
        blake3: written.blake3.clone(),
        size: written.size,
        kind: planned.item.asset,
        input: shared.roots.of(&file.source.path),
        source: source.clone(),
        made_from: SmallVec::new(),
        origins: Arc::clone(origins),
        member: planned.item.member.clone(),
        range: planned.item.range.clone(),
        packing: provenance::packing(file, planned),
        disc: disc.clone(),
        cabinet: cabinet.clone(),
        converter: SmolStr::new_static(CONVERTER),
        tool: tool.clone(),
        config_digest: config_digest.clone(),
        key: key.to_owned(),
    };
    written.iter().map(row).collect()
}

/// Deletes the outputs of an item.
fn discard(sink: &ItemSink<'_>, shared: &Shared<'_>) {
    if let Some(destination) = shared.destination {
        for written in &sink.written {
            if let Err(fault) = destination.folder.remove_file(&written.path) {
                warn!("cannot delete {}: {fault}", written.path);
            }
        }
    }
}

/// Fails an item of a file that could not be read completely and deletes its outputs: outputs made from the
/// rest of the file may be wrong.
pub(in crate::pipeline) fn fail_unread(
    planned: &PlannedItem,
    result: ItemResult,
    reason: &Reason,
    shared: &Shared<'_>,
) -> ItemResult {
    match result.report.status {
        Status::Unchanged | Status::Skipped => return result,
        Status::Converted | Status::Copied | Status::Failed => {}
    }
    let mut failed = ItemResult::failed(planned, reason.clone());
    for output in &result.outputs {
        let Some(destination) = shared.destination else {
            break;
        };
        match destination.folder.remove_file(&output.path) {
            Ok(()) => {
                let note = format!("{} was discarded", output.path);
                failed.report.notes.push(note);
            }
            Err(fault) => warn!("cannot delete {}: {fault}", output.path),
        }
    }
    failed
}

/// Appends a finished item to the journal.
pub(in crate::pipeline) fn record(
    report: &ItemReport,
    outputs: &[ManifestOutput],
    key: &str,
    shared: &Shared<'_>,
) {
    let Some(destination) = shared.destination else {
        return;
    };
    let finished = FinishedLine {
        key,
        origins: outputs.first().map_or(&[], |output| &output.origins),
        outputs: outputs.iter().collect(),
        report,
    };
    if let Err(fault) = destination.work.record(&finished) {
        warn!(
            "cannot write the journal: {fault}; if this run is killed, the next one starts from the beginning"
        );
    }
}
