//! Merges the documents of shards: the report of a run without shards except for times, and its manifest.

use std::collections::HashMap;

use super::folder::ShardFolder;
use crate::pipeline::report::findings;
use crate::pipeline::report::manifest::Manifest;
use crate::pipeline::report::summary::UNREADABLE;
use crate::pipeline::report::{
    InputReport, ItemReport, Report, SourceReport, StageReport, Status, StoreReport, Totals,
};
use relicast_source::names::fold;

/// Manifest of all shards; sources and indices are not sorted yet.
pub(super) fn manifest(folders: &[ShardFolder]) -> Manifest {
    let mut folders = folders.iter();
    let mut manifest = folders
        .next()
        .map_or_else(Manifest::default, |folder| folder.manifest.clone());
    for folder in folders {
        manifest
            .sources
            .extend(folder.manifest.sources.iter().cloned());
        manifest
            .outputs
            .extend(folder.manifest.outputs.iter().cloned());
    }
    manifest.outputs.sort_by(|a, b| a.path.cmp(&b.path));
    manifest
}

/// Report of all shards.
pub(super) fn report(folders: &[ShardFolder], manifest: &Manifest) -> Report {
    let Some(first) = folders.first() else {
        return Report::default();
    };
    let mut sources: Vec<SourceReport> = Vec::new();
    let mut unlisted: Vec<SourceReport> = Vec::new();
    for source in folders.iter().flat_map(|folder| &folder.report.sources) {
        match source.kind == UNREADABLE {
            true => unlisted.push(source.clone()),
            false => sources.push(source.clone()),
        }
    }
    sources.sort_by_cached_key(|source| (fold(&source.path), source.path.clone()));
    sources.append(&mut unlisted);
    let sizes: HashMap<&str, u64> = manifest
        .outputs
        .iter()
        .map(|output| (&*output.path, output.size))
        .collect();
    let mut totals = Totals::default();
    for source in &mut sources {
        settle(source, &sizes, &mut totals);
        totals.count(source);
    }
    totals.outputs = manifest.outputs.len() as u64;
    totals.output_bytes = manifest.outputs.iter().map(|output| output.size).sum();
    let mut tools: Vec<String> = Vec::new();
    for tool in folders.iter().flat_map(|folder| &folder.report.tools) {
        if !tools.contains(tool) {
            tools.push(tool.clone());
        }
    }
    let digest = &first.shard.request_digest;
    let inputs = first.report.inputs.iter().map(|input| InputReport {
        request_digest: digest.clone(),
        ..input.clone()
    });
    Report {
        request_digest: digest.clone(),
        inputs: inputs.collect(),
        shard: None,
        tools,
        store: store(folders),
        stages: stages(folders, &totals),
        totals,
        removed: Vec::new(),
        kept: Vec::new(),
        edited: Vec::new(),
        findings: findings::group(&sources),
        sources,
        ..first.report.clone()
    }
}

/// Use of a store in the runs of all shards, if any had one.
fn store(folders: &[ShardFolder]) -> Option<StoreReport> {
    let mut runs = folders
        .iter()
        .filter_map(|folder| folder.report.store.as_ref());
    let mut sum = runs.next()?.clone();
    runs.for_each(|run| sum.add(run));
    Some(sum)
}

/// Restores the result of a source as the run that made it reported it, and counts the work.
fn settle(source: &mut SourceReport, sizes: &HashMap<&str, u64>, totals: &mut Totals) {
    for item in &mut source.items {
        let made = item.made.take();
        if item.status == Status::Unchanged {
            item.status = match made.map(|made| made.status) {
                Some(Status::Copied) => Status::Copied,
                _ => Status::Converted,
            };
            item.reason = None;
        }
        if !is_done(item) {
            continue;
        }
        let outputs = item.outputs.iter();
        let written = outputs.filter_map(|path| sizes.get(&**path)).sum();
        let entry = totals.assets.entry(item.asset).or_default();
        entry.items += 1;
        entry.source_bytes += made.map_or(0, |made| made.source_bytes);
        entry.output_bytes += made.map_or(written, |made| made.output_bytes);
        entry.seconds += item.seconds;
    }
    if source.status < Status::Skipped && !source.items.is_empty() {
        source.status = SourceReport::status_of_items(&source.items);
    }
}

/// Returns true for an item that was converted or copied.
fn is_done(item: &ItemReport) -> bool {
    matches!(item.status, Status::Converted | Status::Copied)
}

/// The stages: seconds of all shards, items and bytes of the whole run.
fn stages(folders: &[ShardFolder], totals: &Totals) -> Vec<StageReport> {
    let files = folders
        .first()
        .map_or(0, |folder| folder.shard.planned_files);
    let assets = || totals.assets.values();
    let items = assets().map(|asset| asset.items).sum();
    let source_bytes = assets().map(|asset| asset.source_bytes).sum();
    let output_bytes = assets().map(|asset| asset.output_bytes).sum();
    let stage = |name: &str, items, bytes| {
        let all = folders.iter().flat_map(|folder| &folder.report.stages);
        let same = all.filter(|stage| stage.stage == name);
        StageReport {
            stage: name.to_owned(),
            seconds: same.map(|stage| stage.seconds).sum(),
            items,
            bytes,
        }
    };
    vec![
        stage("plan", files, totals.bytes),
        stage("read", files, totals.bytes),
        stage("convert", items, source_bytes),
        stage("emit", items, output_bytes),
        stage("write", items, output_bytes),
    ]
}
