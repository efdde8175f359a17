//! Reading the tables of an archive: the index, the footer, and the offsets of the blocks of each member.

use relicast_codec::quantity::counted;
use std::borrow::Cow;

use super::archive::{
    Archive, DIRECTORY_CRC, Directory, Entry, Footer, Header, IndexRow, Version, data_order,
};
use super::{block, directory};
use relicast_codec::{
    Blob, Bytes, Decoded, Deviations, FixedSize, FormatError, Reader, Result, Stream, Walk,
};

/// Value that some later packers write in place of [`DIRECTORY_CRC`].
const FOREIGN_DIRECTORY_CRC: u32 = u32::MAX;

/// Decodes the tables of an archive and finds the blocks of its members. Only the directory
/// is inflated.
///
/// # Errors
/// Wrong magic or version, an index outside the file, or more rows than fit in the file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Archive<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut header = Header::default();
    reader.nested("header", &mut header)?;
    if let Version::Other(version) = header.version {
        return Err(FormatError::unsupported(
            "header.version",
            8,
            "0x20000 or 0x10000",
            format_args!("{version:#x}"),
        ));
    }
    let index = header.index_offset as usize;
    if index < Header::SIZE {
        return Err(FormatError::malformed(
            "header.index_offset",
            0,
            format_args!("at least {}", Header::SIZE),
            index,
        ));
    }
    reader.seek("header.index_offset", index)?;
    let count = reader.count("count", 0)?;
    let mut rows: Vec<IndexRow> = Vec::new();
    reader.records("index", &mut rows, count)?;

    let mut deviations = Deviations::default();
    let place = [DIRECTORY_CRC, FOREIGN_DIRECTORY_CRC]
        .iter()
        .find_map(|&crc| rows.iter().position(|row| row.name_crc == crc));
    let mut entries = locate(bytes, index, rows, &mut deviations);
    let tiled = is_tiled(&entries, index);
    let directory = place.filter(|&place| place < entries.len()).map(|place| {
        let entry = entries.remove(place);
        Directory { place, entry }
    });
    read_names(
        header.version,
        directory.as_ref(),
        index,
        &mut entries,
        &mut deviations,
    );

    let footer = read_footer(&mut reader, bytes)?;
    let position = reader.position();
    let mut trailing = Cow::default();
    let length = reader.remaining();
    reader.bytes("trailing", &mut trailing, length)?;
    if !trailing.is_empty() {
        deviations.push(
            "trailing",
            position,
            "end of data",
            counted(length, "more byte", "more bytes"),
        );
    }
    if !tiled {
        deviations.push(
            "data",
            Header::SIZE,
            "members back to back",
            "gaps or overlaps",
        );
    }
    let region = bytes.get(Header::SIZE..index).unwrap_or_default();
    let archive = Archive {
        version: header.version,
        entries,
        directory,
        footer,
        scattered: (!tiled).then(|| Blob::borrowed(region)),
        trailing: Blob(trailing),
    };
    Ok(Decoded {
        value: archive,
        deviations,
    })
}

