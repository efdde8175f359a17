//! Scenes that a program wrote under another ending than that of the output: `fort.glb` beside `fort.gltf`.

use std::collections::BTreeMap;

use super::edited::Refusal;
use super::selection::{SCENE_FILES, Selection};
use crate::golden::{Checked, Fault};
use crate::pipeline::report::manifest::{Manifest, ManifestOutput};

/// Files that are read in place of outputs.
#[derive(Debug, Default)]
pub(super) struct ExportedScenes {
    /// The file by the output.
    files: BTreeMap<String, String>,
    /// Outputs that were edited as well, each with the file.
    doubled: Vec<(String, String)>,
}

impl ExportedScenes {
    /// Takes the files among those that no run wrote; their outputs become changed ones.
    pub(super) fn take(manifest: &Manifest, checked: &mut Checked) -> Self {
        let mut found = Self::default();
        for output in &manifest.outputs {
            let Some((stem, other)) = other_name(output) else {
                continue;
            };
            let Ok(at) = checked.extra.binary_search(&other) else {
                continue;
            };
            checked.extra.remove(at);
            let buffer = format!("{stem}.bin");
            let is_own = |path: &str| path == output.path || path == buffer;
            let is_edited =
                |fault: &Fault| matches!(fault, Fault::Changed { .. }) && is_own(fault.path());
            if checked.faults.iter().any(is_edited) {
                found.doubled.push((output.path.clone(), other));
                continue;
            }
            checked.faults.retain(|fault| !is_own(fault.path()));
            checked.extra.retain(|path| *path != buffer);
            checked.faults.push(Fault::Changed {
                path: output.path.clone(),
                what: format!("{other} was written beside it"),
            });
            found.files.insert(output.path.clone(), other);
        }
        checked
            .faults
            .sort_by(|one, other| one.path().cmp(other.path()));
        found
    }

    /// The files by their outputs, of those that a run packs.
    pub(super) fn wanted<'s>(
        &'s self,
        selection: &'s Selection<'_>,
    ) -> impl Iterator<Item = (&'s str, &'s str)> {
        let files = self.files.iter();
        files
            .map(|(output, file)| (&**output, &**file))
            .filter(|(output, _)| selection.wants(output))
    }

    /// Refusals of outputs that were edited twice.
    pub(super) fn refused(&self, selection: &Selection<'_>) -> Vec<(String, Refusal)> {
        let doubled = self.doubled.iter();
        let doubled = doubled.filter(|(output, _)| selection.wants(output));
        let refused = doubled.map(|(output, file)| {
            let reason =
                refusal!("it was edited, and so was {file}; delete or restore one of them");
            (output.clone(), reason)
        });
        refused.collect()
    }
}

/// The path of a scene without its ending, and with the other one; `None` for a buffer.
fn other_name(output: &ManifestOutput) -> Option<(&str, String)> {
    let [text, binary, _] = SCENE_FILES;
    let with = |own, other| {
        let stem = output.path.strip_suffix(own)?;
        Some((stem, format!("{stem}{other}")))
    };
    with(text, binary).or_else(|| with(binary, text))
}
