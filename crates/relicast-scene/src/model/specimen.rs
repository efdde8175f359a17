//! A model and a picture that reveal every mistake of orientation.
//!
//! The model differs along every axis and at both ends of each: a low body, longest along
//! Z; a mast, the highest part, left of the middle; a nose at -Z; an arm to +X only. Every face shows
//! the whole picture upright, seen from outside.
//!
//! ```
//! use relicast_scene::model::specimen::{BOXES, scene};
//!
//! let scene = scene();
//! assert_eq!(scene.meshes.len(), BOXES.len());
//! ```

use super::{
    Corner, Layout, Material, Mesh, Node, PrimitiveBuilder, Scene, Texture, TextureRef, Transform,
};
use crate::image::{Image, Pixels};
use glam::Vec3;

/// Key of the picture.
pub const PICTURE_KEY: &str = "specimen.png";

/// Boxes of the model: name, least and greatest corner in scene space.
pub const BOXES: [(&str, [f32; 3], [f32; 3]); 4] = [
    ("body", [-1.0, 0.0, -2.0], [1.0, 0.5, 2.0]),
    ("mast", [-0.75, 0.5, -0.25], [-0.25, 3.0, 0.25]),
    ("nose", [-0.25, 0.125, -3.0], [0.25, 0.375, -2.0]),
    ("arm", [1.0, 0.125, 0.5], [2.5, 0.375, 0.75]),
];

/// The model: a node `specimen` with a child for each box. Children are at the middle of their box.
pub fn scene() -> Scene {
    let mut scene = Scene {
        name: "specimen".to_owned(),
        ..Scene::default()
    };
    let texture = scene.add_texture(Texture {
        name: "specimen".to_owned(),
        key: PICTURE_KEY.to_owned(),
        sampler: super::Sampler::default(),
        extras: super::Extras::new(),
    });
    let material = scene.add_material(Material {
        name: "specimen".to_owned(),
        base_texture: Some(TextureRef::new(texture)),
        ..Material::default()
    });
    let root = scene.add_node(Node {
        name: "specimen".to_owned(),
        ..Node::default()
    });
    scene.roots.push(root);
    for (name, least, greatest) in BOXES {
        let (least, greatest) = (Vec3::from(least), Vec3::from(greatest));
        let middle = (least + greatest) * 0.5;
        let mut builder = PrimitiveBuilder::new(Layout {
            normals: true,
            uv_sets: 1,
            ..Layout::default()
        });
        add_box(&mut builder, (greatest - least) * 0.5);
        let mut primitive = builder.finish();
        primitive.material = Some(material);
        let mesh = scene.add_mesh(Mesh {
            name: name.to_owned(),
            primitives: vec![primitive],
            ..Mesh::default()
        });
        let node = scene.add_node(Node {
            name: name.to_owned(),
            transform: Transform::from_translation(middle),
            mesh: Some(mesh),
            ..Node::default()
        });
        scene.add_child(root, node);
    }
    scene
}

/// Adds the faces of a box around the origin. `half` is half its size.
pub fn add_box(builder: &mut PrimitiveBuilder, half: Vec3) {
    // Right and up of each face as its viewer sees them.
    let faces = [
        (Vec3::NEG_Z, Vec3::Y),
        (Vec3::Z, Vec3::Y),
        (Vec3::X, Vec3::NEG_Z),
        (Vec3::X, Vec3::Z),
        (Vec3::X, Vec3::Y),
        (Vec3::NEG_X, Vec3::Y),
    ];
    for (right, up) in faces {
        let towards = right.cross(up);
        let uvs = [[[0.0, 1.0]], [[1.0, 1.0]], [[1.0, 0.0]], [[0.0, 0.0]]];
        let corners: [Corner<'_>; 4] = std::array::from_fn(|index| {
            let [u, v] = uvs[index][0];
            let place = towards + right * (u * 2.0 - 1.0) + up * (1.0 - v * 2.0);
            Corner {
                position: (place * half).to_array(),
                normal: Some(towards.to_array()),
                uvs: &[],
                ..Corner::default()
            }
        });
        let corner = |index: usize| Corner {
            uvs: &uvs[index],
            ..corners[index]
        };
        builder.triangle([&corner(0), &corner(1), &corner(2)]);
        builder.triangle([&corner(0), &corner(2), &corner(3)]);
    }
}

/// Width and height of the picture in texels.
pub const PICTURE_SIZE: u32 = 64;

/// Cells per side of the picture.
pub const CELLS: u32 = 4;

