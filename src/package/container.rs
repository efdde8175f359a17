//! Container of a package: a folder, a zip file or a tar file. It is written under a temporary name in the same folder
//! and renamed when complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::digest::{self, Digests};
use super::error::{PackageError, access};
use super::media::is_packed;
use crate::pipeline::output::folder::{Durability, OutputFolder};

/// Container of a package on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Container {
    /// A folder.
    #[default]
    Folder,
    /// A zip file that holds the folder.
    Zip,
    /// A tar file that holds the folder.
    Tar,
}

impl Container {
    /// The file or folder of a package of this name.
    fn file_name(self, name: &str) -> String {
        match self {
            Self::Folder => name.to_owned(),
            Self::Zip => format!("{name}.zip"),
            Self::Tar => format!("{name}.tar"),
        }
    }
}

/// Permissions of files in archives: everybody may read, the owner may write.
const MODE: u32 = 0o644;

/// Size from which a file in a zip needs the Zip64 fields.
const LARGE: u64 = u32::MAX as u64;

/// A package that is being written.
pub(super) struct Sink {
    /// Final path.
    place: PathBuf,
    /// Prefix of its paths in an archive.
    base: String,
    /// Locked while the package is written.
    _in_use: File,
    /// Temporary folder until then; deleted with its contents.
    work: TempDir,
    writer: Writer,
}

enum Writer {
    Folder(OutputFolder),
    Zip(Box<ZipWriter<BufWriter<File>>>),
    Tar(Box<tar::Builder<BufWriter<File>>>),
}

/// Name of the incomplete package in its folder.
const UNFINISHED: &str = "package";

/// Suffix of the names of such folders.
const ENDING: &str = ".relicast-part";

/// Name of the file in such a folder that is locked while the package is written.
const LOCK: &str = "relicast-package.lock";

/// Time within which a new folder is marked.
const UNMARKED: Duration = Duration::from_secs(60);

/// Marks a folder as one of a package that is being written.
fn mark(work: &Path) -> io::Result<File> {
    let lock = File::create_new(work.join(LOCK))?;
    // Without file locks, no folder counts as abandoned.
    let _ = lock.lock();
    Ok(lock)
}

/// Returns true if a folder was last changed so long ago that no run is about to mark it.
fn is_old(folder: &fs::DirEntry) -> bool {
    let changed = folder.metadata().and_then(|facts| facts.modified());
    changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > UNMARKED))
}

