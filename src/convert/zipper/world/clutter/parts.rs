//! Meshes of things that are strewn about.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec3};

use crate::config::Config;
use crate::convert::zipper::scene::hierarchy::{HierarchyBuilder, Layer, Purpose};
use crate::convert::zipper::scene::material::Surfaces;
use crate::convert::zipper::world::file::WorldFile;
use crate::scene::model::{MeshId, Node, Scene};

/// A mesh of a thing, and where it is from the point at which the thing stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub mesh: MeshId,
    pub matrix: DMat4,
}

/// Makes the meshes of things, each once for all places.
#[derive(Debug)]
pub(super) struct PartMaker<'w, 'a> {
    file: &'w WorldFile<'a>,
    config: &'w Config,
    /// Parts by index of the node.
    made: BTreeMap<usize, Vec<Part>>,
}

impl<'w, 'a> PartMaker<'w, 'a> {
    pub(super) fn new(file: &'w WorldFile<'a>, config: &'w Config) -> Self {
        Self {
            file,
            config,
            made: BTreeMap::new(),
        }
    }

    /// The parts of a thing.
    pub(super) fn parts(&self, node: usize) -> &[Part] {
        self.made.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Makes the meshes of nodes in a scene. They are drawn like the world.
    pub(super) fn make(&mut self, nodes: impl Iterator<Item = usize>, scene: &mut Scene) {
        let wanted: BTreeSet<usize> = nodes.collect();
        let file = self.file;
        let view = file.library.view(self.config);
        let surfaces = Surfaces::new(&file.materials, view, file.gamez.version);
        let mut hierarchy = HierarchyBuilder::new(&file.gamez, surfaces, Purpose::World);
        hierarchy.shown_nodes.extend(&wanted);
        let roots: Vec<usize> = wanted.into_iter().collect();
        for &root in &roots {
            hierarchy.add(&[root], None);
        }
        let heads: BTreeMap<usize, usize> = roots
            .iter()
            .filter_map(|&root| Some((hierarchy.in_main(root)?.index(), root)))
            .collect();
        let Some(main) = hierarchy.builders.remove(&Layer::Main) else {
            return;
        };
        let mut made = main.scene;
        let first = scene.meshes.len();
        for (head, root) in heads {
            let parts = parts_below(&made, head, first);
            self.made.insert(root, parts);
        }
        // Only what the places refer to is taken along.
        made.nodes.clear();
        made.roots.clear();
        made.detail_groups.clear();
        scene.absorb(made);
    }
}

/// The parts below a node of a scene, from the point at which that node stands. `first` is added to the numbers of
/// meshes.
fn parts_below(scene: &Scene, head: usize, first: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let to_matrix = |node: &Node| {
        let transform = &node.transform;
        DMat4::from_scale_rotation_translation(
            transform.scale.as_dvec3(),
            transform.rotation.as_dquat(),
            transform.translation.as_dvec3(),
        )
    };
    let origin = scene.nodes.get(head).map(|node| node.transform.translation);
    let back = DMat4::from_translation(-origin.map_or(DVec3::ZERO, |at| at.as_dvec3()));
    let mut stack = vec![(head, back)];
    while let Some((index, above)) = stack.pop() {
        let Some(node) = scene.nodes.get(index) else {
            continue;
        };
        let matrix = above * to_matrix(node);
        if let Some(mesh) = node.mesh {
            let mesh = MeshId::from(first + mesh.index());
            parts.push(Part { mesh, matrix });
        }
        let children = node.children.iter().rev();
        stack.extend(children.map(|child| (child.index(), matrix)));
    }
    parts
}
