//! Reads a written glTF file for projects: nodes of its scenes with their transforms, extras and materials.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use glam::{DAffine3, DQuat, DVec3};
use relicast_emit::gltf::chunks;
use relicast_scene::extras::MaterialExtras;
use serde_json::Value;

use super::node_facts::NodeFacts;
use crate::pipeline::output::links::resolve;
use crate::pipeline::report::converted::Converted;

/// Maximum size of a file to read.
const MAX_BYTES: u64 = 1 << 30;

/// Scene file.
#[derive(Debug)]
pub(super) struct SceneFile {
    /// Path below the output folder.
    pub path: String,
    /// The document.
    pub document: Value,
    /// Parent of each node.
    parents: BTreeMap<usize, usize>,
    /// Facts of the nodes, in node order.
    facts: Vec<NodeFacts>,
}

/// Extras of a part of a file in stored form, for any game: for passing them on.
pub(super) fn stored_facts(part: &Value) -> &Value {
    let extras = &part["extras"];
    match &extras["zipper"] {
        Value::Null => &extras["everquest"],
        facts => facts,
    }
}

impl SceneFile {
    /// Reads the scene file at `path`; `None` if it cannot be read.
    pub fn read(converted: &Converted, path: &str) -> Option<Self> {
        let bytes = converted.read(path, MAX_BYTES)?;
        let document: Value = serde_json::from_slice(chunks(&bytes)?.json).ok()?;
        let mut parents = BTreeMap::new();
        for (parent, node) in list(&document, "nodes").iter().enumerate() {
            parents.extend(indices(&node["children"]).map(|child| (child, parent)));
        }
        let facts = list(&document, "nodes").iter().map(NodeFacts::new);
        Some(Self {
            path: path.to_owned(),
            facts: facts.collect(),
            document,
            parents,
        })
    }

    /// Elements of a list of the document.
    pub fn list(&self, name: &str) -> &[Value] {
        list(&self.document, name)
    }

    /// Node; null if it does not exist.
    pub fn node(&self, index: usize) -> &Value {
        &self.document["nodes"][index]
    }

    /// Facts of a node; empty if it does not exist.
    pub fn facts(&self, index: usize) -> &NodeFacts {
        static NONE: LazyLock<NodeFacts> = LazyLock::new(NodeFacts::default);
        self.facts.get(index).unwrap_or(&NONE)
    }

    /// The scenes.
    pub fn scenes(&self) -> &[Value] {
        self.list("scenes")
    }

    /// Nodes of a scene, parents before children.
    pub fn nodes_of(&self, scene: usize) -> Vec<usize> {
        let mut open: Vec<usize> = indices(&self.document["scenes"][scene]["nodes"]).collect();
        open.reverse();
        let mut found = Vec::new();
        let most = self.list("nodes").len();
        while let Some(node) = open.pop() {
            // Our own files have no cycles.
            if found.len() > most {
                break;
            }
            found.push(node);
            let children: Vec<usize> = indices(&self.node(node)["children"]).collect();
            open.extend(children.into_iter().rev());
        }
        found
    }

    /// Nodes of a scene by their index in the game's world file.
    pub fn by_index(&self, scene: usize) -> BTreeMap<usize, usize> {
        let mut found = BTreeMap::new();
        let mut placed = BTreeSet::new();
        for node in self.nodes_of(scene) {
            let above = self.parents.get(&node);
            let facts = self.facts(node);
            // Placed objects are from other files with their own indices.
            if facts.is_placed() || above.is_some_and(|above| placed.contains(above)) {
                placed.insert(node);
            } else if let Some(index) = facts.index {
                // Of several instances, the first one counts.
                found.entry(index).or_insert(node);
            }
        }
        found
    }

    /// All nodes, in a scene or not.
    pub fn all_nodes(&self) -> Vec<usize> {
        (0..self.list("nodes").len()).collect()
    }

    /// A node and its ancestors, upwards.
    pub fn up(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let most = self.list("nodes").len();
        std::iter::successors(Some(node), |at| self.parents.get(at).copied()).take(most)
    }

    /// Name of a node in the file.
    pub fn raw_name(&self, node: usize) -> &str {
        self.node(node)["name"].as_str().unwrap_or_default()
    }

    /// Path of a node in the scene that Godot makes of the file.
    pub fn godot_path(&self, node: usize) -> String {
        let mut parts = vec![self.name(node)];
        let mut at = node;
        while let Some(&parent) = self.parents.get(&at) {
            parts.push(self.name(parent));
            at = parent;
        }
        parts.reverse();
        parts.join("/")
    }

