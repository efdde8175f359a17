//! Animation definitions: a fixed part, reference tables, reset state, damage state, sequences.

use serde::Serialize;

use super::sequence::Sequence;
use super::tables::{Tables, visit_table};
use super::values::{Range, is_default};
use super::version::{Peek, Versioned};
use crate::zipper::ZipperGame;
use relicast_codec::{self as codec, Bytes, F32, FixedSize, FormatError, PaddedText};

bitflags::bitflags! {
    /// Options of a definition. Crimson Skies sets more bits, whose meaning is unknown.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct DefinitionFlags: u32 {
        /// `execution_range` is used.
        const EXECUTION_BY_RANGE = 0x2;
        /// Runs while the player is in the node's zone. Not in Crimson Skies.
        const EXECUTION_BY_ZONE = 0x8;
        /// Some event is a callback.
        const HAS_CALLBACKS = 0x10;
        /// `reset_time` is used.
        const RESET_TIME = 0x20;
        /// The source sets the network log. In Recoil: logs events to the network.
        const NETWORK_LOG_SET = 0x400;
        /// Logs events to the network. Not in Recoil.
        const NETWORK_LOG_ON = 0x800;
        /// The source sets the save log. In Recoil: saves events.
        const SAVE_LOG_SET = 0x1000;
        /// Saves events. Not in Recoil.
        const SAVE_LOG_ON = 0x2000;
        /// Resets the nodes' states after the animation. MechWarrior 3 and Pirate's Moon.
        const AUTO_RESET_NODE_STATES = 0x1_0000;
        /// Names are looked up below the root only. Pirate's Moon.
        const LOCAL_NODES_ONLY = 0x8_0000;
        /// Does damage nearby. MechWarrior 3 and Pirate's Moon.
        const PROXIMITY_DAMAGE = 0x10_0000;
    }
}
relicast_codec::plain_flags!(DefinitionFlags: u32);

relicast_codec::open_enum! {
    /// Trigger that starts a definition.
    pub enum Activation: u8 {
        /// A weapon hits the node.
        WeaponHit = 0,
        /// Something collides with the node.
        CollideHit = 1,
        /// Either.
        WeaponOrCollideHit = 2,
        /// A call.
        OnCall = 3,
        /// The start of the mission.
        OnStartup = 4,
    }
}

