//! Dependencies of a planned file during its conversion.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use tracing::warn;

use super::source_io;
use crate::config::{Config, Unchanged};
use crate::pipeline::plan::inputs::Roots;
use crate::pipeline::plan::planned::{Plan, PlannedFile, PlannedItem};
use crate::pipeline::report::reason::{FailureCode, Reason, code_of};
use crate::pipeline::reuse::state::Previous;
use relicast_convert::{Dependency, Disposition, Needs, OutputRole, SkipCode};
use relicast_formats::kind::Kind;
use relicast_source::bytes::FileBytes;
use relicast_source::cabinet::Container;
use relicast_source::disc::Disc;
use relicast_source::disc::image::ImageFile;
use relicast_source::location::Location;
use relicast_source::stamp::Stamps;
use relicast_source::tree::SourceFile;

/// BLAKE3 of files, each computed at most once, and their bytes while they are in use.
#[derive(Debug)]
pub(in crate::pipeline) struct Hashes<'a> {
    /// Plan of the files.
    pub plan: &'a Plan,
    /// Records of the previous run.
    pub previous: &'a Previous,
    /// The configuration of the run.
    pub config: &'a Config,
    /// Inputs of the files.
    pub roots: &'a Roots,
    /// True if records of the previous run are ignored.
    force: bool,
    places: HashMap<&'a str, usize>,
    /// Sources that are files of disc images, by path.
    images: HashMap<&'a Path, usize>,
    /// Sources that are sheets of discs, by the address of the disc.
    sheets: HashMap<usize, usize>,
    known: Vec<OnceLock<Option<String>>>,
    /// Open files.
    open: Vec<Mutex<Weak<FileBytes>>>,
    /// Paths of the main outputs of files that others depend on.
    outputs: Vec<OnceLock<Vec<Option<String>>>>,
    /// Discs whose files have not changed since the previous run.
    discs: OnceLock<Vec<&'a Arc<Disc>>>,
}

impl<'a> Hashes<'a> {
    /// Prepares the hashes of the files of a plan without computing any.
    pub(in crate::pipeline) fn new(
        plan: &'a Plan,
        previous: &'a Previous,
        config: &'a Config,
        roots: &'a Roots,
        force: bool,
    ) -> Self {
        let paths = plan.files.iter().map(|file| &*file.source.path);
        Self {
            plan,
            previous,
            config,
            roots,
            force,
            places: paths.zip(0..).collect(),
            known: plan.files.iter().map(|_| OnceLock::new()).collect(),
            open: plan.files.iter().map(|_| Mutex::default()).collect(),
            outputs: plan.files.iter().map(|_| OnceLock::new()).collect(),
            discs: OnceLock::new(),
            images: images(plan),
            sheets: sheets(plan),
        }
    }

    /// Opens a file of the plan. Concurrent callers get the same bytes: an archive that all zones use is in
    /// memory once.
    ///
    /// # Errors
    /// It cannot be opened or read.
    pub(in crate::pipeline) fn open(&self, file: &PlannedFile) -> io::Result<Arc<FileBytes>> {
        let slot = self.places.get(&*file.source.path);
        let Some(slot) = slot.and_then(|&index| self.open.get(index)) else {
            return file.source.open().map(Arc::new);
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = slot.upgrade() {
            return Ok(open);
        }
        let opened = Arc::new(file.source.open()?);
        *slot = Arc::downgrade(&opened);
        Ok(opened)
    }

    /// Source, by its index in the plan, that is the file of a disc image at `path`.
    pub(in crate::pipeline) fn image_at(&self, path: &Path) -> Option<usize> {
        self.images.get(path).copied()
    }

    /// Sheet of a disc, which lists its tracks.
    pub(in crate::pipeline) fn sheet_of(&self, disc: &Disc) -> Option<&'a PlannedFile> {
        let &index = self.sheets.get(&std::ptr::from_ref(disc).addr())?;
        self.plan.files.get(index)
    }

