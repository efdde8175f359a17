//! Packing members into an archive.

use flate2::Compression;

use super::archive::{Archive, DIRECTORY_CRC, Directory, Entry, Footer, Header, IndexRow, Version};
use super::block::deflate;
use super::directory::encode_names;
use super::name::name_crc;
use crate::everquest::plain;
use relicast_codec::{FormatError, Result};

/// Packs members like retail archives: data and names in the given order, rows sorted by
/// hash, names in lower case, the directory's blocks last. `level` is deflate's, 0 to 9.
///
/// # Errors
/// A name that Windows-1252 cannot encode, that holds a NUL, or whose hash another member has; a
/// member of 4 GiB or more.
pub fn pack(
    members: &[(&str, &[u8])],
    footer: Option<Footer>,
    level: u32,
) -> Result<Archive<'static>> {
    let level = Compression::new(level.min(9));
    let mut names = Vec::with_capacity(members.len());
    let mut entries = Vec::with_capacity(members.len());
    let mut position = Header::SIZE;
    for (index, (name, data)) in members.iter().enumerate() {
        let name = name.to_lowercase();
        let bytes = plain::text_bytes(&name)
            .filter(|bytes| !bytes.is_empty() && !bytes.contains(&0))
            .ok_or_else(|| {
                let expected = "a name in Windows-1252";
                FormatError::unencodable("name", 0, expected, &name).within("members", index)
            })?;
        let entry = entry(name_crc(&bytes), data, &mut position, level)
            .map_err(|error| error.within("members", index))?;
        entries.push(Entry {
            name: Some(name),
            ..entry
        });
        names.push(bytes);
    }
    entries.sort_by_key(|entry| entry.row.name_crc);
    for (entry, next) in entries.iter().zip(entries.iter().skip(1)) {
        if entry.row.name_crc == next.row.name_crc {
            return Err(FormatError::unencodable(
                "name_crc",
                0,
                "a unique hash for each name",
                format_args!("{} and {}", entry.label(), next.label()),
            ));
        }
    }
    let listing = encode_names(&names)?;
    let directory = entry(DIRECTORY_CRC, &listing, &mut position, level)?;
    let place = entries.partition_point(|entry| entry.row.name_crc < DIRECTORY_CRC);
    Ok(Archive {
        version: Version::Named,
        entries,
        directory: Some(Directory {
            place,
            entry: directory,
        }),
        footer,
        ..Archive::default()
    })
}

impl Entry<'_> {
    /// Replaces the bytes of the member, with the highest compression.
    ///
    /// # Errors
    /// They are 4 GiB or more.
    pub fn replace(&mut self, data: &[u8]) -> Result<()> {
        let mut position = 0;
        let new = entry(self.row.name_crc, data, &mut position, Compression::best())?;
        self.row.size = new.row.size;
        self.blocks = new.blocks;
        self.fault = None;
        Ok(())
    }
}

pub(super) fn entry(
    name_crc: u32,
    data: &[u8],
    position: &mut usize,
    level: Compression,
) -> Result<Entry<'static>> {
    if u32::try_from(data.len()).is_err() {
        return Err(FormatError::unencodable(
            "size",
            0,
            "less than 4 GiB",
            data.len(),
        ));
    }
    let blocks = deflate(data, level)?;
    let row = IndexRow {
        name_crc,
        offset: u32::try_from(*position).unwrap_or(u32::MAX),
        size: u32::try_from(data.len()).unwrap_or(u32::MAX),
    };
    *position = position.saturating_add(blocks.len());
    Ok(Entry {
        row,
        blocks: blocks.into(),
        ..Entry::default()
    })
}
