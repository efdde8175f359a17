//! The user data of a data track: sectors for the file system, bytes of files, and which sectors are bad.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::cue::TrackMode;
use super::image::ImageFile;
use super::iso9660::{Entry, Extent, Sectors};
use super::layout::Track;
use super::open::{BytePlace, Disc, FileNumber};
use super::sector::{self, RAW, USER, USER_FORM_2};
use crate::formats::codec::Deviations;
use crate::source::bytes::{FileBytes, Held};

/// Sectors that are read at once.
const BATCH: usize = 448;

/// Maximum number of listed runs of bad sectors.
const MOST_RUNS: usize = 4096;

/// A data track.
#[derive(Debug)]
pub struct DataTrack {
    /// Its place among the tracks.
    pub number: usize,
    mode: TrackMode,
    files: Arc<Vec<ImageFile>>,
    file: usize,
    offset: u64,
    count: u64,
    /// Number of its first sector on the disc.
    pub start: u64,
}

impl DataTrack {
    /// The sectors of a track; `None` for audio, and modes that are not known.
    pub fn of(number: usize, track: &Track, files: &Arc<Vec<ImageFile>>) -> Option<Self> {
        let piece = track.body.first()?;
        track.mode.is_data().then(|| Self {
            number,
            mode: track.mode.clone(),
            files: Arc::clone(files),
            file: piece.file,
            offset: piece.offset,
            count: piece.length / track.mode.sector_size(),
            start: track.start.unwrap_or_default(),
        })
    }

    /// Number of sectors that are there.
    pub fn sectors(&self) -> u64 {
        self.count
    }

    /// Whether its sectors hold the codes that guard them.
    pub fn is_guarded(&self) -> bool {
        matches!(self.mode, TrackMode::Mode1Raw | TrackMode::Mode2Raw)
    }

    /// The mode that the headers of its sectors tell.
    pub fn mode_number(&self) -> u8 {
        match self.mode {
            TrackMode::Mode1Cooked | TrackMode::Mode1Raw => 1,
            _ => 2,
        }
    }

    /// Number of bytes of a sector in the file.
    pub fn stored_size(&self) -> u64 {
        self.mode.sector_size()
    }

    fn size(&self) -> usize {
        usize::try_from(self.mode.sector_size()).unwrap_or(RAW)
    }

    /// First byte of user data in a sector as it lies in the file.
    fn lead(&self) -> usize {
        match self.mode {
            TrackMode::Mode1Raw => 16,
            TrackMode::Mode2Raw => 24,
            TrackMode::Mode2Headless => 8,
            _ => 0,
        }
    }

    /// Fills `buffer` with sectors as they lie in the file, `first` counted from the start of the track.
    fn read_stored(&self, first: u64, buffer: &mut [u8]) -> io::Result<()> {
        let file = self.files.get(self.file).ok_or(io::ErrorKind::NotFound)?;
        let count = (buffer.len() / self.size()) as u64;
        if first.saturating_add(count) > self.count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let offset = first.saturating_mul(self.size() as u64);
        file.read_at(self.offset.saturating_add(offset), buffer)
    }

    /// Hands `bytes` of user data from `first` on, counted from the start of the track, to `take`, each
    /// sector giving `user` bytes.
    fn read_user(
        &self,
        first: u64,
        bytes: u64,
        user: usize,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (size, lead) = (self.size(), self.lead());
        let mut stored = vec![
            0;
            size * BATCH.min(
                usize::try_from(bytes.div_ceil(user as u64))
                    .unwrap_or(BATCH)
                    .max(1)
            )
        ];
        let (mut sector, mut left) = (first, bytes);
        while left > 0 {
            let count = usize::try_from(left.div_ceil(user as u64)).unwrap_or(usize::MAX);
            let count = count.min(stored.len() / size);
            let batch = stored.get_mut(..count * size).unwrap_or_default();
            self.read_stored(sector, batch)?;
            for stored in batch.chunks_exact(size) {
                let wanted = user.min(usize::try_from(left).unwrap_or(user));
                let data = stored.get(lead..).and_then(|data| data.get(..wanted));
                take(data.ok_or(io::ErrorKind::InvalidData)?)?;
                left -= wanted as u64;
            }
            sector += count as u64;
        }
        Ok(())
    }

    /// Whether the sector is one of form 2, with more user data and less care.
    fn is_form_2(&self, sector: u64) -> bool {
        let mut stored = [0; RAW];
        self.mode == TrackMode::Mode2Raw
            && self.read_stored(sector, &mut stored).is_ok()
            && sector::is_form_2(&stored)
    }

    /// Checks every sector. `rebuild` also computes the codes P and Q again.
    pub fn examine(&self, rebuild: bool) -> Health {
        if !self.is_guarded() {
            return Health::default();
        }
        let batches: Vec<u64> = (0..self.count).step_by(BATCH).collect();
        let found: Vec<Vec<BadSector>> = batches
            .into_par_iter()
            .map_init(
                || vec![0; RAW * BATCH],
                |buffer, first| self.examine_batch(first, buffer, rebuild),
            )
            .collect();
        let mut health = Health {
            checked: self.count,
            ..Health::default()
        };
        for bad in found.into_iter().flatten() {
            health.add(bad);
        }
        health
    }

