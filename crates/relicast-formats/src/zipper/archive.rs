//! Archives with their table of contents at the end (sounds, readers, motions, mechlib, saves).
//!
//! ```text
//! member data, back to back from offset 0
//! table of contents: one 148-byte row per member
//! footer: version 1 (8 bytes; Recoil, MechWarrior 3, Crimson Skies)
//!      or version 2 (12 bytes; Pirate's Moon, ends with a checksum)
//! ```
//!
//! The last 76 bytes of a row hold a comment and a time, or stale memory of the packer; they are preserved
//! verbatim. Other modules decode the contents of the members.

use std::borrow::Cow;

use serde::Serialize;

use relicast_codec::{
    Blob, Bytes, Decoded, FixedSize, FormatError, PaddedText, Reader, Result, Stream, Walk, Writer,
    crc32_msb_first,
};

/// Version of the footer, which also determines the offset of the version word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FooterVersion {
    /// 8 bytes: version, count.
    #[default]
    One,
    /// 12 bytes: version, count, checksum (Pirate's Moon).
    Two,
}

impl FooterVersion {
    const fn size(self) -> usize {
        match self {
            Self::One => 8,
            Self::Two => 12,
        }
    }

    const fn code(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

relicast_codec::record! {
    /// One row of the table of contents, 148 bytes.
    pub struct Row[148] {
        /// Offset 0: first byte of the member. Members are stored back to back in table order, so this is
        /// the running offset (strict in every retail file).
        start: u32,
        /// Offset 4: bytes of the member; literally 1 in every row of Pirate's Moon's motion.zbd.
        length: u32,
        /// Offset 8: ASCII, NUL padded.
        name: PaddedText<64> [padded],
        /// Offset 72: opaque. Bit 1 was meant to say that comment and time are valid, and is wrong
        /// in many files.
        flags: u32,
        /// Offset 76: comment (the packed file's source path) or stale memory.
        comment: Bytes<64>,
        /// Offset 140: FILETIME, low half, or stale memory.
        time_low: u32,
        /// Offset 144: FILETIME, high half, or stale memory.
        time_high: u32,
    }
}

/// Comment and time of a row, when its 76 bytes hold them and not stale memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// Path of the packed file on the packer's machine.
    pub comment: String,
    /// 100 ns ticks since 1601-01-01 UTC.
    pub filetime: u64,
}

impl Row {
    /// Largest FILETIME that is valid as a time: 9999-12-31T23:59:59.9999999Z.
    const LAST_TIME: u64 = 2_650_467_743_999_999_999;

    /// The eight time bytes as one value.
    pub fn filetime(&self) -> u64 {
        (u64::from(self.time_high) << 32) | u64::from(self.time_low)
    }

    /// Comment and time, if the comment is zero-padded ASCII and the time is between 1601 and
    /// 9999; the rule of the reference implementation. The flags are not trusted.
    pub fn provenance(&self) -> Option<Provenance> {
        let comment = PaddedText(self.comment.0);
        let filetime = self.filetime();
        let padded = comment
            .0
            .iter()
            .skip(comment.text_bytes().len())
            .all(|&byte| byte == 0);
        (comment.text_bytes().is_ascii() && padded && (1..=Self::LAST_TIME).contains(&filetime))
            .then(|| Provenance {
                comment: comment.text(),
                filetime,
            })
    }
}

/// One member: its row and its bytes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry<'a> {
    /// The row of the table of contents. `start` is recomputed when writing.
    pub row: Row,
    /// Offset of the first byte in the file.
    pub offset: usize,
    /// The member's bytes; empty when there is a `fault`.
    #[serde(skip)]
    pub data: Blob<'a>,
    /// Reason that the row has no bytes of its own: it is out of range, or overlaps another member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FormatError>,
}

impl Entry<'_> {
    /// The stored name.
    pub fn name(&self) -> String {
        self.row.name.text()
    }
}

/// A decoded archive. Order, duplicates and stale bytes are those of the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Archive<'a> {
    /// Version of the footer.
    pub version: FooterVersion,
    /// Members in table order.
    pub entries: Vec<Entry<'a>>,
    /// Checksum word of a version 2 footer as stored; 0 unless the members are readers.
    pub checksum: u32,
    /// The table's lengths are all 1 (Pirate's Moon motion.zbd); real lengths follow from the starts.
    pub unit_lengths: bool,
    /// The bytes before the table, when the members do not tile them in order. The rows are then written as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scattered: Option<Blob<'a>>,
}

