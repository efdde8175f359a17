//! Files on a disc: their bytes, their positions, and their bad sectors.

use std::fs::File;
use std::io::{self, Write};

use super::data::{DataTrack, Health};
use super::iso9660::Entry;
use super::open::Disc;
use super::place::{BytePlace, FileNumber};
use super::record::Extent;
use super::sector::{USER, USER_FORM_2};
use crate::bytes::{FileBytes, Held};
use relicast_codec::Deviations;

impl Disc {
    /// Checks every sector of the data tracks, on all threads.
    pub fn examine(&self) {
        // Not inside the lock: a waiting thread could be given work that needs the lock.
        if self.health.get().is_none() {
            let sessions = self.sessions.iter();
            let health = sessions
                .map(|session| session.track.examine(false))
                .collect();
            self.health.get_or_init(|| health);
        }
    }

    /// The state of each data track; `None` before they were [examined](Self::examine).
    pub fn health(&self) -> Option<&[Health]> {
        self.health.get().map(Vec::as_slice)
    }

    /// Known bad sectors in a file.
    pub fn bad_sectors(&self, number: FileNumber) -> Deviations {
        let mut deviations = Deviations::default();
        let Some((place, _, entry)) = self.file(number) else {
            return deviations;
        };
        let health = self.health().and_then(|all| all.get(place));
        let runs = health.map_or(&[][..], |health| &health.runs);
        let mut before = 0_u64;
        for extent in &entry.extents {
            let end = extent.sector + extent.bytes.div_ceil(USER as u64);
            for run in runs {
                let (first, last) = (run.first.max(extent.sector), (run.last + 1).min(end));
                if first < last {
                    let offset = before + (first - extent.sector) * USER as u64;
                    let found = match last - first {
                        1 => format!("LBA {first}: {}", run.fault),
                        _ => format!("LBA {first} to {}: {}", last - 1, run.fault),
                    };
                    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                    deviations.push("sector", offset, "sectors as they were written", found);
                }
            }
            before += extent.bytes;
        }
        deviations
    }

    /// Place of byte `offset` of a file; `None` for an offset after its end and for unreadable files.
    pub fn place_in_file(&self, number: FileNumber, offset: u64) -> Option<BytePlace> {
        let (_, session, entry) = self.file(number)?;
        let track = &*session.track;
        let mut before = 0_u64;
        for extent in &entry.extents {
            let (bytes, user) = stored_as(track, extent);
            let within = offset.checked_sub(before)?;
            if within < bytes {
                let sector = extent.sector + within / user as u64;
                let lead = track.lead() as u64 + within % user as u64;
                let stored = sector.checked_sub(track.start)?;
                return Some(BytePlace {
                    track: track.number,
                    file: track.file,
                    sector,
                    offset: track.offset + stored * track.stored_size() + lead,
                    sector_bytes: track.stored_size(),
                    data_bytes: user as u64,
                });
            }
            before += bytes;
        }
        None
    }

    /// Fills `buffer` from byte `offset` of a file on.
    ///
    /// # Errors
    /// The file ends earlier, is outside the image, or cannot be read.
    pub fn read_at(&self, number: FileNumber, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let (_, session, entry) = self.file(number).ok_or(io::ErrorKind::NotFound)?;
        if let Some(problem) = &entry.problem {
            return Err(io::Error::other(problem.clone()));
        }
        let track = &*session.track;
        let (mut place, mut before, mut filled) = (offset, 0_u64, 0_usize);
        for extent in &entry.extents {
            let (bytes, user) = stored_as(track, extent);
            let within = place - before;
            let rest = buffer.get_mut(filled..).unwrap_or_default();
            if within < bytes && !rest.is_empty() {
                let count = usize::try_from(bytes - within).unwrap_or(usize::MAX);
                let rest = rest.get_mut(..count.min(rest.len())).unwrap_or_default();
                read_within(track, extent, within, user, rest)?;
                filled += rest.len();
                place += rest.len() as u64;
            }
            before += bytes;
            if place < before {
                break;
            }
        }
        match filled == buffer.len() {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Reads the bytes of a file: from the image where they are contiguous, otherwise collected in memory or, when
    /// there is no room, in a temporary file.
    ///
    /// # Errors
    /// The file is outside the image, or cannot be read.
    pub fn read_file(&self, number: FileNumber) -> io::Result<FileBytes> {
        let (_, session, entry) = self.file(number).ok_or(io::ErrorKind::NotFound)?;
        if let Some(problem) = &entry.problem {
            return Err(io::Error::other(problem.clone()));
        }
        let track = &*session.track;
        if let Some(bytes) = in_place(track, entry) {
            return bytes;
        }
        let length = gathered_size(track, entry);
        if let Some(mut held) = Held::reserve(length) {
            gather(track, entry, &mut |data| held.add(data))?;
            return Ok(FileBytes::Held(held));
        }
        let mut scratch = tempfile::tempfile()?;
        gather(track, entry, &mut |data| scratch.write_all(data))?;
        FileBytes::read(scratch)
    }
}

/// Fills `buffer` from byte `within` of an extent on, whose sectors give `user` bytes.
fn read_within(
    track: &DataTrack,
    extent: &Extent,
    within: u64,
    user: usize,
    buffer: &mut [u8],
) -> io::Result<()> {
    let first = extent.sector.checked_sub(track.start);
    let first = first.ok_or(io::ErrorKind::UnexpectedEof)? + within / user as u64;
    let mut skipped = usize::try_from(within % user as u64).unwrap_or_default();
    let bytes = (skipped + buffer.len()) as u64;
    let mut filled = 0_usize;
    track.read_user(first, bytes, user, &mut |data| {
        let data = data.get(skipped.min(data.len())..).unwrap_or_default();
        skipped = 0;
        let end = filled + data.len();
        if let Some(place) = buffer.get_mut(filled..end) {
            place.copy_from_slice(data);
        }
        filled = end;
        Ok(())
    })
}

/// Opens a file that is contiguous in an image of user data.
fn in_place(track: &DataTrack, entry: &Entry) -> Option<io::Result<FileBytes>> {
    let [extent] = &*entry.extents else {
        return None;
    };
    if track.size() != USER {
        return None;
    }
    let file = track.files.get(track.file)?;
    let path = file.path.as_deref()?;
    let place = extent.sector.checked_sub(track.start)? * USER as u64 + track.offset;
    Some(File::open(path).and_then(|file| FileBytes::read_part(file, place, extent.bytes)))
}

/// Bytes of an extent, and bytes in each of its sectors. Files of form 2 are counted in 2048
/// bytes per sector, but hold more.
fn stored_as(track: &DataTrack, extent: &Extent) -> (u64, usize) {
    let first = extent.sector.checked_sub(track.start);
    match first.is_some_and(|first| track.is_form_2(first)) {
        true => {
            let sectors = extent.bytes.div_ceil(USER as u64);
            (sectors.saturating_mul(USER_FORM_2 as u64), USER_FORM_2)
        }
        false => (extent.bytes, USER),
    }
}

fn gathered_size(track: &DataTrack, entry: &Entry) -> u64 {
    let extents = entry.extents.iter();
    extents.fold(0, |sum, extent| {
        stored_as(track, extent).0.saturating_add(sum)
    })
}

fn gather(
    track: &DataTrack,
    entry: &Entry,
    take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    for extent in &entry.extents {
        let first = extent.sector.checked_sub(track.start);
        let first = first.ok_or(io::ErrorKind::UnexpectedEof)?;
        let (bytes, user) = stored_as(track, extent);
        track.read_user(first, bytes, user, take)?;
    }
    Ok(())
}
