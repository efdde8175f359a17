//! Meshes of clutter.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec3};

use crate::options::ConvertOptions;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer, Layout, Purpose};
use crate::zipper::scene::material::Surfaces;
use crate::zipper::scene::scene_builder::SceneBuilder;
use crate::zipper::world::file::WorldFile;
use relicast_scene::model::{MeshId, Node, Scene};

/// A mesh of an object, and its transform relative to the object's place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub mesh: MeshId,
    pub matrix: DMat4,
}

/// Makes the meshes of clutter, each once for all places.
#[derive(Debug)]
pub(super) struct PartMaker<'w, 'a> {
    file: &'w WorldFile<'a>,
    options: &'w ConvertOptions,
    /// Parts by index of the node.
    made: BTreeMap<usize, Vec<Part>>,
}

impl<'w, 'a> PartMaker<'w, 'a> {
    pub(super) fn new(file: &'w WorldFile<'a>, options: &'w ConvertOptions) -> Self {
        Self {
            file,
            options,
            made: BTreeMap::new(),
        }
    }

    /// The parts of an object.
    pub(super) fn parts(&self, node: usize) -> &[Part] {
        self.made.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Makes the missing meshes of nodes in a scene. They are drawn like the world.
    pub(super) fn make(&mut self, nodes: impl Iterator<Item = usize>, builder: &mut SceneBuilder) {
        let wanted: BTreeSet<usize> = nodes.collect();
        let file = self.file;
        let view = file.library.view(self.options);
        let surfaces = Surfaces::new(&file.materials, view, file.gamez.version);
        let mut layout = Layout::new(&file.gamez, &self.options.scenes);
        layout.stay_in_main();
        layout.shown_nodes.extend(&wanted);
        for &root in &wanted {
            layout.add(&[root], None);
        }
        let before = Extent::new(builder);
        let mut hierarchy = HierarchyBuilder::new(layout, surfaces, Purpose::World);
        hierarchy.go_on_with(std::mem::take(builder));
        hierarchy.build();
        let heads: BTreeMap<usize, usize> = wanted
            .iter()
            .filter_map(|&root| Some((hierarchy.in_main(root)?.index(), root)))
            .collect();
        *builder = hierarchy.builders.remove(&Layer::Main).unwrap_or_default();
        for (head, root) in heads {
            let parts = parts_below(&builder.scene, head);
            self.made.insert(root, parts);
        }
        // The places refer only to meshes.
        before.restore(builder);
    }
}

/// Lengths of the lists of nodes, for removing later ones.
struct Extent {
    nodes: usize,
    roots: usize,
    levels: usize,
    stored: usize,
}

impl Extent {
    fn new(builder: &SceneBuilder) -> Self {
        Self {
            nodes: builder.scene.nodes.len(),
            roots: builder.scene.roots.len(),
            levels: builder.scene.detail_groups.len(),
            stored: builder.stored_nodes.len(),
        }
    }

    fn restore(&self, builder: &mut SceneBuilder) {
        builder.scene.nodes.truncate(self.nodes);
        builder.scene.roots.truncate(self.roots);
        builder.scene.detail_groups.truncate(self.levels);
        builder.stored_nodes.truncate(self.stored);
    }
}

/// The parts below a node of a scene, relative to that node.
fn parts_below(scene: &Scene, head: usize) -> Vec<Part> {
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
            parts.push(Part { mesh, matrix });
        }
        let children = node.children.iter().rev();
        stack.extend(children.map(|child| (child.index(), matrix)));
    }
    parts
}
