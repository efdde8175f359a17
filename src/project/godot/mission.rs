//! Scene for each mission, inherited from that of its world: moved, shown and hidden nodes, environment,
//! vehicles, pickups, paths, start position.
//!
//! The start state comes from the mission's own glTF, which contains the whole world again; it is not imported.

use std::collections::{BTreeMap, BTreeSet};

use relicast_scene::extras::{SceneExtras, zipper};
use serde_json::{Value, json};

use super::level::{air, start};
use super::material;
use super::text::{SceneText, color, number, quoted, texts, transform, variant};
use crate::project::air::Air;
use crate::project::facts::{Project, name_of, stem};
use crate::project::files::Plan;
use crate::project::gltf::{SceneFile, godot_name, stored_facts};
use relicast_codec::quantity::counted;

/// Adds the scene of a mission of a world and returns its path.
pub(super) fn add(
    project: &Project<'_>,
    world: &SceneFile,
    mission: &SceneFile,
    plan: &mut Plan,
) -> String {
    let shown = &mission.scenes()[0];
    let facts = SceneExtras::of(shown).zipper;
    let name = facts.mission.and_then(|mission| mission.name);
    let name = name.unwrap_or_else(|| "mission".to_owned());
    let folder = world.path.strip_prefix("worlds/").unwrap_or(&world.path);
    let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = match folder {
        "" => format!("missions/{name}.tscn"),
        folder => format!("missions/{folder}/{name}.tscn"),
    };
    let mut scene = SceneText::default();
    let parent = scene.outside("PackedScene", &format!("{}.tscn", stem(&world.path)));
    let begin = start(mission, 0);
    let mut properties = Vec::new();
    properties.extend(begin.map(|begin| ("start", transform(begin))));
    if let Some(started) = facts.start.and_then(|start| start.started) {
        properties.push(("running", texts(started.iter().map(|clip| &**clip))));
    }
    let kept = [
        "mission",
        "objectives",
        "weather",
        "dangerZones",
        "race",
        "fogVolumes",
        "start",
        "valves",
        "maps",
        "placementRules",
    ];
    let stored = stored_facts(shown);
    let kept = kept
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), stored.get(*key)?.clone())));
    properties.push(("metadata/relicast", variant(&Value::Object(kept.collect()))));
    scene.node(&godot_name(&name), &[("instance", parent)], &properties);
    let air = air(&mut scene, &Air::new(shown, false));
    scene.node("Air", &[("parent", quoted("."))], &[("environment", air)]);
    if let Some(begin) = begin {
        scene.node(
            "Spawn",
            &[("parent", quoted("."))],
            &[("transform", transform(begin))],
        );
    }
    changes(world, mission, &mut scene);
    scene.editable("World");
    lights(mission, &mut scene);
    placements(project, mission, &mut scene, plan, &path);
    plan.files.insert(path.clone(), scene.finish());
    path
}

/// Adds the differences to the world's file.
fn changes(world: &SceneFile, mission: &SceneFile, scene: &mut SceneText) {
    let after = mission.by_index(0);
    let before: BTreeMap<usize, usize> = world
        .by_index(0)
        .into_iter()
        .map(|(index, node)| (node, index))
        .collect();
    for node in world.nodes_of(0) {
        let Some(index) = before.get(&node) else {
            continue;
        };
        let was = world.node(node);
        let mut properties = Vec::new();
        let mut kind = None;
        let was_hidden = world.facts(node).is_hidden;
        match after.get(index) {
            None if !was_hidden => properties.push(("visible".to_owned(), "false".to_owned())),
            None => {}
            Some(&now) => {
                let (place, is) = (mission.local(now), mission.node(now));
                if place != world.local(node) {
                    properties.push(("transform".to_owned(), transform(place)));
                }
                let facts = mission.facts(now);
                if facts.is_hidden != was_hidden {
                    properties.push(("visible".to_owned(), (!facts.is_hidden).to_string()));
                }
                surfaces(world, was, mission, is, scene, &mut properties);
                light(world, was, mission, is, &mut properties);
                if let Some(placement) = facts.placement.as_ref().filter(|_| facts.is_standing()) {
                    kind = placement.kind.as_deref();
                    let stored = &stored_facts(is)["placement"];
                    properties.push(("metadata/relicast".to_owned(), variant(stored)));
                }
            }
        }
        if properties.is_empty() {
            continue;
        }
        let path = format!("World/{}", world.godot_path(node));
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", &path));
        let properties: Vec<(&str, String)> = properties
            .iter()
            .map(|(key, value)| (&**key, value.clone()))
            .collect();
        let mut head = vec![("parent", quoted(parent))];
        head.extend(kind.map(|kind| ("groups", format!("[{}]", quoted(kind)))));
        scene.node(name, &head, &properties);
    }
}

