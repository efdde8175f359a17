//! Compares what the engine found with the JSON of a file.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Findings;

/// Largest difference between lengths of animations, in seconds.
const LENGTH_TOLERANCE: f64 = 1e-3;

/// Compares a scene as the engine traversed it with its file.
pub fn compare(name: &str, document: &Value, walked: &Value, findings: &mut Findings) {
    findings.scenes += 1;
    if walked["loaded"] != true {
        findings
            .differences
            .push(format!("{name}: cannot be loaded"));
        return;
    }
    let mut comparison = Comparison {
        scene: name,
        document,
        findings,
    };
    // Godot 3 shows every node that has no parent, those of other scenes too; Godot 4 shows one scene.
    let scenes = items(&document["scenes"]).into_iter();
    let roots = scenes.flat_map(|scene| items(&scene["nodes"]));
    let mut roots: Vec<Value> = roots.cloned().collect();
    // Godot takes the roots of all scenes in the order of the file's nodes.
    roots.sort_by_key(Value::as_u64);
    match document["skins"].is_array() {
        true => comparison.figure(&walked["tree"]),
        false => comparison.children("", Some(&roots), &items(&walked["tree"]["children"])),
    }
    comparison.animations(walked);
}

struct Comparison<'a> {
    scene: &'a str,
    document: &'a Value,
    findings: &'a mut Findings,
}

