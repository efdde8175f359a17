//! The index of a collection: one page and one JSON document over the output folders of many discs and installs.
//!
//! - [`disc`] — facts about one disc from its folder, even without a finished run.
//! - [`index`] — all discs: totals, contents of one disc only, shared contents.
//! - [`page`] — the index as one HTML file; `script` — sorting of its table.
//! - `options` — options. `place` — paths from the index to the folders; `seal` — detection of files that the index
//!   wrote.
//!
//! The folders are only read. The same folders make the same index, byte by byte, in any order.
//!
//! ```
//! use relicast::collection::{Options, collect, write};
//! use relicast::pipeline::progress::Unobserved;
//!
//! let folder = tempfile::tempdir()?;
//! let (out, to) = (folder.path().join("disc-1"), folder.path().join("index"));
//! // A disc that was never converted is a row too.
//! let index = collect(&[out], &to, &Options::default(), &Unobserved)?;
//! assert_eq!((index.discs.len(), index.totals.whole), (1, 0));
//! write(&index, &to)?;
//! assert!(to.join("index.html").exists() && to.join("collection.json").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod disc;
pub mod index;
mod options;
pub mod page;
mod place;
mod script;
mod seal;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use self::disc::Home;
use self::index::{FILE_NAME, Index};
pub use self::options::Options;
use self::place::Places;

use crate::pipeline::output::atomic::write_atomically;
use crate::pipeline::plan::install_guard::game_file_of;
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::documents::WORK_FOLDER;
use crate::pipeline::report::{self, manifest};
use relicast_source::names::whole;

/// Name of the page in the folder of the index.
pub const PAGE_NAME: &str = "index.html";

/// Reason why there is no index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectionError {
    /// No output folder was named, and the named folders contain none.
    #[error("no output folders in {0}")]
    Empty(String),
    /// The index would be in an output folder.
    #[error("{} is in the output folder {}; choose a folder outside it", to.display(), out.display())]
    Inside {
        /// The folder of the index.
        to: PathBuf,
        /// The output folder.
        out: PathBuf,
    },
    /// The folder is an install of a game, or in one.
    #[error("{} is inside a game install (found {}); choose a folder outside of it", to.display(), file.display())]
    Install {
        /// The folder.
        to: PathBuf,
        /// A file of the game.
        file: PathBuf,
    },
    /// Another file is at the path of the index.
    #[error("{} was not written by `relicast collection`, or was changed since; choose another folder, or move it away", .0.display())]
    Foreign(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot access {}: {error}", path.display())]
    Access {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The index cannot be written as JSON.
    #[error("cannot write the index: {0}")]
    Document(#[from] serde_json::Error),
}

/// Adds the path of the file to an error.
fn access(path: &Path) -> impl FnOnce(io::Error) -> CollectionError {
    let path = path.to_owned();
    move |error| CollectionError::Access { path, error }
}

/// Reads output folders, or folders that contain such, for an index in the folder `to`. Every output is compared with
/// its manifest.
///
/// # Errors
/// There are no output folders, or the index would be in one of them. A folder that cannot be read is a row of
/// the index.
pub fn collect(
    outs: &[PathBuf],
    to: &Path,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Index, CollectionError> {
    let mut folders = Vec::new();
    for out in outs {
        folders.extend(homes(out)?);
    }
    folders.sort_by_cached_key(|out| whole(out));
    folders.dedup_by_key(|out| whole(out));
    if folders.is_empty() {
        let outs: Vec<String> = outs.iter().map(|out| out.display().to_string()).collect();
        return Err(CollectionError::Empty(outs.join(", ")));
    }
    let place = whole(to);
    if let Some(out) = folders.iter().find(|out| place.starts_with(whole(out))) {
        return Err(CollectionError::Inside {
            to: to.to_owned(),
            out: out.clone(),
        });
    }
    let places = Places::new(place, options);
    let count = folders.len() as u64;
    let stage = Stage::start(observer, "collection", count, count);
    let read = |out: &PathBuf| stage.item(&out.to_string_lossy(), 1, || Home::read(out, &places));
    let mut homes: Vec<Home> = folders.par_iter().map(read).collect();
    stage.finish();
    homes.sort_by_cached_key(|home| home.disc.order());
    Ok(Index::new(&options.name, homes))
}

/// The output folder itself, or the output folders in a folder: with a document of a run, or empty, as an unreadable
/// disc leaves it.
fn homes(out: &Path) -> Result<Vec<PathBuf>, CollectionError> {
    let is_home = |folder: &Path| {
        let marks = [manifest::FILE_NAME, report::FILE_NAME, WORK_FOLDER];
        marks.iter().any(|mark| folder.join(mark).exists())
    };
    if is_home(out) || !out.is_dir() {
        return Ok(vec![out.to_owned()]);
    }
    let mut inner = Vec::new();
    for entry in fs::read_dir(out).map_err(access(out))? {
        let path = entry.map_err(access(out))?.path();
        if path.is_dir() && !path.is_symlink() {
            inner.push(path);
        }
    }
    let is_empty =
        |folder: &Path| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if inner.iter().any(|folder| is_home(folder)) {
        inner.retain(|folder| is_home(folder) || is_empty(folder));
        return Ok(inner);
    }
    Ok(vec![out.to_owned()])
}

/// Writes the index into the folder `to`, which is created if it does not exist.
///
/// # Errors
/// Other files are at the paths of its files, and nothing was changed; or they cannot be written.
pub fn write(index: &Index, to: &Path) -> Result<(), CollectionError> {
    let mut json = serde_json::to_string_pretty(index)?;
    json.push('\n');
    let files = [
        (FILE_NAME, seal::sealed(json)),
        (PAGE_NAME, seal::sealed(page::page(index))),
    ];
    for (name, _) in &files {
        let path = to.join(name);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(metadata) if metadata.is_file() && seal::is_whole(&path) => {}
            Ok(_) => return Err(CollectionError::Foreign(path)),
            Err(error) => return Err(access(&path)(error)),
        }
    }
    if let Some(file) = game_file_of(to) {
        let to = to.to_owned();
        return Err(CollectionError::Install { to, file });
    }
    fs::create_dir_all(to).map_err(access(to))?;
    for (name, text) in files {
        let path = to.join(name);
        write_atomically(&path, text.as_bytes()).map_err(access(&path))?;
    }
    Ok(())
}
