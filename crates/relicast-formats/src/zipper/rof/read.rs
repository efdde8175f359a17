//! Reading: the blocks level by level, then the stored bytes of the files.

use std::collections::{HashSet, VecDeque};

use super::archive::{
    Block, BlockHead, DEEPEST, Entry, Gap, LONGEST_NAME, RECORD, Record, Rof, Storage,
};
use relicast_codec::{Blob, Decoded, Deviations, FaultKind, FormatError, Reader, Result, Stream};
use relicast_limits as limits;

/// True if `bytes` start with a block whose records and names are valid and point into the file.
pub fn looks_like(bytes: &[u8]) -> bool {
    let Ok(block) = block(bytes, 0) else {
        return false;
    };
    let leads = |record: &Record| {
        let end = (record.start as usize).saturating_add(record.stored as usize);
        let known = !matches!(record.storage, Storage::Other(_));
        known && record.start > 0 && end <= bytes.len() && record.name_length >= 2
    };
    !block.records.is_empty() && block.records.iter().all(leads)
}

/// Reads the block at `offset`.
fn block(bytes: &[u8], offset: usize) -> Result<Block<'_>> {
    let mut reader = Reader::new(bytes);
    reader.seek("start", offset)?;
    let head = BlockHead::read(&mut reader)?;
    let mut records: Vec<Record> = Vec::new();
    reader.values("records", &mut records, head.count as usize)?;
    let mut sum = 0_u64;
    for record in &records {
        sum = sum.saturating_add(u64::from(record.name_length));
    }
    if sum != u64::from(head.names_length) {
        return Err(FormatError::malformed(
            "names_length",
            offset.saturating_add(4),
            format_args!("{sum}, the sum of the lengths of the names"),
            head.names_length,
        ));
    }
    let names = reader.take("names", head.names_length as usize)?;
    Ok(Block {
        offset,
        records,
        names: Blob::borrowed(names),
    })
}

/// Blocks still to be read: offset, folder, depth.
type Queue = VecDeque<(usize, usize, usize)>;

struct Walker<'a> {
    bytes: &'a [u8],
    archive: Rof<'a>,
    deviations: Deviations,
    queue: Queue,
    seen: HashSet<usize>,
    /// Bytes of all blocks so far. Blocks that share bytes could otherwise hold far more records than the
    /// file has bytes.
    taken: usize,
}

