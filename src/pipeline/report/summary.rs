//! Builds report and manifest of a run: counts, times, results.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::findings;
use super::manifest::{CONVERTER, Manifest, ManifestInput};
use super::reason::{FailureCode, Reason};
use super::{Faults, GameReport, Report, SourceReport, StageReport, Status, Totals};
use crate::pipeline::census;
use crate::pipeline::plan::cut;
use crate::pipeline::plan::planned::Plan;
use crate::pipeline::request::Request;
use crate::pipeline::reuse::state::Others;
use crate::pipeline::reuse::unchanged::request_digest;
use crate::pipeline::run::file::FileResult;
use crate::pipeline::run::shared::Shared;
use crate::pipeline::shard::ShardReport;
use relicast_source::known::Survey;
use relicast_source::tree::ListingFault;

/// Kind label of places that could not be listed.
pub(in crate::pipeline) const UNREADABLE: &str = "unreadable";

/// Builder of the report and manifest at the end of a run.
pub(in crate::pipeline) struct Summary<'a, 's> {
    pub(in crate::pipeline) request: &'a Request,
    pub(in crate::pipeline) plan: &'a Plan,
    pub(in crate::pipeline) shared: &'a Shared<'s>,
    /// Time of planning in seconds.
    pub(in crate::pipeline) planned: f64,
    pub(in crate::pipeline) cancelled: bool,
}

impl Summary<'_, '_> {
    /// Collects the results of every file.
    pub(in crate::pipeline) fn of(
        self,
        results: Vec<FileResult>,
        survey: Survey,
    ) -> (Report, Manifest) {
        let mut totals = Totals::default();
        let mut sources = Vec::with_capacity(results.len());
        let mut manifest = head_of_manifest(self.request, self.shared, self.cancelled);
        let mut rows = Vec::with_capacity(results.len());
        for result in results {
            for work in result.work {
                let entry = totals.assets.entry(work.asset).or_default();
                entry.items += 1;
                entry.source_bytes += work.source_bytes;
                entry.output_bytes += work.output_bytes;
                entry.seconds += work.seconds;
            }
            manifest.sources.extend(result.source);
            rows.push(result.outputs);
            sources.push(result.report);
        }
        // For shards, the first one reports what belongs to no file.
        let is_first = (self.request.shard).is_none_or(|shard| shard.number == 1);
        for fault in self.plan.faults.iter().filter(|_| is_first) {
            sources.push(unreadable(fault, self.shared));
        }
        let join_rows = || {
            // Rows are many and large: growing the lists by doubling would use twice the memory.
            let count = rows.iter().map(Vec::len).sum();
            manifest.outputs.reserve_exact(count);
            manifest.outputs.extend(rows.into_iter().flatten());
        };
        let count = || {
            for source in &sources {
                totals.count(source);
            }
            findings::group(&sources)
        };
        let (findings, ()) = rayon::join(count, join_rows);
        totals.outputs = manifest.outputs.len() as u64;
        totals.output_bytes = manifest.outputs.iter().map(|output| output.size).sum();
        let report = Report {
            findings,
            sources,
            ..self.report(totals, survey)
        };
        (report, manifest)
    }

    /// Report of the run, without the entries of files.
    fn report(&self, totals: Totals, survey: Survey) -> Report {
        let &Self {
            request,
            plan,
            shared,
            ..
        } = self;
        let digest = request_digest(request, shared.roots);
        let tool = shared.videos.used().map(ToString::to_string);
        let destination = shared.destination.as_ref();
        Report {
            converter: CONVERTER.to_owned(),
            config_digest: request.config.digest(),
            complete: !self.cancelled,
            inputs: shared.roots.reports(&digest, !self.cancelled),
            shard: request.shard.map(|shard| ShardReport {
                shard,
                plan: cut::digest(plan),
                planned_files: plan.files.len() as u64,
                tree: cut::digest_of_files(plan.files.iter().map(|file| &file.source)),
                request_digest: request_digest(&whole_of(request), shared.roots),
            }),
            request_digest: digest,
            games: games(plan),
            unknown_variant: survey.unknown_variant(CONVERTER),
            editions: survey.editions,
            census: census::differences(&plan.files),
            foreign: survey.foreign,
            tools: tool.into_iter().collect(),
            store: destination.and_then(|destination| Some(destination.store?.report())),
            stages: stages(plan, shared, self.planned, &totals),
            totals,
            removed: Vec::new(),
            kept: Vec::new(),
            edited: Vec::new(),
            findings: Vec::new(),
            sources: Vec::new(),
            others: Vec::new(),
        }
    }
}

