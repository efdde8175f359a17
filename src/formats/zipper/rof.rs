//! Archives of Crimson Skies (`crimson.rof`, `crimptch.rof`): a tree of folders with plain and packed files.
//!
//! ```text
//! block of the root, at offset 0: u32 count, u32 bytes of names, count × record (24 bytes), names
//! record: start, decoded length, stored length, flags, length of the name, one more word
//! blocks of folders and the bytes of files, anywhere; in every file seen blocks come first
//! ```
//!
//! [`decode`] reads the blocks and finds the stored bytes of each file; [`Entry::extract`] inflates them.
//! Stored bytes are kept, so that byte equality does not depend on who packs. Facts are from the project's
//! sheet on the resources of Crimson Skies.
//!
//! ```
//! use relicast::formats::zipper::rof::{self, NewFile};
//!
//! let file = NewFile { path: "ASSETS/A.TXT", bytes: b"hello", packed: Some(1) };
//! let bytes = rof::pack(&[file], &["ASSETS/EMPTY"])?;
//! let archive = rof::decode(&bytes)?.value;
//! let entry = archive.entries.iter().find(|entry| entry.name == "A.TXT").unwrap();
//! assert_eq!(*entry.extract()?.value, *b"hello");
//! assert_eq!(rof::encode(&archive)?, bytes);
//! # Ok::<(), relicast::formats::codec::FormatError>(())
//! ```

mod pack;
mod read;

use std::borrow::Cow;
use std::io::Read;

use flate2::bufread::ZlibDecoder;
use serde::Serialize;

use crate::formats::codec::{
    Blob, Decoded, Deviations, FormatError, Result, Stream, Walk, Writer, latin1,
};
use crate::limits;

pub use pack::{NewFile, pack};
pub use read::{decode, looks_like};

/// How many folders deep files may lie.
pub const DEEPEST: usize = 32;

/// Longest name that is taken for one, without its NUL.
pub const LONGEST_NAME: usize = 1024;

crate::open_enum! {
    /// What a record leads to.
    pub enum Storage: u32 {
        /// Bytes as they are.
        Plain = 0,
        /// A block.
        Folder = 1,
        /// One zlib stream.
        Packed = 2,
    }
}

crate::record! {
    /// Start of a block, 8 bytes.
    pub struct BlockHead[8] {
        /// Offset 0: number of records.
        count: u32,
        /// Offset 4: bytes of all names with their NULs.
        names_length: u32,
    }
}

crate::record! {
    /// A file or folder, 24 bytes.
    pub struct Record[24]: FixedSize {
        /// Offset 0: absolute offset of a block or of stored bytes.
        start: u32,
        /// Offset 4: bytes of the file; 0 for folders.
        decoded: u32,
        /// Offset 8: bytes in the archive; 0 for folders.
        stored: u32,
        /// Offset 12: what lies at `start`.
        storage: Storage,
        /// Offset 16: bytes of the name with its NUL.
        name_length: u32,
        /// Offset 20: offset of the name among those of the block, or an opaque number.
        name_offset: u32,
    }
}

/// The records of a folder and their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Block<'a> {
    /// Where it lies.
    pub offset: usize,
    /// Its records, in order.
    pub records: Vec<Record>,
    /// The names as stored, in the order of the records.
    pub names: Blob<'a>,
}

