//! Tells what need not be done again.

use std::path::Path;

use rayon::prelude::*;

use super::companions;
use super::manifest::CONVERTER;
use super::plan::{Plan, PlannedFile, PlannedPart};
use super::report::{Report, SourceReport, Status, Totals};
use super::state::Previous;
use crate::config::{Config, Unchanged};
use crate::convert::{AssetKind, Verdict};

/// The report of the run before, if that run was whole and nothing that it depends on has changed.
pub(super) fn still_stands(
    plan: &Plan,
    previous: &Previous,
    config: &Config,
    out: &Path,
) -> Option<Report> {
    let report = previous.report.as_ref().filter(|_| previous.complete)?;
    let same_setup = report.config_digest == config.digest()
        && report.converter == CONVERTER
        && report.complete
        && config.run.unchanged == Unchanged::Time
        && report.sources.len() == plan.files.len()
        && report.count(Status::Failed) == 0
        && !(config.run.strict && report.totals.deviations > 0);
    if !same_setup {
        return None;
    }
    let same = plan
        .files
        .par_iter()
        .zip(&report.sources)
        .all(|(file, before)| {
            let hash = |index: usize| report.sources.get(index)?.blake3.clone();
            let companions = companions::digest(file, plan, previous, hash);
            stands(file, before, config, previous, &companions, out)
        });
    same.then(|| {
        let mut report = report.clone();
        settle(&mut report);
        report
    })
}

fn stands(
    file: &PlannedFile,
    before: &SourceReport,
    config: &Config,
    previous: &Previous,
    companions: &str,
    out: &Path,
) -> bool {
    let source = &file.source;
    if before.path != source.path
        || before.size != source.size
        || before.modified != source.modified
        || before.parts.len() != file.parts().len()
    {
        return false;
    }
    let parts = file.parts().iter().zip(&before.parts);
    let mut blake3 = before.blake3.as_deref();
    for (planned, before) in parts {
        match (&planned.part.verdict, before.status) {
            (Verdict::Convert, Status::Converted | Status::Copied | Status::Unchanged) => {
                let Some(blake3) = blake3.as_mut() else {
                    return false;
                };
                let key = part_key(file, planned, blake3, companions, config);
                if previous.reusable(&key, out).is_none() {
                    return false;
                }
            }
            (Verdict::Skip(reason), Status::Skipped) => {
                if before.reason.as_ref() != Some(reason) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

/// Marks everything that was done as unchanged.
fn settle(report: &mut Report) {
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

/// Digest of all that a part's outputs depend on; `companions` is the digest of those of its file.
pub(super) fn part_key(
    file: &PlannedFile,
    planned: &PlannedPart,
    blake3: &str,
    companions: &str,
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
    if matches!(planned.part.asset, AssetKind::Worlds | AssetKind::Models) {
        field(companions.as_bytes());
    }
    for output in &planned.outputs {
        field(output.path.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}
