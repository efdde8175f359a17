//! Writing an archive.

use super::archive::{Archive, Entry, Header, data_order};
use crate::formats::codec::{FormatError, Raw, Result, Stream, Walk, Writer};

/// Encodes an archive: blocks in the order of their stored offsets, back to back, then index and
/// footer. Offsets follow from the blocks; everything else comes from the value.
///
/// # Errors
/// More than 4 GiB of blocks, or a directory whose place lies outside the index.
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
    let mut header = Header {
        index_offset: 0,
        magic: Raw(*b"PFS "),
        version: archive.version,
    };
    let mut data = Writer::default();
    if let Some(region) = &archive.scattered {
        data.bytes("data", &mut region.0.clone(), region.len())?;
    } else {
        for index in data_order(&all) {
            let (Some(entry), Some(row)) = (all.get(index), rows.get_mut(index)) else {
                continue;
            };
            row.offset = offset(data.position())?;
            data.bytes("data", &mut entry.blocks.0.clone(), entry.blocks.len())?;
        }
    }
    header.index_offset = offset(data.position())?;
    let mut writer = Writer::with_capacity(data.position());
    header.walk(&mut writer)?;
    let data = data.into_bytes();
    let length = data.len();
    writer.bytes("data", &mut data.into(), length)?;
    let count = writer.count("count", rows.len())?;
    writer.records("index", &mut rows, count)?;
    if let Some(footer) = &archive.footer {
        footer.clone().walk(&mut writer)?;
    }
    let trailing = &archive.trailing;
    writer.bytes("trailing", &mut trailing.0.clone(), trailing.len())?;
    Ok(writer.into_bytes())
}

/// Offset in the file of the data byte at `position`.
fn offset(position: usize) -> Result<u32> {
    let offset = position.saturating_add(Header::SIZE);
    u32::try_from(offset)
        .map_err(|_| FormatError::unencodable("offset", 0, "at most 4 GiB of blocks", offset))
}
