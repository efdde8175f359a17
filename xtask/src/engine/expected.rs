//! Expected contents of a project, derived from the glTF files and documents alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use walkdir::WalkDir;

use crate::Outcome;

/// Expected contents of a project.
#[derive(Debug, Default)]
pub struct Expected {
    /// For the script that checks.
    pub document: Value,
    /// Scenes of levels.
    pub levels: Vec<String>,
    /// All scenes that are opened.
    pub scenes: usize,
    /// Nodes of their files.
    pub nodes: usize,
}

/// Expected contents of a project of the converted folder `out`.
///
/// # Errors
/// A scene cannot be read.
pub fn of(out: &Path) -> Outcome<Expected> {
    let mut expected = Expected::default();
    let (mut levels, mut missions, mut models) = (Map::new(), Map::new(), Map::new());
    let mut paths: Vec<String> = WalkDir::new(out)
        .into_iter()
        .filter_map(|entry| {
            Some(
                entry
                    .ok()?
                    .path()
                    .strip_prefix(out)
                    .ok()?
                    .to_string_lossy()
                    .into_owned(),
            )
        })
        .filter(|path| path.ends_with(".gltf"))
        .collect();
    paths.sort();
    for path in paths {
        let file = Gltf {
            document: serde_json::from_slice(&fs::read(out.join(&path))?)?,
        };
        if file.list("nodes").is_empty() {
            continue;
        }
        let scene = path.replace(".gltf", ".tscn");
        if path.starts_with("worlds/") && !path.ends_with("/sky.gltf") {
            levels.insert(
                scene.clone(),
                level(&file, out.join(&path).parent().unwrap_or(out)),
            );
            expected.levels.push(scene);
        } else if path.starts_with("placements/") {
            if let Some((scene, extras)) = mission(&path, &file, out) {
                missions.insert(scene, extras);
            }
        } else if path.starts_with("models/") && out.join(&scene).is_file() {
            models.insert(scene, json!({"clips": clips(&file), "skins": skins(&file)}));
        } else {
            continue;
        }
        expected.scenes += 1;
        expected.nodes += file.list("nodes").len();
    }
    expected.document = json!({
        "levels": levels,
        "missions": missions,
        "models": models,
        "loops": loops(out)?,
    });
    Ok(expected)
}

/// Sounds that repeat, by path: first frame, and the frame after the last.
fn loops(out: &Path) -> Outcome<Value> {
    let mut found = Map::new();
    for entry in WalkDir::new(out.join("sounds")).sort_by_file_name() {
        let Ok(entry) = entry else { continue };
        if entry
            .path()
            .extension()
            .is_none_or(|ending| ending != "wav")
        {
            continue;
        }
        let chunks = chunks_of(&fs::read(entry.path())?);
        if let Some(smpl) = chunks.get("smpl").filter(|smpl| smpl.len() >= 60) {
            let word = |at: usize| {
                u32::from_le_bytes([smpl[at], smpl[at + 1], smpl[at + 2], smpl[at + 3]])
            };
            let path = entry
                .path()
                .strip_prefix(out)?
                .to_string_lossy()
                .into_owned();
            found.insert(path, json!([word(44), u64::from(word(48)) + 1]));
        }
    }
    Ok(Value::Object(found))
}

/// The chunks of a RIFF file by name.
fn chunks_of(file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut chunks = BTreeMap::new();
    let mut rest = file.get(12..).unwrap_or_default();
    while let [a, b, c, d, l0, l1, l2, l3, more @ ..] = rest {
        let length = (u32::from_le_bytes([*l0, *l1, *l2, *l3]) as usize).min(more.len());
        let name = String::from_utf8_lossy(&[*a, *b, *c, *d]).into_owned();
        chunks.insert(name, more[..length].to_vec());
        rest = more.get(length.next_multiple_of(2)..).unwrap_or_default();
    }
    chunks
}

struct Gltf {
    document: Value,
}

fn facts(part: &Value) -> &Value {
    match &part["extras"]["zipper"] {
        Value::Null => &part["extras"]["everquest"],
        facts => facts,
    }
}

