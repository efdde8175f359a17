//! Merges the output folders of all shards of a run into one, equal to that of a run without shards.
//!
//! Outputs are read and compared with the manifests before anything is written, then copied and hashed on the
//! way. The folders of the shards are only read. The merged folder follows the rules of a run: files that no
//! run wrote are moved aside, stale outputs of these inputs are deleted, links are not followed.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use relicast::pipeline::shard::merge::merge;
//! use relicast::pipeline::progress::Unobserved;
//! use relicast::pipeline::request::Request;
//! use relicast::pipeline::run::convert;
//!
//! let folder = tempfile::tempdir()?;
//! let install = folder.path().join("install");
//! std::fs::create_dir(&install)?;
//! std::fs::write(install.join("detail.zrd"), "( DETAIL 3 )")?;
//! let mut shards = Vec::new();
//! for shard in ["1/2", "2/2"] {
//!     let out = folder.path().join(shard.replace('/', "-"));
//!     let request = Request {
//!         inputs: vec![install.clone()],
//!         out: out.clone(),
//!         shard: Some(shard.parse()?),
//!         ..Request::default()
//!     };
//!     convert(&request, &Unobserved, &AtomicBool::new(false))?;
//!     shards.push(out);
//! }
//! let report = merge(&shards, &folder.path().join("out"))?;
//! assert_eq!(report.totals.outputs, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::folder::{self, ShardFolder};
use super::merge_report;
use crate::config::SyncPolicy;
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::output::originals::clash_among;
use crate::pipeline::plan::PlanningError;
use crate::pipeline::plan::inputs::{Known, Root, Roots, check_place};
use crate::pipeline::progress::{Observer, Stage, Unobserved};
use crate::pipeline::report::documents::is_as_written;
use crate::pipeline::report::manifest::{Manifest, ManifestOutput};
use crate::pipeline::report::reason::{FailureCode, Reason};
use crate::pipeline::report::{ItemReport, Report, SourceReport, Status};
use crate::pipeline::reuse::edited::Keeper;
use crate::pipeline::reuse::finished::FinishedLine;
use crate::pipeline::reuse::journal::WorkFolder;
use crate::pipeline::reuse::stale::{Unseen, sweep};
use crate::pipeline::reuse::state::Previous;
use crate::pipeline::reuse::store::{self, Store, StoreError};
use crate::pipeline::run::write_documents;
use relicast_convert::SkipCode;

pub use super::folder::ShardsError;

