//! A finished item, as the journal keeps it and as a run takes it over from the run before.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::pipeline::plan::planned::PlannedOutput;
use crate::pipeline::report::ItemReport;
use crate::pipeline::report::manifest::{ManifestOutput, ManifestSource};

/// A finished item, as the journal keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finished {
    /// The key that its outputs share.
    pub key: String,
    /// What they were made from. Kept for the journal; the outputs have it themselves.
    #[serde(default)]
    pub origins: Vec<ManifestSource>,
    /// Its outputs.
    pub outputs: Vec<ManifestOutput>,
    /// Its line of the report.
    pub report: ItemReport,
}

/// A finished item on its way into the journal: [`Finished`] without copies.
#[derive(Debug, Serialize)]
pub struct FinishedLine<'a> {
    /// The key that its outputs share.
    pub key: &'a str,
    /// What they were made from.
    pub origins: &'a [ManifestSource],
    /// Its outputs.
    pub outputs: Vec<&'a ManifestOutput>,
    /// Its line of the report.
    pub report: &'a ItemReport,
}

impl Finished {
    /// Copies the origins of a line of the journal to its outputs.
    pub(in crate::pipeline) fn give_origins(&mut self) {
        let origins: Arc<[ManifestSource]> = std::mem::take(&mut self.origins).into();
        for output in &mut self.outputs {
            output.origins = Arc::clone(&origins);
        }
    }
}

/// Returns true when the outputs of a finished item are all among the `planned` ones and none is missing from the
/// manifest.
pub(in crate::pipeline) fn is_whole(finished: &Finished, planned: &[PlannedOutput]) -> bool {
    let named = &finished.report.outputs;
    named.len() == finished.outputs.len()
        && finished.outputs.iter().all(|output| {
            named.contains(&output.path) && planned.iter().any(|it| it.path == output.path)
        })
}