/// Deletes the folders of killed runs in `to`: folders with the mark that no process has locked.
fn delete_abandoned(to: &Path) {
    let entries = fs::read_dir(to).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.starts_with('.') && name.ends_with(ENDING));
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path().join(LOCK);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        let lock = is_file.then(|| OpenOptions::new().write(true).open(&path));
        let Some(Ok(lock)) = lock else {
            if fs::symlink_metadata(&path).is_err() && is_old(&entry) {
                // The run was killed before it marked the folder, so the folder is empty; otherwise it stays.
                let _ = fs::remove_dir(entry.path());
            }
            continue;
        };
        if lock.try_lock().is_ok() {
            drop(lock);
            // A folder that cannot be deleted is tried again next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Sink {
    /// Starts a package called `name` below the folder `to`.
    pub(super) fn open(container: Container, to: &Path, name: &str) -> Result<Self, PackageError> {
        let place = to.join(container.file_name(name));
        if fs::symlink_metadata(&place).is_ok() {
            return Err(PackageError::Exists(place));
        }
        delete_abandoned(to);
        let mut work = tempfile::Builder::new();
        let work = work.prefix(".").suffix(ENDING).tempdir_in(to);
        let work = work.map_err(access(to))?;
        let in_use = mark(work.path()).map_err(access(work.path()))?;
        let unfinished = work.path().join(UNFINISHED);
        let create = || File::create(&unfinished).map(BufWriter::new);
        let writer = match container {
            Container::Folder => fs::create_dir(&unfinished)
                .and_then(|()| OutputFolder::open(&unfinished, Durability::System))
                .map(Writer::Folder),
            Container::Zip => create().map(|file| Writer::Zip(Box::new(ZipWriter::new(file)))),
            Container::Tar => create().map(|file| Writer::Tar(Box::new(tar::Builder::new(file)))),
        };
        Ok(Self {
            base: format!("{name}/"),
            writer: writer.map_err(access(&unfinished))?,
            place,
            work,
            _in_use: in_use,
        })
    }

    /// Adds a file of `size` bytes; any further bytes are ignored.
    pub(super) fn add(
        &mut self,
        path: &str,
        size: u64,
        reader: impl Read,
    ) -> Result<Digests, PackageError> {
        let reader = reader.take(size);
        let added = match &mut self.writer {
            Writer::Folder(folder) => to_folder(folder, path, reader),
            Writer::Zip(zip) => to_zip(zip, &format!("{}{path}", self.base), size, reader),
            Writer::Tar(tar) => to_tar(tar, &format!("{}{path}", self.base), size, reader),
        };
        added.map_err(access(&self.place.join(path)))
    }

    /// Adds a file with these bytes.
    pub(super) fn add_bytes(&mut self, path: &str, bytes: &[u8]) -> Result<Digests, PackageError> {
        self.add(path, bytes.len() as u64, Cursor::new(bytes))
    }

    /// Completes the package and renames it, unless its name has been taken meanwhile.
    pub(super) fn finish(self) -> Result<PathBuf, PackageError> {
        let unfinished = self.work.path().join(UNFINISHED);
        let written = match self.writer {
            Writer::Folder(_) => Ok(None),
            Writer::Zip(zip) => zip.finish().map_err(io::Error::from).map(Some),
            Writer::Tar(tar) => tar.into_inner().map(Some),
        };
        let closed = written.and_then(|file| match file {
            None => Ok(false),
            Some(file) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.sync_all().map(|()| true)
            }
        });
        let is_file = closed.map_err(access(&self.place))?;
        let moved = match is_file {
            true => move_file(&unfinished, &self.place),
            false => match fs::symlink_metadata(&self.place) {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => fs::rename(&unfinished, &self.place),
            },
        };
        match moved {
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {
                Err(PackageError::Exists(self.place))
            }
            moved => moved
                .map(|()| self.place.clone())
                .map_err(access(&self.place)),
        }
    }
}

/// Renames a file to a free name: the name is reserved first.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    drop(OpenOptions::new().write(true).create_new(true).open(to)?);
    fs::rename(from, to).inspect_err(|_| {
        // The reserved file is empty and ours.
        let _ = fs::remove_file(to);
    })
}

fn to_folder(folder: &OutputFolder, path: &str, reader: impl Read) -> io::Result<Digests> {
    let mut file = folder.begin(path)?;
    let digests = digest::copy(reader, &mut file)?;
    file.finish()?;
    Ok(digests)
}

fn to_zip(
    zip: &mut ZipWriter<BufWriter<File>>,
    path: &str,
    size: u64,
    reader: impl Read,
) -> io::Result<Digests> {
    let method = match is_packed(path) {
        true => CompressionMethod::Stored,
        false => CompressionMethod::Deflated,
    };
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::default())
        .unix_permissions(MODE)
        .large_file(size >= LARGE);
    zip.start_file(path, options)?;
    digest::copy(reader, zip)
}

/// Passes bytes on and hashes them while they are read.
struct Hashing<R> {
    reader: R,
    seen: digest::Hasher,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.seen.update(buffer.get(..length).unwrap_or_default());
        Ok(length)
    }
}

fn to_tar(
    tar: &mut tar::Builder<BufWriter<File>>,
    path: &str,
    size: u64,
    reader: impl Read,
) -> io::Result<Digests> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Regular);
    header.set_size(size);
    header.set_mode(MODE);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    let mut hashing = Hashing {
        reader,
        seen: digest::Hasher::default(),
    };
    tar.append_data(&mut header, path, &mut hashing)?;
    Ok(hashing.seen.finish())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn empty_folders_of_packages_that_were_killed_go_once_they_cannot_be_marked_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, age: u64, file: Option<&str>| {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            if let Some(file) = file {
                fs::write(path.join(file), "somebody's").unwrap();
            }
            let time = SystemTime::now() - Duration::from_secs(age);
            File::open(&path).unwrap().set_modified(time).unwrap();
            path
        };
        let young = make(".young.relicast-part", 5, None);
        let old = make(".old.relicast-part", 3600, None);
        let full = make(".full.relicast-part", 3600, Some("notes.txt"));
        delete_abandoned(folder.path());
        assert!(young.exists() && full.join("notes.txt").exists());
        assert!(!old.exists());
    }
}
