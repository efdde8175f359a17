//! The two tables of texts: message tables and string blocks.

use relicast_codec::{Decoded, Deviations, FormatError, Reader, Result, Stream, Walk, Writer};

relicast_codec::record! {
    /// A run of consecutive ids in a message table, 12 bytes.
    pub struct MessageBlock[12] {
        /// Offset 0: first id.
        low_id: u32,
        /// Offset 4: last id, itself included.
        high_id: u32,
        /// Offset 8: first entry, from the start of the table.
        offset: u32,
    }
}

relicast_codec::record! {
    /// Head of an entry of a message table, 4 bytes; the text follows.
    pub struct MessageHead[4] {
        /// Offset 0: bytes of the entry, head included; a multiple of 4.
        length: u16,
        /// Offset 2: 0 ANSI, 1 UTF-16. Always 0 in files of the games.
        flags: u16,
    }
}

/// Storage of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Entry of a message table in the code page of the language, with a final line end and padding.
    Ansi,
    /// Entry of a message table in UTF-16, likewise.
    Wide,
    /// String of a block: UTF-16 with nothing after it.
    String,
}

/// An entry of either table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry<'a> {
    pub id: u32,
    /// Offset of the text from the start of the table.
    pub offset: usize,
    /// The text as stored, padding included.
    pub bytes: &'a [u8],
    pub form: Form,
}

/// Strings in a block.
const BLOCK: u32 = 16;

/// Decodes a message table.
///
/// # Errors
/// Blocks or entries point outside the table, run backwards, or overlap.
pub(super) fn decode_messages(data: &[u8]) -> Result<Decoded<Vec<Entry<'_>>>> {
    let mut reader = Reader::new(data);
    let mut blocks: Vec<MessageBlock> = Vec::new();
    let count = reader.count("blocks", 0)?;
    reader.records("blocks", &mut blocks, count)?;
    let mut entries = Vec::new();
    // Entries do not overlap, so together they are no longer than the table.
    let mut left = data.len();
    for (index, block) in blocks.iter().enumerate() {
        let at = index
            .saturating_mul(MessageBlock::SIZE)
            .saturating_add(size_of::<u32>());
        messages_of(block, at, &mut reader, &mut left, &mut entries)
            .map_err(|error| error.within("blocks", index))?;
    }
    Ok(Decoded {
        value: entries,
        deviations: reader.into_deviations(),
    })
}

fn messages_of<'a>(
    block: &MessageBlock,
    at: usize,
    reader: &mut Reader<'a>,
    left: &mut usize,
    entries: &mut Vec<Entry<'a>>,
) -> Result<()> {
    if block.high_id < block.low_id {
        return Err(FormatError::malformed(
            "high_id",
            at.saturating_add(4),
            format_args!("at least {}", block.low_id),
            block.high_id,
        ));
    }
    reader.seek("offset", block.offset as usize)?;
    for id in block.low_id..=block.high_id {
        let offset = reader.position();
        let mut head = MessageHead::default();
        head.walk(reader)?;
        let length = usize::from(head.length)
            .checked_sub(MessageHead::SIZE)
            .ok_or_else(|| FormatError::malformed("length", offset, "at least 4", head.length))?;
        *left = left.checked_sub(usize::from(head.length)).ok_or_else(|| {
            FormatError::malformed("offset", offset, "blocks that do not overlap", "overlap")
        })?;
        if !head.length.is_multiple_of(4) {
            reader.deviate("length", offset, "a multiple of 4", head.length);
        }
        if head.flags > 1 {
            let flags_offset = offset.saturating_add(2);
            reader.deviate("flags", flags_offset, "0 or 1", head.flags);
        }
        entries.push(Entry {
            id,
            offset: reader.position(),
            bytes: reader.take("text", length)?,
            form: match head.flags {
                1 => Form::Wide,
                _ => Form::Ansi,
            },
        });
    }
    Ok(())
}

/// Decodes a string block; empty strings are missing ones and give no entry.
///
/// # Errors
/// `block` is 0 or too large for ids, or the data ends before the sixteenth string.
pub(super) fn decode_strings(data: &[u8], block: u32) -> Result<Decoded<Vec<Entry<'_>>>> {
    let first = block
        .checked_sub(1)
        .and_then(|block| block.checked_mul(BLOCK))
        .ok_or_else(|| FormatError::malformed("block", 0, "1 to 2^28", block))?;
    let mut reader = Reader::new(data);
    let mut entries = Vec::new();
    for id in first..=first.saturating_add(BLOCK.saturating_sub(1)) {
        let mut units = 0_u16;
        reader.value("length", &mut units)?;
        let offset = reader.position();
        let bytes = reader.take("text", usize::from(units).saturating_mul(2))?;
        if units > 0 {
            entries.push(Entry {
                id,
                offset,
                bytes,
                form: Form::String,
            });
        }
    }
    // Bytes left over by shorter texts in a block of fixed size.
    let rest = data.get(reader.position()..).unwrap_or_default();
    if rest.iter().all(|&byte| byte == 0) {
        reader.take("padding", rest.len())?;
    }
    Ok(reader.finish(entries))
}

