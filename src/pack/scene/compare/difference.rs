//! Differences between an edited scene and the original.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::game_node::game_node;
use super::matching::{Matches, match_nodes, shown};
use super::scene_pair::ScenePair;
use super::surfaces;
use super::tolerance::{Tolerance, is_same_place, is_same_position, is_same_uv};
use super::triangles::{aligned, is_near};
use crate::pack::scene::file::{Local, PrimitiveCorner, SceneFile, SceneMesh, SceneNode};
use crate::pack::scene::zipper::facts;
use serde_json::Value;

use crate::pack::edited::Refusal;
use relicast_convert::zipper::is_shown_zone;

/// Handling of edits in scenes other than the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pack::scene) enum OtherScenes {
    /// Transforms follow from the first scene: they cannot be edited.
    Refuse,
    /// They are not reported.
    Ignore,
}

/// A changed node.
#[derive(Debug)]
pub(in crate::pack::scene) struct NodeChange {
    /// The original node.
    pub base: usize,
    /// The edited node.
    pub edited: usize,
    /// True if its transform changed.
    pub is_moved: bool,
    /// Its new name, if it changed.
    pub name: Option<String>,
    /// True if its extras changed.
    pub has_other_extras: bool,
}

/// Changes at a corner of a triangle; `None`: unchanged.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::pack::scene) struct CornerChange {
    pub position: Option<[f32; 3]>,
    pub normal: Option<[f32; 3]>,
    /// For each set of texture coordinates.
    pub uvs: Vec<Option<[f32; 2]>>,
    /// Linear color.
    pub color: Option<[f32; 3]>,
}

impl CornerChange {
    /// True if anything changed.
    pub(in crate::pack::scene) fn is_any(&self) -> bool {
        self.position.is_some()
            || self.normal.is_some()
            || self.color.is_some()
            || self.uvs.iter().any(Option::is_some)
    }
}

/// A changed mesh.
#[derive(Debug)]
pub(in crate::pack::scene) struct MeshChange {
    /// An original node that shows it.
    pub node: usize,
    /// The original mesh.
    pub old: usize,
    /// The edited mesh.
    pub new: usize,
    /// For each original primitive and each of its corners.
    pub corners: Vec<Vec<CornerChange>>,
}

/// A mesh whose triangles or surfaces changed.
#[derive(Debug)]
pub(in crate::pack::scene) struct MeshRemake {
    /// An original node that shows it.
    pub node: usize,
    /// The original mesh.
    pub old: usize,
    /// The edited mesh.
    pub new: usize,
}

/// All changes of a scene.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Difference {
    pub nodes: Vec<NodeChange>,
    pub meshes: Vec<MeshChange>,
    pub remade: Vec<MeshRemake>,
    /// Original nodes of secondary scenes that the edit has with another transform or other facts: that is allowed only
    /// as a consequence of other edits.
    pub following: Vec<usize>,
    /// Names of other facts that differ in the edit; they may follow from the other edits.
    pub following_rest: BTreeSet<String>,
}

impl Difference {
    /// Refuses changed nodes that do not follow from other edits.
    ///
    /// # Errors
    /// There is such a node.
    pub(in crate::pack::scene) fn refuse_following(
        &self,
        base: &SceneFile,
        follows: impl Fn(usize) -> bool,
    ) -> Result<(), Refusal> {
        match self.following.iter().find(|node| !follows(**node)) {
            None => Ok(()),
            Some(&node) => Err(of_secondary_scene(base, node)),
        }
    }

    /// Marks the meshes of these original nodes for rebuilding.
    ///
    /// # Errors
    /// The nodes cannot be paired.
    pub(in crate::pack::scene) fn remake(
        &mut self,
        base: &SceneFile,
        edited: &SceneFile,
        nodes: &BTreeSet<usize>,
    ) -> Result<(), Refusal> {
        let matches = match_nodes(base, edited)?;
        let mesh = |file: &SceneFile, node: usize| file.nodes.get(node)?.mesh;
        for &node in nodes {
            let other = matches.get(node).copied().flatten();
            let new = other.and_then(|other| mesh(edited, other));
            if let Some((old, new)) = mesh(base, node).zip(new) {
                self.meshes
                    .retain(|change| (change.old, change.new) != (old, new));
                self.remade.push(MeshRemake { node, old, new });
            }
        }
        Ok(())
    }

    /// Marks these meshes for rebuilding in place of changing their corners. Returns false if there are none.
    pub(in crate::pack::scene) fn make_anew(&mut self, meshes: &BTreeSet<usize>) -> bool {
        let (anew, kept) = std::mem::take(&mut self.meshes)
            .into_iter()
            .partition::<Vec<_>, _>(|change| meshes.contains(&change.new));
        self.meshes = kept;
        let is_any = !anew.is_empty();
        self.remade
            .extend(anew.into_iter().map(|change| MeshRemake {
                node: change.node,
                old: change.old,
                new: change.new,
            }));
        is_any
    }
}

