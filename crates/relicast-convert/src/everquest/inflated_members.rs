//! Inflated members of archives between their uses.
//!
//! The plan decodes the scenes of an archive to name what comes of them, its conversion does once more, and so does every
//! zone that borrows from it; pictures are looked at by scenes that name them before they are converted. All of them
//! together do not stay in memory, and inflating takes longer than reading a file again: what was inflated waits in a file
//! without a name, among the temporary files of the system, which goes with the run. Where there is no room for it, or it
//! cannot be read, members are inflated again.
//!
//! Not here: decoded scenes, which `archive_cache` keeps as long as there is room in memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use tracing::debug;

use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::everquest::pfs::Entry;
use relicast_limits as limits;

/// The most that is kept, in bytes.
const MOST: u64 = 1 << 30;

/// What is free where temporary files lie is at least so many times what is kept.
#[cfg(unix)]
const FREE: u64 = 4;

/// BLAKE3 of the stored blocks of a member, which tell what it inflates to.
type Key = [u8; 32];

/// What members of the same stored blocks have in common, and few others: they are hashed only for one that was kept. Their
/// length, and their last bytes, which are a checksum of what the last block inflates to.
pub(super) type Mark = (usize, [u8; 8]);

/// Inflated members of a run.
#[derive(Debug, Default)]
pub(crate) struct InflatedMembers(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Made when the first is kept.
    file: Option<File>,
    /// Nothing more is kept.
    is_full: bool,
    end: u64,
    places: HashMap<Mark, Vec<(Key, Place)>>,
}

/// Where a member lies in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    start: u64,
    length: usize,
}

impl InflatedMembers {
    /// The bytes of a member, which are kept for who asks next.
    ///
    /// # Errors
    /// As [`Entry::extract`].
    pub(super) fn extract(&self, entry: &Entry<'_>) -> Result<Decoded<Vec<u8>>, FormatError> {
        if let Some(bytes) = self.find(entry)? {
            return Ok(bytes);
        }
        let inflated = entry.extract()?;
        if inflated.deviations.is_spotless() {
            let key = key(entry);
            self.with(|kept| kept.keep(mark(entry), key, &inflated.value));
        }
        Ok(inflated)
    }

    /// The bytes of a member whose place is remembered by who asks, so that it need not be known by its stored blocks.
    ///
    /// # Errors
    /// As [`Entry::extract`].
    pub(super) fn extract_to(
        &self,
        place: &OnceLock<Place>,
        entry: &Entry<'_>,
    ) -> Result<Decoded<Vec<u8>>, FormatError> {
        if let Some(&place) = place.get()
            && let Some(bytes) = self.read(place)?
        {
            return Ok(bytes);
        }
        let inflated = entry.extract()?;
        if inflated.deviations.is_spotless()
            && let Some(kept) = self.with(|kept| kept.append(&inflated.value))
        {
            place.get_or_init(|| kept);
        }
        Ok(inflated)
    }

    /// The bytes of a member that nobody is to ask for again.
    ///
    /// # Errors
    /// As [`Entry::extract`].
    pub(super) fn extract_last(&self, entry: &Entry<'_>) -> Result<Decoded<Vec<u8>>, FormatError> {
        match self.find(entry)? {
            Some(bytes) => Ok(bytes),
            None => entry.extract(),
        }
    }

    /// The bytes of a member, when they were kept.
    fn find(&self, entry: &Entry<'_>) -> Result<Option<Decoded<Vec<u8>>>, FormatError> {
        let mark = mark(entry);
        let may_be_kept = self.with(|kept| kept.places.contains_key(&mark));
        if !may_be_kept || entry.fault.is_some() {
            return Ok(None);
        }
        let key = key(entry);
        let place = self.with(|kept| kept.place(mark, &key));
        let is_it = |place: &Place| place.length == entry.row.size as usize;
        let Some(place) = place.filter(is_it) else {
            return Ok(None);
        };
        self.read(place)
    }

    /// The bytes at a place; `None` when they cannot be read.
    fn read(&self, place: Place) -> Result<Option<Decoded<Vec<u8>>>, FormatError> {
        limits::try_reserve(place.length)?;
        match self.with(|kept| kept.read(place)) {
            Ok(value) => {
                let deviations = Deviations::default();
                Ok(Some(Decoded { value, deviations }))
            }
            Err(fault) => {
                debug!("an inflated member cannot be read again: {fault}");
                Ok(None)
            }
        }
    }

