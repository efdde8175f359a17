//! Stale outputs: written by earlier runs and no longer made by this one. They are deleted if their source was
//! searched and they have not been edited.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use tracing::warn;

use super::edited::Keeper;
use super::state::Previous;
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::output::hash::hash_reader;
use crate::pipeline::plan::inputs::{Root, Roots};
use crate::pipeline::plan::planned::{FilePlan, Plan, PlannedFile};
use crate::pipeline::report::manifest::{Manifest, ManifestOutput};
use crate::pipeline::request::Request;
use crate::pipeline::run::file::FileResult;
use relicast_convert::SkipCode;
use relicast_source::disc::Disc;
use relicast_source::location::Location;
use relicast_source::names::fold;

/// Bytes at the start of an image that contain its volume descriptors, for any sector size.
const START_OF_VOLUME: u64 = 1 << 16;

/// Result for stale outputs.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct StaleOutputs {
    /// Outputs that were deleted.
    pub(in crate::pipeline) removed: Vec<String>,
    /// Outputs that were preserved and stay in the manifest.
    pub(in crate::pipeline) kept: Vec<String>,
}

/// Sources that this run could not search, by path prefix.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Unseen(HashSet<String>);

impl Unseen {
    /// Creates the set from prefixes.
    pub(in crate::pipeline) fn of(sources: impl Iterator<Item = String>) -> Self {
        Self(sources.collect())
    }

    /// Places that could not be listed or opened. An input that was not empty before and is now counts as an
    /// unmounted drive.
    pub(in crate::pipeline) fn new(
        request: &Request,
        plan: &Plan,
        previous: &Previous,
        roots: &Roots,
    ) -> Self {
        let mut unseen = HashSet::new();
        for fault in &plan.faults {
            for root in &roots.0 {
                if let Ok(below) = fault.location.strip_prefix(&root.given) {
                    let parts: Vec<_> = below
                        .components()
                        .map(|part| part.as_os_str().to_string_lossy())
                        .collect();
                    unseen.insert(below_prefix(root, &parts.join("/")));
                }
            }
            // Faults on discs are reported by path, like those of files.
            unseen.insert(fault.location.to_string_lossy().replace('\\', "/"));
        }
        for root in &roots.0 {
            let found = plan.files.iter();
            let mut found = found.filter(|file| file.source.path.starts_with(&root.prefix));
            let moved = root
                .before
                .as_ref()
                .is_some_and(|before| *before != root.prefix);
            let selected = !request.only.is_empty();
            if found.next().is_none() || (moved && selected) {
                unseen.insert(below_prefix(root, ""));
            }
            if let (true, Some(before)) = (moved && selected, &root.before) {
                unseen.insert(before.trim_end_matches('/').to_owned());
            }
        }
        for file in &plan.files {
            let path = &file.source.path;
            let unread = match &file.source.location {
                Location::Disc(disc) => is_unread(disc),
                Location::File(place) if request.config.discs.enabled => {
                    was_disc(previous, path) && cannot_read(place)
                }
                _ => false,
            };
            if unread {
                unseen.extend(places_of_disc(path, roots));
            }
        }
        for file in &plan.files {
            if let Location::Container(container, _) = &file.source.location
                && container.problem.is_some()
            {
                let outputs = previous.outputs.values();
                let within = outputs.filter(|output| {
                    output
                        .cabinet
                        .as_ref()
                        .is_some_and(|place| place.cabinet == container.path)
                });
                unseen.extend(within.map(|output| output.source.to_string()));
            }
        }
        Self(unseen)
    }

    /// Adds sources that could not be read.
    pub(in crate::pipeline) fn add_unread(&mut self, results: &[FileResult]) {
        let unread = results.iter().filter(|result| result.unread);
        self.0
            .extend(unread.map(|result| result.report.path.clone()));
    }

    fn has(&self, source: &str) -> bool {
        let mut source = source;
        loop {
            if self.0.contains(source) {
                return true;
            }
            match source.rsplit_once('/') {
                Some((parent, _)) => source = parent,
                None => return self.0.contains(""),
            }
        }
    }
}

fn below_prefix(root: &Root, path: &str) -> String {
    let whole = format!("{}{path}", root.prefix);
    whole.trim_end_matches('/').to_owned()
}

/// Returns whether an existing file of an image cannot be read. A file that was deleted or replaced counts as
/// searched.
fn is_unread(disc: &Disc) -> bool {
    let mut places = disc.files.iter().filter_map(|file| file.path.as_deref());
    places.any(cannot_read)
}

/// Returns whether the start of an existing file, with its volume descriptors, cannot be read.
fn cannot_read(path: &Path) -> bool {
    let start = fs::File::open(path).and_then(|file| {
        let mut start = Vec::new();
        file.take(START_OF_VOLUME).read_to_end(&mut start)
    });
    start.is_err_and(|fault| fault.kind() != io::ErrorKind::NotFound)
}