impl Archive<'_> {
    /// CRC of the member data in table order, as Pirate's Moon stores it for readers.
    pub fn computed_checksum(&self) -> u32 {
        self.entries
            .iter()
            .fold(0, |crc, entry| crc32_msb_first(crc, &entry.data))
    }
}

/// Place of the table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    version: FooterVersion,
    table: usize,
    count: usize,
}

fn word(bytes: &[u8], offset: Option<usize>) -> Option<u32> {
    u32::load(bytes.get(offset?..)?)
}

fn layout(bytes: &[u8], version: FooterVersion) -> Option<Layout> {
    let footer = bytes.len().checked_sub(version.size())?;
    if word(bytes, Some(footer))? != version.code() {
        return None;
    }
    let count = word(bytes, footer.checked_add(4))? as usize;
    let table = footer.checked_sub(count.checked_mul(Row::SIZE)?)?;
    let first_fits = match count {
        0 => table == 0,
        _ => word(bytes, Some(table))? == 0,
    };
    first_fits.then_some(Layout {
        version,
        table,
        count,
    })
}

/// Version of the footer at the end of `bytes`: the version word, a table that fits, and a first member that starts
/// at 0. Version 2 is tried first, because a version 2 file with one member looks like version 1 as well.
pub fn footer_version(bytes: &[u8]) -> Option<FooterVersion> {
    find_layout(bytes).map(|layout| layout.version)
}

fn find_layout(bytes: &[u8]) -> Option<Layout> {
    let mut versions = [FooterVersion::Two, FooterVersion::One].into_iter();
    versions.find_map(|version| layout(bytes, version))
}

/// Detects an archive: a footer, and a table whose rows have names and tile the file, as in every edition. Two
/// words at the end of a file are not enough. In a damaged archive one row of four may break the rule.
pub fn sniff(bytes: &[u8]) -> bool {
    let mut versions = [FooterVersion::Two, FooterVersion::One].into_iter();
    versions.any(|version| layout(bytes, version).is_some_and(|layout| has_rows(bytes, &layout)))
}

/// Returns true if a file that ends with `last` may be an archive: a footer of a version, and a count.
pub(crate) fn may_end(last: &[u8]) -> bool {
    [FooterVersion::Two, FooterVersion::One]
        .iter()
        .any(|version| {
            let footer = last.len().checked_sub(version.size());
            word(last, footer) == Some(version.code())
                && footer.is_some_and(|footer| word(last, footer.checked_add(4)) > Some(0))
        })
}

/// True if the rows of a table are plausible for an archive.
fn has_rows(bytes: &[u8], layout: &Layout) -> bool {
    let table = bytes.get(layout.table..).unwrap_or_default();
    let (rows, _) = table.as_chunks::<{ Row::SIZE }>();
    let rows = rows.iter().take(layout.count);
    let unit_lengths = layout.version == FooterVersion::Two
        && rows.clone().all(|row| word(row, Some(4)) == Some(1));
    let starts: Vec<usize> = rows
        .clone()
        .filter_map(|row| word(row, Some(0)).map(|start| start as usize))
        .chain([layout.table])
        .collect();
    let odd = rows.zip(starts.windows(2)).filter(|(row, window)| {
        let (start, next) = match window {
            [start, next] => (*start, *next),
            _ => (0, 0),
        };
        let length = word(*row, Some(4)).unwrap_or_default() as usize;
        let tiles = match unit_lengths {
            true => start <= next,
            false => start.checked_add(length) == Some(next),
        };
        let name = row.get(8..72).unwrap_or_default();
        let end = name.iter().position(|&byte| byte == 0);
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        let is_named = !name.is_empty() && name.iter().all(|byte| (b' '..=b'~').contains(byte));
        !(tiles && is_named)
    });
    layout.count > 0 && odd.count() <= layout.count / 4
}

