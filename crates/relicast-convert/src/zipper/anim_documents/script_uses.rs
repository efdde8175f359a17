//! First event that plays each script of the pool.

use std::collections::HashMap;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::event::motion::ScriptMotionHead;
use relicast_formats::zipper::anim::{AnimFile, Definition, Event, EventBody};

/// The event whose document contains the frames of each script of the pool: definition, block, event, index in the
/// event. Frames are written once, even if several events play the script.
pub(in crate::zipper) type FirstUses = HashMap<usize, (usize, usize, usize, usize)>;

/// Index in the pool of the script that an event of a definition plays.
pub(super) fn pool_index(
    version: ZipperGame,
    definition: &Definition,
    head: &ScriptMotionHead,
) -> Option<usize> {
    let stored = head.script as usize;
    match version {
        ZipperGame::Recoil | ZipperGame::MechWarrior3 => None,
        ZipperGame::PiratesMoon => Some(stored),
        ZipperGame::CrimsonSkies => {
            let index = definition.tables.script_ids.get(stored)?;
            Some(*index as usize)
        }
    }
}

/// The heads of the scripts that an event plays.
pub(super) fn script_heads(event: &Event) -> Vec<&ScriptMotionHead> {
    match &event.body {
        EventBody::ObjectMotionSiScript(motion) => vec![&motion.head],
        EventBody::ObjectMotionGroup(group) => {
            group.motions.iter().map(|motion| &motion.head).collect()
        }
        _ => Vec::new(),
    }
}

/// Finds the first use of each script of the pool.
pub(in crate::zipper) fn first_uses(container: &AnimFile) -> FirstUses {
    let mut uses = FirstUses::new();
    if !container.version.has_script_pool() {
        return uses;
    }
    for (number, definition) in container.definitions.iter().enumerate() {
        for (block, sequence) in definition.blocks_of_events().enumerate() {
            for (place, event) in sequence.events.iter().enumerate() {
                for (motion, head) in script_heads(event).into_iter().enumerate() {
                    let index = pool_index(container.version, definition, head);
                    if let Some(index) = index.filter(|&index| index < container.scripts.len()) {
                        uses.entry(index).or_insert((number, block, place, motion));
                    }
                }
            }
        }
    }
    uses
}
