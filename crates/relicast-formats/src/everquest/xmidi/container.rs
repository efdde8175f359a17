//! The chunks of an XMIDI file.
//!
//! ```
//! use relicast_formats::everquest::xmidi::container::{decode, looks_like};
//!
//! assert!(looks_like(b"FORM\0\0\0\x0EXDIRINFO\0\0\0\x02\x01\0"));
//! assert!(decode(b"RIFF").is_err());
//! ```

use relicast_codec::quantity::counted;
use serde::Serialize;

use crate::riff::FourCc;
use relicast_codec::{Blob, Decoded, FixedSize, FormatError, Reader, Result, Stream, Writer};
use relicast_limits as limits;

/// A chunk that holds chunks of one kind.
pub const FORM: FourCc = FourCc(*b"FORM");
/// A chunk that holds forms.
pub const CATALOG: FourCc = FourCc(*b"CAT ");
/// The kind of forms that are sequences, and of catalogs of these.
pub const SEQUENCE: FourCc = FourCc(*b"XMID");
/// The kind of the form that counts the sequences.
pub const DIRECTORY: FourCc = FourCc(*b"XDIR");
/// Number of sequences.
pub const INFO: FourCc = FourCc(*b"INFO");
/// Instruments that a sequence plays.
pub const TIMBRES: FourCc = FourCc(*b"TIMB");
/// Positions that can be jumped to.
pub const BRANCHES: FourCc = FourCc(*b"RBRN");
/// Events of a sequence.
pub const EVENTS: FourCc = FourCc(*b"EVNT");

/// Bytes of identifier and size.
const HEADER: usize = 8;

/// Maximum depth of nested groups: a catalog, and a form in it.
const MAX_DEPTH: usize = 2;

/// A file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Xmidi<'a> {
    /// Its chunks.
    pub chunks: Vec<Chunk<'a>>,
    /// Bytes after the last chunk, too few for one; by rule none.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// A chunk as stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chunk<'a> {
    /// Identifier of the chunk.
    pub id: FourCc,
    /// The size word, if it is not the length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated: Option<u32>,
    /// Offset of its contents from the start of the file; ignored when writing.
    pub offset: usize,
    /// Its contents.
    pub body: Body<'a>,
    /// The byte after contents of odd length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub padding: Option<u8>,
}

/// Contents of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Body<'a> {
    /// Chunks.
    Group(Group<'a>),
    /// Other contents.
    Bytes(Blob<'a>),
}

/// A group of chunks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Group<'a> {
    /// Kind of the chunks.
    pub kind: FourCc,
    /// The chunks.
    pub chunks: Vec<Chunk<'a>>,
    /// Bytes after the last of them; by rule none.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// A position of a sequence that can be jumped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Branch {
    /// Its number.
    pub id: u16,
    /// Offset in the contents of the chunk of events, right after the controller event that names it.
    pub offset: u32,
}

/// An instrument that a sequence uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timbre {
    /// The program; in bank 127 the key of a drum.
    pub patch: u8,
    /// The bank: 0, or 127 for drums.
    pub bank: u8,
}

/// A form with a sequence.
#[derive(Debug, Clone, Copy)]
pub struct Form<'f, 'a> {
    chunk: &'f Chunk<'a>,
    group: &'f Group<'a>,
}

