//! Pairs of original and edited nodes.

use std::collections::{HashMap, HashSet, VecDeque};

use glam::DMat4;

use super::names::short;
use super::pair::Pair;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::key_of;
use crate::pack::scene::compare::tolerance::{Tolerance, is_same_place};
use crate::pack::scene::file::{Local, SceneFile, SceneNode};

/// Pairs of nodes.
#[derive(Debug, Default)]
pub(super) struct NodePairs {
    /// For each original node the edited one.
    pub edited: Vec<Option<usize>>,
    /// For each edited node the original one.
    pub base: Vec<Option<usize>>,
    /// Edited nodes without an original, parents first, each with its parent among the edited ones.
    pub added: Vec<(usize, Option<usize>)>,
    /// Original nodes with instances, which the program writes as nodes below the edited one.
    pub spread: Vec<(usize, usize)>,
    /// Nodes of the program between a node and its parent, such as armature objects.
    pub dissolved: Vec<usize>,
    /// For each edited node the transform of dissolved nodes between it and its parent.
    pub above: HashMap<usize, DMat4>,
}

/// Most nodes of one name that are compared by their positions.
const MAX_TRIED: usize = 64;

/// Nodes without a parent: those of the scene that is shown first, then those of others, and with `with_unused` those of
/// no scene.
fn roots(file: &SceneFile, with_unused: bool) -> Vec<usize> {
    let mut roots = file.roots.clone();
    let shown: HashSet<usize> = roots.iter().copied().collect();
    let unused: HashSet<usize> = file.unused.iter().copied().collect();
    let nodes = file.nodes.iter().enumerate();
    let others = nodes.filter(|(number, node)| {
        let is_used = with_unused || !unused.contains(number);
        node.parent.is_none() && !shown.contains(number) && is_used
    });
    let others: Vec<usize> = others.map(|(number, _)| number).collect();
    roots.extend(others);
    roots
}

/// True if an original node shows its mesh many times.
pub(super) fn is_instanced(pair: Pair<'_>, node: usize) -> bool {
    !pair.base.json["nodes"][node]["extensions"]["EXT_mesh_gpu_instancing"].is_null()
}

/// Pairs the nodes of two files, from their roots on.
pub(super) fn pair_nodes(pair: Pair<'_>) -> NodePairs {
    let (base, edited) = (pair.base_scene, pair.edited_scene);
    let mut pairs = NodePairs {
        edited: vec![None; base.nodes.len()],
        base: vec![None; edited.nodes.len()],
        ..NodePairs::default()
    };
    let mut seen = vec![false; edited.nodes.len()];
    // A node that is in no scene any more was deleted.
    let has_unused = !base.unused.is_empty();
    let mut work = vec![(None, roots(base, true), roots(edited, has_unused))];
    while let Some((parent, old, new)) = work.pop() {
        let mut siblings = Siblings {
            base,
            edited,
            old,
            new,
            found: Vec::new(),
        };
        siblings.pair(&SURE);
        while siblings.dissolve(&mut pairs) {
            siblings.pair(&SURE);
        }
        siblings.pair(&[Pass::NameAlone]);
        for (from, to) in siblings.found {
            pairs.edited[from] = Some(to);
            pairs.base[to] = Some(from);
            // A node below itself would be visited without end.
            let is_spread = is_instanced(pair, from) && edited.nodes[to].mesh.is_none();
            if is_spread {
                pairs.spread.push((from, to));
            }
            if !std::mem::replace(&mut seen[to], true) && !is_spread {
                let below = |file: &SceneFile, node: usize| file.nodes[node].children.clone();
                work.push((Some(to), below(base, from), below(edited, to)));
            }
        }
        let mut stack: Vec<_> = siblings
            .new
            .into_iter()
            .rev()
            .map(|it| (it, parent))
            .collect();
        while let Some((node, parent)) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                pairs.added.push((node, parent));
                let children = edited.nodes[node].children.iter().rev();
                stack.extend(children.map(|&child| (child, Some(node))));
            }
        }
    }
    pairs
}

/// Children of one parent that are not paired yet.
struct Siblings<'f> {
    base: &'f SceneFile,
    edited: &'f SceneFile,
    old: Vec<usize>,
    new: Vec<usize>,
    found: Vec<(usize, usize)>,
}

/// Value that is equal for nodes that may be a pair.
type Token<'n> = (Option<(&'n str, usize)>, &'n str);

/// Criterion of pairs, the most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    KeyAndName,
    Key,
    Name,
    ShortName,
    /// The name of a node that got or lost its mesh.
    NameAlone,
}

