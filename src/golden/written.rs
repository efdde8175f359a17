//! Checks that the outputs of a folder still match its manifest.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::error::GoldenError;
use super::folder::outputs_in;
use crate::pipeline::output::hash::hash_file;
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::document_file::{self, Unread};
use crate::pipeline::report::documents::is_output;
use crate::pipeline::report::manifest::{self, Manifest, ManifestOutput};

/// An output that has changed since it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is missing.
    Missing(String),
    /// Its bytes differ.
    Changed {
        /// The output.
        path: String,
        /// The difference.
        what: String,
    },
}

impl Fault {
    /// The output.
    pub fn path(&self) -> &str {
        match self {
            Self::Missing(path) | Self::Changed { path, .. } => path,
        }
    }
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(formatter, "missing    {path}"),
            Self::Changed { path, what } => write!(formatter, "changed    {path}: {what}"),
        }
    }
}

/// Result of a comparison with the manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Outputs that are unchanged.
    pub equal: usize,
    /// Their paths, sorted.
    pub as_written: Vec<String>,
    /// All others, sorted by path.
    pub faults: Vec<Fault>,
    /// Files that no run wrote, sorted.
    pub extra: Vec<String>,
    /// False after an interrupted run.
    pub complete: bool,
    /// Outputs that the manifest has more than once, sorted.
    pub doubled: Vec<String>,
    /// True if the manifest was changed since a run wrote it.
    pub is_tampered: bool,
}

impl Checked {
    /// Faults of the manifest itself.
    pub fn faults_of_manifest(&self) -> Vec<Fault> {
        let doubled = self.doubled.iter().map(|path| Fault::Changed {
            path: path.clone(),
            what: "the manifest lists it more than once".to_owned(),
        });
        let mut faults: Vec<Fault> = doubled.collect();
        if self.is_tampered {
            faults.push(Fault::Changed {
                path: manifest::FILE_NAME.to_owned(),
                what: "changed since a run wrote it; convert again to restore what does not match"
                    .to_owned(),
            });
        }
        faults
    }
}

/// Selects the outputs that are read to check that they are unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// All of them.
    All,
    /// Outputs that the file system reports as modified after the manifest was written.
    Touched,
}

/// Compares every output in `out` with the manifest there. All are read.
///
/// # Errors
/// The folder or the manifest cannot be read.
pub fn check_written(out: &Path, observer: &dyn Observer) -> Result<Checked, GoldenError> {
    let path = out.join(manifest::FILE_NAME);
    let (manifest, seal) = document_file::read::<Manifest>(&path).map_err(|unread| {
        let path = path.clone();
        match unread {
            Unread::Access(error) => GoldenError::Access { path, error },
            Unread::Json(error) => GoldenError::Manifest { path, error },
        }
    })?;
    let is_tampered = match seal {
        Some(fits) => !fits,
        // Versions before the seal wrote no seal.
        None => manifest.converter == manifest::CONVERTER,
    };
    let checked = check_outputs(out, &manifest, Reading::All, observer)?;
    Ok(Checked {
        is_tampered,
        ..checked
    })
}

/// Compares every output in `out` with the manifest that was read from there.
///
/// # Errors
/// The folder cannot be read.
pub fn check_outputs(
    out: &Path,
    manifest: &Manifest,
    reading: Reading,
    observer: &dyn Observer,
) -> Result<Checked, GoldenError> {
    let written = match reading {
        Reading::All => None,
        Reading::Touched => fs::symlink_metadata(out.join(manifest::FILE_NAME))
            .ok()
            .and_then(|metadata| touched(&metadata)),
    };
    let (count, bytes) = (manifest.outputs.len() as u64, manifest.outputs.iter());
    let bytes = bytes.fold(0, |sum: u64, output| sum.saturating_add(output.size));
    let stage = Stage::start(observer, "verify", count, bytes);
    let check_one = |output: &ManifestOutput| {
        stage.item(&output.path, output.size, || fault(out, output, written))
    };
    let mut faults: Vec<Fault> = (manifest.outputs.par_iter())
        .filter_map(check_one)
        .collect();
    stage.finish();
    faults.sort_by_key(|fault| fault.path().to_owned());
    faults.dedup_by(|one, other| one.path() == other.path());
    let mut listed: BTreeSet<&str> = BTreeSet::new();
    let outputs = manifest.outputs.iter().map(|output| &*output.path);
    let doubled: BTreeSet<&str> = outputs.filter(|path| !listed.insert(path)).collect();
    let present = outputs_in(out)?.into_iter().map(|(path, _)| path);
    let wrong: BTreeSet<&str> = faults.iter().map(Fault::path).collect();
    let right = listed.iter().filter(|path| !wrong.contains(**path));
    let as_written: Vec<String> = right.map(|path| (*path).to_owned()).collect();
    Ok(Checked {
        equal: as_written.len(),
        as_written,
        doubled: doubled.into_iter().map(str::to_owned).collect(),
        is_tampered: false,
        faults,
        extra: present.filter(|path| !listed.contains(&**path)).collect(),
        complete: manifest.complete,
    })
}

/// Time at which a file was last written, renamed or given other properties, in seconds and nanoseconds since 1970. The
/// clock of one file system orders events, even if it is coarse.
#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems may not know the time"
)]
fn touched(metadata: &fs::Metadata) -> Option<(i64, i64)> {
    use std::os::unix::fs::MetadataExt;
    let written = (metadata.mtime(), metadata.mtime_nsec());
    Some(written.max((metadata.ctime(), metadata.ctime_nsec())))
}

/// Time at which a file was last written, in seconds and nanoseconds since 1970.
#[cfg(not(unix))]
fn touched(metadata: &fs::Metadata) -> Option<(i64, i64)> {
    let modified = metadata.modified().ok()?;
    let age = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    let seconds = i64::try_from(age.as_secs()).ok()?;
    Some((seconds, age.subsec_nanos().into()))
}

/// Fault of an output, if any. An output that was last modified before the time `written` is not read.
fn fault(out: &Path, output: &ManifestOutput, written: Option<(i64, i64)>) -> Option<Fault> {
    let path = output.path.clone();
    let changed = |what: String| {
        let path = path.clone();
        Some(Fault::Changed { path, what })
    };
    if !is_output(&output.path) {
        return changed("its path in the manifest is outside the folder".to_owned());
    }
    let place = out.join(&output.path);
    let metadata = match fs::symlink_metadata(&place) {
        Ok(metadata) => metadata,
        Err(_) => return Some(Fault::Missing(path)),
    };
    if !metadata.is_file() {
        return changed("it is not a file".to_owned());
    }
    if metadata.len() != output.size {
        let (found, expected) = (metadata.len(), output.size);
        return changed(format!("{found} bytes, expected {expected}"));
    }
    if written.is_some_and(|written| touched(&metadata).is_some_and(|touched| touched < written)) {
        return None;
    }
    match hash_file(&place) {
        Ok(hashed) if hashed.blake3 == output.blake3 => None,
        Ok(_) => changed("its content changed".to_owned()),
        Err(error) => changed(format!("cannot be read: {error}")),
    }
}