impl<'a> Form<'_, 'a> {
    fn bytes(&self, id: FourCc) -> Option<(usize, &Blob<'a>)> {
        let mut chunks = self.group.chunks.iter();
        let chunk = chunks.find(|chunk| chunk.id == id)?;
        match &chunk.body {
            Body::Bytes(bytes) => Some((chunk.offset, bytes)),
            Body::Group(_) => None,
        }
    }

    /// Offset of the form's contents in the file.
    pub fn offset(&self) -> usize {
        self.chunk.offset
    }

    /// The events, and their offset in the file.
    ///
    /// # Errors
    /// There are none, or some were lost.
    pub fn events(&self) -> Result<(usize, &[u8])> {
        let mut chunks = self.group.chunks.iter();
        let chunk = chunks.find(|chunk| chunk.id == EVENTS);
        let missing = || FormatError::malformed("EVNT", self.offset(), "a chunk of events", "none");
        let chunk = chunk.ok_or_else(missing)?;
        let Body::Bytes(bytes) = &chunk.body else {
            return Err(missing());
        };
        match chunk.stated {
            None => Ok((chunk.offset, &**bytes)),
            Some(stated) => {
                let field = "EVNT";
                Err(FormatError::truncated(
                    field,
                    chunk.offset,
                    stated,
                    bytes.len(),
                ))
            }
        }
    }

    /// The instruments that it uses, as many as are stored.
    pub fn timbres(&self) -> Vec<Timbre> {
        let rows = self.rows(TIMBRES, 2).into_iter();
        let timbre = |row: &[u8]| match row {
            &[patch, bank] => Some(Timbre { patch, bank }),
            _ => None,
        };
        rows.filter_map(timbre).collect()
    }

    /// Its branches, as many as are stored.
    pub fn branches(&self) -> Vec<Branch> {
        let rows = self.rows(BRANCHES, 6).into_iter();
        let branch = |row: &[u8]| {
            Some(Branch {
                id: u16::load(row)?,
                offset: u32::load(row.get(2..)?)?,
            })
        };
        rows.filter_map(branch).collect()
    }

    /// Rows after a count.
    fn rows(&self, id: FourCc, size: usize) -> Vec<&[u8]> {
        let Some((_, bytes)) = self.bytes(id) else {
            return Vec::new();
        };
        let count = u16::load(bytes).map_or(0, usize::from);
        let rows = bytes.get(2..).unwrap_or_default().chunks_exact(size);
        rows.take(count).collect()
    }
}

impl<'a> Xmidi<'a> {
    /// The sequences, in order.
    pub fn sequences(&self) -> Vec<Form<'_, 'a>> {
        let mut forms = Vec::new();
        collect(&self.chunks, &mut forms);
        forms
    }

    /// The number of sequences that the file states.
    pub fn stated_sequences(&self) -> Option<u16> {
        let mut directories = self.chunks.iter().filter_map(|chunk| match &chunk.body {
            Body::Group(group) if group.kind == DIRECTORY => Some(group),
            _ => None,
        });
        let mut chunks = directories.next()?.chunks.iter();
        match &chunks.find(|chunk| chunk.id == INFO)?.body {
            Body::Bytes(bytes) => u16::load(bytes),
            Body::Group(_) => None,
        }
    }
}

fn collect<'f, 'a>(chunks: &'f [Chunk<'a>], forms: &mut Vec<Form<'f, 'a>>) {
    for chunk in chunks {
        let Body::Group(group) = &chunk.body else {
            continue;
        };
        match (chunk.id, group.kind) {
            (FORM, SEQUENCE) => forms.push(Form { chunk, group }),
            (CATALOG, _) => collect(&group.chunks, forms),
            _ => {}
        }
    }
}

/// True if bytes begin like an XMIDI file.
pub fn looks_like(bytes: &[u8]) -> bool {
    let has = |offset: usize, id: FourCc| bytes.get(offset..).and_then(FourCc::load) == Some(id);
    (has(0, FORM) && (has(8, DIRECTORY) || has(8, SEQUENCE)))
        || (has(0, CATALOG) && has(8, SEQUENCE))
}

/// Decodes a file: its chunks. Events of sequences are decoded by [`events::decode`](super::events::decode).
///
/// # Errors
/// It does not begin like such a file, or a chunk outside all forms ends after the file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Xmidi<'_>>> {
    if !looks_like(bytes) {
        let found = bytes.get(..12.min(bytes.len())).unwrap_or_default();
        return Err(FormatError::malformed(
            "id",
            0,
            "FORM with XDIR or XMID",
            format_args!("\"{}\"", found.escape_ascii()),
        ));
    }
    let mut reader = Reader::new(bytes);
    let mut file = Xmidi::default();
    read_chunks(&mut reader, bytes.len(), 0, &mut file.chunks)?;
    reader.trailing(&mut file.trailing.0)?;
    let (stated, there) = (file.stated_sequences(), file.sequences().len());
    if let Some(stated) = stated.filter(|&stated| usize::from(stated) != there) {
        reader.deviate(
            "INFO",
            20,
            format_args!("{there}, the number of forms"),
            stated,
        );
    }
    Ok(reader.finish(file))
}

