//! Unfinished files: created under a random name, renamed when complete, deleted otherwise.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tracing::warn;

use super::Handle;
use super::faults::not_a_file;

/// File name suffix of unfinished files.
const ENDING: &str = ".relicast-part";

/// Random hexadecimal digits before the suffix.
const DIGITS: usize = 16;

/// Names to try before an error is returned.
const MAX_TRIES: usize = 8;

/// Durability of outputs before they get their final names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The system decides when they are written to the disk.
    #[default]
    System,
    /// They are synchronized to the disk.
    Disk,
}

/// Method by which a file got the bytes of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Hard link to the same file.
    Link,
    /// Shares blocks until one of the files changes.
    Clone,
    /// Has its own bytes.
    Copy,
}

/// State shared by all files of an output folder.
#[derive(Debug)]
pub(super) struct Ground {
    root: PathBuf,
    durability: Durability,
    synced: AtomicU64,
}

impl Ground {
    pub(super) fn new(root: &Path, durability: Durability) -> Self {
        Self {
            root: root.to_owned(),
            durability,
            synced: AtomicU64::new(0),
        }
    }

    /// Path of the output folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Number of files and folders that were synchronized to the disk so far.
    #[cfg(test)]
    pub(super) fn synced(&self) -> u64 {
        self.synced.load(Ordering::Relaxed)
    }

    pub(super) fn count_sync(&self) {
        self.synced.fetch_add(1, Ordering::Relaxed);
    }
}

/// Unfinished file, deleted on drop unless it is finished.
#[derive(Debug)]
pub struct Unfinished<'a> {
    ground: &'a Ground,
    folder: Arc<Handle>,
    /// Temporary name.
    scratch: String,
    /// Final name.
    name: String,
    path: PathBuf,
    file: Option<File>,
    /// True if its bytes are written, and synchronized if required.
    is_settled: bool,
    is_finished: bool,
    /// True if it is a hard link to another file.
    is_link: bool,
}

impl<'a> Unfinished<'a> {
    /// Creates the temporary file for `name` in `folder`, whose path in the output folder is `below`.
    pub(super) fn create(
        ground: &'a Ground,
        folder: Arc<Handle>,
        below: &str,
        name: &str,
    ) -> io::Result<Self> {
        let mut tries = MAX_TRIES;
        let (scratch, file) = loop {
            let scratch = scratch_name()?;
            match folder.create_new(&scratch) {
                Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists && tries > 0 => {
                    tries -= 1;
                }
                file => break (scratch, file?),
            }
        };
        Ok(Self {
            path: ground.root().join(below).join(&scratch),
            ground,
            folder,
            scratch,
            name: name.to_owned(),
            file: Some(file),
            is_settled: false,
            is_finished: false,
            is_link: false,
        })
    }

    /// Creates the temporary file for `name` in `folder` from a file in another folder.
    pub(super) fn create_as(
        ground: &'a Ground,
        folder: Arc<Handle>,
        below: &str,
        name: &str,
        from: &Handle,
        of: &str,
    ) -> io::Result<(Self, Way)> {
        if !from.is_file(of)? {
            return Err(not_a_file(of));
        }
        let mut tries = MAX_TRIES;
        let linked = loop {
            let scratch = scratch_name()?;
            match from.link(of, &folder, &scratch) {
                Ok(()) => break Some(scratch),
                Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists && tries > 0 => {
                    tries -= 1;
                }
                Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Err(fault),
                // Another disk, a file system without links, or too many links.
                Err(_) => break None,
            }
        };
        if let Some(scratch) = linked {
            let linked = Self {
                path: ground.root().join(below).join(&scratch),
                ground,
                folder,
                scratch,
                name: name.to_owned(),
                file: None,
                is_settled: false,
                is_finished: false,
                is_link: true,
            };
            return match linked.folder.is_file(&linked.scratch)? {
                true => Ok((linked, Way::Link)),
                false => Err(not_a_file(of)),
            };
        }
        let mut original = from.read(of)?;
        let mut file = Self::create(ground, folder, below, name)?;
        let is_cloned = match &file.file {
            Some(file) => Handle::clone_file(&original, file).is_ok(),
            None => false,
        };
        if is_cloned {
            return Ok((file, Way::Clone));
        }
        io::copy(&mut original, &mut file)?;
        Ok((file, Way::Copy))
    }

