//! Reads and checks the output folders of shards before merging: they must belong to one run, be complete and
//! finished, and match their manifests.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::ShardReport;
use crate::pipeline::report::documents::{Document, WORK_FOLDER, is_as_written, is_output};
use crate::pipeline::report::manifest::{self, CONVERTER, InputNumber, Manifest};
use crate::pipeline::report::{self, Report};

/// Most changed outputs that a message names.
const NAMED: usize = 5;

/// Reason why shards cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// No folders were given.
    #[error("no shards to merge")]
    None,
    /// A folder is not that of a finished shard.
    #[error("{} {why}", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// Problem with it.
        why: String,
    },
    /// Two folders belong to different runs.
    #[error(
        "{} and {} are not shards of one run: they differ in {what}",
        one.display(),
        other.display()
    )]
    Different {
        /// A folder.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// Difference.
        what: String,
    },
    /// Shards are missing or duplicated.
    #[error("{0}")]
    Numbers(String),
    /// Outputs do not match their manifests.
    #[error(
        "outputs that do not match the manifest of their shard: {count} ({named}); convert that shard again"
    )]
    Outputs {
        /// Number of outputs.
        count: usize,
        /// Names of the first of them.
        named: String,
    },
}

/// Folder of a shard.
#[derive(Debug)]
pub(super) struct ShardFolder {
    pub(super) dir: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) report: Report,
    pub(super) shard: ShardReport,
}

impl ShardFolder {
    /// Reads the documents of a finished shard.
    fn read(dir: &Path) -> Result<Self, ShardsError> {
        let no = |why: &str| ShardsError::Folder {
            dir: dir.to_owned(),
            why: why.to_owned(),
        };
        if fs::symlink_metadata(dir.join(WORK_FOLDER)).is_ok() {
            return Err(no(
                "is being written, or its run was killed: run that shard again",
            ));
        }
        let manifest = match Document::<Manifest>::read(&dir.join(manifest::FILE_NAME)) {
            (_, Some(false)) => {
                return Err(no(
                    "has a manifest.json that was edited: run that shard again",
                ));
            }
            (Document::Ours(manifest), _) => manifest,
            (Document::Absent, _) => {
                return Err(no(
                    "is not an output folder of relicast (no manifest.json): convert that shard into it first",
                ));
            }
            (Document::Unreadable | Document::Stranger, _) => {
                return Err(no(
                    "has a manifest.json that cannot be read: it is damaged, or of another version",
                ));
            }
        };
        let report = match Document::<Report>::read(&dir.join(report::FILE_NAME)) {
            (Document::Ours(report), seal) if seal != Some(false) => report,
            (Document::Ours(_), _) => {
                return Err(no(
                    "has a report.json that was edited: run that shard again",
                ));
            }
            _ => return Err(no("has no readable report.json")),
        };
        let Some(shard) = report.shard.clone() else {
            return Err(no("is the output of a whole run and not of a shard"));
        };
        if manifest.converter != CONVERTER || report.converter != CONVERTER {
            let theirs = &manifest.converter;
            let why = format!("was made by relicast {theirs}, and this is {CONVERTER}");
            return Err(no(&why));
        }
        if !manifest.complete || !report.complete {
            let why = format!(
                "contains shard {}, which was interrupted: run it again",
                shard.shard
            );
            return Err(no(&why));
        }
        if !report.others.is_empty() {
            return Err(no("contains outputs of other inputs, too"));
        }
        let is_odd = |path: &&String| !is_output(path);
        let mut paths = manifest.outputs.iter().map(|output| &output.path);
        if let Some(path) = paths.find(is_odd) {
            return Err(no(&format!("has a manifest with the invalid path {path}")));
        }
        let mut manifest = manifest;
        manifest.unlink();
        Ok(Self {
            dir: dir.to_owned(),
            manifest,
            report,
            shard,
        })
    }

    /// Difference that shows that this folder belongs to another run than `other`.
    fn difference(&self, other: &Self) -> Option<String> {
        let prefixes = |folder: &Self| -> Vec<(InputNumber, String)> {
            let inputs = folder.manifest.inputs.iter();
            inputs
                .map(|input| (input.input, input.prefix.clone()))
                .collect()
        };
        let (own, theirs) = (self.shard.shard, other.shard.shard);
        let what = if self.manifest.config_digest != other.manifest.config_digest
            || self.manifest.settings != other.manifest.settings
        {
            "their settings".to_owned()
        } else if (own.of, own.by) != (theirs.of, theirs.by) {
            format!(
                "the number of shards: {own} by {} and {theirs} by {}",
                own.by.label(),
                theirs.by.label()
            )
        } else if prefixes(self) != prefixes(other) || self.shard.plan != other.shard.plan {
            "their inputs: names, sizes or kinds of files".to_owned()
        } else if self.shard.request_digest != other.shard.request_digest {
            "their options (--only, --game, --keep and so on)".to_owned()
        } else {
            return None;
        };
        Some(what)
    }
}

