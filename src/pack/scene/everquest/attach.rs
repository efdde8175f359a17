//! Changes of the tree of a scene that game files can hold in another way: placements below other nodes, new shapes, and
//! moved meshes that are no placements.

use std::collections::HashSet;

use glam::{DMat3, DMat4, DVec3};

use super::copies::{above, is_ground, placements, unlink};
use super::snap::snap;
use crate::pack::edited::Refusal;
use crate::pack::json::index;
use crate::pack::scene::compare::matching::{
    Matches, Matching, match_all, placement_of, plain_name, shown,
};
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::file::unsupported_edits::labels;
use crate::pack::scene::file::{Document, Local, SceneFile, SceneMesh, ScenePrimitive};

/// Most ancestors of a node.
const MAX_DEPTH: usize = 512;

/// Shapes of an edit that became part of meshes of the original.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// Names of the nodes.
    pub names: Vec<String>,
    /// Labels of their meshes.
    pub labels: Vec<String>,
}

/// The transform from a node to the scene.
pub(super) fn global(file: &SceneFile, node: usize) -> DMat4 {
    let own = file.nodes.get(node).map(|node| node.local.to_matrix());
    above(file, node) * own.unwrap_or_default()
}

/// A node and the nodes above it.
fn line(file: &SceneFile, node: usize) -> impl Iterator<Item = usize> {
    let above = move |&at: &usize| {
        file.nodes
            .get(at)?
            .parent
            .filter(|&at| at < file.nodes.len())
    };
    std::iter::successors(Some(node), above).take(MAX_DEPTH)
}

/// A matrix as a transform; a sheared one stays a matrix.
pub(super) fn local_of(matrix: DMat4) -> Local {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let local = Local {
        translation: translation.as_vec3().to_array(),
        rotation: rotation.as_quat().to_array(),
        scale: scale.as_vec3().to_array(),
        matrix: None,
    };
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let size = columns.map(|axis| axis.length()).into_iter().sum::<f64>();
    let [plain, whole] = [local.to_matrix(), matrix].map(DMat3::from_mat4);
    match plain.abs_diff_eq(whole, 1e-4 * size) {
        true => local,
        false => Local {
            matrix: Some(matrix.to_cols_array().map(|part| part as f32)),
            ..local
        },
    }
}

/// Puts placements that have another parent below the original one, where they are shown. Returns what it did, in words.
pub(super) fn rehang(base: &SceneFile, edited: &mut SceneFile) -> Vec<String> {
    let mut notes = Vec::new();
    let before = placements(base);
    let nodes = placements(edited).into_iter().flat_map(|(key, nodes)| {
        let wanted = match before.get(&key).map(Vec::as_slice) {
            Some([old]) => base
                .nodes
                .get(*old)
                .and_then(|old| Some((base.nodes.get(old.parent?)?, old.local))),
            _ => None,
        };
        nodes.into_iter().map(move |node| (node, wanted))
    });
    for (node, wanted) in nodes.collect::<Vec<_>>() {
        let Some((wanted, was)) = wanted else {
            continue;
        };
        let is_parent = |at: usize| {
            let own = edited.nodes.get(at);
            own.is_some_and(|own| {
                plain_name(&own.name) == plain_name(&wanted.name)
                    && placement_of(own) == placement_of(wanted)
            })
        };
        let parent = edited.nodes.get(node).and_then(|node| node.parent);
        if parent.is_some_and(is_parent) {
            continue;
        }
        let home = (0..edited.nodes.len()).find(|&at| is_parent(at));
        let home = home.filter(|&home| !line(edited, home).any(|at| at == node));
        let Some(home) = home else { continue };
        let local = global(edited, home).inverse() * global(edited, node);
        if !local.is_finite() {
            continue;
        }
        unlink(edited, std::iter::once(node));
        if let Some(home) = edited.nodes.get_mut(home) {
            home.children.push(node);
        }
        if let Some(node) = edited.nodes.get_mut(node) {
            node.parent = Some(home);
            let local = local_of(local);
            node.local = match is_same_place(was, local, Tolerance::FOREIGN) {
                true => was,
                false => local,
            };
            notes.push(format!(
                "not stored by the game: the new parent of {}, which stays where it is",
                node.name
            ));
        }
    }
    notes
}