/// Reason why folders cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// They are not all finished shards of one run.
    #[error(transparent)]
    Shards(#[from] ShardsError),
    /// The merged folder cannot be at this path.
    #[error(transparent)]
    Place(#[from] PlanningError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The merged folder is in use.
    #[error("{} {held}: choose another folder", out.display())]
    Taken {
        /// The folder.
        out: PathBuf,
        /// Current content.
        held: String,
    },
    /// An output is a source.
    #[error("the output {} is the source {}: originals are never written or deleted", output.display(), source_file.display())]
    Original {
        /// The output.
        output: PathBuf,
        /// The source.
        source_file: PathBuf,
    },
    /// The merged folder cannot be written.
    #[error("cannot write to output folder {}: {error}", out.display())]
    Output {
        /// The folder.
        out: PathBuf,
        /// Error.
        error: io::Error,
    },
}

/// Chunk size for copying outputs.
const PIECE: usize = 1 << 18;

/// Merges the output folders of all shards of a run, in any order, into `out`. Returns the report, equal to
/// that of a run without shards except for times.
///
/// # Errors
/// The folders are not all shards of one run, or do not match their manifests (detected before anything is
/// written); or `out` is in use or cannot be written.
pub fn merge(dirs: &[PathBuf], out: &Path) -> Result<Report, MergeError> {
    merge_into(dirs, out, None, &Unobserved)
}

/// Merges like [`merge`], and shares the outputs in a store.
///
/// # Errors
/// As [`merge`], or the store cannot be used.
pub fn merge_into(
    dirs: &[PathBuf],
    out: &Path,
    store: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Report, MergeError> {
    let folders = folder::read_all(dirs)?;
    check_out(&folders, out)?;
    let store = match store {
        None => None,
        Some(root) => {
            store::check_place(root, dirs, out)?;
            Some(Store::open(root, Durability::System)?)
        }
    };
    let mut previous = Previous::load(out, false);
    let known = previous.known();
    let roots = roots(&folders);
    check_owner(&previous, &known, &folders, out)?;
    folder::check_outputs(&folders)?;
    previous.index(&roots);
    let manifest = merge_report::manifest(&folders);
    check_originals(&folders, &manifest, &previous, out)?;
    let report = merge_report::report(&folders, &manifest);
    let target = Target {
        out,
        store: store.as_ref(),
        observer,
    };
    write(&folders, manifest, report, &previous, &roots, target).map_err(|error| {
        MergeError::Output {
            out: out.to_owned(),
            error,
        }
    })
}

/// Inputs of the shards, as recorded by the first one.
fn roots(folders: &[ShardFolder]) -> Roots {
    let first = folders.first().map(|folder| &folder.report.inputs);
    let inputs = first.into_iter().flatten();
    let roots = inputs.map(|input| {
        let path = input.path.clone().unwrap_or_default();
        Root {
            given: PathBuf::from(&path),
            number: input.input,
            path,
            prefix: input.prefix.clone(),
            before: Some(input.prefix.clone()),
        }
    });
    Roots(roots.collect())
}

/// Checks that the merged folder is not a shard or an input, and does not contain one.
fn check_out(folders: &[ShardFolder], out: &Path) -> Result<(), MergeError> {
    let place = out.canonicalize().ok();
    for folder in folders {
        if place.is_some() && folder.dir.canonicalize().ok() == place {
            return Err(MergeError::Taken {
                out: out.to_owned(),
                held: format!("is the folder of shard {}", folder.shard.shard),
            });
        }
    }
    let inputs = folders.iter().flat_map(|folder| &folder.report.inputs);
    let inputs = inputs.filter_map(|input| Some(PathBuf::from(input.path.as_ref()?)));
    // The inputs need not exist on this machine.
    let inputs: Vec<PathBuf> = inputs.filter(|input| input.exists()).collect();
    Ok(check_place(&inputs, out)?)
}

/// Checks that an existing merged folder belongs to the same inputs.
fn check_owner(
    previous: &Previous,
    known: &[Known],
    folders: &[ShardFolder],
    out: &Path,
) -> Result<(), MergeError> {
    let taken = |held: String| MergeError::Taken {
        out: out.to_owned(),
        held,
    };
    if let Some(shard) = previous.shard() {
        return Err(taken(format!("is the folder of a shard, {shard}")));
    }
    let inputs = || folders.iter().flat_map(|folder| &folder.report.inputs);
    for known in known.iter().map(|known| &known.input_report) {
        let mut same = inputs().filter(|input| input.input == known.input);
        if !same.any(|input| input.path == known.path && input.prefix == known.prefix) {
            let path = known.path.as_deref().unwrap_or("an input without a path");
            return Err(taken(format!(
                "contains outputs of other inputs, such as {path}"
            )));
        }
    }
    Ok(())
}

/// Checks that no output, of the shards or of an earlier run, is one of the sources.
fn check_originals(
    folders: &[ShardFolder],
    manifest: &Manifest,
    previous: &Previous,
    out: &Path,
) -> Result<(), MergeError> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for folder in folders {
        for input in &folder.report.inputs {
            let Some(path) = input.path.as_ref().map(Path::new) else {
                continue;
            };
            sources.push(path.to_owned());
            if path.is_dir() {
                let own = folder.report.sources.iter();
                let own = own.filter_map(|source| source.path.strip_prefix(&*input.prefix));
                sources.extend(own.map(|source| path.join(source)));
            }
        }
    }
    let planned = manifest.outputs.iter().map(|output| &*output.path);
    let before = previous.outputs.keys().map(|path| &**path);
    match clash_among(out, planned.chain(before).collect(), || sources) {
        None => Ok(()),
        Some(clash) => Err(MergeError::Original {
            output: out.join(clash.output),
            source_file: clash.source,
        }),
    }
}

/// Sources whose outputs of earlier runs are preserved: skipped, or not read.
fn unseen(sources: &[SourceReport]) -> Unseen {
    let is_left = |item: &ItemReport| {
        matches!(
            item.skip_code(),
            Some(SkipCode::NotSelected | SkipCode::Cancelled | SkipCode::NoFfmpeg)
        )
    };
    let left = sources.iter().filter(|source| {
        is_unread(source)
            || source.skip_code() == Some(SkipCode::NotSelected)
            || source.items.iter().any(is_left)
    });
    Unseen::of(left.map(|source| source.path.clone()))
}

/// Returns whether a run reported that it could not read a source completely.
fn is_unread(source: &SourceReport) -> bool {
    let is_read_fault = |item: &ItemReport| {
        let reason = item.reason.as_ref();
        reason.and_then(Reason::failed) == Some(FailureCode::Unreadable)
    };
    source.status == Status::Failed
        && (source.blake3.is_none() || source.items.iter().any(is_read_fault))
}

/// Folder that shards are merged into, with the run's store.
#[derive(Clone, Copy)]
struct Target<'a> {
    out: &'a Path,
    store: Option<&'a Store>,
    observer: &'a dyn Observer,
}

