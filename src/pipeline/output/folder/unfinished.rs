//! Unfinished files: created under an unpredictable name, renamed when they are complete, deleted otherwise.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tracing::warn;

use super::Handle;
use super::faults::not_a_file;

/// Ending of files that are not finished.
const ENDING: &str = ".relicast-part";

/// Hexadecimal digits before it.
const DIGITS: usize = 16;

/// Names that are tried before the folder is given up.
const MOST_TRIES: usize = 8;

/// What becomes of outputs before they get their names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The system writes them to the disk when it likes.
    #[default]
    System,
    /// They are on the disk.
    Disk,
}

/// How a file got the bytes of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It is the same file under another name.
    Link,
    /// It shares the blocks until one of them is changed.
    Clone,
    /// It has bytes of its own.
    Copy,
}

/// What all files of an output folder share.
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

    /// Where the folder is.
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

/// A file on its way. Deleted unless it is finished.
#[derive(Debug)]
pub struct Unfinished<'a> {
    ground: &'a Ground,
    folder: Arc<Handle>,
    /// Its name until it is finished.
    scratch: String,
    /// Its name then.
    name: String,
    path: PathBuf,
    file: Option<File>,
    /// Its bytes are where they are to be.
    is_settled: bool,
    is_finished: bool,
    /// It is a link to another file.
    is_link: bool,
}

impl<'a> Unfinished<'a> {
    /// Makes the file that is to become `name` in `folder`, which lies at `below` in the output folder.
    pub(super) fn create(
        ground: &'a Ground,
        folder: Arc<Handle>,
        below: &str,
        name: &str,
    ) -> io::Result<Self> {
        let mut tries = MOST_TRIES;
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

    /// Makes the file that is to become `name` in `folder` from another one, in a folder of its own.
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
        let mut tries = MOST_TRIES;
        let linked = loop {
            let scratch = scratch_name()?;
            match from.link(of, &folder, &scratch) {
                Ok(()) => break Some(scratch),
                Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists && tries > 0 => {
                    tries -= 1;
                }
                Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Err(fault),
                // Another disk, a file system without links, or too many of them.
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

    /// Takes the permission to write from everybody, under all names that the file has.
    ///
    /// # Errors
    /// That fails.
    #[cfg_attr(not(unix), expect(clippy::unused_self, reason = "as on other systems"))]
    pub fn make_read_only(&self) -> io::Result<()> {
        // Elsewhere nobody could delete it then.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let file = self.read()?;
            let mode = file.metadata()?.permissions().mode() & 0o444;
            file.set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// Lets go of the file, for another program that writes to its [path](Self::path).
    pub fn close(&mut self) {
        self.file = None;
    }

    /// Where it is until it is finished.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the bytes that were written so far.
    ///
    /// # Errors
    /// It is gone.
    pub fn read(&self) -> io::Result<File> {
        self.folder.read(&self.scratch)
    }

    /// Puts it on the disk.
    ///
    /// # Errors
    /// That fails.
    pub fn sync(&self) -> io::Result<()> {
        match &self.file {
            Some(file) => file.sync_all()?,
            None => self.read()?.sync_all()?,
        }
        self.ground.count_sync();
        Ok(())
    }

    /// Gives it its name, over a file that has it.
    ///
    /// # Errors
    /// It cannot be put on the disk where that is wanted, or a folder has its name; it goes then.
    pub fn finish(mut self) -> io::Result<()> {
        self.settle()?;
        self.folder.rename(&self.scratch, &self.name)?;
        // Of two names of one file, some systems leave both.
        if self.is_link
            && let Err(fault) = self.folder.remove_file(&self.scratch)
            && fault.kind() != io::ErrorKind::NotFound
        {
            return Err(fault);
        }
        self.name_is_given()
    }

    /// Gives it its name if nothing has it. Returns it otherwise, and where the system cannot tell in one
    /// step.
    ///
    /// # Errors
    /// It cannot be put on the disk where that is wanted, or cannot be renamed; it goes then.
    pub fn finish_if_free(mut self) -> io::Result<Option<Self>> {
        self.settle()?;
        match self.folder.rename_to_free(&self.scratch, &self.name)? {
            true => self.name_is_given().map(|()| None),
            false => Ok(Some(self)),
        }
    }

    /// Gives it its name in place of a file that `is_known`. That is asked right before the names change and, where the
    /// system exchanges two names in one step, of what came out: a file that another program put there in between gets
    /// its name back. False when an unknown file keeps the name; the new one goes then.
    ///
    /// # Errors
    /// It cannot be put on the disk where that is wanted, a file cannot be read, or it cannot be renamed.
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

    /// Deletes the file that this one, which is `own`, changed names with, when it `is_known`. Gives it its name back
    /// otherwise.
    fn judge_replaced(
        &mut self,
        own: &File,
        is_known: impl Fn(&File) -> io::Result<bool>,
    ) -> io::Result<bool> {
        // What has the scratch name may be another program's file now: it must not go with this value.
        self.is_finished = true;
        let known = self.folder.read(&self.scratch);
        let known = known.and_then(|replaced| is_known(&replaced));
        if let Ok(true) = known {
            self.folder.remove_file(&self.scratch)?;
            return self.name_is_given().map(|()| true);
        }
        self.folder.exchange(&self.scratch, &self.name)?;
        if !self.folder.is_same(&self.scratch, own)? {
            // The other program has replaced its own file meanwhile: the newer one is what it wants there.
            self.folder.exchange(&self.scratch, &self.name)?;
        }
        self.folder.remove_file(&self.scratch)?;
        known
    }

    /// Closes it, on the disk where that is wanted.
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
        // It must be closed before some systems delete it.
        self.file = None;
        if let Err(fault) = self.folder.remove_file(&self.scratch)
            && fault.kind() != io::ErrorKind::NotFound
        {
            warn!("cannot delete {}: {fault}", self.path.display());
        }
    }
}

/// An unpredictable name.
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

/// Whether a file of this name is one that was not finished.
pub fn is_unfinished(name: &str) -> bool {
    let digits = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(ENDING));
    digits.is_some_and(|digits| {
        let hexadecimal = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        digits.len() == DIGITS && digits.bytes().all(hexadecimal)
    })
}
