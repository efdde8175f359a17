//! Samples of audio tracks, and their checksums.
//!
//! Three ways to cut a track are in use, because programs differ in what they do with the gaps between
//! tracks. CRC-32 and MD5 are computed over the 16-bit samples, least significant byte first, as Exact Audio
//! Copy prints them as the CRC of a copy, and as FLAC stores them.

use std::io;
use std::sync::Arc;

use super::cue::TrackMode;
use super::image::ImageFile;
use super::layout::{FRAME, ImageSegment, Track};
use super::open::Disc;
use super::place::BytePlace;
use super::sector::RAW;
use super::sums::{Pregap, Sums, TrackSums};

/// Samples with random access.
#[derive(Debug, Clone)]
pub struct Samples {
    files: Arc<Vec<ImageFile>>,
    pieces: Vec<ImageSegment>,
}

impl Samples {
    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.length).sum()
    }

    /// Number of stereo frames.
    pub fn frames(&self) -> u64 {
        self.bytes() / FRAME
    }

    /// Fills `buffer` with samples from byte `offset` on, least significant byte first.
    ///
    /// # Errors
    /// The samples end earlier, or cannot be read.
    pub fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        for piece in &self.pieces {
            if buffer.is_empty() {
                break;
            }
            let Some(left) = piece.length.checked_sub(offset).filter(|left| *left > 0) else {
                offset -= piece.length;
                continue;
            };
            let count = buffer
                .len()
                .min(usize::try_from(left).unwrap_or(usize::MAX));
            let (part, rest) = buffer.split_at_mut(count);
            let file = self.files.get(piece.file).ok_or(io::ErrorKind::NotFound)?;
            file.read_at(piece.offset + offset, part)?;
            if file.big_endian {
                part.as_chunks_mut::<2>()
                    .0
                    .iter_mut()
                    .for_each(|pair| pair.reverse());
            }
            buffer = rest;
            offset = 0;
        }
        if buffer.is_empty() {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    fn each(&self, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 18];
        let (mut offset, end) = (0, self.bytes());
        while offset < end {
            let count =
                usize::try_from(end - offset).map_or(buffer.len(), |left| left.min(buffer.len()));
            let part = buffer.get_mut(..count).unwrap_or_default();
            self.read_at(offset, part)?;
            take(part);
            offset += count as u64;
        }
        Ok(())
    }
}

/// A checksum that is being computed.
#[derive(Clone, Default)]
struct Summing {
    samples: u64,
    crc: crc32fast::Hasher,
    md5: md5::Context,
}

impl Summing {
    fn add(&mut self, bytes: &[u8]) {
        self.samples += bytes.len() as u64 / FRAME;
        self.crc.update(bytes);
        self.md5.consume(bytes);
    }

    fn finish(self) -> Sums {
        Sums {
            samples: self.samples,
            crc32: self.crc.finalize(),
            md5: self.md5.finalize().0,
        }
    }
}

impl Disc {
    /// Gap between a track and the next one, when both are audio.
    fn next_gap(&self, number: usize) -> &[ImageSegment] {
        let next = number
            .checked_add(1)
            .and_then(|next| self.layout.tracks.get(next));
        let next = next.filter(|next| next.mode == TrackMode::Audio);
        next.map_or(&[], |next| &next.own_gap)
    }

    fn samples_of(&self, pieces: impl Iterator<Item = ImageSegment>) -> Samples {
        let mut whole = true;
        // Segments after a cut belong to no track.
        let pieces = pieces.filter(|piece| {
            let kept = whole;
            whole &= piece.length == piece.expected;
            kept && piece.length > 0
        });
        let pieces: Vec<ImageSegment> = pieces.collect();
        Samples {
            files: Arc::clone(&self.files),
            pieces,
        }
    }

    /// The samples of an audio track; `None` for other tracks, or if it cannot be read.
    pub fn samples(&self, number: usize, pregap: Pregap) -> Option<Samples> {
        let track = self.audio_track(number)?;
        let body = track.body.iter().copied();
        Some(match pregap {
            Pregap::Drop => self.samples_of(body),
            Pregap::Append => self.samples_of(body.chain(self.next_gap(number).iter().copied())),
            Pregap::Prepend => self.samples_of(track.own_gap.iter().copied().chain(body)),
        })
    }

    /// Place of the first sample of an audio track; `None` when there is none.
    pub fn place_of_samples(&self, number: usize, pregap: Pregap) -> Option<BytePlace> {
        let track = self.audio_track(number)?;
        let samples = self.samples(number, pregap)?;
        let first = samples.pieces.first()?;
        let before = match pregap {
            Pregap::Prepend => Track::expected(&track.own_gap) / RAW as u64,
            Pregap::Drop | Pregap::Append => 0,
        };
        Some(BytePlace {
            track: number,
            file: first.file,
            sector: track.start?.checked_sub(before)?,
            offset: first.offset,
            sector_bytes: RAW as u64,
            data_bytes: RAW as u64,
        })
    }

    fn audio_track(&self, number: usize) -> Option<&Track> {
        let track = self.layout.tracks.get(number)?;
        (track.mode == TrackMode::Audio && track.problem.is_none()).then_some(track)
    }

    /// Checksums of the cuts of an audio track, computed at most once; `None` for other tracks, or if it
    /// cannot be read.
    pub fn sums(&self, number: usize) -> Option<&io::Result<TrackSums>> {
        let track = self.audio_track(number)?;
        Some(self.sums.get(number)?.get_or_init(|| {
            let body = self.samples_of(track.body.iter().copied());
            let gap = self.samples_of(self.next_gap(number).iter().copied());
            let own = self.samples_of(track.own_gap.iter().copied());
            let mut plain = Summing::default();
            if own.bytes() == 0 {
                body.each(&mut |part| plain.add(part))?;
            }
            let mut before = Summing::default();
            own.each(&mut |part| before.add(part))?;
            if own.bytes() > 0 {
                body.each(&mut |part| {
                    before.add(part);
                    plain.add(part);
                })?;
            } else {
                before = plain.clone();
            }
            let mut behind = plain.clone();
            gap.each(&mut |part| behind.add(part))?;
            Ok(TrackSums {
                drop: plain.finish(),
                append: behind.finish(),
                prepend: before.finish(),
            })
        }))
    }
}
