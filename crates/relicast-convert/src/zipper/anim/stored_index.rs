//! Nodes by the indices that Crimson Skies' containers store.
//!
//! The pointer of an entry of the objects and nodes tables is the index of the node, not a stale
//! address: in the retail files all 136,048 of them resolve to a node of the entry's name (CSVM,
//! docs/formats, CC BY 4.0: counted on retail data). An index from the base on is a node of the library of
//! aircraft; the base is the number of nodes in the world, rounded up to a multiple of 2,500 (7,064 nodes:
//! 7,500). Names alone do not suffice: two hangars of one world have an `air_gen` each, and a definition
//! of a zeppelin's turret fits up to nine airships.
//!
//! An index is used only where the node has the name of the entry, apart from an ending `.flt`. All other
//! names are bound as in the older games.

use serde::Serialize;

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::Definition;

use super::node_lookup::{NodeLookup, NodeRef, without_ending};

/// Indices of the aircraft start at a multiple of this.
const BASE_STEP: usize = 2500;

/// Forests of stored indices.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredIndices<'f> {
    forests: &'f [NodeLookup],
    /// Index of the world's forest, and the index of the first aircraft node.
    world: Option<(usize, usize)>,
    /// Index of the forest of aircraft.
    aircraft: Option<usize>,
}

impl<'f> StoredIndices<'f> {
    /// Indices of a container of `version`; without a world there is no base, so none resolve.
    pub(super) fn new(version: ZipperGame, forests: &'f [NodeLookup]) -> Self {
        let mut indices = Self {
            forests,
            world: None,
            aircraft: None,
        };
        if version == ZipperGame::CrimsonSkies
            && let Some(world) = forests.iter().position(NodeLookup::has_world)
        {
            let base = forests[world].count().next_multiple_of(BASE_STEP);
            indices.world = Some((world, base));
            indices.aircraft = (0..forests.len()).find(|&place| place != world);
        }
        indices
    }

    /// The node of a stored index, if it has the name.
    pub(super) fn node(&self, stored: u32, name: &str) -> Option<NodeRef> {
        let (world, base) = self.world?;
        let stored = usize::try_from(stored).ok()?;
        let node = match stored.checked_sub(base) {
            None => NodeRef {
                lookup: world,
                index: stored,
            },
            Some(index) => NodeRef {
                lookup: self.aircraft?,
                index,
            },
        };
        let found = self.forests.get(node.lookup)?.name(node.index)?;
        let is_same = !name.is_empty() && without_ending(found) == without_ending(name);
        is_same.then_some(node)
    }
}

/// Counts of bound entries in the objects and nodes tables of a container.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct BoundCounts {
    /// By the stored index, whose node has the name.
    pub by_index: usize,
    /// By name alone.
    pub by_name: usize,
}

impl BoundCounts {
    /// Counts the entries of all definitions of a container; none in the games without stored indices.
    pub(in crate::zipper) fn new(
        version: ZipperGame,
        definitions: &[Definition],
        forests: &[NodeLookup],
    ) -> Self {
        let indices = StoredIndices::new(version, forests);
        let mut counts = Self::default();
        if indices.world.is_none() {
            return counts;
        }
        for definition in definitions {
            let tables = &definition.tables;
            let objects = tables.objects.iter().skip(1);
            let objects = objects.map(|object| (object.ptr, object.name.text()));
            let nodes = tables.nodes.iter().skip(1);
            let nodes = nodes.map(|node| (node.ptr, node.name.text()));
            for (stored, name) in objects.chain(nodes) {
                match indices.node(stored, &name) {
                    Some(_) => counts.by_index += 1,
                    None => counts.by_name += 1,
                }
            }
        }
        counts
    }

    /// Returns true if nothing was counted.
    pub(in crate::zipper) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Line for the report.
    pub(in crate::zipper) fn note(self) -> Option<String> {
        let Self { by_index, by_name } = self;
        (!self.is_empty()).then(|| {
            format!("nodes of the tables: {by_index} resolved by stored index, {by_name} by name")
        })
    }
}
