//! The nodes of a world.

use serde::Serialize;

use super::early::Revision;
use super::node::{Node, NodeRecord};
use super::node_data::NodeData;
use super::world::World;
use crate::zipper::ZipperGame;

/// A slot that was never used (Recoil, MechWarrior 3).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FreeNode {
    /// The next free slot; 0x00FFFFFF ends the list.
    pub link: u32,
    /// Content of the slot, when it is not the blank record of a free slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residue: Option<Box<NodeRecord>>,
}

/// The node section.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nodes {
    /// Used slots. All node indices are positions in this list.
    pub used: Vec<Node>,
    /// Slots that follow and were never used.
    pub free: Vec<FreeNode>,
}

impl Nodes {
    /// The world node with its index; none in Crimson Skies' planes.
    pub fn world(&self) -> Option<(usize, &World)> {
        let mut nodes = self.used.iter().enumerate();
        nodes.find_map(|(index, node)| match &node.data {
            NodeData::World(world) => Some((index, &**world)),
            _ => None,
        })
    }
}

/// Facts about the file that reading and the rules of nodes need.
pub(super) struct Context {
    pub version: ZipperGame,
    pub revision: Revision,
    pub slots: usize,
    pub models: usize,
    pub last_free: i32,
}
