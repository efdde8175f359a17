//! Names of definitions bound to nodes, by the rule of the games.
//!
//! A definition has two nodes. It is bound to a node of the first name: consecutive definitions with the same text
//! take the nodes of that name in turn, from the highest slot down, and then start again. It is attached to the
//! first node of the second name below the bound one, else to the highest slot of that name, always the same. Other
//! names are looked up below the attached node (itself included, parents first), below the bound one, among the
//! definition's own lights and sounds, then in the whole world, highest slot first. Names compare exactly, apart
//! from an ending `.flt` that one side may lack.
//!
//! Containers of Crimson Skies also store the node's index, which has precedence if its node has that name
//! ([`super::stored_index`]).

use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::{AnimFile, Definition};

use super::node_lookup::NodeLookup;
pub(in crate::zipper) use super::node_lookup::NodeRef;
use super::stored_index::StoredIndices;

/// Binding of a name in a definition's node table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::zipper) enum Bound {
    /// A node.
    Node {
        /// The node.
        node: NodeRef,
        /// It is a descendant of one of the nodes of the definition.
        local: bool,
        /// Number of nodes of that name to choose from.
        candidates: usize,
    },
    /// A light, sound or puffer of the definition itself.
    Own,
    /// No known file has that name.
    Missing,
    /// The reserved entry.
    Reserved,
}

impl Bound {
    /// The node, if it is one.
    pub(in crate::zipper) fn node(self) -> Option<NodeRef> {
        match self {
            Self::Node { node, .. } => Some(node),
            _ => None,
        }
    }
}

/// Bindings of the names of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zipper) struct Binding {
    /// The node that the definition is bound to: the root node of events.
    pub bound: Bound,
    /// The node that it is attached to.
    pub attached: Bound,
    /// By index in the node table.
    pub nodes: Vec<Bound>,
}

/// Status of a definition that is switched off.
pub(in crate::zipper) const DISABLED: u8 = 5;

/// Binds the definitions of a container, in order.
pub(in crate::zipper) fn bind(container: &AnimFile, forests: &[NodeLookup]) -> Vec<Binding> {
    let indices = StoredIndices::new(container.version, forests);
    let mut last = None;
    let mut turn = 0;
    let definitions = container.definitions.iter();
    definitions
        .map(|definition| {
            let name = definition.head.name.text();
            if let Some(node) = stored_root(definition, definition.head.anim_ptr, &name, &indices) {
                return bind_names(definition, only(node), forests, &indices);
            }
            let candidates = everywhere(&name, forests);
            let own_turn = match definition.head.status {
                DISABLED => 0,
                _ => {
                    let follows = last.as_ref() == Some(&name) && turn + 1 < candidates.len();
                    turn = if follows { turn + 1 } else { 0 };
                    last = Some(name);
                    turn
                }
            };
            let bound = candidates.get(own_turn);
            let bound = bound.map_or(Bound::Missing, |&node| Bound::Node {
                node,
                local: true,
                candidates: candidates.len(),
            });
            bind_names(definition, bound, forests, &indices)
        })
        .collect()
}

/// A node without alternatives.
fn only(node: NodeRef) -> Bound {
    Bound::Node {
        node,
        local: true,
        candidates: 1,
    }
}

/// The node of a definition's own name by a stored index: the index of the definition itself, else of an entry of
/// the tables with the name.
fn stored_root(
    definition: &Definition,
    stored: u32,
    name: &str,
    indices: &StoredIndices<'_>,
) -> Option<NodeRef> {
    let tables = &definition.tables;
    let nodes = tables.nodes.iter().skip(1);
    let nodes = nodes.map(|node| (node.ptr, node.name.text()));
    let objects = tables.objects.iter().skip(1);
    let objects = objects.map(|object| (object.ptr, object.name.text()));
    let entry = || {
        let mut entries = nodes.chain(objects);
        entries.find_map(|(stored, entry)| {
            (entry == name)
                .then(|| indices.node(stored, name))
                .flatten()
        })
    };
    indices.node(stored, name).or_else(entry)
}

