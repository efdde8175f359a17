//! Positions of the tracks of a disc: in sectors of the disc, and in bytes of the files of its image.
//!
//! A sheet counts in sectors from the start of each file. Gaps announced by `PREGAP` and `POSTGAP` are
//! on the disc but in no file. A track starts at its index 1. The gap before it, from index 0, belongs
//! to no track's music; programs differ in what they do with it, so it is separate here.
//!
//! ```
//! use relicast_source::disc::cue::TrackMode;
//! use relicast_source::disc::image::ImageFile;
//! use relicast_source::disc::layout::of_single;
//!
//! let file = tempfile::NamedTempFile::new()?;
//! std::fs::write(file.path(), [0; 2048 * 3])?;
//! let layout = of_single(TrackMode::Mode1Cooked, &ImageFile::sectors("game.iso", file.path())?);
//! assert_eq!((layout.tracks.len(), layout.lead_out), (1, Some(3)));
//! # Ok::<(), std::io::Error>(())
//! ```

use serde::Serialize;

use super::cue::{CueSheet, CueTrack, TrackMode};
use super::image::ImageFile;
use super::sector::LEAD_IN;
use relicast_codec::{Deviations, FormatError};

/// Sectors of the lead-out of the first session, 1:30, and of the lead-in of the second one, 1:00.
pub const BETWEEN_SESSIONS: u64 = 6750 + 4500;

/// Bytes of a frame of CD audio: two samples of 16 bits.
pub const FRAME: u64 = 4;

/// A run of bytes in a file of the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageSegment {
    /// Index of the file.
    pub file: usize,
    /// First byte.
    pub offset: u64,
    /// Number of bytes in the file.
    pub length: u64,
    /// Number of bytes that are expected.
    pub expected: u64,
}

/// A track.
#[derive(Debug, Clone)]
pub struct Track {
    /// Its number.
    pub number: u8,
    /// Sector layout.
    pub mode: TrackMode,
    /// First sector on the disc, 0 being the first of track 1; `None` when a file of unknown length
    /// is before it.
    pub start: Option<u64>,
    /// Sectors of the gap before it, in files and announced.
    pub gap: u64,
    /// Sectors from its start to the gap of the next track or the end; `None` when its file is missing or
    /// incomplete.
    pub sectors: Option<u64>,
    /// Its bytes.
    pub body: Vec<ImageSegment>,
    /// The bytes of the gap before it.
    pub own_gap: Vec<ImageSegment>,
    /// Reason why nothing of it can be read.
    pub problem: Option<FormatError>,
}

impl Track {
    /// Number of bytes of pieces that are in the files.
    pub fn present(pieces: &[ImageSegment]) -> u64 {
        pieces.iter().map(|piece| piece.length).sum()
    }

    /// Number of bytes of pieces that are expected.
    pub fn expected(pieces: &[ImageSegment]) -> u64 {
        pieces.iter().map(|piece| piece.expected).sum()
    }
}

/// The tracks of a disc.
#[derive(Debug, Default)]
pub struct Layout {
    /// In order of the sheet.
    pub tracks: Vec<Track>,
    /// First sector after the last track; `None` if it is not known.
    pub lead_out: Option<u64>,
    /// Deviations.
    pub deviations: Deviations,
}

/// Start of a track or of its gap.
#[derive(Debug, Clone, Copy)]
struct Mark {
    track: usize,
    /// True for the start of the track, false for its gap.
    is_start: bool,
    file: usize,
    sector: u64,
    byte: u64,
    offset: usize,
}

/// The layout of the tracks of a sheet in its files.
pub fn of_sheet(sheet: &CueSheet, files: &[ImageFile]) -> Layout {
    let mut layout = Layout::default();
    let marks = marks(sheet, files, &mut layout.deviations);
    let (positions, end) = positions(sheet, files, &marks);
    layout.lead_out = end;
    for (number, track) in sheet.tracks.iter().enumerate() {
        layout
            .tracks
            .push(place(number, track, &marks, &positions, end, files));
    }
    layout
}

