//! The game files that a run changes, and writing them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::error::{PackError, access};
use super::in_place::Originals;
use super::new_files::NewFiles;
use super::patch;
use super::request::{Packed, Request};
use super::selection::{Outputs, Selection};
use crate::pipeline::output::atomic::write_atomically;
use crate::pipeline::report;
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
}

impl Changes {
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
        request.to.check(&request.from, &others, files)?;
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
        let new = NewFiles {
            bytes: files,
            outputs: &self.outputs,
            is_retained: &|path| selection.retains(path),
        };
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
