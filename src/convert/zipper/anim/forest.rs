//! Nodes that animations can speak of: the trees of a world, of the aircraft, or of a 'mech, with the
//! places that the conversion gives them.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::convert::zipper::model::assembly::Nodes;
use crate::convert::zipper::world::{NodePlaces, scene_path};

/// The nodes of a file, and where they are in the outputs.
#[derive(Debug, Default)]
pub(super) struct Forest {
    /// Path of the file below the input.
    pub path: String,
    /// Names by index.
    names: Vec<String>,
    children: Vec<Vec<u32>>,
    /// Indices by name, highest first: the order in which the games look names up.
    named: HashMap<String, Vec<usize>>,
    places: BTreeMap<usize, Vec<Place>>,
}

/// A node of an emitted scene.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub(super) struct Place {
    /// Path of the scene's file below the output folder.
    pub file: String,
    /// Name of the node there.
    pub node: String,
}

impl Forest {
    /// The nodes of a file at `path`. `outputs` are the main outputs of its parts.
    pub(super) fn new(
        path: &str,
        nodes: &impl Nodes,
        places: NodePlaces,
        outputs: &[Option<String>],
    ) -> Self {
        let mut forest = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        for index in 0..nodes.count() {
            let node = nodes.node(index);
            let name = node.map(|node| node.name()).unwrap_or_default();
            forest.named.entry(name.clone()).or_default().push(index);
            forest.names.push(name);
            let children = node.map(|node| node.children.clone());
            forest.children.push(children.unwrap_or_default());
        }
        for slots in forest.named.values_mut() {
            slots.reverse();
        }
        for (index, found) in places {
            let in_files = found.into_iter().filter_map(|place| {
                let main = outputs.get(place.part)?.as_ref()?;
                Some(Place {
                    file: scene_path(main, place.role),
                    node: place.name,
                })
            });
            forest.places.insert(index, in_files.collect());
        }
        forest
    }

    /// Gives a node one more name.
    pub(super) fn also_called(&mut self, name: &str, index: usize) {
        self.named.entry(name.to_owned()).or_default().push(index);
    }

    /// The nodes of a name, highest slot first. Definitions call some nodes by the file that they came
    /// from, `truck01.flt`, and worlds do or do not; so that ending may differ where nothing has the
    /// very name.
    pub(super) fn named(&self, name: &str) -> &[usize] {
        let other = || self.named.get(&*without_or_with_ending(name));
        let found = self.named.get(name).or_else(other);
        found.map_or(&[], Vec::as_slice)
    }

    /// Name of a node.
    pub(super) fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    /// Where a node is in the outputs; empty if its file was not converted.
    pub(super) fn places(&self, index: usize) -> &[Place] {
        self.places.get(&index).map_or(&[], Vec::as_slice)
    }

    /// A node and all below it, parents before children, each once.
    pub(super) fn below(&self, root: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = vec![root];
        while let Some(at) = stack.pop() {
            let Some(children) = self.children.get(at) else {
                continue;
            };
            if seen.insert(at) {
                found.push(at);
                stack.extend(children.iter().rev().map(|&child| child as usize));
            }
        }
        found
    }
}

/// A name without the ending of a model file.
pub(super) fn without_ending(name: &str) -> &str {
    name.strip_suffix(".flt").unwrap_or(name)
}

/// A name without the ending of a model file, or with it if it had none.
pub(super) fn without_or_with_ending(name: &str) -> String {
    match name.strip_suffix(".flt") {
        Some(stem) => stem.to_owned(),
        None => format!("{name}.flt"),
    }
}
