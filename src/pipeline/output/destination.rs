//! Destination of outputs: the folder, the journal, protection of existing files, and the store.

use std::io;
use std::path::Path;

use super::folder::{Durability, OutputFolder, Unfinished};
use crate::config::SyncPolicy;
use crate::pipeline::reuse::edited::{Aside, Keeper};
use crate::pipeline::reuse::journal::WorkFolder;
use crate::pipeline::reuse::store::Store;

/// Destination of outputs.
#[derive(Debug)]
pub struct Destination<'a> {
    /// The output folder.
    pub folder: OutputFolder,
    /// The journal of finished items.
    pub work: &'a WorkFolder,
    /// Protects files of others at the paths of outputs.
    pub keeper: &'a Keeper<'a>,
    /// Shares outputs with other runs.
    pub store: Option<&'a Store>,
}

impl<'a> Destination<'a> {
    /// Writes outputs to the existing folder `out` and records them in `work`.
    ///
    /// # Errors
    /// The folder cannot be opened.
    pub fn new(
        out: &Path,
        work: &'a WorkFolder,
        keeper: &'a Keeper<'a>,
        sync: SyncPolicy,
    ) -> io::Result<Self> {
        let durability = match sync {
            SyncPolicy::All => Durability::Disk,
            SyncPolicy::Manifest | SyncPolicy::None => Durability::System,
        };
        Ok(Self {
            folder: OutputFolder::open(out, durability)?,
            work,
            keeper,
            store: None,
        })
    }

    /// Moves an existing file out of the way of an output, unless the path contains a link.
    pub(in crate::pipeline) fn make_way(&self, path: &str) -> io::Result<Option<Aside>> {
        self.folder.reach(path)?;
        self.keeper.make_way(path)
    }

    /// Creates an output from an object of the store.
    ///
    /// # Errors
    /// There is no store or no such object, or the output cannot be written.
    pub(in crate::pipeline) fn take(&self, path: &str, blake3: &str, size: u64) -> io::Result<()> {
        let store = self.store.ok_or(io::ErrorKind::NotFound)?;
        self.folder.reach(path)?;
        let (file, way) = store.begin(&self.folder, path, blake3)?;
        self.name(file, path, blake3)
            .inspect(|()| store.count_output(way, size))
    }

    /// Renames a file to its final name and first moves an existing one out of the way.
    fn name(&self, file: Unfinished<'_>, path: &str, blake3: &str) -> io::Result<()> {
        let Some(file) = file.finish_if_free()? else {
            return Ok(());
        };
        let aside = self.keeper.make_way(path)?;
        let written = file.finish();
        self.keeper
            .finish_move(aside, written.is_ok().then_some(blake3));
        written
    }

    /// Shares a newly written output through the store, if any.
    pub(in crate::pipeline) fn share(&self, path: &str, blake3: &str, size: u64) {
        if let Some(store) = self.store {
            store.share(&self.folder, path, blake3, size);
        }
    }

    /// Renames a streamed output, whose BLAKE3 is `blake3`, to its final name.
    pub(in crate::pipeline) fn finish(
        &self,
        file: Unfinished<'_>,
        path: &str,
        blake3: &str,
        size: u64,
    ) -> io::Result<()> {
        self.name(file, path, blake3)
            .inspect(|()| self.share(path, blake3, size))
    }

    /// Writes an output whose BLAKE3 is `blake3`.
    pub(in crate::pipeline) fn write(
        &self,
        path: &str,
        bytes: &[u8],
        blake3: &str,
    ) -> io::Result<()> {
        let size = bytes.len() as u64;
        let is_stored = self.store.is_some_and(|store| store.holds(blake3, size));
        if is_stored && self.take(path, blake3, size).is_ok() {
            return Ok(());
        }
        let make_way = || self.keeper.make_way(path);
        let (aside, written) = self.folder.write_where_free(path, bytes, make_way)?;
        self.keeper
            .finish_move(aside.flatten(), written.is_ok().then_some(blake3));
        if written.is_ok() {
            self.share(path, blake3, size);
        }
        written
    }
}
