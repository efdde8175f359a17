//! Files of a set, as in their descriptors.
//!
//! ```
//! use relicast_formats::installshield::file::{COMPRESSED, FileFacts, OBFUSCATED};
//!
//! let file = FileFacts { flags: COMPRESSED | OBFUSCATED, size: 1000, packed: 250, ..FileFacts::default() };
//! assert!(file.is_compressed() && file.is_obfuscated() && !file.is_placeholder());
//! assert_eq!(file.stored(), 250);
//! ```

use serde::Serialize;

use super::records::{FileDescriptor5, FileDescriptor6};
use super::walker::{Placed, Text};
use relicast_codec::Bytes;

/// Flag of a file: its data continues in the next volume.
pub const SPLIT: u16 = 1;
/// Flag of a file: its stored bytes are obfuscated.
pub const OBFUSCATED: u16 = 2;
/// Flag of a file: it is compressed.
pub const COMPRESSED: u16 = 4;
/// Flag of a file: it is a placeholder.
pub const INVALID: u16 = 8;

/// A file descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FileDescriptor {
    /// Up to version 5, with the MD5 that some sets have.
    V5(Placed<FileDescriptor5>, Option<Bytes<16>>),
    /// From version 6 on.
    V6(Placed<FileDescriptor6>),
}

/// Content of a file descriptor, in one form for all versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// Flags: [`SPLIT`], [`OBFUSCATED`], [`COMPRESSED`], [`INVALID`].
    pub flags: u16,
    /// Expanded size.
    pub size: u64,
    /// Stored size.
    pub packed: u64,
    /// Offset in the volume.
    pub offset: u64,
    /// MD5 of the expanded bytes, where stored.
    pub md5: Option<[u8; 16]>,
    /// Folder.
    pub folder: u32,
    /// Volume, from 1, where stored.
    pub volume: Option<u16>,
    /// Index of the file that has the same data, for those that have none of their own.
    pub same_as: Option<u32>,
    /// Windows file attributes.
    pub attributes: u32,
    /// DOS date.
    pub date: u16,
    /// DOS time.
    pub time: u16,
}

impl FileFacts {
    /// True for a placeholder: an empty group, or a file that was deleted.
    pub fn is_placeholder(&self) -> bool {
        self.flags & INVALID != 0
    }

    /// True if it is compressed.
    pub fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }

    /// True if its stored bytes are obfuscated.
    pub fn is_obfuscated(&self) -> bool {
        self.flags & OBFUSCATED != 0
    }

    /// Number of its bytes in the volumes.
    pub fn stored(&self) -> u64 {
        if self.is_compressed() {
            self.packed
        } else {
            self.size
        }
    }
}

fn low_half(word: u32) -> u16 {
    let [a, b, ..] = word.to_le_bytes();
    u16::from_le_bytes([a, b])
}

/// A file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct File {
    /// Its descriptor.
    pub descriptor: FileDescriptor,
    /// Its name; `None` when it cannot be read, as in placeholders.
    pub name: Option<Text>,
}

impl File {
    /// Content of the descriptor.
    pub fn facts(&self) -> FileFacts {
        match self.descriptor {
            FileDescriptor::V5(placed, md5) => {
                let file = placed.value;
                FileFacts {
                    flags: file.flags,
                    size: file.size.into(),
                    packed: file.packed.into(),
                    offset: file.offset.into(),
                    md5: stored_md5(md5),
                    folder: file.folder,
                    volume: None,
                    same_as: None,
                    attributes: file.attributes,
                    date: low_half(file.date),
                    time: low_half(file.time),
                }
            }
            FileDescriptor::V6(placed) => {
                let file = placed.value;
                FileFacts {
                    flags: file.flags,
                    size: file.size,
                    packed: file.packed,
                    offset: file.offset,
                    md5: stored_md5(Some(file.md5)),
                    folder: file.folder.into(),
                    volume: Some(file.volume),
                    same_as: (file.link & 1 != 0).then_some(file.previous),
                    attributes: file.attributes,
                    date: file.date,
                    time: file.time,
                }
            }
        }
    }
}

fn stored_md5(md5: Option<Bytes<16>>) -> Option<[u8; 16]> {
    md5.map(|md5| md5.0).filter(|md5| *md5 != [0; 16])
}
