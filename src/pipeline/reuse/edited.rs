//! Changed files at the paths of outputs: edited outputs, and the user's own files. They are moved to
//! `NAME.edited-1` in the same folder before the output is written, unless they have the same bytes as the
//! output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::state::Previous;
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::output::hash::hash_file;
use crate::pipeline::report::Edited;

/// Moves changed files out of the way of outputs.
#[derive(Debug)]
pub struct Keeper<'a> {
    out: &'a Path,
    previous: &'a Previous,
    /// True if changed files are overwritten.
    force: bool,
    moved: Mutex<Vec<Edited>>,
}

/// Moved file, until the output is written.
#[derive(Debug)]
pub(in crate::pipeline) struct Aside {
    path: String,
    from: PathBuf,
    to: PathBuf,
}

impl<'a> Keeper<'a> {
    /// Protects changed files in `out`; `previous` lists what earlier runs wrote. With `force` they are
    /// overwritten.
    pub fn new(out: &'a Path, previous: &'a Previous, force: bool) -> Self {
        Self {
            out,
            previous,
            force,
            moved: Mutex::new(Vec::new()),
        }
    }

    /// Moves a changed file at the path of an output out of the way.
    ///
    /// # Errors
    /// It cannot be moved, or it is a folder.
    pub(in crate::pipeline) fn make_way(&self, path: &str) -> io::Result<Option<Aside>> {
        let from = self.out.join(path);
        let Ok(metadata) = fs::symlink_metadata(&from) else {
            return Ok(None);
        };
        if metadata.is_dir() {
            let reason = "a folder is at the path of the output";
            return Err(io::Error::new(io::ErrorKind::IsADirectory, reason));
        }
        if self.force || self.previous.wrote(path, self.out) {
            return Ok(None);
        }
        let to = move_aside(&from)?;
        Ok(Some(Aside {
            path: path.to_owned(),
            from,
            to,
        }))
    }

    /// Completes [`make_way`](Self::make_way). `blake3` is the hash of the written output; `None` if it could
    /// not be written, and then the moved file is restored.
    pub(in crate::pipeline) fn finish_move(&self, aside: Option<Aside>, blake3: Option<&str>) {
        let Some(aside) = aside else {
            return;
        };
        let is_plain =
            |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        let cleared = match blake3 {
            // The same bytes, for example after an unfinished run.
            Some(blake3) => {
                is_plain(&aside.to)
                    && hash_file(&aside.to).is_ok_and(|hashed| hashed.blake3 == blake3)
                    && fs::remove_file(&aside.to).is_ok()
            }
            None => rename_to_free(&aside.to, &aside.from).is_ok_and(|is_done| is_done),
        };
        if !cleared {
            self.report(aside.path, Some(&aside.to));
        }
    }

    /// Moves a file that is not a document of a run out of the way.
    ///
    /// # Errors
    /// It cannot be moved.
    pub(in crate::pipeline) fn move_document(&self, name: &str) -> io::Result<()> {
        let to = move_aside(&self.out.join(name))?;
        self.report(name.to_owned(), Some(&to));
        Ok(())
    }

    /// Records an edited stale output, which is not moved.
    pub(in crate::pipeline) fn leave(&self, path: &str) {
        self.report(path.to_owned(), None);
    }

    fn report(&self, path: String, moved_to: Option<&Path>) {
        let relative = moved_to.map(|to| to.strip_prefix(self.out).unwrap_or(to));
        let moved_to = relative.map(|to| to.to_string_lossy().replace('\\', "/"));
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.push(Edited { path, moved_to });
    }

    /// Changed files that were found, sorted by path.
    pub(in crate::pipeline) fn take(&self) -> Vec<Edited> {
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        let mut moved = std::mem::take(&mut *moved);
        moved.sort();
        moved
    }
}

/// Renames a file to a name in the same folder if it is free.
fn rename_to_free(from: &Path, to: &Path) -> io::Result<bool> {
    let name = |path: &Path| {
        path.file_name()
            .and_then(|name| name.to_str())
            .map(str::to_owned)
    };
    let names = name(from).zip(name(to));
    let (old, new) = names.ok_or(io::ErrorKind::InvalidInput)?;
    let folder = from.parent().unwrap_or(Path::new(""));
    OutputFolder::open(folder, Durability::System)?.rename_to_free(&old, &new)
}

/// Renames a file to the first free name of `NAME.edited-1`, `NAME.edited-2` …
fn move_aside(from: &Path) -> io::Result<PathBuf> {
    let name = from.file_name().unwrap_or_default();
    for number in 1_u32.. {
        let mut aside = name.to_owned();
        aside.push(format!(".edited-{number}"));
        let to = from.with_file_name(&aside);
        if rename_to_free(from, &to)? {
            return Ok(to);
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}
