//! WAV files: a RIFF header, chunks in any order, and trailing bytes.
//!
//! ```text
//! "RIFF", size of what follows, "WAVE"
//! chunks: identifier, size, payload, one padding byte after an odd payload
//! tail: bytes that are no chunk
//! ```

use std::borrow::Cow;

use serde::Serialize;

use relicast_codec::{
    Blob, Decoded, Deviations, FormatError, Reader, Result, Stream, Walk, Writer,
};

use super::chunk::{Chunk, FourCc};
use super::format::Format;
use super::marks::{self, CuePoint, Label, Sampler};

relicast_codec::record! {
    /// The first 12 bytes.
    pub struct RiffHeader[12] {
        /// Offset 0: always "RIFF".
        riff: FourCc [must FourCc::RIFF],
        /// Offset 4: length of the file without these first 8 bytes.
        size: u32,
        /// Offset 8: always "WAVE".
        form: FourCc [must FourCc::WAVE],
    }
}

/// A WAV file with the order, wrong sizes, padding and trailing bytes of the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wave<'a> {
    /// Offset 4: the RIFF size as stored. Readers do not rely on it.
    pub riff_size: u32,
    /// Chunks in file order.
    pub chunks: Vec<Chunk<'a>>,
    /// Bytes after the last chunk.
    pub tail: Blob<'a>,
}

impl<'a> Wave<'a> {
    /// Largest number of chunks; the rest of a file with more becomes the tail.
    const MAX_CHUNKS: usize = 4096;

    /// Creates a well-formed file of `format`, then `chunks`, then the samples; `None` when it would be
    /// larger than 4 GiB.
    pub fn new(format: &Format<'_>, chunks: Vec<Chunk<'a>>, data: Blob<'a>) -> Option<Self> {
        let mut all = vec![Chunk::new(FourCc::FORMAT, format.to_bytes())?];
        all.extend(chunks);
        all.push(Chunk::new(FourCc::DATA, data)?);
        let mut wave = Self {
            chunks: all,
            ..Self::default()
        };
        wave.riff_size = u32::try_from(wave.chunks_end().checked_sub(Chunk::HEADER)?).ok()?;
        Some(wave)
    }

    /// The first chunk with this identifier.
    pub fn chunk(&self, id: FourCc) -> Option<&Chunk<'a>> {
        self.chunks.iter().find(|chunk| chunk.id == id)
    }

    /// The format chunk.
    ///
    /// # Errors
    /// There is none, or it is shorter than 16 bytes.
    pub fn format(&self) -> Result<Format<'_>> {
        let chunk = self.required(FourCc::FORMAT)?;
        Format::decode(&chunk.payload).map_err(|error| error.inside("fmt").shifted(chunk.offset))
    }

    /// The bytes of the samples, in the coding of [`Wave::format`].
    ///
    /// # Errors
    /// There is no data chunk.
    pub fn data(&self) -> Result<&Chunk<'a>> {
        self.required(FourCc::DATA)
    }

    fn required(&self, id: FourCc) -> Result<&Chunk<'a>> {
        self.chunk(id).ok_or_else(|| {
            FormatError::malformed(
                "chunks",
                RiffHeader::SIZE,
                format_args!("a chunk {id}"),
                format_args!("others: {}", self.chunks.len()),
            )
        })
    }

    /// Number of frames in the fact chunk; writers need it for compressed sounds only.
    pub fn fact_frames(&self) -> Option<u32> {
        let payload = &self.chunk(FourCc::FACT)?.payload;
        payload
            .first_chunk()
            .map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The cue points; a count that is too large for the chunk is reduced and recorded.
    pub fn cue_points(&self, deviations: &mut Deviations) -> Vec<CuePoint> {
        self.view(FourCc::CUE, "cue", marks::cue_points, deviations)
    }

    /// The sampler settings with their loops; `None` when there are none.
    pub fn sampler(&self, deviations: &mut Deviations) -> Option<Sampler> {
        self.view(FourCc::SAMPLER, "smpl", marks::sampler, deviations)
    }

    /// The labels of cue points, from every list of associated data.
    pub fn labels(&self) -> Vec<Label> {
        self.chunks
            .iter()
            .filter(|chunk| chunk.id == FourCc::LIST)
            .flat_map(|chunk| marks::labels(&chunk.payload))
            .collect()
    }

    fn view<T: Default>(
        &self,
        id: FourCc,
        name: &str,
        read: impl FnOnce(&[u8]) -> Decoded<T>,
        deviations: &mut Deviations,
    ) -> T {
        let Some(chunk) = self.chunk(id) else {
            return T::default();
        };
        let part = read(&chunk.payload);
        deviations.absorb(name, chunk.offset, part.deviations);
        part.value
    }

    /// True when every size in the file is correct, so that any player can read the bytes. A missing last
    /// padding byte, or one that the RIFF size does not include, does not matter; nor do bytes after the RIFF
    /// chunk.
    pub fn sizes_hold(&self) -> bool {
        let end = self.chunks_end();
        let last = self.chunks.last();
        let unpadded_end =
            end.saturating_sub(usize::from(last.is_some_and(|last| last.padding.is_some())));
        let declared = (self.riff_size as usize).saturating_add(Chunk::HEADER);
        let before_last = self.chunks.len().saturating_sub(1);
        (declared == end || declared == unpadded_end)
            && self.chunks.iter().all(Chunk::is_whole)
            && self
                .chunks
                .iter()
                .take(before_last)
                .all(|chunk| chunk.payload.len() % 2 == 0 || chunk.padding.is_some())
    }

    /// Offset of the first byte after the chunks.
    fn chunks_end(&self) -> usize {
        self.chunks.iter().fold(RiffHeader::SIZE, |end, chunk| {
            end.saturating_add(chunk.stored_length())
        })
    }
}

