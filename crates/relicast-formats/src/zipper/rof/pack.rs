//! Makes an archive from files, with the layout of the game's: all blocks level by level, then the files.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::archive::{Block, Entry, Record, Rof, Storage, encode};
use relicast_codec::{Blob, FormatError, Result};

/// A file to pack.
#[derive(Debug, Clone, Copy)]
pub struct NewFile<'a> {
    /// Its path, with `/`.
    pub path: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// zlib level, 0 to 9; `None` to store it uncompressed.
    pub packed: Option<u32>,
}

/// A folder under construction.
#[derive(Default)]
struct Folder<'a> {
    folders: BTreeMap<&'a str, Folder<'a>>,
    files: Vec<(&'a str, usize)>,
}

impl<'a> Folder<'a> {
    /// The folder of a path below this one, created if missing.
    fn below(&mut self, path: &'a str) -> &mut Self {
        let parts = path.split('/').filter(|part| !part.is_empty());
        parts.fold(self, |at, part| at.folders.entry(part).or_default())
    }

    /// The folder of all files, and of folders without files.
    fn new(files: &[NewFile<'a>], empty: &[&'a str]) -> Self {
        let mut root = Self::default();
        for (index, file) in files.iter().enumerate() {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", file.path));
            root.below(folder).files.push((name, index));
        }
        for path in empty {
            root.below(path);
        }
        root
    }

    /// The folder and all descendants, level by level.
    fn by_level(&self) -> Vec<&Self> {
        let mut level = vec![self];
        let mut order = Vec::new();
        while !level.is_empty() {
            order.extend(&level);
            let inner = level.iter().flat_map(|folder| folder.folders.values());
            level = inner.collect();
        }
        order
    }

    /// The names of its contents, folders first, each followed by a zero.
    fn names(&self) -> Vec<u8> {
        let folders = self.folders.keys().copied();
        let all = folders.chain(self.files.iter().map(|(name, _)| *name));
        all.flat_map(|name| [name.as_bytes(), &[0]].concat())
            .collect()
    }
}

fn too_large(found: usize) -> FormatError {
    FormatError::unencodable("start", found, "at most 4 GiB", found)
}

pub(super) fn word(value: usize) -> Result<u32> {
    u32::try_from(value).map_err(|_| too_large(value))
}

/// Packs files into an archive; `empty` are paths of folders without files. In each folder, folders come before
/// files, sorted by name.
///
/// # Errors
/// The archive would be too large for its offsets.
pub fn pack(files: &[NewFile<'_>], empty: &[&str]) -> Result<Vec<u8>> {
    let root = Folder::new(files, empty);
    let order = root.by_level();
    let mut at = 0_usize;
    let mut starts = Vec::new();
    for folder in &order {
        starts.push(at);
        let records = folder.folders.len().saturating_add(folder.files.len());
        at = at
            .saturating_add(8)
            .saturating_add(records.saturating_mul(24))
            .saturating_add(folder.names().len());
    }
    let mut archive = Rof::default();
    let mut next_folder = 1_usize;
    for (folder, &offset) in order.iter().zip(&starts) {
        let mut block = Block {
            offset,
            records: Vec::new(),
            names: Blob::from(folder.names()),
        };
        let mut name_offset = 0_usize;
        let mut named = |name: &str, record: Record| -> Result<Record> {
            let length = name.len().saturating_add(1);
            let place = word(name_offset)?;
            name_offset = name_offset.saturating_add(length);
            Ok(Record {
                name_length: word(length)?,
                name_offset: place,
                ..record
            })
        };
        for name in folder.folders.keys() {
            let start = starts.get(next_folder).copied().unwrap_or_default();
            next_folder = next_folder.saturating_add(1);
            let record = Record {
                start: word(start)?,
                storage: Storage::Folder,
                ..Record::default()
            };
            block.records.push(named(name, record)?);
        }
        for (name, file) in &folder.files {
            let Some(file) = files.get(*file) else {
                continue;
            };
            let data = stored(file)?;
            let record = Record {
                start: word(at)?,
                decoded: word(file.bytes.len())?,
                stored: word(data.len())?,
                storage: match file.packed {
                    Some(_) => Storage::Packed,
                    None => Storage::Plain,
                },
                ..Record::default()
            };
            at = at.saturating_add(data.len());
            let record = named(name, record)?;
            block.records.push(record);
            archive.entries.push(Entry {
                record,
                data: Blob::from(data),
                ..Entry::default()
            });
        }
        archive.blocks.push(block);
    }
    encode(&archive)
}

/// The bytes of a file as they are stored.
fn stored(file: &NewFile<'_>) -> Result<Vec<u8>> {
    match file.packed {
        Some(level) => deflated(file.bytes, level),
        None => Ok(file.bytes.to_vec()),
    }
}

/// Bytes as a zlib stream.
pub(super) fn deflated(bytes: &[u8], level: u32) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level.min(9)));
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map_err(|error| FormatError::unencodable("stream", 0, "a zlib stream", error))
}

#[cfg(test)]
mod tests {
    use super::super::read::{decode, looks_like};
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