/// Surfaces of a node with another material.
fn surfaces(
    world: &SceneFile,
    was: &Value,
    mission: &SceneFile,
    is: &Value,
    scene: &mut SceneText,
    properties: &mut Vec<(String, String)>,
) {
    let primitives = |file: &SceneFile, node: &Value| -> Vec<Value> {
        let mesh = node["mesh"]
            .as_u64()
            .and_then(|mesh| file.list("meshes").get(mesh as usize));
        mesh.and_then(|mesh| mesh["primitives"].as_array())
            .cloned()
            .unwrap_or_default()
    };
    let (before, after) = (primitives(world, was), primitives(mission, is));
    if before.len() != after.len() {
        return;
    }
    for (surface, (before, after)) in before.iter().zip(&after).enumerate() {
        let material_of = |file: &SceneFile, primitive: &Value| {
            let index = primitive["material"].as_u64()? as usize;
            let mut material = file.list("materials").get(index)?.clone();
            let texture = material["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64();
            let picture = texture.and_then(|texture| file.picture(texture as usize));
            // Names and indices may differ between files.
            if let Some(fields) = material.as_object_mut() {
                fields.remove("name");
            }
            if texture.is_some() {
                material["pbrMetallicRoughness"]["baseColorTexture"] = json!(picture);
            }
            Some((index, rounded(&material)))
        };
        let (Some((_, old)), Some((index, new))) =
            (material_of(world, before), material_of(mission, after))
        else {
            continue;
        };
        if old != new {
            let new = material::add(scene, mission, index, material::has_colors(after));
            properties.push((format!("surface_material_override/{surface}"), new));
        }
    }
}

/// Value with its numbers rounded to 32 bits, because files may write the same number in two ways.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap_or_default() as f32),
        Value::Array(items) => items.iter().map(rounded).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), rounded(value)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// Light of a node.
fn light_of<'f>(file: &'f SceneFile, node: &Value) -> Option<&'f Value> {
    let light = node["extensions"]["KHR_lights_punctual"]["light"].as_u64()?;
    file.document["extensions"]["KHR_lights_punctual"]["lights"].get(light as usize)
}

fn light_color(light: &Value) -> String {
    let channel = |place: usize| material::srgb(light["color"][place].as_f64().unwrap_or(1.0));
    color([channel(0), channel(1), channel(2), 1.0])
}

/// Adds a light with another intensity or color.
fn light(
    world: &SceneFile,
    was: &Value,
    mission: &SceneFile,
    is: &Value,
    properties: &mut Vec<(String, String)>,
) {
    let (Some(before), Some(after)) = (light_of(world, was), light_of(mission, is)) else {
        return;
    };
    let strength = |light: &Value| light["intensity"].as_f64().unwrap_or(1.0);
    if strength(before) != strength(after) {
        properties.push(("light_energy".to_owned(), number(strength(after))));
    }
    if before["color"] != after["color"] {
        properties.push(("light_color".to_owned(), light_color(after)));
    }
}

