//! File data: obfuscation, and the two ways of compression. A file's packed bytes come from any reader; the
//! expanded bytes are passed on in pieces.
//!
//! ```
//! use relicast_formats::installshield::packed::{clear, obscure};
//!
//! let mut bytes = *b"Welcome aboard.";
//! obscure(&mut bytes, 0);
//! assert_ne!(&bytes, b"Welcome aboard.");
//! clear(&mut bytes, 0);
//! assert_eq!(&bytes, b"Welcome aboard.");
//! ```

use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

use relicast_codec::FormatError;

/// Largest number of bytes that one chunk may expand to.
pub const LARGEST_CHUNK: usize = 65536;

/// Expanded size of a chunk as InstallShield 5 writes it.
pub const CHUNK: usize = 10240;

/// Marker after each chunk of the old compression.
pub const MARKER: [u8; 4] = [0, 0, 0xFF, 0xFF];

/// An empty final deflate block.
const EMPTY_END: [u8; 2] = [3, 0];

/// Largest stream that is expanded at once, packed and expanded size.
const AT_ONCE: usize = 8 << 20;

/// Compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Chunks of a length and a complete deflate stream each.
    Chunks,
    /// One deflate stream with markers and without an end.
    Stream,
}

/// Clears the obfuscation of `bytes`, the first of which is byte `index` of the file's stored bytes.
pub fn clear(bytes: &mut [u8], index: u64) {
    // The remainder fits a byte.
    let mut step = u8::try_from(index % 71).unwrap_or_default();
    for byte in bytes {
        *byte = (*byte ^ 0xD5).rotate_right(2).wrapping_sub(step);
        step = if step == 70 { 0 } else { step + 1 };
    }
}

/// Obfuscates `bytes`, the reverse of [`clear`].
pub fn obscure(bytes: &mut [u8], index: u64) {
    let mut step = u8::try_from(index % 71).unwrap_or_default();
    for byte in bytes {
        *byte = byte.wrapping_add(step).rotate_left(2) ^ 0xD5;
        step = if step == 70 { 0 } else { step + 1 };
    }
}

/// Reason why data does not expand.
#[derive(Debug)]
pub enum Fault {
    /// The packed bytes cannot be read, or the expanded ones cannot be stored.
    Io(io::Error),
    /// They are damaged.
    Format(FormatError),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Io(error) => error,
            Fault::Format(error) => Self::new(io::ErrorKind::InvalidData, error.to_string()),
        }
    }
}

fn damaged(field: &str, offset: u64, expected: impl std::fmt::Display, found: &str) -> Fault {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    Fault::Format(FormatError::malformed(field, offset, expected, found))
}

/// Receives expanded bytes, in order.
pub type Take<'t> = &'t mut dyn FnMut(&[u8]) -> io::Result<()>;

/// True if the lengths divide `packed` bytes into chunks; `word` reads the two bytes at an offset.
///
/// # Errors
/// A length cannot be read.
pub fn is_chunked(
    packed: u64,
    mut word: impl FnMut(u64) -> io::Result<[u8; 2]>,
) -> io::Result<bool> {
    let mut place = 0_u64;
    while place < packed {
        if packed - place < 2 {
            return Ok(false);
        }
        let length = u16::from_le_bytes(word(place)?);
        if length == 0 {
            return Ok(false);
        }
        place += 2 + u64::from(length);
    }
    Ok(place == packed && packed > 0)
}

/// Expands `packed` bytes to exactly `size` bytes.
///
/// # Errors
/// The bytes are damaged, expand to more or fewer bytes, or `take` fails.
pub fn expand(
    compression: Compression,
    input: &mut dyn Read,
    packed: u64,
    size: u64,
    take: Take<'_>,
) -> Result<(), Fault> {
    match compression {
        Compression::Chunks => expand_chunks(input, packed, size, take),
        Compression::Stream => expand_stream(input, packed, size, take),
    }
}

