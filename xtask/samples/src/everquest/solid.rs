//! Builders of shapes: quads and boxes of several materials, each vertex in the space of its bone.

use std::borrow::Cow;

use relicast::formats::codec::{F32, Vec3};
use relicast::formats::everquest::wld::{
    Bgra, Face, FaceFlags, FragmentRef, MaterialGroup, Mesh, MeshFlags, TextureCoordinates,
    VertexPiece,
};

use crate::Outcome;

/// A direction or position in file axes: north, west, up.
pub type Point = [f32; 3];

/// A quad: its center, half its width to the right and half its height up, as seen from outside.
#[derive(Debug, Clone, Copy)]
pub struct Quad {
    /// The center.
    pub middle: Point,
    /// From the center to the right edge.
    pub right: Point,
    /// From the center to the upper edge.
    pub up: Point,
    /// Number of repetitions of the picture in both directions.
    pub repeat: f32,
}

#[derive(Debug, Clone, Copy)]
struct Vertex {
    position: Point,
    coordinates: [f32; 2],
    normal: Point,
    color: Bgra,
    material: u16,
    bone: u16,
}

/// Builder of a shape.
#[derive(Debug, Clone, Default)]
pub struct Solid {
    vertices: Vec<Vertex>,
    faces: Vec<(u16, FaceFlags, [usize; 3])>,
    /// Material of the next faces, by its index in the palette.
    pub material: u16,
    /// Bone of the next faces.
    pub bone: u16,
    /// True if players can walk through the faces that follow.
    pub passable: bool,
    /// Baked light of the next faces.
    pub light: Bgra,
}

/// Fields of a mesh other than its lists.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// Positions are stored times two to this power.
    pub exponent: u16,
    /// Added to every vertex.
    pub center: Point,
    /// Stored flags.
    pub flags: u32,
    /// Bones move the vertices.
    pub skinned: bool,
    /// Vertices have baked light.
    pub lit: bool,
    /// Texture coordinates are floats, as in the new version.
    pub floats: bool,
}

impl Form {
    /// An object of up to 32 units.
    pub const OBJECT: Self = Self {
        exponent: 9,
        center: [0.0; 3],
        flags: 0x14003,
        skinned: false,
        lit: false,
        floats: false,
    };

    /// A creature.
    pub const CREATURE: Self = Self {
        exponent: 11,
        flags: 0x3,
        skinned: true,
        ..Self::OBJECT
    };

    /// A part of the ground.
    pub const GROUND: Self = Self {
        exponent: 5,
        flags: 0x18003,
        lit: true,
        ..Self::OBJECT
    };
}

fn sum(one: Point, other: Point) -> Point {
    std::array::from_fn(|axis| one[axis] + other[axis])
}

fn times(vector: Point, factor: f32) -> Point {
    vector.map(|part| part * factor)
}

fn cross([a, b, c]: Point, [d, e, f]: Point) -> Point {
    [b * f - c * e, c * d - a * f, a * e - b * d]
}

fn length(vector: Point) -> f32 {
    vector.iter().map(|part| part * part).sum::<f32>().sqrt()
}

impl Solid {
    /// A shape without faces, of a material and a bone.
    pub fn new(material: u16, bone: u16) -> Self {
        Self {
            material,
            bone,
            ..Self::default()
        }
    }

    fn vertex(&mut self, position: Point, coordinates: [f32; 2], normal: Point) -> usize {
        self.vertices.push(Vertex {
            position,
            coordinates,
            normal,
            color: self.light,
            material: self.material,
            bone: self.bone,
        });
        self.vertices.len() - 1
    }

    /// Adds a triangle of vertices that are clockwise seen from outside.
    fn face(&mut self, vertices: [usize; 3]) {
        let flags = match self.passable {
            true => FaceFlags::PASSABLE,
            false => FaceFlags::empty(),
        };
        self.faces.push((self.material, flags, vertices));
    }

    /// Adds a quad.
    pub fn quad(&mut self, quad: &Quad) {
        let normal = cross(quad.right, quad.up);
        let normal = times(normal, 1.0 / length(normal));
        let corner = |right: f32, up: f32| {
            sum(
                quad.middle,
                sum(times(quad.right, right), times(quad.up, up)),
            )
        };
        let most = quad.repeat;
        let [left_low, right_low, right_high, left_high] = [
            (corner(-1.0, -1.0), [0.0, 0.0]),
            (corner(1.0, -1.0), [most, 0.0]),
            (corner(1.0, 1.0), [most, most]),
            (corner(-1.0, 1.0), [0.0, most]),
        ]
        .map(|(position, coordinates)| self.vertex(position, coordinates, normal));
        self.face([left_low, right_high, right_low]);
        self.face([left_low, left_high, right_high]);
    }

    /// Adds a box with upright pictures.
    pub fn cuboid(&mut self, middle: Point, half: Point) {
        const UP: Point = [0.0, 0.0, 1.0];
        const NORTH: Point = [1.0, 0.0, 0.0];
        let sides = [
            (NORTH, UP),
            ([-1.0, 0.0, 0.0], UP),
            ([0.0, 1.0, 0.0], UP),
            ([0.0, -1.0, 0.0], UP),
            (UP, NORTH),
            ([0.0, 0.0, -1.0], NORTH),
        ];
        let scaled = |direction: Point| std::array::from_fn(|axis| direction[axis] * half[axis]);
        for (outward, up) in sides {
            // A viewer of a side looks against its normal; right is forward × up.
            let right = cross(times(outward, -1.0), up);
            self.quad(&Quad {
                middle: sum(middle, scaled(outward)),
                right: scaled(right),
                up: scaled(up),
                repeat: 1.0,
            });
        }
    }

