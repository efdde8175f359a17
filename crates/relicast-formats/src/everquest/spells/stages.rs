//! `spellsnew.eff`: visual effects of spells in newer clients, by emitter numbers of `spellsnew.edd`.
//!
//! ```
//! use relicast_formats::everquest::spells::stages::{decode, encode};
//!
//! let bytes = [0; 2 * 268];
//! let table = decode(&bytes)?.value;
//! assert_eq!(encode(&table)?, bytes);
//!
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use relicast_codec::{Blob, Decoded, FixedSize, PaddedText, Reader, Result, Stream, Writer};

relicast_codec::record! {
    /// An emitter of a stage.
    pub struct StageEmitter[16]: FixedSize {
        /// Offset 0: record of `spellsnew.edd`; 0 for none.
        emitter: u32,
        /// Offset 4: level from which on it is shown: 0, 24 or 39.
        from_level: u32,
        /// Offset 8: mode.
        mode: u32,
        /// Offset 12: attachment; 4 and 5 are the hands.
        attachment: u32,
    }
}

relicast_codec::record! {
    /// A stage, 68 bytes.
    pub struct Stage[68]: FixedSize {
        /// Offset 0: sound.
        sound: u32,
        /// Offset 4: emitters.
        emitters: [StageEmitter; 4],
    }
}

relicast_codec::record! {
    /// Visual effect of a spell, 268 bytes.
    pub struct SpellStages[268]: FixedSize {
        /// Offset 0: name.
        name: PaddedText<64>,
        /// Offset 64: while it is cast.
        cast: Stage,
        /// Offset 132: in flight.
        travel: Stage,
        /// Offset 200: at the target.
        impact: Stage,
    }
}

/// The records by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageTable<'a> {
    /// The records.
    pub records: Vec<SpellStages>,
    /// Bytes after the last whole record; real files have 68 of them.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// Decodes a table.
///
/// # Errors
/// None: bytes after the last whole record are a deviation.
pub fn decode(bytes: &[u8]) -> Result<Decoded<StageTable<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut table = StageTable::default();
    let count = bytes.len() / <SpellStages as FixedSize>::SIZE;
    reader.values("records", &mut table.records, count)?;
    reader.trailing(&mut table.trailing.0)?;
    Ok(reader.finish(table))
}

/// Encodes a table.
///
/// # Errors
/// None.
pub fn encode(table: &StageTable<'_>) -> Result<Vec<u8>> {
    let mut table = table.clone();
    let mut writer = Writer::default();
    let count = table.records.len();
    writer.values("records", &mut table.records, count)?;
    writer.trailing(&mut table.trailing.0)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stray_bytes_at_the_end_are_kept() {
        let bytes: Vec<u8> = (0..268 + 68_usize).map(|byte| byte as u8).collect();
        let table = decode(&bytes).unwrap();
        assert_eq!(
            (table.value.records.len(), table.value.trailing.len()),
            (1, 68)
        );
        assert_eq!(table.deviations.total(), 1);
        assert_eq!(encode(&table.value).unwrap(), bytes);
    }
}
