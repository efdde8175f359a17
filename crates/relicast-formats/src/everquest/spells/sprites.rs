//! `spells.eff`: visual effects of spells in old clients, three effects a record: at the caster, in flight, at the
//! target.
//!
//! ```
//! use relicast_formats::everquest::spells::sprites::{decode, encode};
//!
//! let bytes = [0; 64 * 2792];
//! let table = decode(&bytes)?.value;
//! assert_eq!(encode(&table)?, bytes);
//!
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use relicast_codec::{Blob, Decoded, F32, PaddedText, Reader, Result, Stream, Writer};

relicast_codec::record! {
    /// An effect, 928 bytes: three sprites, shown from level 1, 24 and 39 on, and up to twelve that follow.
    pub struct Effect[928]: FixedSize {
        /// Offset 0: names of sprites of `gequip.s3d`.
        sprites: [PaddedText<32>; 3],
        /// Offset 96: `Source`, nothing or `Target`.
        role: PaddedText<32>,
        /// Offset 128: attachments: 0 chest, 1 head, 2 and 3 right and left hand, 4 and 5 right and left foot.
        attachments: [i32; 3],
        /// Offset 140: actions of the sprites.
        types: [i32; 3],
        /// Offset 152: sprites that follow.
        after: [PaddedText<32>; 12],
        /// Offset 536: mode.
        mode: i32,
        /// Offset 540: sound; −1 for none.
        sound: i32,
        /// Offset 544: blue, green, red, alpha.
        colors: [[u8; 4]; 3],
        /// Offset 556: gravity.
        gravity: [F32; 3],
        /// Offset 568: direction.
        directions: [[F32; 3]; 3],
        /// Offset 604: radius.
        radius: [F32; 3],
        /// Offset 616: angle.
        angle: [F32; 3],
        /// Offset 628: lifetime of a particle in milliseconds.
        life: [u32; 3],
        /// Offset 640: velocity.
        velocity: [F32; 3],
        /// Offset 652: particles per interval.
        rate: [u32; 3],
        /// Offset 664: scale.
        scale: [F32; 3],
        /// Offset 676: blue, green, red of the sprites that follow.
        after_colors: [[u8; 3]; 12],
        /// Offset 712: their numbers.
        after_numbers: [i32; 12],
        /// Offset 760: their first angle.
        after_angle_a: [i16; 12],
        /// Offset 784: their second angle.
        after_angle_b: [i16; 12],
        /// Offset 808: their radius.
        after_radius: [F32; 12],
        /// Offset 856: their actions.
        after_types: [i16; 12],
        /// Offset 880: their scale.
        after_scale: [F32; 12],
    }
}

relicast_codec::record! {
    /// Visual effect of a spell, 2792 bytes.
    pub struct SpellSprites[2792] {
        /// Offset 0: 1 if the record is used.
        used: u32,
        /// Offset 4: 0.
        unk4: u32,
        /// Offset 8: at the caster.
        source: Effect,
        /// Offset 936: in flight.
        travel: Effect,
        /// Offset 1864: at the target.
        target: Effect,
    }
}

/// The records by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpriteTable<'a> {
    /// The records.
    pub records: Vec<SpellSprites>,
    /// Bytes after the last whole record; by rule none.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// Decodes a table.
///
/// # Errors
/// None: bytes after the last whole record are a deviation.
pub fn decode(bytes: &[u8]) -> Result<Decoded<SpriteTable<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut table = SpriteTable::default();
    let count = bytes.len() / SpellSprites::SIZE;
    reader.records("records", &mut table.records, count)?;
    reader.trailing(&mut table.trailing.0)?;
    Ok(reader.finish(table))
}

/// Encodes a table.
///
/// # Errors
/// None.
pub fn encode(table: &SpriteTable<'_>) -> Result<Vec<u8>> {
    let mut table = table.clone();
    let mut writer = Writer::default();
    let count = table.records.len();
    writer.records("records", &mut table.records, count)?;
    writer.trailing(&mut table.trailing.0)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::FixedSize;

    #[test]
    fn records_survive_and_a_torn_one_is_reported() {
        assert_eq!(<Effect as FixedSize>::SIZE, 928);
        let mut bytes: Vec<u8> = (0..2 * 2792_usize).map(|byte| byte as u8).collect();
        let table = decode(&bytes).unwrap();
        assert!(table.deviations.is_empty());
        assert_eq!(encode(&table.value).unwrap(), bytes);
        bytes.truncate(3000);
        let torn = decode(&bytes).unwrap();
        assert_eq!((torn.value.records.len(), torn.deviations.total()), (1, 1));
        assert_eq!(encode(&torn.value).unwrap(), bytes);
    }
}