/// Binds the names of a definition again, for a given node instead of the node of its own name. Names below that
/// node come before stored indices, which point below the definition's own node.
pub(in crate::zipper) fn rebind(
    definition: &Definition,
    node: NodeRef,
    version: ZipperGame,
    forests: &[NodeLookup],
) -> Binding {
    let indices = StoredIndices::new(version, forests);
    let bound = only(node);
    let name = definition.head.anim_root_name.text();
    let attached = below(bound, &name, forests)
        .or_else(|| {
            stored_root(definition, definition.head.anim_root_ptr, &name, &indices).map(only)
        })
        .unwrap_or_else(|| highest(&name, forests));
    let none = StoredIndices::new(ZipperGame::Recoil, forests);
    let mut binding = bind_nodes(definition, [bound, attached], forests, &none);
    let entries = definition.tables.nodes.iter().zip(&mut binding.nodes);
    for (entry, found) in entries.skip(1) {
        let is_outside = matches!(found, Bound::Missing | Bound::Node { local: false, .. });
        if is_outside && let Some(node) = indices.node(entry.ptr, &entry.name.text()) {
            *found = only(node);
        }
    }
    binding
}

/// The first node of a name below another, itself included.
fn below(root: Bound, name: &str, forests: &[NodeLookup]) -> Option<Bound> {
    let root = root.node()?;
    let lookup = root.lookup;
    let (index, candidates) = forests.get(lookup)?.below(root.index, name)?;
    Some(Bound::Node {
        node: NodeRef { lookup, index },
        local: true,
        candidates,
    })
}

/// The highest slot of a name.
fn highest(name: &str, forests: &[NodeLookup]) -> Bound {
    let found = everywhere(name, forests);
    found.first().map_or(Bound::Missing, |&node| Bound::Node {
        node,
        local: false,
        candidates: found.len(),
    })
}

/// The nodes of a name, from the first forest that has any.
fn everywhere(name: &str, forests: &[NodeLookup]) -> Vec<NodeRef> {
    let mut found = forests.iter().enumerate().map(|(lookup, nodes)| {
        let slots = nodes.named(name).iter();
        slots.map(move |&index| NodeRef { lookup, index })
    });
    found
        .find(|slots| slots.len() > 0)
        .map(Iterator::collect)
        .unwrap_or_default()
}

fn bind_names(
    definition: &Definition,
    bound: Bound,
    forests: &[NodeLookup],
    indices: &StoredIndices<'_>,
) -> Binding {
    let name = definition.head.anim_root_name.text();
    let stored = stored_root(definition, definition.head.anim_root_ptr, &name, indices);
    let attached = match stored {
        Some(node) => only(node),
        None => below(bound, &name, forests).unwrap_or_else(|| highest(&name, forests)),
    };
    // A file whose first name is not a known node still has the second.
    let bound = match bound {
        Bound::Missing => attached,
        bound => bound,
    };
    bind_nodes(definition, [bound, attached], forests, indices)
}