/// Adds lights that the mission's animations switch on.
fn lights(mission: &SceneFile, scene: &mut SceneText) {
    for node in mission.nodes_of(0) {
        let extras = mission.node(node);
        let (Some(light), true) = (
            light_of(mission, extras),
            mission.facts(node).is_of_animation,
        ) else {
            continue;
        };
        let kind = match light["type"].as_str() {
            Some("directional") => "DirectionalLight3D",
            _ => "OmniLight3D",
        };
        let mut properties = vec![
            ("transform", transform(mission.global(node))),
            ("light_color", light_color(light)),
            (
                "light_energy",
                number(light["intensity"].as_f64().unwrap_or(1.0)),
            ),
        ];
        if kind == "OmniLight3D" {
            properties.push((
                "omni_range",
                number(light["range"].as_f64().unwrap_or(10.0)),
            ));
        }
        scene.node(
            &mission.name(node),
            &[("type", quoted(kind)), ("parent", quoted("."))],
            &properties,
        );
    }
}

/// Adds objects that the mission's readers place.
fn placements(
    project: &Project<'_>,
    mission: &SceneFile,
    scene: &mut SceneText,
    plan: &mut Plan,
    path: &str,
) {
    let placed: Vec<usize> = mission
        .nodes_of(0)
        .into_iter()
        .filter(|&node| {
            let facts = mission.facts(node);
            facts.is_placed() || facts.net.is_some()
        })
        .collect();
    if placed.is_empty() {
        return;
    }
    scene.node(
        "Placed",
        &[("type", quoted("Node3D")), ("parent", quoted("."))],
        &[],
    );
    let mut missing = BTreeMap::new();
    for node in placed {
        let place = mission.global(node);
        let facts = mission.facts(node);
        if let Some(net) = &facts.net {
            add_net(mission, node, net, scene);
            continue;
        }
        let Some(placement) = &facts.placement else {
            continue;
        };
        let kind = placement.kind.as_deref().unwrap_or("thing");
        if kind == "pathNode" {
            continue;
        }
        let mut head = vec![
            ("parent", quoted("Placed")),
            ("groups", format!("[{}]", quoted(kind))),
        ];
        match template(project, placement, &mission.path) {
            Some(model) => {
                let shown = format!("{}.tscn", stem(model));
                let shown = if plan.files.contains_key(&shown) {
                    shown
                } else {
                    model.to_owned()
                };
                head.push(("instance", scene.outside("PackedScene", &shown)));
            }
            None => {
                head.insert(0, ("type", quoted("Marker3D")));
                let template = placement.template.as_deref();
                let template = template.unwrap_or("something unknown");
                *missing.entry(template.to_owned()).or_insert(0_usize) += 1;
            }
        }
        let properties = [
            ("transform", transform(place)),
            (
                "metadata/relicast",
                variant(&stored_facts(mission.node(node))["placement"]),
            ),
        ];
        scene.node(&mission.name(node), &head, &properties);
    }
    for (template, count) in missing {
        plan.notes.push(format!(
            "{path}: {} for {template}, which has no model",
            counted(count, "marker", "markers")
        ));
    }
}

/// Model for a placement, by its name and source file.
fn template<'p>(
    project: &Project<'p>,
    placement: &zipper::Placement,
    near: &str,
) -> Option<&'p str> {
    let template = placement.template.as_ref()?.to_lowercase();
    let source = name_of(placement.source.as_ref()?).to_lowercase();
    let folder = stem(&source).to_owned();
    let matches = project.paths.iter().copied().filter(|path| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        path.starts_with("models/")
            && matches!(name.rsplit_once('.'), Some((stem, "gltf" | "glb")) if stem == template)
            && parts.next() == Some(&*folder)
    });
    // If worlds have models with the same name, the mission's own counts.
    let near = near.strip_prefix("worlds/").unwrap_or(near);
    let common = |path: &str| {
        let path = path.strip_prefix("models/").unwrap_or(path);
        path.bytes()
            .zip(near.bytes())
            .take_while(|(a, b)| a == b)
            .count()
    };
    matches.max_by_key(|path| (common(path), std::cmp::Reverse(*path)))
}

