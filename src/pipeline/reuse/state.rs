//! State of the previous run, so that a run redoes only what changed and resumes an interrupted one.
//!
//! A finished or interrupted run leaves `manifest.json` and `report.json`, a killed run its
//! [journal](super::journal).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::finished::{Finished, is_whole};
use super::journal::{Journal, modified};
use crate::pipeline::plan::inputs::{Known, Roots};
use crate::pipeline::plan::planned::PlannedOutput;
use crate::pipeline::report::documents::{Document, is_as_written, is_output};
use crate::pipeline::report::manifest::{
    self, CONVERTER, InputNumber, Manifest, ManifestInput, ManifestOutput, ManifestSource,
};
use crate::pipeline::report::{self, InputReport, ItemReport, OtherInput, Report, SourceReport};
use crate::pipeline::shard::Shard;

/// Source as recorded by the previous run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenSource {
    /// Size in bytes.
    pub size: u64,
    /// Modification time.
    pub modified: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// Records of earlier runs.
#[derive(Debug, Default)]
pub struct Previous {
    /// Finished items of this run's inputs by key.
    pub items: HashMap<String, Finished>,
    /// Sources of this run's inputs by path.
    pub sources: HashMap<String, SeenSource>,
    /// All outputs written from this run's inputs, by path.
    pub outputs: HashMap<String, ManifestOutput>,
    /// Sources of those outputs, by path, from the manifest.
    pub origins: HashMap<String, ManifestSource>,
    /// Records of other inputs.
    pub others: Others,
    /// Ignored paths in the documents that are outside the output folder or cannot be outputs.
    pub refused: Vec<String>,
    /// Files with the names of documents that were not written by a run.
    pub strangers: Vec<&'static str>,
    /// True if manifest and report are unchanged or missing.
    pub(in crate::pipeline) is_sealed: bool,
    /// True if size and time suffice to treat an output as unchanged.
    trusts_times: bool,
    found: Option<(Manifest, Report)>,
    journal: Journal,
    /// Modification time of the manifest when it was read.
    stamp: Option<SystemTime>,
    written: HashMap<InputNumber, SystemTime>,
}

/// Records of inputs that are not part of this run, copied to its documents unchanged.
#[derive(Debug, Default)]
pub struct Others {
    /// The inputs.
    pub inputs: Vec<ManifestInput>,
    /// Settings of their last runs, by digest.
    pub settings: BTreeMap<String, serde_json::Value>,
    /// Their sources.
    pub sources: Vec<ManifestSource>,
    /// Their outputs.
    pub outputs: Vec<ManifestOutput>,
    /// Their entries in the report.
    pub reports: Vec<OtherInput>,
}

impl Previous {
    /// Reads the state of `out`. Missing or unreadable files are ignored. With `trusts_times`, an output with
    /// the recorded size and no later modification time counts as unchanged.
    pub fn load(out: &Path, trusts_times: bool) -> Self {
        let mut previous = Self {
            trusts_times,
            is_sealed: true,
            ..Self::default()
        };
        let manifest_path = out.join(manifest::FILE_NAME);
        let report_path = out.join(report::FILE_NAME);
        previous.stamp = modified(&manifest_path);
        let ((manifest, manifest_seal), (report, report_seal)) = rayon::join(
            || Document::<Manifest>::read(&manifest_path),
            || Document::<Report>::read(&report_path),
        );
        if matches!(manifest, Document::Stranger) {
            previous.strangers.push(manifest::FILE_NAME);
        }
        if matches!(report, Document::Stranger) {
            previous.strangers.push(report::FILE_NAME);
        }
        if let Document::Ours(mut manifest) = manifest {
            let mut report = match report {
                Document::Ours(report) => report,
                _ => Report::default(),
            };
            manifest.unlink();
            // Outputs of versions before the seal cannot be reused.
            let is_right = |seal: Option<bool>, converter: &str| match seal {
                Some(fits) => fits,
                None => converter != CONVERTER,
            };
            previous.is_sealed = is_right(manifest_seal, &manifest.converter)
                && is_right(report_seal, &report.converter);
            if !previous.is_sealed {
                distrust(&mut manifest, &mut report);
            }
            previous.migrate(&mut manifest, &mut report);
            let written = previous.stamp;
            for input in &manifest.inputs {
                let mut others = report.others.iter();
                let other = others.find(|other| other.input_report.input == input.input);
                let time = other.map_or(written, |other| {
                    Some(UNIX_EPOCH + Duration::from_nanos(other.written))
                });
                previous
                    .written
                    .extend(time.map(|written| (input.input, written)));
            }
            previous.found = Some((manifest, report));
        }
        previous.journal = Journal::read(out);
        let journal = &mut previous.journal;
        let refused = &mut previous.refused;
        journal.items.retain(|finished| {
            let mut outputs = finished.outputs.iter();
            let safe = outputs.all(|output| is_output(&output.path));
            if !safe {
                refused.extend(finished.outputs.iter().map(|output| output.path.clone()));
            }
            safe
        });
        let paths = journal.items.iter().flat_map(|item| &item.outputs);
        journal.outputs = paths.map(|output| output.path.clone()).collect();
        previous
    }

