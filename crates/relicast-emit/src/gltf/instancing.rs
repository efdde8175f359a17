//! Replaces nodes that show the same mesh by one node with a list of transforms
//! (`EXT_mesh_gpu_instancing`). Only nodes without any other role are replaced.

use std::collections::HashMap;

use glam::Quat;
use gltf_json as json;
use serde_json::{Map, Value, json};

use super::GltfError;
use super::Part;
use super::binary::{Binary, Bounds, Section};
use super::check::has_triangles;
use super::hierarchy::unit_rotation;
use relicast_scene::extras::{Instance, InstancedNode};
use relicast_scene::model::{MeshId, Node, NodeId, Scene, Transform};

/// Smallest number of siblings that is replaced by instances.
pub(super) const FEWEST: usize = 16;

/// A scene with fewer nodes, and the instances of nodes that represent several.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) scene: Scene,
    groups: Vec<Group>,
}

/// A node that represents many.
#[derive(Debug)]
struct Group {
    node: NodeId,
    places: Vec<Transform>,
}

/// Marks nodes that have a role besides showing a mesh.
pub(super) fn needed(scene: &Scene) -> Vec<bool> {
    let mut needed: Vec<bool> = scene
        .nodes
        .iter()
        .map(|node| {
            let mesh = node.mesh.and_then(|id| scene.meshes.get(id.index()));
            let plain = mesh.is_some_and(has_triangles)
                && node.children.is_empty()
                && node.skin.is_none()
                && node.light.is_none()
                && node.camera.is_none()
                && node.instances.is_empty()
                && node.shown.is_none()
                && node.hint.is_none();
            !plain
        })
        .collect();
    let moved = scene.clips.iter().flat_map(|clip| &clip.channels);
    let joints = scene.skins.iter().flat_map(|skin| {
        let joints = skin.joints.iter().map(|(node, _)| *node);
        joints.chain(skin.skeleton)
    });
    let levels = scene.detail_groups.iter().flat_map(|group| &group.levels);
    let named = moved.map(|channel| channel.node);
    for node in named.chain(joints).chain(levels.copied()) {
        if let Some(mark) = needed.get_mut(node.index()) {
            *mark = true;
        }
    }
    needed
}

/// Groups of siblings with the same mesh that are large enough, in the order of their first nodes.
fn crowds(scene: &Scene, needed: &[bool]) -> Vec<Vec<NodeId>> {
    let mut crowds = Vec::new();
    let beside = scene.others.iter().map(|other| &other.roots);
    let lists = std::iter::once(&scene.roots)
        .chain(beside)
        .chain(scene.nodes.iter().map(|node| &node.children));
    for siblings in lists.filter(|list| list.len() >= FEWEST) {
        let mut places: HashMap<MeshId, usize> = HashMap::new();
        let first = crowds.len();
        for &sibling in siblings {
            let node = scene.nodes.get(sibling.index());
            let plain = node.filter(|_| !needed[sibling.index()]);
            let Some(mesh) = plain.and_then(|node| node.mesh) else {
                continue;
            };
            let place = *places.entry(mesh).or_insert_with(|| {
                crowds.push(Vec::new());
                crowds.len() - 1
            });
            crowds[place].push(sibling);
        }
        let mut kept = first;
        for place in first..crowds.len() {
            if crowds[place].len() >= FEWEST {
                crowds.swap(kept, place);
                kept += 1;
            }
        }
        crowds.truncate(kept);
    }
    crowds
}

/// Properties of a node that an instance list replaced.
fn facts(node: &Node) -> Instance {
    Instance {
        name: Some(node.name.clone()),
        extras: (!node.extras.is_empty()).then(|| node.extras.clone()),
    }
}

/// Returns the nodes with instances. If `merges`, siblings that only show the same mesh become one such node; names
/// and extras of all are in its `extras.instances`, in the order of the instances. `None` for a scene without either.
pub(super) fn gather(scene: &Scene, merges: bool) -> Option<Gathered> {
    let own = scene.nodes.iter().enumerate();
    let own = own.filter(|(_, node)| node.mesh.is_some() && !node.instances.is_empty());
    let mut groups: Vec<Group> = own
        .map(|(index, node)| Group {
            node: NodeId::from(index),
            places: node.instances.clone(),
        })
        .collect();
    if !merges && groups.is_empty() {
        return None;
    }
    let mut scene = scene.clone();
    let mut gone = vec![false; scene.nodes.len()];
    if merges {
        merge(&mut scene, &mut groups, &mut gone);
        leave_out(&mut scene, &gone, &mut groups);
    }
    Some(Gathered { scene, groups })
}

