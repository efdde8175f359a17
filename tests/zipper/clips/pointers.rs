//! Channels of KHR_animation_pointer that show, hide and fade, compared with the events of an independent
//! decode, the `anim.json` of the fixtures. The channels are read from the JSON itself.

use relicast_testing::test;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{common, with_game};

/// `EventStart::Event`: the start time counts from the end of the previous event.
const AFTER_PREVIOUS: u64 = 3;

/// Type of `OBJECT_ACTIVE_STATE`.
const ACTIVE_STATE: u64 = 6;

/// Type of `OBJECT_OPACITY_FROM_TO`.
const OPACITY_FROM_TO: u64 = 14;

/// Types with a run time: `LIGHT_ANIMATION`, `OBJECT_MOTION`, `OBJECT_MOTION_FROM_TO`, `OBJECT_OPACITY_FROM_TO`.
const LASTING: [u64; 4] = [5, 10, 11, OPACITY_FROM_TO];

const SETTINGS: &str = "[animations]\nvisibility = \"pointer\"";

/// Keyframes of one channel of `KHR_animation_pointer`.
struct Keys {
    times: Vec<f64>,
    /// One per keyframe; three (in-tangent, value, out-tangent) for `CUBICSPLINE`.
    values: Vec<Vec<f64>>,
    interpolation: String,
}

impl Keys {
    fn at(&self, time: f64) -> Vec<f64> {
        let values_per_key = self.values.len() / self.times.len();
        let value = |key: usize, part: usize| &self.values[key * values_per_key + part];
        let next = self.times.iter().position(|key| *key > time);
        let (from, to) = match next {
            Some(0) => return value(0, values_per_key / 2).clone(),
            Some(next) => (next - 1, next),
            None => return value(self.times.len() - 1, values_per_key / 2).clone(),
        };
        let length = self.times[to] - self.times[from];
        let t = (time - self.times[from]) / length;
        let (a, b) = (
            value(from, values_per_key / 2),
            value(to, values_per_key / 2),
        );
        let components = 0..a.len();
        match &*self.interpolation {
            "STEP" => a.clone(),
            "LINEAR" => components.map(|at| a[at] + (b[at] - a[at]) * t).collect(),
            _ => components
                .map(|at| {
                    let (square, cube) = (t * t, t * t * t);
                    (2.0 * cube - 3.0 * square + 1.0) * a[at]
                        + length * (cube - 2.0 * square + t) * value(from, 2)[at]
                        + (3.0 * square - 2.0 * cube) * b[at]
                        + length * (cube - square) * value(to, 0)[at]
                })
                .collect(),
        }
    }
}

struct File {
    json: Value,
    bin: Vec<u8>,
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

impl File {
    fn load(path: &Path) -> Self {
        Self {
            json: common::json(path),
            bin: fs::read(path.with_extension("bin")).unwrap(),
        }
    }

