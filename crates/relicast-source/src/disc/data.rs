//! User data of a data track: sectors for the file system, and bad sectors.

use std::io;
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::cue::TrackMode;
use super::image::ImageFile;
use super::layout::Track;
use super::record::Sectors;
use super::sector::{self, RAW, USER};

/// Sectors that are read at once.
const BATCH: usize = 448;

/// Maximum number of listed runs of bad sectors.
const MAX_RUNS: usize = 4096;

/// A data track.
#[derive(Debug)]
pub struct DataTrack {
    /// Its index among the tracks.
    pub number: usize,
    mode: TrackMode,
    pub(super) files: Arc<Vec<ImageFile>>,
    pub(super) file: usize,
    pub(super) offset: u64,
    count: u64,
    /// Number of its first sector on the disc.
    pub start: u64,
}

impl DataTrack {
    /// Creates the sectors of a track; `None` for audio and for unknown modes.
    pub fn new(number: usize, track: &Track, files: &Arc<Vec<ImageFile>>) -> Option<Self> {
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

    /// Number of its first sector on the disc by the headers of the first two sectors, if these agree.
    pub fn stored_address(&self) -> Option<u64> {
        if !self.has_checksums() {
            return None;
        }
        let mut stored = [0; 2 * RAW];
        self.read_stored(0, &mut stored).ok()?;
        let (first, second) = stored.split_at(RAW);
        let addresses = [first, second].map(sector::address_of);
        let first = addresses[0]?;
        (addresses[1] == first.checked_add(1)).then_some(first)
    }

    /// Number of sectors in the image.
    pub fn sectors(&self) -> u64 {
        self.count
    }

    /// True if its sectors hold error detection and correction codes.
    pub fn has_checksums(&self) -> bool {
        matches!(self.mode, TrackMode::Mode1Raw | TrackMode::Mode2Raw)
    }

    /// Mode number in the headers of its sectors.
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

    pub(super) fn size(&self) -> usize {
        usize::try_from(self.mode.sector_size()).unwrap_or(RAW)
    }

    /// Offset of the user data in a stored sector.
    pub(super) fn lead(&self) -> usize {
        match self.mode {
            TrackMode::Mode1Raw => 16,
            TrackMode::Mode2Raw => 24,
            TrackMode::Mode2Headless => 8,
            _ => 0,
        }
    }

    /// Fills `buffer` with stored sectors, `first` counted from the start of the track.
    fn read_stored(&self, first: u64, buffer: &mut [u8]) -> io::Result<()> {
        let file = self.files.get(self.file).ok_or(io::ErrorKind::NotFound)?;
        let count = (buffer.len() / self.size()) as u64;
        if first.saturating_add(count) > self.count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let offset = first.saturating_mul(self.size() as u64);
        file.read_at(self.offset.saturating_add(offset), buffer)
    }

    /// Passes `bytes` of user data from `first` on, counted from the start of the track, to `take`; each
    /// sector has `user` bytes.
    pub(super) fn read_user(
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

    /// True for a sector of form 2, which has more user data and less error correction.
    pub(super) fn is_form_2(&self, sector: u64) -> bool {
        let mut stored = [0; RAW];
        self.mode == TrackMode::Mode2Raw
            && self.read_stored(sector, &mut stored).is_ok()
            && sector::is_form_2(&stored)
    }

    /// Checks every sector. `rebuild` also computes the codes P and Q again.
    pub fn examine(&self, rebuild: bool) -> Health {
        if !self.has_checksums() {
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
                        "its parity does not match its bytes".to_owned(),
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BadSector {
    /// Its number on the disc.
    pub sector: u64,
    /// Description of the fault.
    pub fault: String,
}

/// A run of bad sectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BadRun {
    /// Number of the first on the disc.
    pub first: u64,
    /// Number of the last.
    pub last: u64,
    /// Description of the first fault.
    pub fault: String,
}

/// The state of a data track.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    /// Number of sectors that were checked.
    pub checked: u64,
    /// Number of bad sectors.
    pub bad: u64,
    /// Runs of bad sectors, up to a maximum.
    pub runs: Vec<BadRun>,
}

impl Health {
    fn add(&mut self, bad: BadSector) {
        self.bad += 1;
        let full = self.runs.len() >= MAX_RUNS;
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
