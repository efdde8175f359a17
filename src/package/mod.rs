//! Packages for repositories: an output folder as a BagIt bag, with RO-Crate metadata and PREMIS events, as a
//! folder, a zip or a tar file.
//!
//! - [`bagit`] — the tag files of a bag, and checking them; [`digest`] — hashes of files while they are copied.
//! - `ro_crate` — provenance as linked data: sources, outputs, versions, settings.
//! - `premis` — the same for preservation systems, as events; [`media`] — names of file formats.
//! - `container` — the file or folder of a package; `facts` — the facts for the documents.
//! - `error` — reasons why there is no package.
//!
//! A package is the same for the same output folder and options, byte by byte: it contains no time except a given one.
//! It never replaces an existing file.
//!
//! ```
//! use relicast::package::{Options, PackageError, package};
//! use relicast::pipeline::progress::Unobserved;
//!
//! let folder = tempfile::tempdir()?;
//! let options = Options { bagit: true, ..Options::default() };
//! // Nothing was converted there.
//! let refused = package(folder.path(), &folder.path().join("to"), &options, &Unobserved);
//! assert!(matches!(refused, Err(PackageError::Golden(_))));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod bagit;
mod container;
pub mod digest;
mod error;
mod facts;
pub mod media;
mod premis;
mod ro_crate;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;

pub use container::Container;
pub use error::PackageError;

use crate::golden::check_written;
use crate::pipeline::plan::install_guard::game_file_of;
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::document_file::{self, Unread};
use crate::pipeline::report::manifest::{self, Manifest};
use crate::pipeline::report::{self, Report};
use container::Sink;
use error::access;
use facts::{Facts, Payload};

/// Options of a package.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Its name, without an extension; by default that of the output folder.
    pub name: Option<String>,
    /// Make a BagIt bag; the outputs are in its folder `data`.
    pub bagit: bool,
    /// Write RO-Crate metadata next to the outputs.
    pub ro_crate: bool,
    /// The container: a folder, or one file.
    pub container: Container,
    /// Time at which the package is made. Without it, the package contains no such time.
    pub date: Option<Timestamp>,
    /// URL of the license of the content.
    pub license: Option<String>,
}

/// A finished package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packaged {
    /// Its path.
    pub path: PathBuf,
    /// Number of files in it, without those that describe the package.
    pub files: usize,
    /// Total bytes.
    pub bytes: u64,
    /// Files in the output folder that no run wrote. They are not in the package.
    pub extra: Vec<String>,
}