    /// Adds a grid of triangles over `heights`, rows from south to north, columns from east to west.
    pub fn ground(&mut self, corner: [f32; 2], step: f32, heights: &[Vec<f32>], repeat: f32) {
        let height = |row: usize, column: usize| {
            let row = heights.get(row.min(heights.len() - 1));
            row.and_then(|row| row.get(column.min(row.len() - 1)))
                .copied()
                .unwrap_or_default()
        };
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for row in 0..heights.len() {
            let mut line = Vec::new();
            for column in 0..heights.first().map_or(0, Vec::len) {
                let north = height(row + 1, column) - height(row.saturating_sub(1), column);
                let west = height(row, column + 1) - height(row, column.saturating_sub(1));
                let normal = [-north / (2.0 * step), -west / (2.0 * step), 1.0];
                let normal = times(normal, 1.0 / length(normal));
                let [x, y] = [row, column].map(|place| place as f32);
                let position = [
                    corner[0] + x * step,
                    corner[1] + y * step,
                    height(row, column),
                ];
                line.push(self.vertex(position, [y * -repeat, x * repeat], normal));
            }
            rows.push(line);
        }
        for (south, north) in rows.iter().zip(rows.iter().skip(1)) {
            let east = south.iter().zip(north);
            for ((a, b), (c, d)) in east.zip(south.iter().zip(north).skip(1)) {
                // Seen from above, with north up: a and b are right of c and d; a and c are south of b and d.
                self.face([*a, *c, *d]);
                self.face([*a, *d, *b]);
            }
        }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// The shape as a mesh.
    pub fn mesh(&self, palette: FragmentRef, form: &Form) -> Outcome<Mesh<'static>> {
        let mut order: Vec<usize> = (0..self.vertices.len()).collect();
        let key = |&index: &usize| (self.vertices[index].bone, self.vertices[index].material);
        order.sort_by_key(key);
        let mut places = vec![0_u16; order.len()];
        for (place, &index) in order.iter().enumerate() {
            places[index] = u16::try_from(place)?;
        }
        let sorted: Vec<Vertex> = order.iter().map(|&index| self.vertices[index]).collect();
        let mut faces = self.faces.clone();
        faces.sort_by_key(|&(material, _, _)| material);
        let factor = f32::from(1_u16 << form.exponent);
        let relative = |vertex: &Vertex| sum(vertex.position, times(form.center, -1.0));
        let corner = |pick: fn(f32, f32) -> f32| {
            let points = sorted.iter().map(relative);
            let box_corner =
                points.reduce(|a, b| std::array::from_fn(|axis| pick(a[axis], b[axis])));
            Vec3::from(box_corner.unwrap_or_default())
        };
        let boxed = form.flags & MeshFlags::BOX.bits() != 0 && !form.lit;
        let [min, max] = match boxed {
            true => [corner(f32::min), corner(f32::max)],
            false => [Vec3::default(); 2],
        };
        let radius = sorted.iter().map(|vertex| length(relative(vertex)));
        let coordinates = sorted.iter().map(|vertex| vertex.coordinates);
        Ok(Mesh {
            flags: MeshFlags::from_bits_retain(form.flags),
            palette,
            collision: FragmentRef(if form.flags & 0x10000 != 0 { -2 } else { 0 }),
            center: Vec3::from(form.center),
            radius: F32(radius.fold(0.0, f32::max)),
            min,
            max,
            scale_exponent: form.exponent,
            positions: sorted
                .iter()
                .map(|vertex| relative(vertex).map(|part| (part * factor).round() as i16))
                .collect(),
            texture_coordinates: match form.floats {
                true => TextureCoordinates::Float(coordinates.map(Into::into).collect()),
                false => TextureCoordinates::Fixed(
                    coordinates
                        .map(|pair| pair.map(|part| (part * 256.0).round() as i16))
                        .collect(),
                ),
            },
            normals: sorted
                .iter()
                .map(|vertex| vertex.normal.map(|part| (part * 127.0).round() as i8))
                .collect(),
            colors: match form.lit {
                true => sorted.iter().map(|vertex| vertex.color).collect(),
                false => Cow::default(),
            },
            faces: faces
                .iter()
                .map(|&(_, flags, vertices)| Face {
                    flags,
                    vertices: vertices.map(|index| places[index]),
                })
                .collect(),
            pieces: match form.skinned {
                true => runs(sorted.iter().map(|vertex| vertex.bone))
                    .map(|(count, bone)| VertexPiece { count, bone })
                    .collect(),
                false => Cow::default(),
            },
            face_groups: runs(faces.iter().map(|&(material, _, _)| material))
                .map(|(count, material)| MaterialGroup { count, material })
                .collect(),
            vertex_groups: runs(sorted.iter().map(|vertex| vertex.material))
                .map(|(count, material)| MaterialGroup { count, material })
                .collect(),
            ..Mesh::default()
        })
    }
}

/// Lengths and values of runs of equal values.
fn runs(values: impl Iterator<Item = u16>) -> impl Iterator<Item = (u16, u16)> {
    let mut found: Vec<(u16, u16)> = Vec::new();
    for value in values {
        match found.last_mut() {
            Some((count, last)) if *last == value => *count += 1,
            _ => found.push((1, value)),
        }
    }
    found.into_iter()
}
