//! The archive as a value.

use serde::Serialize;

use super::block;
use relicast_codec::{Blob, Bytes, Decoded, FormatError, Result};

/// Value in the index in place of a name's hash, for the directory.
pub const DIRECTORY_CRC: u32 = 0x6158_0AC9;

relicast_codec::open_enum! {
    /// Version of the container.
    pub enum Version: u32 {
        /// Members have names; every archive seen.
        Named = 0x0002_0000,
        /// No directory: members are only known by hash (by a reference implementation).
        Nameless = 0x0001_0000,
    }
}

relicast_codec::record! {
    /// Start of the file, 12 bytes.
    pub struct Header[12] {
        /// Offset 0: first byte of the index.
        index_offset: u32,
        /// Offset 4: `PFS `.
        magic: Bytes<4> [must Bytes(*b"PFS ")],
        /// Offset 8: the version.
        version: Version,
    }
}

relicast_codec::record! {
    /// One row of the index, 12 bytes.
    pub struct IndexRow[12] {
        /// Offset 0: [`name_crc`](super::name_crc) of the name. Rows of retail archives are sorted
        /// by it.
        name_crc: u32,
        /// Offset 4: first byte of the first block.
        offset: u32,
        /// Offset 8: inflated size in bytes.
        size: u32,
    }
}

relicast_codec::record! {
    /// End of the file, 9 bytes.
    pub struct Footer[9] {
        /// Offset 0: `STEVE`.
        signature: Bytes<5>,
        /// Offset 5: seconds since 1970, most significant byte first (the order in which retail
        /// files give plausible times).
        time: Bytes<4>,
    }
}

impl Footer {
    pub(super) const SIGNATURE: Bytes<5> = Bytes(*b"STEVE");

    /// A footer of the given time, in seconds since 1970.
    pub fn new(seconds: u32) -> Self {
        Self {
            signature: Self::SIGNATURE,
            time: Bytes(seconds.to_be_bytes()),
        }
    }

    /// Time of packing, in seconds since 1970.
    pub fn seconds(&self) -> u32 {
        u32::from_be_bytes(self.time.0)
    }
}

/// One member.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry<'a> {
    /// The row of the index. The offset is recomputed when writing, unless the archive is
    /// scattered.
    pub row: IndexRow,
    /// The name, in lower case in every archive seen; `None` when the directory has none for it.
    pub name: Option<String>,
    /// The blocks as stored; empty if `fault` gives the reason for which they cannot be read.
    #[serde(skip)]
    pub blocks: Blob<'a>,
    /// Reason for which the row points at no blocks of its own: out of range, impossible sizes, or overlapping
    /// another member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FormatError>,
}

impl Entry<'_> {
    /// The name, or the hash if the name is not known.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => format!("{:08x}.bin", self.row.name_crc),
        }
    }

    /// True if the member has no bytes by its row: not a member whose bytes cannot be read.
    pub fn is_empty(&self) -> bool {
        self.row.size == 0
    }

    /// Inflates the member. Offsets of errors are relative to the start of the archive, those of deviations
    /// to its first block.
    ///
    /// # Errors
    /// The fault of the entry, or a block that does not inflate to its stated size.
    pub fn extract(&self) -> Result<Decoded<Vec<u8>>> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => block::inflate(&self.blocks, self.row.size as usize)
                .map_err(|error| error.shifted(self.row.offset as usize)),
        }
    }

    /// At most `most` of the first bytes of the member, as many as its first block gives: enough to
    /// detect its kind. A damaged block gives none, which does not mean an [empty](Self::is_empty) member.
    pub fn start(&self, most: usize) -> Vec<u8> {
        block::first(&self.blocks, self.row.size as usize, most).unwrap_or_default()
    }
}

/// The directory: a member without a name that holds the names of the others.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Directory<'a> {
    /// Its index among the rows of the index.
    pub place: usize,
    /// Its row and blocks.
    pub entry: Entry<'a>,
}

/// A decoded archive. Order and odd bytes are those of the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Archive<'a> {
    /// Version of the container.
    pub version: Version,
    /// Members in the order of the index, the directory left out.
    pub entries: Vec<Entry<'a>>,
    /// The directory.
    pub directory: Option<Directory<'a>>,
    /// The footer, if there is one.
    pub footer: Option<Footer>,
    /// The bytes between header and index, when the blocks do not tile them; rows are then written
    /// as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scattered: Option<Blob<'a>>,
    /// Bytes after the index and the footer; none in any archive seen.
    #[serde(skip_serializing_if = "is_empty")]
    pub trailing: Blob<'a>,
}

fn is_empty(blob: &Blob<'_>) -> bool {
    blob.is_empty()
}

impl<'a> Archive<'a> {
    /// The first member with this name, in any letter case.
    pub fn member(&self, name: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| {
            let own = entry.name.as_deref();
            own.is_some_and(|own| own.eq_ignore_ascii_case(name))
        })
    }
}

/// The order of the blocks in the file. An empty member comes before a full one at its offset.
pub(super) fn data_order(entries: &[&Entry<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| {
        entries
            .get(index)
            .map(|entry| (entry.row.offset, !entry.blocks.is_empty(), index))
    });
    order
}
