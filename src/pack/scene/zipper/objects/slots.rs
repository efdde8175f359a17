//! Slots of nodes and models: taken for new ones, and freed again.
//!
//! In worlds, animations and saves refer to nodes by their numbers, so no slot is ever numbered anew: a new node gets
//! the slot after the last used one, and only nodes that pack added and that are the last ones are freed. Members of
//! model libraries are lists of nodes in the order of their tree, each with its own model; see [`super::library`].

use crate::pack::edited::Refusal;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{FreeNode, GameZ, Model, ModelSlot, Node, NodeData};
use relicast_formats::zipper::mechlib::MechNode;

/// The stale address of data of nodes that pack added, by which they are known again.
pub(super) const ADDED: u32 = 0x5245_4C49;

/// End of the list of free nodes.
const NO_NODE: u32 = 0x00FF_FFFF;

/// Bits of a stored link that are a slot.
const SLOT: u32 = 0x00FF_FFFF;

/// In Crimson Skies, animations count the nodes of aircraft from the next multiple of this on.
const COUNT_STEP: usize = 2500;

/// The reason for a node that finds no slot.
pub(super) fn no_node() -> Refusal {
    refusal!(
        "the game file has no slot for another node; make it of fewer objects (in Blender join them), or delete objects that pack added"
    )
}

/// The word of a node without model.
pub(super) fn no_model(tree: &GameTree) -> i32 {
    match tree {
        GameTree::World(_) => -1,
        GameTree::Mech { .. } => 0,
    }
}

/// Adds a node, and returns its number.
///
/// # Errors
/// There is no slot.
pub(super) fn add_node(tree: &mut GameTree, mut node: Node) -> Result<usize, Refusal> {
    node.record.data_ptr = ADDED;
    match tree {
        GameTree::World(gamez) => use_slot(gamez, node),
        GameTree::Mech { mech, .. } => {
            mech.nodes.push(MechNode { node, model: None });
            Ok(mech.nodes.len().saturating_sub(1))
        }
    }
}

/// Gives a node a new model, and returns the number of that.
///
/// # Errors
/// There are too many models.
pub(super) fn add_model(
    tree: &mut GameTree,
    node: usize,
    mut model: Model,
) -> Result<usize, Refusal> {
    match tree {
        GameTree::World(gamez) => {
            model.record.parent_count = 1;
            let number = use_model_slot(gamez, model)?;
            set_number(gamez, node, number);
            Ok(number)
        }
        GameTree::Mech { mech, .. } => {
            if let Some(place) = mech.nodes.get_mut(node) {
                place.node.record.model_index = ADDED.cast_signed();
                place.model = Some(Box::new(model));
            }
            Ok(node)
        }
    }
}

/// Gives a node a model that exists, or a copy of it where each node has its own.
///
/// # Errors
/// There are too many models.
pub(super) fn share_model(tree: &mut GameTree, node: usize, number: usize) -> Result<(), Refusal> {
    match tree {
        GameTree::World(gamez) => {
            if let Some(ModelSlot::Used(model)) = gamez.models.slots.get_mut(number) {
                model.record.parent_count = model.record.parent_count.saturating_add(1);
            }
            set_number(gamez, node, number);
        }
        GameTree::Mech { .. } => {
            if let Some(model) = tree.model(number).cloned() {
                add_model(tree, node, model)?;
            }
        }
    }
    Ok(())
}

fn set_number(gamez: &mut GameZ, node: usize, number: usize) {
    if let Some(node) = gamez.nodes.used.get_mut(node) {
        node.record.model_index = i32::try_from(number).unwrap_or(-1);
    }
}

/// Puts a node into the first slot that was never used, and returns its number.
fn use_slot(gamez: &mut GameZ, mut node: Node) -> Result<usize, Refusal> {
    let index = gamez.nodes.used.len();
    if gamez.version == ZipperGame::CrimsonSkies
        && gamez.nodes.world().is_some()
        && index > 0
        && index.is_multiple_of(COUNT_STEP)
    {
        return Err(no_node());
    }
    let stored = u32::try_from(index).map_err(|_| no_node())?;
    if index >= i16::MAX as usize {
        return Err(no_node());
    }
    if gamez.version.stores_free_nodes() {
        if !gamez.nodes.free.is_empty() {
            let next = gamez.nodes.free.remove(0).link & SLOT;
            relink(gamez, stored, next);
        }
    } else {
        node.link = 0x0200_0000 | stored.saturating_add(1);
        if gamez.header.node_last_free.cast_unsigned() == stored {
            gamez.header.node_last_free = stored.saturating_add(1).cast_signed();
        }
    }
    gamez.nodes.used.push(node);
    Ok(index)
}