/// The layout of an image without a sheet: one track of data.
pub fn of_single(mode: TrackMode, file: &ImageFile) -> Layout {
    let size = mode.sector_size();
    let sectors = file.length / size;
    let mut deviations = Deviations::default();
    if !file.length.is_multiple_of(size) {
        let offset = usize::try_from(sectors * size).unwrap_or(usize::MAX);
        let rest = file.length % size;
        deviations.push(
            "image",
            offset,
            format_args!("whole sectors of {size} bytes"),
            rest,
        );
    }
    let track = Track {
        number: 1,
        mode,
        start: Some(0),
        gap: 0,
        sectors: Some(sectors),
        body: vec![ImageSegment {
            file: 0,
            offset: file.start,
            length: sectors * size,
            expected: sectors * size,
        }],
        own_gap: Vec::new(),
        problem: None,
    };
    Layout {
        tracks: vec![track],
        lead_out: Some(sectors),
        deviations,
    }
}

/// All starts in order of the disc, with their bytes. Starts before the previous one are
/// left out and reported.
fn marks(sheet: &CueSheet, files: &[ImageFile], deviations: &mut Deviations) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (number, track) in sheet.tracks.iter().enumerate() {
        for index in track.indices.iter().filter(|index| index.number < 2) {
            let is_start = index.number == 1;
            let sector = u64::from(index.time.0);
            let before = marks.last().copied();
            let Some(file) = files.get(index.file) else {
                continue;
            };
            let (byte, in_order) = match before {
                Some(before) if before.file == index.file => {
                    let size = sheet.tracks.get(before.track).map_or(0, size_of);
                    let byte = sector
                        .checked_sub(before.sector)
                        .map(|sectors| before.byte.saturating_add(sectors.saturating_mul(size)));
                    (byte.unwrap_or(0), byte.is_some())
                }
                Some(before) if before.file > index.file => (0, false),
                _ => {
                    // Sectors before the first index of a file are the gap of its track.
                    let has_gap = before.is_some_and(|before| before.track == number);
                    if sector > 0 && is_start && !has_gap {
                        marks.push(Mark {
                            track: number,
                            is_start: false,
                            file: index.file,
                            sector: 0,
                            byte: file.start,
                            offset: index.offset,
                        });
                    }
                    let byte = file
                        .start
                        .saturating_add(sector.saturating_mul(size_of(track)));
                    (byte, true)
                }
            };
            if !in_order {
                let field = format!("TRACK {:02} INDEX {:02}", track.number, index.number);
                let expected = "a time after that of the previous index";
                deviations.push(field, index.offset, expected, index.time);
                continue;
            }
            marks.push(Mark {
                track: number,
                is_start,
                file: index.file,
                sector,
                byte,
                offset: index.offset,
            });
        }
    }
    marks
}

fn size_of(track: &CueTrack) -> u64 {
    track.mode.sector_size()
}

/// The sector on the disc of each mark, and that of the end.
fn positions(
    sheet: &CueSheet,
    files: &[ImageFile],
    marks: &[Mark],
) -> (Vec<Option<u64>>, Option<u64>) {
    let mut positions = Vec::with_capacity(marks.len());
    let mut base = Some(0_u64);
    let mut silence = 0_u64;
    let mut track = None;
    for (place, mark) in marks.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| marks.get(before));
        if let Some(before) = before.filter(|before| before.file != mark.file) {
            base = end_of_file(sheet, files, before).and_then(|sectors| base?.checked_add(sectors));
            // Files without a track are not on the disc.
        }
        if track != Some(mark.track) {
            let ended = track.and_then(|track: usize| sheet.tracks.get(track)?.postgap);
            let starts = sheet.tracks.get(mark.track).and_then(|track| track.pregap);
            silence += u64::from(ended.unwrap_or_default().0);
            // The gap of the first track is the lead-in, which sector numbers do not count.
            let counted = u64::from(starts.unwrap_or_default().0);
            silence += match track {
                None => counted.saturating_sub(LEAD_IN),
                Some(_) => counted,
            };
            // Sectors between two sessions are in no file.
            let session = |track: usize| sheet.tracks.get(track).map_or(1, |track| track.session);
            if track.is_some_and(|before| session(mark.track) > session(before)) {
                silence += match counted {
                    0 => BETWEEN_SESSIONS + LEAD_IN,
                    _ => BETWEEN_SESSIONS,
                };
            }
            track = Some(mark.track);
        }
        let position = base.and_then(|base| base.checked_add(silence)?.checked_add(mark.sector));
        positions.push(position);
    }
    let end = marks.last().and_then(|last| {
        let postgap = sheet.tracks.get(last.track)?.postgap.unwrap_or_default();
        let sectors = end_of_file(sheet, files, last)?;
        base?
            .checked_add(silence)?
            .checked_add(sectors)?
            .checked_add(u64::from(postgap.0))
    });
    (positions, end)
}