/// Makes the meshes of new nodes parts of a mesh of the original: of the ground, or of the model.
///
/// # Errors
/// A new node has no mesh, no mesh of the original can hold it, or another node was removed.
pub(super) fn join(
    base: &SceneFile,
    edited: &mut SceneFile,
    document: &Document,
) -> Result<Joined, Refusal> {
    let Matching { matches, added, .. } = match_all(base, edited)?;
    let mut joined = Joined::default();
    let visible = shown(edited);
    let labels = labels("mesh", edited.meshes.iter().map(|mesh| &*mesh.name));
    let mut gone = Vec::new();
    for node in added {
        let name = edited.nodes.get(node).map_or("", |node| &*node.name);
        let name = name.to_owned();
        if !visible.contains(&node) {
            refuse!(
                "node {name}: it was removed, which is only supported for placed models and lights; undo the deletion, and export the whole scene (Blender: without Limit to > Selected Objects)"
            );
        }
        let meshes = meshes_below(edited, node);
        if meshes.is_empty() {
            refuse!(
                "node {name}: it is new, and the game has no such nodes; delete it, or give it a mesh (Blender, for an instance of a collection: Object > Apply > Make Instances Real)"
            );
        }
        let home = home_of(base, document, &matches, edited, &name).ok_or_else(|| {
            refusal!(
                "node {name}: it is new; join it to a mesh of the scene that is not placed (Blender: Ctrl+J), or duplicate a placed model instead"
            )
        })?;
        for (shape, mesh) in meshes {
            let matrix = global(edited, home).inverse() * global(edited, shape);
            let Some(mut new) = edited.meshes.get(mesh).cloned() else {
                continue;
            };
            if new.primitives.iter().any(|part| !part.is_triangles) {
                refuse!(
                    "node {name}: it is new, and has edges or points without faces, which the game cannot show; delete them"
                );
            }
            transform(&mut new, matrix);
            let original = matches.iter().position(|it| *it == Some(home));
            let original = original.and_then(|old| base.nodes.get(old)?.mesh);
            if let Some(original) = original.and_then(|mesh| base.meshes.get(mesh)) {
                snap(original, &mut new);
            }
            joined.labels.extend(labels.get(mesh).cloned());
            let own = edited.nodes.get(home).and_then(|home| home.mesh);
            if let Some(own) = own.and_then(|own| edited.meshes.get_mut(own)) {
                own.primitives.extend(new.primitives);
            }
        }
        joined.names.push(name);
        gone.push(node);
    }
    unlink(edited, gone.into_iter());
    Ok(joined)
}

/// The nodes with meshes below a node and the node itself, with their meshes.
fn meshes_below(file: &SceneFile, node: usize) -> Vec<(usize, usize)> {
    let (mut stack, mut seen) = (vec![node], HashSet::new());
    let mut all = Vec::new();
    while let Some(at) = stack.pop() {
        let Some(node) = file.nodes.get(at).filter(|_| seen.insert(at)) else {
            continue;
        };
        all.extend(node.mesh.map(|mesh| (at, mesh)));
        stack.extend(&node.children);
    }
    all
}

/// True if the file of a scene holds the mesh of a node itself, and no bones move it.
fn is_own(base: &SceneFile, document: &Document, node: usize) -> bool {
    let has_mesh = base.nodes.get(node).is_some_and(|node| node.mesh.is_some());
    let is_skinned = index(&document.json["nodes"][node]["skin"]).is_some();
    let mut line = line(base, node).filter_map(|at| base.nodes.get(at).and_then(placement_of));
    let is_placed = line.any(|(model, _)| !is_ground(model));
    has_mesh && !is_skinned && !is_placed
}

