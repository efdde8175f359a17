//! What is solid in a level, what is an area, and which nodes are levels of detail of one thing.

use serde::Serialize;
use serde_json::Value;

use crate::project::gltf::{SceneFile, facts};

/// A node with something solid.
#[derive(Debug, Serialize)]
pub(super) struct Solid {
    /// The node.
    pub node: String,
    /// A shape that stands for something else, convex and not drawn, instead of the ground itself.
    pub convex: bool,
    /// Solid primitives of its mesh. All, when there are none.
    pub surfaces: Vec<usize>,
    /// Nothing of it is drawn.
    pub invisible: bool,
}

/// A node that is an area: water, lava, a line to another zone, fog.
#[derive(Debug, Serialize)]
pub(super) struct Area {
    /// The node.
    pub node: String,
    /// What it is.
    pub kind: String,
    /// A box below the node, when it has no mesh: centre and size.
    pub centre: [f64; 3],
    /// Size of the box, 0 where the mesh is the shape.
    pub size: [f64; 3],
    /// What is known of it, as JSON.
    pub facts: String,
}

/// Nodes that show one thing from different distances.
#[derive(Debug, Serialize)]
pub(super) struct Detail {
    /// The nodes, the nearest first.
    pub nodes: Vec<String>,
    /// Where each is seen no longer, in metres; 0 is never.
    pub far: Vec<f64>,
}

/// The solid nodes of all scenes of a file.
pub(super) fn solids(file: &SceneFile) -> Vec<Solid> {
    let mut found = Vec::new();
    for node in file.all_nodes() {
        let told = file.node(node);
        let known = facts(told);
        if told["mesh"].is_null() || !known["volume"].is_null() {
            continue;
        }
        let name = file.raw_name(node).to_owned();
        if known["collision"] == true || name.ends_with("_collision") {
            found.push(Solid {
                node: name,
                convex: true,
                surfaces: Vec::new(),
                invisible: true,
            });
        } else if stops(file, node) {
            let primitives = primitives(file, node);
            let surfaces = solid_surfaces(primitives);
            if surfaces.is_empty() {
                continue;
            }
            found.push(Solid {
                node: name,
                convex: false,
                surfaces: match surfaces.len() == primitives.len() {
                    true => Vec::new(),
                    false => surfaces,
                },
                invisible: !is_drawn(file, primitives),
            });
        }
    }
    found
}

fn primitives(file: &SceneFile, node: usize) -> &[Value] {
    let mesh = file.node(node)["mesh"].as_u64().map(|mesh| mesh as usize);
    let mesh = mesh.and_then(|mesh| file.list("meshes").get(mesh));
    mesh.and_then(|mesh| mesh["primitives"].as_array())
        .map_or(&[], Vec::as_slice)
}

fn solid_surfaces(primitives: &[Value]) -> Vec<usize> {
    let is_solid = |primitive: &Value| {
        facts(primitive)["solid"] != false && primitive["mode"].as_u64().unwrap_or(4) == 4
    };
    let numbered = primitives.iter().enumerate();
    numbered
        .filter(|(_, primitive)| is_solid(primitive))
        .map(|(number, _)| number)
        .collect()
}

/// Whether anything of a mesh is drawn: EverQuest has walls that are only felt.
fn is_drawn(file: &SceneFile, primitives: &[Value]) -> bool {
    primitives.iter().any(|primitive| {
        let material = primitive["material"].as_u64();
        material.is_some_and(|material| {
            let material = file.list("materials").get(material as usize);
            let kind = material.map(|material| facts(material)["surface"].clone());
            !matches!(
                kind.as_ref().and_then(Value::as_str),
                Some("boundary" | "invisible")
            )
        })
    })
}

/// Whether a node stops what moves: by the flags of it and all above, and no sky.
fn stops(file: &SceneFile, node: usize) -> bool {
    if is_sky(file, node) || !file.node(node)["skin"].is_null() {
        return false;
    }
    file.up(node).all(|node| {
        let known = facts(file.node(node));
        let flags = known["flags"].as_array();
        let has = |name: &str| flags.is_some_and(|flags| flags.iter().any(|flag| flag == name));
        let is_open = flags.is_some()
            && known["class"] != "world"
            && !has("altitude_surface")
            && !has("intersect_surface");
        !is_open && known["fogVolume"].is_null()
    })
}

/// Whether a node is or belongs to a sky.
fn is_sky(file: &SceneFile, node: usize) -> bool {
    file.up(node).any(|node| {
        let known = facts(file.node(node));
        !known["sky"].is_null() || !known["layer"]["drawOrder"].is_null()
    })
}

/// The areas of all scenes of a file.
pub(super) fn areas(file: &SceneFile) -> Vec<Area> {
    let mut found = Vec::new();
    for node in file.all_nodes() {
        let known = facts(file.node(node));
        let volume = &known["volume"];
        let area = |kind: &str, centre, size, told: &Value| Area {
            node: file.raw_name(node).to_owned(),
            kind: kind.to_owned(),
            centre,
            size,
            facts: told.to_string(),
        };
        if !volume.is_null() && !file.node(node)["mesh"].is_null() {
            let kind = match volume {
                Value::Object(told) if told.get("line").is_none_or(Value::is_null) => {
                    told.get("regionType").and_then(Value::as_str)
                }
                Value::Object(_) => Some("zone_line"),
                other => other.as_str(),
            };
            found.push(area(kind.unwrap_or("region"), [0.0; 3], [0.0; 3], known));
        }
        let fog = &known["fogVolume"];
        if let (Some(low), Some(high)) = (corner(&fog["min"]), corner(&fog["max"])) {
            let middle = [0, 1, 2].map(|axis| (low[axis] + high[axis]) / 2.0);
            let size = [0, 1, 2].map(|axis| (high[axis] - low[axis]).abs());
            found.push(area("fog", middle, size, fog));
        }
    }
    found
}

fn corner(value: &Value) -> Option<[f64; 3]> {
    let [x, y, z] = value.as_array()?.as_slice() else {
        return None;
    };
    Some([x.as_f64()?, y.as_f64()?, z.as_f64()?])
}

/// The levels of detail of all scenes of a file. Those of one thing stand beside each other, and the first of them has
/// number 0.
pub(super) fn details(file: &SceneFile) -> Vec<Detail> {
    let mut found: Vec<(Option<usize>, Detail)> = Vec::new();
    for node in file.all_nodes() {
        let lod = &facts(file.node(node))["lod"];
        let Some(far) = lod["far"].as_f64() else {
            continue;
        };
        let above = file.up(node).nth(1);
        let begun = found.iter_mut().rev().find(|(of, _)| *of == above);
        let name = file.raw_name(node).to_owned();
        match begun {
            Some((_, detail)) if lod["level"] != 0 => {
                detail.nodes.push(name);
                detail.far.push(far);
            }
            _ => found.push((
                above,
                Detail {
                    nodes: vec![name],
                    far: vec![far],
                },
            )),
        }
    }
    found.into_iter().map(|(_, detail)| detail).collect()
}