    /// Removes write permission for everyone, under all names of the file.
    ///
    /// # Errors
    /// The permissions cannot be changed.
    #[cfg_attr(not(unix), expect(clippy::unused_self, reason = "as on other systems"))]
    pub fn make_read_only(&self) -> io::Result<()> {
        // On other systems the file could then not be deleted.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let file = self.read()?;
            let mode = file.metadata()?.permissions().mode() & 0o444;
            file.set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// Closes the file, so that another program can write to its [path](Self::path).
    pub fn close(&mut self) {
        self.file = None;
    }

    /// Temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the bytes written so far.
    ///
    /// # Errors
    /// The file was deleted.
    pub fn read(&self) -> io::Result<File> {
        self.folder.read(&self.scratch)
    }

    /// Synchronizes the file to the disk.
    ///
    /// # Errors
    /// Synchronizing fails.
    pub fn sync(&self) -> io::Result<()> {
        match &self.file {
            Some(file) => file.sync_all()?,
            None => self.read()?.sync_all()?,
        }
        self.ground.count_sync();
        Ok(())
    }

    /// Renames it to its final name, replacing an existing file.
    ///
    /// # Errors
    /// Synchronizing fails where required, or a folder has the name; the file is then deleted.
    pub fn finish(mut self) -> io::Result<()> {
        self.settle()?;
        self.folder.rename(&self.scratch, &self.name)?;
        // If two names refer to one file, some systems preserve both.
        if self.is_link
            && let Err(fault) = self.folder.remove_file(&self.scratch)
            && fault.kind() != io::ErrorKind::NotFound
        {
            return Err(fault);
        }
        self.name_is_given()
    }

    /// Renames it to its final name if that is free. Returns it otherwise, and on systems without an atomic
    /// check.
    ///
    /// # Errors
    /// Synchronizing or renaming fails; the file is then deleted.
    pub fn finish_if_free(mut self) -> io::Result<Option<Self>> {
        self.settle()?;
        match self.folder.rename_to_free(&self.scratch, &self.name)? {
            true => self.name_is_given().map(|()| None),
            false => Ok(Some(self)),
        }
    }

    /// Renames it to its final name, replacing a file for which `is_known` returns true. The check is made
    /// right before the rename and, on systems with an atomic exchange, repeated on the replaced file: a file
    /// that another program created in between gets its name again. Returns false if an unknown file has the
    /// name; the new file is then deleted.
    ///
    /// # Errors
    /// Synchronizing fails where required, a file cannot be read, or renaming fails.
    pub fn finish_over(mut self, is_known: impl Fn(&File) -> io::Result<bool>) -> io::Result<bool> {
        self.settle()?;
        match self.folder.read(&self.name) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            found => {
                if !is_known(&found?)? {
                    return Ok(false);
                }
                let own = self.read()?;
                if self.folder.exchange(&self.scratch, &self.name)? {
                    return self.judge_replaced(&own, is_known);
                }
            }
        }
        self.folder.rename(&self.scratch, &self.name)?;
        self.name_is_given().map(|()| true)
    }

    /// Deletes the file that exchanged names with this one, which is `own`, if `is_known` returns true.
    /// Otherwise restores its name.
    fn judge_replaced(
        &mut self,
        own: &File,
        is_known: impl Fn(&File) -> io::Result<bool>,
    ) -> io::Result<bool> {
        // The temporary name may now belong to another program's file, which must not be deleted on drop.
        self.is_finished = true;
        let known = self.folder.read(&self.scratch);
        let known = known.and_then(|replaced| is_known(&replaced));
        if let Ok(true) = known {
            self.folder.remove_file(&self.scratch)?;
            return self.name_is_given().map(|()| true);
        }
        self.folder.exchange(&self.scratch, &self.name)?;
        if !self.folder.is_same(&self.scratch, own)? {
            // The other program has replaced its file meanwhile: the newer one stays.
            self.folder.exchange(&self.scratch, &self.name)?;
        }
        self.folder.remove_file(&self.scratch)?;
        known
    }

    /// Closes the file, synchronized where required.
    fn settle(&mut self) -> io::Result<()> {
        if !self.is_settled && self.ground.durability == Durability::Disk {
            self.sync()?;
        }
        self.file = None;
        self.is_settled = true;
        Ok(())
    }

    fn name_is_given(&mut self) -> io::Result<()> {
        self.is_finished = true;
        if self.ground.durability == Durability::Disk {
            self.folder.sync()?;
        }
        Ok(())
    }
}

impl Write for Unfinished<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        // Some systems delete only closed files.
        self.file = None;
        if let Err(fault) = self.folder.remove_file(&self.scratch)
            && fault.kind() != io::ErrorKind::NotFound
        {
            warn!("cannot delete {}: {fault}", self.path.display());
        }
    }
}

/// Random name.
pub(super) fn scratch_name() -> io::Result<String> {
    static KEY: OnceLock<[u8; 32]> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let key = match KEY.get() {
        Some(key) => key,
        None => {
            let mut key = [0; 32];
            getrandom::fill(&mut key)?;
            KEY.get_or_init(|| key)
        }
    };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let hash = blake3::keyed_hash(key, &number.to_le_bytes()).to_hex();
    let digits: String = hash.chars().take(DIGITS).collect();
    Ok(format!(".{digits}{ENDING}"))
}

/// Returns whether a file name is that of an unfinished file.
pub fn is_unfinished(name: &str) -> bool {
    let digits = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(ENDING));
    digits.is_some_and(|digits| {
        let hexadecimal = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        digits.len() == DIGITS && digits.bytes().all(hexadecimal)
    })
}
