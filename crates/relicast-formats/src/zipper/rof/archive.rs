//! The archive as a value, and its encoder.

use std::borrow::Cow;
use std::io::Read;

use flate2::bufread::ZlibDecoder;
use serde::Serialize;

use relicast_codec::{
    Blob, Decoded, Deviations, FormatError, Result, Stream, Walk, Writer, latin1,
};
use relicast_limits as limits;

/// Maximum depth of folders.
pub const DEEPEST: usize = 32;

/// Maximum length of a name, without its NUL.
pub const LONGEST_NAME: usize = 1024;

relicast_codec::open_enum! {
    /// Kind of a record's target.
    pub enum Storage: u32 {
        /// Plain bytes.
        Plain = 0,
        /// A block.
        Folder = 1,
        /// One zlib stream.
        Packed = 2,
    }
}

relicast_codec::record! {
    /// Start of a block, 8 bytes.
    pub struct BlockHead[8] {
        /// Offset 0: number of records.
        count: u32,
        /// Offset 4: bytes of all names with their NULs.
        names_length: u32,
    }
}

relicast_codec::record! {
    /// A file or folder, 24 bytes.
    pub struct Record[24]: FixedSize {
        /// Offset 0: absolute offset of a block or of stored bytes.
        start: u32,
        /// Offset 4: bytes of the file; 0 for folders.
        decoded: u32,
        /// Offset 8: bytes in the archive; 0 for folders.
        stored: u32,
        /// Offset 12: kind of the bytes at `start`.
        storage: Storage,
        /// Offset 16: bytes of the name with its NUL.
        name_length: u32,
        /// Offset 20: offset of the name among the names of the block, or an opaque number.
        name_offset: u32,
    }
}

/// The records of a folder and their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Block<'a> {
    /// Offset of the block.
    pub offset: usize,
    /// Its records, in order.
    pub records: Vec<Record>,
    /// The names as stored, in the order of the records.
    pub names: Blob<'a>,
}

impl<'a> Block<'a> {
    /// The names in the order of the records, each with its length in bytes. Bytes above 0x7F are read as Latin-1.
    pub(super) fn names(&self) -> impl Iterator<Item = (String, usize)> {
        let mut rest: &[u8] = &self.names;
        self.records.iter().map(move |record| {
            let length = (record.name_length as usize).min(rest.len());
            let (own, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            rest = after;
            let text = own.split(|&byte| byte == 0).next().unwrap_or_default();
            (latin1(text), length)
        })
    }

    /// Bytes of the block.
    pub(super) fn length(&self) -> usize {
        let records = self.records.len().saturating_mul(RECORD);
        records
            .saturating_add(BlockHead::SIZE)
            .saturating_add(self.names.len())
    }

    fn write(&self) -> Result<Vec<u8>> {
        let mut writer = Writer::default();
        writer.count("count", self.records.len())?;
        writer.count("names_length", self.names.len())?;
        let count = self.records.len();
        writer.values("records", &mut self.records.clone(), count)?;
        let mut names: Cow<'a, [u8]> = self.names.0.clone();
        writer.bytes("names", &mut names, self.names.len())?;
        Ok(writer.into_bytes())
    }
}

pub(super) const RECORD: usize = <Record as relicast_codec::FixedSize>::SIZE;

/// A file or folder of the tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry<'a> {
    /// Its name, without folders.
    pub name: String,
    /// Index of its folder among the entries; `None` at the root.
    pub parent: Option<usize>,
    /// Its record.
    pub record: Record,
    /// Offset of its record.
    pub record_offset: usize,
    /// The stored bytes of a file; empty when there is a `fault`.
    #[serde(skip)]
    pub data: Blob<'a>,
    /// Reason that it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FormatError>,
}