/// Encodes a message table of texts in rising order of id, one block for each run of ids.
///
/// # Errors
/// A text is too long for an entry.
pub(super) fn encode_messages(texts: &[(u32, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut blocks: Vec<MessageBlock> = Vec::new();
    let mut entries = Writer::default();
    for (id, text) in texts {
        match blocks.last_mut() {
            Some(block) if block.high_id.checked_add(1) == Some(*id) => block.high_id = *id,
            _ => blocks.push(MessageBlock {
                low_id: *id,
                high_id: *id,
                offset: length32(entries.position())?,
            }),
        }
        // At least one NUL, as the platform's tools write.
        let padded = text
            .len()
            .saturating_add(MessageHead::SIZE)
            .saturating_add(1)
            .next_multiple_of(4);
        let length = u16::try_from(padded).map_err(|_| {
            FormatError::unencodable("text", entries.position(), "at most 65528 bytes", padded)
        })?;
        let mut head = MessageHead { length, flags: 0 };
        head.walk(&mut entries)?;
        let mut body = text.clone();
        body.resize(padded.saturating_sub(MessageHead::SIZE), 0);
        entries.bytes("text", &mut body.into(), padded.saturating_sub(4))?;
    }
    let head = blocks
        .len()
        .saturating_mul(MessageBlock::SIZE)
        .saturating_add(size_of::<u32>());
    for block in &mut blocks {
        block.offset = block.offset.saturating_add(length32(head)?);
    }
    let mut table = Writer::default();
    let count = table.count("blocks", blocks.len())?;
    table.records("blocks", &mut blocks, count)?;
    let mut bytes = table.into_bytes();
    bytes.extend(entries.into_bytes());
    Ok(bytes)
}

/// Encodes string blocks from UTF-16 texts in rising order of id: block number and data each.
///
/// # Errors
/// A text is too long for a string, or an id is beyond the last block.
pub(super) fn encode_strings(texts: &[(u32, Vec<u8>)]) -> Result<Vec<(u32, Vec<u8>)>> {
    let mut blocks: Vec<(u32, Vec<u8>)> = Vec::new();
    for run in texts.chunk_by(|(left, _), (right, _)| left / BLOCK == right / BLOCK) {
        let Some((first, _)) = run.first() else {
            continue;
        };
        let start = first / BLOCK * BLOCK;
        let mut writer = Writer::default();
        for id in start..=start.saturating_add(BLOCK.saturating_sub(1)) {
            let text = run.iter().find(|(other, _)| *other == id);
            let text = text.map_or(&[][..], |(_, text)| text);
            let mut units = u16::try_from(text.len() / 2).map_err(|_| {
                FormatError::unencodable("text", writer.position(), "at most 65535", text.len())
            })?;
            writer.value("length", &mut units)?;
            writer.bytes(
                "text",
                &mut text.into(),
                usize::from(units).saturating_mul(2),
            )?;
        }
        blocks.push(((first / BLOCK).saturating_add(1), writer.into_bytes()));
    }
    Ok(blocks)
}

fn length32(length: usize) -> Result<u32> {
    u32::try_from(length)
        .map_err(|_| FormatError::unencodable("table", length, "at most 4 GiB", length))
}

/// Adds the deviations of a table that starts at `base` in the file.
pub(super) fn absorb<T>(
    deviations: &mut Deviations,
    structure: &str,
    base: usize,
    table: Result<Decoded<T>>,
) -> Result<T> {
    let decoded = table.map_err(|error| error.shifted(base).inside(structure))?;
    deviations.absorb(structure, base, decoded.deviations);
    Ok(decoded.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worked example: 5 is "Hi!", 6 is empty.
    const MESSAGES: [u8; 36] = [
        1, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 16, 0, 0, 0, 12, 0, 0, 0, b'H', b'i', b'!', 13, 10, 0,
        0, 0, 8, 0, 0, 0, 13, 10, 0, 0,
    ];

    #[test]
    fn the_last_id_of_a_block_is_included() {
        let decoded = decode_messages(&MESSAGES).unwrap();
        assert!(decoded.deviations.is_empty());
        let found: Vec<(u32, &[u8])> = decoded.value.iter().map(|e| (e.id, e.bytes)).collect();
        assert_eq!(found, [(5, &b"Hi!\r\n\0\0\0"[..]), (6, b"\r\n\0\0")]);
        let texts = [(5, b"Hi!\r\n".to_vec()), (6, b"\r\n".to_vec())];
        assert_eq!(encode_messages(&texts).unwrap(), MESSAGES);
    }

    #[test]
    fn overlapping_blocks_are_refused() {
        let mut table = 40_u32.to_le_bytes().to_vec();
        for _ in 0..40 {
            for word in [1_u32, 1, 4 + 40 * 12] {
                table.extend(word.to_le_bytes());
            }
        }
        table.extend([64, 0, 0, 0]);
        table.extend([b'x'; 60]);
        let error = decode_messages(&table).unwrap_err();
        assert_eq!(error.expected(), "blocks that do not overlap");
    }

    #[test]
    fn a_block_number_gives_the_ids() {
        let mut data = vec![2, 0, b'H', 0, b'i', 0];
        data.extend([0; 30]);
        let entries = decode_strings(&data, 2).unwrap().value;
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].id, entries[0].bytes), (16, &b"H\0i\0"[..]));
        let texts = [(16, b"H\0i\0".to_vec())];
        assert_eq!(encode_strings(&texts).unwrap(), [(2, data.clone())]);
        assert!(decode_strings(&data, 0).is_err());
        assert!(decode_strings(&data, u32::MAX).is_err());
        assert!(decode_strings(&data[..35], 2).is_err());
    }
}
