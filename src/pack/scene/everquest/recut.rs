//! Meshes whose triangles changed.

use std::collections::BTreeSet;

use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::compare_meshes;
use crate::pack::scene::compare::matching::Matches;
use crate::pack::scene::compare::surfaces::{self, Surface};
use crate::pack::scene::compare::tolerance::Tolerance;
use crate::pack::scene::file::{SceneFile, SceneMesh, ScenePrimitive};

/// A mesh whose triangles changed.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) struct Recut {
    /// An original node that shows it.
    pub node: usize,
    /// The number of the original mesh.
    pub base: usize,
    /// The number of the edited mesh.
    pub edited: usize,
    /// The edited mesh.
    pub mesh: SceneMesh,
    /// Reason why its corners do not match the original ones.
    pub reason: Refusal,
}

/// Finds meshes whose triangles changed, or have other surfaces.
/// Replaces them in the edit by the originals, for all other comparisons.
///
/// # Errors
/// Nodes that share such a mesh, before or now, do not agree.
pub(super) fn find(
    base: &SceneFile,
    edited: &mut SceneFile,
    matches: &Matches,
) -> Result<Vec<Recut>, Refusal> {
    let mut seen = BTreeSet::new();
    let mut recut: Vec<Recut> = Vec::new();
    for (node, other) in matches.iter().enumerate() {
        let mesh = |file: &SceneFile, node: Option<usize>| file.nodes.get(node?)?.mesh;
        let (Some(old), Some(new)) = (mesh(base, Some(node)), mesh(edited, *other)) else {
            continue;
        };
        let (Some(before), Some(after)) = (base.meshes.get(old), edited.meshes.get(new)) else {
            continue;
        };
        if !seen.insert((old, new)) {
            continue;
        }
        let same_material = |old: usize, new: usize| {
            let parts = (before.primitives.get(old), after.primitives.get(new));
            let (Some(old), Some(new)) = parts else {
                return true;
            };
            match surfaces::of(base, edited, new) {
                Surface::Known(place) => old.material == Some(place),
                Surface::Bare => old.material.is_none(),
                Surface::Unknown(_) => false,
            }
        };
        let compared = compare_meshes(before, after, Tolerance::EXACT, &same_material);
        if let Err(reason) = compared {
            recut.push(Recut {
                node,
                base: old,
                edited: new,
                mesh: after.clone(),
                reason,
            });
        }
    }
    for one in &recut {
        let agrees = |&(old, new): &(usize, usize)| (old == one.base) == (new == one.edited);
        if !seen.iter().all(agrees) {
            refuse!(
                "mesh {}: nodes that shared it now show different meshes",
                one.mesh.name
            );
        }
        let before = base.meshes.get(one.base);
        if let (Some(place), Some(before)) = (edited.meshes.get_mut(one.edited), before) {
            *place = before.clone();
        }
    }
    Ok(recut)
}

/// Material assignment of the triangles of a primitive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MaterialAssignment {
    /// Index in the original scene; that of a new one in the edit, behind these.
    pub material: Option<usize>,
    /// True when they stop movement.
    pub is_solid: bool,
}

impl MaterialAssignment {
    /// Reads the material assignment of a primitive; `base` is the original scene.
    ///
    /// # Errors
    /// It has a material that its file does not have.
    pub(super) fn new(
        base: &SceneFile,
        file: &SceneFile,
        part: &ScenePrimitive,
    ) -> Result<Self, Refusal> {
        let material = match surfaces::of(base, file, part) {
            Surface::Known(place) => Some(place),
            Surface::Bare => None,
            Surface::Unknown(name) => {
                let number = part.material.filter(|&it| it < file.materials.len());
                Some(number.ok_or_else(|| refusal!("a primitive of it has a material {name}"))?)
            }
        };
        Ok(Self {
            material,
            is_solid: is_solid(part),
        })
    }
}

/// True when what is drawn stops movement.
pub(super) fn is_solid(part: &ScenePrimitive) -> bool {
    part.extras["everquest"]["solid"].as_bool().unwrap_or(true)
}