/// Rows of the ten digits, three texels each, leftmost highest.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b011, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// Color of a cell: redder to the right, greener downwards.
pub fn cell_color(column: u32, row: u32) -> [u8; 3] {
    let step = 255 / (CELLS - 1);
    [(column * step) as u8, (row * step) as u8, 128]
}

/// The picture: four by four cells numbered in white row by row from 0 at the upper left.
pub fn picture() -> Image<'static> {
    let cell = PICTURE_SIZE / CELLS;
    let mut texels = Vec::with_capacity((PICTURE_SIZE * PICTURE_SIZE * 3) as usize);
    for y in 0..PICTURE_SIZE {
        for x in 0..PICTURE_SIZE {
            let (column, row) = (x / cell, y / cell);
            let inked = ink(row * CELLS + column, x % cell, y % cell);
            let color = if inked {
                [255; 3]
            } else {
                cell_color(column, row)
            };
            texels.extend_from_slice(&color);
        }
    }
    Image {
        width: PICTURE_SIZE,
        height: PICTURE_SIZE,
        pixels: Pixels::Rgb(texels),
    }
}

/// True if a texel of a cell belongs to its number, written with texels of two by two.
fn ink(number: u32, x: u32, y: u32) -> bool {
    let (Some(x), Some(y)) = (x.checked_sub(1), y.checked_sub(3)) else {
        return false;
    };
    let (place, column) = (x / 8, x % 8 / 2);
    let digit = match place {
        0 if number >= 10 => number / 10,
        1 => number % 10,
        _ => return false,
    };
    let rows = DIGITS.get(digit as usize);
    let row = rows.and_then(|rows| rows.get(y as usize / 2)).copied();
    column < 3 && row.is_some_and(|row| row >> (2 - column) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn the_model_fills_its_boxes_and_faces_outwards() {
        let scene = scene();
        let bounds = scene.bounds().unwrap();
        assert_eq!(
            bounds,
            (DVec3::new(-1.0, 0.0, -3.0), DVec3::new(2.5, 3.0, 2.0))
        );
        for mesh in &scene.meshes {
            let part = &mesh.primitives[0];
            assert_eq!((part.positions.len(), part.indices.len()), (24, 36));
            for corners in part.indices.chunks_exact(3) {
                let [a, b, c] =
                    [0, 1, 2].map(|corner| Vec3::from(part.positions[corners[corner] as usize]));
                let normal = (b - a).cross(c - a).normalize();
                assert!(normal.dot(a) > 0.0, "a face of {} looks inwards", mesh.name);
                assert!(normal.abs_diff_eq(Vec3::from(part.normals[corners[0] as usize]), 1e-6));
            }
        }
    }

    #[test]
    fn pictures_on_faces_are_upright_and_not_mirrored() {
        for mesh in &scene().meshes {
            let part = &mesh.primitives[0];
            for corners in part.indices.chunks_exact(3) {
                let place = |corner: usize| Vec3::from(part.positions[corners[corner] as usize]);
                let uv = |corner: usize| part.uvs[0][corners[corner] as usize];
                let (one, other) = (place(1) - place(0), place(2) - place(0));
                let [u1, v1] = [uv(1)[0] - uv(0)[0], uv(1)[1] - uv(0)[1]];
                let [u2, v2] = [uv(2)[0] - uv(0)[0], uv(2)[1] - uv(0)[1]];
                // V grows downwards, so counter-clockwise corners go clockwise in texture space.
                assert!(u1 * v2 - u2 * v1 < 0.0);
                let upwards = (other * u1 - one * u2) / (u1 * v2 - u2 * v1) * -1.0;
                assert!(upwards.y > 0.0 || upwards.y.abs() < 1e-6, "{upwards}");
            }
        }
    }

    #[test]
    fn numbers_are_in_their_cells() {
        let image = picture();
        let Pixels::Rgb(texels) = &image.pixels else {
            panic!("the picture has three channels");
        };
        let at = |x: u32, y: u32| &texels[((y * PICTURE_SIZE + x) * 3) as usize..][..3];
        assert_eq!(at(0, 0), [0, 0, 128]);
        assert_eq!(at(63, 0), [255, 0, 128]);
        assert_eq!(at(0, 63), [0, 255, 128]);
        // The 1 of 12 is inked in the left half of its cell, the first cell's left half is not.
        assert!((0..8).any(|x| (0..16).any(|y| at(x, 48 + y) == [255; 3])));
        assert!((0..8).all(|x| (0..16).all(|y| at(x, y) != [255; 3])));
    }
}