impl Comparison<'_> {
    fn differ(&mut self, path: &str, what: &str, wanted: &Value, found: &Value) {
        let line = format!(
            "{}: {path}: {what}: {wanted} in the file, {found} in Godot",
            self.scene
        );
        self.findings.differences.push(line);
    }

    fn expect(&mut self, path: &str, what: &str, wanted: Value, found: &Value) {
        if wanted != *found {
            self.differ(path, what, &wanted, found);
        }
    }

    fn children(&mut self, path: &str, wanted: Option<&Vec<Value>>, found: &[&Value]) {
        let wanted: Vec<u64> = wanted
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
            .collect();
        self.expect(path, "children", wanted.len().into(), &found.len().into());
        for (index, found) in wanted.into_iter().zip(found) {
            self.node(path, index, found);
        }
    }

    fn node(&mut self, parent: &str, index: u64, found: &Value) {
        self.findings.nodes += 1;
        let node = at(&self.document["nodes"], index);
        let name = node["name"].as_str().unwrap_or_default();
        let path = format!("{parent}/{name}");
        let hinted = without_hint(name);
        let mut children = items(&found["children"]);
        let mut found = found;
        if hinted.is_some() {
            self.findings.hints += 1;
            // The engine puts a wheel where the node was: the node's children are the wheel's, and
            // the node itself is the last of them.
            self.expect(&path, "kind", "VehicleWheel".into(), &found["class"]);
            if let Some(own) = children.pop() {
                found = own;
            }
        }
        let wanted = hinted.unwrap_or_else(|| name.to_owned());
        if !is_name(found["name"].as_str().unwrap_or_default(), &wanted) {
            self.differ(&path, "name", &wanted.into(), &found["name"]);
        }
        let class = found["class"].as_str().unwrap_or_default();
        let light = &node["extensions"]["KHR_lights_punctual"];
        let is_equal = match () {
            () if node["mesh"].is_u64() => class == "MeshInstance",
            () if node["camera"].is_u64() => class == "Camera",
            () if light.is_object() => class.ends_with("Light"),
            () => class == "Spatial",
        };
        if !is_equal {
            self.differ(&path, "kind", node, &found["class"]);
        }
        self.surfaces(&path, node, &found["surfaces"]);
        self.children(&path, node["children"].as_array(), &children);
    }

    /// A scene with a skin. The engine makes joints into bones of one node and hangs the skinned meshes
    /// below that, so bones and meshes are compared and not the hierarchy.
    fn figure(&mut self, tree: &Value) {
        let mut found = Vec::new();
        let mut pending = vec![tree];
        while let Some(node) = pending.pop() {
            found.push(node);
            pending.extend(items(&node["children"]));
        }
        let bones = found.iter().flat_map(|node| items(&node["bones"]));
        let mut bones: Vec<&str> = bones.filter_map(Value::as_str).collect();
        let skins = items(&self.document["skins"]).into_iter();
        let joints = skins.flat_map(|skin| items(&skin["joints"]));
        let joints: BTreeSet<u64> = joints.filter_map(Value::as_u64).collect();
        for joint in joints {
            self.findings.nodes += 1;
            let name = at(&self.document["nodes"], joint)["name"].clone();
            let place = bones
                .iter()
                .position(|bone| is_bone(bone, name.as_str().unwrap_or_default()));
            match place {
                Some(place) => drop(bones.swap_remove(place)),
                None => self.differ("", "bone", &name, &Value::Null),
            }
        }
        let mut meshes: Vec<&Value> = found
            .into_iter()
            .filter(|node| node["class"] == "MeshInstance")
            .collect();
        for node in items(&self.document["nodes"]) {
            if !node["mesh"].is_u64() {
                continue;
            }
            self.findings.nodes += 1;
            let name = node["name"].as_str().unwrap_or_default();
            let place = meshes
                .iter()
                .position(|mesh| is_name(mesh["name"].as_str().unwrap_or_default(), name));
            match place {
                Some(place) => {
                    let mesh = meshes.swap_remove(place);
                    self.surfaces(&format!("/{name}"), node, &mesh["surfaces"]);
                }
                None => self.differ("", "mesh", &node["name"], &Value::Null),
            }
        }
        let rest = bones.len() + meshes.len();
        self.expect("", "bones and meshes beyond", 0.into(), &rest.into());
    }

    fn surfaces(&mut self, path: &str, node: &Value, found: &Value) {
        let Some(mesh) = node["mesh"].as_u64() else {
            return;
        };
        let wanted = items(&at(&self.document["meshes"], mesh)["primitives"]);
        let found = items(found);
        self.expect(path, "surfaces", wanted.len().into(), &found.len().into());
        for (primitive, surface) in wanted.into_iter().zip(found) {
            self.findings.surfaces += 1;
            let corners = match primitive["indices"].as_u64() {
                None => primitive["attributes"]["POSITION"].as_u64(),
                indices => indices,
            };
            let corners = at(&self.document["accessors"], corners.unwrap_or(u64::MAX));
            let same = corners["count"].as_u64() == surface["corners"].as_f64().map(whole);
            if !same {
                self.differ(path, "corners", &corners["count"], &surface["corners"]);
            }
            let material = primitive["material"].as_u64();
            let material = at(&self.document["materials"], material.unwrap_or(u64::MAX));
            self.expect(
                path,
                "material",
                material["name"].clone(),
                &surface["material"],
            );
            let texture = &material["pbrMetallicRoughness"]["baseColorTexture"];
            self.expect(
                path,
                "texture",
                texture.is_object().into(),
                &surface["textured"],
            );
        }
    }

    fn animations(&mut self, walked: &Value) {
        let wanted = items(&self.document["animations"]);
        let found = items(&walked["animations"]);
        self.expect("", "animations", wanted.len().into(), &found.len().into());
        for animation in wanted {
            self.findings.animations += 1;
            let name = &animation["name"];
            let samplers = items(&animation["samplers"]).into_iter();
            let times = samplers.filter_map(|sampler| sampler["input"].as_u64());
            let ends =
                times.filter_map(|input| at(&self.document["accessors"], input)["max"][0].as_f64());
            let length = ends.fold(0.0, f64::max);
            let own = found.iter().find(|found| found["name"] == *name);
            let own = own.map_or(&Value::Null, |own| &own["length"]);
            let near = own
                .as_f64()
                .is_some_and(|own| (own - length).abs() < LENGTH_TOLERANCE);
            if !near {
                let path = format!("animation {name}");
                self.differ(&path, "length", &length.into(), own);
            }
        }
    }
}

/// An item of a list; null when there is none.
fn at(list: &Value, index: u64) -> &Value {
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    list.get(index).unwrap_or(&Value::Null)
}

fn items(list: &Value) -> Vec<&Value> {
    list.as_array().into_iter().flatten().collect()
}

/// A count, which the engine writes as a number with a fraction.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of vertices are small and whole"
)]
fn whole(count: f64) -> u64 {
    count as u64
}

/// True if a name of the engine stands for one of ours: it drops the characters that it cannot have in names,
/// and numbers the second of two nodes or meshes of one name.
fn is_name(found: &str, wanted: &str) -> bool {
    let kept = |letter: &char| letter.is_ascii_alphanumeric() || " _-".contains(*letter);
    let wanted: String = wanted.chars().filter(kept).collect();
    let number = found.strip_prefix(&wanted);
    number.is_some_and(|number| {
        let number = number.strip_prefix(' ').unwrap_or(number);
        number.chars().all(|letter| letter.is_ascii_digit())
    })
}