/// Criteria of pairs that hold also before nodes of the program are dissolved.
const SURE: [Pass; 4] = [Pass::KeyAndName, Pass::Key, Pass::Name, Pass::ShortName];

impl Pass {
    fn token(self, node: &SceneNode) -> Option<Token<'_>> {
        let key = key_of(node);
        match self {
            Self::KeyAndName => Some((Some(key?), &node.name)),
            Self::Key => Some((Some(key?), "")),
            Self::Name => Some((None, &node.name)),
            Self::ShortName | Self::NameAlone => Some((None, short(&node.name))),
        }
    }

    /// True if one of these nodes may be the other.
    fn allows(self, old: &SceneNode, new: &SceneNode) -> bool {
        match self {
            Self::KeyAndName | Self::Key => true,
            // Names are a guess, which keys can refute.
            Self::Name | Self::ShortName | Self::NameAlone => {
                let agree = match (key_of(old), key_of(new)) {
                    (Some(one), Some(other)) => one == other,
                    _ => true,
                };
                agree && (self == Self::NameAlone || old.mesh.is_some() == new.mesh.is_some())
            }
        }
    }
}

impl Siblings<'_> {
    fn pair(&mut self, passes: &[Pass]) {
        for &pass in passes {
            let mut known: HashMap<Token<'_>, VecDeque<usize>> = HashMap::new();
            for &old in &self.old {
                if let Some(token) = pass.token(&self.base.nodes[old]) {
                    known.entry(token).or_default().push_back(old);
                }
            }
            let found_before = self.found.len();
            let (base, edited, found) = (self.base, self.edited, &mut self.found);
            self.new.retain(|&new| {
                let node = &edited.nodes[new];
                let queue = pass.token(node).and_then(|token| known.get_mut(&token));
                let Some(queue) = queue else { return true };
                let fits = |old: &usize| pass.allows(&base.nodes[*old], node);
                let is_there = |old: &usize| {
                    is_same_place(base.nodes[*old].local, node.local, Tolerance::FOREIGN)
                };
                let mut tried = queue.iter().take(MAX_TRIED);
                let at = tried.position(|old| fits(old) && is_there(old));
                let at = at.or_else(|| queue.iter().take(MAX_TRIED).position(fits));
                match at.and_then(|at| queue.remove(at)) {
                    Some(old) => {
                        found.push((old, new));
                        false
                    }
                    None => true,
                }
            });
            let taken: Vec<usize> = self.found[found_before..].iter().map(|it| it.0).collect();
            if !taken.is_empty() {
                let taken: HashSet<usize> = taken.into_iter().collect();
                self.old.retain(|old| !taken.contains(old));
            }
        }
    }

    /// Replaces nodes of the program by their children, where one of these is a missing node. Returns false if there is
    /// none.
    fn dissolve(&mut self, pairs: &mut NodePairs) -> bool {
        let missing: HashSet<&str> = self
            .old
            .iter()
            .map(|&old| short(&self.base.nodes[old].name))
            .collect();
        let is_helper = |&new: &usize| {
            let node = &self.edited.nodes[new];
            let mut children = node.children.iter();
            let is_of_program = node.mesh.is_none() && key_of(node).is_none();
            is_of_program
                && children.any(|&child| missing.contains(short(&self.edited.nodes[child].name)))
        };
        let (helpers, others): (Vec<usize>, Vec<usize>) =
            self.new.iter().copied().partition(is_helper);
        self.new = others;
        for &node in &helpers {
            let found = &self.edited.nodes[node];
            let above = pairs.above.get(&node).copied().unwrap_or(DMat4::IDENTITY);
            let above = above * found.local.to_matrix();
            for &child in &found.children {
                pairs.above.insert(child, above);
                self.new.push(child);
            }
        }
        pairs.dissolved.extend(&helpers);
        !helpers.is_empty()
    }
}

