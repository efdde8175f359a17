//! Description of an edited scene: what changed, in words.

use std::collections::{BTreeSet, HashSet};

use super::difference::{CornerChange, Difference, MeshChange, NodeChange};
use super::scene_pair::ScenePair;
use super::tolerance::Tolerance;
use super::triangles::is_near;
use crate::pack::rounding::RoundingReport;
use crate::pack::scene::file::SceneMesh;

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

/// Counts vertices, where corners of one mesh with one position are one, and faces that join other vertices.
fn vertices(scenes: ScenePair<'_>, meshes: &[MeshChange], report: &mut RoundingReport) {
    let places = |mesh: Option<&SceneMesh>| -> HashSet<[u32; 3]> {
        let parts = mesh.into_iter().flat_map(|mesh| &mesh.primitives);
        parts.flat_map(|part| &part.positions).map(bits).collect()
    };
    let (mut moved, mut faces) = (BTreeSet::new(), BTreeSet::new());
    for change in meshes {
        let Some(mesh) = scenes.base.meshes.get(change.old) else {
            continue;
        };
        let had = places(Some(mesh));
        let has = places(scenes.edited.meshes.get(change.new));
        for (part, (primitive, corners)) in mesh.primitives.iter().zip(&change.corners).enumerate()
        {
            for (corner, (change_of, at)) in corners.iter().zip(&primitive.positions).enumerate() {
                let Some(to) = change_of.position else {
                    continue;
                };
                // A face that is turned over or divided otherwise leaves every vertex where it is.
                match has.contains(&bits(at)) && had.contains(&bits(&to)) {
                    true => faces.insert((change.old, part, corner / 3)),
                    false => moved.insert((change.old, bits(at))),
                };
            }
        }
    }
    report.count(moved.len(), ["vertex moved", "vertices moved"]);
    report.count(
        faces.len(),
        [
            "face between other vertices",
            "faces between other vertices",
        ],
    );
    let count = |is_changed: &dyn Fn(&CornerChange) -> bool| {
        let mut found = BTreeSet::new();
        for change in meshes {
            let Some(mesh) = scenes.base.meshes.get(change.old) else {
                continue;
            };
            for (primitive, corners) in mesh.primitives.iter().zip(&change.corners) {
                let changed = corners.iter().zip(&primitive.positions);
                let changed = changed.filter(|(corner, _)| is_changed(corner));
                found.extend(changed.map(|(_, at)| (change.old, bits(at))));
            }
        }
        found.len()
    };
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

fn bits(position: &[f32; 3]) -> [u32; 3] {
    position.map(f32::to_bits)
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
