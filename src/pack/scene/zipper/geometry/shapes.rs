//! Edits of the models of a game file: corners changed in place, or the whole model made anew.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::models::ModelEdits;
use super::remake::remake;
use super::retriangulation;
use super::triangle_template::sources_of;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::{CornerChange, MeshChange, MeshRemake};
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneFile, SceneMesh};
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::tree::GameTree;
use relicast_convert::zipper::CornerSource;
use relicast_formats::zipper::gamez::{Model, Polygon};

/// Edits of models, by their numbers.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Shapes {
    in_place: BTreeMap<usize, ModelEdits>,
    anew: BTreeMap<usize, Model>,
}

impl Shapes {
    /// Collects the changed meshes of a scene.
    ///
    /// # Errors
    /// A mesh cannot be packed, or scenes do not agree.
    pub(in crate::pack::scene) fn collect(
        &mut self,
        before: &GameTree,
        scene: &EditedScene<'_>,
        config: &Config,
    ) -> Result<(), Refusal> {
        let inside = |node: usize| {
            move |refusal: Refusal| refusal!("mesh of node {}: {refusal}", scene.name(node))
        };
        for change in &scene.difference.meshes {
            self.collect_corners(before, scene, change, config)
                .map_err(inside(change.node))?;
        }
        for change in &scene.difference.remade {
            self.collect_remade(before, scene, change, config)
                .map_err(inside(change.node))?;
        }
        Ok(())
    }

    /// Changes corners in place; rebuilds the model where one corner became several.
    fn collect_corners(
        &mut self,
        before: &GameTree,
        scene: &EditedScene<'_>,
        change: &MeshChange,
        config: &Config,
    ) -> Result<(), Refusal> {
        let base = &scene.base;
        let unknown = || refusal!("it does not come from a model of the game file");
        let (index, _) = game_node(base, change.node).ok_or_else(unknown)?;
        let number = before.model_of(index).ok_or_else(unknown)?;
        let mesh = base.meshes.get(change.old).ok_or_else(unknown)?;
        if mesh
            .primitives
            .iter()
            .any(|primitive| !primitive.is_triangles)
        {
            refuse!("models of points cannot be changed");
        }
        let sources = sources_of(before, number, mesh, config)
            .ok_or_else(|| refusal!("its triangles cannot be traced to polygons of the model"))?;
        let corners = in_rings(&sources, mesh, &scene.edited, change);
        let mut edits = self.in_place.get(&number).cloned().unwrap_or_default();
        let mut parts = sources.iter().zip(&mesh.primitives).zip(&*corners);
        let taken = parts.try_for_each(|((sources, primitive), changes)| {
            edits.take(sources, &primitive.positions, changes)
        });
        match taken {
            Ok(()) => {
                self.in_place.insert(number, edits);
                Ok(())
            }
            Err(conflict) if self.in_place.contains_key(&number) => Err(conflict),
            Err(_) => {
                let change = MeshRemake {
                    node: change.node,
                    old: change.old,
                    new: change.new,
                };
                self.collect_remade(before, scene, &change, config)
            }
        }
    }

    fn collect_remade(
        &mut self,
        before: &GameTree,
        scene: &EditedScene<'_>,
        change: &MeshRemake,
        config: &Config,
    ) -> Result<(), Refusal> {
        let scenes = ScenePair {
            base: &scene.base,
            edited: &scene.edited,
        };
        let (number, model) = remake(before, scenes, change, config)?;
        match self.anew.insert(number, model.clone()) {
            Some(known) if !is_equal(&known, &model) => Err(refusal!(
                "several meshes show its model, and their edits differ"
            )),
            _ => Ok(()),
        }
    }

    /// The models to rebuild.
    pub(in crate::pack::scene) fn remade(&self) -> impl Iterator<Item = usize> {
        self.anew.keys().copied()
    }

