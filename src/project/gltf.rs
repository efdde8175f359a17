//! A glTF file that was written, as far as a project asks: nodes of its scenes with their places, extras, materials.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use glam::{DAffine3, DQuat, DVec3};
use relicast_emit::gltf::chunks;
use relicast_scene::extras::MaterialExtras;
use serde_json::Value;

use super::node_facts::NodeFacts;
use crate::pipeline::output::links::resolve;
use crate::pipeline::report::converted::Converted;

/// Largest file that is read.
const LARGEST: u64 = 1 << 30;

/// A scene file.
#[derive(Debug)]
pub(super) struct SceneFile {
    /// Path below the output folder.
    pub path: String,
    /// The document.
    pub document: Value,
    /// The node above each node.
    parents: BTreeMap<usize, usize>,
    /// Facts of the nodes, in their order.
    facts: Vec<NodeFacts>,
}

/// Extras of a part of a file as they are stored, whichever game it is of: for what passes them on.
pub(super) fn stored_facts(part: &Value) -> &Value {
    let extras = &part["extras"];
    match &extras["zipper"] {
        Value::Null => &extras["everquest"],
        facts => facts,
    }
}

impl SceneFile {
    /// Reads the scene file at `path`; `None` when there is none that can be read.
    pub fn read(converted: &Converted, path: &str) -> Option<Self> {
        let bytes = converted.read(path, LARGEST)?;
        let document: Value = serde_json::from_slice(chunks(&bytes)?.json).ok()?;
        let mut parents = BTreeMap::new();
        for (parent, node) in list(&document, "nodes").iter().enumerate() {
            parents.extend(indices(&node["children"]).map(|child| (child, parent)));
        }
        let facts = list(&document, "nodes").iter().map(NodeFacts::of);
        Some(Self {
            path: path.to_owned(),
            facts: facts.collect(),
            document,
            parents,
        })
    }

    /// Items of a list of the document.
    pub fn list(&self, name: &str) -> &[Value] {
        list(&self.document, name)
    }

    /// A node; null when there is none.
    pub fn node(&self, index: usize) -> &Value {
        &self.document["nodes"][index]
    }

    /// Facts of a node; none where there is no such node.
    pub fn facts(&self, index: usize) -> &NodeFacts {
        static NONE: LazyLock<NodeFacts> = LazyLock::new(NodeFacts::default);
        self.facts.get(index).unwrap_or(&NONE)
    }

    /// The scenes.
    pub fn scenes(&self) -> &[Value] {
        self.list("scenes")
    }

    /// The nodes of a scene, each after those above it.
    pub fn nodes_of(&self, scene: usize) -> Vec<usize> {
        let mut open: Vec<usize> = indices(&self.document["scenes"][scene]["nodes"]).collect();
        open.reverse();
        let mut found = Vec::new();
        let most = self.list("nodes").len();
        while let Some(node) = open.pop() {
            // A file with circles is none of ours.
            if found.len() > most {
                break;
            }
            found.push(node);
            let children: Vec<usize> = indices(&self.node(node)["children"]).collect();
            open.extend(children.into_iter().rev());
        }
        found
    }

    /// The nodes of a scene by the index that the game has for them in its world.
    pub fn by_index(&self, scene: usize) -> BTreeMap<usize, usize> {
        let mut found = BTreeMap::new();
        let mut placed = BTreeSet::new();
        for node in self.nodes_of(scene) {
            let above = self.parents.get(&node);
            let facts = self.facts(node);
            // What is placed is from other files, with indices of their own.
            if facts.is_placed() || above.is_some_and(|above| placed.contains(above)) {
                placed.insert(node);
            } else if let Some(index) = facts.index {
                // Of instances the first counts.
                found.entry(index).or_insert(node);
            }
        }
        found
    }

    /// All nodes, whether or not a scene has them.
    pub fn all_nodes(&self) -> Vec<usize> {
        (0..self.list("nodes").len()).collect()
    }

    /// A node and those above it, upwards.
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

    /// Where a node stands below the one above it.
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

    /// Where a node stands in its scene.
    pub fn global(&self, node: usize) -> DAffine3 {
        let mut place = self.local(node);
        let mut at = node;
        while let Some(&parent) = self.parents.get(&at) {
            place = self.local(parent) * place;
            at = parent;
        }
        place
    }

    /// The box of all that a scene shows, but skies.
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
                // Walls that are only felt reach far up.
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

    /// Whether a primitive is drawn: some of EverQuest's are only felt.
    pub fn is_drawn(&self, primitive: &Value) -> bool {
        let material = primitive["material"].as_u64().unwrap_or(u64::MAX);
        let material = self.list("materials").get(material as usize);
        material.is_some_and(|material| {
            let surface = MaterialExtras::of(material).everquest.surface;
            !matches!(surface.as_deref(), Some("boundary" | "invisible"))
        })
    }

    /// Path below the output folder of the picture of a texture.
    pub fn picture(&self, texture: usize) -> Option<String> {
        let image = self.document["textures"][texture]["source"].as_u64()?;
        let uri = self.document["images"][image as usize]["uri"].as_str()?;
        resolve(&self.path, uri)
    }
}

/// A name as Godot has it for a node.
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