fn read_footer(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<Option<Footer>> {
    let rest = bytes.get(reader.position()..).unwrap_or_default();
    if rest.len() < Footer::SIZE || Bytes::<5>::load(rest) != Some(Footer::SIGNATURE) {
        return Ok(None);
    }
    let mut footer = Footer::default();
    footer.walk(reader)?;
    Ok(Some(footer))
}

/// Names the entries by the directory; a directory that cannot be read is a deviation.
fn read_names(
    version: Version,
    directory: Option<&Directory<'_>>,
    index: usize,
    entries: &mut [Entry<'_>],
    deviations: &mut Deviations,
) {
    let Some(directory) = directory else {
        if version == Version::Named && !entries.is_empty() {
            deviations.push("directory", 0, "a directory", "none; members have no names");
        }
        return;
    };
    let row_at = |place: usize| {
        let rows = index.saturating_add(u32::SIZE);
        rows.saturating_add(place.saturating_mul(IndexRow::SIZE))
    };
    // A directory outside the file is reported at the offset of its row.
    let offset = directory.entry.row.offset as usize;
    let offset = match offset < index {
        true => offset,
        false => row_at(directory.place),
    };
    let names = directory.entry.extract().and_then(|inflated| {
        deviations.absorb("directory", offset, inflated.deviations);
        directory::decode_names(&inflated.value)
    });
    match names {
        Ok(names) => {
            deviations.absorb("directory", 0, names.deviations.gathered_at(offset));
            let row_offset =
                |entry: usize| row_at(entry.saturating_add(usize::from(entry >= directory.place)));
            directory::pair(&names.value, entries, row_offset, deviations);
        }
        Err(error) => deviations.push("directory", offset, "a list of names", error),
    }
}

/// Finds the blocks of each row. A member ends where the next one (or the index) starts, so that
/// members share no bytes and together are no larger than the file.
fn locate<'a>(
    bytes: &'a [u8],
    index: usize,
    rows: Vec<IndexRow>,
    deviations: &mut Deviations,
) -> Vec<Entry<'a>> {
    let mut starts: Vec<usize> = rows
        .iter()
        .filter(|row| row.size > 0)
        .map(|row| row.offset as usize)
        .chain([index])
        .collect();
    starts.sort_unstable();
    let mut taken = vec![false; starts.len()];
    let mut entries = Vec::with_capacity(rows.len());
    for (number, row) in rows.into_iter().enumerate() {
        let row_offset = index
            .saturating_add(u32::SIZE)
            .saturating_add(number.saturating_mul(IndexRow::SIZE));
        let blocks = match row.size {
            0 => Ok(Blob::default()),
            _ => blocks(bytes, index, row_offset, &row, &starts, &mut taken),
        };
        let (blocks, fault) = match blocks {
            Ok(blocks) => (blocks, None),
            Err(error) => {
                let error = error.within("index", number);
                deviations.push(error.field(), row_offset, error.expected(), error.found());
                (Blob::default(), Some(error))
            }
        };
        entries.push(Entry {
            row,
            name: None,
            blocks,
            fault,
        });
    }
    entries
}

fn blocks<'a>(
    bytes: &'a [u8],
    index: usize,
    row_offset: usize,
    row: &IndexRow,
    starts: &[usize],
    taken: &mut [bool],
) -> Result<Blob<'a>> {
    let offset = row.offset as usize;
    let first = starts.partition_point(|&start| start < offset);
    let next = starts.partition_point(|&start| start <= offset);
    let end = starts.get(next).copied().unwrap_or(bytes.len());
    let room = bytes.get(offset..end.min(bytes.len())).unwrap_or_default();
    if offset < Header::SIZE || offset == index || room.is_empty() {
        return Err(FormatError::malformed(
            "offset",
            row_offset,
            "blocks within the file",
            format_args!("{} bytes at {offset}", row.size),
        ));
    }
    if taken.get(first).copied().unwrap_or_default() {
        return Err(FormatError::malformed(
            "offset",
            offset,
            "blocks of its own",
            "those of another member",
        ));
    }
    let length =
        block::stream_length(room, row.size as usize).map_err(|error| error.shifted(offset))?;
    if let Some(taken) = taken.get_mut(first) {
        *taken = true;
    }
    Ok(Blob::borrowed(room.get(..length).unwrap_or_default()))
}

/// True when the blocks fill the space between header and index without gaps.
fn is_tiled(entries: &[Entry<'_>], index: usize) -> bool {
    let all: Vec<&Entry<'_>> = entries.iter().collect();
    let mut running = Header::SIZE;
    for number in data_order(&all) {
        let Some(entry) = entries.get(number) else {
            return false;
        };
        if entry.fault.is_some() || entry.row.offset as usize != running {
            return false;
        }
        running = running.saturating_add(entry.blocks.len());
    }
    running == index
}