/// Frees the last used slot, which is that of a node that pack added.
pub(super) fn remove_last_node(gamez: &mut GameZ) {
    let old = u32::try_from(gamez.nodes.used.len()).unwrap_or(u32::MAX);
    if gamez.nodes.used.pop().is_none() {
        return;
    }
    let stored = old.saturating_sub(1);
    if gamez.version.stores_free_nodes() {
        let next = match gamez.nodes.free.is_empty() {
            true => NO_NODE,
            false => old,
        };
        relink(gamez, next, stored);
        let slot = FreeNode {
            link: next,
            residue: None,
        };
        gamez.nodes.free.insert(0, slot);
    } else if gamez.header.node_last_free.cast_unsigned() == old {
        gamez.header.node_last_free = stored.cast_signed();
    }
}

/// Changes the link of the list of free nodes that leads from nodes that were used before to `from`.
fn relink(gamez: &mut GameZ, from: u32, to: u32) {
    let head = gamez.header.node_last_free.cast_unsigned();
    if head & SLOT == from {
        gamez.header.node_last_free = (head & !SLOT | to).cast_signed();
        return;
    }
    let mut at = head & SLOT;
    for _ in 0..gamez.nodes.used.len() {
        let Some(node) = gamez.nodes.used.get_mut(at as usize) else {
            return;
        };
        if node.data != NodeData::Empty {
            return;
        }
        if node.link & SLOT == from {
            node.link = node.link & !SLOT | to;
            return;
        }
        at = node.link & SLOT;
    }
}

/// Puts a model into a free slot, and returns its number.
fn use_model_slot(gamez: &mut GameZ, model: Model) -> Result<usize, Refusal> {
    let models = &mut gamez.models;
    let first = models.slots.iter();
    let first = first
        .take_while(|slot| matches!(slot, ModelSlot::Used(_)))
        .count();
    let head = match gamez.version.scatters_models() {
        true => usize::try_from(models.array.index_free).ok(),
        false => Some(first),
    };
    let slot = ModelSlot::Used(Box::new(model));
    let free = head.and_then(|head| Some((head, models.slots.get_mut(head)?)));
    let place = match free {
        Some((head, place @ ModelSlot::Free { .. })) => {
            if let ModelSlot::Free { next, .. } = std::mem::replace(place, slot) {
                models.array.index_free = next;
            }
            head
        }
        _ => {
            models.slots.push(slot);
            models.slots.len().saturating_sub(1)
        }
    };
    if i32::try_from(place).is_err() {
        refuse!(
            "the game file has no slot for another model; use a mesh of the scene, or delete objects that pack added"
        );
    }
    models.array.count = models.array.count.saturating_add(1);
    Ok(place)
}

/// True if a slot of a model that only one node uses can be freed.
pub(super) fn can_free_model(gamez: &GameZ, slot: usize) -> bool {
    let last = gamez.models.iter().map(|(slot, _)| slot).last();
    let users = gamez.models.get(slot).map(|it| it.record.parent_count);
    users != Some(1) || gamez.version.scatters_models() || last == Some(slot)
}

/// Counts one user of a model less, and frees its slot after the last one.
pub(super) fn release_model(gamez: &mut GameZ, slot: usize) {
    let models = &mut gamez.models;
    let Some(ModelSlot::Used(model)) = models.slots.get_mut(slot) else {
        return;
    };
    if model.record.parent_count > 1 {
        model.record.parent_count -= 1;
        return;
    }
    let free = ModelSlot::Free {
        next: models.array.index_free,
        residue: None,
    };
    if let Some(place) = models.slots.get_mut(slot) {
        *place = free;
    }
    models.array.index_free = i32::try_from(slot).unwrap_or(-1);
    models.array.count = models.array.count.saturating_sub(1);
}