    fn rows(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][index(accessor)];
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        let offset = |value: &Value| value["byteOffset"].as_u64().map_or(0, |it| it as usize);
        let components = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC4" => 4,
            other => panic!("pointers to {other}"),
        };
        let floats = accessor["componentType"] == 5126;
        assert!(floats || accessor["componentType"] == 5121);
        let width = if floats { 4 } else { 1 };
        let start = offset(view) + offset(accessor);
        let bytes = &self.bin[start..start + index(&accessor["count"]) * components * width];
        let row = |row: &[u8]| -> Vec<f64> {
            row.chunks(width)
                .map(|value| match value {
                    [byte] => f64::from(*byte),
                    word => f64::from(f32::from_le_bytes(word.try_into().unwrap())),
                })
                .collect()
        };
        bytes.chunks(components * width).map(row).collect()
    }

    /// The pointers of a clip.
    fn pointers(&self, clip: &str) -> BTreeMap<String, Keys> {
        let mut clips = self.json["animations"].as_array().unwrap().iter();
        let clip = clips.find(|it| it["name"] == clip).unwrap();
        let mut pointers = BTreeMap::new();
        for channel in clip["channels"].as_array().unwrap() {
            if channel["target"]["path"] != "pointer" {
                continue;
            }
            assert!(channel["target"].get("node").is_none());
            let extension = &channel["target"]["extensions"]["KHR_animation_pointer"];
            let sampler = &clip["samplers"][index(&channel["sampler"])];
            let times = self.rows(&sampler["input"]).concat();
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
            let keys = Keys {
                times,
                values: self.rows(&sampler["output"]),
                interpolation: sampler["interpolation"].as_str().unwrap().to_owned(),
            };
            let path = extension["pointer"].as_str().unwrap().to_owned();
            // What is pointed at must be there.
            if !path.ends_with("baseColorFactor") {
                assert!(self.json.pointer(&path).is_some(), "{path}");
            }
            assert!(pointers.insert(path, keys).is_none());
        }
        pointers
    }

    /// The node of an index of the world, which has that name there.
    fn node(&self, name: &str, stored: &Value) -> usize {
        let mut nodes = self.json["nodes"].as_array().unwrap().iter();
        let found = nodes.position(|node| node["extras"]["zipper"]["index"] == *stored);
        let found = found.unwrap_or_else(|| panic!("no node {stored}, {name}"));
        let own = self.json["nodes"][found]["name"].as_str().unwrap();
        assert!(own.starts_with(name), "{own} is not {name}");
        found
    }

    fn named(&self, name: &str) -> usize {
        let mut nodes = self.json["nodes"].as_array().unwrap().iter();
        let found = nodes.position(|node| node["name"] == name);
        found.unwrap_or_else(|| panic!("no node {name}"))
    }

    fn visibility_pointer(&self, node: usize) -> String {
        format!("/nodes/{node}/extensions/KHR_node_visibility/visible")
    }

    /// The nodes at and below a node.
    fn below(&self, node: usize) -> Vec<usize> {
        let children = self.json["nodes"][node]["children"].as_array();
        let below = children
            .into_iter()
            .flatten()
            .flat_map(|child| self.below(index(child)));
        [node].into_iter().chain(below).collect()
    }

    /// The materials of a node itself.
    fn assigned(&self, node: usize) -> BTreeSet<usize> {
        let mesh = &self.json["nodes"][node]["mesh"];
        let Some(mesh) = mesh.as_u64() else {
            return BTreeSet::new();
        };
        let primitives = self.json["meshes"][mesh as usize]["primitives"].as_array();
        let primitives = primitives.unwrap().iter();
        primitives
            .map(|primitive| index(&primitive["material"]))
            .collect()
    }

    fn uses(&self, extension: &str) -> bool {
        let used = self.json["extensionsUsed"].as_array();
        used.into_iter().flatten().any(|it| it == extension)
    }
}

/// An event of the fixture's `anim.json`, with its start and end in seconds.
#[derive(Debug)]
struct When<'v> {
    event: &'v Value,
    start: f64,
    end: f64,
}

/// The events of the first sequence, timed by the rules of `EventStart`.
fn timed(definition: &Value) -> Vec<When<'_>> {
    let events = definition["sequences"][0]["events"].as_array().unwrap();
    let mut ready: f64 = 0.0;
    let times = events.iter().map(|event| {
        let time = event["start_time"].as_f64().unwrap();
        let start = match event["start_mode"].as_u64().unwrap() {
            AFTER_PREVIOUS => ready + time,
            _ => ready.max(time),
        };
        let lasts = LASTING.contains(&event["type"].as_u64().unwrap());
        let run_time = event["fields"]["run_time"].as_f64().filter(|_| lasts);
        ready = start + run_time.unwrap_or(0.0);
        When {
            event,
            start,
            end: ready,
        }
    });
    times.collect()
}