impl Gltf {
    fn list(&self, name: &str) -> &[Value] {
        self.document[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// Nodes of the first scene, each with those above it.
    fn nodes(&self) -> Vec<(usize, Vec<usize>)> {
        let mut found = Vec::new();
        let roots = indices(&self.document["scenes"][0]["nodes"]);
        let mut open: Vec<(usize, Vec<usize>)> = roots.map(|root| (root, Vec::new())).collect();
        while let Some((node, above)) = open.pop() {
            let mut path = above.clone();
            path.push(node);
            open.extend(
                indices(&self.document["nodes"][node]["children"])
                    .map(|child| (child, path.clone())),
            );
            found.push((node, above));
        }
        found
    }

    fn node(&self, node: usize) -> &Value {
        &self.document["nodes"][node]
    }

    fn primitives(&self, node: usize) -> &[Value] {
        let mesh = self.node(node)["mesh"].as_u64().unwrap_or(u64::MAX);
        self.document["meshes"][mesh as usize]["primitives"]
            .as_array()
            .map_or(&[], Vec::as_slice)
    }
}

fn indices(value: &Value) -> impl Iterator<Item = usize> + '_ {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|item| Some(item.as_u64()? as usize))
}

/// Clips by name: whether they repeat, and their facts.
fn clips(file: &Gltf) -> Value {
    let clip = |clip: &Value| {
        let extras = facts(clip);
        let endless = extras["loops"]
            .as_array()
            .is_some_and(|loops| loops.iter().any(|extras| extras["passes"].is_null()));
        let walks = extras["loopTime"].as_f64().is_some_and(|time| time > 0.0);
        let events = match extras["activation"].is_string() {
            true => extras["marks"].as_array().map_or(0, Vec::len),
            false => 0,
        };
        let name = clip["name"].as_str().unwrap_or_default().to_owned();
        (
            name,
            json!({
                "loops": extras["loop"] == true || endless || walks,
                "events": events,
                "changes": changes(&extras["marks"]),
            }),
        )
    };
    file.list("animations")
        .iter()
        .map(clip)
        .collect::<Map<_, _>>()
        .into()
}

/// Final state of lights and fog after a clip, for those that nothing changes over time.
fn changes(marks: &Value) -> Value {
    let mut lights: BTreeMap<String, Value> = BTreeMap::new();
    let mut fog = Value::Null;
    for mark in marks.as_array().into_iter().flatten() {
        let light = mark["light"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        match mark["event"].as_str() {
            Some("LIGHT_STATE") => {
                lights.insert(light, mark.clone());
            }
            Some("LIGHT_ANIMATION") => {
                lights.remove(&light);
            }
            Some("FOG_STATE") => fog = mark.clone(),
            _ => {}
        }
    }
    json!({"lights": lights, "fog": fog})
}

/// Variants by name, with the number of surfaces that each changes.
fn skins(file: &Gltf) -> Value {
    let names = &file.document["asset"]["extras"]["relicast"]["variants"];
    let mut skins: BTreeMap<String, usize> = BTreeMap::new();
    for (node, _) in file.nodes() {
        for primitive in file.primitives(node) {
            for mapping in primitive["extras"]["relicast"]["variants"]
                .as_array()
                .into_iter()
                .flatten()
            {
                for variant in indices(&mapping["variants"]) {
                    *skins
                        .entry(names[variant].as_str().unwrap_or_default().to_owned())
                        .or_default() += 1;
                }
            }
        }
    }
    json!(skins)
}

fn air(extras: &Value) -> Value {
    let mut air = Map::new();
    if extras["fog"]["type"] == "linear"
        && extras["fog"]["far"].as_f64() > extras["fog"]["near"].as_f64()
    {
        air.insert("fog".to_owned(), extras["fog"].clone());
    }
    if extras["clearColor"].is_array() {
        air.insert("clearColor".to_owned(), extras["clearColor"].clone());
    }
    air.into()
}

fn level(file: &Gltf, folder: &Path) -> Value {
    let bin = file.document["buffers"][0]["uri"]
        .as_str()
        .map(|uri| uri.replace("%20", " "));
    let bin = bin
        .and_then(|uri| fs::read(folder.join(uri)).ok())
        .unwrap_or_default();
    let mut level = Level::default();
    for (node, above) in file.nodes() {
        level.add(file, node, &above, &bin);
    }
    // The largest level triangles.
    level
        .ground
        .sort_by(|first, second| second.0.total_cmp(&first.0));
    let rays: Vec<[f64; 3]> = level
        .ground
        .iter()
        .take(12)
        .map(|(_, middle)| *middle)
        .collect();
    json!({
        "air": air(facts(&file.document["scenes"][0])),
        "clips": clips(file),
        "solid": level.solid,
        "open": level.open,
        "areas": level.areas,
        "hidden": level.hidden,
        "hasGround": !rays.is_empty(),
        "rays": rays,
    })
}

/// Results that an engine is expected to get from the nodes of a level.
#[derive(Default)]
struct Level {
    /// Solid triangles of each solid node.
    solid: Map<String, Value>,
    /// Nodes with faces that are not solid.
    open: Vec<Value>,
    /// Number of areas of each group.
    areas: BTreeMap<String, u64>,
    /// Names of hidden nodes.
    hidden: Vec<Value>,
    /// Size and middle of solid triangles that face up.
    ground: Vec<(f64, [f64; 3])>,
}

impl Level {
    fn add(&mut self, file: &Gltf, node: usize, above: &[usize], bin: &[u8]) {
        let extras = facts(file.node(node));
        let name = file.node(node)["name"].clone();
        if extras["hidden"] == true {
            self.hidden.push(name.clone());
        }
        if !extras["volume"].is_null() {
            let volume = &extras["volume"];
            let group = match volume.as_str().or_else(|| volume["regionType"].as_str()) {
                Some(group) if volume["line"].is_null() => group,
                _ => "zone_line",
            };
            *self.areas.entry(group.to_owned()).or_insert(0) += 1;
            return;
        }
        if extras["fogVolume"].is_object() {
            *self.areas.entry("fog".to_owned()).or_insert(0) += 1;
        }
        let whole: Vec<&Value> = above
            .iter()
            .chain([&node])
            .map(|&node| facts(file.node(node)))
            .collect();
        let is_part = |key: &str| whole.iter().any(|extras| !extras[key].is_null());
        let is_named_volume = name
            .as_str()
            .is_some_and(|name| name.ends_with("_collision"));
        if file.primitives(node).is_empty() || extras["collision"] == true || is_named_volume {
            return;
        }
        let primitives = file.primitives(node).iter();
        let count: u64 = primitives
            .clone()
            .map(|primitive| solid_triangles(file, primitive))
            .sum();
        let is_passed = ["sky", "fogVolume", "layer"].into_iter().any(is_part);
        if is_passed || !whole.iter().all(|extras| stops(extras)) || count == 0 {
            self.open.push(name);
            return;
        }
        let is_plain = above.iter().chain([&node]).all(|&node| {
            ["rotation", "scale", "translation"]
                .iter()
                .all(|key| file.node(node)[*key].is_null())
        });
        if is_plain && !is_part("hidden") {
            for primitive in primitives.filter(|primitive| solid_triangles(file, primitive) > 0) {
                self.ground.extend(triangles(file, primitive, bin));
            }
        }
        let name = name.as_str().unwrap_or_default();
        self.solid.insert(name.to_owned(), json!(count));
    }
}

/// Returns true when a node with these facts, and what is below it, may be solid.
fn stops(extras: &Value) -> bool {
    match extras["flags"].as_array() {
        Some(flags) if extras["class"] != "world" => flags
            .iter()
            .any(|flag| flag == "altitude_surface" || flag == "intersect_surface"),
        _ => true,
    }
}

/// Number of triangles of a primitive that are solid.
fn solid_triangles(file: &Gltf, primitive: &Value) -> u64 {
    let is_solid =
        facts(primitive)["solid"] != false && primitive["mode"].as_u64().unwrap_or(4) == 4;
    let indices = primitive["indices"].as_u64().unwrap_or(u64::MAX) as usize;
    let count = file.document["accessors"][indices]["count"]
        .as_u64()
        .unwrap_or_default();
    if is_solid { count / 3 } else { 0 }
}

/// Triangles that face up: their areas and their centers.
fn triangles(file: &Gltf, primitive: &Value, bin: &[u8]) -> Vec<(f64, [f64; 3])> {
    let accessor = |place: &Value| {
        let accessor = &file.document["accessors"][place.as_u64().unwrap_or(u64::MAX) as usize];
        let view = &file.document["bufferViews"]
            [accessor["bufferView"].as_u64().unwrap_or(u64::MAX) as usize];
        let offset =
            accessor["byteOffset"].as_u64().unwrap_or(0) + view["byteOffset"].as_u64().unwrap_or(0);
        let stride = view["byteStride"].as_u64();
        (
            offset as usize,
            stride,
            accessor["componentType"].as_u64(),
            accessor["count"].as_u64().unwrap_or(0) as usize,
        )
    };
    let (positions, stride, ..) = accessor(&primitive["attributes"]["POSITION"]);
    let (offset, _, kind, count) = accessor(&primitive["indices"]);
    let size = match kind {
        Some(5121) => 1,
        Some(5123) => 2,
        _ => 4,
    };
    let index = |corner: usize| -> Option<usize> {
        let bytes = bin.get(offset + corner * size..)?.get(..size)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |value, &byte| (value << 8) | usize::from(byte)),
        )
    };
    let position = |corner: usize| -> Option<[f64; 3]> {
        let at = positions + index(corner)? * stride.unwrap_or(12) as usize;
        let float = |axis: usize| {
            Some(f64::from(f32::from_le_bytes(
                *bin.get(at + axis * 4..)?.first_chunk()?,
            )))
        };
        Some([float(0)?, float(1)?, float(2)?])
    };
    let triangle = |first: usize| -> Option<(f64, [f64; 3])> {
        let [a, b, c] = [position(first)?, position(first + 1)?, position(first + 2)?];
        let [u, v] = [b, c].map(|corner| [corner[0] - a[0], corner[1] - a[1], corner[2] - a[2]]);
        let up = u[2] * v[0] - u[0] * v[2];
        let middle = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
        (up > 1.0).then_some((up, middle))
    };
    (0..count).step_by(3).filter_map(triangle).collect()
}

