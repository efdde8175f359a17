//! Whether the outputs of a folder still match its manifest.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::error::{GoldenError, access};
use super::folder::outputs_in;
use crate::pipeline::documents::is_output;
use crate::pipeline::hash::hash_file;
use crate::pipeline::manifest::{self, Manifest, ManifestOutput};

/// An output that has changed since it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is gone.
    Missing(String),
    /// It is something else.
    Changed {
        /// The output.
        path: String,
        /// What is different.
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

/// What a comparison with the manifest found.
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
}

/// Compares every output in `out` with the manifest that lies there.
///
/// # Errors
/// The folder or the manifest cannot be read.
pub fn check_written(out: &Path) -> Result<Checked, GoldenError> {
    let path = out.join(manifest::FILE_NAME);
    let bytes = fs::read(&path).map_err(access(&path))?;
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|error| {
        let path = path.clone();
        GoldenError::Manifest { path, error }
    })?;
    let mut faults: Vec<Fault> = manifest
        .outputs
        .par_iter()
        .filter_map(|output| fault(out, output))
        .collect();
    faults.sort_by_key(|fault| fault.path().to_owned());
    let listed: BTreeSet<&str> = manifest
        .outputs
        .iter()
        .map(|output| &*output.path)
        .collect();
    let present = outputs_in(out)?.into_iter().map(|(path, _)| path);
    let wrong: BTreeSet<&str> = faults.iter().map(Fault::path).collect();
    let right = listed.iter().filter(|path| !wrong.contains(**path));
    let as_written = right.map(|path| (*path).to_owned()).collect();
    Ok(Checked {
        as_written,
        equal: manifest.outputs.len() - faults.len(),
        faults,
        extra: present.filter(|path| !listed.contains(&**path)).collect(),
        complete: manifest.complete,
    })
}

fn fault(out: &Path, output: &ManifestOutput) -> Option<Fault> {
    let path = output.path.clone();
    let changed = |what: String| {
        let path = path.clone();
        Some(Fault::Changed { path, what })
    };
    if !is_output(&output.path) {
        return changed("the manifest leads out of the folder".to_owned());
    }
    let place = out.join(&output.path);
    let metadata = match fs::symlink_metadata(&place) {
        Ok(metadata) => metadata,
        Err(_) => return Some(Fault::Missing(path)),
    };
    if !metadata.is_file() {
        return changed("it is no file".to_owned());
    }
    if metadata.len() != output.size {
        let (found, expected) = (metadata.len(), output.size);
        return changed(format!("{found} bytes, {expected} were written"));
    }
    match hash_file(&place) {
        Ok(hashed) if hashed.blake3 == output.blake3 => None,
        Ok(_) => changed("other bytes than were written".to_owned()),
        Err(error) => changed(format!("cannot be read: {error}")),
    }
}
