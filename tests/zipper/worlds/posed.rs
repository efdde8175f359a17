//! Scenes evaluated: where every triangle is at a time of a clip, skins included.

use std::collections::HashMap;

use gltf::animation::util::ReadOutputs;

use super::output::Loaded;

/// Columns of a matrix on column vectors.
pub type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

fn wide(matrix: [[f32; 4]; 4]) -> Matrix {
    matrix.map(|column| column.map(f64::from))
}

/// First `inner`, then `outer`.
fn product(outer: &Matrix, inner: &Matrix) -> Matrix {
    inner.map(|column| {
        std::array::from_fn(|row| (0..4).map(|at| outer[at][row] * column[at]).sum::<f64>())
    })
}

fn moved(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f64; 3] {
    let [x, y, z] = [x, y, z].map(f64::from);
    std::array::from_fn(|row| {
        matrix[0][row] * x + matrix[1][row] * y + matrix[2][row] * z + matrix[3][row]
    })
}

fn matrix_of(translation: [f32; 3], [x, y, z, w]: [f64; 4], scale: [f32; 3]) -> Matrix {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let [x, y, z, w] = [x, y, z, w].map(|part| part / length);
    let [sx, sy, sz] = scale.map(f64::from);
    let [tx, ty, tz] = translation.map(f64::from);
    let column = |column: [f64; 3], scale: f64| {
        let [a, b, c] = column.map(|part| part * scale);
        [a, b, c, 0.0]
    };
    [
        column(
            [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y + w * z),
                2.0 * (x * z - w * y),
            ],
            sx,
        ),
        column(
            [
                2.0 * (x * y - w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z + w * x),
            ],
            sy,
        ),
        column(
            [
                2.0 * (x * z + w * y),
                2.0 * (y * z - w * x),
                1.0 - 2.0 * (x * x + y * y),
            ],
            sz,
        ),
        [tx, ty, tz, 1.0],
    ]
}

/// Translations and rotations of nodes at a time of a clip.
type Pose = HashMap<usize, (Option<[f32; 3]>, Option<[f64; 4]>)>;

fn pose(file: &Loaded, clip: &str, time: f32) -> Pose {
    let mut pose = Pose::new();
    let mut clips = file.document.animations();
    let animation = clips.find(|one| one.name() == Some(clip)).unwrap();
    for channel in animation.channels() {
        let reader = channel.reader(|_| Some(&file.buffer));
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        let next = times
            .iter()
            .position(|&at| at >= time)
            .unwrap_or(times.len() - 1);
        let last = next.saturating_sub(1);
        let span = times[next] - times[last];
        let share = if span > 0.0 {
            (time - times[last]) / span
        } else {
            0.0
        };
        let entry = pose.entry(channel.target().node().index()).or_default();
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => {
                let values: Vec<[f32; 3]> = values.collect();
                let (one, two) = (values[last], values[next]);
                entry.0 = Some(std::array::from_fn(|at| {
                    one[at] + (two[at] - one[at]) * share
                }));
            }
            ReadOutputs::Rotations(values) => {
                let values: Vec<[f32; 4]> = values.into_f32().collect();
                let (one, two) = (values[last], values[next]);
                let mixed = |at: usize| f64::from(one[at] + (two[at] - one[at]) * share);
                entry.1 = Some(std::array::from_fn(mixed));
            }
            _ => panic!("clips move and turn"),
        }
    }
    pose
}

/// A triangle in the space of the scene, with the corner first that comes first in order.
pub type Triangle = [[f64; 3]; 3];

/// All triangles at a time of a clip, or at rest.
pub fn triangles(file: &Loaded, clip: Option<(&str, f32)>) -> Vec<Triangle> {
    let pose = clip.map_or_else(Pose::new, |(clip, time)| pose(file, clip, time));
    let mut places: HashMap<usize, Matrix> = HashMap::new();
    let scene = file.document.default_scene().unwrap();
    let mut pending: Vec<(gltf::Node<'_>, Matrix)> =
        scene.nodes().map(|node| (node, IDENTITY)).collect();
    let mut shown = Vec::new();
    while let Some((node, above)) = pending.pop() {
        let (translation, rotation, scale) = node.transform().decomposed();
        let (moved, turned) = pose.get(&node.index()).copied().unwrap_or_default();
        let own = matrix_of(
            moved.unwrap_or(translation),
            turned.unwrap_or(rotation.map(f64::from)),
            scale,
        );
        let matrix = product(&above, &own);
        places.insert(node.index(), matrix);
        pending.extend(node.children().map(|child| (child, matrix)));
        shown.push(node);
    }
    let mut found = Vec::new();
    for node in shown {
        let Some(mesh) = node.mesh() else { continue };
        let joints: Option<Vec<Matrix>> = node.skin().map(|skin| {
            let reader = skin.reader(|_| Some(&file.buffer));
            let inverse = reader.read_inverse_bind_matrices().unwrap().map(wide);
            let joints = skin.joints().zip(inverse);
            joints
                .map(|(joint, inverse)| product(&places[&joint.index()], &inverse))
                .collect()
        });
        let triangles = gltf::mesh::Mode::Triangles;
        for part in mesh.primitives().filter(|part| part.mode() == triangles) {
            let reader = part.reader(|_| Some(&file.buffer));
            let positions = reader.read_positions().unwrap();
            let points: Vec<[f64; 3]> = match &joints {
                None => positions
                    .map(|at| moved(&places[&node.index()], at))
                    .collect(),
                Some(joints) => {
                    let numbers = reader.read_joints(0).unwrap().into_u16();
                    let weights = reader.read_weights(0).unwrap().into_f32();
                    let vertices = positions.zip(numbers.zip(weights));
                    vertices
                        .map(|(at, (numbers, weights))| {
                            assert_eq!(weights, [1.0, 0.0, 0.0, 0.0]);
                            moved(&joints[usize::from(numbers[0])], at)
                        })
                        .collect()
                }
            };
            let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
            found.extend(indices.chunks_exact(3).map(|corners| {
                let mut triangle = [0, 1, 2].map(|at: usize| points[corners[at] as usize]);
                let key = |point: &[f64; 3]| point.map(|part| (part * 512.0).round() as i64);
                let first = (0..3).min_by_key(|&at| key(&triangle[at])).unwrap();
                triangle.rotate_left(first);
                triangle
            }));
        }
    }
    found
}

/// Asserts that two lists hold the same triangles, in any order.
pub fn assert_same_triangles(one: &[Triangle], other: &[Triangle]) {
    assert_eq!(one.len(), other.len());
    assert!(!one.is_empty());
    let near = |one: &Triangle, other: &Triangle| {
        // Rounding may have another corner first.
        (0..3).any(|turn| {
            (0..3).all(|at| {
                let (one, other) = (one[at], other[(at + turn) % 3]);
                one.iter()
                    .zip(other)
                    .all(|(one, other)| (one - other).abs() < 1e-3)
            })
        })
    };
    let mut left: Vec<&Triangle> = other.iter().collect();
    for triangle in one {
        let place = left.iter().position(|other| near(triangle, other));
        let place = place.unwrap_or_else(|| panic!("{triangle:?} is missing"));
        left.swap_remove(place);
    }
}