    /// Adds the input to documents of version 0.1, which had only one, and removes invalid output paths,
    /// because documents may have been edited.
    fn migrate(&mut self, manifest: &mut Manifest, report: &mut Report) {
        manifest.outputs.retain(|output| {
            let safe = is_output(&output.path);
            if !safe {
                self.refused.push(output.path.clone());
            }
            safe
        });
        let listed: HashSet<InputNumber> =
            manifest.inputs.iter().map(|input| input.input).collect();
        let outputs = manifest.outputs.iter().map(|output| output.input);
        let sources = manifest.sources.iter().map(|source| source.input);
        let unlisted: BTreeSet<InputNumber> = outputs
            .chain(sources)
            .filter(|input| !listed.contains(input))
            .collect();
        for input in unlisted {
            manifest.inputs.push(ManifestInput {
                input,
                prefix: String::new(),
                converter: manifest.converter.clone(),
                config_digest: manifest.config_digest.clone(),
                complete: manifest.complete,
            });
        }
        if report.inputs.is_empty() {
            let first = manifest.inputs.iter().find(|input| input.input.is_first());
            report.inputs.extend(first.map(|first| InputReport {
                input: first.input,
                path: None,
                prefix: first.prefix.clone(),
                request_digest: report.request_digest.clone(),
                complete: report.complete,
            }));
        }
    }

    /// Inputs known from earlier runs.
    pub fn known(&self) -> Vec<Known> {
        let mut known: BTreeMap<InputNumber, Known> = BTreeMap::new();
        for input_report in &self.journal.inputs {
            let entry = known.entry(input_report.input).or_default();
            entry.input_report.clone_from(input_report);
        }
        let Some((manifest, report)) = &self.found else {
            return known.into_values().collect();
        };
        for input in &manifest.inputs {
            let entry = known.entry(input.input).or_default();
            entry.input_report.input = input.input;
            entry.input_report.prefix.clone_from(&input.prefix);
        }
        let others = report.others.iter();
        let others = others.map(|other| (&other.input_report, &other.sources));
        let own = report
            .inputs
            .iter()
            .map(|input_report| (input_report, &report.sources));
        for (input_report, sources) in own.chain(others) {
            let entry = known.entry(input_report.input).or_default();
            entry.input_report.clone_from(input_report);
            let sources = sources
                .iter()
                .filter(|source| source.input == input_report.input);
            entry.sources.extend(sources.map(|source| {
                let path = source.path.strip_prefix(&input_report.prefix);
                (path.unwrap_or(&source.path).to_owned(), source.size)
            }));
        }
        for source in &manifest.sources {
            if let Some(entry) = known.get_mut(&source.input) {
                let path = source.path.strip_prefix(&entry.input_report.prefix);
                let path = path.unwrap_or(&source.path).to_owned();
                entry.sources.insert((path, source.size));
            }
        }
        known.into_values().collect()
    }