    /// Applies all edits to the tree. Returns the models whose vertices changed, and the refusals.
    pub(in crate::pack::scene) fn put(
        self,
        tree: &mut GameTree,
        touched: &mut BTreeSet<usize>,
    ) -> Vec<(usize, Refusal)> {
        let mut refusals = Vec::new();
        let both = self.in_place.keys().find(|it| self.anew.contains_key(it));
        if let Some(number) = both {
            let reason = "one of its meshes has other triangles, and another has the old ones; edit both or one";
            refusals.push((*number, Refusal::new(reason)));
        }
        for (number, edits) in self.in_place {
            let Some(model) = tree.model_mut(number) else {
                continue;
            };
            let vertices = model.vertices.clone();
            match edits.apply(model) {
                Ok(()) if model.vertices != vertices => {
                    touched.insert(number);
                }
                Ok(()) => {}
                Err(refusal) => refusals.push((number, refusal)),
            }
        }
        for (number, new) in self.anew {
            if let Some(model) = tree.model_mut(number) {
                if model.vertices != new.vertices {
                    touched.insert(number);
                }
                *model = new;
            }
        }
        refusals
    }
}

/// The changes of a mesh, where polygons that are triangulated along another diagonal are recognized as such. If only
/// the diagonal changed, that is the edit.
fn in_rings<'c>(
    sources: &[Vec<CornerSource>],
    mesh: &SceneMesh,
    edited: &SceneFile,
    change: &'c MeshChange,
) -> Cow<'c, [Vec<CornerChange>]> {
    let ordered = Cow::Borrowed(&*change.corners);
    let new = edited
        .meshes
        .get(change.new)
        .filter(|new| new.primitives.len() == mesh.primitives.len());
    let Some(new) = new else { return ordered };
    let tolerance = Tolerance::EXACT;
    let mut is_cut = false;
    let parts = mesh.primitives.iter().zip(&new.primitives);
    let all: Vec<Vec<CornerChange>> = parts
        .zip(sources)
        .zip(&change.corners)
        .map(|(((old, new), sources), ordered)| {
            let found = retriangulation::changes(sources, old, new, ordered, tolerance);
            is_cut |= found.is_some();
            found.unwrap_or_else(|| ordered.clone())
        })
        .collect();
    let is_any = all.iter().flatten().any(CornerChange::is_any);
    if is_cut && is_any {
        Cow::Owned(all)
    } else {
        ordered
    }
}

/// True if models show the same polygons in any order, because scenes may list new triangles in another order.
fn is_equal(one: &Model, other: &Model) -> bool {
    let sorted = |model: &Model| {
        let polygons = model.polygons.iter();
        let mut all: Vec<Vec<u32>> = polygons
            .map(|polygon| polygon_key(model, polygon))
            .collect();
        all.sort_unstable();
        all
    };
    one == other || sorted(one) == sorted(other)
}

/// Contents of a polygon with its material, the same for each corner that it may begin with.
fn polygon_key(model: &Model, polygon: &Polygon) -> Vec<u32> {
    fn push(words: &mut Vec<u32>, row: Option<&[f32]>) {
        words.push(row.map_or(0, |_| 1));
        words.extend(row.into_iter().flatten().map(|part| (part + 0.0).to_bits()));
    }
    let count = polygon.corners();
    let mut corners: Vec<Vec<u32>> = Vec::with_capacity(count);
    for corner in 0..count {
        let mut words = Vec::new();
        let vertex = polygon.vertex_indices.get(corner);
        let vertex = vertex.and_then(|&at| model.vertices.get(at as usize));
        let normal = polygon.normal_indices.get(corner);
        let normal = normal.and_then(|&at| model.normals.get(at as usize));
        for row in [vertex, normal, polygon.colors.get(corner)] {
            push(
                &mut words,
                row.map(|row| row.to_array())
                    .as_ref()
                    .map(<[f32; 3]>::as_slice),
            );
        }
        for layer in 0..polygon.materials.len() {
            let uv = polygon
                .uvs
                .get(layer.saturating_mul(count).saturating_add(corner));
            push(
                &mut words,
                uv.map(|uv| uv.to_array())
                    .as_ref()
                    .map(<[f32; 2]>::as_slice),
            );
        }
        corners.push(words);
    }
    let least = (0..count).min_by(|&one, &other| {
        let turned = |from: usize| corners.iter().cycle().skip(from).take(count);
        turned(one).cmp(turned(other))
    });
    let mut words: Vec<u32> = polygon
        .materials
        .iter()
        .map(|it| it.cast_unsigned())
        .collect();
    let record = &polygon.record;
    words.extend([
        polygon.flags().bits(),
        record.priority.cast_unsigned(),
        record.zone_set.0,
    ]);
    corners.rotate_left(least.unwrap_or(0));
    words.extend(corners.into_iter().flatten());
    words
}
