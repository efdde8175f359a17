//! Description of an edited scene: what changed, in words.

use std::collections::BTreeSet;

use super::difference::{CornerChange, Difference, MeshChange, NodeChange};
use super::scene_pair::ScenePair;
use super::tolerance::Tolerance;
use super::triangles::is_near;
use crate::pack::rounding::RoundingReport;

/// Counts the changes of nodes and meshes, for people.
pub(in crate::pack::scene) fn describe(
    scenes: ScenePair<'_>,
    difference: &Difference,
    report: &mut RoundingReport,
) {
    vertices(scenes, &difference.meshes, report);
    report.count(difference.remade.len(), ["mesh rebuilt", "meshes rebuilt"]);
    nodes(scenes, &difference.nodes, report);
}

/// Counts vertices: corners of one mesh with one position are one.
fn vertices(scenes: ScenePair<'_>, meshes: &[MeshChange], report: &mut RoundingReport) {
    let count = |is_changed: &dyn Fn(&CornerChange) -> bool| {
        let mut found = BTreeSet::new();
        for change in meshes {
            let Some(mesh) = scenes.base.meshes.get(change.old) else {
                continue;
            };
            for (primitive, corners) in mesh.primitives.iter().zip(&change.corners) {
                let changed = corners.iter().zip(&primitive.positions);
                let changed = changed.filter(|(corner, _)| is_changed(corner));
                found.extend(changed.map(|(_, at)| (change.old, at.map(f32::to_bits))));
            }
        }
        found.len()
    };
    report.count(
        count(&|corner| corner.position.is_some()),
        ["vertex moved", "vertices moved"],
    );
    let uvs = count(&|corner| corner.uvs.iter().any(Option::is_some));
    let others = [
        (uvs, "texture coordinates of"),
        (count(&|corner| corner.normal.is_some()), "normals of"),
        (count(&|corner| corner.color.is_some()), "colors of"),
    ];
    for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
        let vertices = relicast_codec::quantity::counted(count, "vertex", "vertices");
        report.say(format!("{what} {vertices}"));
    }
}

fn nodes(scenes: ScenePair<'_>, changes: &[NodeChange], report: &mut RoundingReport) {
    let tolerance = Tolerance::EXACT;
    let (mut moved, mut rotated, mut scaled) = (0, 0, 0);
    for change in changes.iter().filter(|change| change.is_moved) {
        let old = scenes.base.nodes.get(change.base).map(|node| node.local);
        let new = scenes.edited.nodes.get(change.edited);
        let (Some(old), Some(new)) = (old, new.map(|node| node.local)) else {
            continue;
        };
        let turned: f32 = (old.rotation.iter().zip(new.rotation))
            .map(|(a, b)| a * b)
            .sum();
        let sign = if turned < 0.0 { -1.0 } else { 1.0 };
        let is_rotated = !is_near(
            &old.rotation,
            &new.rotation.map(|part| part * sign),
            tolerance.turn,
        );
        let is_scaled = !is_near(&old.scale, &new.scale, tolerance.turn);
        let has_matrix = old.matrix.is_some() || new.matrix.is_some();
        let is_shifted = !is_near(&old.translation, &new.translation, tolerance.place);
        moved += usize::from(is_shifted || has_matrix);
        rotated += usize::from(is_rotated && !has_matrix);
        scaled += usize::from(is_scaled && !has_matrix);
    }
    report.count(moved, ["node moved", "nodes moved"]);
    report.count(rotated, ["node rotated", "nodes rotated"]);
    report.count(scaled, ["node scaled", "nodes scaled"]);
    let count = |is_changed: fn(&NodeChange) -> bool| {
        let changed = changes.iter().filter(|change| is_changed(change));
        changed.count()
    };
    report.count(
        count(|change| change.name.is_some()),
        ["node renamed", "nodes renamed"],
    );
    let extras = count(|change| change.has_other_extras);
    if extras > 0 {
        let nodes = relicast_codec::quantity::counted(extras, "node", "nodes");
        report.say(format!("properties of {nodes}"));
    }
}
