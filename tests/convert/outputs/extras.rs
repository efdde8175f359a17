//! Extras of outputs match their types: everything written is read, every key has a type, and keys have one
//! style.

use relicast_testing::test;
use std::collections::BTreeSet;

use relicast::scene::extras::{everquest, zipper};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::outputs::samples::converted;

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members = members.map(|(key, value)| (key.clone(), without_nulls(value)));
            Value::Object(members.collect())
        }
        Value::Array(values) => values.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

/// Extras that were compared, and those that differ from what their types read.
#[derive(Default)]
struct Compared {
    count: usize,
    odd: Vec<String>,
}

impl Compared {
    fn compare<T: DeserializeOwned + Serialize>(&mut self, path: &str, facts: &Value) {
        if facts.is_null() {
            return;
        }
        self.count += 1;
        let read = T::deserialize(facts).map(|read| serde_json::to_value(read).unwrap());
        let is_same = match &read {
            Ok(read) => without_nulls(read) == without_nulls(facts),
            Err(_) => false,
        };
        if !is_same {
            self.odd
                .push(format!("{path}: {facts} is read as {read:?}"));
        }
    }

    /// Both families of the objects of a list, and of what is instanced in them.
    fn list<Z, E>(&mut self, path: &str, objects: &Value)
    where
        Z: DeserializeOwned + Serialize,
        E: DeserializeOwned + Serialize,
    {
        for object in objects.as_array().into_iter().flatten() {
            self.compare::<Z>(path, &object["extras"]["zipper"]);
            self.compare::<E>(path, &object["extras"]["everquest"]);
            self.list::<Z, E>(path, &object["extras"]["instances"]);
        }
    }

    fn document(&mut self, path: &str, gltf: &Value) {
        self.list::<zipper::Scene, everquest::Scene>(path, &gltf["scenes"]);
        self.list::<zipper::Node, everquest::Node>(path, &gltf["nodes"]);
        self.list::<zipper::Mesh, everquest::Mesh>(path, &gltf["meshes"]);
        for mesh in gltf["meshes"].as_array().into_iter().flatten() {
            self.list::<zipper::Primitive, everquest::Primitive>(path, &mesh["primitives"]);
        }
        self.list::<zipper::Material, everquest::Material>(path, &gltf["materials"]);
        self.list::<zipper::Texture, zipper::Texture>(path, &gltf["textures"]);
        self.list::<zipper::Camera, zipper::Camera>(path, &gltf["cameras"]);
        let lights = &gltf["extensions"]["KHR_lights_punctual"]["lights"];
        self.list::<zipper::Light, everquest::Light>(path, lights);
        self.list::<zipper::Clip, everquest::Clip>(path, &gltf["animations"]);
    }
}

/// Calls `see` with the path and the document of each glTF file of the samples, for each configuration.
fn each_scene_of_the_samples(mut see: impl FnMut(&str, &Value)) {
    for outputs in converted() {
        for (path, gltf) in &outputs.scenes {
            see(path, gltf);
        }
    }
}

#[test]
fn extras_of_the_samples_are_read_as_they_were_written() {
    let mut compared = Compared::default();
    each_scene_of_the_samples(|path, gltf| compared.document(path, gltf));
    let Compared { count, odd } = compared;
    assert!(odd.is_empty(), "{}", odd.join("\n"));
    assert!(count > 1500, "{count}");
}

/// Maps whose keys are names of the things that they count or describe; keys below follow the style again.
const NAMES: &[(&str, &str)] = &[
    (
        "animations.zipper.conditions",
        "kinds of conditions, as values of documents name them",
    ),
    ("animations.zipper.nominal", "sentences"),
    ("animations.zipper.notBaked", "events of the game's scripts"),
    ("materials.everquest.properties", "properties of shaders"),
    ("scenes.zipper.liveries.textures", "names of textures"),
    ("scenes.zipper.skins.textures", "names of textures"),
    (
        "scenes.zipper.start.commands",
        "commands of the game's scripts",
    ),
    ("scenes.zipper.start.left", "sentences"),
    ("scenes.zipper.zones.nodes", "numbers of zones"),
];

