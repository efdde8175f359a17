//! Writing an archive.

use std::borrow::Cow;

use super::archive::{Archive, Entry, Footer, Header, IndexRow, data_order};
use relicast_codec::{Bytes, FormatError, Result, Stream, Walk, Writer};

/// Encodes an archive: blocks in the order of their stored offsets, back to back, then index and
/// footer. Offsets follow from the blocks; everything else comes from the value.
///
/// # Errors
/// More than 4 GiB of blocks, or a directory whose position is outside the index.
pub fn encode(archive: &Archive<'_>) -> Result<Vec<u8>> {
    let mut all: Vec<&Entry<'_>> = archive.entries.iter().collect();
    if let Some(directory) = &archive.directory {
        if directory.place > all.len() {
            return Err(FormatError::unencodable(
                "directory.place",
                0,
                format_args!("at most {}", all.len()),
                directory.place,
            ));
        }
        all.insert(directory.place, &directory.entry);
    }
    let mut rows: Vec<_> = all.iter().map(|entry| entry.row.clone()).collect();
    let length = match &archive.scattered {
        Some(region) => region.len(),
        None => all.iter().map(|entry| entry.blocks.len()).sum(),
    };
    let mut header = Header {
        index_offset: offset(Header::SIZE.saturating_add(length))?,
        magic: Bytes(*b"PFS "),
        version: archive.version,
    };
    // Archives may be large, so their blocks are copied once, into memory reserved for all of them.
    let index = all.len().saturating_add(1).saturating_mul(IndexRow::SIZE);
    let rest = index.saturating_add(archive.trailing.len());
    let room = Header::SIZE.saturating_add(length).saturating_add(rest);
    let mut writer = Writer::with_capacity(room.saturating_add(Footer::SIZE));
    header.walk(&mut writer)?;
    if let Some(region) = &archive.scattered {
        writer.bytes("data", &mut Cow::Borrowed(&**region), region.len())?;
    } else {
        for index in data_order(&all) {
            let (Some(entry), Some(row)) = (all.get(index), rows.get_mut(index)) else {
                continue;
            };
            row.offset = offset(writer.position())?;
            let blocks = &entry.blocks;
            writer.bytes("data", &mut Cow::Borrowed(&**blocks), blocks.len())?;
        }
    }
    let count = writer.count("count", rows.len())?;
    writer.records("index", &mut rows, count)?;
    if let Some(footer) = &archive.footer {
        footer.clone().walk(&mut writer)?;
    }
    let trailing = &archive.trailing;
    writer.bytes("trailing", &mut trailing.0.clone(), trailing.len())?;
    Ok(writer.into_bytes())
}

/// An offset in the file.
fn offset(offset: usize) -> Result<u32> {
    u32::try_from(offset)
        .map_err(|_| FormatError::unencodable("offset", 0, "at most 4 GiB of blocks", offset))
}
