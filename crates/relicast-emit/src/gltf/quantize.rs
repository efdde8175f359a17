//! Positions and normals in fewer bytes (`KHR_mesh_quantization`).
//!
//! Positions become 16-bit integers if that is exact: all positions of a mesh are on a grid whose step is a power of
//! two, as in EverQuest's models, and the nodes that show it can use the step as their scale. Normals become signed
//! bytes if that is exact, otherwise 16-bit fractions, which turns them by less than 0.002 degrees.

use gltf_json as json;

use super::instancing::{Gathered, needed};
use relicast_scene::model::{Mesh, Scene};

/// Finest step that is tried: 2 to the power of minus this.
const FINEST: i32 = 12;

/// For each mesh, the power of 2 that is the step of its grid, if it has one.
pub(super) fn grids(scene: &Scene, gathered: Option<&Gathered>) -> Vec<Option<i32>> {
    let mut grids: Vec<Option<i32>> = scene.meshes.iter().map(grid).collect();
    let mut needed = needed(scene);
    // The scale would apply to the instances too.
    for node in gathered.into_iter().flat_map(Gathered::holders) {
        if let Some(needed) = needed.get_mut(node) {
            *needed = true;
        }
    }
    for (number, node) in scene.nodes.iter().enumerate() {
        // The scale would apply to its children and clips too.
        let is_kept = needed.get(number) == Some(&false);
        let mesh = node.mesh.and_then(|mesh| grids.get_mut(mesh.index()));
        if let Some(grid) = mesh.filter(|_| !is_kept) {
            *grid = None;
        }
    }
    grids
}

/// The grid of a mesh.
fn grid(mesh: &Mesh) -> Option<i32> {
    if !mesh.morph_targets.is_empty() {
        return None;
    }
    let positions = || {
        let primitives = mesh.primitives.iter();
        primitives.flat_map(|primitive| primitive.positions.iter().flatten().copied())
    };
    let fits = |power: &i32| {
        let factor = step(-*power);
        positions().all(|value| {
            let scaled = value * factor;
            scaled.fract() == 0.0 && scaled.abs() <= f32::from(i16::MAX)
        })
    };
    (0..=FINEST).map(|finer| -finer).find(fits)
}

/// 2 to a power, which floats represent exactly.
fn step(power: i32) -> f32 {
    libm::ldexpf(1.0, power)
}

/// Converts positions to integers of a grid.
pub(super) fn on_grid(positions: &[[f32; 3]], power: i32) -> Vec<[i16; 3]> {
    let factor = step(-power);
    let row = |row: &[f32; 3]| row.map(|value| (value * factor) as i16);
    positions.iter().map(row).collect()
}

/// Converts normals to bytes; `None` if that is not exact.
pub(super) fn as_bytes(normals: &[[f32; 3]]) -> Option<Vec<[i8; 3]>> {
    let byte = |value: f32| {
        let scaled = (value * 127.0).round();
        (scaled / 127.0 == value).then_some(scaled as i8)
    };
    let row = |[x, y, z]: &[f32; 3]| Some([byte(*x)?, byte(*y)?, byte(*z)?]);
    normals.iter().map(row).collect()
}

/// Converts normals to 16-bit fractions.
pub(super) fn as_shorts(normals: &[[f32; 3]]) -> Vec<[i16; 3]> {
    let row = |row: &[f32; 3]| row.map(|value| (value * 32_767.0).round() as i16);
    normals.iter().map(row).collect()
}

/// Scales the nodes that show meshes on grids by the step.
pub(super) fn scale_nodes(scene: &Scene, grids: &[Option<i32>], nodes: &mut [json::Node]) {
    for (node, written) in scene.nodes.iter().zip(nodes) {
        let grid = node.mesh.and_then(|mesh| *grids.get(mesh.index())?);
        let Some(power) = grid.filter(|power| *power != 0) else {
            continue;
        };
        let scale = written.scale.unwrap_or([1.0; 3]);
        written.scale = Some(scale.map(|value| value * step(power)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn positions_on_a_grid_come_back_exactly() {
        let positions = [[0.125, -3.5, 255.0], [1.0, 0.0, -0.625]];
        let mut mesh = Mesh::default();
        mesh.primitives.push(relicast_scene::model::Primitive {
            positions: positions.to_vec().into(),
            ..Default::default()
        });
        let power = grid(&mesh).unwrap();
        assert_eq!(power, -3);
        let back = on_grid(&positions, power);
        let back: Vec<[f32; 3]> = back
            .iter()
            .map(|row| row.map(|value| f32::from(value) * step(power)))
            .collect();
        assert_eq!(back, positions);
        // A step that is too fine, and a position that is too far.
        for far in [[0.1, 0.0, 0.0], [0.125, 40_000.0, 0.0]] {
            Arc::make_mut(&mut mesh.primitives[0].positions).push(far);
            assert_eq!(grid(&mesh), None);
            Arc::make_mut(&mut mesh.primitives[0].positions).pop();
        }
    }

    #[test]
    fn normals_become_bytes_only_where_these_say_the_same() {
        let exact = [[1.0, 0.0, -1.0], [64.0 / 127.0, 0.0, 1.0 / 127.0]];
        assert_eq!(as_bytes(&exact), Some(vec![[127, 0, -127], [64, 0, 1]]));
        let other = [[0.6, 0.8, 0.0]];
        assert_eq!(as_bytes(&other), None);
        let [x, y, _] = as_shorts(&other)[0].map(|value| f32::from(value) / 32_767.0);
        assert!((x - 0.6).abs() < 2e-5 && (y - 0.8).abs() < 2e-5);
    }
}
