//! Models of new nodes: a model that shows their mesh already, a copy, or a new one.

use std::collections::{BTreeMap, BTreeSet};

use super::slots;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::{
    CornerChange, MeshRemake, OtherScenes, compare_shown,
};
use crate::pack::scene::compare::game_node::game_node;
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::surfaces::{self, Surface};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::SceneMesh;
use crate::pack::scene::zipper::edited_scene::EditedScene;
use crate::pack::scene::zipper::geometry::bounds::fit_sphere;
use crate::pack::scene::zipper::geometry::remake::remake;
use crate::pack::scene::zipper::tree::{Extent, GameTree};
use relicast_formats::zipper::gamez::{Model, ModelType};

/// Models for the meshes of new nodes.
pub(super) struct MeshModels<'m> {
    /// The game file without the edits.
    before: &'m GameTree,
    scene: &'m EditedScene<'m>,
    config: &'m Config,
    /// For each mesh of the original scene a node that shows it and has its model.
    shown_by: BTreeMap<usize, usize>,
    /// For each mesh of the edit the original mesh that nodes had in its place.
    known: BTreeMap<usize, usize>,
    /// Original meshes whose models the edit changes.
    changed: BTreeSet<usize>,
    /// Numbers of models that were made or copied, by edited mesh.
    made: BTreeMap<usize, usize>,
}

/// An original mesh, and an original node that shows it.
#[derive(Debug, Clone, Copy)]
struct ShownMesh {
    mesh: usize,
    node: usize,
}

impl<'m> MeshModels<'m> {
    pub(super) fn new(
        before: &'m GameTree,
        scene: &'m EditedScene<'m>,
        matches: &[Option<usize>],
        config: &'m Config,
    ) -> Self {
        let (base, edited) = (&scene.base, &scene.edited);
        let mut shown_by = BTreeMap::new();
        let mut known = BTreeMap::new();
        for (number, node) in base.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let has_model =
                game_node(base, number).is_some_and(|(index, _)| before.model_of(index).is_some());
            if has_model {
                shown_by.entry(mesh).or_insert(number);
                let twin = matches.get(number).copied().flatten();
                let twin = twin.and_then(|twin| edited.nodes.get(twin)?.mesh);
                if let Some(twin) = twin {
                    known.entry(twin).or_insert(mesh);
                }
            }
        }
        let difference = &scene.difference;
        let meshes = difference.meshes.iter().map(|it| it.old);
        Self {
            before,
            scene,
            config,
            shown_by,
            known,
            changed: meshes
                .chain(difference.remade.iter().map(|it| it.old))
                .collect(),
            made: BTreeMap::new(),
        }
    }

    /// Gives a node the model for an edited mesh. `source` is the original node that it is a copy of.
    ///
    /// # Errors
    /// The format or the file has no place for the mesh.
    pub(super) fn give(
        &mut self,
        tree: &mut GameTree,
        node: usize,
        mesh: usize,
        source: Option<usize>,
    ) -> Result<(), Refusal> {
        if let Some(&made) = self.made.get(&mesh) {
            return slots::share_model(tree, node, made);
        }
        if let Some(&old) = self.known.get(&mesh) {
            return slots::share_model(tree, node, self.slot_of(old)?);
        }
        let edit = self.scene.edited.meshes.get(mesh);
        let edit = edit.ok_or_else(|| refusal!("its mesh does not exist"))?;
        let model = match self.equal(edit, source) {
            Some(equal) if !self.changed.contains(&equal) => {
                return slots::share_model(tree, node, self.slot_of(equal)?);
            }
            Some(equal) => {
                let model = self.before.model(self.slot_of(equal)?).cloned();
                model.ok_or_else(|| refusal!("its model is missing"))?
            }
            None => self.make(edit, mesh, source)?,
        };
        self.made.insert(mesh, slots::add_model(tree, node, model)?);
        Ok(())
    }

    /// The slot of the model that an original mesh shows.
    fn slot_of(&self, mesh: usize) -> Result<usize, Refusal> {
        let node = self.shown_by.get(&mesh);
        let index = node.and_then(|&node| game_node(&self.scene.base, node));
        index
            .and_then(|(index, _)| self.before.model_of(index))
            .ok_or_else(|| refusal!("its mesh does not come from a model of the game file"))
    }

    /// Original meshes that may be the one that a mesh was copied from, the most likely first.
    fn candidates(&self, edit: &SceneMesh, source: Option<usize>) -> Vec<usize> {
        let base = &self.scene.base;
        let of_source = source.and_then(|source| base.nodes.get(source)?.mesh);
        let named = |name: &str| {
            let mut meshes = base.meshes.iter();
            meshes.position(|mesh| mesh.name == name)
        };
        let all = [of_source, named(&edit.name), named(plain_name(&edit.name))];
        let mut found: Vec<usize> = Vec::new();
        for mesh in all.into_iter().flatten() {
            if self.shown_by.contains_key(&mesh) && !found.contains(&mesh) {
                found.push(mesh);
            }
        }
        found
    }

    /// The original mesh that is equal to an edited one.
    fn equal(&self, edit: &SceneMesh, source: Option<usize>) -> Option<usize> {
        let scenes = self.scenes();
        let is_same = |candidate: &usize| {
            let old = scenes.base.meshes.get(*candidate);
            old.is_some_and(|old| is_equal(scenes, old, edit))
        };
        self.candidates(edit, source).into_iter().find(is_same)
    }

    fn scenes(&self) -> ScenePair<'_> {
        ScenePair {
            base: &self.scene.base,
            edited: &self.scene.edited,
        }
    }

    /// A new model, made from that of a similar mesh.
    fn make(&self, edit: &SceneMesh, mesh: usize, source: Option<usize>) -> Result<Model, Refusal> {
        let copied = self.candidates(edit, source).into_iter();
        let copied: Vec<ShownMesh> = copied.filter_map(|mesh| self.shown_mesh(mesh)).collect();
        let others = self.similar(edit);
        let mut reason = None;
        for like in copied.into_iter().chain(others) {
            let change = MeshRemake {
                node: like.node,
                old: like.mesh,
                new: mesh,
            };
            match remake(self.before, self.scenes(), &change, self.config) {
                Ok((_, model)) => return Ok(finished(model)),
                Err(refusal) => {
                    reason.get_or_insert(refusal);
                }
            }
        }
        Err(reason.unwrap_or_else(|| {
            refusal!("no object of this scene has a model that one for its mesh could be made like")
        }))
    }

    fn shown_mesh(&self, mesh: usize) -> Option<ShownMesh> {
        let node = *self.shown_by.get(&mesh)?;
        Some(ShownMesh { mesh, node })
    }

    /// Ordinary models, those with most materials of a mesh first.
    fn similar(&self, edit: &SceneMesh) -> impl Iterator<Item = ShownMesh> {
        let ScenePair { base, edited } = self.scenes();
        let wanted: BTreeSet<Option<usize>> = edit
            .primitives
            .iter()
            .filter_map(|part| match surfaces::of(base, edited, part) {
                Surface::Known(material) => Some(Some(material)),
                Surface::Bare => Some(None),
                Surface::Unknown(_) => None,
            })
            .collect();
        let mut found: Vec<(usize, ShownMesh)> = Vec::new();
        for &mesh in self.shown_by.keys() {
            let Some(old) = base.meshes.get(mesh) else {
                continue;
            };
            let slot = self.slot_of(mesh).ok();
            let model = slot.and_then(|slot| self.before.model(slot));
            let is_plain = model.is_some_and(|model| {
                model.record.model_type == ModelType::Default
                    && model.morphs.is_empty()
                    && model.lights.is_empty()
            });
            let is_bare = old.primitives.iter().all(|part| part.material.is_none());
            if !is_plain || (is_bare && wanted.iter().any(Option::is_some)) {
                continue;
            }
            let materials: BTreeSet<Option<usize>> =
                old.primitives.iter().map(|part| part.material).collect();
            let common = materials.intersection(&wanted).count();
            found.extend(self.shown_mesh(mesh).map(|model| (common, model)));
        }
        found.sort_by_key(|(common, model)| (std::cmp::Reverse(*common), model.mesh));
        found.into_iter().take(MOST_TRIED).map(|(_, model)| model)
    }
}