/// Values that a file of a game writes itself: all keys in them are the game's, or are among the game's.
const STORED: &[(&str, &str)] = &[
    (
        "nodes.everquest.emitter",
        "columns of ZONE_EnvironmentEmitters.txt",
    ),
    ("nodes.zipper.airship", "keys of zeppelins.zrd"),
    ("nodes.zipper.net", "settings of nets"),
    ("nodes.zipper.turret", "keys of ai.zrd"),
    ("scenes.everquest.sky.zones", "keys of sky.ini"),
    (
        "scenes.zipper.chassis.animations",
        "keys of definitions of chassis",
    ),
    (
        "scenes.zipper.chassis.configurations",
        "keys of definitions of chassis",
    ),
    (
        "scenes.zipper.chassis.settings",
        "keys of definitions of chassis",
    ),
    ("scenes.zipper.fogVolumes", "keys of fogvol.zrd"),
    (
        "scenes.zipper.keys",
        "documents and keys of the game, with their meaning",
    ),
    ("scenes.zipper.objectives", "a document as stored"),
    (
        "scenes.zipper.weather",
        "keys of the weather's document, with `record` as stored",
    ),
];

/// Keys of extras by their paths, as far as they are of this project.
#[derive(Default)]
struct Keys {
    paths: BTreeSet<String>,
    /// Exempted paths that were met.
    exempted: BTreeSet<&'static str>,
}

impl Keys {
    fn walk(&mut self, path: &str, value: &Value) {
        let is_path = |(exempted, _): &&(&str, &str)| *exempted == path;
        match value {
            Value::Object(map) => {
                if let Some((exempted, _)) = STORED.iter().find(is_path) {
                    self.exempted.insert(exempted);
                    return;
                }
                let names = NAMES.iter().find(is_path);
                self.exempted.extend(names.map(|(exempted, _)| exempted));
                for (key, value) in map {
                    let below = match names {
                        Some(_) => format!("{path}.*"),
                        None => format!("{path}.{key}"),
                    };
                    self.walk(&below, value);
                    self.paths.insert(below);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self.walk(path, value)),
            _ => {}
        }
    }

    fn extras(&mut self, kind: &str, object: &Value) {
        for (family, facts) in object["extras"].as_object().into_iter().flatten() {
            match &**family {
                "instances" => {
                    for instance in facts.as_array().into_iter().flatten() {
                        self.extras(kind, instance);
                    }
                }
                "zipper" | "everquest" | "relicast" => {
                    self.walk(&format!("{kind}.{family}"), facts);
                }
                // Extras of others, as MSFT_screencoverage.
                _ => {}
            }
        }
    }

    fn document(&mut self, gltf: &Value) {
        for (kind, objects) in gltf.as_object().unwrap() {
            for object in objects.as_array().into_iter().flatten() {
                self.extras(kind, object);
                for primitive in object["primitives"].as_array().into_iter().flatten() {
                    self.extras("primitives", primitive);
                }
            }
        }
        self.extras("asset", &gltf["asset"]);
        let lights = &gltf["extensions"]["KHR_lights_punctual"]["lights"];
        for light in lights.as_array().into_iter().flatten() {
            self.extras("lights", light);
        }
    }
}

/// Returns true for a key in camelCase and American English.
fn is_in_style(key: &str) -> bool {
    const BRITISH: [&str; 9] = [
        "colour",
        "centre",
        "behaviour",
        "armour",
        "manoeuv",
        "neighbour",
        "grey",
        "metre",
        "licence",
    ];
    let lower = key.to_lowercase();
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(|letter| letter.is_ascii_alphanumeric())
        && !BRITISH.iter().any(|word| lower.contains(word))
}

#[test]
fn keys_of_extras_are_in_one_style() {
    let mut keys = Keys::default();
    each_scene_of_the_samples(|_, gltf| keys.document(gltf));
    let key = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let odd = keys.paths.iter().filter(|path| {
        let key = key(path);
        key != "*" && !is_in_style(&key)
    });
    let odd: Vec<_> = odd.collect();
    assert!(odd.is_empty(), "{odd:#?}");
    assert!(keys.paths.len() > 400, "{} keys", keys.paths.len());
    // An exemption that nothing needs hides what comes to its place.
    let all = NAMES.iter().chain(STORED).map(|(path, _)| *path);
    let unused: Vec<&str> = all.filter(|path| !keys.exempted.contains(path)).collect();
    assert!(unused.is_empty(), "{unused:#?}");
    for (key, expected) in [
        ("atNode", true),
        ("at_node", false),
        ("Name", false),
        ("baseColour", false),
    ] {
        assert_eq!(is_in_style(key), expected, "{key}");
    }
}