fn expand_chunks(
    input: &mut dyn Read,
    packed: u64,
    size: u64,
    take: Take<'_>,
) -> Result<(), Fault> {
    let mut whole = libdeflater::Decompressor::new();
    let mut chunk = Vec::new();
    let mut out = vec![0; LARGEST_CHUNK + 1];
    let (mut used, mut given) = (0_u64, 0_u64);
    while used < packed {
        let mut word = [0; 2];
        if packed - used < 2 {
            return Err(damaged(
                "chunk.length",
                used,
                "2 bytes",
                "the end of the data",
            ));
        }
        input.read_exact(&mut word)?;
        let length = u16::from_le_bytes(word);
        if length == 0 || u64::from(length) > packed - used - 2 {
            let expected = format!("1 to {} bytes", packed - used - 2);
            return Err(damaged("chunk.length", used, expected, &length.to_string()));
        }
        // One zero more, because the last bits of some streams need it.
        chunk.clear();
        chunk.resize(usize::from(length) + 1, 0);
        input.read_exact(chunk.get_mut(..usize::from(length)).unwrap_or_default())?;
        let count = match whole.deflate_decompress(&chunk, &mut out) {
            Ok(count) if count <= LARGEST_CHUNK => count,
            _ => expand_chunk(&chunk, &mut out, used)?,
        };
        given += count as u64;
        if given > size {
            return Err(damaged(
                "chunk",
                used,
                format!("{size} bytes in all"),
                "more",
            ));
        }
        take(out.get(..count).unwrap_or_default())?;
        used += 2 + u64::from(length);
    }
    ends(given, size, used)
}

/// Expands a chunk step by step, to find its fault.
fn expand_chunk(chunk: &[u8], out: &mut [u8], place: u64) -> Result<usize, Fault> {
    let mut inflate = Decompress::new(false);
    let status = inflate.decompress(chunk, out, FlushDecompress::None);
    let count = usize::try_from(inflate.total_out()).unwrap_or(usize::MAX);
    let (expected, found) = match status {
        Ok(_) if count > LARGEST_CHUNK => {
            let expected = format!("at most {LARGEST_CHUNK} bytes in a chunk");
            return Err(damaged("chunk", place, expected, "more"));
        }
        Ok(Status::StreamEnd) => return Ok(count),
        Ok(_) => ("a whole deflate stream", "a part".to_owned()),
        Err(error) => ("a deflate stream", error.to_string()),
    };
    Err(damaged("chunk", place, expected, &found))
}

fn ends(given: u64, size: u64, used: u64) -> Result<(), Fault> {
    if given == size {
        return Ok(());
    }
    let expected = format!("{size} bytes in all");
    Err(damaged("data", used, expected, &given.to_string()))
}

/// Expands a whole stream; `None` when it does not end with a marker, or has another size.
fn expand_at_once(stream: &mut Vec<u8>, size: usize) -> Option<Vec<u8>> {
    if !stream.ends_with(&MARKER) {
        return None;
    }
    let packed = stream.len();
    stream.extend_from_slice(&EMPTY_END);
    let mut out = vec![0; size];
    let inflated = libdeflater::Decompressor::new().deflate_decompress(stream, &mut out);
    stream.truncate(packed);
    (inflated == Ok(size)).then_some(out)
}

