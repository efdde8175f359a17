//! Contents of a glTF file besides transforms, shapes, surfaces, lights and cameras: animations, bindings. They are not
//! packed, so edits of them must be noticed.

use std::collections::{BTreeMap, BTreeSet};

use relicast_emit::gltf::Accessor;
use serde_json::{Value, json};

use super::surface;
use crate::pack::json::{index, items};

/// By the name used in messages.
#[derive(Debug, Clone, Default)]
pub(in crate::pack::scene) struct UnsupportedEdits {
    facts: BTreeMap<String, Fact>,
    /// Contents of the primitives of each mesh, by what they are and the label of the mesh: those of each material,
    /// where the materials differ.
    meshes: BTreeMap<(String, String), BTreeMap<Option<String>, Value>>,
}

#[derive(Debug, Clone)]
struct Fact {
    value: Value,
    /// Kind and label of the mesh that it is of.
    mesh: Option<(String, String)>,
}

impl UnsupportedEdits {
    fn put(&mut self, key: String, value: Value) {
        self.facts.insert(key, Fact { value, mesh: None });
    }

    /// Collects the animations, except those of motions, which are compared key by key.
    fn put_animations(&mut self, root: &Value, buffers: &[Vec<u8>]) {
        let facts = |animation: &Value, key: &str| {
            let facts = animation.get("extras").and_then(|it| it.get("zipper"));
            facts.and_then(|facts| facts.get(key)).is_some()
        };
        for (number, animation) in entries(root, "animations") {
            if facts(animation, "source") && facts(animation, "frames") {
                continue;
            }
            let samplers = entries(animation, "samplers");
            let samplers: Vec<Value> = samplers
                .map(|(_, sampler)| {
                    let data = ["input", "output"]
                        .map(|key| digest(root, buffers, sampler.get(key).unwrap_or(&Value::Null)));
                    json!([sampler.get("interpolation"), data])
                })
                .collect();
            let key = format!("animations[{number}] ({})", name(animation));
            let facts = ["channels", "extras", "name"].map(|key| animation.get(key).cloned());
            self.put(key, json!([facts, samplers]));
        }
    }

    /// Removes and returns the contents of the named node besides its transform, name and mesh.
    pub(in crate::pack::scene) fn take_of_node(&mut self, name: &str) -> Option<Value> {
        let fact = self.facts.remove(&key_of_node(&format!("node {name}")));
        fact.map(|fact| fact.value)
    }

    /// Removes the contents of the node with this label, besides its transform, name and mesh.
    pub(in crate::pack::scene) fn forget_node(&mut self, label: &str) {
        self.facts.remove(&key_of_node(label));
    }

    /// True if another file has equal contents under this key. Primitives may come in another order.
    pub(in crate::pack::scene) fn agrees(&self, other: &Self, key: &str) -> bool {
        let facts = [self, other].map(|rest| rest.facts.get(key));
        let [one, two] = facts.map(|fact| fact.map(|fact| &fact.value));
        if one == two {
            return true;
        }
        let mut meshes = facts.into_iter().flatten();
        let mesh = meshes.find_map(|fact| fact.mesh.as_ref());
        mesh.is_some_and(|mesh| {
            let said = [self, other].map(|rest| rest.meshes.get(mesh));
            matches!(said, [Some(one), Some(two)] if one == two)
        })
    }

    /// Keys under which another file has other contents.
    pub(in crate::pack::scene) fn differing<'r>(
        &'r self,
        other: &'r Self,
    ) -> impl Iterator<Item = &'r String> {
        let keys = self.facts.keys().chain(other.facts.keys());
        keys.filter(|key| !self.agrees(other, key))
    }
}

/// Lists of the root whose entries are compared separately.
const LISTS: [&str; 4] = ["textures", "images", "samplers", "skins"];

/// Attributes that are compared as numbers.
const READ: [&str; 4] = ["POSITION", "NORMAL", "TEXCOORD_", "COLOR_0"];

