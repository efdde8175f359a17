//! Layout of data in the buffer: importers copy the whole view of every accessor.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;
use gltf::Semantic;
use relicast::emit::gltf::Container;
use relicast::scene::model::{Mesh, Node, Primitive, Scene, specimen};
use relicast_testing::test;

use super::everything::everything;
use super::read_back;

/// Meshes of the crowd, each with data of its own; some are larger than any view that is shared.
const MESHES: u16 = 300;

/// Bytes of a view beyond which it belongs to one accessor.
const MAX_SHARED: u64 = 4 << 10;

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
                let moved = original.positions.iter().map(moved);
                Arc::make_mut(&mut primitive.positions).extend(moved);
                Arc::make_mut(&mut primitive.normals).extend_from_slice(&original.normals);
                let sets = Arc::make_mut(&mut primitive.uvs).iter_mut();
                for (uvs, original) in sets.zip(&*original.uvs) {
                    uvs.extend_from_slice(original);
                }
                primitive.colors.extend_from_slice(&original.colors);
                let indices = original.indices.iter().map(|index| index + base);
                Arc::make_mut(&mut primitive.indices).extend(indices);
            }
            for place in Arc::make_mut(&mut primitive.positions) {
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
            assert!(view.length() as u64 <= MAX_SHARED || users <= 1, "{users}");
            assert_eq!(view.offset() % 4, 0);
            long += usize::from(view.length() as u64 > MAX_SHARED);
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

#[test]
fn meshes_that_differ_in_colors_alone_share_all_other_data() {
    let mut scene = everything();
    let mut meshes = scene.meshes.iter();
    let boxes = meshes.find(|mesh| mesh.name == "boxes").unwrap();
    let first = Mesh {
        primitives: vec![boxes.primitives[0].clone()],
        ..Mesh::default()
    };
    let change = |name: &str, change: &dyn Fn(&mut Primitive)| {
        let mut mesh = Mesh {
            name: name.to_owned(),
            ..first.clone()
        };
        change(&mut mesh.primitives[0]);
        mesh
    };
    let wanted = [
        change("first", &|_| ()),
        change("dim", &|part| part.colors.fill([100, 200, 300, u16::MAX])),
        change("white", &|part| part.colors.fill([u16::MAX; 4])),
        change("bare", &|part| part.colors.clear()),
        change("turned", &|part| {
            Arc::make_mut(&mut part.normals).fill([0.0, 0.0, 1.0])
        }),
        change("flipped", &|part| {
            Arc::make_mut(&mut part.indices).reverse()
        }),
    ];
    for mesh in &wanted {
        let mesh = scene.add_mesh(mesh.clone());
        let node = scene.add_node(Node {
            name: format!("node {}", mesh.index()),
            mesh: Some(mesh),
            ..Node::default()
        });
        scene.roots.push(node);
    }
    let file = read_back(&scene, Container::Gltf);
    let part = |name: &str| {
        let mut meshes = file.document.meshes();
        let mesh = meshes.find(|mesh| mesh.name() == Some(name)).unwrap();
        mesh.primitives().next().unwrap()
    };
    for mesh in &wanted {
        let (source, part) = (&mesh.primitives[0], part(&mesh.name));
        let reader = part.reader(file.bytes());
        assert!(
            reader
                .read_positions()
                .unwrap()
                .eq(source.positions.iter().copied())
        );
        assert!(
            reader
                .read_normals()
                .unwrap()
                .eq(source.normals.iter().copied())
        );
        let indices = reader.read_indices().unwrap().into_u32();
        assert!(indices.eq(source.indices.iter().copied()));
        let colors = reader.read_colors(0);
        let colors = colors.map(|colors| colors.into_rgba_u16().collect::<Vec<_>>());
        let is_colored = source.colors.iter().any(|color| *color != [u16::MAX; 4]);
        assert_eq!(colors, is_colored.then(|| source.colors.clone()));
    }
    let accessors = |name: &str| {
        let part = part(name);
        let at = |semantic| part.get(&semantic).map(|accessor| accessor.index());
        (
            [
                at(Semantic::Positions),
                at(Semantic::Normals),
                at(Semantic::TexCoords(0)),
            ],
            part.indices().map(|accessor| accessor.index()),
        )
    };
    for name in ["dim", "white", "bare"] {
        assert_eq!(accessors(name), accessors("first"), "{name}");
    }
}
