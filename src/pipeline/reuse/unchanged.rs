//! Detects results of earlier runs that are up to date.

use rayon::prelude::*;

use super::state::Previous;
use crate::config::{KindDigests, Unchanged};
use crate::pipeline::plan::cut::digest_of_files;
use crate::pipeline::plan::inputs::Roots;
use crate::pipeline::plan::planned::{PlannedFile, PlannedItem};
use crate::pipeline::report::manifest::{CONVERTER, Manifest, ManifestInput};
use crate::pipeline::report::{InputReport, Report, SourceReport, Status, Totals};
use crate::pipeline::request::Request;
use relicast_convert::SkipCode;
use relicast_source::names::fold;
use relicast_source::tree::Tree;

/// Digest of everything that determines a run over given files: version, settings, selection, and the set of
/// inputs.
pub(in crate::pipeline) fn request_digest(request: &Request, roots: &Roots) -> String {
    let run = &request.config.run;
    let selection = (&request.only, &run.include, &run.exclude, run.game);
    let ways = (request.keep, request.no_needs);
    let setup = (CONVERTER, request.config.digest(), selection);
    let identity = roots.identity();
    let text = match request.shard {
        None => serde_json::to_vec(&(setup, ways, identity)),
        Some(shard) => serde_json::to_vec(&(setup, ways, identity, shard)),
    };
    let hex = blake3::hash(&text.unwrap_or_default()).to_hex();
    hex.chars().take(16).collect()
}

/// Returns whether the last run over these inputs was complete and its dependencies are unchanged: the request,
/// the names, sizes and times of all files, and every output. A run depends on nothing else, so no plan is
/// needed.
pub(in crate::pipeline) fn is_up_to_date(
    request: &Request,
    previous: &Previous,
    roots: &Roots,
    tree: &Tree,
) -> bool {
    let config = &request.config;
    let Some((manifest, report)) = previous.found() else {
        return false;
    };
    let digest = request_digest(request, roots);
    let reports: Vec<&InputReport> = input_reports(report)
        .filter(|report| {
            roots.has(report.input) && report.complete && report.request_digest == digest
        })
        .collect();
    let whole = |input: &&ManifestInput| roots.has(input.input) && input.complete;
    let same_setup = !request.force
        && previous.is_sealed
        && !previous.was_killed()
        && previous.strangers.is_empty()
        && previous.refused.is_empty()
        && reports.len() == roots.0.len()
        && manifest.inputs.iter().filter(whole).count() == roots.0.len()
        && config.run.unchanged == Unchanged::Time
        && tree.faults.is_empty();
    if !same_setup {
        return false;
    }
    let sources = sources(report, roots);
    let same_files = match &report.shard {
        // A shard only reports on its own files.
        Some(shard) => shard.tree == digest_of_files(tree.files.iter()),
        None => are_same(tree, &sources),
    };
    if !same_files {
        return false;
    }
    let totals = Totals::of(sources.into_iter());
    let unsettled = totals.items.contains_key(&Status::Failed)
        || totals.skipped_for(SkipCode::NoFfmpeg) > 0
        || (config.run.strict && totals.deviations > 0);
    !unsettled
        && manifest
            .outputs
            .par_iter()
            .filter(|output| roots.has(output.input))
            .all(|output| previous.is_unchanged(output, &request.out))
}

/// Returns whether the files match those of the report by name, size and time.
fn are_same(tree: &Tree, sources: &[&SourceReport]) -> bool {
    tree.files.len() == sources.len()
        && tree.files.iter().zip(sources).all(|(file, before)| {
            file.path == before.path && file.size == before.size && file.modified == before.modified
        })
}

/// Report entry of each input from its last run.
fn input_reports(report: &Report) -> impl Iterator<Item = &InputReport> {
    let others = report.others.iter().map(|other| &other.input_report);
    report.inputs.iter().chain(others)
}

/// Report entries of the sources of these inputs, in tree order.
fn sources<'a>(report: &'a Report, roots: &Roots) -> Vec<&'a SourceReport> {
    let others = report.others.iter().flat_map(|other| &other.sources);
    let mut sources: Vec<&SourceReport> = report
        .sources
        .iter()
        .chain(others)
        .filter(|source| roots.has(source.input))
        .collect();
    if !report.others.is_empty() {
        sources.sort_by_cached_key(|source| (fold(&source.path), &source.path));
    }
    sources
}

/// Report of a run with nothing to do: everything is unchanged.
pub(in crate::pipeline) fn mark_unchanged(
    manifest: &Manifest,
    mut report: Report,
    roots: &Roots,
) -> Report {
    let mut sources: Vec<SourceReport> = sources(&report, roots).into_iter().cloned().collect();
    for source in &mut sources {
        for status in source
            .items
            .iter_mut()
            .map(|item| &mut item.status)
            .chain([&mut source.status])
        {
            if matches!(status, Status::Converted | Status::Copied) {
                *status = Status::Unchanged;
            }
        }
    }
    let outputs = manifest.outputs.iter();
    let sizes = outputs
        .filter(|output| roots.has(output.input))
        .map(|output| output.size);
    let (outputs, output_bytes) = sizes.fold((0, 0), |(count, sum), size| (count + 1, sum + size));
    report.totals = Totals {
        outputs,
        output_bytes,
        ..Totals::of(sources.iter())
    };
    report.sources = sources;
    report
}

/// Digest of everything that affects an item's outputs. `blake3` is the hash of its file, `around` the
/// [digest](crate::pipeline::run::open_dependencies::digest) of its dependencies.
pub(in crate::pipeline) fn item_key(
    file: &PlannedFile,
    planned: &PlannedItem,
    blake3: &str,
    around: &str,
    digests: &KindDigests<'_>,
) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    field(CONVERTER.as_bytes());
    field(digests.of(planned.item.asset).as_bytes());
    field(blake3.as_bytes());
    field(file.source.path.as_bytes());
    field(&(planned.index as u64).to_le_bytes());
    field(around.as_bytes());
    for output in &planned.outputs {
        field(output.path.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}
