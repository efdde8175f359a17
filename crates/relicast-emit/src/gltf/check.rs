//! Finds the elements of a scene that are used, and checks its references.

use std::collections::HashSet;

use super::{GltfError, Part};
use relicast_scene::model::{Mesh, Node, Scene, Transform};

/// Elements of one kind that are used, in the order of the scene, and their indices in the file.
#[derive(Debug)]
pub(super) struct Subset {
    list: Vec<u32>,
    places: Vec<Option<u32>>,
}

impl Subset {
    fn new(marks: &[bool]) -> Self {
        let mut list = Vec::new();
        let mut places = Vec::with_capacity(marks.len());
        for (id, &marked) in (0_u32..).zip(marks) {
            places.push(marked.then_some(list.len() as u32));
            if marked {
                list.push(id);
            }
        }
        Self { list, places }
    }

    /// Indices of the used elements.
    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Index of an element of the scene in the file; `None` if it is unused.
    pub(super) fn place(&self, id: u32) -> Option<u32> {
        self.places.get(id as usize).copied().flatten()
    }
}

/// Elements of a scene that are written. All nodes are, with their own indices.
#[derive(Debug)]
pub(super) struct Used {
    pub(super) meshes: Subset,
    pub(super) skins: Subset,
    pub(super) materials: Subset,
    pub(super) textures: Subset,
    pub(super) lights: Subset,
    pub(super) cameras: Subset,
    pub(super) variants: Subset,
}

/// Marks of used elements, by kind.
struct Marks {
    kind: &'static str,
    marks: Vec<bool>,
}

impl Marks {
    fn new(kind: &'static str, length: usize) -> Self {
        Self {
            kind,
            marks: vec![false; length],
        }
    }

    fn mark(&mut self, holder: Part, id: Option<u32>) -> Result<(), GltfError> {
        let Some(id) = id else {
            return Ok(());
        };
        let target = Part(self.kind, id as usize);
        *self
            .marks
            .get_mut(id as usize)
            .ok_or(GltfError::Missing { holder, target })? = true;
        Ok(())
    }

    fn subset(&self) -> Subset {
        Subset::new(&self.marks)
    }
}

/// True if a mesh has a triangle. A mesh without one is left out.
pub(super) fn has_triangles(mesh: &Mesh) -> bool {
    mesh.primitives
        .iter()
        .any(|primitive| !primitive.indices.is_empty())
}

impl Used {
    pub(super) fn new(scene: &Scene, has_variants: bool) -> Result<Self, GltfError> {
        let parents = parents(scene)?;
        let mut meshes = Marks::new("mesh", scene.meshes.len());
        let mut skins = Marks::new("skin", scene.skins.len());
        let mut lights = Marks::new("light", scene.lights.len());
        let mut cameras = Marks::new("camera", scene.cameras.len());
        for (index, node) in scene.nodes.iter().enumerate() {
            let holder = Part("node", index);
            meshes.mark(holder, node.mesh.map(|id| id.0))?;
            lights.mark(holder, node.light.map(|id| id.0))?;
            cameras.mark(holder, node.camera.map(|id| id.0))?;
            let shown = node.mesh.and_then(|id| scene.meshes.get(id.index()));
            if shown.is_some_and(has_triangles) {
                skins.mark(holder, node.skin.map(|id| id.0))?;
                check_skinned(scene, node, holder, parents[index])?;
            }
        }
        for (mark, mesh) in meshes.marks.iter_mut().zip(&scene.meshes) {
            *mark &= has_triangles(mesh);
        }
        let mut materials = Marks::new("material", scene.materials.len());
        let mut variants = Marks::new("variant", scene.variants.len());
        let meshes = meshes.subset();
        for &id in meshes.list() {
            let holder = Part("mesh", id as usize);
            let primitives = &scene.meshes[id as usize].primitives;
            for primitive in primitives.iter().filter(|part| !part.indices.is_empty()) {
                materials.mark(holder, primitive.material.map(|id| id.0))?;
                for mapping in primitive.variants.iter().filter(|_| has_variants) {
                    materials.mark(holder, Some(mapping.material.0))?;
                    variants.mark(holder, Some(mapping.variant.0))?;
                }
            }
        }
        let mut textures = Marks::new("texture", scene.textures.len());
        let materials = materials.subset();
        for &id in materials.list() {
            for texture in scene.materials[id as usize].textures() {
                textures.mark(Part("material", id as usize), Some(texture.texture.0))?;
            }
        }
        for kept in &scene.kept_textures {
            textures.mark(Part("scene", 0), Some(kept.0))?;
        }
        let skins = skins.subset();
        for &id in skins.list() {
            check_joints(scene, id as usize, &parents)?;
        }
        Ok(Self {
            meshes,
            skins,
            materials,
            textures: textures.subset(),
            lights: lights.subset(),
            cameras: cameras.subset(),
            variants: variants.subset(),
        })
    }
}

