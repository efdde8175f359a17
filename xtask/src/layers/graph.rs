//! Imports between files, as a graph.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::source::{Module, ModulePath, Tree};

/// Longest chain of re-exports.
const MAX_CHAIN_LENGTH: usize = 16;

/// A file with its imports.
#[derive(Debug)]
pub struct Node {
    /// Path of its module.
    pub module: ModulePath,
    /// The file below the root.
    pub file: PathBuf,
    /// Nodes that it imports from, with the line of the first import.
    pub to: BTreeMap<usize, usize>,
}

/// All files and their imports.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    /// The imports of a tree. An import by way of a re-export points to the file that defines the item;
    /// re-exports themselves are not counted.
    pub fn new(tree: &Tree) -> Self {
        let places: BTreeMap<&ModulePath, usize> = (tree.modules.keys().enumerate())
            .map(|(index, path)| (path, index))
            .collect();
        let nodes = tree
            .modules
            .iter()
            .enumerate()
            .map(|(own, (path, module))| {
                let mut to = BTreeMap::new();
                for import in &module.imports {
                    let target = defining(tree, &import.path, 0).and_then(|it| places.get(it));
                    if let Some(&target) = target.filter(|target| **target != own) {
                        to.entry(target).or_insert(import.line);
                    }
                }
                Node {
                    module: path.clone(),
                    file: module.file.clone(),
                    to,
                }
            });
        Self {
            nodes: nodes.collect(),
        }
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Number of imports.
    pub fn arrows(&self) -> usize {
        self.nodes.iter().map(|node| node.to.len()).sum()
    }

    /// The files in order of their paths.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The file and line of the import between two nodes.
    pub fn place(&self, from: usize, to: usize) -> (&Path, usize) {
        let node = &self.nodes[from];
        (&node.file, node.to.get(&to).copied().unwrap_or(0))
    }

    /// Groups of files that all reach each other, each as the shortest circle through its first file.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut circles = Vec::new();
        for start in 0..self.nodes.len() {
            if seen.contains(&start) {
                continue;
            }
            if let Some(way) = self.way_around(start) {
                let reached = self.reached(start);
                seen.extend((reached.iter()).filter(|it| self.reached(**it).contains(&start)));
                circles.push(way);
            }
        }
        circles
    }

    fn reached(&self, start: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            open.extend((self.nodes[at].to.keys()).filter(|next| reached.insert(**next)));
        }
        reached
    }

    /// The shortest path from a file to itself.
    fn way_around(&self, start: usize) -> Option<Vec<usize>> {
        let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
        let mut front = std::collections::VecDeque::from([start]);
        while let Some(at) = front.pop_front() {
            for &next in self.nodes[at].to.keys() {
                if next == start {
                    let mut way = vec![at];
                    while let Some(before) = came_from.get(way.last()?) {
                        way.push(*before);
                    }
                    way.reverse();
                    return Some(way);
                }
                if next != start && !came_from.contains_key(&next) {
                    came_from.insert(next, at);
                    front.push_back(next);
                }
            }
        }
        None
    }
}

/// The module that defines the item of a path.
fn defining<'a>(tree: &'a Tree, path: &[String], depth: usize) -> Option<&'a ModulePath> {
    let (own, module, rest) = longest_module(tree, path)?;
    let Some((name, behind)) = rest.split_first() else {
        return Some(own);
    };
    if module.items.contains(name) || depth > MAX_CHAIN_LENGTH {
        return Some(own);
    }
    if let Some(exported) = module.exports.get(name) {
        let target = [exported.as_slice(), behind].concat();
        return defining(tree, &target, depth + 1);
    }
    for glob in &module.globs {
        let target = [glob.as_slice(), rest].concat();
        let found = longest_module(tree, glob);
        if found.is_some_and(|(_, module, left)| left.is_empty() && knows(module, name)) {
            return defining(tree, &target, depth + 1);
        }
    }
    Some(own)
}

fn knows(module: &Module, name: &str) -> bool {
    module.items.contains(name) || module.exports.contains_key(name) || !module.globs.is_empty()
}

/// The module with the longest path that begins `path`, and the rest of the path.
fn longest_module<'a, 'p>(
    tree: &'a Tree,
    path: &'p [String],
) -> Option<(&'a ModulePath, &'a Module, &'p [String])> {
    (0..=path.len()).rev().find_map(|length| {
        let (module, rest) = path.split_at(length);
        let (own, found) = tree.modules.get_key_value(module)?;
        Some((own, found, rest))
    })
}