relicast_codec::record! {
    /// Fixed part of a definition: 308, 316, 268 or 272 bytes.
    pub struct DefinitionHead[308, 316, 268, 272] in ZipperGame {
        /// Name of the animation. Leftovers of a longer name may follow its NUL.
        anim_name: PaddedText<32>,
        /// Stale pointer to the node path. Pirate's Moon (0) and Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        path_ptr: u32 [since PiratesMoon] [always 0, until PiratesMoon],
        /// Entries of the node path; recomputed when writing.
        #[serde(skip)]
        path_count: u32 [since PiratesMoon] [always 0, until PiratesMoon],
        /// Name of the node that the definition belongs to, often with `.flt`.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// Stale pointer; 0xFFFFFFFF in Pirate's Moon.
        anim_ptr: u32,
        /// Name of the node that the definition is bound to. Leftovers may follow its NUL.
        anim_root_name: PaddedText<32>,
        /// Stale pointer; equal to `anim_ptr` when both nodes have the same name (not always in
        /// Crimson Skies).
        anim_root_ptr: u32,
        /// Zeros.
        #[serde(skip_serializing_if = "is_default")]
        zeros_before_flags: Bytes<44> [always Bytes([0; 44])],
        /// Options.
        flags: DefinitionFlags,
        /// 0: active, 5: disabled. 0 in Recoil and MechWarrior 3.
        status: u8 [always 0, until MechWarrior3],
        /// Trigger that starts the definition.
        activation: Activation,
        /// Normally 4; 1 is low priority (Recoil); Crimson Skies has 1, 4, 5, 6.
        execution_priority: u8,
        /// Always 2, 0 in the reserved definition.
        two: u8,
        /// Squared distances within which the definition runs.
        execution_range: Range,
        /// Seconds after which a finished animation runs its reset state; below 0: never.
        reset_time: F32,
        /// Zero.
        #[serde(skip_serializing_if = "is_default")]
        zero_after_reset_time: F32 [always F32(0.0)],
        /// Health at the start.
        max_health: F32,
        /// Always `max_health`.
        current_health: F32,
        /// Zeros.
        #[serde(skip_serializing_if = "is_default")]
        zeros_after_health: [u32; 3] [always [0; 3]],
        /// One more zero. Not in Recoil.
        #[serde(skip_serializing_if = "is_default")]
        zero_before_sequences: u32 [since MechWarrior3] [always 0],
        /// Stale pointer to the sequences.
        sequences_ptr: u32,
        /// Copy of the reset block's header, recomputed when writing. Recoil and MechWarrior 3.
        #[serde(skip)]
        reset_copy: Bytes<64> [until MechWarrior3],
        /// Stale pointer; a reset block follows unless it is 0. Pirate's Moon and Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        reset_state_ptr: u32 [since PiratesMoon],
        /// Stale pointer; a damage block follows unless it is 0. Pirate's Moon (0) and Crimson
        /// Skies.
        #[serde(skip_serializing_if = "is_default")]
        damage_state_ptr: u32 [since PiratesMoon] [always 0, until PiratesMoon],
        /// Number of ordinary sequences; recomputed when writing, as all counts.
        #[serde(skip)]
        sequence_count: u8,
        /// Entries of the table.
        #[serde(skip)]
        object_count: u8,
        /// Entries of the table.
        #[serde(skip)]
        node_count: u8,
        /// Entries of the table.
        #[serde(skip)]
        light_count: u8,
        /// Entries of the table. Not in Recoil.
        #[serde(skip)]
        puffer_count: u8 [since MechWarrior3],
        /// Entries of the table.
        #[serde(skip)]
        dynamic_sound_count: u8,
        /// Entries of the table.
        #[serde(skip)]
        static_sound_count: u8,
        /// Entries of the table.
        #[serde(skip)]
        effect_count: u8,
        /// Entries of the table.
        #[serde(skip)]
        prerequisite_count: u8,
        /// Number of optional prerequisites that must hold.
        prerequisites_to_satisfy: u8,
        /// Entries of the table.
        #[serde(skip)]
        animation_ref_count: u8,
        /// Entries of the table. Pirate's Moon (0) and Crimson Skies.
        #[serde(skip)]
        script_id_count: u8 [since PiratesMoon] [always 0, until PiratesMoon],
        /// Zero. Recoil and MechWarrior 3.
        #[serde(skip_serializing_if = "is_default")]
        zero_after_counts: u8 [until MechWarrior3] [always 0],
        /// One more zero. Recoil.
        #[serde(skip_serializing_if = "is_default")]
        zero271: u8 [until Recoil] [always 0],
        /// Stale pointer, 0 if the table is empty, as all that follow.
        objects_ptr: u32,
        /// Stale pointer.
        nodes_ptr: u32,
        /// Stale pointer.
        lights_ptr: u32,
        /// Stale pointer. Not in Recoil.
        puffers_ptr: u32 [since MechWarrior3],
        /// Stale pointer.
        dynamic_sounds_ptr: u32,
        /// Stale pointer.
        static_sounds_ptr: u32,
        /// Stale pointer.
        effects_ptr: u32,
        /// Stale pointer.
        prerequisites_ptr: u32,
        /// Stale pointer.
        animation_refs_ptr: u32,
        /// Stale pointer in Crimson Skies (one source), else zero.
        #[serde(skip_serializing_if = "is_default")]
        script_ids_ptr: u32 [always 0, until PiratesMoon],
        /// Unknown. Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        unk268: u32 [since CrimsonSkies],
    }
}

/// The block that runs on damage, and its position among the blocks after the reset block.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DamageState {
    /// Its position: 0 is before the first sequence.
    pub position: usize,
    /// The block.
    pub sequence: Sequence,
}

/// An animation definition.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Definition {
    /// Names, options and stale pointers.
    pub head: DefinitionHead,
    /// The copy of the reset block's header in the fixed part, when it differs from the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd_reset_copy: Option<Bytes<64>>,
    /// Targets of events.
    pub tables: Tables,
    /// Restores the initial state. Always present in Recoil and MechWarrior 3, often without events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset_state: Option<Sequence>,
    /// Runs on damage. Crimson Skies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage_state: Option<DamageState>,
    /// The sequences, which run at the same time.
    pub sequences: Vec<Sequence>,
}