/// Decodes an archive.
///
/// # Errors
/// The version of the footer is unknown, the table does not fit, or a member overlaps the table.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Archive<'_>>> {
    let Layout {
        version,
        table,
        count,
    } = find_layout(bytes).ok_or_else(|| {
        FormatError::malformed(
            "footer",
            bytes.len().saturating_sub(FooterVersion::Two.size()),
            "version 1 or 2 and a table of contents that fits the file",
            "neither",
        )
    })?;
    let mut reader = Reader::new(bytes);
    reader.seek("table", table)?;
    let mut rows: Vec<Row> = Vec::new();
    reader.records("entries", &mut rows, count)?;
    let mut footer_version = 0_u32;
    reader.value("version", &mut footer_version)?;
    let mut stored_count = 0_u32;
    reader.value("count", &mut stored_count)?;
    let mut checksum = 0;
    if version == FooterVersion::Two {
        reader.value("checksum", &mut checksum)?;
    }

    let unit_lengths = version == FooterVersion::Two
        && count > 0
        && rows.iter().all(|row| row.length == 1)
        && table != count;
    let mut entries = locate(bytes, table, rows, unit_lengths);
    let overlapped = mark_overlaps(&mut entries, table);
    let mut running = 0_usize;
    for (index, entry) in entries.iter().enumerate() {
        if entry.offset != running && entry.fault.is_none() {
            reader.deviate(
                "start",
                row_offset(table, index),
                format_args!("{running}, the end of the previous member"),
                entry.offset,
            );
        }
        running = entry.offset.saturating_add(entry.data.len());
    }
    let tiled = !overlapped
        && running == table
        && entries.iter().all(|entry| entry.fault.is_none())
        && is_back_to_back(&entries);
    if running != table {
        reader.deviate(
            "table",
            table,
            format_args!("a table right after the last member, at {running}"),
            table,
        );
    }
    let scattered = (!tiled).then(|| Blob::borrowed(bytes.get(..table).unwrap_or_default()));
    Ok(reader.finish(Archive {
        version,
        entries,
        checksum,
        unit_lengths,
        scattered,
    }))
}

fn row_offset(table: usize, index: usize) -> usize {
    table.saturating_add(index.saturating_mul(Row::SIZE))
}

/// True when each member starts at the end of the previous one.
fn is_back_to_back(entries: &[Entry<'_>]) -> bool {
    entries
        .iter()
        .scan(0_usize, |running, entry| {
            let fits = entry.offset == *running;
            *running = running.saturating_add(entry.data.len());
            Some(fits)
        })
        .all(|fits| fits)
}

/// Returns the bytes of the members; a row that points outside the data gets a fault.
fn locate<'a>(bytes: &'a [u8], table: usize, rows: Vec<Row>, unit_lengths: bool) -> Vec<Entry<'a>> {
    let starts: Vec<usize> = rows.iter().map(|row| row.start as usize).collect();
    let mut entries = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        let offset = row.start as usize;
        let end = if unit_lengths {
            let next = starts.get(index.saturating_add(1)).copied();
            Some(next.unwrap_or(table)).filter(|&end| end >= offset)
        } else {
            offset.checked_add(row.length as usize)
        };
        let data = end
            .filter(|&end| end <= table)
            .and_then(|end| bytes.get(offset..end));
        let fault = data.is_none().then(|| {
            FormatError::malformed(
                "start",
                row_offset(table, index),
                format_args!("a member within the first {table} bytes"),
                format_args!("{} bytes at {offset}", row.length),
            )
            .within("entries", index)
        });
        entries.push(Entry {
            row,
            offset,
            data: Blob::borrowed(data.unwrap_or_default()),
            fault,
        });
    }
    entries
}