/// True if a name of a bone stands for one of ours: the engine writes it in lower case, with `_` before
/// numbers and no zeros in front of them.
fn is_bone(found: &str, wanted: &str) -> bool {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let letters: Vec<char> = letters.map(|letter| letter.to_ascii_lowercase()).collect();
        let is_digit = |place: usize| letters.get(place).is_some_and(char::is_ascii_digit);
        let mut kept = String::new();
        for (place, &letter) in letters.iter().enumerate() {
            let leads = !kept.ends_with(|letter: char| letter.is_ascii_digit());
            if letter != '0' || !leads || !is_digit(place + 1) {
                kept.push(letter);
            }
        }
        kept
    };
    plain(found) == plain(wanted)
}

/// Removes the ending that asks the importer for a wheel of a vehicle: `_wheel`, which digits may follow.
fn without_hint(name: &str) -> Option<String> {
    let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let digits = name.strip_prefix(base)?;
    let kept = base.len().checked_sub("_wheel".len())?;
    let (kept, hint) = base.split_at_checked(kept)?;
    let is_hint = ["_wheel", "-wheel"]
        .iter()
        .any(|own| hint.eq_ignore_ascii_case(own));
    is_hint.then(|| format!("{kept}{digits}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_read_as_the_engine_writes_them() {
        assert!(is_name("debris 2", "debris"));
        assert!(is_name("ab", "a.b:"));
        assert!(!is_name("debrisx", "debris"));
        assert!(is_bone("batw_1l_dag", "BATW01L_DAG"));
        assert!(is_bone("a_100", "A_0100") && is_bone("a_0", "A0"));
        assert!(!is_bone("batw_1l_dag", "BATW10L_DAG"));
        assert_eq!(without_hint("truck01_wheel2").as_deref(), Some("truck012"));
        assert_eq!(without_hint("wheel2"), None);
    }

    #[test]
    fn skinned_scenes_are_compared_by_bones_and_meshes() {
        let document = json!({
            "scenes": [{"nodes": [0, 2]}],
            "nodes": [{"name": "hip", "children": [1]}, {"name": "leg"}, {"name": "skin", "mesh": 0}],
            "skins": [{"joints": [0, 1]}],
            "meshes": [{"primitives": []}],
        });
        let walked = json!({
            "loaded": true,
            "tree": {"children": [{
                "name": "Skeleton", "class": "Skeleton", "bones": ["leg", "hip"],
                "children": [{"name": "skin", "class": "MeshInstance", "surfaces": []}],
            }]},
        });
        let mut findings = Findings::default();
        compare("a", &document, &walked, &mut findings);
        assert_eq!((findings.nodes, findings.differences.len()), (3, 0));
        let mut lost = walked.clone();
        *lost.pointer_mut("/tree/children/0/bones/0").unwrap() = json!("arm");
        compare("a", &document, &lost, &mut findings);
        // One is missing and one too many.
        assert_eq!(findings.differences.len(), 2, "{:?}", findings.differences);
    }

    #[test]
    fn differences_are_found() {
        let document = json!({
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "hip", "mesh": 0, "children": [1]}, {"name": "torso"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "accessors": [{"count": 6}, {"count": 2, "max": [1.5]}],
            "materials": [{"name": "metal"}],
            "animations": [{"name": "walk", "samplers": [{"input": 1}]}],
        });
        let walked = json!({
            "loaded": true,
            "tree": {"children": [{
                "name": "hip", "class": "MeshInstance",
                "surfaces": [{"corners": 6.0, "material": "metal", "textured": false}],
                "children": [{"name": "torso", "class": "Spatial", "children": []}],
            }]},
            "animations": [{"name": "walk", "length": 1.5}],
        });
        let differences = |walked: &Value| {
            let mut findings = Findings::default();
            compare("a", &document, walked, &mut findings);
            findings.differences.len()
        };
        assert_eq!(differences(&walked), 0);
        for (pointer, value) in [
            ("/loaded", json!(false)),
            ("/tree/children/0/name", json!("head")),
            ("/tree/children/0/class", json!("Spatial")),
            ("/tree/children/0/children", json!([])),
            ("/tree/children/0/surfaces", json!([])),
            ("/tree/children/0/surfaces/0/corners", json!(3.0)),
            ("/tree/children/0/surfaces/0/material", json!("wood")),
            ("/tree/children/0/surfaces/0/textured", json!(true)),
            ("/animations/0/name", json!("run")),
            ("/animations/0/length", json!(1.4)),
        ] {
            let mut changed = walked.clone();
            *changed.pointer_mut(pointer).unwrap() = value;
            assert_eq!(differences(&changed), 1, "{pointer}");
        }
    }
}
