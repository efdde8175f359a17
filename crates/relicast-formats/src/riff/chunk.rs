//! Chunks: an identifier, a size and bytes, padded to an even length.

use std::fmt::{self, Debug, Display};

use serde::{Serialize, Serializer};

use relicast_codec::{Blob, FixedSize, Reader, Result, Stream, Walk, Writer};

/// Four characters that name a chunk or a form. Other bytes are preserved, and escaped when shown.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FourCc(pub [u8; 4]);

impl FourCc {
    /// The form of a RIFF file that holds sound.
    pub const WAVE: Self = Self(*b"WAVE");
    /// The outermost chunk.
    pub const RIFF: Self = Self(*b"RIFF");
    /// Sample format.
    pub const FORMAT: Self = Self(*b"fmt ");
    /// The samples.
    pub const DATA: Self = Self(*b"data");
    /// Number of frames of a compressed sound.
    pub const FACT: Self = Self(*b"fact");
    /// Cue points.
    pub const CUE: Self = Self(*b"cue ");
    /// Sampler settings with loops.
    pub const SAMPLER: Self = Self(*b"smpl");
    /// A list of chunks, whose first four bytes are its type.
    pub const LIST: Self = Self(*b"LIST");

    /// Chunks that writers are known to use. One of these in place of the padding shows that a chunk of odd length
    /// lacks its padding byte.
    const KNOWN: [Self; 14] = [
        Self::FORMAT,
        Self::DATA,
        Self::FACT,
        Self::CUE,
        Self::SAMPLER,
        Self::LIST,
        Self(*b"plst"),
        Self(*b"inst"),
        Self(*b"bext"),
        Self(*b"disp"),
        Self(*b"DISP"),
        Self(*b"PAD "),
        Self(*b"JUNK"),
        Self(*b"labl"),
    ];
}

impl Display for FourCc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0.escape_ascii(), formatter)
    }
}

impl Debug for FourCc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{self}\"")
    }
}

relicast_codec::json_form!(FourCc = {"type": "string"});

impl Serialize for FourCc {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FixedSize for FourCc {
    const SIZE: usize = 4;

    fn load(bytes: &[u8]) -> Option<Self> {
        bytes.first_chunk().map(|chunk| Self(*chunk))
    }

    fn store(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

relicast_codec::record! {
    /// Header of a chunk.
    pub struct ChunkHeader[8] {
        /// Offset 0: chunk ID.
        id: FourCc,
        /// Offset 4: length of the payload, header and padding not counted.
        size: u32,
    }
}

/// One chunk as stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chunk<'a> {
    /// Meaning of the chunk.
    pub id: FourCc,
    /// The size field as stored; larger than the payload when the file ends early.
    pub size: u32,
    /// Offset of the payload from the start of the file; ignored when writing.
    pub offset: usize,
    /// The available bytes.
    pub payload: Blob<'a>,
    /// The padding byte of an odd payload, 0 by rule; `None` after an even payload or when missing.
    pub padding: Option<u8>,
}

impl<'a> Chunk<'a> {
    /// Size of the header before the payload.
    pub(super) const HEADER: usize = ChunkHeader::SIZE;

    /// Creates a well-formed chunk; `None` when the payload is too large for a size field.
    pub fn new(id: FourCc, payload: impl Into<Blob<'a>>) -> Option<Self> {
        let payload = payload.into();
        Some(Self {
            id,
            size: u32::try_from(payload.len()).ok()?,
            offset: 0,
            padding: (payload.len() % 2 == 1).then_some(0),
            payload,
        })
    }

    /// Size of the chunk in the file: header, payload and padding.
    pub fn stored_length(&self) -> usize {
        Self::HEADER
            .saturating_add(self.payload.len())
            .saturating_add(usize::from(self.padding.is_some()))
    }

    /// True when the size field is the length of the payload.
    pub fn is_whole(&self) -> bool {
        usize::try_from(self.size) == Ok(self.payload.len())
    }

    /// Reads the chunk at the reader's position; a size that leads past the end is cut there.
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self> {
        let mut header = ChunkHeader::default();
        let start = reader.position();
        header.walk(reader)?;
        let offset = reader.position();
        let declared = usize::try_from(header.size).unwrap_or(usize::MAX);
        let available = reader.remaining();
        if declared > available {
            reader.deviate(
                "size",
                start.saturating_add(4),
                format_args!("at most {available}, the bytes left for {}", header.id),
                declared,
            );
        }
        let payload = Blob::borrowed(reader.take("payload", declared.min(available))?);
        let padding = match declared % 2 == 1 && declared < available {
            true => Self::read_padding(reader)?,
            false => None,
        };
        if declared % 2 == 1 && padding != Some(0) && declared <= available {
            let position = offset.saturating_add(declared);
            match padding {
                Some(found) => reader.note_usual("padding", position, 0, found),
                None if declared == available => {
                    reader.note_usual("padding", position, 0, "no padding");
                }
                None => reader.deviate("padding", position, 0, "no padding"),
            }
        }
        Ok(Self {
            id: header.id,
            size: header.size,
            offset,
            payload,
            padding,
        })
    }

    fn read_padding(reader: &mut Reader<'a>) -> Result<Option<u8>> {
        let rest = reader.whole().get(reader.position()..).unwrap_or_default();
        if FourCc::load(rest).is_some_and(|id| FourCc::KNOWN.contains(&id)) {
            return Ok(None);
        }
        let mut padding = 0;
        reader.value("padding", &mut padding)?;
        Ok(Some(padding))
    }

    /// Appends the chunk as stored.
    pub(super) fn write(&self, writer: &mut Writer) -> Result<()> {
        ChunkHeader {
            id: self.id,
            size: self.size,
        }
        .walk(writer)?;
        writer.bytes("payload", &mut self.payload.0.clone(), self.payload.len())?;
        match self.padding {
            Some(mut padding) => writer.value("padding", &mut padding),
            None => Ok(()),
        }
    }
}
