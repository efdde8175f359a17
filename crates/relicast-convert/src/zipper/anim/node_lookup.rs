//! Nodes that animations can refer to: the trees of a world, of the aircraft, or of a 'mech, with their places in
//! the outputs.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::zipper::scene::hierarchy::Nodes;
use crate::zipper::scene::node_places::{FileNode, NodePlaces, scene_path};
use relicast_formats::zipper::gamez::NodeClass;

/// The nodes of a file, and where they are in the outputs.
#[derive(Debug, Default)]
pub(in crate::zipper) struct NodeLookup {
    /// Path of the file below the input.
    pub path: String,
    /// One of the nodes is a world.
    has_world: bool,
    /// Names by index.
    names: Vec<String>,
    /// Numbers of each node and all descendants.
    spans: Vec<Range<usize>>,
    /// Numbers and indices by name, in order.
    in_order: HashMap<String, Vec<(usize, usize)>>,
    /// Indices by name, highest first: the look-up order of the games.
    named: HashMap<String, Vec<usize>>,
    places: BTreeMap<FileNode, Vec<Place>>,
}

/// A node of an emitted scene.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::zipper) struct Place {
    /// Path of the scene's file below the output folder.
    pub file: String,
    /// Name of the node there.
    pub node: String,
}

/// A node by the index of its forest and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::zipper) struct NodeRef {
    /// Index of the forest.
    pub lookup: usize,
    /// Index in the forest.
    pub index: usize,
}

impl NodeLookup {
    /// The nodes of a file at `path`. `outputs` are the main outputs of its items.
    pub(in crate::zipper) fn new(
        path: &str,
        nodes: &impl Nodes,
        places: NodePlaces,
        outputs: &[Option<String>],
    ) -> Self {
        let mut lookup = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        let mut children = Vec::with_capacity(nodes.count());
        for index in 0..nodes.count() {
            let node = nodes.node(index);
            lookup.has_world |= node.is_some_and(|node| node.data.class() == NodeClass::World);
            let name = node.map(|node| node.name()).unwrap_or_default();
            lookup.named.entry(name.clone()).or_default().push(index);
            lookup.names.push(name);
            let below = node.map(|node| node.children.clone());
            children.push(below.unwrap_or_default());
        }
        lookup.spans = vec![0..0; children.len()];
        lookup.number(&children);
        for slots in lookup.named.values_mut() {
            slots.reverse();
        }
        for (node, found) in places {
            let in_files = found.into_iter().filter_map(|place| {
                let main = outputs.get(place.item.0)?.as_ref()?;
                Some(Place {
                    file: scene_path(main, place.role),
                    node: place.name,
                })
            });
            lookup.places.insert(node, in_files.collect());
        }
        lookup
    }

    /// Returns true if the nodes are those of a world.
    pub(in crate::zipper) fn has_world(&self) -> bool {
        self.has_world
    }

    /// Number of nodes.
    pub(in crate::zipper) fn count(&self) -> usize {
        self.names.len()
    }

    /// Name of the node at `index`.
    pub(in crate::zipper) fn name(&self, index: usize) -> Option<&str> {
        self.names.get(index).map(String::as_str)
    }

    /// Returns true if a node is `root` or below it.
    pub(in crate::zipper) fn is_below(&self, root: usize, index: usize) -> bool {
        let span = |index: usize| self.spans.get(index);
        let (outer, inner) = (span(root), span(index));
        outer
            .zip(inner)
            .is_some_and(|(outer, inner)| outer.contains(&inner.start))
    }

    /// Gives a node one more name.
    pub(in crate::zipper) fn also_called(&mut self, name: &str, index: usize) {
        self.named.entry(name.to_owned()).or_default().push(index);
    }

    /// The nodes of a name, highest slot first. Definitions and worlds name some nodes by their source file,
    /// `truck01.flt`. So this ending may differ where no node has the exact name.
    pub(in crate::zipper) fn named(&self, name: &str) -> &[usize] {
        let other = || self.named.get(&*without_or_with_ending(name));
        let found = self.named.get(name).or_else(other);
        found.map_or(&[], Vec::as_slice)
    }

    /// Places of a node in the outputs; empty if its file was not converted.
    pub(in crate::zipper) fn places(&self, node: FileNode) -> &[Place] {
        self.places.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The first node of a name below `root`, itself included, parents before children; and the number of such
    /// nodes. A node with several parents counts for the first of them.
    pub(in crate::zipper) fn below(&self, root: usize, name: &str) -> Option<(usize, usize)> {
        let span = self.spans.get(root)?;
        let other = || self.in_order.get(&*without_or_with_ending(name));
        let found = [self.in_order.get(name), other()];
        found.into_iter().flatten().find_map(|places| {
            let start = places.partition_point(|(entered, _)| *entered < span.start);
            let end = places.partition_point(|(entered, _)| *entered < span.end);
            let first = places.get(start..end)?.first()?;
            Some((first.1, end - start))
        })
    }

    /// Numbers all nodes, parents before children, so that descendants have consecutive numbers.
    fn number(&mut self, children: &[Vec<u32>]) {
        let mut is_child = vec![false; children.len()];
        for &child in children.iter().flatten() {
            if let Some(known) = is_child.get_mut(child as usize) {
                *known = true;
            }
        }
        let mut seen = vec![false; children.len()];
        let mut next = 0;
        let count = children.len();
        // Roots first; the remaining nodes are in cycles.
        let roots = (0..count).filter(|&index| !is_child[index]);
        for start in roots.chain(0..count) {
            let mut stack = vec![(start, false)];
            while let Some((at, is_done)) = stack.pop() {
                if is_done {
                    self.spans[at].end = next;
                    continue;
                }
                if seen.get(at).is_none_or(|seen| *seen) {
                    continue;
                }
                seen[at] = true;
                self.spans[at].start = next;
                let of_name = self.in_order.entry(self.names[at].clone()).or_default();
                of_name.push((next, at));
                next += 1;
                stack.push((at, true));
                let below = children[at].iter().rev();
                stack.extend(below.map(|&child| (child as usize, false)));
            }
        }
    }
}

/// A name without the ending of a model file.
pub(in crate::zipper) fn without_ending(name: &str) -> &str {
    name.strip_suffix(".flt").unwrap_or(name)
}

/// A name without the ending of a model file, or with it if it had none.
pub(in crate::zipper) fn without_or_with_ending(name: &str) -> String {
    match name.strip_suffix(".flt") {
        Some(stem) => stem.to_owned(),
        None => format!("{name}.flt"),
    }
}
