//! Reuses items that an earlier run with the same store converted from the same bytes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tracing::{debug, warn};

use super::store::{Entry, EntryOutput, Store};
use crate::pipeline::output::Written;
use crate::pipeline::output::destination::Destination;
use crate::pipeline::plan::planned::{PlannedFile, PlannedItem};
use crate::pipeline::report::manifest::ManifestSource;
use crate::pipeline::report::{ItemReport, Status};
use crate::pipeline::run::item::{ItemResult, line, record, rows};
use crate::pipeline::run::shared::Shared;
use relicast_emit::video::tool::Tool;
use relicast_formats::asset::AssetKind;

/// Name of an item in a store. `key` is the key of its outputs, and covers all bytes and settings that they are
/// made from; within one folder everything else is constant between runs.
fn name(file: &PlannedFile, planned: &PlannedItem, key: &str) -> String {
    let item = &planned.item;
    let game = file.game.map(|game| game.title());
    let text = serde_json::to_vec(&(
        key,
        file.kind.label(),
        game,
        item.kind.label(),
        item.asset,
        &item.member,
    ));
    blake3::hash(&text.unwrap_or_default()).to_hex().to_string()
}

/// External program that would convert the item now.
fn tool(planned: &PlannedItem, shared: &Shared<'_>) -> Option<String> {
    match planned.item.asset {
        AssetKind::Video => shared.videos.available().map(Tool::name),
        _ => None,
    }
}

/// Takes the outputs of an item from the store, if it has all of them.
pub(in crate::pipeline) fn take(
    file: &PlannedFile,
    planned: &PlannedItem,
    key: &str,
    origins: &Arc<[ManifestSource]>,
    shared: &Shared<'_>,
) -> Option<ItemResult> {
    let destination = shared.destination?;
    let store = destination.store?;
    if shared.cancel.load(Ordering::Relaxed) {
        return None;
    }
    let start = Instant::now();
    let entry = store.entry(&name(file, planned, key))?;
    let is_planned = |path: &str| (planned.outputs.iter()).any(|output| output.path == path);
    let strict = shared.config.run.strict && !entry.deviations.is_empty();
    let mut outputs = entry.outputs.iter();
    let is_whole =
        outputs.all(|output| is_planned(&output.path) && store.holds(&output.blake3, output.size));
    if strict || !is_whole || entry.tool != tool(planned, shared) {
        return None;
    }
    let written = place(&entry, destination)?;
    store.count_item();
    for note in &entry.notes {
        debug!("{}: {note}", file.source.path);
    }
    let outputs = rows(file, planned, &written, key, origins, shared);
    let report = ItemReport {
        outputs: outputs.iter().map(|output| output.path.clone()).collect(),
        deviations: entry.deviations,
        notes: entry.notes,
        missing: entry.missing,
        checks: entry.checks.map(Box::new),
        seconds: start.elapsed().as_secs_f64(),
        ..line(planned, entry.status, None)
    };
    record(&report, &outputs, key, shared);
    Some(ItemResult {
        report,
        written_bytes: outputs.iter().map(|output| output.size).sum(),
        outputs,
    })
}

/// Writes the outputs of an entry; deletes all of them if one cannot be written.
fn place(entry: &Entry, destination: &Destination<'_>) -> Option<Vec<Written>> {
    let mut written: Vec<Written> = Vec::new();
    for output in &entry.outputs {
        let EntryOutput { path, blake3, size } = output;
        if let Err(fault) = destination.take(path, blake3, *size) {
            debug!("cannot take {path} from the store: {fault}");
            for done in &written {
                if let Err(fault) = destination.folder.remove_file(&done.path) {
                    warn!("cannot delete {}: {fault}", done.path);
                }
            }
            return None;
        }
        written.push(Written {
            path: path.clone(),
            blake3: blake3.clone(),
            size: *size,
            copied: entry.status == Status::Copied,
        });
    }
    Some(written)
}

/// Stores the result of an item, if it is complete.
pub(in crate::pipeline) fn keep(
    file: &PlannedFile,
    planned: &PlannedItem,
    done: &ItemResult,
    shared: &Shared<'_>,
) {
    let store: Option<&Store> = shared.destination.and_then(|destination| destination.store);
    let (Some(store), Some(first)) = (store, done.outputs.first()) else {
        return;
    };
    let report = &done.report;
    let is_done = matches!(report.status, Status::Converted | Status::Copied);
    let mut outputs = done.outputs.iter();
    if !is_done || !outputs.all(|output| store.is_known(&output.blake3)) {
        return;
    }
    let name = name(file, planned, &first.key);
    let outputs = done.outputs.iter().map(|output| EntryOutput {
        path: output.path.clone(),
        blake3: output.blake3.clone(),
        size: output.size,
    });
    let entry = Entry {
        outputs: outputs.collect(),
        status: report.status,
        deviations: report.deviations.clone(),
        notes: report.notes.clone(),
        missing: report.missing.clone(),
        checks: report.checks.as_deref().cloned(),
        tool: first.tool.clone(),
    };
    if store.entry(&name).as_ref() == Some(&entry) {
        return;
    }
    if let Err(fault) = store.keep(&name, &entry) {
        store.count_fault();
        debug!("cannot write to the store: {fault}");
    }
}