/// Reads chunks up to `end`, as far as their headers exist.
fn read_chunks<'a>(
    reader: &mut Reader<'a>,
    end: usize,
    depth: usize,
    chunks: &mut Vec<Chunk<'a>>,
) -> Result<()> {
    while end.saturating_sub(reader.position()) >= HEADER {
        limits::check();
        let chunk = read_chunk(reader, end, depth)?;
        limits::push(chunks, chunk);
    }
    Ok(())
}

fn read_chunk<'a>(reader: &mut Reader<'a>, end: usize, depth: usize) -> Result<Chunk<'a>> {
    let start = reader.position();
    let mut id = FourCc::default();
    reader.value("id", &mut id)?;
    let mut size = [0; 4];
    reader.value("size", &mut size)?;
    let size = u32::from_be_bytes(size);
    let offset = reader.position();
    let declared = usize::try_from(size).unwrap_or(usize::MAX);
    let mut available = end.saturating_sub(offset);
    let is_form = id == FORM && depth < MAX_DEPTH;
    if is_form && let Some(next) = misplaced_form(reader.whole(), offset, declared, end) {
        available = next.saturating_sub(offset);
    }
    let length = declared.min(available);
    let is_group = (id == FORM || id == CATALOG) && depth < MAX_DEPTH && length >= 4;
    let expected = format_args!("at most {available}, the bytes left for {id}");
    if declared > available {
        let place = start.saturating_add(4);
        // A truncated sequence does not affect the others.
        if !is_group && depth == 0 {
            return Err(FormatError::malformed("size", place, expected, declared));
        }
        reader.deviate("size", place, expected, declared);
    }
    let close = offset.saturating_add(length);
    let body = if is_group {
        let mut kind = FourCc::default();
        reader.value("kind", &mut kind)?;
        let mut chunks = Vec::new();
        read_chunks(reader, close, depth.saturating_add(1), &mut chunks)?;
        let place = reader.position();
        let rest = close.saturating_sub(place);
        if rest > 0 {
            let found = counted(rest, "more byte", "more bytes");
            reader.deviate("trailing", place, "whole chunks", found);
        }
        let trailing = Blob::borrowed(reader.take("trailing", rest)?);
        Body::Group(Group {
            kind,
            chunks,
            trailing,
        })
    } else {
        Body::Bytes(Blob::borrowed(reader.take("contents", length)?))
    };
    let mut padding = None;
    if length % 2 == 1 && close < end && declared == length {
        let mut byte = 0_u8;
        reader.value("padding", &mut byte)?;
        padding = Some(byte);
    }
    Ok(Chunk {
        id,
        stated: (declared != length).then_some(size),
        offset,
        body,
        padding,
    })
}

/// The start of the next form with a sequence, if it is not right after a form that begins at `offset`: bytes of
/// that one were lost.
fn misplaced_form(bytes: &[u8], offset: usize, declared: usize, end: usize) -> Option<usize> {
    let close = offset.saturating_add(declared);
    let behind = close.saturating_add(declared % 2);
    let starts_chunk = |place: usize| {
        let id = bytes.get(place..).and_then(FourCc::load);
        id.is_some_and(|id| [FORM, CATALOG].contains(&id))
    };
    if close == end || end.saturating_sub(behind) < HEADER || starts_chunk(behind) {
        return None;
    }
    let contents = bytes.get(offset..end)?;
    let next = memchr::memmem::find_iter(contents, b"FORM").find(|&place| {
        let kind = contents.get(place.saturating_add(HEADER)..);
        kind.and_then(FourCc::load) == Some(SEQUENCE)
    })?;
    offset.checked_add(next).filter(|&next| next < close)
}

