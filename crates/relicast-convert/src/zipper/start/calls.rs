//! Calls between animations at the start, and the conditions for starting.

use std::collections::HashMap;

use crate::zipper::anim::bind::{Binding, Bound, NodeRef, bind, rebind};
use crate::zipper::anim::node_lookup::NodeLookup;
use crate::zipper::bake::evaluate::{Names, NodeKey};
use crate::zipper::scene::node_places::NodePlaces;
use relicast_formats::zipper::anim::{AnimFile, Definition, NodeTarget, PrerequisiteKind};

use super::state::StagedWorld;

/// A definition by the index of its container and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DefinitionRef {
    pub container: usize,
    pub index: usize,
}

/// An animation that starts, with the nodes from its caller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Started {
    pub definition: DefinitionRef,
    /// Another node to bind to.
    pub operand: Option<usize>,
    /// The input node from the caller.
    pub input: Option<usize>,
    /// Number of calls that led here.
    pub depth: usize,
}

/// The names of a definition, with the input node.
pub(super) struct CalledNames<'b> {
    pub binding: &'b Binding,
    pub input: Option<usize>,
}

impl Names for CalledNames<'_> {
    fn node(&self, target: NodeTarget) -> Option<NodeKey> {
        match target {
            NodeTarget::Input => self.input.map(|index| NodeKey { lookup: 0, index }),
            other => self.binding.node(other),
        }
    }
}

/// The containers of a start, with the bindings of their names.
pub(super) struct Cast<'c> {
    /// The containers.
    pub containers: Vec<&'c AnimFile>,
    forests: [NodeLookup; 1],
    bindings: Vec<Vec<Binding>>,
    /// The first definition of each animation, by container.
    called: Vec<HashMap<String, usize>>,
}

impl<'c> Cast<'c> {
    pub(super) fn new(state: &StagedWorld<'_>, containers: Vec<&'c AnimFile>) -> Self {
        let forests = [NodeLookup::new("", state, NodePlaces::new(), &[])];
        let bindings = containers.iter().map(|container| bind(container, &forests));
        let called = containers.iter().map(|container| {
            let mut names = HashMap::new();
            for (index, definition) in container.definitions.iter().enumerate() {
                names.entry(definition.anim_name()).or_insert(index);
            }
            names
        });
        Self {
            bindings: bindings.collect(),
            called: called.collect(),
            forests,
            containers,
        }
    }

    pub(super) fn definition(&self, of: DefinitionRef) -> Option<&'c Definition> {
        self.containers.get(of.container)?.definitions.get(of.index)
    }

    /// Bindings of the names of a started animation.
    pub(super) fn binding(&self, started: &Started) -> Option<Binding> {
        let DefinitionRef { container, index } = started.definition;
        let own = self.bindings.get(container)?.get(index)?;
        let definition = self.definition(started.definition)?;
        let bound = own.bound.node().map(|node| node.index);
        Some(match started.operand.filter(|node| Some(*node) != bound) {
            Some(index) => {
                let version = self.containers.get(container)?.version;
                let node = NodeRef { lookup: 0, index };
                rebind(definition, node, version, &self.forests)
            }
            None => own.clone(),
        })
    }

    /// The definition of an animation, in its caller's container first.
    pub(super) fn called(&self, name: &str, near: usize) -> Option<DefinitionRef> {
        let others = (0..self.containers.len()).filter(|&other| other != near);
        let mut order = std::iter::once(near).chain(others);
        order.find_map(|container| {
            let index = *self.called.get(container)?.get(name)?;
            Some(DefinitionRef { container, index })
        })
    }

    /// True if the conditions for the start of a definition hold. `has_started` says if an animation has
    /// started.
    pub(super) fn may_start(
        &self,
        definition: &Definition,
        state: &StagedWorld<'_>,
        has_started: impl Fn(&str) -> bool,
    ) -> bool {
        let mut path: Vec<String> = Vec::new();
        let mut optional = 0;
        for condition in &definition.tables.prerequisites {
            let name = condition.name.text();
            let holds = match condition.kind {
                PrerequisiteKind::Animation => has_started(&name),
                PrerequisiteKind::Parent => {
                    path.push(name);
                    continue;
                }
                PrerequisiteKind::Object => {
                    path.push(name);
                    let found = self.at_path(&std::mem::take(&mut path));
                    let wanted = condition.active & 1 != 0;
                    found.is_some_and(|node| state.is_active(node) == wanted)
                }
                PrerequisiteKind::Other(_) => false,
            };
            if condition.optional.is_set() {
                optional += usize::from(holds);
            } else if !holds {
                return false;
            }
        }
        optional >= usize::from(definition.head.prerequisites_to_satisfy)
    }

    /// The node at the end of a path of names.
    fn at_path(&self, path: &[String]) -> Option<usize> {
        let [nodes] = &self.forests;
        let (first, below) = path.split_first()?;
        let mut at = nodes.named(first).first().copied()?;
        for name in below {
            at = nodes.below(at, name)?.0;
        }
        Some(at)
    }
}

/// The bound node, if it is in the world.
pub(super) fn index_of(bound: Bound) -> Option<usize> {
    bound.node().map(|node| node.index)
}