impl Entry<'_> {
    /// True for a folder.
    pub fn is_folder(&self) -> bool {
        self.record.storage == Storage::Folder
    }

    /// The bytes of the file, inflated if they are packed. Offsets of errors count from the start of the
    /// archive.
    ///
    /// # Errors
    /// The entry's own fault, a damaged stream, or a stream whose size differs from the record.
    pub fn extract(&self) -> Result<Decoded<Cow<'_, [u8]>>> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if self.record.storage != Storage::Packed {
            return Ok(Decoded {
                value: Cow::Borrowed(&*self.data),
                deviations: Deviations::default(),
            });
        }
        let wanted = self.record.decoded as usize;
        limits::check_inflated(self.data.len(), wanted)?;
        let (bytes, taken) = self.inflate(wanted.saturating_add(1))?;
        if bytes.len() != wanted {
            let found = match bytes.len() > wanted {
                true => format!("more than {wanted} bytes in its stream"),
                false => format!("{} bytes in its stream", bytes.len()),
            };
            let place = self.record_offset.saturating_add(4);
            return Err(FormatError::malformed(
                "decoded",
                place,
                format_args!("{wanted} bytes, as the record says"),
                found,
            ));
        }
        let mut deviations = Deviations::default();
        if taken != self.data.len() {
            deviations.push(
                "stream",
                self.record.start as usize,
                format_args!("a zlib stream of {} compressed bytes", self.data.len()),
                taken,
            );
        }
        Ok(Decoded {
            value: Cow::Owned(bytes),
            deviations,
        })
    }

    /// At most `most` of the first bytes of the file; empty for a damaged one.
    pub fn start(&self, most: usize) -> Vec<u8> {
        if self.fault.is_some() {
            return Vec::new();
        }
        match self.record.storage {
            Storage::Packed => {
                let mut bytes = Vec::new();
                let mut decoder = ZlibDecoder::new(&*self.data).take(most as u64);
                // The bytes before a fault are enough to detect the kind.
                decoder.read_to_end(&mut bytes).ok();
                bytes
            }
            _ => self.data.get(..most).unwrap_or(&self.data).to_vec(),
        }
    }

    /// Inflates at most `most` bytes, and returns them with the number of stored bytes used.
    fn inflate(&self, most: usize) -> Result<(Vec<u8>, usize)> {
        limits::try_reserve(most)?;
        let mut bytes = Vec::new();
        let mut decoder = ZlibDecoder::new(&*self.data);
        let inflated = decoder.by_ref().take(most as u64).read_to_end(&mut bytes);
        match inflated {
            Ok(_) => Ok((
                bytes,
                usize::try_from(decoder.total_in()).unwrap_or(usize::MAX),
            )),
            Err(error) => Err(FormatError::malformed(
                "stream",
                self.record.start as usize,
                format_args!("a zlib stream of {} compressed bytes", self.data.len()),
                format_args!("{error}; {} bytes inflate before that", bytes.len()),
            )),
        }
    }
}

/// Bytes outside all blocks and files.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gap<'a> {
    /// Offset of the bytes.
    pub offset: usize,
    /// The bytes.
    pub bytes: Blob<'a>,
}

/// A decoded archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rof<'a> {
    /// The blocks, breadth first from the root.
    pub blocks: Vec<Block<'a>>,
    /// Files and folders, in the order of the blocks and their records.
    pub entries: Vec<Entry<'a>>,
    /// Bytes that nothing refers to; none in any archive seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap<'a>>,
}

impl Rof<'_> {
    /// The names of the folders of an entry from the root on, then its own.
    pub fn path(&self, index: usize) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let mut next = Some(index);
        while let Some(entry) = next.and_then(|index| self.entries.get(index)) {
            names.push(&entry.name);
            if names.len() > DEEPEST {
                break;
            }
            next = entry.parent;
        }
        names.reverse();
        names
    }
}

/// Encodes an archive: every block, the stored bytes of every file and every gap at its place.
///
/// # Errors
/// A block has too many records or names for its counts, or the parts leave a gap.
pub fn encode(archive: &Rof<'_>) -> Result<Vec<u8>> {
    let mut pieces: Vec<(usize, Cow<'_, [u8]>)> = Vec::new();
    for block in &archive.blocks {
        pieces.push((block.offset, Cow::Owned(block.write()?)));
    }
    for entry in &archive.entries {
        if !entry.is_folder() && entry.fault.is_none() {
            let start = entry.record.start as usize;
            pieces.push((start, Cow::Borrowed(&*entry.data)));
        }
    }
    for gap in &archive.gaps {
        pieces.push((gap.offset, Cow::Borrowed(&*gap.bytes)));
    }
    pieces.sort_by_key(|(offset, bytes)| (*offset, bytes.len()));
    let mut out: Vec<u8> = Vec::new();
    for (offset, bytes) in pieces {
        let known = out.len().checked_sub(offset).ok_or_else(|| {
            let found = format_args!("no bytes from {} on", out.len());
            FormatError::unencodable(
                "start",
                out.len(),
                format_args!("bytes up to {offset}"),
                found,
            )
        })?;
        out.extend_from_slice(bytes.get(known..).unwrap_or_default());
    }
    Ok(out)
}

impl BlockHead {
    pub(super) fn read(reader: &mut relicast_codec::Reader<'_>) -> Result<Self> {
        let mut head = Self::default();
        head.walk(reader)?;
        Ok(head)
    }
}
