//! Joins the rigid meshes of a hierarchy to one mesh that its nodes move as joints.
//!
//! Every vertex follows one node. Each root gets a mesh of its own, with vertices at their rest positions, so
//! appearance and movements are unchanged.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use glam::{DAffine3, DMat3, DMat4, DVec3};

use super::{Mesh, MeshId, Node, NodeId, Primitive, Scene, Skin};

/// Largest number of joints of a skin, because each vertex stores its joint in 16 bits.
const MAX_JOINTS: usize = 1 << 16;

/// Result of binding the meshes of a scene.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bound {
    /// Number of nodes whose mesh became part of a skin.
    pub bound: usize,
    /// Number of nodes with their own mesh, because it has morph targets or their matrix has no inverse.
    pub left: usize,
}

/// Binds the meshes below each root of a scene to their nodes, one skin a root.
pub fn bind_meshes(scene: &mut Scene) -> Bound {
    let mut below: HashMap<NodeId, usize> = HashMap::new();
    for (place, &root) in scene.roots.iter().enumerate() {
        below.insert(root, place);
    }
    // Parents come first, so that a node's root is known when it is reached.
    let mut places: Vec<Vec<(NodeId, DMat4)>> = vec![Vec::new(); scene.roots.len()];
    scene.visit(|id, matrix| {
        let Some(&place) = below.get(&id) else {
            return;
        };
        if let Some(list) = places.get_mut(place) {
            list.push((id, *matrix));
        }
        let children = scene.nodes[id.index()].children.iter();
        below.extend(children.map(|&child| (child, place)));
    });
    let mut result = Bound::default();
    for nodes in places {
        bind(scene, &nodes, &mut result);
    }
    result
}

/// The matrix of a node without its last row, and its inverse; `None` without an inverse.
fn invertible(matrix: &DMat4) -> Option<(DAffine3, DAffine3)> {
    let affine = DAffine3::from_mat4(*matrix);
    let determinant = affine.matrix3.determinant();
    let usable = determinant.is_finite() && determinant.abs() > 1e-12;
    let inverse = usable.then(|| affine.inverse())?;
    (affine.is_finite() && inverse.is_finite()).then_some((affine, inverse))
}

/// Binds the meshes of the nodes below one root.
fn bind(scene: &mut Scene, nodes: &[(NodeId, DMat4)], result: &mut Bound) {
    let mut joints: Vec<(NodeId, DMat4)> = Vec::new();
    let mut carried: Vec<(NodeId, MeshId, usize, DAffine3)> = Vec::new();
    for (id, matrix) in nodes {
        let node = &scene.nodes[id.index()];
        let mesh = node.mesh.filter(|_| node.skin.is_none());
        let bends = mesh
            .and_then(|mesh| scene.meshes.get(mesh.index()))
            .is_some_and(|mesh| !mesh.morph_targets.is_empty());
        let Some((affine, inverse)) = invertible(matrix).filter(|_| joints.len() < MAX_JOINTS)
        else {
            result.left += usize::from(mesh.is_some());
            continue;
        };
        joints.push((*id, DMat4::from(inverse)));
        match mesh {
            Some(_) if bends => result.left += 1,
            Some(mesh) => carried.push((*id, mesh, joints.len() - 1, affine)),
            None => {}
        }
    }
    if carried.is_empty() {
        return;
    }
    let mut merged = Merged::default();
    for &(id, mesh, joint, affine) in &carried {
        if let Some(mesh) = scene.meshes.get(mesh.index()) {
            for primitive in &mesh.primitives {
                merged.add(primitive, joint, &affine);
            }
        }
        scene.nodes[id.index()].mesh = None;
        result.bound += 1;
    }
    let root = nodes.first().map(|(root, _)| *root);
    let name = root.map_or_else(String::new, |root| {
        format!("{}_skin", scene.nodes[root.index()].name)
    });
    let mesh = scene.add_mesh(Mesh {
        name: name.clone(),
        primitives: merged.primitives,
        ..Mesh::default()
    });
    let skin = scene.add_skin(Skin {
        name: name.clone(),
        joints,
        skeleton: root,
        ..Skin::default()
    });
    let node = scene.add_node(Node {
        name,
        mesh: Some(mesh),
        skin: Some(skin),
        ..Node::default()
    });
    scene.roots.push(node);
}

/// Primitives of one material each, in the order of the materials.
#[derive(Default)]
struct Merged {
    primitives: Vec<Primitive>,
    places: BTreeMap<String, usize>,
}