/// Compares an edited scene with the original.
///
/// # Errors
/// Nodes or meshes were added or removed.
pub(in crate::pack::scene) fn compare(
    base: &SceneFile,
    edited: &SceneFile,
    tolerance: Tolerance,
    other_scenes: OtherScenes,
) -> Result<Difference, Refusal> {
    let scenes = ScenePair { base, edited };
    let matches: Matches = match_nodes(base, edited)?;
    let shown = shown(base);
    let firsts = firsts(base, &shown);
    let mut difference = Difference::default();
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    let mut meshes: BTreeMap<usize, usize> = BTreeMap::new();
    for (from, to) in matches.iter().enumerate() {
        let Some(to) = *to else { continue };
        let (Some(old), Some(new)) = (base.nodes.get(from), edited.nodes.get(to)) else {
            continue;
        };
        let is_moved = !is_same_place(old.local, new.local, tolerance);
        let renamed = new.name != old.name;
        let has_other_extras = !new.extras.is_null() && new.extras != old.extras;
        if !shown.contains(&from) {
            let follows = || !renamed && is_as_first(scenes, from, new.local, &firsts, &matches);
            let has_other_facts = facts::differ(&old.extras, &new.extras);
            let is_edited = has_other_facts || ((is_moved || renamed) && !follows());
            if is_edited && other_scenes == OtherScenes::Refuse {
                if renamed {
                    return Err(of_secondary_scene(base, from));
                }
                difference.following.push(from);
            }
        } else if is_moved || renamed || has_other_extras {
            difference.nodes.push(NodeChange {
                base: from,
                edited: to,
                is_moved,
                name: renamed.then(|| new.name.clone()),
                has_other_extras,
            });
        }
        let Some((old_mesh, new_mesh)) = meshes_of(old, new, other_scenes)? else {
            continue;
        };
        if !seen.insert((old_mesh, new_mesh)) {
            continue;
        }
        let (Some(before), Some(after)) = (base.meshes.get(old_mesh), edited.meshes.get(new_mesh))
        else {
            refuse!("node {}: mesh index out of range", old.name);
        };
        let corners = compare_shown(scenes, before, after, tolerance, other_scenes)?;
        if matches!(&corners, Some(corners) if !corners.iter().flatten().any(CornerChange::is_any))
        {
            continue;
        }
        if let Some(other) = meshes.insert(old_mesh, new_mesh)
            && other != new_mesh
        {
            refuse!(
                "mesh {}: nodes that shared it now show different meshes",
                before.name
            );
        }
        let (node, old, new) = (from, old_mesh, new_mesh);
        match corners {
            Some(corners) => difference.meshes.push(MeshChange {
                node,
                old,
                new,
                corners,
            }),
            None => difference.remade.push(MeshRemake { node, old, new }),
        }
    }
    Ok(difference)
}

/// The first node that shows a node of the game file, where several do.
fn firsts(base: &SceneFile, shown: &HashSet<usize>) -> HashMap<usize, usize> {
    let mut firsts = HashMap::new();
    for node in (0..base.nodes.len()).filter(|node| shown.contains(node)) {
        if let Some((index, _)) = game_node(base, node) {
            firsts.entry(index).or_insert(node);
        }
    }
    firsts
}

/// The original and the edited mesh of a node; `None` if there is nothing to compare.
///
/// # Errors
/// A mesh was added or removed.
fn meshes_of(
    old: &SceneNode,
    new: &SceneNode,
    other_scenes: OtherScenes,
) -> Result<Option<(usize, usize)>, Refusal> {
    Ok(match (old.mesh, new.mesh) {
        (None, None) => None,
        (Some(old), Some(new)) => Some((old, new)),
        (Some(_), None) => {
            refuse!("node {}: its mesh was removed", old.name);
        }
        (None, Some(_)) if is_let_in(old, new, other_scenes) => None,
        (None, Some(_)) => return Err(had_no_mesh(old)),
    })
}

fn of_secondary_scene(base: &SceneFile, node: usize) -> Refusal {
    let name = |node: usize| base.nodes.get(node).map_or("", |node| &*node.name);
    let first = game_node(base, node).and_then(|(index, _)| {
        let first = *firsts(base, &shown(base)).get(&index)?;
        Some(name(first))
    });
    refusal!(
        "node {}: it belongs to a secondary scene, which shows the start of a mission; edit {} instead",
        name(node),
        first.unwrap_or("the first scene")
    )
}

/// True if a node of another scene has the transform that the edit gives the same node in the first scene.
fn is_as_first(
    ScenePair { base, edited }: ScenePair<'_>,
    node: usize,
    place: Local,
    firsts: &HashMap<usize, usize>,
    matches: &Matches,
) -> bool {
    let first = game_node(base, node).and_then(|(index, _)| firsts.get(&index));
    let twin = first.and_then(|&first| *matches.get(first)?);
    let twin = twin.and_then(|twin| edited.nodes.get(twin));
    twin.is_some_and(|twin| is_same_place(twin.local, place, Tolerance::EXACT))
}