    /// Manifest and report of the previous run, before they are [indexed](Self::index).
    pub fn found(&self) -> Option<(&Manifest, &Report)> {
        self.found
            .as_ref()
            .map(|(manifest, report)| (manifest, report))
    }

    /// Returns whether no other run has ended in `out` since this was read.
    pub fn is_current(&self, out: &Path) -> bool {
        modified(&out.join(manifest::FILE_NAME)) == self.stamp
    }

    /// Shard of this folder; `None` for the folder of a whole run, or of no run. Only valid before the
    /// documents are [indexed](Self::index).
    pub fn shard(&self) -> Option<Shard> {
        self.journal.shard.unwrap_or_else(|| {
            let (_, report) = self.found.as_ref()?;
            Some(report.shard.as_ref()?.shard)
        })
    }

    /// Returns whether no run has written to the folder; one that was killed before its first line in the
    /// journal had written nothing. Only valid before the documents are [indexed](Self::index).
    pub fn is_empty(&self) -> bool {
        self.found.is_none() && self.journal.shard.is_none()
    }

    /// Returns whether a run was killed before it wrote its documents.
    pub fn was_killed(&self) -> bool {
        self.journal.written.is_some()
    }

    /// Returns the documents of the previous run, for a run with nothing to do.
    pub fn take_found(&mut self) -> Option<(Manifest, Report)> {
        self.found.take()
    }

    /// Indexes items, sources and outputs of `roots`, and sets the rest aside. A run that changes nothing does
    /// not need it.
    pub fn index(&mut self, roots: &Roots) {
        let (manifest, report) = self.found.take().unwrap_or_default();
        let Manifest {
            inputs,
            sources,
            outputs,
            settings,
            ..
        } = manifest;
        self.others.settings = settings;
        let same_place: HashSet<InputNumber> = roots
            .0
            .iter()
            .filter(|root| root.before.as_ref() == Some(&root.prefix))
            .map(|root| root.number)
            .collect();
        self.others.inputs = inputs;
        self.others.inputs.retain(|input| !roots.has(input.input));
        for input_report in &self.journal.inputs {
            let listed = self
                .others
                .inputs
                .iter()
                .any(|input| input.input == input_report.input);
            if !roots.has(input_report.input) && !listed {
                self.others.inputs.push(ManifestInput {
                    input: input_report.input,
                    prefix: input_report.prefix.clone(),
                    converter: CONVERTER.to_owned(),
                    config_digest: String::new(),
                    complete: false,
                });
            }
        }
        let lines = self.take_report_lines(report, roots, &same_place);
        for source in sources {
            if roots.has(source.input) {
                self.origins.insert(source.path.clone(), source);
            } else {
                self.others.sources.push(source)
            }
        }
        let mut all: BTreeMap<String, ManifestOutput> = outputs
            .into_iter()
            .map(|output| (output.path.clone(), output))
            .collect();
        let journal = std::mem::take(&mut self.journal.items);
        for output in journal.iter().flat_map(|finished| &finished.outputs) {
            all.insert(output.path.clone(), output.clone());
        }
        for (path, output) in all {
            if !roots.has(output.input) {
                self.others.outputs.push(output);
                continue;
            }
            self.outputs.insert(path.clone(), output.clone());
            let line = lines.get(&path);
            let Some(line) = line.filter(|_| same_place.contains(&output.input)) else {
                continue;
            };
            self.items
                .entry(output.key.clone())
                .or_insert_with(|| Finished {
                    key: output.key.clone(),
                    origins: Vec::new(),
                    outputs: Vec::new(),
                    report: line.clone(),
                })
                .outputs
                .push(output);
        }
        for finished in journal {
            self.items.insert(finished.key.clone(), finished);
        }
    }

