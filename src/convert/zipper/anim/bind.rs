//! Names of definitions bound to nodes, by the rule of the games.
//!
//! The root name of a definition is bound first, below the node that the definition belongs to if it is
//! there. Definitions in a row with the same root name take one
//! node of that name after the other, from the highest slot down. Other names are looked up below the
//! root (parents first), then among the definition's own lights and sounds, then in the whole world,
//! highest slot first. Names compare exactly,
//! apart from an ending `.flt` that one side may lack.

use std::collections::{HashMap, HashSet};

use crate::formats::zipper::anim::{AnimFile, Definition};

use super::forest::{Forest, without_or_with_ending};

/// A node by the place of its forest and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeRef {
    /// Place among the forests.
    pub forest: usize,
    /// Index in the forest.
    pub index: usize,
}

/// What a name of a definition's node table is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// A node.
    Node {
        /// The node.
        node: NodeRef,
        /// It lies below the root.
        local: bool,
        /// How many nodes of that name there were to choose from.
        candidates: usize,
    },
    /// A light, sound or puffer of the definition itself.
    Own,
    /// Nothing at hand has that name.
    Missing,
    /// The reserved entry.
    Reserved,
}

impl Bound {
    /// The node, if it is one.
    pub(super) fn node(self) -> Option<NodeRef> {
        match self {
            Self::Node { node, .. } => Some(node),
            _ => None,
        }
    }
}

/// What the names of a definition are bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binding {
    /// The root.
    pub root: Bound,
    /// By place in the node table.
    pub nodes: Vec<Bound>,
}

/// Status of a definition that is switched off.
pub(super) const DISABLED: u8 = 5;

/// Binds the definitions of a container, in order.
pub(super) fn bind(container: &AnimFile, forests: &[Forest]) -> Vec<Binding> {
    let mut last = String::new();
    let mut turn = 0;
    let definitions = container.definitions.iter();
    definitions
        .map(|definition| {
            let name = definition.head.anim_root_name.text();
            let candidates = owned(definition, everywhere(&name, forests), forests);
            let root = if definition.head.status == DISABLED {
                root_of(&candidates, 0)
            } else {
                if name == last && turn + 1 < candidates.len() {
                    turn += 1;
                } else {
                    turn = 0;
                    last.clone_from(&name);
                }
                root_of(&candidates, turn)
            };
            bind_names(definition, root, forests)
        })
        .collect()
}

/// Of the nodes that a root name may mean those below the node that the definition belongs to, if there
/// are any: all aircraft have a `body`.
fn owned(definition: &Definition, candidates: Vec<NodeRef>, forests: &[Forest]) -> Vec<NodeRef> {
    let owner = definition.head.name.text();
    let root = definition.head.anim_root_name.text();
    let forest = candidates.first().and_then(|it| forests.get(it.forest));
    let Some(forest) = forest.filter(|_| owner != root && candidates.len() > 1) else {
        return candidates;
    };
    let owners = forest.named(&owner).iter();
    let below: HashSet<usize> = owners.flat_map(|&owner| forest.below(owner)).collect();
    let mut kept = candidates.clone();
    kept.retain(|it| below.contains(&it.index));
    if kept.is_empty() { candidates } else { kept }
}

fn root_of(candidates: &[NodeRef], turn: usize) -> Bound {
    candidates
        .get(turn)
        .map_or(Bound::Missing, |&node| Bound::Node {
            node,
            local: true,
            candidates: candidates.len(),
        })
}

/// The nodes of a name: those of the first forest that has any.
fn everywhere(name: &str, forests: &[Forest]) -> Vec<NodeRef> {
    let mut found = forests.iter().enumerate().map(|(forest, nodes)| {
        let slots = nodes.named(name).iter();
        slots.map(move |&index| NodeRef { forest, index })
    });
    found
        .find(|slots| slots.len() > 0)
        .map(Iterator::collect)
        .unwrap_or_default()
}

fn bind_names(definition: &Definition, root: Bound, forests: &[Forest]) -> Binding {
    let tables = &definition.tables;
    let mut below: HashMap<&str, Vec<usize>> = HashMap::new();
    if let Some(root) = root.node() {
        let forest = &forests[root.forest];
        for index in forest.below(root.index) {
            below.entry(forest.name(index)).or_default().push(index);
        }
    }
    let is_own = |name: &str| {
        let lights = tables.lights.iter().skip(1).map(|it| it.name.text());
        let sounds = tables.dynamic_sounds.iter().skip(1);
        let puffers = tables.puffers.iter().skip(1).map(|it| it.name.text());
        let mut own = lights.chain(sounds.map(|it| it.name.text())).chain(puffers);
        own.any(|own| own == name)
    };
    let bind = |(place, name): (usize, String)| {
        if place == 0 {
            return Bound::Reserved;
        }
        let local = below
            .get(&*name)
            .or_else(|| below.get(&*without_or_with_ending(&name)));
        if let (Some(root), Some(local)) = (root.node(), local) {
            return Bound::Node {
                node: NodeRef {
                    forest: root.forest,
                    index: local[0],
                },
                local: true,
                candidates: local.len(),
            };
        }
        if is_own(&name) {
            return Bound::Own;
        }
        let found = everywhere(&name, forests);
        found.first().map_or(Bound::Missing, |&node| Bound::Node {
            node,
            local: false,
            candidates: found.len(),
        })
    };
    let names = tables.nodes.iter().map(|node| node.name.text());
    Binding {
        root,
        nodes: names.enumerate().map(bind).collect(),
    }
}