/// Most models that are tried as the pattern of a new one.
const MOST_TRIED: usize = 8;

/// True if an edited mesh shows the same as an original one.
pub(super) fn is_equal(scenes: ScenePair<'_>, old: &SceneMesh, edit: &SceneMesh) -> bool {
    let corners = compare_shown(scenes, old, edit, Tolerance::EXACT, OtherScenes::Refuse);
    let Ok(Some(corners)) = corners else {
        return false;
    };
    !corners.iter().flatten().any(CornerChange::is_any) && has_same_surfaces(scenes, old, edit)
}

/// True if the primitives of an edited mesh have the materials of the original ones.
fn has_same_surfaces(
    ScenePair { base, edited }: ScenePair<'_>,
    old: &SceneMesh,
    edit: &SceneMesh,
) -> bool {
    let parts =
        |mesh: &SceneMesh,
         of: &dyn Fn(&crate::pack::scene::file::ScenePrimitive) -> Option<usize>| {
            let mut all: Vec<(Option<usize>, usize)> = mesh
                .primitives
                .iter()
                .map(|part| (of(part), part.positions.len()))
                .collect();
            all.sort_unstable();
            all
        };
    let known =
        |part: &crate::pack::scene::file::ScenePrimitive| match surfaces::of(base, edited, part) {
            Surface::Known(material) => Some(material),
            Surface::Bare => None,
            Surface::Unknown(_) => Some(usize::MAX),
        };
    parts(old, &|part| part.material) == parts(edit, &known)
}

/// A model with a sphere of its own.
fn finished(mut model: Model) -> Model {
    if let Some(extent) = Extent::of_model(&model) {
        fit_sphere(&mut model.record, extent);
    }
    model
}