/// Request of the whole run that a shard belongs to.
fn whole_of(request: &Request) -> Request {
    Request {
        shard: None,
        ..request.clone()
    }
}

/// Manifest of a run, without sources and outputs.
fn head_of_manifest(request: &Request, shared: &Shared<'_>, cancelled: bool) -> Manifest {
    let config = &request.config;
    let roots = shared.roots.0.iter();
    Manifest {
        converter: CONVERTER.to_owned(),
        config_digest: config.digest(),
        complete: !cancelled,
        settings: BTreeMap::from([(config.digest(), config.of_outputs())]),
        inputs: roots
            .map(|root| ManifestInput {
                input: root.number,
                prefix: root.prefix.clone(),
                converter: CONVERTER.to_owned(),
                config_digest: config.digest(),
                complete: !cancelled,
            })
            .collect(),
        sources: Vec::new(),
        outputs: Vec::new(),
    }
}

/// Report entry for a place that could not be listed.
fn unreadable(fault: &ListingFault, shared: &Shared<'_>) -> SourceReport {
    SourceReport {
        input: shared.roots.of_place(&fault.location),
        path: fault.location.display().to_string(),
        size: 0,
        modified: 0,
        blake3: None,
        kind: UNREADABLE.to_owned(),
        game: None,
        status: Status::Failed,
        reason: Some(Reason::failure(
            FailureCode::Unreadable,
            fault.error.to_string(),
        )),
        deviations: Faults::default(),
        notes: Vec::new(),
        items: Vec::new(),
    }
}

/// Adds entries of other inputs and sorts everything.
pub(in crate::pipeline) fn add_others(
    manifest: &mut Manifest,
    report: &mut Report,
    others: &Others,
) {
    manifest.inputs.extend(others.inputs.iter().cloned());
    manifest.sources.extend(others.sources.iter().cloned());
    manifest.outputs.extend(others.outputs.iter().cloned());
    manifest.complete = manifest.inputs.iter().all(|input| input.complete);
    manifest.inputs.sort_by_key(|input| input.input);
    let outputs = &mut manifest.outputs;
    outputs.par_sort_by(|a, b| a.path.cmp(&b.path));
    for digest in others.inputs.iter().map(|input| &input.config_digest) {
        if let Some(settings) = others.settings.get(digest) {
            let known = manifest.settings.entry(digest.clone());
            known.or_insert_with(|| settings.clone());
        }
    }
    manifest.link();
    report.others.clone_from(&others.reports);
}

fn games(plan: &Plan) -> Vec<GameReport> {
    plan.detection
        .games()
        .into_iter()
        .map(|(game, evidence)| GameReport {
            game,
            title: game.title().to_owned(),
            evidence: match evidence {
                Some(evidence) => format!("{} in {}", evidence.reason, evidence.path),
                None => "set by the user".to_owned(),
            },
        })
        .collect()
}

fn stages(plan: &Plan, shared: &Shared<'_>, planned: f64, totals: &Totals) -> Vec<StageReport> {
    let seconds = |nanoseconds: &AtomicU64| {
        #[expect(clippy::cast_precision_loss, reason = "a time for display")]
        let nanoseconds = nanoseconds.load(Ordering::Relaxed) as f64;
        nanoseconds / 1e9
    };
    let source_bytes = totals.assets.values().map(|asset| asset.source_bytes).sum();
    let output_bytes = totals.assets.values().map(|asset| asset.output_bytes).sum();
    let items = totals.assets.values().map(|asset| asset.items).sum();
    let stage = |stage: &str, seconds, items, bytes| StageReport {
        stage: stage.to_owned(),
        seconds,
        items,
        bytes,
    };
    vec![
        stage("plan", planned, plan.files.len() as u64, totals.bytes),
        stage(
            "read",
            seconds(&shared.clock.read),
            plan.files.len() as u64,
            totals.bytes,
        ),
        stage(
            "convert",
            seconds(&shared.clock.convert),
            items,
            source_bytes,
        ),
        stage("emit", seconds(&shared.clock.emit), items, output_bytes),
        stage("write", seconds(&shared.clock.write), items, output_bytes),
    ]
}