/// Writes the length of a table into its count.
fn set_count<T: FixedSize + TryFrom<usize>>(
    count: &mut T,
    field: &'static str,
    length: usize,
    present: bool,
    position: usize,
) -> codec::Result<()> {
    *count = T::try_from(length)
        .ok()
        .filter(|_| present || length == 0)
        .ok_or_else(|| {
            FormatError::unencodable(field, position, "a length that fits its count", length)
        })?;
    Ok(())
}

impl Definition {
    /// Recomputes the counts and the copy of the reset header for writing.
    fn prepare(&mut self, position: usize, version: ZipperGame) -> codec::Result<()> {
        let Self { head, tables, .. } = self;
        let newer = version.since(ZipperGame::PiratesMoon);
        let puffers = version.since(ZipperGame::MechWarrior3);
        macro_rules! set {
            ($($count:ident $table:ident $present:expr;)*) => {$(
                let length = tables.$table.len();
                set_count(&mut head.$count, stringify!($table), length, $present, position)?;
            )*};
        }
        set! {
            path_count paths newer;
            object_count objects true;
            node_count nodes true;
            light_count lights true;
            puffer_count puffers puffers;
            dynamic_sound_count dynamic_sounds true;
            static_sound_count static_sounds true;
            effect_count effects true;
            prerequisite_count prerequisites true;
            animation_ref_count animation_refs true;
            script_id_count script_ids newer;
        }
        let sequences = self.sequences.len();
        set_count(
            &mut head.sequence_count,
            "sequences",
            sequences,
            true,
            position,
        )?;
        let (has_reset, has_damage) = self.blocks(version);
        if has_reset != self.reset_state.is_some() || has_damage != self.damage_state.is_some() {
            return Err(FormatError::unencodable(
                "reset_state_ptr, damage_state_ptr",
                position,
                "pointers that are non-zero exactly for existing blocks",
                "others",
            ));
        }
        if version.embeds_reset_state()
            && let Some(reset_state) = &mut self.reset_state
        {
            self.head.reset_copy = match self.odd_reset_copy {
                Some(copy) => copy,
                None => Bytes::load(&reset_state.header_bytes(version)?).unwrap_or_default(),
            };
        }
        Ok(())
    }

    /// Presence of a reset block and a damage block after the tables.
    fn blocks(&self, version: ZipperGame) -> (bool, bool) {
        if version.embeds_reset_state() {
            (true, false)
        } else {
            let head = &self.head;
            (head.reset_state_ptr != 0, head.damage_state_ptr != 0)
        }
    }