    /// Name of a node in Godot.
    pub fn name(&self, node: usize) -> String {
        godot_name(self.node(node)["name"].as_str().unwrap_or_default())
    }

    /// Transform of a node relative to its parent.
    pub fn local(&self, node: usize) -> DAffine3 {
        let node = self.node(node);
        let read = |name: &str, default: &[f64]| -> Vec<f64> {
            let stored = node[name].as_array();
            let stored = stored.map(|values| values.iter().filter_map(Value::as_f64));
            let stored: Vec<f64> = stored.into_iter().flatten().collect();
            if stored.len() == default.len() {
                stored
            } else {
                default.to_vec()
            }
        };
        let translation = DVec3::from_slice(&read("translation", &[0.0; 3]));
        let rotation = DQuat::from_slice(&read("rotation", &[0.0, 0.0, 0.0, 1.0]));
        let scale = DVec3::from_slice(&read("scale", &[1.0; 3]));
        DAffine3::from_scale_rotation_translation(scale, rotation, translation)
    }

    /// Transform of a node relative to its scene.
    pub fn global(&self, node: usize) -> DAffine3 {
        let mut place = self.local(node);
        let mut at = node;
        while let Some(&parent) = self.parents.get(&at) {
            place = self.local(parent) * place;
            at = parent;
        }
        place
    }

    /// Bounding box of all visible nodes of a scene, without skies.
    pub fn bounds(&self, scene: usize) -> Option<[DVec3; 2]> {
        let mut bounds: Option<[DVec3; 2]> = None;
        let mut places: BTreeMap<usize, (DAffine3, bool)> = BTreeMap::new();
        for node in self.nodes_of(scene) {
            let above = self
                .parents
                .get(&node)
                .and_then(|parent| places.get(parent));
            let (above, is_sky) = above.copied().unwrap_or((DAffine3::IDENTITY, false));
            let facts = self.facts(node);
            let is_apart = is_sky || facts.is_sky || facts.volume.is_some();
            let place = above * self.local(node);
            places.insert(node, (place, is_apart));
            let Some(mesh) = self.node(node)["mesh"].as_u64().filter(|_| !is_apart) else {
                continue;
            };
            for primitive in list(&self.document["meshes"][mesh as usize], "primitives") {
                // Invisible collision walls extend far up.
                if !self.is_drawn(primitive) {
                    continue;
                }
                let positions = primitive["attributes"]["POSITION"]
                    .as_u64()
                    .unwrap_or(u64::MAX);
                let accessor = &self.document["accessors"][positions as usize];
                let corner = |name: &str| -> Option<DVec3> {
                    let values = accessor[name].as_array()?;
                    let values: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
                    <[f64; 3]>::try_from(values).ok().map(DVec3::from)
                };
                let (Some(low), Some(high)) = (corner("min"), corner("max")) else {
                    continue;
                };
                for sign in 0..8_u8 {
                    let pick =
                        |bit: u8, low: f64, high: f64| if sign & bit == 0 { low } else { high };
                    let point = DVec3::new(
                        pick(1, low.x, high.x),
                        pick(2, low.y, high.y),
                        pick(4, low.z, high.z),
                    );
                    let point = place.transform_point3(point);
                    bounds = Some(match bounds {
                        None => [point; 2],
                        Some([least, most]) => [least.min(point), most.max(point)],
                    });
                }
            }
        }
        bounds
    }

    /// Returns whether a primitive is drawn: some of EverQuest's are collision only.
    pub fn is_drawn(&self, primitive: &Value) -> bool {
        let material = primitive["material"].as_u64().unwrap_or(u64::MAX);
        let material = self.list("materials").get(material as usize);
        material.is_some_and(|material| {
            let surface = MaterialExtras::of(material).everquest.surface;
            !matches!(surface.as_deref(), Some("boundary" | "invisible"))
        })
    }

    /// Path of the picture of a texture, below the output folder.
    pub fn picture(&self, texture: usize) -> Option<String> {
        let image = self.document["textures"][texture]["source"].as_u64()?;
        let uri = self.document["images"][image as usize]["uri"].as_str()?;
        resolve(&self.path, uri)
    }
}

/// Name of a node in Godot.
pub(super) fn godot_name(name: &str) -> String {
    name.chars()
        .map(|sign| match sign {
            '.' | ':' | '@' | '/' | '"' | '%' => '_',
            sign => sign,
        })
        .collect()
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn indices(value: &Value) -> impl Iterator<Item = usize> + '_ {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(|item| usize::try_from(item.as_u64()?).ok())
}