#[test]
fn buildings_that_burn_fade_and_vanish_and_nothing_else_does() {
    with_game("cs", SETTINGS, |expect, out| {
        let expected = common::json(&expect.join("ZBD/C1/M01/mis_anim.zbd/anim.json"));
        let mut shown = 0;
        let mut faded = 0;
        for definition in expected["definitions"].as_array().unwrap() {
            let clip = definition["anim_name"].as_str().unwrap();
            if !clip.starts_with("burn_") {
                continue;
            }
            let root = definition["anim_root_name"].as_str().unwrap();
            let path = out.join(format!("animations/zbd/c1/m01/mis_anim/{root}.gltf"));
            let file = File::load(&path);
            assert!(file.uses("KHR_animation_pointer") && file.uses("KHR_node_visibility"));
            let pointers = file.pointers(clip);
            let nodes = definition["tables"]["nodes"].as_array().unwrap();
            // The table stores the index of the node beside its name.
            let node = |event: &Value| {
                let entry = &nodes[index(&event["fields"]["node"])];
                file.node(entry["name"].as_str().unwrap(), &entry["ptr"])
            };
            let mut materials = BTreeSet::new();
            for When { event, start, end } in timed(definition) {
                match event["type"].as_u64().unwrap() {
                    ACTIVE_STATE => {
                        let keys = &pointers[&file.visibility_pointer(node(event))];
                        assert_eq!(keys.interpolation, "STEP");
                        let state = event["fields"]["state"].as_f64().unwrap();
                        assert_eq!(keys.at(start + 0.01), [state], "{clip} {event}");
                        if start > 0.0 {
                            assert_eq!(keys.at(start - 0.01), [1.0 - state], "{clip} {event}");
                        }
                        shown += 1;
                    }
                    OPACITY_FROM_TO => {
                        let fields = &event["fields"];
                        let number = |name: &str| fields[name].as_f64().unwrap();
                        let (from, to) = (number("opacity_from"), number("opacity_to"));
                        let top = node(event);
                        let below = file.below(top);
                        let assigned = below.iter().flat_map(|&node| file.assigned(node));
                        let assigned: BTreeSet<usize> = assigned.collect();
                        assert!(!assigned.is_empty());
                        for material in &assigned {
                            let path = format!(
                                "/materials/{material}/pbrMetallicRoughness/baseColorFactor"
                            );
                            let keys = &pointers[&path];
                            for step in 0..=20 {
                                let fraction = f64::from(step) / 20.0;
                                let time = start + (end - start) * fraction;
                                let alpha = keys.at(time)[3];
                                let expected_alpha = from + (to - from) * fraction;
                                assert!((alpha - expected_alpha).abs() < 1e-5, "{clip} at {time}");
                                faded += 1;
                            }
                            let stated = &file.json["materials"][material];
                            assert_eq!(stated["alphaMode"], "BLEND");
                        }
                        // No other node has a material that fades.
                        let count = file.json["nodes"].as_array().unwrap().len();
                        for node in (0..count).filter(|node| !below.contains(node)) {
                            assert!(file.assigned(node).is_disjoint(&assigned), "{clip}: {node}");
                        }
                        materials.extend(assigned);
                    }
                    _ => {}
                }
            }
            let faders = pointers
                .keys()
                .filter(|path| path.starts_with("/materials/"));
            assert_eq!(faders.count(), materials.len(), "{clip}");
        }
        assert!(shown >= 2 && faded > 20, "{shown} {faded}");
    });
}

#[test]
fn pointers_come_on_request_only() {
    with_game("cs", "", |_, out| {
        for path in common::files(&out.join("animations")) {
            if path.ends_with(".gltf") {
                let file = fs::read_to_string(out.join("animations").join(&path)).unwrap();
                for extension in ["KHR_animation_pointer", "KHR_node_visibility"] {
                    assert!(!file.contains(extension), "{path}");
                }
            }
        }
    });
}

#[test]
fn switches_of_the_classic_games_are_pointers_too() {
    for (game, container) in [
        ("mw", "zbd/c1/anim.zbd"),
        ("pm", "zbd/c1/anim.zbd"),
        ("rc", "zbd/m1/anim.zbd"),
    ] {
        with_game(game, SETTINGS, |_, out| {
            let folder = out.join("animations").join(container.replace(".zbd", ""));
            let mut switches = 0;
            for path in common::files(&folder) {
                if !path.ends_with(".gltf") {
                    continue;
                }
                let file = File::load(&folder.join(&path));
                for clip in file.json["animations"].as_array().unwrap() {
                    let written = &clip["extras"]["zipper"]["visibility"];
                    let pointers = file.pointers(clip["name"].as_str().unwrap());
                    for one in written.as_array().into_iter().flatten() {
                        let node = one["node"].as_str().unwrap();
                        let Some(keys) = pointers.get(&file.visibility_pointer(file.named(node)))
                        else {
                            panic!("{node} of {path} has no pointer");
                        };
                        let times = one["times"].as_array().unwrap();
                        for (time, shown) in times.iter().zip(one["shown"].as_array().unwrap()) {
                            let time = time.as_f64().unwrap();
                            let expected = f64::from(u8::from(shown.as_bool().unwrap()));
                            assert_eq!(keys.at(time + 1e-4), [expected], "{node} at {time}");
                            switches += 1;
                        }
                    }
                }
            }
            assert!(switches >= 2, "{game}: {switches}");
        });
    }
}