/// Collects it from the JSON of a file and its buffers.
pub(in crate::pack::scene) fn of(root: &Value, buffers: &[Vec<u8>]) -> UnsupportedEdits {
    let mut rest = UnsupportedEdits::default();
    // Things that materials refer to are compared with the materials.
    let [textures, images, samplers] = surface::named(root);
    for list in LISTS {
        let known = match list {
            "textures" => &textures[..],
            "images" => &images,
            "samplers" => &samplers,
            _ => &[],
        };
        let others = entries(root, list).filter(|(number, _)| !known.contains(number));
        for (number, value) in others {
            rest.put(format!("{list}[{number}] ({})", name(value)), value.clone());
        }
    }
    if let Some(extensions) = root.get("extensions") {
        let mut extensions = extensions.clone();
        if let Some(all) = extensions.as_object_mut() {
            all.remove("KHR_lights_punctual");
        }
        rest.put("extensions".to_owned(), extensions);
    }
    for (number, scene) in entries(root, "scenes") {
        let extras = scene.get("extras").cloned().unwrap_or_default();
        rest.put(format!("scenes[{number}].extras"), extras);
    }
    // The position of a thing may change with its order, so numbers of nodes and meshes do not identify it.
    let node_names = entries(root, "nodes").map(|(_, node)| name(node));
    let mesh_names = entries(root, "meshes").map(|(_, mesh)| name(mesh));
    let (node_labels, mesh_labels) = (labels("node", node_names), labels("mesh", mesh_names));
    for ((_, node), label) in entries(root, "nodes").zip(node_labels) {
        let mut parts = ["camera", "skin", "extensions"].map(|key| node.get(key).cloned());
        if let [_, _, Some(extensions)] = &mut parts {
            with_digests(extensions, root, buffers);
        }
        if parts.iter().any(Option::is_some) {
            rest.put(key_of_node(&label), json!(parts));
        }
    }
    let materials: Vec<&str> = entries(root, "materials").map(|(_, it)| name(it)).collect();
    for ((_, mesh), label) in entries(root, "meshes").zip(mesh_labels) {
        let of_parts = entries(mesh, "primitives").map(|(_, primitive)| {
            let material = primitive.get("material").and_then(index);
            material.and_then(|it| materials.get(it).copied())
        });
        let of_parts: Vec<Option<&str>> = of_parts.collect();
        let distinct: BTreeSet<_> = of_parts.iter().collect();
        let is_one_each = distinct.len() == of_parts.len();
        for ((place, primitive), material) in entries(mesh, "primitives").zip(&of_parts) {
            for (what, value) in of_primitive(primitive, root, buffers) {
                let key = format!("{what} of {label}, primitives[{place}]");
                let mesh = (what, label.clone());
                if is_one_each {
                    let parts = rest.meshes.entry(mesh.clone()).or_default();
                    parts.insert(material.map(str::to_owned), value.clone());
                }
                let mesh = Some(mesh);
                rest.facts.insert(key, Fact { value, mesh });
            }
        }
    }
    rest.put_animations(root, buffers);
    rest
}

/// Key for contents of a node besides its transform, name and mesh.
fn key_of_node(label: &str) -> String {
    format!("camera, skin or extensions of {label}")
}

/// Replaces accessors by digests of their data, because their numbers depend on all others.
fn with_digests(extensions: &mut Value, root: &Value, buffers: &[Vec<u8>]) {
    let attributes = extensions.pointer_mut("/EXT_mesh_gpu_instancing/attributes");
    for accessor in attributes
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
    {
        let (_, accessor) = accessor;
        *accessor = digest(root, buffers, accessor);
    }
}

/// Contents of a primitive, by key.
fn of_primitive(primitive: &Value, root: &Value, buffers: &[Vec<u8>]) -> Vec<(String, Value)> {
    let parts = ["extras", "extensions"].map(|key| primitive.get(key).cloned());
    let mut all = vec![("extras or extensions".to_owned(), json!(parts))];
    let attributes = primitive.get("attributes").and_then(Value::as_object);
    let unread = attributes
        .into_iter()
        .flatten()
        .filter(|(key, _)| !READ.iter().any(|read| key.starts_with(read)));
    all.extend(unread.map(|(key, accessor)| (key.clone(), digest(root, buffers, accessor))));
    for (target, value) in entries(primitive, "targets") {
        let values = value.as_object().into_iter().flatten();
        let digests: Vec<Value> = values
            .map(|(_, accessor)| digest(root, buffers, accessor))
            .collect();
        all.push((format!("targets[{target}]"), digests.into()));
    }
    all
}

/// All differences; `is_read` returns true for things that are compared elsewhere.
pub(in crate::pack::scene) fn differences(
    base: &UnsupportedEdits,
    edited: &UnsupportedEdits,
    is_read: &dyn Fn(&str) -> bool,
) -> BTreeSet<String> {
    // The list of unused pictures changes with the used ones.
    let is_one_sided = |key: &str| {
        ["textures[", "images[", "samplers["]
            .iter()
            .any(|list| key.starts_with(list))
            && (base.facts.contains_key(key) != edited.facts.contains_key(key))
    };
    let keys = base.differing(edited);
    keys.filter(|key| !is_one_sided(key) && !is_read(key))
        .cloned()
        .collect()
}