impl Merged {
    fn add(&mut self, primitive: &Primitive, joint: usize, affine: &DAffine3) {
        let key = format!(
            "{:?}",
            (
                primitive.material,
                &primitive.variants,
                &primitive.extras,
                primitive.uvs.len(),
                primitive.colors.is_empty(),
                primitive.normals.is_empty(),
                primitive.keep_unused_uvs,
                primitive.topology,
            )
        );
        let primitives = &mut self.primitives;
        let place = *self.places.entry(key).or_insert_with(|| {
            primitives.push(Primitive {
                material: primitive.material,
                variants: primitive.variants.clone(),
                extras: primitive.extras.clone(),
                uvs: Arc::new(vec![Vec::new(); primitive.uvs.len()]),
                keep_unused_uvs: primitive.keep_unused_uvs,
                topology: primitive.topology,
                ..Primitive::default()
            });
            primitives.len() - 1
        });
        let Some(merged) = self.primitives.get_mut(place) else {
            return;
        };
        let start = u32::try_from(merged.positions.len()).unwrap_or(u32::MAX);
        let turned: DMat3 = affine.matrix3.inverse().transpose();
        Arc::make_mut(&mut merged.positions).extend(primitive.positions.iter().map(|&at| {
            let at = affine.transform_point3(DVec3::from_array(at.map(f64::from)));
            at.to_array().map(|part| part as f32)
        }));
        Arc::make_mut(&mut merged.normals).extend(primitive.normals.iter().map(|&normal| {
            let wide = DVec3::from_array(normal.map(f64::from));
            let turned = (turned * wide).try_normalize();
            turned.map_or(normal, |turned| turned.to_array().map(|part| part as f32))
        }));
        for (merged, uvs) in Arc::make_mut(&mut merged.uvs)
            .iter_mut()
            .zip(&*primitive.uvs)
        {
            merged.extend_from_slice(uvs);
        }
        merged.colors.extend_from_slice(&primitive.colors);
        let joint = u16::try_from(joint).unwrap_or(u16::MAX);
        let count = primitive.positions.len();
        merged
            .joints
            .resize(merged.joints.len() + count, [joint, 0, 0, 0]);
        let weights = merged.weights.len() + count;
        merged.weights.resize(weights, [1.0, 0.0, 0.0, 0.0]);
        // A mirrored node shows its triangles from the other side.
        let mirrored = affine.matrix3.determinant() < 0.0;
        let corners = primitive.topology.corners();
        let indices = Arc::make_mut(&mut merged.indices);
        for shape in primitive.indices.chunks_exact(corners) {
            let from = indices.len();
            let shifted = shape.iter().map(|&corner| start.saturating_add(corner));
            indices.extend(shifted);
            if let (true, Some([_, second, third])) = (mirrored, indices.get_mut(from..)) {
                std::mem::swap(second, third);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::{MorphTarget, Transform};

    fn triangle() -> Mesh {
        Mesh {
            primitives: vec![Primitive {
                positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into(),
                normals: vec![[0.0, 0.0, 1.0]; 3].into(),
                indices: vec![0, 1, 2].into(),
                ..Primitive::default()
            }],
            ..Mesh::default()
        }
    }

    #[test]
    fn vertices_are_where_their_nodes_put_them() {
        let mut scene = Scene::default();
        let mesh = scene.add_mesh(triangle());
        let child = scene.add_node(Node {
            transform: Transform {
                translation: Vec3::X,
                rotation: Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
                scale: Vec3::new(2.0, 1.0, -1.0),
            },
            mesh: Some(mesh),
            ..Node::default()
        });
        let root = scene.add_node(Node {
            name: "mech".to_owned(),
            transform: Transform::from_translation(Vec3::Y),
            children: vec![child],
            mesh: Some(mesh),
            ..Node::default()
        });
        scene.roots.push(root);
        let before = scene.bounds();
        assert_eq!(bind_meshes(&mut scene), Bound { bound: 2, left: 0 });
        assert_eq!(scene.bounds(), before);
        let skinned = scene.nodes.last().unwrap();
        assert_eq!(skinned.name, "mech_skin");
        let mesh = &scene.meshes[skinned.mesh.unwrap().index()];
        let [merged] = &*mesh.primitives else {
            panic!("one surface")
        };
        assert_eq!(merged.joints[0], [0; 4]);
        assert_eq!(merged.joints[3], [1, 0, 0, 0]);
        assert_eq!(merged.positions[4], [-1.0, 1.0, 0.0]);
        // Mirrored along z and turned about y: the front is still on the side of the normals.
        assert_eq!(merged.normals[3], [0.0, 0.0, 1.0]);
        assert_eq!(*merged.indices, [0, 1, 2, 3, 5, 4]);
        let skin = &scene.skins[skinned.skin.unwrap().index()];
        let (joint, inverse) = &skin.joints[1];
        assert_eq!(*joint, child);
        let back = inverse.transform_point3(DVec3::new(-1.0, 1.0, 0.0));
        assert!((back - DVec3::X).length() < 1e-12);
    }

    #[test]
    fn what_bends_or_is_flat_stays() {
        let mut scene = Scene::default();
        let mut bending = triangle();
        bending.morph_targets.push(MorphTarget::default());
        let bending = scene.add_mesh(bending);
        let flat = scene.add_mesh(triangle());
        for (mesh, scale) in [(bending, Vec3::ONE), (flat, Vec3::ZERO)] {
            let root = scene.add_node(Node {
                transform: Transform {
                    scale,
                    ..Transform::IDENTITY
                },
                mesh: Some(mesh),
                ..Node::default()
            });
            scene.roots.push(root);
        }
        let before = scene.clone();
        assert_eq!(bind_meshes(&mut scene), Bound { bound: 0, left: 2 });
        assert_eq!(scene, before);
    }
}
