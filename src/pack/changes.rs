//! The game files that a run changes, and writing them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::edited::Change;
use super::error::{PackError, access};
use super::in_place::Originals;
use super::new_files::NewFiles;
use super::patch;
use super::request::{Packed, Request};
use super::scene;
use super::selection::{MadeFrom, Outputs, SCENE_FILES, Selection};
use super::stored_edits::OutputFiles;
use crate::pipeline::output::atomic::write_atomically;
use crate::pipeline::output::hash::hash_file;
use crate::pipeline::report;
use crate::pipeline::report::manifest::{Manifest, ManifestOutput};
use relicast_source::known::EditionMatch;

/// The game files that change.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Their new bytes.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Their old bytes, when a patch is to be made.
    pub originals: BTreeMap<String, Vec<u8>>,
    /// The outputs that they are made from.
    pub outputs: BTreeMap<String, Outputs>,
    /// Files of these outputs by BLAKE3.
    pub edits: BTreeMap<String, PathBuf>,
}

impl Changes {
    /// Notes the files of an output as they are packed.
    ///
    /// # Errors
    /// One cannot be read.
    pub(super) fn note(
        &mut self,
        manifest: &Manifest,
        files: &OutputFiles,
        output: &ManifestOutput,
        change: Change,
    ) -> Result<MadeFrom, PackError> {
        let mut own = BTreeMap::new();
        let paths = match change {
            Change::Removed => Vec::new(),
            Change::Edited | Change::Added => parts(manifest, files, output),
        };
        for path in paths {
            let place = files.join(&path);
            let blake3 = hash_file(&place).map_err(access(&place))?.blake3;
            self.edits.insert(blake3.clone(), place);
            own.insert(path, blake3);
        }
        Ok(MadeFrom { change, files: own })
    }

    /// Records the outputs that the game file at `place` is made from; `all` has the files of each.
    pub(super) fn made_from(
        &mut self,
        place: &str,
        outputs: impl IntoIterator<Item = String>,
        all: &Outputs,
    ) {
        let own = self.outputs.entry(place.to_owned()).or_default();
        for output in outputs {
            let made_from = all.get(&output).cloned().unwrap_or_default();
            own.insert(output, made_from);
        }
    }

    /// Writes them, or checks that they can be written, and the patch.
    ///
    /// # Errors
    /// Other files are in the way, or something cannot be written.
    pub(super) fn write(
        &self,
        request: &Request,
        originals: &Originals,
        selection: &Selection<'_>,
        packed: &mut Packed,
    ) -> Result<(), PackError> {
        let files = &self.files;
        let sizes = files.iter();
        packed.files = sizes
            .map(|(path, bytes)| (path.clone(), bytes.len() as u64))
            .collect();
        let others = [&*request.out];
        let new = NewFiles {
            bytes: files,
            outputs: &self.outputs,
            edits: &self.edits,
            is_retained: &|path| selection.retains(path),
        };
        request.to.check(&request.from, &others, new)?;
        let patch = match &request.patch {
            Some(path) => {
                patch::check_place(path)?;
                Some((path, self.patch(&request.out)?))
            }
            None => None,
        };
        packed.patch = patch.as_ref().map(|(_, bytes)| bytes.len() as u64);
        if request.check {
            return Ok(());
        }
        packed.removed = request.to.write(&request.from, &others, new, originals)?;
        match patch {
            Some((path, bytes)) => write_atomically(path, &bytes).map_err(access(path)),
            None => Ok(()),
        }
    }

    fn patch(&self, out: &Path) -> Result<Vec<u8>, PackError> {
        let path = out.join(report::FILE_NAME);
        let report: Option<Editions> = fs::read(path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let files = self.files.iter().zip(self.originals.values());
        let files: Vec<_> = files
            .map(|((path, after), before)| patch::Before {
                path,
                before,
                after,
            })
            .collect();
        patch::encode(report.unwrap_or_default().names(), &files)
    }
}

/// The files that an output is read from.
fn parts(manifest: &Manifest, files: &OutputFiles, output: &ManifestOutput) -> Vec<String> {
    let stem = SCENE_FILES
        .iter()
        .find_map(|end| output.path.strip_suffix(end));
    let Some(stem) = stem.filter(|_| scene::is_scene(output)) else {
        return vec![output.path.clone()];
    };
    let mut parts = BTreeSet::from([output.path.clone()]);
    for path in SCENE_FILES.map(|end| format!("{stem}{end}")) {
        let outputs = &manifest.outputs;
        let is_listed = outputs.binary_search_by(|output| output.path.cmp(&path));
        if is_listed.is_ok() {
            parts.extend(scene::buffers(&path, &files.join(&path)));
            parts.insert(path);
        }
    }
    parts.retain(|path| files.join(path).is_file());
    parts.into_iter().collect()
}

/// The part of a report that names editions.
#[derive(Debug, Default, Deserialize)]
struct Editions {
    #[serde(default)]
    editions: Vec<EditionMatch>,
}

impl Editions {
    fn names(self) -> Vec<String> {
        self.editions
            .into_iter()
            .map(|edition| format!("{}, {}", edition.game, edition.edition))
            .collect()
    }
}