    fn examine_batch(&self, first: u64, buffer: &mut [u8], rebuild: bool) -> Vec<BadSector> {
        let count = usize::try_from(self.count - first).map_or(BATCH, |left| left.min(BATCH));
        let batch = buffer.get_mut(..count * RAW).unwrap_or_default();
        let bad = |sector: u64, fault: String| BadSector {
            sector: self.start + sector,
            fault,
        };
        if let Err(error) = self.read_stored(first, batch) {
            let all = first..first + count as u64;
            return all.map(|sector| bad(sector, error.to_string())).collect();
        }
        let mode = self.mode_number();
        let mut found = Vec::new();
        for (number, stored) in (first..).zip(batch.as_chunks::<RAW>().0) {
            match sector::check(stored, mode) {
                Err(fault) => found.push(bad(number, fault.to_string())),
                Ok(()) if rebuild && sector::rebuilt(stored, mode).as_ref() != Some(stored) => {
                    found.push(bad(
                        number,
                        "its parity is not that of its bytes".to_owned(),
                    ));
                }
                Ok(()) => {}
            }
        }
        found
    }
}

impl Sectors for DataTrack {
    fn first(&self) -> u64 {
        self.start
    }

    fn end(&self) -> u64 {
        self.start + self.count
    }

    fn read(&self, sector: u64, buffer: &mut [u8]) -> io::Result<()> {
        let first = sector.checked_sub(self.start);
        let first = first.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut filled = 0_usize;
        let length = buffer.len() as u64;
        self.read_user(first, length, USER, &mut |data| {
            let end = filled + data.len();
            if let Some(place) = buffer.get_mut(filled..end) {
                place.copy_from_slice(data);
            }
            filled = end;
            Ok(())
        })
    }
}

/// A damaged sector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadSector {
    /// Its number on the disc.
    pub sector: u64,
    /// What is wrong.
    pub fault: String,
}

/// A run of bad sectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadRun {
    /// Number of the first on the disc.
    pub first: u64,
    /// Number of the last.
    pub last: u64,
    /// What is wrong with the first.
    pub fault: String,
}

/// The state of a data track.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Health {
    /// Sectors that were looked at.
    pub checked: u64,
    /// Bad ones among them.
    pub bad: u64,
    /// Runs of bad sectors, up to a maximum.
    pub runs: Vec<BadRun>,
}

impl Health {
    fn add(&mut self, bad: BadSector) {
        self.bad += 1;
        let full = self.runs.len() >= MOST_RUNS;
        match self.runs.last_mut() {
            Some(run) if run.last + 1 == bad.sector => run.last = bad.sector,
            _ if full => {}
            _ => self.runs.push(BadRun {
                first: bad.sector,
                last: bad.sector,
                fault: bad.fault,
            }),
        }
    }
}

impl Disc {
    /// Checks every sector of the data tracks, on all threads.
    pub fn examine(&self) {
        // Not inside the lock: a thread that waits for others could be handed work that waits for it.
        if self.health.get().is_none() {
            let sessions = self.sessions.iter();
            let health = sessions
                .map(|session| session.track.examine(false))
                .collect();
            self.health.get_or_init(|| health);
        }
    }

    /// The state of each data track, once they were [examined](Self::examine).
    pub fn health(&self) -> Option<&[Health]> {
        self.health.get().map(Vec::as_slice)
    }

    /// Bad sectors in a file, as far as they are known.
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

    /// Where byte `offset` of a file lies; `None` for one behind its end, and for what cannot be read.
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

    /// The bytes of a file: mapped where they lie in one piece, else gathered, in memory as long as there
    /// is room for them and in a temporary file otherwise.
    ///
    /// # Errors
    /// The file lies outside the image, or cannot be read.
    pub fn read_file(&self, number: FileNumber) -> io::Result<FileBytes> {
        let (_, session, entry) = self.file(number).ok_or(io::ErrorKind::NotFound)?;
        if let Some(problem) = &entry.problem {
            return Err(io::Error::other(problem.clone()));
        }
        let track = &*session.track;
        if let Some(bytes) = mapped(track, entry) {
            return bytes;
        }
        let length = gathered_size(track, entry);
        if let Some(mut held) = Held::reserve(length) {
            gather(track, entry, &mut |data| held.add(data))?;
            return Ok(FileBytes::Held(held));
        }
        let mut scratch = tempfile::tempfile()?;
        gather(track, entry, &mut |data| scratch.write_all(data))?;
        FileBytes::map(&scratch)
    }
}

/// A file that lies in one piece in an image of user data.
fn mapped(track: &DataTrack, entry: &Entry) -> Option<io::Result<FileBytes>> {
    let [extent] = &*entry.extents else {
        return None;
    };
    if track.size() != USER {
        return None;
    }
    let file = track.files.get(track.file)?;
    let path = file.path.as_deref()?;
    let place = extent.sector.checked_sub(track.start)? * USER as u64 + track.offset;
    Some(File::open(path).and_then(|file| FileBytes::map_part(&file, place, extent.bytes)))
}

/// Bytes of an extent, and those that each of its sectors gives. Files of form 2 are counted in 2048
/// bytes a sector, but hold more.
fn stored_as(track: &DataTrack, extent: &Extent) -> (u64, usize) {
    let first = extent.sector.checked_sub(track.start);
    if first.is_some_and(|first| track.is_form_2(first)) {
        let sectors = extent.bytes.div_ceil(USER as u64);
        (sectors.saturating_mul(USER_FORM_2 as u64), USER_FORM_2)
    } else {
        (extent.bytes, USER)
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