impl<'a> Block<'a> {
    /// The names in the order of the records, with how many bytes each takes. Bytes above 0x7F are taken
    /// as Latin-1.
    fn names(&self) -> impl Iterator<Item = (String, usize)> {
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
    fn length(&self) -> usize {
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

const RECORD: usize = <Record as crate::formats::codec::FixedSize>::SIZE;

/// A file or folder of the tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Entry<'a> {
    /// Its name, without folders.
    pub name: String,
    /// Place of the folder that it lies in among the entries; `None` at the root.
    pub parent: Option<usize>,
    /// Its record.
    pub record: Record,
    /// Where its record lies.
    pub record_offset: usize,
    /// The stored bytes of a file; empty when `fault` tells why they cannot be had.
    #[serde(skip)]
    pub data: Blob<'a>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FormatError>,
}

impl Entry<'_> {
    /// Whether it is a folder.
    pub fn is_folder(&self) -> bool {
        self.record.storage == Storage::Folder
    }

    /// The bytes of the file, inflated if they are packed. Offsets of errors count from the start of the
    /// archive.
    ///
    /// # Errors
    /// The entry's own fault, a damaged stream, or one that holds more or less than the record says.
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
                format_args!("a zlib stream of {} bytes", self.data.len()),
                taken,
            );
        }
        Ok(Decoded {
            value: Cow::Owned(bytes),
            deviations,
        })
    }

    /// At most `most` of the first bytes of the file; none of a damaged one.
    pub fn start(&self, most: usize) -> Vec<u8> {
        if self.fault.is_some() {
            return Vec::new();
        }
        match self.record.storage {
            Storage::Packed => {
                let mut bytes = Vec::new();
                let mut decoder = ZlibDecoder::new(&*self.data).take(most as u64);
                // What was inflated before a fault is enough to tell the kind.
                decoder.read_to_end(&mut bytes).ok();
                bytes
            }
            _ => self.data.get(..most).unwrap_or(&self.data).to_vec(),
        }
    }

    /// Inflates at most `most` bytes; with them the number of stored bytes that were taken.
    fn inflate(&self, most: usize) -> Result<(Vec<u8>, usize)> {
        limits::room(most)?;
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
                format_args!("a zlib stream of {} bytes", self.data.len()),
                format_args!("{error}; {} bytes inflate before that", bytes.len()),
            )),
        }
    }
}

/// Bytes that no block and no file has.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Gap<'a> {
    /// Where they lie.
    pub offset: usize,
    /// The bytes.
    pub bytes: Blob<'a>,
}

/// A decoded archive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rof<'a> {
    /// The blocks in the order in which they are met: the root first, then level by level.
    pub blocks: Vec<Block<'a>>,
    /// Files and folders, in the order of the blocks and their records.
    pub entries: Vec<Entry<'a>>,
    /// What nothing leads to; none in any archive seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap<'a>>,
}

impl Rof<'_> {
    /// The names of the folders around an entry from the root on, then its own.
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
/// A block has more records or names than its words can count, or the parts leave a hole.
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
            let found = format_args!("nothing from {} on", out.len());
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
    fn read(reader: &mut crate::formats::codec::Reader<'_>) -> Result<Self> {
        let mut head = Self::default();
        head.walk(reader)?;
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Vec<u8> {
        let file = |path, bytes, packed| NewFile {
            path,
            bytes,
            packed,
        };
        let files = [
            file("A/ONE.TXT", b"one one one one".as_slice(), Some(1)),
            file("A/TWO.PNG", b"\x89PNG", None),
            file("TOP", b"", Some(9)),
        ];
        pack(&files, &["A/B"]).unwrap()
    }

    #[test]
    fn a_made_archive_is_read_whole() {
        let bytes = made();
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
        let archive = decoded.value;
        let paths: Vec<String> = (0..archive.entries.len())
            .map(|index| archive.path(index).join("/"))
            .collect();
        assert_eq!(paths, ["A", "TOP", "A/B", "A/ONE.TXT", "A/TWO.PNG"]);
        assert_eq!(
            *archive.entries[3].extract().unwrap().value,
            *b"one one one one"
        );
        assert_eq!(archive.entries[3].start(3), b"one");
        assert_eq!(*archive.entries[1].extract().unwrap().value, *b"");
        assert_eq!(encode(&archive).unwrap(), bytes);
        assert!(looks_like(&bytes));
    }

    #[test]
    fn every_truncation_fails_or_keeps_what_is_whole() {
        let bytes = made();
        for length in 0..bytes.len() {
            if let Ok(decoded) = decode(&bytes[..length]) {
                assert_eq!(encode(&decoded.value).unwrap(), bytes[..length], "{length}");
                for entry in &decoded.value.entries {
                    let _ = entry.extract();
                }
            }
        }
    }

    #[test]
    fn every_changed_byte_is_written_back_as_it_is() {
        let bytes = made();
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut changed = bytes.clone();
                changed[at] = value;
                if let Ok(decoded) = decode(&changed) {
                    assert_eq!(encode(&decoded.value).unwrap(), changed, "{at}");
                    for entry in &decoded.value.entries {
                        let _ = entry.extract();
                    }
                }
            }
        }
    }

    #[test]
    fn a_folder_that_holds_itself_is_opened_once() {
        let mut bytes = made();
        // The first record of the root is the folder: let it lead to the root.
        bytes[8..12].fill(0);
        let archive = decode(&bytes).unwrap().value;
        assert!(archive.entries[0].fault.is_some());
        assert!(archive.entries.len() < 4);
    }
}
