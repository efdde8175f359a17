//! The game files that a run changes, and writing them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::edited::Change;
use super::error::{PackError, access};
use super::in_place::{Originals, place_of};
use super::new_files::NewFiles;
use super::palettes::Palettes;
use super::patch;
use super::request::{Packed, Request};
use super::scene;
use super::selection::{MadeFrom, Outputs, SCENE_FILES, Selection};
use super::source::{Source, SourceEdits};
use super::stored_edits::OutputFiles;
use super::whole_file::hashed;
use crate::pipeline::output::atomic::write_atomically;
use crate::pipeline::report;
use crate::pipeline::report::manifest::{Manifest, ManifestOutput};
use relicast_formats::asset::AssetKind;
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
    /// The outputs as they are packed.
    noted: Outputs,
}

impl Changes {
    /// Notes the outputs of a game file as they are packed. Refuses those with a file that an edit that stays also has,
    /// as it was before.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(super) fn note(
        &mut self,
        source: &Source<'_>,
        edits: SourceEdits<'_, '_>,
        packed: &mut Packed,
    ) -> Result<(), PackError> {
        let (files, selection) = (source.outputs, source.selection);
        for (output, change) in edits.made_from() {
            let palettes = selection.palettes(&output.path, source.request.palettes);
            let own = self.read(source.manifest, files, output, (change, palettes))?;
            let outdated = own.files.keys().find(|path| files.is_outdated(path));
            if let Some(path) = outdated.filter(|_| !selection.stays(&output.path)) {
                let reason = refusal!(
                    "{path} is not what it was when an earlier edit was packed with it; pack both, or give it another name here"
                );
                packed.refused.push((output.path.clone(), reason));
            }
            self.noted.insert(output.path.clone(), own);
        }
        Ok(())
    }

    /// Reads the files of an output.
    fn read(
        &mut self,
        manifest: &Manifest,
        files: &OutputFiles,
        output: &ManifestOutput,
        (change, palettes): (Change, Palettes),
    ) -> Result<MadeFrom, PackError> {
        let mut own = BTreeMap::new();
        let paths = match change {
            Change::Removed => Vec::new(),
            Change::Edited | Change::Added => parts(manifest, files, output),
        };
        for path in paths {
            let place = files.join(&path);
            let blake3 = hashed(&place).map_err(access(&place))?;
            self.edits.insert(blake3.clone(), place);
            own.insert(path, blake3);
        }
        Ok(MadeFrom {
            change,
            files: own,
            palettes,
        })
    }

    /// Records the outputs that the game file at `place` is made from.
    pub(super) fn made_from(&mut self, place: &str, outputs: impl IntoIterator<Item = String>) {
        let own = self.outputs.entry(place.to_owned()).or_default();
        for output in outputs {
            let made_from = self.noted.get(&output).cloned().unwrap_or_default();
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
            earlier: Some(selection.known()),
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
        let report: Option<Editions> = relicast_source::bytes::read_document(path)
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

/// The files that an output is read from: of a scene also its buffers, and pictures beside it that are no outputs.
pub(super) fn parts(
    manifest: &Manifest,
    files: &OutputFiles,
    output: &ManifestOutput,
) -> Vec<String> {
    let listed = |path: &str| {
        let found = (manifest.outputs).binary_search_by(|output| (*output.path).cmp(path));
        found.ok().and_then(|found| manifest.outputs.get(found))
    };
    let is_own = |path: &String| {
        let is_other = listed(path).is_some_and(|output| output.kind == AssetKind::Textures);
        !is_other && place_of(path).is_ok()
    };
    let stem = SCENE_FILES
        .iter()
        .find_map(|end| output.path.strip_suffix(end));
    let Some(stem) = stem.filter(|_| scene::is_scene(output)) else {
        return vec![output.path.clone()];
    };
    let mut parts = BTreeSet::from([output.path.clone()]);
    for path in SCENE_FILES.map(|end| format!("{stem}{end}")) {
        if listed(&path).is_some() {
            let referred = scene::referred(&path, &files.join(&path)).into_iter();
            parts.extend(referred.filter(is_own));
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
