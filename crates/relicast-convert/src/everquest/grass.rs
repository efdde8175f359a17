//! Cards of grass in the scene of a zone: `ZONE.dat`.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use relicast_formats::everquest::grass::{self, Card};
use relicast_limits as limits;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Material, Mesh, MeshId, Node, NodeId, Primitive, Scene, Transform};

use super::mesh::primitive_extras;
use super::scene_builder::Layers;
use super::space;

/// Color of a card, because only the number of its picture is known: green, linear.
const GREEN: [f32; 4] = [0.08, 0.2, 0.04, 1.0];

/// Adds a node for each card; cards with the same picture share a mesh, so that they can be instances.
pub(super) fn add(bytes: &[u8], root: NodeId, layers: &mut Layers<'_, '_>) {
    let Ok(decoded) = grass::decode(bytes) else {
        return;
    };
    let scene = &mut layers.main.scene;
    let mut by_picture: BTreeMap<u32, Vec<&Card>> = BTreeMap::new();
    for card in &decoded.value.cards {
        by_picture.entry(card.picture).or_default().push(card);
    }
    if by_picture.is_empty() {
        return;
    }
    let above = scene.add_node(Node {
        name: "grass".to_owned(),
        ..Node::default()
    });
    scene.add_child(root, above);
    for (picture, cards) in by_picture {
        let mesh = card_mesh(picture, scene);
        let facts = everquest::Node {
            picture: Some(picture),
            ..everquest::Node::default()
        };
        let group = scene.add_node(Node {
            name: format!("grass_{picture}"),
            extras: facts.extras(),
            ..Node::default()
        });
        scene.add_child(above, group);
        for card in cards {
            limits::check();
            let node = scene.add_node(Node {
                name: format!("grass_{picture}"),
                transform: place(card),
                mesh: Some(mesh),
                ..Node::default()
            });
            scene.add_child(group, node);
        }
    }
}

/// A card one unit wide and high, with its foot along X and centered at the origin.
fn card_mesh(picture: u32, scene: &mut Scene) -> MeshId {
    let name = format!("grass_{picture}");
    let material = scene.add_material(Material {
        name: name.clone(),
        base_color: GREEN,
        double_sided: true,
        ..Material::default()
    });
    let primitive = Primitive {
        positions: Arc::new(vec![
            [-0.5, 0.0, 0.0],
            [0.5, 0.0, 0.0],
            [0.5, 1.0, 0.0],
            [-0.5, 1.0, 0.0],
        ]),
        normals: Arc::new(vec![[0.0, 0.0, 1.0]; 4]),
        uvs: Arc::new(vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]]),
        indices: Arc::new(vec![0, 1, 2, 0, 2, 3]),
        material: Some(material),
        keep_unused_uvs: true,
        is_passable: true,
        extras: primitive_extras(false),
        ..Primitive::default()
    };
    scene.add_mesh(Mesh {
        name,
        primitives: vec![primitive],
        ..Mesh::default()
    })
}

/// Transform to a position between the ends of the foot, which follows the ground.
fn place(card: &Card) -> Transform {
    let [start, end] =
        [card.start, card.end].map(|end| Vec3::from_array(space::vector(end.to_array())));
    let along = end - start;
    let right = along.normalize_or(Vec3::X);
    let front = right.cross(Vec3::Y).normalize_or(Vec3::Z);
    let turned = Mat3::from_cols(right, front.cross(right), front);
    Transform {
        translation: (start + end) / 2.0,
        rotation: Quat::from_mat3(&turned),
        scale: Vec3::new(along.length(), card.height.get(), 1.0),
    }
}
