//! Contents of a store, by their BLAKE3.

use std::fs;
use std::io;
use std::sync::atomic::Ordering;

use tracing::{debug, warn};

use super::{DAMAGED, OBJECTS, Store, place};
use crate::pipeline::output::folder::{OutputFolder, Unfinished, Way};
use crate::pipeline::output::hash::hash_reader;

/// Digits in the name of an object.
pub(super) const DIGITS: usize = 64;

/// Path of an object.
pub(super) fn path_of(blake3: &str) -> Option<String> {
    place(OBJECTS, blake3, DIGITS)
}

impl Store {
    /// Returns whether the store has this content. An object is verified before its first use in a run; a
    /// changed one is moved to `damaged`.
    pub(in crate::pipeline) fn holds(&self, blake3: &str, size: u64) -> bool {
        if self.known().contains(blake3) {
            return true;
        }
        let Some(path) = path_of(blake3) else {
            return false;
        };
        let Ok(file) = self.folder.read(&path) else {
            return false;
        };
        let is_long = file.metadata().is_ok_and(|found| found.len() == size);
        let is_whole = is_long
            && hash_reader(io::BufReader::with_capacity(1 << 18, file))
                .is_ok_and(|hashed| hashed.blake3 == blake3);
        match is_whole {
            true => {
                self.known().insert(blake3.to_owned());
            }
            false => self.put_aside(&path, blake3),
        }
        is_whole
    }

    /// Returns whether this run has used or added the object.
    pub(in crate::pipeline) fn is_known(&self, blake3: &str) -> bool {
        self.known().contains(blake3)
    }

    /// Moves a damaged object to `damaged`, unchanged.
    fn put_aside(&self, path: &str, blake3: &str) {
        self.counts.damaged.fetch_add(1, Ordering::Relaxed);
        let folder = self.root.join(DAMAGED);
        // Objects that were moved there before are preserved.
        let mut places = (1_u32..).map(|number| match number {
            1 => folder.join(blake3),
            number => folder.join(format!("{blake3}-{number}")),
        });
        let place = places.find(|place| fs::symlink_metadata(place).is_err());
        let place = place.unwrap_or_else(|| folder.join(blake3));
        let moved =
            fs::create_dir_all(&folder).and_then(|()| fs::rename(self.root.join(path), place));
        match moved {
            Ok(()) => warn!(
                "store object {blake3} was changed by another program; it is not used and was moved to {}",
                folder.display()
            ),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            Err(fault) => warn!("store object {blake3} is damaged and cannot be moved: {fault}"),
        }
    }

    /// Shares a newly written output: links it to the object with the same bytes, or adds it as one. An output
    /// that cannot be shared stays as written.
    pub(in crate::pipeline) fn share(
        &self,
        out: &OutputFolder,
        path: &str,
        blake3: &str,
        size: u64,
    ) {
        let shared = match self.holds(blake3, size) {
            false => self.add(out, path, blake3, size),
            true => self.begin(out, path, blake3).and_then(|(file, way)| {
                file.finish()?;
                self.count_output(way, size);
                Ok(())
            }),
        };
        if let Err(fault) = shared {
            self.count_fault();
            debug!("cannot share {path} with the store: {fault}");
        }
    }

    /// Creates an output with the bytes of an object.
    ///
    /// # Errors
    /// The object does not exist, or the output cannot be written.
    pub(in crate::pipeline) fn begin<'o>(
        &self,
        out: &'o OutputFolder,
        path: &str,
        blake3: &str,
    ) -> io::Result<(Unfinished<'o>, Way)> {
        let object = path_of(blake3).ok_or(io::ErrorKind::InvalidInput)?;
        out.begin_as(path, &self.folder, &object)
    }

    /// Adds a written output, unless the store has its content.
    ///
    /// # Errors
    /// It cannot be linked, cloned or copied into the store.
    fn add(&self, out: &OutputFolder, path: &str, blake3: &str, size: u64) -> io::Result<()> {
        let object = path_of(blake3).ok_or(io::ErrorKind::InvalidInput)?;
        let (file, _) = self.folder.begin_as(&object, out, path)?;
        // It may have been changed since it was written.
        let hashed = hash_reader(io::BufReader::with_capacity(1 << 18, file.read()?))?;
        if hashed.blake3 != blake3 {
            let reason = "it was changed while it was written";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        file.make_read_only()?;
        if let Some(file) = file.finish_if_free()? {
            // Another run was faster, or the system has no atomic check; the bytes are the same.
            match self.folder.read(&object) {
                Ok(_) => drop(file),
                Err(_) => file.finish()?,
            }
        }
        self.counts.added.fetch_add(1, Ordering::Relaxed);
        self.counts.added_bytes.fetch_add(size, Ordering::Relaxed);
        self.known().insert(blake3.to_owned());
        Ok(())
    }
}
