//! Indices of nodes, which containers of Crimson Skies store with the names.

use std::collections::HashMap;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::AnimFile;
use relicast::formats::zipper::gamez;

use crate::{Outcome, world};

/// Index of the first aircraft node: the nodes of the sample world are fewer than 2,500.
const AIRCRAFT: u32 = 2500;

/// Stores the indices of the sample world and the sample aircraft in the tables of all definitions: for several
/// nodes of a name the first. Names without a node retain their addresses.
pub fn store(file: &mut AnimFile) -> Outcome {
    let mut indices: HashMap<String, u32> = HashMap::new();
    let files = [
        (0, world::world(ZipperGame::CrimsonSkies)?),
        (AIRCRAFT, world::aircraft()?),
    ];
    for (base, bytes) in files {
        for (index, node) in gamez::decode(&bytes)?.value.nodes.used.iter().enumerate() {
            let index = base + u32::try_from(index)?;
            indices.entry(node.name()).or_insert(index);
        }
    }
    for definition in &mut file.definitions {
        let head = &mut definition.head;
        for (name, ptr) in [
            (head.name.text(), &mut head.anim_ptr),
            (head.anim_root_name.text(), &mut head.anim_root_ptr),
        ] {
            *ptr = indices.get(&name).copied().unwrap_or(*ptr);
        }
        let tables = &mut definition.tables;
        for object in tables.objects.iter_mut().skip(1) {
            object.ptr = *indices.get(&object.name.text()).unwrap_or(&object.ptr);
        }
        for node in tables.nodes.iter_mut().skip(1) {
            node.ptr = *indices.get(&node.name.text()).unwrap_or(&node.ptr);
        }
    }
    Ok(())
}
