//! `spdat.eff`: spells of old clients, records of one size. The index of a record is the number of the spell.
//!
//! ```
//! use relicast_formats::everquest::spells::table::decode;
//!
//! // Records of 560 bytes have four places for components.
//! assert_eq!(decode(&[0; 3 * 560])?.value.slots, 4);
//!
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use relicast_codec::{
    Blob, Bytes, Decoded, F32, FixedSize, PaddedText, Reader, Result, Stream, Writer,
};

relicast_codec::record! {
    /// Start of a spell, the same in all files.
    pub struct SpellHead[458]: FixedSize {
        /// Offset 0: name; bytes after the NUL are arbitrary, as in all texts.
        name: PaddedText<32>,
        /// Offset 32: target, `PLAYER_1`.
        player: PaddedText<32>,
        /// Offset 64: destination zone.
        teleport_zone: PaddedText<32>,
        /// Offset 96: text for the caster.
        you_cast: PaddedText<64>,
        /// Offset 160: text for others about the caster.
        other_casts: PaddedText<64>,
        /// Offset 224: text for the target.
        cast_on_you: PaddedText<64>,
        /// Offset 288: text for others about the target.
        cast_on_other: PaddedText<64>,
        /// Offset 352: text at the end of the spell.
        spell_fades: PaddedText<64>,
        /// Offset 416: range.
        range: F32,
        /// Offset 420: range around the target.
        area_range: F32,
        /// Offset 424: distance that it pushes back.
        push_back: F32,
        /// Offset 428: distance that it pushes up.
        push_up: F32,
        /// Offset 432: milliseconds of casting.
        cast_time: u32,
        /// Offset 436: milliseconds until the next spell.
        recovery_time: u32,
        /// Offset 440: milliseconds until the same spell can be cast again.
        recast_time: u32,
        /// Offset 444: formula of the duration.
        duration_formula: u32,
        /// Offset 448: maximum duration in ticks of 6 s.
        duration: u32,
        /// Offset 452: duration of an area effect.
        area_duration: u32,
        /// Offset 456: mana.
        mana: u16,
    }
}

relicast_codec::record! {
    /// Pictures and ingredients of a spell.
    pub struct SpellItems[24]: FixedSize {
        /// Offset 0: icon.
        icon: u16,
        /// Offset 2: icon when memorized.
        memorized_icon: u16,
        /// Offset 4: items that it consumes; −1 for none.
        components: [i16; 4],
        /// Offset 12: count of each.
        component_counts: [i16; 4],
        /// Offset 20: items that it needs and does not consume; 255 for none.
        kept_components: [u8; 4],
    }
}

relicast_codec::record! {
    /// Sort of a spell.
    pub struct SpellSort[4]: FixedSize {
        /// Offset 0: light.
        light: u8,
        /// Offset 1: 1 for a beneficial spell.
        good: u8,
        /// Offset 2: activated.
        activated: u8,
        /// Offset 3: resistance: 0 none, 1 magic, 2 fire, 3 cold, 4 poison, 5 disease.
        resist: u8,
    }
}

relicast_codec::record! {
    /// End of a spell.
    pub struct SpellTail[50]: FixedSize {
        /// Offset 0: target: 1 line of sight, 5 single, 6 self …
        target: u8,
        /// Offset 1: difficulty.
        difficulty: u8,
        /// Offset 2: skill: 4 abjuration, 5 alteration, 14 conjuration, 18 divination, 24 evocation.
        skill: u8,
        /// Offset 3: zones; 255 for any.
        zone_type: u8,
        /// Offset 4: environment; 255 for any.
        environment: u8,
        /// Offset 5: time of day.
        time_of_day: u8,
        /// Offset 6: meaning unknown.
        unk6: u8,
        /// Offset 7: level of each class; 61 for never. Warrior, cleric, paladin, ranger, shadow knight, druid,
        /// monk, bard, rogue, shaman, necromancer, wizard, magician, enchanter, none.
        levels: [u8; 15],
        /// Offset 22: 0.
        unk22: Bytes<14>,
        /// Offset 36: animation of the caster.
        casting_animation: u8,
        /// Offset 37: animation of the target.
        target_animation: u8,
        /// Offset 38: kind of travel.
        travel_type: u8,
        /// Offset 39: meaning unknown.
        unk39: Bytes<7>,
        /// Offset 46: record of `spells.eff`.
        effect_record: u32,
    }
}

/// Effect of a slot that has none.
pub const NO_EFFECT: u8 = 0xFE;

/// Highest level by class: the level of spells that a class never gets.
pub const NEVER: u8 = 61;

/// Effect slots of the two layouts.
const SLOTS: [usize; 2] = [4, 12];

/// Bytes of a spell without its slots, and of a slot.
const FIXED: usize = SpellHead::SIZE + SpellItems::SIZE + SpellSort::SIZE + SpellTail::SIZE;
const SLOT: usize = 6;