impl NodePairs {
    /// The transform of an edited node to its parent, past dissolved nodes.
    ///
    /// # Errors
    /// It is sheared, or not invertible.
    pub(super) fn local(&self, edited: &SceneFile, node: usize) -> Result<Local, Refusal> {
        let found = &edited.nodes[node];
        match self.above.get(&node) {
            Some(above) if !above.abs_diff_eq(DMat4::IDENTITY, 1e-6) => {
                let matrix = *above * found.local.to_matrix();
                let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
                let local = Local {
                    translation: translation.as_vec3().to_array(),
                    rotation: rotation.as_quat().to_array(),
                    scale: scale.as_vec3().to_array(),
                    matrix: None,
                };
                let slack = 1e-4
                    * matrix
                        .to_cols_array()
                        .iter()
                        .fold(1.0_f64, |most, it| most.max(it.abs()));
                match local.to_matrix().abs_diff_eq(matrix, slack) {
                    true => Ok(local),
                    false => Err(refusal!(
                        "node {}: it is sheared; apply the scale of the objects above it (Blender: Ctrl+A)",
                        found.name
                    )),
                }
            }
            _ => Ok(found.local),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::pack::scene::exporter::model;
    use crate::pack::scene::file::Document;

    fn document(generator: &str, roots: &[usize], nodes: Value) -> Document {
        let mesh = json!([{"primitives": []}]);
        let json = json!({
            "asset": {"version": "2.0", "generator": generator},
            "scenes": [{"nodes": roots}],
            "nodes": nodes,
            "meshes": mesh,
        });
        Document::from_parts(json, Vec::new()).unwrap()
    }

    /// Names of the pairs, of added nodes and of dissolved ones.
    fn paired(base: &Document, edited: &Document) -> (Vec<[String; 2]>, Vec<String>, Vec<String>) {
        let scenes = [base, edited].map(|it| it.scene().unwrap());
        let pair = Pair {
            base,
            base_scene: &scenes[0],
            edited,
            edited_scene: &scenes[1],
            exporter: model::of(edited.generator()).unwrap(),
        };
        let pairs = pair_nodes(pair);
        let name = |side: usize, node: usize| scenes[side].nodes[node].name.clone();
        let found = pairs.edited.iter().enumerate();
        let found = found.filter_map(|(old, new)| Some([name(0, old), name(1, (*new)?)]));
        (
            found.collect(),
            pairs.added.iter().map(|(node, _)| name(1, *node)).collect(),
            pairs.dissolved.iter().map(|node| name(1, *node)).collect(),
        )
    }

    #[test]
    fn an_armature_with_the_name_of_a_mesh_is_dissolved() {
        let base = document(
            "relicast 0.1.0",
            &[0, 2],
            json!([
                {"name": "ROOT", "children": [1]}, {"name": "HEAD"}, {"name": "crow", "mesh": 0},
            ]),
        );
        let edited = document(
            "Khronos glTF Blender I/O v5.0.1",
            &[3],
            json!([
                {"name": "HEAD"}, {"name": "ROOT", "children": [0]}, {"name": "crow.001", "mesh": 0},
                {"name": "crow", "children": [2, 1]},
            ]),
        );
        let (pairs, added, dissolved) = paired(&base, &edited);
        assert_eq!(
            pairs,
            [["ROOT", "ROOT"], ["HEAD", "HEAD"], ["crow", "crow.001"]]
        );
        assert_eq!((added, dissolved), (vec![], vec!["crow".to_owned()]));
    }

    #[test]
    fn of_an_object_and_its_copy_the_one_with_the_name_is_the_original() {
        let tree = |name: &str, x: f32| {
            json!({
                "name": name, "mesh": 0, "translation": [x, 0.0, 0.0],
                "extras": {"everquest": {"file": "objects.wld", "index": 7}},
            })
        };
        let base = document("relicast 0.1.0", &[0], json!([tree("TREE", 1.0)]));
        let edited = document(
            "Khronos glTF Blender I/O v4.2.57",
            &[0, 1],
            json!([tree("TREE.001", 1.0), tree("TREE", 4.0)]),
        );
        let (pairs, added, _) = paired(&base, &edited);
        assert_eq!(pairs, [["TREE", "TREE"]]);
        assert_eq!(added, ["TREE.001"]);
    }

    #[test]
    fn long_names_are_found_though_blender_shortens_them() {
        let long = "a".repeat(80);
        let base = document(
            "relicast 0.1.0",
            &[0, 1],
            json!([{"name": long}, {"name": long, "translation": [1.0, 0.0, 0.0]}]),
        );
        let edited = document(
            "Khronos glTF Blender I/O v4.2.57",
            &[0, 1],
            json!([
                {"name": format!("{}.001", &long[..59]), "translation": [1.0, 0.0, 0.0]},
                {"name": &long[..63]},
            ]),
        );
        let (pairs, added, _) = paired(&base, &edited);
        assert_eq!(pairs[0][1], long[..63]);
        assert_eq!((pairs.len(), added.len()), (2, 0));
    }
}