/// Reads the folders of all shards of a run, sorted by number.
///
/// # Errors
/// They are not all shards of one run.
pub(super) fn read_all(dirs: &[PathBuf]) -> Result<Vec<ShardFolder>, ShardsError> {
    let read: Result<Vec<ShardFolder>, ShardsError> =
        dirs.par_iter().map(|dir| ShardFolder::read(dir)).collect();
    let mut folders = read?;
    let (first, others) = folders.split_first().ok_or(ShardsError::None)?;
    for other in others {
        if let Some(what) = first.difference(other) {
            return Err(ShardsError::Different {
                one: first.dir.clone(),
                other: other.dir.clone(),
                what,
            });
        }
    }
    check_numbers(&folders)?;
    folders.sort_by_key(|folder| folder.shard.shard.number);
    check_sources(&folders)?;
    check_paths(&folders)?;
    Ok(folders)
}

/// Checks that every shard exists once.
fn check_numbers(folders: &[ShardFolder]) -> Result<(), ShardsError> {
    let Some(of) = folders.first().map(|folder| folder.shard.shard.of) else {
        return Err(ShardsError::None);
    };
    let mut by_number: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for folder in folders {
        let dirs = by_number.entry(folder.shard.shard.number).or_default();
        dirs.push(folder.dir.display().to_string());
    }
    let doubles: Vec<String> = by_number
        .iter()
        .filter(|(_, dirs)| dirs.len() > 1)
        .map(|(number, dirs)| {
            format!(
                "shard {number}/{of} is given more than once: {}",
                dirs.join(", ")
            )
        })
        .collect();
    let missing: Vec<u32> = (1..=of)
        .filter(|number| !by_number.contains_key(number))
        .collect();
    let mut faults = doubles;
    if !missing.is_empty() {
        let more = missing.len().saturating_sub(2 * NAMED);
        let named = missing
            .iter()
            .take(2 * NAMED)
            .map(|number| format!("{number}/{of}"));
        let named = named.collect::<Vec<_>>().join(", ");
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        faults.push(format!("missing shards: {named}{rest}"));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(ShardsError::Numbers(faults.join("; "))),
    }
}

/// Checks that all shards had the same bytes of each source.
fn check_sources(folders: &[ShardFolder]) -> Result<(), ShardsError> {
    let mut seen: HashMap<(InputNumber, &str), (&str, &Path)> = HashMap::new();
    for folder in folders {
        for source in &folder.manifest.sources {
            let found = (&*source.blake3, &*folder.dir);
            let known = *seen.entry((source.input, &*source.path)).or_insert(found);
            if known.0 != source.blake3 {
                return Err(ShardsError::Different {
                    one: known.1.to_owned(),
                    other: folder.dir.clone(),
                    what: format!("their inputs, such as {}", source.path),
                });
            }
        }
    }
    Ok(())
}

/// Checks that no two shards have the same output path.
fn check_paths(folders: &[ShardFolder]) -> Result<(), ShardsError> {
    let mut seen: HashMap<&str, &Path> = HashMap::new();
    for folder in folders {
        for output in &folder.manifest.outputs {
            if let Some(other) = seen.insert(&output.path, &folder.dir) {
                return Err(ShardsError::Different {
                    one: other.to_owned(),
                    other: folder.dir.clone(),
                    what: format!("the shard that made {}, an output of both", output.path),
                });
            }
        }
    }
    Ok(())
}

/// Reads every output and compares it with its shard's manifest.
///
/// # Errors
/// Some differ or are missing.
pub(super) fn check_outputs(folders: &[ShardFolder]) -> Result<(), ShardsError> {
    let all = folders.par_iter().flat_map(|folder| {
        let outputs = folder.manifest.outputs.par_iter();
        outputs.map(move |output| (folder, output))
    });
    let mut wrong: Vec<PathBuf> = all
        .filter_map(|(folder, output)| {
            let path = folder.dir.join(&output.path);
            (!is_as_written(&path, output)).then_some(path)
        })
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    wrong.sort();
    let named = wrong.iter().take(NAMED).map(|path| {
        let state = if fs::symlink_metadata(path).is_ok() {
            "changed"
        } else {
            "missing"
        };
        format!("{} ({state})", path.display())
    });
    Err(ShardsError::Outputs {
        count: wrong.len(),
        named: named.collect::<Vec<_>>().join(", "),
    })
}