/// Returns the parent of each node, or itself for roots. Every node is reached exactly once.
fn parents(scene: &Scene) -> Result<Vec<usize>, GltfError> {
    let mut parents: Vec<Option<usize>> = vec![None; scene.nodes.len()];
    let mut adopt = |holder: Part, child: usize, parent: usize| {
        let target = Part("node", child);
        let slot = parents
            .get_mut(child)
            .ok_or(GltfError::Missing { holder, target })?;
        if slot.replace(parent).is_some() {
            return Err(GltfError::SeveralParents(target));
        }
        Ok(())
    };
    let mut pending = Vec::new();
    let beside = scene.others.iter().map(|other| &other.roots);
    for (place, roots) in std::iter::once(&scene.roots).chain(beside).enumerate() {
        for root in roots.iter().map(|root| root.index()) {
            adopt(Part("scene", place), root, root)?;
            pending.push(root);
        }
    }
    while let Some(parent) = pending.pop() {
        for child in scene.nodes[parent]
            .children
            .iter()
            .map(|child| child.index())
        {
            adopt(Part("node", parent), child, parent)?;
            pending.push(child);
        }
    }
    let reached = parents.iter().enumerate();
    reached
        .map(|(index, parent)| parent.ok_or(GltfError::Unreached(Part("node", index))))
        .collect()
}

/// Checks a skinned mesh. Its joints place it: its node must not be moved, and every vertex needs
/// existing joints.
fn check_skinned(scene: &Scene, node: &Node, part: Part, parent: usize) -> Result<(), GltfError> {
    let (Some(mesh_id), Some(skin_id)) = (node.mesh, node.skin) else {
        return Ok(());
    };
    if parent != part.1 || node.transform != Transform::IDENTITY {
        return Err(GltfError::SkinnedPlace(part));
    }
    let joints = scene.skins[skin_id.index()].joints.len();
    let mesh = Part("mesh", mesh_id.index());
    for primitive in &scene.meshes[mesh_id.index()].primitives {
        let expected = primitive.positions.len();
        for (field, found) in [
            ("joints", primitive.joints.len()),
            ("weights", primitive.weights.len()),
        ] {
            if found != expected {
                return Err(GltfError::Length {
                    part: mesh,
                    field,
                    expected,
                    found,
                });
            }
        }
        if primitive
            .joints
            .iter()
            .flatten()
            .any(|&joint| usize::from(joint) >= joints)
        {
            return Err(GltfError::OutOfRange {
                part: mesh,
                field: "joints",
                rule: "each must be a joint of the skin",
            });
        }
    }
    Ok(())
}

/// Checks that all joints exist, each once, below one root, and below the skeleton if one is named.
fn check_joints(scene: &Scene, id: usize, parents: &[usize]) -> Result<(), GltfError> {
    let skin = &scene.skins[id];
    let part = Part("skin", id);
    if skin.joints.is_empty() {
        return Err(GltfError::Joints(part));
    }
    let skeleton = skin.skeleton.map(|node| node.index());
    // Each node stores its root, so that long chains are not climbed for each joint.
    let mut tops: Vec<Option<usize>> = vec![None; parents.len()];
    let mut top = |start: usize| {
        let mut node = start;
        let end = loop {
            match tops[node] {
                Some(known) => break known,
                None if Some(node) == skeleton || parents[node] == node => break node,
                None => node = parents[node],
            }
        };
        let mut node = start;
        while tops[node].replace(end).is_none() && node != end {
            node = parents[node];
        }
        end
    };
    let mut distinct = HashSet::new();
    let mut common = skeleton;
    for joint in skin.joints.iter().map(|(joint, _)| joint.index()) {
        let target = Part("node", joint);
        if joint >= parents.len() {
            return Err(GltfError::Missing {
                holder: part,
                target,
            });
        }
        if !distinct.insert(joint) {
            return Err(GltfError::Twice {
                holder: part,
                target,
            });
        }
        if top(joint) != *common.get_or_insert(top(joint)) {
            return Err(GltfError::Joints(part));
        }
    }
    Ok(())
}