/// Sectors of the file that `last` is the last mark of; `None` when it is missing, or shorter than the
/// sheet says.
fn end_of_file(sheet: &CueSheet, files: &[ImageFile], last: &Mark) -> Option<u64> {
    let file = files.get(last.file).filter(|file| file.problem.is_none())?;
    let size = size_of(sheet.tracks.get(last.track)?);
    let end = file.start.saturating_add(file.length);
    let rest = end.checked_sub(last.byte)?;
    last.sector.checked_add(rest.div_ceil(size))
}

fn place(
    number: usize,
    track: &CueTrack,
    marks: &[Mark],
    positions: &[Option<u64>],
    end: Option<u64>,
    files: &[ImageFile],
) -> Track {
    let mut placed = Track {
        number: track.number,
        mode: track.mode.clone(),
        start: None,
        gap: 0,
        sectors: None,
        body: Vec::new(),
        own_gap: Vec::new(),
        problem: None,
    };
    let own = |mark: &Mark| mark.track == number;
    let Some(start) = marks.iter().position(|mark| own(mark) && mark.is_start) else {
        let field = format!("TRACK {:02}", track.number);
        let error = FormatError::malformed(field, track.offset, "an index 01", "no usable one");
        placed.problem = Some(error);
        return placed;
    };
    let first = marks.iter().position(own).unwrap_or(start);
    let next = marks.iter().position(|mark| mark.track > number);
    let mark = marks[start];
    placed.start = positions[start];
    let announced = match number {
        0 => 0,
        _ => u64::from(track.pregap.unwrap_or_default().0),
    };
    let in_files = positions[start].zip(positions[first]);
    placed.gap = announced + in_files.map_or(0, |(start, first)| start.saturating_sub(first));
    // The announced silence of the next track is between its first mark and this track's end.
    let bounds = match next {
        Some(next) => positions[next],
        None => end,
    };
    let size = size_of(track);
    placed.body = pieces(start, next, marks, files, size);
    placed.own_gap = pieces(first, Some(start), marks, files, size);
    let whole = Track::expected(&placed.body).div_ceil(size);
    let is_open = bounds.is_none() && next.is_none_or(|next| marks[next].file != mark.file);
    placed.sectors = (!is_open).then_some(whole);
    if let Some(file) = files.get(mark.file) {
        let field = || format!("TRACK {:02}", track.number);
        let length = file.start.saturating_add(file.length);
        if let Some(problem) = &file.problem {
            let expected = format!("the file {:?}", file.name);
            placed.problem = Some(FormatError::malformed(
                field(),
                mark.offset,
                expected,
                problem,
            ));
        } else if Track::present(&placed.body) == 0 && (whole > 0 || mark.byte > length) {
            let byte = usize::try_from(mark.byte).unwrap_or(usize::MAX);
            let found = format!("its end at byte {length}");
            let expected = format!("the track's start in {:?}", file.name);
            placed.problem = Some(FormatError::malformed(field(), byte, expected, found));
        }
    }
    placed
}

/// The bytes from one mark to another, or to the end of the last file that has a mark after `from`.
fn pieces(
    from: usize,
    to: Option<usize>,
    marks: &[Mark],
    files: &[ImageFile],
    size: u64,
) -> Vec<ImageSegment> {
    let Some(first) = marks.get(from) else {
        return Vec::new();
    };
    let last = to.and_then(|to| marks.get(to));
    let last_file = last.map_or(first.file, |last| last.file);
    let mut pieces = Vec::new();
    for number in first.file..=last_file {
        let Some(file) = files.get(number) else {
            continue;
        };
        let end_of_file = file.start.saturating_add(file.length);
        let start = if number == first.file {
            first.byte
        } else {
            file.start
        };
        let end = match last {
            Some(last) if last.file == number => last.byte,
            _ => end_of_file.max(start),
        };
        let expected = end.saturating_sub(start);
        let there = end.min(end_of_file).saturating_sub(start);
        // Frames and not sectors: a WAV file may end within a sector.
        let unit = if size == 2352 { FRAME } else { size };
        let length = there / unit * unit;
        if expected > 0 {
            pieces.push(ImageSegment {
                file: number,
                offset: start,
                length,
                expected,
            });
        }
    }
    pieces
}