/// True if a key belongs to the mesh with this label.
pub(in crate::pack::scene) fn is_of_mesh(key: &str, label: &str) -> bool {
    key.contains(&format!(" of {label}, primitives["))
}

/// Label of each of several things of a sort: its name, and its number among those of that name.
pub(in crate::pack::scene) fn labels<'n>(
    sort: &str,
    names: impl Iterator<Item = &'n str>,
) -> Vec<String> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let label = |name: &'n str| {
        let name = match name {
            "" => NAMELESS,
            name => name,
        };
        let count = known.entry(name).or_default();
        *count += 1;
        match count {
            1 => format!("{sort} {name}"),
            count => format!("{sort} {name} ({count})"),
        }
    };
    names.map(label).collect()
}

/// Label of things without a name.
const NAMELESS: &str = "without name";

fn entries<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    items(value, key).iter().enumerate()
}

fn name(value: &Value) -> &str {
    value
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or(NAMELESS)
}

/// The hash of the bytes of an accessor, with how they are read.
fn digest(root: &Value, buffers: &[Vec<u8>], accessor: &Value) -> Value {
    let accessors = items(root, "accessors");
    let found = index(accessor).and_then(|number| Some((number, accessors.get(number)?)));
    let Some((number, found)) = found else {
        return Value::Null;
    };
    let opened = Accessor::open(root, buffers, number);
    let hash = opened.map(|opened| blake3::hash(opened.data()).to_hex().to_string());
    let [component, kind, count] = ["componentType", "type", "count"].map(|key| found.get(key));
    json!([component, kind, count, hash.ok()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(of: &[(&str, i32)]) -> UnsupportedEdits {
        let mut rest = UnsupportedEdits::default();
        for &(key, value) in of {
            rest.put(key.to_owned(), value.into());
        }
        rest
    }

    #[test]
    fn things_are_distinguished_by_name_and_index() {
        let names = ["wheel", "", "wheel", "axle", "", "wheel"];
        assert_eq!(
            labels("mesh", names.into_iter()),
            [
                "mesh wheel",
                "mesh without name",
                "mesh wheel (2)",
                "mesh axle",
                "mesh without name (2)",
                "mesh wheel (3)"
            ]
        );
        let key = "TANGENT of mesh wheel (2), primitives[0]";
        assert!(is_of_mesh(key, "mesh wheel (2)"));
        assert!(!is_of_mesh(key, "mesh wheel"));
    }

    #[test]
    fn primitives_in_another_order_say_the_same() {
        let file = |order: [(u32, u32); 2]| {
            let primitives = order
                .map(|(material, layer)| json!({"material": material, "extras": {"layer": layer}}));
            let materials = [json!({"name": "wood"}), json!({"name": "iron"})];
            of(
                &json!({"materials": materials, "meshes": [{"name": "wheel", "primitives": primitives}]}),
                &[],
            )
        };
        let differing = |one: [(u32, u32); 2], other: [(u32, u32); 2]| {
            file(one).differing(&file(other)).count()
        };
        assert_eq!(differing([(0, 1), (1, 2)], [(1, 2), (0, 1)]), 0);
        // The same list with other materials is unchanged by position.
        assert_eq!(differing([(0, 1), (1, 2)], [(1, 1), (0, 2)]), 0);
        assert!(differing([(0, 1), (1, 2)], [(1, 2), (0, 3)]) > 0);
        assert!(differing([(0, 1), (0, 2)], [(0, 2), (0, 1)]) > 0);
    }

    #[test]
    fn what_differs_is_reported_unless_it_is_read_or_named_on_one_side_alone() {
        let base = rest(&[("a", 1), ("b", 1), ("c", 1), ("images[0] (x)", 1)]);
        let edited = rest(&[("a", 1), ("b", 2), ("d", 1), ("images[1] (y)", 1)]);
        let found = differences(&base, &edited, &|key| key == "d");
        assert_eq!(found, BTreeSet::from(["b", "c"].map(str::to_owned)));
        let edited = rest(&[("a", 1), ("b", 1), ("c", 1), ("images[0] (x)", 2)]);
        assert_eq!(differences(&base, &edited, &|_| false).len(), 1);
    }
}
