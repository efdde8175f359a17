//! Writer of plain AVI files: uncompressed pictures and sound. Samples and tests use it.
//!
//! ```
//! use relicast_formats::riff::avi::{self, write::{Movie, write}};
//!
//! let movie = Movie { width: 4, height: 4, rate: 10, frames: vec![vec![0; 48]; 3], ..Movie::default() };
//! let bytes = write(&movie)?;
//! let video = avi::decode(&bytes)?.value;
//! let (stream, _) = video.video().unwrap();
//! assert_eq!(stream.chunks, 3);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::header::{AviFlags, BitmapHeader, MainHeader, StreamHeader};
use crate::riff::{Format, FourCc};
use relicast_codec::{Result, encode};

/// A movie to be written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Movie<'a> {
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Frames per second.
    pub rate: u32,
    /// Frames: red, green, blue, rows from top to bottom. Missing bytes are black.
    pub frames: Vec<Vec<u8>>,
    /// Sound: its format and its bytes.
    pub sound: Option<(Format<'a>, Vec<u8>)>,
    /// Name of the stream of sound.
    pub sound_name: Option<&'a str>,
    /// Name of the program that made it.
    pub software: Option<&'a str>,
}

/// Encodes an AVI file.
///
/// # Errors
/// It would be larger than 4 GiB.
pub fn write(movie: &Movie<'_>) -> Result<Vec<u8>> {
    let mut streams = vec![picture_stream(movie)?];
    if let Some((format, sound)) = &movie.sound {
        streams.push(sound_stream(movie, format, sound)?);
    }
    let main = MainHeader {
        frame_time: 1_000_000_u32.checked_div(movie.rate).unwrap_or_default(),
        flags: AviFlags::HAS_INDEX | AviFlags::INTERLEAVED,
        frames: count(movie.frames.len())?,
        streams: count(streams.len())?,
        width: movie.width.into(),
        height: movie.height.into(),
        ..MainHeader::default()
    };
    let mut header = chunk(*b"avih", &encode(&main)?)?;
    header.extend(streams.concat());
    let mut body = list(*b"LIST", *b"hdrl", &header)?;
    if let Some(software) = movie.software {
        let tag = chunk(*b"ISFT", &terminated(software))?;
        body.extend(list(*b"LIST", *b"INFO", &tag)?);
    }
    let (data, index) = interleaved(movie)?;
    body.extend(list(*b"LIST", *b"movi", &data)?);
    body.extend(chunk(*b"idx1", &index)?);
    list(*b"RIFF", *b"AVI ", &body)
}

fn picture_stream(movie: &Movie<'_>) -> Result<Vec<u8>> {
    let header = StreamHeader {
        kind: FourCc(*b"vids"),
        handler: FourCc(*b"DIB "),
        scale: 1,
        rate: movie.rate,
        length: count(movie.frames.len())?,
        quality: u32::MAX,
        ..StreamHeader::default()
    };
    let format = BitmapHeader {
        size: count(BitmapHeader::SIZE)?,
        width: movie.width.into(),
        height: movie.height.into(),
        planes: 1,
        bits: 24,
        image_size: count(row_size(movie) * usize::from(movie.height))?,
        ..BitmapHeader::default()
    };
    stream(&header, &encode(&format)?, None)
}

fn sound_stream(movie: &Movie<'_>, format: &Format<'_>, sound: &[u8]) -> Result<Vec<u8>> {
    let frame = u32::from(format.header.block_align).max(1);
    let header = StreamHeader {
        kind: FourCc(*b"auds"),
        scale: frame,
        rate: format.header.bytes_per_second,
        length: count(sound.len())? / frame,
        quality: u32::MAX,
        sample_size: frame,
        ..StreamHeader::default()
    };
    stream(&header, &format.to_bytes(), movie.sound_name)
}

fn stream(header: &StreamHeader, format: &[u8], name: Option<&str>) -> Result<Vec<u8>> {
    let mut body = chunk(*b"strh", &encode(header)?)?;
    body.extend(chunk(*b"strf", format)?);
    if let Some(name) = name {
        body.extend(chunk(*b"strn", &terminated(name))?);
    }
    list(*b"LIST", *b"strl", &body)
}

/// The frames, each followed by its share of the sound, and the index of both.
fn interleaved(movie: &Movie<'_>) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut data = Vec::new();
    let mut index = Vec::new();
    let mut add = |id: [u8; 4], bytes: &[u8]| -> Result<()> {
        // Offsets count from the name of the list.
        let entry = [0x10, count(data.len() + 4)?, count(bytes.len())?];
        index.extend(id);
        index.extend(entry.into_iter().flat_map(u32::to_le_bytes));
        data.extend(chunk(id, bytes)?);
        Ok(())
    };
    let sound = movie.sound.as_ref();
    let (frame_size, sound) = sound.map_or((1, &[][..]), |(format, sound)| {
        (usize::from(format.header.block_align).max(1), &**sound)
    });
    let share = sound.len().div_ceil(movie.frames.len().max(1));
    let mut shares = sound.chunks(share.next_multiple_of(frame_size).max(1));
    for frame in &movie.frames {
        add(*b"00db", &bitmap(movie, frame))?;
        if let Some(share) = shares.next() {
            add(*b"01wb", share)?;
        }
    }
    Ok((data, index))
}

/// Size of a stored row: rows start at multiples of 4.
fn row_size(movie: &Movie<'_>) -> usize {
    (usize::from(movie.width) * 3).next_multiple_of(4)
}

/// A frame in stored form: blue, green, red, from the bottom up.
fn bitmap(movie: &Movie<'_>, frame: &[u8]) -> Vec<u8> {
    let row = usize::from(movie.width) * 3;
    let mut stored = Vec::with_capacity(row_size(movie) * usize::from(movie.height));
    for y in (0..usize::from(movie.height)).rev() {
        let end = stored.len() + row_size(movie);
        let source = frame.get(y * row..).unwrap_or_default();
        for pixel in source.get(..row).unwrap_or(source).chunks_exact(3) {
            stored.extend(pixel.iter().rev());
        }
        stored.resize(end, 0);
    }
    stored
}

fn terminated(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes
}

fn count(value: usize) -> Result<u32> {
    use relicast_codec::FormatError;
    u32::try_from(value).map_err(|_| FormatError::unencodable("size", 0, "up to 4 GiB", value))
}

fn chunk(id: [u8; 4], payload: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = id.to_vec();
    bytes.extend(count(payload.len())?.to_le_bytes());
    bytes.extend(payload);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    Ok(bytes)
}

fn list(id: [u8; 4], form: [u8; 4], items: &[u8]) -> Result<Vec<u8>> {
    chunk(id, &[&form, items].concat())
}