/// Gives a fault to each member that shares bytes with one that starts before it (or earlier in the
/// table), so that the members together never hold more bytes than the file.
fn mark_overlaps(entries: &mut [Entry<'_>], table: usize) -> bool {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| entries.get(index).map(|entry| (entry.offset, index)));
    let mut covered = 0_usize;
    let mut overlapped = false;
    for index in order {
        let Some(entry) = entries.get_mut(index) else {
            continue;
        };
        if entry.fault.is_some() || entry.data.is_empty() {
            continue;
        }
        if entry.offset < covered {
            overlapped = true;
            entry.fault = Some(
                FormatError::malformed(
                    "start",
                    row_offset(table, index),
                    format_args!("bytes not shared with other members, from {covered} on"),
                    format_args!("{} bytes at {}", entry.data.len(), entry.offset),
                )
                .within("entries", index),
            );
            entry.data = Blob::default();
        } else {
            covered = entry.offset.saturating_add(entry.data.len());
        }
    }
    overlapped
}

/// Encodes an archive: members in order, back to back, then the table and the footer. Starts and
/// lengths come from the member data, everything else from the value.
///
/// # Errors
/// More than 4 GiB of data.
pub fn encode(archive: &Archive<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    let mut rows: Vec<Row> = Vec::with_capacity(archive.entries.len());
    if let Some(region) = &archive.scattered {
        writer.bytes("data", &mut region.0.clone(), region.len())?;
        rows.extend(archive.entries.iter().map(|entry| entry.row.clone()));
    } else {
        for (index, entry) in archive.entries.iter().enumerate() {
            let offset = writer.position();
            let too_large = |_| {
                FormatError::unencodable("start", offset, "at most 4 GiB of members", "more")
                    .within("entries", index)
            };
            let mut row = entry.row.clone();
            row.start = u32::try_from(offset).map_err(too_large)?;
            row.length = match archive.unit_lengths {
                true => 1,
                false => u32::try_from(entry.data.len()).map_err(too_large)?,
            };
            rows.push(row);
            let mut data = Cow::Borrowed(&*entry.data);
            writer.bytes("data", &mut data, entry.data.len())?;
        }
    }
    for row in &mut rows {
        row.walk(&mut writer)?;
    }
    writer.value("version", &mut archive.version.code())?;
    writer.count("count", rows.len())?;
    if archive.version == FooterVersion::Two {
        writer.value("checksum", &mut { archive.checksum })?;
    }
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worked example: one reader member of 43 bytes.
    const READER: [u8; 43] = [
        4, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, b'K', b'E', b'Y',
        1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0, 0, 0, 0x3F,
    ];

    fn entry<'a>(name: &str, data: &'a [u8]) -> Entry<'a> {
        Entry {
            row: Row {
                name: PaddedText::new(name).unwrap(),
                ..Row::default()
            },
            data: Blob::borrowed(data),
            ..Entry::default()
        }
    }

    #[test]
    fn checksum_has_the_documented_value() {
        let archive = Archive {
            entries: vec![entry("a.zrd", &READER)],
            ..Archive::default()
        };
        assert_eq!(archive.computed_checksum(), 0xF13E_D2E8);
    }

    #[test]
    fn version_one_example_has_the_documented_bytes() {
        let archive = Archive {
            entries: vec![entry("a.zrd", &READER)],
            ..Archive::default()
        };
        let bytes = encode(&archive).unwrap();
        assert_eq!(bytes.len(), 199);
        assert_eq!(&bytes[0x2B..0x33], [0, 0, 0, 0, 43, 0, 0, 0]);
        assert_eq!(&bytes[0xBF..], [1, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(footer_version(&bytes), Some(FooterVersion::One));
        assert!(sniff(&bytes));
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty());
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }

    #[test]
    fn one_member_of_version_two_is_not_taken_for_version_one() {
        let archive = Archive {
            version: FooterVersion::Two,
            checksum: crc32_msb_first(0, &READER),
            entries: vec![entry("a.zrd", &READER)],
            ..Archive::default()
        };
        let bytes = encode(&archive).unwrap();
        assert_eq!(footer_version(&bytes), Some(FooterVersion::Two));
        assert!(sniff(&bytes));
        assert!(bytes.ends_with(&[2, 0, 0, 0, 1, 0, 0, 0, 0xE8, 0xD2, 0x3E, 0xF1]));
        let decoded = decode(&bytes).unwrap().value;
        assert_eq!(decoded.computed_checksum(), decoded.checksum);
    }

    #[test]
    fn unit_lengths_are_resolved_from_the_starts() {
        let archive = Archive {
            version: FooterVersion::Two,
            unit_lengths: true,
            entries: vec![entry("a", b"first"), entry("b", b"second")],
            ..Archive::default()
        };
        let bytes = encode(&archive).unwrap();
        let decoded = decode(&bytes).unwrap().value;
        assert!(decoded.unit_lengths);
        assert_eq!(&*decoded.entries[1].data, b"second");
        assert_eq!(encode(&decoded).unwrap(), bytes);
    }

    #[test]
    fn overlapping_and_outlying_members_get_faults_and_survive_a_round_trip() {
        let archive = Archive {
            entries: vec![
                entry("a", b"first"),
                entry("b", b"second"),
                entry("c", b"third"),
            ],
            ..Archive::default()
        };
        let mut bytes = encode(&archive).unwrap();
        let table = bytes.len() - 8 - 3 * Row::SIZE;
        bytes[table + Row::SIZE] = 2;
        bytes[table + 2 * Row::SIZE + 3] = 0x7F;
        let decoded = decode(&bytes).unwrap();
        let faults: Vec<bool> = decoded
            .value
            .entries
            .iter()
            .map(|entry| entry.fault.is_some())
            .collect();
        assert_eq!(faults, [false, true, true]);
        assert!(!decoded.deviations.is_empty());
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }

    #[test]
    fn stale_memory_is_no_provenance() {
        let mut row = Row {
            comment: Bytes([0xC3; 64]),
            time_low: 1,
            ..Row::default()
        };
        assert_eq!(row.provenance(), None);
        row.comment = Bytes(PaddedText::<64>::new("data\\a.wav").unwrap().0);
        assert_eq!(row.provenance().unwrap().filetime, 1);
        row.time_low = 0;
        assert_eq!(row.provenance(), None);
    }
}