    fn with<T>(&self, use_of: impl FnOnce(&mut Kept) -> T) -> T {
        use_of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn key(entry: &Entry<'_>) -> Key {
    *blake3::hash(&entry.blocks).as_bytes()
}

pub(super) fn mark(entry: &Entry<'_>) -> Mark {
    let last = entry.blocks.last_chunk::<8>();
    (entry.blocks.len(), last.copied().unwrap_or_default())
}

impl Kept {
    fn place(&self, mark: Mark, key: &Key) -> Option<Place> {
        let mut alike = self.places.get(&mark)?.iter();
        alike
            .find(|(other, _)| other == key)
            .map(|(_, place)| *place)
    }

    fn read(&mut self, place: Place) -> io::Result<Vec<u8>> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(place.start))?;
        let mut bytes = Vec::with_capacity(place.length);
        file.take(place.length as u64).read_to_end(&mut bytes)?;
        match bytes.len() == place.length {
            true => Ok(bytes),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Keeps what a member inflates to, if there is room.
    fn keep(&mut self, mark: Mark, key: Key, bytes: &[u8]) {
        if self.place(mark, &key).is_none()
            && let Some(place) = self.append(bytes)
        {
            self.places.entry(mark).or_default().push((key, place));
        }
    }

    /// Appends bytes to the file, if there is room.
    fn append(&mut self, bytes: &[u8]) -> Option<Place> {
        if self.is_full {
            return None;
        }
        let written = self.write(bytes);
        if let Err(fault) = &written {
            debug!("no more inflated members are kept: {fault}");
            self.is_full = true;
        }
        written.ok()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<Place> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        let start = self.end;
        let end = start.saturating_add(bytes.len() as u64);
        if end > MOST || !has_room(file, bytes.len() as u64) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        file.seek(SeekFrom::Start(start))?;
        file.write_all(bytes)?;
        self.end = end;
        let length = bytes.len();
        Ok(Place { start, length })
    }
}

/// Whether enough is left for others where the file lies.
#[cfg(unix)]
fn has_room(file: &File, bytes: u64) -> bool {
    rustix::fs::fstatvfs(file).is_ok_and(|room| {
        let free = room.f_bavail.saturating_mul(room.f_frsize);
        free / FREE >= bytes
    })
}

/// Only writing tells here.
#[cfg(not(unix))]
fn has_room(_: &File, _: u64) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::everquest::pfs;

    #[test]
    fn a_member_is_inflated_once_and_comes_back_as_it_was() {
        let scene: Vec<u8> = (0..100_000_u32)
            .flat_map(|number| (number % 251).to_le_bytes())
            .collect();
        let archive = pfs::pack(&[("zone.wld", &scene)], None, 6).unwrap();
        let entry = archive.entries.first().unwrap();
        let kept = InflatedMembers::default();
        assert_eq!(kept.extract_last(entry).unwrap().value, scene);
        assert!(kept.with(|kept| kept.places.is_empty()));
        for _ in 0..3 {
            assert_eq!(kept.extract(entry).unwrap().value, scene);
        }
        assert_eq!(kept.extract_last(entry).unwrap().value, scene);
        let (places, end) = kept.with(|kept| (kept.places.len(), kept.end));
        assert_eq!((places, end), (1, scene.len() as u64));
        let other = pfs::pack(&[("other.wld", &scene[4..])], None, 6).unwrap();
        let other = other.entries.first().unwrap();
        assert_eq!(kept.extract(other).unwrap().value, &scene[4..]);
        // Others of the same mark are told apart.
        kept.with(|kept| {
            let here = kept.places[&mark(entry)].clone();
            kept.places.insert(mark(other), here);
        });
        assert_eq!(kept.extract(other).unwrap().value, &scene[4..]);
        // Where the place is remembered, nothing is known by stored blocks.
        let (place, known) = (OnceLock::new(), kept.with(|kept| kept.places.len()));
        for _ in 0..2 {
            let bytes = kept.extract_to(&place, entry).unwrap().value;
            assert_eq!(bytes, scene);
            assert_eq!(place.get().unwrap().length, scene.len());
        }
        assert_eq!(kept.with(|kept| kept.places.len()), known);
        // Where the file says something else, or nothing, the archive is asked.
        kept.with(|kept| kept.file.as_ref().unwrap().set_len(10).unwrap());
        assert_eq!(kept.extract(entry).unwrap().value, scene);
        assert_eq!(kept.extract_to(&place, entry).unwrap().value, scene);
    }
}