/// Changes at the corners of a mesh; `None` if its triangles or surfaces changed.
pub(in crate::pack::scene) fn compare_shown(
    scenes: ScenePair<'_>,
    before: &SceneMesh,
    after: &SceneMesh,
    tolerance: Tolerance,
    other_scenes: OtherScenes,
) -> Result<Option<Vec<Vec<CornerChange>>>, Refusal> {
    let same = |_: usize, new: usize| {
        // Packed materials may be numbered anew.
        other_scenes == OtherScenes::Ignore
            || after
                .primitives
                .get(new)
                .is_none_or(|new| !surfaces::is_new(scenes, new))
    };
    let plain = |mesh: &SceneMesh| mesh.primitives.iter().all(|part| part.is_triangles);
    match compare_meshes(before, after, tolerance, &same) {
        Ok(corners) => Ok(Some(corners)),
        Err(_) if plain(before) && plain(after) => Ok(None),
        Err(refusal) => Err(refusal!("mesh {}: {refusal}", before.name)),
    }
}

/// Changes at the corners of a mesh, for each original primitive and each of its corners.
///
/// # Errors
/// It has other triangles, or triangles whose surface changed according to `same`, compared by primitives.
pub(in crate::pack::scene) fn compare_meshes(
    old: &SceneMesh,
    new: &SceneMesh,
    tolerance: Tolerance,
    same: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<Vec<CornerChange>>, Refusal> {
    let aligned = aligned(old, new)?;
    let mut all = Vec::with_capacity(old.primitives.len());
    for (number, (primitive, places)) in old.primitives.iter().zip(aligned).enumerate() {
        let mut others: Vec<usize> = places.iter().map(|place| place.primitive).collect();
        others.dedup();
        if !others.into_iter().all(|other| same(number, other)) {
            refuse!("the materials of its triangles changed");
        }
        let mut changes = Vec::with_capacity(places.len());
        for (corner, place) in places.into_iter().enumerate() {
            let Some(edited) = new.primitives.get(place.primitive) else {
                continue;
            };
            let (old, new) = (primitive.corner(corner), edited.corner(place.corner));
            changes.push(corner_change(old, new, tolerance));
        }
        all.push(changes);
    }
    Ok(all)
}

/// Changes at a corner.
pub(in crate::pack::scene) fn corner_change(
    from: PrimitiveCorner<'_>,
    to: PrimitiveCorner<'_>,
    tolerance: Tolerance,
) -> CornerChange {
    fn changed<const N: usize>(
        old: Option<&[f32; N]>,
        new: Option<&[f32; N]>,
        tolerance: f32,
    ) -> Option<[f32; N]> {
        let new = *new?;
        let is_same = old.is_some_and(|old| is_near(old, &new, tolerance));
        (!is_same).then_some(new)
    }
    let (old, new) = (from.primitive, to.primitive);
    let (from, to) = (from.corner, to.corner);
    let had = match old.colors.is_empty() {
        true => Some(&[1.0; 3]),
        false => old.colors.get(from),
    };
    let normal = new.normals.get(to).filter(|_| !old.normals.is_empty());
    let sets = old.uvs.iter().zip(&new.uvs);
    let was = old.positions.get(from);
    let position = new.positions.get(to);
    let is_same = |new: &&[f32; 3]| was.is_some_and(|was| is_same_position(was, new, tolerance));
    CornerChange {
        position: position.filter(|new| !is_same(new)).copied(),
        normal: changed(old.normals.get(from), normal, tolerance.normal),
        uvs: sets
            .map(|(old, new)| {
                let (old, new) = (old.get(from), *new.get(to)?);
                let is_same = old.is_some_and(|old| is_same_uv(old, &new, tolerance));
                (!is_same).then_some(new)
            })
            .collect(),
        color: changed(had, new.colors.get(to), tolerance.color),
    }
}

/// True if the model of a node is in the hidden scene because of its zone: Crimson Skies.
pub(in crate::pack::scene) fn is_gated(node: &SceneNode) -> bool {
    node.extras["zipper"]["hiddenBy"] == "zone"
}

/// True if a node without a mesh may have one in the edit, because its zone decides which scene shows it. An edit must
/// give it a zone that is shown; then the proof compares the mesh. Packed zones may hide a mesh that the edit shows:
/// the proof reports meshes lost this way.
fn is_let_in(old: &SceneNode, new: &SceneNode, other_scenes: OtherScenes) -> bool {
    let facts = new.extras.get("zipper").and_then(Value::as_object);
    let zone = facts.map(|facts| facts.get("zone").map_or(Some(-1), Value::as_i64));
    let is_shown = zone.flatten().is_some_and(is_shown_zone);
    is_gated(old) && !is_gated(new) && (other_scenes == OtherScenes::Ignore || is_shown)
}

/// The refusal of a mesh that was added to a node without one.
pub(in crate::pack::scene) fn had_no_mesh(node: &SceneNode) -> Refusal {
    refusal!(
        "node {}: it had no mesh, and a mesh cannot be added",
        node.name
    )
}