/// Packages the outputs of a finished run in `out`, with its manifest and report, below `to`.
///
/// # Errors
/// The outputs do not match the manifest, the run was not finished, something is at the path of the package, or a file
/// cannot be read or written. Then nothing is left behind.
pub fn package(
    out: &Path,
    to: &Path,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Packaged, PackageError> {
    let checked = check_written(out, observer)?;
    let mut faults = checked.faults_of_manifest();
    faults.splice(0..0, checked.faults);
    if !faults.is_empty() {
        return Err(PackageError::Altered(faults));
    }
    if !checked.complete {
        return Err(PackageError::Interrupted(out.to_owned()));
    }
    let manifest: Manifest = document(&out.join(manifest::FILE_NAME))?;
    let report: Report = document(&out.join(report::FILE_NAME))?;
    if report.shard.is_some() {
        return Err(PackageError::Shard(out.to_owned()));
    }
    let run = time_of_run(out, options.date)?;
    let name = name_of(out, options)?;
    keep_apart(out, to)?;
    if let Some(file) = game_file_of(to) {
        let to = to.to_owned();
        return Err(PackageError::Install { to, file });
    }
    fs::create_dir_all(to).map_err(access(to))?;
    let mut sink = Sink::open(options.container, to, &name)?;
    if options.bagit {
        sink.add_bytes("bagit.txt", bagit::DECLARATION.as_bytes())?;
    }
    let prefix = if options.bagit { bagit::PAYLOAD } else { "" };
    let mut payload = copy_outputs(out, prefix, &manifest, &mut sink, observer)?;
    let facts = Facts {
        name: &name,
        prefix,
        license: options.license.as_deref(),
        run,
        packaged: options.date,
        manifest: &manifest,
        report: &report,
        payload: &payload,
    };
    let events = premis::document(&facts).into_bytes();
    let metadata = match options.ro_crate {
        false => None,
        true => {
            let mut files = payload.clone();
            files.push(Payload::of_bytes(premis::FILE_NAME, &events));
            let payload = &files;
            Some(ro_crate::document(&Facts { payload, ..facts })?)
        }
    };
    let metadata = metadata.map(|bytes| (ro_crate::FILE_NAME, bytes));
    for (name, bytes) in [(premis::FILE_NAME, events)].into_iter().chain(metadata) {
        sink.add_bytes(&format!("{prefix}{name}"), &bytes)?;
        payload.push(Payload::of_bytes(name, &bytes));
    }
    payload.sort_by(|a, b| a.path.cmp(&b.path));
    if options.bagit {
        add_tags(&mut sink, &payload, options.date)?;
    }
    Ok(Packaged {
        path: sink.finish()?,
        files: payload.len(),
        bytes: payload.iter().map(|file| file.digests.size).sum(),
        extra: checked.extra,
    })
}

/// Copies manifest, report and outputs, and checks that the outputs have not changed meanwhile.
fn copy_outputs(
    out: &Path,
    prefix: &str,
    manifest: &Manifest,
    sink: &mut Sink,
    observer: &dyn Observer,
) -> Result<Vec<Payload>, PackageError> {
    let reserved = [premis::FILE_NAME, ro_crate::FILE_NAME];
    let documents = [manifest::FILE_NAME, report::FILE_NAME].map(|path| (path, None));
    let outputs = manifest.outputs.iter();
    let outputs = outputs.map(|output| (&*output.path, Some(&*output.blake3)));
    let mut payload = Vec::with_capacity(manifest.outputs.len() + documents.len());
    let bytes = manifest.outputs.iter();
    let bytes = bytes.fold(0, |sum: u64, output| sum.saturating_add(output.size));
    let stage = Stage::start(observer, "package", payload.capacity() as u64, bytes);
    for (path, blake3) in documents.into_iter().chain(outputs) {
        if reserved.contains(&path) {
            return Err(PackageError::Reserved(path.to_owned()));
        }
        let place = out.join(path);
        let file = File::open(&place).map_err(access(&place))?;
        let size = file.metadata().map_err(access(&place))?.len();
        let work = blake3.map_or(0, |_| size);
        let digests = stage.item(path, work, || {
            sink.add(&format!("{prefix}{path}"), size, file)
        })?;
        if blake3.is_some_and(|blake3| blake3 != digests.blake3) || size != digests.size {
            return Err(PackageError::Changed(path.to_owned()));
        }
        payload.push(Payload {
            path: path.to_owned(),
            digests,
        });
    }
    stage.finish();
    Ok(payload)
}

/// Adds the tag files of a bag; `payload` are the files in it, sorted.
fn add_tags(
    sink: &mut Sink,
    payload: &[Payload],
    date: Option<Timestamp>,
) -> Result<(), PackageError> {
    let declaration = Payload::of_bytes("bagit.txt", bagit::DECLARATION.as_bytes());
    let info = bagit::info(payload, date);
    let mut tags = vec![("bag-info.txt".to_owned(), info)];
    for algorithm in bagit::Algorithm::ALL {
        let text = bagit::manifest(payload, bagit::PAYLOAD, algorithm);
        tags.push((format!("manifest-{}.txt", algorithm.name()), text));
    }
    let mut listed = vec![declaration];
    for (name, text) in tags {
        sink.add_bytes(&name, text.as_bytes())?;
        listed.push(Payload::of_bytes(&name, text.as_bytes()));
    }
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    for algorithm in bagit::Algorithm::ALL {
        let text = bagit::manifest(&listed, "", algorithm);
        let name = format!("tagmanifest-{}.txt", algorithm.name());
        sink.add_bytes(&name, text.as_bytes())?;
    }
    Ok(())
}

fn document<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, PackageError> {
    match document_file::read(path) {
        Ok((document, _)) => Ok(document),
        Err(Unread::Access(error)) => Err(access(path)(error)),
        Err(Unread::Json(error)) => Err(PackageError::Document {
            path: path.to_owned(),
            error,
        }),
    }
}

/// Time at which the last run in `out` ended: the time of its manifest, or the given one if that is earlier.
fn time_of_run(out: &Path, given: Option<Timestamp>) -> Result<Timestamp, PackageError> {
    let path = out.join(manifest::FILE_NAME);
    let metadata = fs::metadata(&path).map_err(access(&path))?;
    let modified = metadata.modified().map_err(access(&path))?;
    // Fractions of seconds are not useful here.
    let age = modified.duration_since(SystemTime::UNIX_EPOCH).ok();
    let seconds = age.and_then(|age| i64::try_from(age.as_secs()).ok());
    let run = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    let run = run.unwrap_or_default();
    Ok(given.map_or(run, |given| run.min(given)))
}

/// The name of the package.
fn name_of(out: &Path, options: &Options) -> Result<String, PackageError> {
    let name = match &options.name {
        Some(name) => name.clone(),
        None => {
            let whole = out.canonicalize().map_err(access(out))?;
            let name = whole.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        }
    };
    let is_plain = !name.is_empty()
        && !matches!(&*name, "." | "..")
        && !name.contains(['/', '\\', ':'])
        && !name.contains(char::is_control);
    match is_plain {
        true => Ok(name),
        false => Err(PackageError::Name(name)),
    }
}

/// A package inside the folder that it is made from would be a foreign file there.
fn keep_apart(out: &Path, to: &Path) -> Result<(), PackageError> {
    let inner = out.canonicalize().map_err(access(out))?;
    let whole = std::path::absolute(to).map_err(access(to))?;
    let present = whole.ancestors().find_map(|path| path.canonicalize().ok());
    match present.is_some_and(|path| path.starts_with(&inner)) {
        true => Err(PackageError::Inside(to.to_owned())),
        false => Ok(()),
    }
}