/// Encodes a file.
///
/// # Errors
/// A chunk is longer than its size word can hold.
pub fn encode(file: &Xmidi<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    write_chunks(&mut writer, &file.chunks)?;
    put(&mut writer, &file.trailing)?;
    Ok(writer.into_bytes())
}

fn put(writer: &mut Writer, bytes: &Blob<'_>) -> Result<()> {
    writer.bytes("contents", &mut bytes.0.clone(), bytes.len())
}

fn write_chunks(writer: &mut Writer, chunks: &[Chunk<'_>]) -> Result<()> {
    for chunk in chunks {
        let mut contents = Writer::default();
        match &chunk.body {
            Body::Group(group) => {
                contents.value("kind", &mut { group.kind })?;
                write_chunks(&mut contents, &group.chunks)?;
                put(&mut contents, &group.trailing)?;
            }
            Body::Bytes(bytes) => put(&mut contents, bytes)?,
        }
        let contents = contents.into_bytes();
        let size = match chunk.stated {
            Some(stated) => stated,
            None => u32::try_from(contents.len()).map_err(|_| {
                let place = writer.position();
                FormatError::unencodable("size", place, "at most 2^32 - 1", contents.len())
            })?,
        };
        writer.value("id", &mut { chunk.id })?;
        writer.value("size", &mut size.to_be_bytes())?;
        put(writer, &contents.into())?;
        if let Some(mut padding) = chunk.padding {
            writer.value("padding", &mut padding)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        let mut bytes = id.to_vec();
        bytes.extend((contents.len() as u32).to_be_bytes());
        bytes.extend(contents);
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        bytes
    }

    fn form(note: u8) -> Vec<u8> {
        let events = [0x90, note, 0x40, 10, 0x20, 0xB0, 7, 100, 0xFF, 0x2F, 0];
        chunk(
            b"FORM",
            &[b"XMID".to_vec(), chunk(b"EVNT", &events)].concat(),
        )
    }

    fn three() -> (Vec<u8>, usize) {
        let info = [b"XDIR".to_vec(), chunk(b"INFO", &[3, 0])].concat();
        let mut file = chunk(b"FORM", &info);
        let forms = [form(60), form(61), form(62)];
        let second = file.len() + 12 + forms[0].len();
        file.extend(chunk(b"CAT ", &[b"XMID".to_vec(), forms.concat()].concat()));
        (file, second)
    }

    #[test]
    fn damaged_sequence_loses_itself_alone() {
        let (whole, second) = three();
        assert!(decode(&whole).unwrap().deviations.is_empty());
        for lost in 1..=4 {
            let mut damaged = whole.clone();
            damaged.drain(second + 22..second + 22 + lost);
            let decoded = decode(&damaged).unwrap();
            let sequences = decoded.value.sequences();
            assert_eq!(sequences.len(), 3, "{lost} bytes lost");
            assert!(!decoded.deviations.is_empty());
            assert_eq!(sequences[0].events().unwrap().1[1], 60);
            // The padding byte replaces a single lost byte.
            let is_noticed = sequences[1].events().is_err();
            assert_eq!(is_noticed, lost > 1, "{lost} bytes lost");
            assert_eq!(sequences[2].events().unwrap().1[1], 62);
            assert_eq!(encode(&decoded.value).unwrap(), damaged);
        }
    }

    #[test]
    fn cut_file_keeps_the_sequences_before_the_cut() {
        let (whole, second) = three();
        let cut = &whole[..second + 24];
        let decoded = decode(cut).unwrap();
        let sequences = decoded.value.sequences();
        assert_eq!(sequences[0].events().unwrap().1[1], 60);
        assert!(sequences[1].events().is_err());
        assert_eq!(encode(&decoded.value).unwrap(), cut);
    }
}