/// Scene of a mission, and its expected contents.
fn mission(path: &str, file: &Gltf, out: &Path) -> Option<(String, Value)> {
    let extras = facts(&file.document["scenes"][0]);
    let name = extras["mission"]["name"].as_str()?;
    let folder = path
        .strip_prefix("placements/")?
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let scene = format!("missions/{folder}/{name}.tscn");
    let stem = path
        .strip_prefix("placements/")?
        .strip_suffix(".gltf")?
        .strip_suffix(&format!(".{name}"))?;
    let world = fs::read(out.join(format!("worlds/{stem}.gltf"))).ok()?;
    let world = Gltf {
        document: serde_json::from_slice(&world).ok()?,
    };
    let mut before = BTreeMap::new();
    for (node, _) in world.nodes() {
        if let Some(index) = facts(world.node(node))["index"].as_u64() {
            before.entry(index).or_insert_with(Vec::new).push(node);
        }
    }
    let (mut hidden, mut places) = (Vec::new(), Map::new());
    let (mut placed, mut paths): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    for (node, above) in file.nodes() {
        let extras = facts(file.node(node));
        // Placed models are from other files, with indices of their own.
        let is_placed = above
            .iter()
            .any(|&above| facts(file.node(above))["placement"].is_object());
        // Instances of one node share an index.
        if is_placed {
            continue;
        }
        if let Some([known]) = extras["index"]
            .as_u64()
            .and_then(|index| before.get(&index))
            .map(Vec::as_slice)
        {
            let name = world.node(*known)["name"].as_str().unwrap_or_default();
            if extras["hidden"] == true {
                hidden.push(name.to_owned());
            }
            let place = &file.node(node)["translation"];
            if place.is_array() {
                places.insert(name.to_owned(), place.clone());
            }
        }
        if extras["net"].is_object() {
            *placed.entry("net".to_owned()).or_default() += 1;
            paths += extras["net"]["links"].as_u64().unwrap_or_default() as usize;
        }
        if let Some(kind) = extras["placement"]["kind"]
            .as_str()
            .filter(|kind| *kind != "pathNode")
        {
            *placed.entry(kind.to_owned()).or_default() += 1;
        }
    }
    let extras = json!({"air": air(extras), "hidden": hidden, "places": places, "placed": placed, "paths": paths});
    Some((scene, extras))
}
