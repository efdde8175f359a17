//! How data lies in the buffer: importers copy the whole view of every accessor.

use std::collections::BTreeMap;

use glam::DVec3;
use relicast::emit::gltf::Container;
use relicast::scene::model::{Node, Scene, specimen};
use relicast_testing::test;

use super::read_back;

/// Meshes of the crowd, each with data of its own; some are larger than any view that is shared.
const MESHES: u16 = 300;

/// Bytes of a view beyond which it belongs to one accessor.
const MOST_SHARED: u64 = 4 << 10;

/// Many meshes that have nothing in common.
pub fn many_meshes() -> Scene {
    let mut scene = specimen::scene();
    let model = scene.meshes[0].clone();
    for number in 1..MESHES {
        let mut mesh = model.clone();
        let repeats: u16 = if number % 50 == 0 { 400 } else { 1 };
        for primitive in &mut mesh.primitives {
            let original = primitive.clone();
            for copy in 1..repeats {
                let base = primitive.positions.len() as u32;
                let moved = |[x, y, z]: &[f32; 3]| [*x, *y + f32::from(copy), *z];
                primitive
                    .positions
                    .extend(original.positions.iter().map(moved));
                primitive.normals.extend_from_slice(&original.normals);
                for (uvs, original) in primitive.uvs.iter_mut().zip(&original.uvs) {
                    uvs.extend_from_slice(original);
                }
                primitive.colours.extend_from_slice(&original.colours);
                let indices = original.indices.iter().map(|index| index + base);
                primitive.indices.extend(indices);
            }
            for place in &mut primitive.positions {
                place[2] += f32::from(number);
            }
        }
        mesh.name = format!("mesh {number}");
        let mesh = scene.add_mesh(mesh);
        let node = scene.add_node(Node {
            name: format!("node {number}"),
            mesh: Some(mesh),
            ..Node::default()
        });
        scene.roots.push(node);
    }
    scene
}

/// The corners of all triangles as bits, in order.
fn corners(triangles: impl Iterator<Item = [DVec3; 3]>) -> BTreeMap<[[u64; 3]; 3], usize> {
    let mut found = BTreeMap::new();
    for triangle in triangles {
        let bits = triangle.map(|corner| corner.to_array().map(|value| (value + 0.0).to_bits()));
        *found.entry(bits).or_default() += 1;
    }
    found
}

#[test]
fn long_views_belong_to_one_accessor_and_short_ones_are_shared() {
    for container in [Container::Gltf, Container::Glb] {
        let file = read_back(&many_meshes(), container);
        let mut users: BTreeMap<usize, usize> = BTreeMap::new();
        for accessor in file.document.accessors() {
            let view = accessor.view().unwrap();
            *users.entry(view.index()).or_default() += 1;
            let end = accessor.offset() + accessor.count() * accessor.size();
            assert!(end <= view.length(), "accessor {}", accessor.index());
        }
        let (mut long, mut shared) = (0, 0);
        for view in file.document.views() {
            let users = users.get(&view.index()).copied().unwrap_or_default();
            assert!(view.length() as u64 <= MOST_SHARED || users <= 1, "{users}");
            assert_eq!(view.offset() % 4, 0);
            long += usize::from(view.length() as u64 > MOST_SHARED);
            shared += usize::from(users > 1);
        }
        assert!(long > 0 && shared > 0, "{long} {shared}");
        assert!(file.document.views().len() * 4 < file.document.accessors().len());
    }
}

#[test]
fn data_in_many_views_is_the_data_of_the_scene() {
    let scene = many_meshes();
    let file = read_back(&scene, Container::Gltf);
    let found = corners(
        file.triangles()
            .into_iter()
            .map(|corners| corners.map(|(place, _)| place)),
    );
    let nodes = scene
        .nodes
        .iter()
        .filter(|node| node.name.starts_with("node "));
    let expected = nodes.flat_map(|node| {
        let mesh = &scene.meshes[node.mesh.unwrap().index()];
        mesh.primitives.iter().flat_map(|primitive| {
            primitive.indices.chunks_exact(3).map(|triangle| {
                let place = |corner: usize| {
                    DVec3::from(primitive.positions[triangle[corner] as usize].map(f64::from))
                };
                [place(0), place(1), place(2)]
            })
        })
    });
    for (corners, count) in corners(expected) {
        assert!(
            found.get(&corners).is_some_and(|found| *found >= count),
            "{corners:?}"
        );
    }
}