    fn visit_tables<'a, S: Peek<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        let Self { head, tables, .. } = self;
        macro_rules! visit {
            ($($table:ident $count:ident;)*) => {$(
                let count = usize::from(head.$count);
                visit_table(stream, stringify!($table), &mut tables.$table, count, version)?;
            )*};
        }
        let paths = head.path_count as usize;
        visit_table(stream, "paths", &mut tables.paths, paths, version)?;
        visit! {
            objects object_count;
            nodes node_count;
            lights light_count;
            puffers puffer_count;
            dynamic_sounds dynamic_sound_count;
            static_sounds static_sound_count;
            effects effect_count;
            prerequisites prerequisite_count;
            animation_refs animation_ref_count;
        }
        let script_ids = usize::from(head.script_id_count);
        stream.values("script_ids", &mut tables.script_ids, script_ids)
    }

    /// Compares the copy of the reset block's header with the block, which comes next.
    fn compare_reset_copy<'a, S: Peek<'a>>(&mut self, stream: &mut S) {
        let copy = self.head.reset_copy;
        let position = stream.position();
        if stream
            .peek(Sequence::SMALLEST)
            .is_some_and(|header| header != copy.0)
        {
            stream.deviate(
                "reset_copy",
                position,
                "the header of the reset block",
                "a different header",
            );
            self.odd_reset_copy = Some(copy);
        }
    }

    fn visit_sequences<'a, S: Peek<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> codec::Result<()> {
        let (has_reset, has_damage) = self.blocks(version);
        if has_reset {
            if S::READING && version.embeds_reset_state() {
                self.compare_reset_copy(stream);
            }
            let reset_state = self.reset_state.get_or_insert_default();
            reset_state
                .visit(stream, version)
                .map_err(|error| error.inside("reset_state"))?;
        }
        let count = usize::from(self.head.sequence_count).saturating_add(usize::from(has_damage));
        let mut blocks = std::mem::take(&mut self.sequences);
        if let Some(damage) = self.damage_state.take() {
            blocks.insert(damage.position.min(blocks.len()), damage.sequence);
        }
        stream.list(
            "sequences",
            &mut blocks,
            count,
            Sequence::SMALLEST,
            |stream, sequence| sequence.visit(stream, version),
        )?;
        if has_damage && !blocks.is_empty() {
            let position = damage_position(&blocks);
            self.damage_state = Some(DamageState {
                position,
                sequence: blocks.remove(position),
            });
        }
        self.sequences = blocks;
        Ok(())
    }

    /// Visits the definition. The reserved one, number 0, is exempt from some rules.
    pub(super) fn visit<'a, S: Peek<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
        reserved: bool,
    ) -> codec::Result<()> {
        let position = stream.position();
        if !S::READING {
            self.prepare(position, version)?;
        }
        self.head.visit(stream, version)?;
        if !reserved {
            let head = &self.head;
            let [two, health] = match version.embeds_reset_state() {
                true => [155, 176],
                false => [163, 184],
            };
            stream.always("two", position.saturating_add(two), head.two, 2);
            stream.always(
                "current_health",
                position.saturating_add(health),
                head.current_health,
                head.max_health,
            );
        }
        self.visit_tables(stream, version)?;
        let blocks = stream.position();
        self.visit_sequences(stream, version)?;
        if let Some(reset_state) = self.reset_state.as_ref().filter(|_| !reserved) {
            let name = PaddedText::new(Sequence::RESET).unwrap_or_default();
            stream.always("reset_state.name", blocks, reset_state.head.name, name);
        }
        Ok(())
    }

    /// The name of the animation.
    pub fn anim_name(&self) -> String {
        self.head.anim_name.text()
    }

    /// Every block of events: reset state, damage state, sequences.
    pub fn blocks_of_events(&self) -> impl Iterator<Item = &Sequence> {
        let damage = self.damage_state.as_ref().map(|damage| &damage.sequence);
        let first = self.reset_state.iter().chain(damage);
        first.chain(&self.sequences)
    }

    /// Bytes of the definition in a file of `version`.
    pub fn length(&self, version: ZipperGame) -> usize {
        let tables = &self.tables;
        let mut length = DefinitionHead::size(version);
        macro_rules! add {
            ($($table:ident)*) => {$(
                let entries = tables.$table.iter();
                length = entries.fold(length, |sum, it| sum.saturating_add(it.length(version)));
            )*};
        }
        add!(paths objects nodes lights puffers dynamic_sounds static_sounds effects);
        add!(prerequisites animation_refs);
        let ids = tables.script_ids.len().saturating_mul(u32::SIZE);
        let blocks = self.blocks_of_events();
        blocks.fold(length.saturating_add(ids), |sum, block| {
            sum.saturating_add(block.length(version))
        })
    }
}

/// Index of the damage block: the block of that name, else a last one without a name, else the first.
fn damage_position(blocks: &[Sequence]) -> usize {
    let is_named = |block: &Sequence, name: &str| block.head.name.text_bytes() == name.as_bytes();
    let last = blocks.len().saturating_sub(1);
    let unnamed_last = || blocks.last().is_some_and(|block| is_named(block, ""));
    blocks
        .iter()
        .position(|block| is_named(block, Sequence::DAMAGE))
        .or_else(|| unnamed_last().then_some(last))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(name: &str) -> Sequence {
        let mut sequence = Sequence::default();
        sequence.head.name = PaddedText::new(name).unwrap();
        sequence
    }

    #[test]
    fn the_damage_block_is_found_by_name_then_by_place() {
        let named = [block(""), block("a"), block(Sequence::DAMAGE), block("")];
        assert_eq!(damage_position(&named), 2);
        assert_eq!(damage_position(&[block("a"), block("b"), block("")]), 2);
        assert_eq!(damage_position(&[block("a"), block("b")]), 0);
    }

    #[test]
    fn tables_that_a_game_lacks_cannot_be_written() {
        let mut definition = Definition {
            reset_state: Some(Sequence::default()),
            ..Definition::default()
        };
        definition.tables.script_ids = vec![1];
        assert!(definition.prepare(0, ZipperGame::Recoil).is_err());
        definition.head.reset_state_ptr = 1;
        assert!(definition.prepare(0, ZipperGame::CrimsonSkies).is_ok());
        assert_eq!(definition.head.script_id_count, 1);
    }
}