/// The edited node whose mesh can hold a new shape.
fn home_of(
    base: &SceneFile,
    document: &Document,
    matches: &Matches,
    edited: &SceneFile,
    name: &str,
) -> Option<usize> {
    let visible = shown(base);
    let nodes = matches.iter().enumerate();
    let nodes = nodes.filter_map(|(old, new)| {
        let is_own = visible.contains(&old) && is_own(base, document, old);
        let new =
            new.filter(|&new| is_own && edited.nodes.get(new).is_some_and(|it| it.mesh.is_some()));
        Some((&*base.nodes.get(old)?.name, new?))
    });
    let nodes: Vec<(&str, usize)> = nodes.collect();
    let named = |wanted: &str| {
        let mut nodes = nodes.iter();
        nodes.find(|(own, _)| *own == wanted).map(|(_, node)| *node)
    };
    let only = match &*nodes {
        [(_, only)] => Some(*only),
        _ => None,
    };
    named(plain_name(name))
        .or(only)
        .or_else(|| named("terrain"))
}

/// Moves meshes that are no placements to where their nodes are in the edit. The nodes keep their transforms. Returns
/// what it did, in words.
pub(super) fn settle(
    base: &SceneFile,
    edited: &mut SceneFile,
    document: &Document,
    matches: &Matches,
) -> Vec<String> {
    let mut notes = Vec::new();
    let clips = base.clips.iter().flat_map(|clip| &clip.channels);
    let animated: HashSet<usize> = clips.map(|channel| channel.node).collect();
    for (old, new) in matches.iter().enumerate() {
        let (Some(new), Some(before)) = (*new, base.nodes.get(old)) else {
            continue;
        };
        let Some(after) = edited.nodes.get(new) else {
            continue;
        };
        let users = edited.nodes.iter().filter(|node| node.mesh == after.mesh);
        let is_free = before.children.is_empty() && after.children.is_empty();
        if before.local == after.local
            || !is_own(base, document, old)
            || !is_free
            || animated.contains(&old)
            || users.count() != 1
        {
            continue;
        }
        let matrix = before.local.to_matrix().inverse() * after.local.to_matrix();
        let mesh = after.mesh.and_then(|mesh| edited.meshes.get_mut(mesh));
        let Some(mesh) = mesh.filter(|_| matrix.is_finite()) else {
            continue;
        };
        transform(mesh, matrix);
        if let Some(after) = edited.nodes.get_mut(new) {
            after.local = before.local;
        }
        notes.push(format!(
            "the vertices of {} are moved instead of its node",
            before.name
        ));
    }
    notes
}

/// Gives placements their names again, which are those of their models. Returns what it did, in words.
pub(super) fn without_names(
    base: &SceneFile,
    edited: &mut SceneFile,
    matches: &Matches,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (old, new) in matches.iter().enumerate() {
        let before = base
            .nodes
            .get(old)
            .filter(|node| placement_of(node).is_some());
        let after = new.and_then(|new| edited.nodes.get_mut(new));
        if let (Some(before), Some(after)) = (before, after)
            && before.name != after.name
        {
            after.name.clone_from(&before.name);
            notes.push(format!(
                "not stored by the game: the new name of {}",
                before.name
            ));
        }
    }
    notes
}

/// Transforms the corners of a mesh.
pub(super) fn transform(mesh: &mut SceneMesh, matrix: DMat4) {
    let turn = DMat3::from_mat4(matrix);
    // The inverse of the transpose but for its length, which also exists for a matrix without inverse.
    let [x, y, z] = [turn.x_axis, turn.y_axis, turn.z_axis];
    let of_normals = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let is_mirrored = turn.determinant() < 0.0;
    let sign = if is_mirrored { -1.0 } else { 1.0 };
    for part in &mut mesh.primitives {
        for position in &mut part.positions {
            let wide = DVec3::from_array(position.map(f64::from));
            *position = matrix.transform_point3(wide).as_vec3().to_array();
        }
        for normal in &mut part.normals {
            let wide = of_normals * DVec3::from_array(normal.map(f64::from)) * sign;
            *normal = wide.normalize_or_zero().as_vec3().to_array();
        }
        if is_mirrored && part.is_triangles {
            flip(part);
        }
    }
}

/// Turns the triangles of a primitive around.
pub(super) fn flip(part: &mut ScenePrimitive) {
    fn flipped<T>(rows: &mut [T]) {
        rows.chunks_exact_mut(3)
            .for_each(|corners| corners.swap(1, 2));
    }
    flipped(&mut part.positions);
    flipped(&mut part.vertices);
    flipped(&mut part.normals);
    flipped(&mut part.colors);
    part.uvs.iter_mut().for_each(|rows| flipped(rows));
}
