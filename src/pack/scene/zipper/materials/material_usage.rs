//! Finds the polygons of the game file that use the materials of a scene.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::tinted::tint_at;
use crate::config::Config;
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_convert::zipper::CornerSource;

/// Users of a scene's material in the game file.
#[derive(Debug, Clone, Default)]
pub(super) struct MaterialUsers {
    /// Materials of the game file.
    pub materials: BTreeSet<usize>,
    /// Models and their polygons.
    pub polygons: BTreeSet<(usize, usize)>,
    /// True if it is laid over others.
    pub is_layer: bool,
    /// Nodes of the game file that tint it.
    pub tinted_by: BTreeSet<usize>,
}

impl MaterialUsers {
    /// The models.
    pub(super) fn models(&self) -> BTreeSet<usize> {
        self.polygons.iter().map(|&(model, _)| model).collect()
    }
}

/// Material assignments of a scene.
#[derive(Debug, Default)]
pub(super) struct MaterialUsage {
    /// By material of the scene.
    by_surface: BTreeMap<usize, MaterialUsers>,
    /// By mesh and primitive: the model, and the source of each corner.
    by_primitive: BTreeMap<(usize, usize), (usize, Vec<CornerSource>)>,
}

impl MaterialUsage {
    /// Finds the material assignments in an original scene.
    pub(super) fn new(tree: &GameTree, base: &SceneFile, config: &Config) -> Self {
        let mut usage = Self::default();
        let mut seen = HashSet::new();
        for (node, shown) in base.nodes.iter().enumerate() {
            let Some(mesh) = shown.mesh.filter(|mesh| seen.insert(*mesh)) else {
                continue;
            };
            let model = game_node(base, node).and_then(|(index, _)| tree.model_of(index));
            if let Some(model) = model {
                usage.add(tree, base, mesh, model, config);
            }
        }
        for (node, shown) in base.nodes.iter().enumerate() {
            let mesh = shown.mesh.and_then(|mesh| base.meshes.get(mesh));
            let tinting = game_node(base, node).and_then(|(index, _)| tint_at(tree, index));
            let (Some(mesh), Some((tinting, _))) = (mesh, tinting) else {
                continue;
            };
            for material in mesh.primitives.iter().filter_map(|part| part.material) {
                if let Some(users) = usage.by_surface.get_mut(&material) {
                    users.tinted_by.insert(tinting);
                }
            }
        }
        usage
    }

    /// True if nodes tint no other material of the scene.
    pub(super) fn tint_only(&self, surface: usize, nodes: &BTreeSet<usize>) -> bool {
        let mut others = self.by_surface.iter().filter(|(it, _)| **it != surface);
        others.all(|(_, users)| users.tinted_by.is_disjoint(nodes))
    }

    fn add(
        &mut self,
        tree: &GameTree,
        base: &SceneFile,
        mesh: usize,
        number: usize,
        config: &Config,
    ) {
        let (Some(shown), Some(model)) = (base.meshes.get(mesh), tree.model(number)) else {
            return;
        };
        let fits = |sources: &Vec<Vec<CornerSource>>| {
            let mut pairs = sources.iter().zip(&shown.primitives);
            sources.len() == shown.primitives.len()
                && pairs.all(|(sources, part)| sources.len() == part.positions.len())
        };
        let is_filled = shown.primitives.iter().all(|part| part.is_triangles);
        let sources = match is_filled {
            true => [false, true]
                .map(|bare| tree.sources(number, bare, config))
                .into_iter()
                .find(fits),
            // Points have the material of the first polygon.
            false => Some(vec![vec![CornerSource {
                polygon: 0,
                layer: 0,
                corner: 0,
            }]]),
        };
        for (primitive, sources) in sources.into_iter().flatten().enumerate() {
            let material = shown
                .primitives
                .get(primitive)
                .and_then(|part| part.material);
            if let Some(material) = material {
                let users = self.by_surface.entry(material).or_default();
                for source in &sources {
                    let polygon = model.polygons.get(source.polygon);
                    let stored = polygon.and_then(|polygon| polygon.materials.get(source.layer));
                    if let Some(stored) = stored.and_then(|&stored| usize::try_from(stored).ok()) {
                        users.materials.insert(stored);
                        users.polygons.insert((number, source.polygon));
                        users.is_layer |= source.layer > 0;
                    }
                }
            }
            if is_filled {
                let place = (mesh, primitive);
                self.by_primitive.insert(place, (number, sources));
            }
        }
    }

    /// The users of a material.
    pub(super) fn users(&self, surface: usize) -> Option<&MaterialUsers> {
        self.by_surface.get(&surface)
    }

    /// The model of a primitive, and the source of each of its corners.
    pub(super) fn sources(
        &self,
        mesh: usize,
        primitive: usize,
    ) -> Option<(usize, &[CornerSource])> {
        let (model, sources) = self.by_primitive.get(&(mesh, primitive))?;
        Some((*model, sources))
    }
}