    /// Splits the report: sources of this run are indexed, records of other inputs are stored. Returns the
    /// reports of items by output path.
    fn take_report_lines(
        &mut self,
        report: Report,
        roots: &Roots,
        same_place: &HashSet<InputNumber>,
    ) -> HashMap<String, ItemReport> {
        let mut inputs = report.others;
        let mut of_last: BTreeMap<InputNumber, Vec<SourceReport>> = BTreeMap::new();
        for source in report.sources {
            of_last.entry(source.input).or_default().push(source);
        }
        for input_report in report.inputs {
            let sources = of_last.remove(&input_report.input).unwrap_or_default();
            let written = self.written.get(&input_report.input).copied();
            inputs.push(OtherInput {
                input_report,
                written: nanoseconds(written),
                sources,
            });
        }
        let mut lines = HashMap::new();
        for input in inputs {
            if !roots.has(input.input_report.input) {
                self.others.reports.push(input);
                continue;
            }
            if !same_place.contains(&input.input_report.input) {
                continue;
            }
            for source in input.sources {
                if let Some(blake3) = source.blake3 {
                    let seen = SeenSource {
                        size: source.size,
                        modified: source.modified,
                        blake3,
                    };
                    self.sources.insert(source.path, seen);
                }
                for item in source.items {
                    for output in &item.outputs {
                        lines.insert(output.clone(), item.clone());
                    }
                }
            }
        }
        for input_report in &self.journal.inputs {
            let mut reports = self.others.reports.iter();
            if !roots.has(input_report.input)
                && !reports.any(|report| report.input_report.input == input_report.input)
            {
                self.others.reports.push(OtherInput {
                    input_report: input_report.clone(),
                    written: nanoseconds(self.journal.written),
                    sources: Vec::new(),
                });
            }
        }
        self.others
            .reports
            .sort_by_key(|other| other.input_report.input);
        lines
    }

    /// Finished item with this key, if its outputs are among `planned` and all are unchanged in `out`. An
    /// output modified after the manifest was written is read and compared.
    pub fn reusable(&self, key: &str, planned: &[PlannedOutput], out: &Path) -> Option<&Finished> {
        let finished = self.items.get(key)?;
        (is_whole(finished, planned)
            && finished
                .outputs
                .iter()
                .all(|output| self.is_unchanged(output, out)))
        .then_some(finished)
    }

    /// Returns whether an output is unchanged in `out`.
    pub(in crate::pipeline) fn is_unchanged(&self, output: &ManifestOutput, out: &Path) -> bool {
        let path = out.join(&output.path);
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            return false;
        };
        if !metadata.is_file() || metadata.len() != output.size {
            return false;
        }
        let written = if self.journal.outputs.contains(&output.path) {
            self.journal.written
        } else {
            self.written.get(&output.input).copied()
        };
        match (metadata.modified(), written) {
            (Ok(modified), Some(written)) if self.trusts_times && modified <= written => true,
            _ => is_as_written(&path, output),
        }
    }

    /// Returns whether the file at `path` below `out` is unchanged since an earlier run wrote it. Reads the
    /// file.
    pub(in crate::pipeline) fn wrote(&self, path: &str, out: &Path) -> bool {
        self.is_sealed
            && self
                .outputs
                .get(path)
                .is_some_and(|output| is_as_written(&out.join(path), output))
    }
}

/// Removes the data of changed documents that a run would reuse: keys of outputs and hashes of sources.
fn distrust(manifest: &mut Manifest, report: &mut Report) {
    for output in &mut manifest.outputs {
        output.key.clear();
    }
    for input in &mut manifest.inputs {
        input.complete = false;
    }
    let others = report
        .others
        .iter_mut()
        .flat_map(|other| &mut other.sources);
    for source in report.sources.iter_mut().chain(others) {
        source.blake3 = None;
    }
}

fn nanoseconds(time: Option<SystemTime>) -> u64 {
    time.and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|age| u64::try_from(age.as_nanos()).ok())
        .unwrap_or(0)
}