    /// Source at a path.
    pub(in crate::pipeline) fn at(&self, path: &str) -> Option<&'a PlannedFile> {
        self.plan.files.get(*self.places.get(path)?)
    }

    /// Hash of a file of the plan; `None` if it cannot be read. `open` are its bytes, if it is already open.
    pub(in crate::pipeline) fn of_file(
        &self,
        file: &PlannedFile,
        open: Option<&FileBytes>,
    ) -> Option<String> {
        let &index = self.places.get(&*file.source.path)?;
        self.of(index, open)
    }

    /// Path of the main output of each item of a file, if this or an earlier run wrote it.
    fn outputs_of(&self, index: usize) -> &[Option<String>] {
        let (Some(place), Some(file)) = (self.outputs.get(index), self.plan.files.get(index))
        else {
            return &[];
        };
        place.get_or_init(|| outputs_of(file, self.previous))
    }

    /// Returns whether the hash of a file is known from the previous run.
    pub(in crate::pipeline) fn knows(&self, file: &PlannedFile) -> bool {
        self.is_as_seen(&file.source) && self.holds(&file.source.location)
    }

    fn of(&self, index: usize, open: Option<&FileBytes>) -> Option<String> {
        let source = &self.plan.files.get(index)?.source;
        // The hash is that of the stored file.
        let open = open.filter(|_| source.damage.is_none());
        self.known
            .get(index)?
            .get_or_init(|| {
                let hash = self.hash_of(source, open);
                // The recorded hash may be that of replaced bytes.
                hash.filter(|_| source.location.is_unchanged(&self.plan.stamps))
            })
            .clone()
    }

    /// Hash of a source, from the previous run or computed from its bytes.
    fn hash_of(&self, source: &SourceFile, open: Option<&FileBytes>) -> Option<String> {
        let seen = if self.is_as_seen(source) && self.holds(&source.location) {
            self.previous.sources.get(&source.path)
        } else {
            None
        };
        match (seen, open) {
            (Some(seen), _) => Some(seen.blake3.clone()),
            (None, Some(bytes)) => source_io::digest(&source.location, bytes),
            (None, None) if packed_digest(&source.location).is_some() => {
                packed_digest(&source.location)
            }
            (None, None) => match part_of_disc(&source.location, self.plan) {
                Some(file) => file.blake3().map(str::to_owned),
                None => {
                    let bytes = source.location.open().ok()?;
                    source_io::digest(&source.location, &bytes)
                }
            },
        }
    }

    /// Returns whether the files of the disc at or around this location are unchanged since the previous run;
    /// true for locations outside of discs.
    fn holds(&self, location: &Location) -> bool {
        let disc = match location {
            Location::Disc(disc) | Location::DiscFile(disc, _) => disc,
            Location::Member(container, _) | Location::Container(container, _) => {
                return self.holds_container(container);
            }
            Location::ContainerPart(.., place) => return self.holds(place),
            _ => return true,
        };
        let discs = self.discs.get_or_init(|| self.unchanged_discs());
        discs.iter().any(|other| Arc::ptr_eq(other, disc))
    }

    /// Returns whether the files of a cabinet and their containers are unchanged since the previous run.
    fn holds_container(&self, container: &Container) -> bool {
        container.volumes.iter().all(|volume| {
            self.at(&volume.path).is_some_and(|file| {
                let around = match &file.source.location {
                    Location::Container(_, place) | Location::ContainerPart(.., place) => {
                        self.holds(place)
                    }
                    // A file next to a cabinet that is now a member.
                    _ => true,
                };
                around && self.is_as_seen(&file.source)
            })
        })
    }

    /// Returns whether a source is unchanged by size and time, if the settings trust these.
    fn is_as_seen(&self, source: &SourceFile) -> bool {
        let seen = self.previous.sources.get(&source.path);
        // An unknown time proves nothing.
        !self.force
            && self.config.run.unchanged == Unchanged::Time
            && source.modified != 0
            && seen.is_some_and(|seen| seen.size == source.size && seen.modified == source.modified)
    }

    /// Discs whose sheet and files are complete and unchanged since the previous run.
    fn unchanged_discs(&self) -> Vec<&'a Arc<Disc>> {
        let sources = || self.plan.files.iter().map(|file| &file.source);
        let items: HashMap<&Path, &SourceFile> = sources()
            .filter_map(|source| match &source.location {
                Location::ImagePart(path, _) => Some((&**path, source)),
                _ => None,
            })
            .collect();
        let discs = sources().filter_map(|source| match &source.location {
            Location::Disc(disc) if self.is_as_seen(source) => Some(disc),
            _ => None,
        });
        let whole = discs.filter(|disc| {
            disc.sheet_bytes.is_empty()
                || disc.files.iter().all(|file| {
                    let item = file.path.as_deref().and_then(|path| items.get(path));
                    item.is_some_and(|source| self.is_as_seen(source))
                })
        });
        whole.collect()
    }
}

/// Files of disc images: items of those with a sheet, and images without one.
fn images(plan: &Plan) -> HashMap<&Path, usize> {
    let locations = plan.files.iter().map(|file| &file.source.location).zip(0..);
    let images = locations.filter_map(|(location, index)| match location {
        Location::ImagePart(path, _) => Some((&**path, index)),
        Location::Disc(disc) if disc.sheet_bytes.is_empty() => {
            Some((disc.files.first()?.path.as_deref()?, index))
        }
        _ => None,
    });
    images.collect()
}

/// Sheets of discs, by the address of the disc.
fn sheets(plan: &Plan) -> HashMap<usize, usize> {
    let locations = plan.files.iter().map(|file| &file.source.location).zip(0..);
    let sheets = locations.filter_map(|(location, index)| match location {
        Location::Disc(disc) if !disc.sheet_bytes.is_empty() => {
            Some((Arc::as_ptr(disc).addr(), index))
        }
        _ => None,
    });
    sheets.collect()
}

/// File of a disc image at this location. Its hash is computed together with that of the disc.
fn part_of_disc<'p>(location: &Location, plan: &'p Plan) -> Option<&'p ImageFile> {
    let Location::ImagePart(path, _) = location else {
        return None;
    };
    let mut discs = plan
        .files
        .iter()
        .filter_map(|file| file.source.location.disc());
    discs.find_map(|disc| {
        let mut files = disc.files.iter();
        files.find(|file| file.path.as_ref() == Some(path))
    })
}