/// Merges siblings that only show the same mesh into one node with instances. The others are marked as `gone`.
fn merge(scene: &mut Scene, groups: &mut Vec<Group>, gone: &mut [bool]) {
    let needed = needed(scene);
    for crowd in crowds(scene, &needed) {
        let members = crowd.iter().map(|id| &scene.nodes[id.index()]);
        let places = members.clone().map(|node| node.transform).collect();
        let instances = members.map(facts).collect();
        let Some((&first, others)) = crowd.split_first() else {
            continue;
        };
        others.iter().for_each(|id| gone[id.index()] = true);
        let holder = &mut scene.nodes[first.index()];
        holder.transform = Transform::IDENTITY;
        holder.extras = InstancedNode { instances }.to_map();
        groups.push(Group {
            node: first,
            places,
        });
    }
}

/// Removes nodes that only their parent refers to.
fn leave_out(scene: &mut Scene, gone: &[bool], groups: &mut [Group]) {
    let mut numbers = Vec::with_capacity(gone.len());
    let mut next = 0_usize;
    for &gone in gone {
        numbers.push(NodeId::from(next));
        next += usize::from(!gone);
    }
    // Invalid indices remain invalid, for the checks that follow.
    let moved = |id: &mut NodeId| match numbers.get(id.index()) {
        Some(number) => *id = *number,
        None => *id = NodeId::from(next + id.index() - numbers.len()),
    };
    let stays = |id: &NodeId| gone.get(id.index()) != Some(&true);
    let beside = scene.others.iter_mut().map(|other| &mut other.roots);
    let lists = std::iter::once(&mut scene.roots)
        .chain(beside)
        .chain(scene.nodes.iter_mut().map(|node| &mut node.children));
    for list in lists {
        list.retain(stays);
        list.iter_mut().for_each(moved);
    }
    for skin in &mut scene.skins {
        skin.joints.iter_mut().for_each(|(id, _)| moved(id));
        skin.skeleton.iter_mut().for_each(moved);
    }
    let channels = scene.clips.iter_mut().flat_map(|clip| &mut clip.channels);
    channels.for_each(|channel| moved(&mut channel.node));
    let levels = scene
        .detail_groups
        .iter_mut()
        .flat_map(|group| &mut group.levels);
    levels.for_each(moved);
    groups.iter_mut().for_each(|group| moved(&mut group.node));
    let mut place = 0;
    scene.nodes.retain(|_| {
        place += 1;
        !gone[place - 1]
    });
}

impl Gathered {
    /// True if any nodes were replaced by instances.
    pub(super) fn is_any(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Nodes that have instances.
    pub(super) fn holders(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().map(|group| group.node.index())
    }

    /// Writes the transforms of instances.
    pub(super) fn write(
        &self,
        nodes: &mut [json::Node],
        binary: &mut Binary,
    ) -> Result<(), GltfError> {
        for group in &self.groups {
            let part = Part("node", group.node.index());
            let Some(node) = nodes.get_mut(group.node.index()) else {
                continue;
            };
            let mut attributes = Map::new();
            let mut give = |name: &str, accessor: json::Index<json::Accessor>| {
                attributes.insert(name.to_owned(), Value::from(accessor.value()));
            };
            let of = |field| (part, field);
            let section = Section::Instances;
            let places = &group.places;
            let rows: Vec<[f32; 3]> = places
                .iter()
                .map(|place| place.translation.to_array())
                .collect();
            let of_translation = of("translations of instances");
            give(
                "TRANSLATION",
                binary.floats(section, &rows, Bounds::Absent, of_translation)?,
            );
            if places.iter().any(|place| place.rotation != Quat::IDENTITY) {
                let rows = places.iter().map(|place| unit_rotation(place.rotation));
                let rows = rows.collect::<Option<Vec<_>>>();
                let (part, field) = of("rotations of instances");
                let rows = rows.ok_or(GltfError::NotFinite { part, field })?;
                give(
                    "ROTATION",
                    binary.floats(section, &rows, Bounds::Absent, (part, field))?,
                );
            }
            if places
                .iter()
                .any(|place| place.scale.to_array() != [1.0; 3])
            {
                let rows: Vec<[f32; 3]> =
                    places.iter().map(|place| place.scale.to_array()).collect();
                let of_scale = of("scales of instances");
                give(
                    "SCALE",
                    binary.floats(section, &rows, Bounds::Absent, of_scale)?,
                );
            }
            let extensions = node.extensions.get_or_insert_default();
            let places = json!({ "attributes": attributes });
            extensions
                .others
                .insert("EXT_mesh_gpu_instancing".to_owned(), places);
        }
        Ok(())
    }
}