fn was_disc(previous: &Previous, path: &str) -> bool {
    use relicast_formats::asset::AssetKind::{Discs, Music};
    let mut outputs = previous.outputs.values();
    outputs.any(|output| output.source == path && matches!(output.kind, Discs | Music))
}

/// Path prefixes of the files of an image, from the path of the image: as an input next to it, or below its
/// name.
fn places_of_disc(path: &str, roots: &Roots) -> Vec<String> {
    let direct = roots
        .0
        .iter()
        .find(|root| path.starts_with(&root.prefix) && !root.given.is_dir());
    let folder = match direct {
        Some(root) => below_prefix(root, ""),
        None => path
            .rsplit_once('.')
            .map_or(path, |(stem, _)| stem)
            .to_owned(),
    };
    vec![path.to_owned(), folder]
}

/// Deletes stale outputs of this run's inputs. Preserved ones are added to the manifest. With `keep`, all are
/// preserved.
pub(in crate::pipeline) fn sweep(
    out: &Path,
    previous: &Previous,
    unseen: &Unseen,
    keeper: &Keeper<'_>,
    keep: bool,
    manifest: &mut Manifest,
) -> StaleOutputs {
    if previous.outputs.is_empty() {
        return StaleOutputs::default();
    }
    let current: HashMap<String, &str> = manifest
        .outputs
        .iter()
        .map(|output| (fold(&output.path), &*output.path))
        .collect();
    let is_stale = |output: &&ManifestOutput| match current.get(&fold(&output.path)) {
        None => true,
        // In different letter case it may be the same file.
        Some(path) => *path != output.path && are_two(out, path, &output.path),
    };
    let mut stale: Vec<&ManifestOutput> = previous.outputs.values().filter(is_stale).collect();
    stale.sort_by(|a, b| a.path.cmp(&b.path));
    let mut swept = StaleOutputs::default();
    let folder = OutputFolder::open(out, Durability::System);
    for output in stale {
        let path = &output.path;
        if keep || unseen.has(&output.source) {
            if fs::symlink_metadata(out.join(path)).is_ok() {
                swept.kept.push(path.clone());
                manifest.outputs.push(output.clone());
            }
            continue;
        }
        match fs::symlink_metadata(out.join(path)) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => continue,
            _ if !is_below_real_folders(out, path) => {
                keeper.leave(path);
                continue;
            }
            _ => {}
        }
        let is_ours = |file: &fs::File| Ok(hash_reader(file)?.blake3 == output.blake3);
        let removed = match &folder {
            Ok(folder) if previous.is_sealed => folder.remove_known(path, is_ours),
            Ok(_) => Ok(false),
            Err(fault) => Err(io::Error::new(fault.kind(), fault.to_string())),
        };
        match removed {
            Ok(false) => keeper.leave(path),
            Ok(true) => {
                folder
                    .iter()
                    .for_each(|folder| folder.drop_empty_folders(path));
                swept.removed.push(path.clone());
            }
            Err(fault) => warn!("cannot delete {path}: {fault}"),
        }
    }
    swept
}

/// Returns whether two paths that differ only in letter case are two files: both names exist where they differ.
fn are_two(out: &Path, one: &str, other: &str) -> bool {
    let mut folder = out.to_owned();
    for (own, its) in one.split('/').zip(other.split('/')) {
        if own != its {
            let names = fs::read_dir(&folder).into_iter().flatten().flatten();
            let names: HashSet<_> = names.map(|entry| entry.file_name()).collect();
            if [own, its]
                .iter()
                .all(|name| names.contains(std::ffi::OsStr::new(name)))
            {
                return true;
            }
        }
        folder.push(own);
    }
    false
}

/// Adds sources that this run skipped, and the earlier state of sources of preserved outputs.
pub(in crate::pipeline) fn add_origins(plan: &Plan, previous: &Previous, manifest: &mut Manifest) {
    let mut listed: HashSet<String> = manifest
        .sources
        .iter()
        .map(|source| source.path.clone())
        .collect();
    let is_left = |file: &&PlannedFile| match &file.plan {
        FilePlan::Skip(reason) => reason.code == SkipCode::NotSelected,
        FilePlan::Items { .. } => file
            .items()
            .iter()
            .all(|planned| planned.item.verdict.skips_for(SkipCode::NotSelected)),
        FilePlan::Fail(_) => false,
    };
    let left = plan.files.iter().filter(is_left);
    let left = left.map(|file| &*file.source.path);
    let made_from = manifest.outputs.iter().map(|output| &*output.source);
    let origins: Vec<_> = made_from
        .chain(left)
        .filter_map(|path| previous.origins.get(path))
        .filter(|origin| listed.insert(origin.path.clone()))
        .cloned()
        .collect();
    manifest.sources.extend(origins);
}

/// Returns whether every parent of `path` is a folder and not a link.
fn is_below_real_folders(out: &Path, path: &str) -> bool {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    let mut folders = folders.map(|folder| fs::symlink_metadata(out.join(folder)));
    folders.all(|metadata| metadata.is_ok_and(|metadata| metadata.is_dir()))
}