impl<'a> Walker<'a> {
    fn visit(&mut self, offset: usize, parent: Option<usize>, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(FormatError::new(
                FaultKind::Limit,
                "start",
                offset,
                format_args!("at most {DEEPEST} nested folders"),
                "more",
            ));
        }
        if !self.seen.insert(offset) {
            return Err(FormatError::malformed(
                "start",
                offset,
                "a folder that no other record refers to",
                "a folder of another record",
            ));
        }
        let block = block(self.bytes, offset)?;
        self.taken = self.taken.saturating_add(block.length());
        if self.taken > self.bytes.len() {
            return Err(FormatError::malformed(
                "start",
                offset,
                "a block that shares no bytes",
                "a block with shared bytes",
            ));
        }
        let names: Vec<(String, usize)> = block.names().collect();
        for (index, (record, (name, length))) in block.records.iter().zip(names).enumerate() {
            limits::check();
            let at = offset
                .saturating_add(BlockHead::SIZE)
                .saturating_add(index.saturating_mul(RECORD));
            let entry = self.entry(*record, name, length, at, parent);
            if entry.is_folder() && entry.fault.is_none() {
                let place = self.archive.entries.len();
                let next = depth.saturating_add(1);
                self.queue.push_back((record.start as usize, place, next));
            }
            limits::push(&mut self.archive.entries, entry);
        }
        self.archive.blocks.push(block);
        Ok(())
    }

    fn entry(
        &mut self,
        record: Record,
        name: String,
        length: usize,
        at: usize,
        parent: Option<usize>,
    ) -> Entry<'a> {
        // A character of Latin-1 is a byte.
        let characters = name.chars().count();
        if characters != length.saturating_sub(1) || name.is_empty() {
            self.deviations.push(
                "name",
                at.saturating_add(16),
                format_args!("a name of {} bytes and a NUL", length.saturating_sub(1)),
                format_args!("a name of {characters} bytes"),
            );
        }
        let mut entry = Entry {
            name,
            parent,
            record,
            record_offset: at,
            ..Entry::default()
        };
        match self.stored(&entry) {
            Ok(data) => entry.data = Blob::borrowed(data),
            Err(fault) => entry.fault = Some(fault),
        }
        if entry.name.len() > LONGEST_NAME {
            let end = (0..=LONGEST_NAME).rev();
            let mut end = end.filter(|&end| entry.name.is_char_boundary(end));
            entry.name.truncate(end.next().unwrap_or_default());
        }
        entry
    }

    /// The stored bytes of a file; none for folders.
    fn stored(&self, entry: &Entry<'_>) -> Result<&'a [u8]> {
        let (record, at) = (entry.record, entry.record_offset);
        if entry.name.len() > LONGEST_NAME {
            return Err(FormatError::new(
                FaultKind::Limit,
                "name_length",
                at.saturating_add(16),
                format_args!("at most {LONGEST_NAME} bytes"),
                entry.name.len(),
            ));
        }
        match record.storage {
            Storage::Other(flags) => {
                return Err(FormatError::unsupported(
                    "flags",
                    at.saturating_add(12),
                    "0, 1 or 2",
                    flags,
                ));
            }
            Storage::Folder => return Ok(&[]),
            Storage::Plain if record.decoded != record.stored => {
                return Err(FormatError::malformed(
                    "stored",
                    at.saturating_add(8),
                    format_args!(
                        "{}, the length of the file, as it is not packed",
                        record.decoded
                    ),
                    record.stored,
                ));
            }
            Storage::Plain | Storage::Packed => {}
        }
        let start = record.start as usize;
        let end = start.checked_add(record.stored as usize);
        end.and_then(|end| self.bytes.get(start..end))
            .ok_or_else(|| {
                FormatError::malformed(
                    "start",
                    at,
                    format_args!("bytes within the {} of the file", self.bytes.len()),
                    format_args!("{} at {start}", record.stored),
                )
            })
    }

    /// Gives a fault to each file that shares bytes with a block or with an earlier file, and stores the gaps.
    fn settle(&mut self) {
        let blocks = self.archive.blocks.iter();
        let mut extents: Vec<(usize, usize, Option<usize>)> = blocks
            .map(|block| (block.offset, block.length(), None))
            .collect();
        let files = self.archive.entries.iter().enumerate();
        extents.extend(
            files
                .filter(|(_, entry)| !entry.data.is_empty())
                .map(|(index, entry)| (entry.record.start as usize, entry.data.len(), Some(index))),
        );
        extents.sort_unstable();
        let mut covered = 0_usize;
        for (start, length, file) in extents {
            if start > covered {
                self.gap(covered, start);
            }
            if start < covered {
                let found = format_args!("{length} bytes at {start}");
                let expected =
                    format_args!("bytes not shared with other entries, from {covered} on");
                if let Some(entry) = file.and_then(|file| self.archive.entries.get_mut(file)) {
                    let at = entry.record_offset;
                    let fault = FormatError::malformed("start", at, expected, found);
                    entry.fault = Some(fault);
                    entry.data = Blob::default();
                    // The bytes of this file alone are preserved anyway.
                    let end = start.saturating_add(length);
                    if end > covered {
                        self.gap(covered, end);
                        covered = end;
                    }
                    continue;
                }
                self.deviations.push("start", start, expected, found);
            }
            covered = covered.max(start.saturating_add(length));
        }
        if covered < self.bytes.len() {
            self.gap(covered, self.bytes.len());
        }
    }

    fn gap(&mut self, from: usize, to: usize) {
        let bytes = self.bytes.get(from..to).unwrap_or_default();
        self.deviations.push(
            "start",
            from,
            "blocks and files without gaps",
            format_args!("{} unreferenced bytes", bytes.len()),
        );
        self.archive.gaps.push(Gap {
            offset: from,
            bytes: Blob::borrowed(bytes),
        });
    }
}

/// Decodes an archive. A folder or file that cannot be read has a fault; the others are whole.
///
/// # Errors
/// The root block is damaged.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Rof<'_>>> {
    let mut walker = Walker {
        bytes,
        archive: Rof::default(),
        deviations: Deviations::default(),
        queue: Queue::new(),
        seen: HashSet::new(),
        taken: 0,
    };
    walker.visit(0, None, 0)?;
    while let Some((offset, parent, depth)) = walker.queue.pop_front() {
        if let Err(fault) = walker.visit(offset, Some(parent), depth)
            && let Some(entry) = walker.archive.entries.get_mut(parent)
        {
            entry.fault = Some(fault);
        }
    }
    walker.settle();
    Ok(Decoded {
        value: walker.archive,
        deviations: walker.deviations,
    })
}