/// Copies the outputs and writes the documents.
fn write(
    folders: &[ShardFolder],
    mut manifest: Manifest,
    mut report: Report,
    previous: &Previous,
    roots: &Roots,
    target: Target<'_>,
) -> io::Result<Report> {
    let Target {
        out,
        store,
        observer,
    } = target;
    fs::create_dir_all(out)?;
    let work = WorkFolder::create(out)?;
    if !previous.is_current(out) {
        work.remove()?;
        let reason = "a run has just ended there; merge again";
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, reason));
    }
    work.start(roots.reports(&report.request_digest, false), None)?;
    let keeper = Keeper::new(out, previous, false);
    for name in &previous.strangers {
        keeper.move_document(name)?;
    }
    let copier = Copier {
        folder: OutputFolder::open(out, Durability::System)?,
        keeper: &keeper,
        out,
        store,
    };
    copy_all(folders, &report, &copier, &work, observer)?;
    let is_unlisted =
        |source: &SourceReport| source.kind == crate::pipeline::report::summary::UNREADABLE;
    let keep = report.sources.iter().any(is_unlisted);
    let unseen = unseen(&report.sources);
    let swept = sweep(out, previous, &unseen, &keeper, keep, &mut manifest);
    manifest.outputs.sort_by(|a, b| a.path.cmp(&b.path));
    manifest.link();
    report.removed = swept.removed;
    report.kept = swept.kept;
    report.edited = keeper.take();
    if let Some(store) = store {
        report.store.get_or_insert_default().add(&store.report());
    }
    write_documents(out, &manifest, &report, SyncPolicy::default(), || ())?;
    work.remove()?;
    Ok(report)
}

/// Copies the outputs of all items and records each item in the journal.
fn copy_all(
    folders: &[ShardFolder],
    report: &Report,
    copier: &Copier<'_>,
    work: &WorkFolder,
    observer: &dyn Observer,
) -> io::Result<()> {
    let items = report.sources.iter().flat_map(|source| &source.items);
    let lines: HashMap<&str, &ItemReport> = items
        .flat_map(|item| item.outputs.iter().map(move |path| (&**path, item)))
        .collect();
    let outputs = || folders.iter().flat_map(|folder| &folder.manifest.outputs);
    let bytes = outputs().fold(0, |sum: u64, output| sum.saturating_add(output.size));
    let stage = Stage::start(observer, "merge", outputs().count() as u64, bytes);
    for folder in folders {
        let mut items: BTreeMap<&str, Vec<&ManifestOutput>> = BTreeMap::new();
        for output in &folder.manifest.outputs {
            items.entry(&output.key).or_default().push(output);
        }
        items.into_par_iter().try_for_each(|(key, outputs)| {
            for output in &outputs {
                stage.item(&output.path, output.size, || {
                    copier.copy(&folder.dir, output)
                })?;
            }
            let (Some(first), Some(line)) = (
                outputs.first(),
                outputs.first().and_then(|first| lines.get(&*first.path)),
            ) else {
                return Ok(());
            };
            work.record(&FinishedLine {
                key,
                origins: &first.origins,
                outputs,
                report: line,
            })
        })?;
    }
    stage.finish();
    work.flush()
}

/// Copies outputs into the merged folder.
struct Copier<'a> {
    folder: OutputFolder,
    keeper: &'a Keeper<'a>,
    out: &'a Path,
    store: Option<&'a Store>,
}

impl Copier<'_> {
    fn copy(&self, dir: &Path, output: &ManifestOutput) -> io::Result<()> {
        let path = &*output.path;
        self.folder.reach(path)?;
        if is_as_written(&self.out.join(path), output) {
            return Ok(());
        }
        let mut file = self.folder.begin(path)?;
        let mut source = File::open(dir.join(path))?;
        let mut hasher = blake3::Hasher::new();
        let mut piece = vec![0; PIECE];
        loop {
            let count = source.read(&mut piece)?;
            let read = piece.get(..count).unwrap_or_default();
            if read.is_empty() {
                break;
            }
            hasher.update(read);
            file.write_all(read)?;
        }
        if *hasher.finalize().to_hex() != *output.blake3 {
            let reason = format!("{} changed while it was copied", dir.join(path).display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        let aside = self.keeper.make_way(path)?;
        let finished = file.finish();
        let written = finished.is_ok().then_some(&*output.blake3);
        self.keeper.finish_move(aside, written);
        if let (Ok(()), Some(store)) = (&finished, self.store) {
            store.share(&self.folder, path, &output.blake3, output.size);
        }
        finished
    }
}