/// Adds a path network: a curve for each link between its nodes.
fn add_net(mission: &SceneFile, node: usize, net: &zipper::Net, scene: &mut SceneText) {
    let script = scene.outside("Script", "relicast/paths.gd");
    let name = mission.name(node);
    let below = [
        ("type", quoted("Node3D")),
        ("parent", quoted("Placed")),
        ("groups", "[\"net\"]".to_owned()),
    ];
    let children = mission.node(node)["children"].as_array();
    let children: Vec<usize> = children
        .into_iter()
        .flatten()
        .filter_map(|child| Some(child.as_u64()? as usize))
        .collect();
    let is_stop = |child: &&usize| {
        let placement = mission.facts(**child).placement.as_ref();
        placement.is_some_and(|placement| placement.kind.as_deref() == Some("pathNode"))
    };
    let stops: Vec<usize> = children.iter().filter(is_stop).copied().collect();
    let stored = stops
        .iter()
        .map(|&stop| stored_facts(mission.node(stop))["placement"].clone());
    let stored_net = &stored_facts(mission.node(node))["net"];
    let metadata = json!({"net": stored_net, "nodes": stored.collect::<Vec<_>>()});
    scene.node(
        &name,
        &below,
        &[
            ("transform", transform(mission.global(node))),
            ("script", script),
            ("metadata/relicast", variant(&metadata)),
        ],
    );
    let parent = format!("Placed/{name}");
    for (from, to) in links(mission, &stops, net) {
        if let (Some(&stop), Some(&next)) = (stops.get(from), stops.get(to)) {
            let [begin, end] = [stop, next].map(|stop| mission.local(stop).translation);
            let flat = |point: glam::DVec3| {
                format!(
                    "{}, {}, {}",
                    number(point.x),
                    number(point.y),
                    number(point.z)
                )
            };
            let handles = "0.0, 0.0, 0.0, 0.0, 0.0, 0.0";
            let points = format!(
                "PackedVector3Array({handles}, {}, {handles}, {})",
                flat(begin),
                flat(end)
            );
            let curve = scene.inside(
                "Curve3D",
                &format!("{name}_{from}_{to}"),
                &[
                    (
                        "_data",
                        format!(
                            "{{\"points\": {points}, \"tilts\": PackedFloat32Array(0.0, 0.0)}}"
                        ),
                    ),
                    ("point_count", "2".to_owned()),
                ],
            );
            let called = format!("{}_to_{}", mission.name(stop), mission.name(next));
            scene.node(
                &called,
                &[("type", quoted("Path3D")), ("parent", quoted(&parent))],
                &[("curve", curve)],
            );
        }
    }
}

/// Links between the nodes of a network, each once, as indices into it. Later networks of MechWarrior 3 refer
/// to nodes by the number in their names; in Crimson Skies, only the network has links.
fn links(mission: &SceneFile, stops: &[usize], net: &zipper::Net) -> Vec<(usize, usize)> {
    let of = |stop: usize| mission.facts(stop).placement.as_ref();
    let number = |stop: usize| {
        let (_, digits) = of(stop)?.name.as_ref()?.rsplit_once('_')?;
        digits.parse::<i64>().ok()
    };
    let version = net.stored.get("version").and_then(Value::as_u64);
    let is_numbered = version >= Some(106);
    let numbers: BTreeMap<i64, usize> = (stops.iter().enumerate())
        .filter_map(|(place, &stop)| {
            let number = if is_numbered {
                number(stop)?
            } else {
                place as i64
            };
            Some((number, place))
        })
        .collect();
    let place = |link: i64| numbers.get(&link).copied();
    let of_stops = stops.iter().enumerate().flat_map(|(from, &stop)| {
        let links = of(stop).and_then(|placement| placement.links.as_ref());
        let links = links.into_iter().flatten();
        links.filter_map(move |&link| Some((from, place(link)?)))
    });
    let edges = net.edges.iter();
    let edges = edges.filter_map(|edge| Some((place(edge.from?)?, place(edge.to?)?)));
    let mut seen = BTreeSet::new();
    of_stops
        .chain(edges)
        .filter(|&(from, to)| from != to && seen.insert((from.min(to), from.max(to))))
        .collect()
}