/// A spell. Its lists have one entry for each slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spell {
    /// Texts, times and ranges.
    #[serde(flatten)]
    pub head: SpellHead,
    /// Base value of each slot.
    pub base: Vec<i16>,
    /// Maximum value of each slot.
    pub most: Vec<i16>,
    /// Pictures and ingredients.
    #[serde(flatten)]
    pub items: SpellItems,
    /// Growth of each slot's value; 100: not at all.
    pub formula: Vec<u8>,
    /// Sort.
    #[serde(flatten)]
    pub sort: SpellSort,
    /// Effect of each slot; [`NO_EFFECT`] for nothing.
    pub effect: Vec<u8>,
    /// The rest.
    #[serde(flatten)]
    pub tail: SpellTail,
}

impl Spell {
    fn walk<'a, S: Stream<'a>>(&mut self, stream: &mut S, slots: usize) -> Result<()> {
        stream.value("head", &mut self.head)?;
        stream.values("base", &mut self.base, slots)?;
        stream.values("most", &mut self.most, slots)?;
        stream.value("items", &mut self.items)?;
        stream.values("formula", &mut self.formula, slots)?;
        stream.value("sort", &mut self.sort)?;
        stream.values("effect", &mut self.effect, slots)?;
        stream.value("tail", &mut self.tail)
    }
}

/// The spells.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpellTable<'a> {
    /// Effect slots of each: 4, or 12 in newer files.
    pub slots: usize,
    /// The spells by their numbers.
    pub spells: Vec<Spell>,
    /// Bytes after the last whole record; by rule none.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// Size of a spell with this number of slots, in bytes.
const fn size(slots: usize) -> usize {
    FIXED + SLOT * slots
}

/// True if the levels of the first spells are levels in this layout.
fn has_levels(bytes: &[u8], slots: usize) -> bool {
    let start = SpellHead::SIZE + SpellItems::SIZE + SpellSort::SIZE + SLOT * slots + 7;
    let mut spells = bytes.chunks_exact(size(slots)).take(64);
    spells.all(|spell| {
        let levels = spell.get(start..start + 15).unwrap_or_default();
        levels.iter().all(|&level| level <= NEVER)
    })
}

/// The layout of a file: the one that fits its size; if both or none do, the one whose levels are valid.
fn slots_of(bytes: &[u8]) -> usize {
    let fits = SLOTS.map(|slots| bytes.len().is_multiple_of(size(slots)));
    match fits {
        [true, false] => SLOTS[0],
        [false, true] => SLOTS[1],
        _ if has_levels(bytes, SLOTS[0]) => SLOTS[0],
        _ if has_levels(bytes, SLOTS[1]) => SLOTS[1],
        _ => SLOTS[0],
    }
}

/// Decodes spells.
///
/// # Errors
/// None: bytes after the last whole record are a deviation.
pub fn decode(bytes: &[u8]) -> Result<Decoded<SpellTable<'_>>> {
    let slots = slots_of(bytes);
    let mut reader = Reader::new(bytes);
    let mut table = SpellTable {
        slots,
        ..SpellTable::default()
    };
    let count = bytes.len() / size(slots);
    reader.list(
        "spells",
        &mut table.spells,
        count,
        size(slots),
        |stream, spell| spell.walk(stream, slots),
    )?;
    reader.trailing(&mut table.trailing.0)?;
    Ok(reader.finish(table))
}

/// Encodes spells.
///
/// # Errors
/// A spell has another number of slots.
pub fn encode(table: &SpellTable<'_>) -> Result<Vec<u8>> {
    let mut table = table.clone();
    let mut writer = Writer::default();
    let (slots, count) = (table.slots, table.spells.len());
    writer.list("spells", &mut table.spells, count, 0, |stream, spell| {
        spell.walk(stream, slots)
    })?;
    writer.trailing(&mut table.trailing.0)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_are_detected_by_their_size() {
        assert_eq!([size(4), size(12)], [560, 608]);
        for slots in SLOTS {
            let mut bytes: Vec<u8> = (0..2 * size(slots)).map(|byte| byte as u8).collect();
            let table = decode(&bytes).unwrap();
            assert!(table.deviations.is_empty());
            assert_eq!((table.value.slots, table.value.spells.len()), (slots, 2));
            assert_eq!(encode(&table.value).unwrap(), bytes);
            bytes.push(1);
            let torn = decode(&bytes).unwrap();
            assert_eq!(torn.deviations.total(), 1);
            assert_eq!(encode(&torn.value).unwrap(), bytes);
        }
        // 38 spells of one layout have the same size as 35 of the other.
        let mut both = vec![0; 38 * 560];
        assert_eq!(decode(&both).unwrap().value.slots, 4);
        both[517] = 200;
        assert_eq!(decode(&both).unwrap().value.slots, 12);
    }
}
