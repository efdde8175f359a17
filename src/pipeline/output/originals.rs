//! Protection of originals: a run with an output path that refers to a source, under any name, is refused
//! before it starts.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::pipeline::plan::inputs::Known;
use crate::pipeline::plan::planned::{Plan, PlannedFile};
use crate::pipeline::report;
use crate::pipeline::report::manifest;
use crate::pipeline::reuse::state::Previous;
use relicast_convert::Disposition;
use relicast_source::location::Location;

/// Output that is a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The output's path below the output folder.
    pub output: String,
    /// The source.
    pub source: PathBuf,
}

/// Identity of a file: its number and device, if the system has them.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Identity of a file: its path with all links resolved.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// First output, planned or of an earlier run, that is a source of this run or of an earlier one. `known` are
/// the inputs of earlier runs.
pub(in crate::pipeline) fn clash(
    out: &Path,
    plan: &Plan,
    previous: &Previous,
    known: &[Known],
) -> Option<Clash> {
    let planned = plan
        .files
        .iter()
        .flat_map(PlannedFile::items)
        .filter(|planned| planned.item.verdict == Disposition::Convert)
        .flat_map(|planned| planned.outputs.iter().map(|output| &*output.path));
    let before = previous.outputs.keys().map(|path| &**path);
    let sources = || {
        let mut sources: Vec<PathBuf> = Vec::new();
        for file in &plan.files {
            match &file.source.location {
                Location::File(path) | Location::ImagePart(path, _) => sources.push(path.clone()),
                Location::Disc(disc) => {
                    sources.extend(disc.files.iter().filter_map(|file| file.path.clone()));
                }
                Location::Container(container, _) => {
                    let volumes = container.volumes.iter();
                    sources.extend(volumes.filter_map(|volume| Some(volume.on_disk()?.to_owned())));
                }
                Location::DiscFile(..)
                | Location::ContainerPart(..)
                | Location::Member(..)
                | Location::Special(..) => {}
            }
        }
        for known in known {
            let Some(path) = known.input_report.path.as_ref().map(Path::new) else {
                continue;
            };
            sources.push(path.to_owned());
            if path.is_dir() {
                sources.extend(known.sources.iter().map(|(source, _)| path.join(source)));
            }
        }
        sources
    };
    clash_among(out, planned.chain(before).collect(), sources)
}

/// Folder of a path, empty for the root.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Existing folders among those of the outputs: a new output folder has few, and files can only be in these.
fn folders_that_are_there<'o>(out: &Path, outputs: &[&'o str]) -> HashSet<&'o str> {
    let mut last = None;
    // Most outputs share the folder of the previous one.
    let folders = outputs.iter().map(|path| folder_of(path));
    let folders = folders.filter(|&folder| last.replace(folder) != Some(folder));
    let folders: HashSet<&str> = folders.collect();
    let folders = folders.into_par_iter();
    folders.filter(|folder| out.join(folder).exists()).collect()
}

/// First output or document that is one of the sources.
pub(in crate::pipeline) fn clash_among(
    out: &Path,
    outputs: Vec<&str>,
    sources: impl FnOnce() -> Vec<PathBuf>,
) -> Option<Clash> {
    if !out.exists() {
        return None;
    }
    let documents = [manifest::FILE_NAME, report::FILE_NAME];
    let is_there = folders_that_are_there(out, &outputs);
    let outputs = outputs.into_par_iter();
    let outputs = outputs.filter(|path| is_there.contains(folder_of(path)));
    let present: Vec<(&str, _)> = outputs
        .chain(documents)
        .filter_map(|path| Some((path, identity(&out.join(path))?)))
        .collect();
    if present.is_empty() {
        return None;
    }
    let originals: HashMap<_, PathBuf> = sources()
        .into_par_iter()
        .filter_map(|path| Some((identity(&path)?, path)))
        .collect();
    let mut clashes: Vec<Clash> = present
        .into_iter()
        .filter_map(|(output, identity)| {
            let source = originals.get(&identity)?.clone();
            Some(Clash {
                output: output.to_owned(),
                source,
            })
        })
        .collect();
    clashes.sort_by(|a, b| a.output.cmp(&b.output));
    clashes.into_iter().next()
}
