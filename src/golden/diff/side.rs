//! One side of a comparison: the outputs of a folder, or the outputs that a run would make of an input.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::result::{Compared, DiffError, Named};
use crate::pipeline::output::hash::hash_file;
use crate::pipeline::report::document_file::{self, Unread};
use crate::pipeline::report::documents::is_output;
use crate::pipeline::report::manifest::{self, Manifest, ManifestOutput};
use crate::pipeline::run::dry_run::DryRun;
use relicast_formats::asset::AssetKind;

/// An output of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) kind: AssetKind,
    pub(super) source: String,
    pub(super) member: Option<String>,
    pub(super) size: u64,
    pub(super) blake3: String,
}

impl From<ManifestOutput> for Entry {
    fn from(output: ManifestOutput) -> Self {
        Self {
            path: output.path,
            kind: output.kind,
            source: output.source.into(),
            member: output.member,
            size: output.size,
            blake3: output.blake3,
        }
    }
}

impl From<&Entry> for Named {
    fn from(entry: &Entry) -> Self {
        Self {
            path: entry.path.clone(),
            kind: entry.kind,
            source: entry.source.clone(),
            member: entry.member.clone(),
            size: entry.size,
        }
    }
}

/// Source of the bytes of a side.
#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Decoded(Box<DryRun>, HashMap<String, Vec<u8>>),
}

/// A side of a comparison.
#[derive(Debug)]
pub(super) struct Side {
    /// Sorted by path.
    pub(super) entries: Vec<Entry>,
    missing: Vec<String>,
    failed: u64,
    place: Place,
}

impl Side {
    /// Opens a folder with a manifest as outputs, and anything else as an input.
    pub(super) fn open(path: &Path) -> Result<Self, DiffError> {
        fs::metadata(path).map_err(|error| DiffError::Access {
            path: path.to_owned(),
            error,
        })?;
        let place = path.join(manifest::FILE_NAME);
        match document_file::read(&place) {
            Ok((manifest, _)) => Self::of_folder(path, manifest),
            Err(Unread::Json(error)) => Err(DiffError::Manifest { path: place, error }),
            Err(Unread::Access(error)) if error.kind() == io::ErrorKind::FileTooLarge => {
                Err(DiffError::Access { path: place, error })
            }
            Err(Unread::Access(_)) => Self::of_input(path),
        }
    }

    fn of_folder(folder: &Path, manifest: Manifest) -> Result<Self, DiffError> {
        let outputs = manifest.outputs.into_par_iter();
        // The current bytes are compared, not those in the manifest.
        let found: Vec<Result<Entry, String>> = outputs
            .map(|output| {
                let place = folder.join(&output.path);
                let is_file = fs::symlink_metadata(&place).is_ok_and(|it| it.is_file());
                match hash_file(&place) {
                    Ok(hashed) if is_file && is_output(&output.path) => Ok(Entry {
                        size: hashed.size,
                        blake3: hashed.blake3,
                        ..output.into()
                    }),
                    _ => Err(output.path),
                }
            })
            .collect();
        let (mut entries, mut missing) = (Vec::new(), Vec::new());
        for one in found {
            match one {
                Ok(entry) => entries.push(entry),
                Err(path) => missing.push(path),
            }
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self {
            entries,
            missing,
            failed: 0,
            place: Place::Folder(folder.to_owned()),
        })
    }

    fn of_input(input: &Path) -> Result<Self, DiffError> {
        let run = DryRun::plan(input)?;
        let would = run.outputs()?;
        Ok(Self {
            entries: would.outputs.into_iter().map(Entry::from).collect(),
            missing: Vec::new(),
            failed: would.failed,
            place: Place::Decoded(Box::new(run), HashMap::new()),
        })
    }

    /// Prepares the bytes of these outputs, and of the buffers of scenes.
    pub(super) fn fetch(&mut self, mut wanted: HashSet<String>) -> Result<(), DiffError> {
        if let Place::Decoded(run, kept) = &mut self.place {
            let paths = self.entries.iter().map(|entry| &entry.path);
            let buffers = paths.filter(|path| {
                let stem = path.strip_suffix(".bin");
                stem.is_some_and(|stem| wanted.contains(&format!("{stem}.gltf")))
            });
            let buffers: Vec<String> = buffers.cloned().collect();
            wanted.extend(buffers);
            if !wanted.is_empty() {
                *kept = run.bytes(&wanted)?;
            }
        }
        Ok(())
    }

    /// The bytes of an output, if available.
    pub(super) fn read(&self, path: &str) -> Option<Vec<u8>> {
        match &self.place {
            Place::Folder(folder) => {
                let place = self
                    .entries
                    .binary_search_by(|entry| (*entry.path).cmp(path));
                place.ok()?;
                relicast_source::bytes::read_document(folder.join(path)).ok()
            }
            Place::Decoded(_, kept) => kept.get(path).cloned(),
        }
    }

    /// Describes this side in the result.
    pub(super) fn compared(&self, given: &Path) -> Compared {
        Compared {
            path: given.display().to_string(),
            is_output_folder: matches!(self.place, Place::Folder(_)),
            outputs: self.entries.len(),
            missing: self.missing.clone(),
            failed: self.failed,
        }
    }
}
