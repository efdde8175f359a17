//! Finished items, as the journal stores them and a later run reuses them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::pipeline::plan::planned::PlannedOutput;
use crate::pipeline::report::ItemReport;
use crate::pipeline::report::manifest::{ManifestOutput, ManifestSource};

/// Finished item as stored in the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finished {
    /// The key that its outputs share.
    pub key: String,
    /// Sources they were made from. Only used in the journal; the outputs also list them.
    #[serde(default)]
    pub origins: Vec<ManifestSource>,
    /// Its outputs.
    pub outputs: Vec<ManifestOutput>,
    /// Its line in the report.
    pub report: ItemReport,
}

/// Borrowed form of [`Finished`], for writing the journal.
#[derive(Debug, Serialize)]
pub struct FinishedLine<'a> {
    /// The key that its outputs share.
    pub key: &'a str,
    /// Sources they were made from.
    pub origins: &'a [ManifestSource],
    /// Its outputs.
    pub outputs: Vec<&'a ManifestOutput>,
    /// Its line in the report.
    pub report: &'a ItemReport,
}

impl Finished {
    /// Copies the origins of a journal line to its outputs.
    pub(in crate::pipeline) fn set_origins(&mut self) {
        let origins: Arc<[ManifestSource]> = std::mem::take(&mut self.origins).into();
        for output in &mut self.outputs {
            output.origins = Arc::clone(&origins);
        }
    }
}

/// Returns whether the outputs of a finished item are all among the `planned` ones and all are in the manifest.
pub(in crate::pipeline) fn is_whole(finished: &Finished, planned: &[PlannedOutput]) -> bool {
    let named = &finished.report.outputs;
    named.len() == finished.outputs.len()
        && finished.outputs.iter().all(|output| {
            named.contains(&output.path) && planned.iter().any(|it| it.path == output.path)
        })
}