/// Binds the names of the node table, with the nodes of the definition given.
fn bind_nodes(
    definition: &Definition,
    [bound, attached]: [Bound; 2],
    forests: &[NodeLookup],
    indices: &StoredIndices<'_>,
) -> Binding {
    let tables = &definition.tables;
    let is_own = |name: &str| {
        let lights = tables.lights.iter().skip(1).map(|light| light.name.text());
        let sounds = tables.dynamic_sounds.iter().skip(1);
        let puffers = tables
            .puffers
            .iter()
            .skip(1)
            .map(|puffer| puffer.name.text());
        let mut own = lights
            .chain(sounds.map(|sound| sound.name.text()))
            .chain(puffers);
        own.any(|own| own == name)
    };
    let is_local = |node: NodeRef| {
        let roots = [attached, bound].into_iter().filter_map(Bound::node);
        let mut roots = roots.filter(|root| root.lookup == node.lookup);
        let forest = forests.get(node.lookup);
        forest.is_some_and(|forest| roots.any(|root| forest.is_below(root.index, node.index)))
    };
    let bind = |(place, (stored, name)): (usize, (u32, String))| {
        if place == 0 {
            return Bound::Reserved;
        }
        if let Some(node) = indices.node(stored, &name) {
            return Bound::Node {
                node,
                local: is_local(node),
                candidates: 1,
            };
        }
        let local = below(attached, &name, forests).or_else(|| below(bound, &name, forests));
        match local {
            Some(local) => local,
            None if is_own(&name) => Bound::Own,
            None => highest(&name, forests),
        }
    };
    let names = tables.nodes.iter();
    let names = names.map(|node| (node.ptr, node.name.text()));
    Binding {
        bound,
        attached,
        nodes: names.enumerate().map(bind).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::scene::hierarchy::{ModelNumber, Nodes};
    use relicast_codec::PaddedText;
    use relicast_formats::zipper::anim::{self, NodeRef as NodeEntry};
    use relicast_formats::zipper::gamez::{Model, Node, NodeName};

    /// Nodes by name with their children.
    struct Trees(Vec<Node>);

    impl Nodes for Trees {
        fn node(&self, index: usize) -> Option<&Node> {
            self.0.get(index)
        }

        fn model(&self, _index: usize) -> Option<(ModelNumber, &Model)> {
            None
        }

        fn count(&self) -> usize {
            self.0.len()
        }
    }

    fn lookup(nodes: &[(&str, &[u32])]) -> NodeLookup {
        let nodes = nodes.iter().map(|(name, children)| {
            let mut node = Node {
                children: children.to_vec(),
                ..Node::default()
            };
            node.record.name = NodeName::new(name).unwrap();
            node
        });
        NodeLookup::new("", &Trees(nodes.collect()), Default::default(), &[])
    }

    fn definition(name: &str, attached: &str, nodes: &[&str]) -> Definition {
        let mut definition = Definition::default();
        definition.head.name = PaddedText::new(name).unwrap();
        definition.head.anim_root_name = PaddedText::new(attached).unwrap();
        let names = std::iter::once("").chain(nodes.iter().copied());
        definition.tables.nodes = names
            .map(|name| NodeEntry {
                name: anim::NodeName::new(name).unwrap(),
                ..NodeEntry::default()
            })
            .collect();
        definition
    }

    fn bound(definitions: Vec<Definition>, nodes: &[(&str, &[u32])]) -> Vec<Vec<Option<usize>>> {
        let container = AnimFile {
            definitions,
            ..AnimFile::default()
        };
        let index = |bound: Bound| bound.node().map(|node| node.index);
        let bindings = bind(&container, &[lookup(nodes)]).into_iter();
        bindings
            .map(|binding| {
                let first = [index(binding.bound), index(binding.attached)];
                let rest = binding.nodes.iter().skip(1).map(|&bound| index(bound));
                first.into_iter().chain(rest).collect()
            })
            .collect()
    }

    /// Two walls with a crack each; another wall with a lamp; a lamp without wall.
    const WALLS: [(&str, &[u32]); 8] = [
        ("dwall", &[1, 2]),
        ("crack", &[]),
        ("dust", &[]),
        ("dwall", &[4]),
        ("crack", &[]),
        ("wall1", &[6]),
        ("lamp", &[]),
        ("wall1", &[]),
    ];

    #[test]
    fn turns_are_taken_on_the_bound_name_only() {
        let hit = |attached| definition("dwall", attached, &[]);
        let found = bound(vec![hit("crack"), hit("crack"), hit("crack")], &WALLS);
        // The highest slot first, then the other, then again the first.
        let pairs = [[Some(3), Some(4)], [Some(0), Some(1)], [Some(3), Some(4)]];
        assert_eq!(found, pairs);
        // A node outside of the bound one is the highest slot, always.
        let found = bound(vec![hit("wall1"), hit("wall1")], &WALLS);
        assert_eq!(found, [[Some(3), Some(7)], [Some(0), Some(7)]]);
        // Another name in between restarts the turn; a disabled definition does not.
        let mut disabled = hit("dwall");
        disabled.head.status = DISABLED;
        let found = bound(
            vec![
                hit("dwall"),
                disabled,
                hit("dwall"),
                definition("lamp", "lamp", &[]),
            ],
            &WALLS,
        );
        let firsts: Vec<Option<usize>> = found.iter().map(|nodes| nodes[0]).collect();
        assert_eq!(firsts, [Some(3), Some(3), Some(0), Some(6)]);
    }

    #[test]
    fn names_are_looked_up_below_both_nodes_before_the_world() {
        let names = ["crack", "dust", "lamp", "wall1", "nothing"];
        let found = bound(
            vec![
                definition("none", "none", &[]),
                definition("dwall", "wall1", &names),
                definition("dwall", "crack", &names),
            ],
            &WALLS,
        );
        assert_eq!(found[0], [None, None]);
        // The second wall has no dust; its lamp is not that of the first wall.
        let outside = [Some(3), Some(7), Some(4), Some(2), Some(6), Some(7), None];
        assert_eq!(found[1], outside);
        let inside = [Some(0), Some(1), Some(1), Some(2), Some(6), Some(7), None];
        assert_eq!(found[2], inside);
    }
}
