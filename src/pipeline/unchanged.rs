//! Tells what need not be done again.

use rayon::prelude::*;

use super::manifest::CONVERTER;
use super::plan::{PlannedFile, PlannedPart};
use super::report::{Report, Status, Totals};
use super::run::Request;
use super::state::Previous;
use super::video::NO_FFMPEG;
use crate::config::{Config, Unchanged};
use crate::source::tree::Tree;

/// Digest of all that decides what a run over given files does: version, settings, selection.
pub(super) fn request_digest(request: &Request) -> String {
    let run = &request.config.run;
    let selection = (&request.only, &run.include, &run.exclude, run.game);
    let text = serde_json::to_vec(&(CONVERTER, request.config.digest(), selection));
    let hex = blake3::hash(&text.unwrap_or_default()).to_hex();
    hex.chars().take(16).collect()
}

/// Whether the run before was whole and nothing that it depends on has changed: the same request over
/// files of the same names, sizes and times, and every output still as it was written. What a run does
/// follows from these alone, so no plan need be made.
pub(super) fn still_stands(request: &Request, previous: &Previous, tree: &Tree) -> bool {
    let config = &request.config;
    let Some((manifest, report)) = previous.found() else {
        return false;
    };
    let same_setup = previous.complete
        && report.complete
        && config.run.unchanged == Unchanged::Time
        && report.request_digest == request_digest(request)
        && report.count(Status::Failed) == 0
        && !report
            .totals
            .skipped
            .keys()
            .any(|reason| reason.starts_with(NO_FFMPEG))
        && !(config.run.strict && report.totals.deviations > 0);
    let same_files = same_setup
        && tree.faults.is_empty()
        && tree.files.len() == report.sources.len()
        && tree
            .files
            .iter()
            .zip(&report.sources)
            .all(|(file, before)| {
                file.path == before.path
                    && file.size == before.size
                    && file.modified == before.modified
            });
    same_files
        && manifest
            .outputs
            .par_iter()
            .all(|output| previous.stands(output, &request.out))
}

/// Marks everything that was done as unchanged.
pub(super) fn settle(report: &mut Report) {
    for source in &mut report.sources {
        for status in source
            .parts
            .iter_mut()
            .map(|part| &mut part.status)
            .chain([&mut source.status])
        {
            if matches!(status, Status::Converted | Status::Copied) {
                *status = Status::Unchanged;
            }
        }
    }
    let mut totals = Totals {
        outputs: report.totals.outputs,
        output_bytes: report.totals.output_bytes,
        ..Totals::default()
    };
    for source in &report.sources {
        totals.count(source);
    }
    report.totals = totals;
}

/// Digest of all that a part's outputs depend on. `around` is the [digest](super::companions::digest) of
/// what it takes from other places than the bytes of its file, whose BLAKE3 is `blake3`.
pub(super) fn part_key(
    file: &PlannedFile,
    planned: &PlannedPart,
    blake3: &str,
    around: &str,
    config: &Config,
) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    field(CONVERTER.as_bytes());
    field(config.digest_for(planned.part.asset).as_bytes());
    field(blake3.as_bytes());
    field(file.source.path.as_bytes());
    field(&(planned.index as u64).to_le_bytes());
    field(around.as_bytes());
    for output in &planned.outputs {
        field(output.path.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}
