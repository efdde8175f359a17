//! Solid surfaces: nodes whose names make Godot treat them as solid, and volumes of collision.

use std::collections::BTreeMap;
use std::sync::Arc;

use relicast_formats::everquest::wld::{Body, FragmentRef, Wld};
use relicast_scene::model::{
    Channel, Mesh, MeshId, NameHint, Node, NodeId, Primitive, Scene, Track,
};

use super::space;

/// True if a primitive stops movement.
fn is_solid(primitive: &Primitive) -> bool {
    !primitive.is_passable
}

/// Moves the passable part out of a mesh that has both; `None` for other meshes.
fn split(mesh: &mut Mesh) -> Option<Mesh> {
    let passable = mesh
        .primitives
        .iter()
        .filter(|primitive| !is_solid(primitive))
        .count();
    if passable == 0 || passable == mesh.primitives.len() {
        return None;
    }
    let all = std::mem::take(&mut mesh.primitives);
    let (solid, passable) = all.into_iter().partition(is_solid);
    let other = Mesh {
        name: format!("{}_passable", mesh.name),
        primitives: passable,
        ..mesh.clone()
    };
    mesh.primitives = solid;
    Some(other)
}

/// Marks nodes whose meshes stop movement, so that Godot makes them solid. A mesh that only does so in part
/// is split: its passable part goes to a child node.
pub(super) fn name(scene: &mut Scene) {
    let mut passable: BTreeMap<usize, MeshId> = BTreeMap::new();
    for index in 0..scene.meshes.len() {
        if let Some(other) = scene.meshes.get_mut(index).and_then(split) {
            passable.insert(index, scene.add_mesh(other));
        }
    }
    for index in 0..scene.nodes.len() {
        let node = &scene.nodes[index];
        let (Some(mesh), None) = (node.mesh, node.skin) else {
            continue;
        };
        let solid = scene.meshes.get(mesh.index());
        if !solid.is_some_and(|mesh| mesh.primitives.iter().all(is_solid)) {
            continue;
        }
        let name = format!("{}_passable", node.name);
        scene.nodes[index].hint = Some(NameHint::Solid);
        if let Some(&mesh) = passable.get(&mesh.index()) {
            let child = scene.add_node(Node {
                name,
                mesh: Some(mesh),
                ..Node::default()
            });
            let above = NodeId::from(index);
            scene.add_child(above, child);
            copy_morph_animation(scene, above, child);
        }
    }
}

/// Copies the morph animation of one node to another.
fn copy_morph_animation(scene: &mut Scene, like: NodeId, node: NodeId) {
    for clip in &mut scene.clips {
        let same = clip.channels.iter().filter(|channel| channel.node == like);
        let bending = same.filter(|channel| matches!(channel.track, Track::Weights(_)));
        let added = bending.map(|channel| Channel {
            node,
            ..channel.clone()
        });
        let added: Vec<Channel> = added.collect();
        clip.channels.extend(added);
    }
}

/// The collision volume of a reference, as a mesh without material. The winding of its faces is
/// assumed to be that of meshes.
pub(super) fn volume(wld: &Wld<'_>, reference: FragmentRef, name: &str) -> Option<Mesh> {
    let Body::Polyhedron(instance) = &wld.get(reference)?.body else {
        return None;
    };
    let Body::PolyhedronDefinition(stored) = &wld.get(instance.definition)?.body else {
        return None;
    };
    let factors = [instance.scale, stored.scale];
    let scale: f32 = factors.iter().flatten().map(|scale| scale.get()).product();
    let positions = stored.vertices.iter().map(|vertex| {
        let [x, y, z] = space::vector(vertex.to_array());
        [x * scale, y * scale, z * scale]
    });
    let positions: Vec<[f32; 3]> = positions.collect();
    if !positions.as_flattened().iter().all(|part| part.is_finite()) {
        return None;
    }
    let mut indices = Vec::new();
    for face in &stored.faces {
        let exist = |&corner: &u32| (corner as usize) < positions.len();
        if let [first, rest @ ..] = &*face.vertices
            && face.vertices.iter().all(exist)
        {
            let pairs = rest.windows(2);
            indices.extend(pairs.flat_map(|pair| space::triangle([*first, pair[0], pair[1]])));
        }
    }
    (!indices.is_empty()).then(|| Mesh {
        name: format!("{name}_collision"),
        primitives: vec![Primitive {
            positions: Arc::new(positions),
            indices: Arc::new(indices),
            ..Primitive::default()
        }],
        ..Mesh::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(solid: bool) -> Primitive {
        Primitive {
            is_passable: !solid,
            ..Primitive::default()
        }
    }

    #[test]
    fn solid_parts_are_named_and_the_others_are_separate() {
        let mut scene = Scene::default();
        for (name, parts) in [
            ("wall", vec![part(true), part(true)]),
            ("tree", vec![part(true), part(false)]),
            ("leaf", vec![part(false)]),
        ] {
            let mesh = scene.add_mesh(Mesh {
                name: name.to_owned(),
                primitives: parts,
                ..Mesh::default()
            });
            scene.add_node(Node {
                name: name.to_owned(),
                mesh: Some(mesh),
                ..Node::default()
            });
        }
        name(&mut scene);
        let seen: Vec<_> = scene
            .nodes
            .iter()
            .map(|node| {
                let mesh = &scene.meshes[node.mesh.unwrap().index()];
                (&*node.name, node.hint.is_some(), mesh.primitives.len())
            })
            .collect();
        let expected = [
            ("wall", true, 2),
            ("tree", true, 1),
            ("leaf", false, 1),
            ("tree_passable", false, 1),
        ];
        assert_eq!(seen, expected);
        assert_eq!(scene.nodes[1].children.len(), 1);
    }
}
