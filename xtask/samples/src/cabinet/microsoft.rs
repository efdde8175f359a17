//! Microsoft cabinets: the crate `cab` writes one, which is then divided into a set.

use std::io::{Cursor, Write};

use cab::{CabinetBuilder, CompressionType};
use relicast::formats::codec::{Bytes, FixedSize};
use relicast::formats::microsoft_cabinet::{
    Cabinet, CabinetEntry, CabinetFolder, CabinetHeader, FROM_PREVIOUS, HAS_NEXT, HAS_PREVIOUS,
    SIGNATURE, THROUGH, TO_NEXT, decode,
};

use crate::{Outcome, SampleFile};

/// A cabinet of one folder.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn cabinet(files: &[SampleFile], compressed: bool) -> Outcome<Vec<u8>> {
    let mut builder = CabinetBuilder::new();
    let method = if compressed {
        CompressionType::MsZip
    } else {
        CompressionType::None
    };
    let folder = builder.add_folder(method);
    for file in files {
        folder.add_file(file.path.replace('/', "\\"));
    }
    let mut writer = builder.build(Cursor::new(Vec::new()))?;
    for file in files {
        if let Some(mut out) = writer.next_file()? {
            out.write_all(&file.bytes)?;
        }
    }
    let mut bytes = writer.finish()?.into_inner();
    // The writer stores the current time for each file.
    let tables = decode(&bytes)?;
    let mut place = tables.header.files as usize;
    for file in &tables.files {
        let entry = CabinetEntry {
            date: 0x26A1,
            time: 0x6000,
            ..file.entry
        };
        let mut stored = Vec::new();
        entry.store(&mut stored);
        bytes[place..place + stored.len()].copy_from_slice(&stored);
        place += stored.len() + file.name.len() + 1;
    }
    Ok(bytes)
}

/// A volume of a set that is being built.
#[derive(Default)]
struct Part {
    blocks: Vec<u8>,
    count: u16,
    /// Expanded bytes before it and up to its end.
    from: u64,
    to: u64,
}

/// Divides a cabinet of one folder into volumes with about `size` bytes of data each, also within blocks. `names` are
/// their names.
///
/// # Errors
/// There are more volumes than names, or the bytes are not a cabinet.
pub fn cut(bytes: &[u8], size: usize, names: &[&str]) -> Outcome<Vec<SampleFile>> {
    let tables = decode(bytes)?;
    let folder = tables.folders.first().ok_or("no folder")?;
    let parts = cut_blocks(bytes, folder, size, names.len())?;
    let mut files = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let previous = number.checked_sub(1).and_then(|before| names.get(before));
        let next = names.get(number + 1).filter(|_| number + 1 < parts.len());
        let mut flags = 0;
        let mut neighbors = Vec::new();
        for (flag, name) in [(HAS_PREVIOUS, previous), (HAS_NEXT, next)] {
            if let Some(name) = name {
                flags |= flag;
                neighbors.extend(name.bytes().chain([0]).chain(*b"DISK\0"));
            }
        }
        let files_at = CabinetHeader::SIZE + neighbors.len() + CabinetFolder::SIZE;
        let (rows, file_count) = rows_of(&tables, part, next.is_some());
        let data = files_at + rows.len();
        let mut out = Vec::new();
        CabinetHeader {
            signature: Bytes(SIGNATURE),
            size: u32::try_from(data + part.blocks.len())?,
            files: u32::try_from(files_at)?,
            minor: 3,
            major: 1,
            folder_count: 1,
            file_count,
            flags,
            set: 7,
            number: u16::try_from(number)?,
            ..CabinetHeader::default()
        }
        .store(&mut out);
        out.extend(neighbors);
        CabinetFolder {
            data: u32::try_from(data)?,
            blocks: part.count,
            method: folder.method,
        }
        .store(&mut out);
        out.extend(rows);
        out.extend_from_slice(&part.blocks);
        let name = names.get(number).ok_or("too few names")?;
        files.push(SampleFile {
            path: (*name).to_owned(),
            bytes: out,
        });
    }
    Ok(files)
}

/// Distributes the blocks of a folder to at most `most` volumes; one that does not fit is divided in two.
fn cut_blocks(
    bytes: &[u8],
    folder: &CabinetFolder,
    size: usize,
    most: usize,
) -> Outcome<Vec<Part>> {
    let mut parts = vec![Part::default()];
    let mut place = folder.data as usize;
    let mut expanded_before = 0_u64;
    for _ in 0..folder.blocks {
        let head = bytes.get(place..place + 8).ok_or("no block")?;
        let packed = u16::from_le_bytes([head[4], head[5]]);
        let expanded = u16::from_le_bytes([head[6], head[7]]);
        let data = bytes
            .get(place + 8..place + 8 + usize::from(packed))
            .ok_or("no data")?;
        let mut whole = data;
        let last = parts.len();
        let room = size.saturating_sub(parts[last - 1].blocks.len());
        if last < most && room < whole.len() && room > 0 {
            let (first, rest) = whole.split_at(room);
            block(&mut parts[last - 1], first, 0)?;
            parts[last - 1].to = expanded_before + 1;
            parts.push(Part {
                from: expanded_before,
                ..Part::default()
            });
            whole = rest;
        }
        let last = parts.len() - 1;
        block(&mut parts[last], whole, expanded)?;
        expanded_before += u64::from(expanded);
        parts[last].to = expanded_before;
        place += 8 + usize::from(packed);
    }
    Ok(parts)
}

/// Rows of the files that are in a volume, at least in part, and their number.
fn rows_of(tables: &Cabinet, part: &Part, has_next: bool) -> (Vec<u8>, u16) {
    let mut rows = Vec::new();
    let mut file_count = 0;
    for file in &tables.files {
        let start = u64::from(file.entry.start);
        let end = start + u64::from(file.entry.size);
        let empty_here = start == end && start >= part.from;
        if (end <= part.from && !empty_here) || start >= part.to {
            continue;
        }
        let goes_on = end > part.to || (has_next && end >= part.to);
        let own = match (start < part.from, goes_on) {
            (false, false) => 0,
            (true, false) => FROM_PREVIOUS,
            (false, true) => TO_NEXT,
            (true, true) => THROUGH,
        };
        CabinetEntry {
            folder: own,
            ..file.entry
        }
        .store(&mut rows);
        rows.extend(file.name.bytes().chain([0]));
        file_count += 1;
    }
    (rows, file_count)
}

/// Adds a block without a checksum; `expanded` is 0 for a block that continues in the next cabinet.
fn block(part: &mut Part, data: &[u8], expanded: u16) -> Outcome {
    0_u32.store(&mut part.blocks);
    u16::try_from(data.len())?.store(&mut part.blocks);
    expanded.store(&mut part.blocks);
    part.blocks.extend_from_slice(data);
    part.count += 1;
    Ok(())
}