/// Hash of a cabinet or one of its files, which are read by position, or of a member that was read.
fn packed_digest(location: &Location) -> Option<String> {
    match location {
        Location::Container(container, _) => container.blake3(),
        Location::ContainerPart(container, number, _) => {
            container.volumes.get(*number)?.blake3().map(str::to_owned)
        }
        // Known since the member was probed, which saves another inflation.
        Location::Member(container, number) => container.member_blake3(*number),
        _ => None,
    }
}

/// Path of the main output of an item, if this or an earlier run wrote it.
fn output_of(planned: &PlannedItem, previous: &Previous) -> Option<String> {
    let outputs = &planned.outputs;
    let main = outputs
        .iter()
        .find(|output| output.wanted.role == OutputRole::Main)?;
    let there = match &planned.item.verdict {
        Disposition::Convert => true,
        Disposition::Skip(reason) => {
            reason.code == SkipCode::NotSelected && previous.outputs.contains_key(&main.path)
        }
        Disposition::Fail(_) => false,
    };
    there.then(|| main.path.clone())
}

fn outputs_of(file: &PlannedFile, previous: &Previous) -> Vec<Option<String>> {
    let items = file.items().iter();
    items.map(|planned| output_of(planned, previous)).collect()
}

/// Dependencies that items of a file with these needs are made from, as indices into the files of the plan.
pub(in crate::pipeline) fn handed(file: &PlannedFile, needs: Needs, plan: &Plan) -> Vec<usize> {
    let known = file.dependencies.iter().copied();
    let known: Vec<usize> = known.filter(|&index| index < plan.files.len()).collect();
    needs.among(&known, |index| {
        let dependency = plan.files.get(index);
        dependency.map_or(("", Kind::Unknown), |file| (&*file.source.path, file.kind))
    })
}

/// Digest of everything besides its bytes that items of a file with these needs are made from: its
/// dependencies, and the output paths of these and of the file itself.
pub(in crate::pipeline) fn digest(file: &PlannedFile, needs: Needs, hashes: &Hashes<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut field = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for planned in file.items() {
        let first = planned.outputs.first();
        field(first.map_or("", |output| &output.path));
    }
    for index in handed(file, needs, hashes.plan) {
        let Some(dependency) = hashes.plan.files.get(index) else {
            continue;
        };
        field(&dependency.source.path);
        field(dependency.kind.label());
        field(&hashes.of(index, None).unwrap_or_default());
        for output in hashes.outputs_of(index) {
            field(output.as_deref().unwrap_or_default());
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// Open dependency.
#[derive(Debug)]
pub(in crate::pipeline) struct OpenDependency<'a> {
    path: &'a str,
    location: &'a Location,
    kind: Kind,
    bytes: Arc<FileBytes>,
    /// BLAKE3 of the bytes.
    digest: Option<String>,
    outputs: &'a [Option<String>],
}

/// Opens the dependencies that items of a file with these needs are [handed]. Files that cannot be opened are
/// left out; their own items report them.
pub(in crate::pipeline) fn open<'a>(
    file: &PlannedFile,
    needs: Needs,
    hashes: &'a Hashes<'_>,
) -> Vec<OpenDependency<'a>> {
    let plan = hashes.plan;
    let dependencies = handed(file, needs, plan).into_iter();
    dependencies
        .filter_map(|index| {
            let dependency = plan.files.get(index)?;
            let source = &dependency.source;
            match hashes.open(dependency) {
                Ok(bytes) => Some(OpenDependency {
                    path: &source.path,
                    location: &source.location,
                    kind: dependency.kind,
                    digest: hashes.of(index, Some(&bytes)),
                    bytes,
                    outputs: hashes.outputs_of(index),
                }),
                Err(fault) => {
                    warn!("{}: cannot read {}: {fault}", file.source.path, source.path);
                    None
                }
            }
        })
        .collect()
}

/// Error of the first dependency that could not be read completely, or that has changed since it was recorded
/// in `stamps`.
pub(in crate::pipeline) fn fault(held: &[OpenDependency<'_>], stamps: &Stamps) -> Option<Reason> {
    held.iter().find_map(|held| match held.bytes.check() {
        Err(fault) => Some(Reason::failure(
            code_of(&fault),
            format!("cannot read {}: {fault}", held.path),
        )),
        Ok(()) if held.location.is_unchanged(stamps) => None,
        Ok(()) => Some(Reason::failure(
            FailureCode::Changed,
            format!(
                "{} changed while it was read; run the same command again",
                held.path
            ),
        )),
    })
}

/// Open dependencies in the form the converter takes.
pub(in crate::pipeline) fn as_dependencies<'a>(
    held: &'a [OpenDependency<'_>],
) -> Vec<Dependency<'a>> {
    held.iter()
        .map(|held| Dependency {
            path: held.path,
            kind: held.kind,
            bytes: &held.bytes,
            digest: held.digest.as_deref(),
            outputs: held.outputs,
        })
        .collect()
}