/// Decodes the chunks of a WAV file.
///
/// Chunks are read to the end by the RIFF size. If that end comes before both a format
/// and a data chunk, the size is wrong, and reading continues to the end of the bytes.
///
/// # Errors
/// The bytes do not start as a RIFF file with sound.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Wave<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut header = RiffHeader::default();
    header.walk(&mut reader)?;
    let declared_end = (header.size as usize).saturating_add(Chunk::HEADER);
    let mut chunks: Vec<Chunk<'_>> = Vec::new();
    let (mut has_format, mut has_data) = (false, false);
    while reader.remaining() >= Chunk::HEADER && chunks.len() < Wave::MAX_CHUNKS {
        if has_format && has_data && reader.position() >= declared_end {
            break;
        }
        let chunk = Chunk::read(&mut reader)?;
        has_format |= chunk.id == FourCc::FORMAT;
        has_data |= chunk.id == FourCc::DATA;
        chunks.push(chunk);
    }
    let end = reader.position();
    let tail = Blob::borrowed(reader.take("tail", reader.remaining())?);
    let whole = bytes.len().saturating_sub(Chunk::HEADER);
    match declared_end.abs_diff(bytes.len()) {
        0 => {}
        // The games' writers include the padding of the last chunk or leave it out.
        1 => reader.note_usual("riff_size", 4, whole, header.size),
        _ => reader.deviate("riff_size", 4, whole, header.size),
    }
    if !tail.is_empty() {
        reader.deviate("tail", end, "0 bytes after the last chunk", tail.len());
    }
    Ok(reader.finish(Wave {
        riff_size: header.size,
        chunks,
        tail,
    }))
}

/// Encodes a WAV file unchanged: sizes, padding and tail come from the value.
///
/// # Errors
/// None that a value can cause; the signature is the same for every encoder.
pub fn encode(wave: &Wave<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::with_capacity(wave.chunks_end().saturating_add(wave.tail.len()));
    RiffHeader {
        riff: FourCc::RIFF,
        size: wave.riff_size,
        form: FourCc::WAVE,
    }
    .walk(&mut writer)?;
    for chunk in &wave.chunks {
        chunk.write(&mut writer)?;
    }
    writer.bytes("tail", &mut Cow::Borrowed(&*wave.tail), wave.tail.len())?;
    Ok(writer.into_bytes())
}