fn expand_stream(
    input: &mut dyn Read,
    packed: u64,
    size: u64,
    take: Take<'_>,
) -> Result<(), Fault> {
    let start = match (usize::try_from(packed), usize::try_from(size)) {
        (Ok(packed), Ok(size)) if packed <= AT_ONCE && size <= AT_ONCE => {
            let mut start = vec![0; packed];
            input.read_exact(&mut start)?;
            if let Some(out) = expand_at_once(&mut start, size) {
                return Ok(take(&out)?);
            }
            start
        }
        _ => Vec::new(),
    };
    let input = &mut start.as_slice().chain(input);
    let mut inflate = Decompress::new(false);
    let mut buffer = vec![0; 1 << 16];
    let mut out = vec![0; 1 << 16];
    let (mut from, mut until) = (0_usize, 0_usize);
    let (mut left, mut given) = (packed, 0_u64);
    // One zero after the last byte is tried, because the last bits may need it.
    let mut padded = false;
    while given < size {
        if from == until {
            let count = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
            (from, until) = (0, count);
            if count == 0 {
                if padded {
                    break;
                }
                padded = true;
                until = 1;
                if let Some(first) = buffer.first_mut() {
                    *first = 0;
                }
            } else {
                input.read_exact(buffer.get_mut(..count).unwrap_or_default())?;
                left -= count as u64;
            }
        }
        let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
        let chunk = buffer.get(from..until).unwrap_or_default();
        let status = inflate.decompress(chunk, &mut out, FlushDecompress::None);
        let used = usize::try_from(inflate.total_in() - before_in).unwrap_or(usize::MAX);
        let count = usize::try_from(inflate.total_out() - before_out).unwrap_or(usize::MAX);
        from = from.saturating_add(used).min(until);
        let wanted = usize::try_from(size - given).map_or(count, |wanted| wanted.min(count));
        take(out.get(..wanted).unwrap_or_default())?;
        given += wanted as u64;
        match status {
            Ok(Status::StreamEnd) => break,
            Ok(_) if used == 0 && count == 0 && until > from => {
                let place = inflate.total_in();
                return Err(damaged(
                    "data",
                    place,
                    "a deflate stream",
                    "one that stops early",
                ));
            }
            Ok(_) => {}
            Err(error) => {
                let place = inflate.total_in();
                let expected = "a deflate stream";
                return Err(damaged("data", place, expected, &error.to_string()));
            }
        }
    }
    ends(given, size, packed)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compress, Compression as Level, FlushCompress, write::DeflateEncoder};

    use super::*;

    fn chunks(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        for chunk in bytes.chunks(CHUNK) {
            let mut encoder = DeflateEncoder::new(Vec::new(), Level::default());
            encoder.write_all(chunk).unwrap();
            let stream = encoder.finish().unwrap();
            packed.extend(u16::try_from(stream.len()).unwrap().to_le_bytes());
            packed.extend(stream);
        }
        packed
    }

    fn stream(bytes: &[u8]) -> Vec<u8> {
        let mut deflate = Compress::new(Level::default(), false);
        let mut packed = Vec::new();
        for chunk in bytes.chunks(CHUNK) {
            let mut out = Vec::with_capacity(2 * CHUNK + 1024);
            deflate
                .compress_vec(chunk, &mut out, FlushCompress::Full)
                .unwrap();
            packed.extend(out);
        }
        packed
    }

    fn expanded(compression: Compression, packed: &[u8], size: u64) -> Result<Vec<u8>, Fault> {
        let mut all = Vec::new();
        let mut input = packed;
        expand(
            compression,
            &mut input,
            packed.len() as u64,
            size,
            &mut |bytes| {
                all.extend_from_slice(bytes);
                Ok(())
            },
        )?;
        Ok(all)
    }

    fn samples() -> Vec<Vec<u8>> {
        let noise = |count: usize| -> Vec<u8> {
            let mut state = 1_u32;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            (0..count).map(|_| next()).collect()
        };
        let mut samples: Vec<Vec<u8>> = [0, 1, 10_239, 10_240, 10_241, 50_000]
            .into_iter()
            .map(|count| (0..count).map(|place: usize| (place / 3) as u8).collect())
            .collect();
        samples.push(noise(30_000));
        samples.push(MARKER.repeat(9000));
        samples
    }

    #[test]
    fn both_ways_of_compression_give_the_bytes_back() {
        for bytes in samples() {
            let size = bytes.len() as u64;
            assert_eq!(
                expanded(Compression::Chunks, &chunks(&bytes), size).unwrap(),
                bytes
            );
            assert_eq!(
                expanded(Compression::Stream, &stream(&bytes), size).unwrap(),
                bytes
            );
        }
    }

    #[test]
    fn the_two_ways_are_distinguished() {
        for bytes in samples().into_iter().filter(|bytes| bytes.len() > 1) {
            for (packed, new) in [(chunks(&bytes), true), (stream(&bytes), false)] {
                let word = |place: u64| {
                    let place = usize::try_from(place).unwrap();
                    Ok([packed[place], packed[place + 1]])
                };
                assert_eq!(is_chunked(packed.len() as u64, word).unwrap(), new);
            }
        }
    }

    #[test]
    fn data_cut_or_changed_anywhere_gives_no_more_than_was_promised() {
        let bytes: Vec<u8> = (0..25_000_u32).map(|place| (place % 251) as u8).collect();
        for (compression, packed) in [
            (Compression::Chunks, chunks(&bytes)),
            (Compression::Stream, stream(&bytes)),
        ] {
            for place in (0..packed.len()).step_by(5) {
                assert!(
                    expanded(compression, &packed[..place], 25_000).is_err()
                        || place + 8 > packed.len(),
                    "{compression:?} {place}"
                );
                let mut changed = packed.clone();
                changed[place] ^= 0x41;
                if let Ok(all) = expanded(compression, &changed, 25_000) {
                    assert_eq!(all.len(), 25_000);
                }
            }
            assert!(
                expanded(compression, &packed, 24_999).is_err()
                    == (compression == Compression::Chunks)
            );
            assert!(expanded(compression, &packed, 25_001).is_err());
        }
    }

    #[test]
    fn obfuscation_is_undone_and_is_that_of_the_references() {
        let mut bytes = [0x41; 4];
        obscure(&mut bytes, 0);
        assert_eq!(bytes, [0xD0, 0xDC, 0xD8, 0xC4]);
        let plain: Vec<u8> = (0..1000_u32).map(|place| (place * 7) as u8).collect();
        let mut changed = plain.clone();
        obscure(&mut changed[..300], 5);
        obscure(&mut changed[300..], 305);
        clear(&mut changed, 5);
        assert_eq!(changed, plain);
    }
}
