//! Collision, areas, and levels of detail of a level.

use serde::Serialize;
use serde_json::Value;

use relicast_scene::extras::{Float3, PrimitiveExtras};

use crate::project::gltf::{SceneFile, stored_facts};

/// Node with collision.
#[derive(Debug, Serialize)]
pub(super) struct Solid {
    /// The node.
    pub node: String,
    /// True for a convex, invisible stand-in shape instead of the visible ground.
    pub convex: bool,
    /// Solid primitives of its mesh; all if empty.
    pub surfaces: Vec<usize>,
    /// True if nothing of it is drawn.
    pub invisible: bool,
}

/// Node that is an area: water, lava, a line to another zone, fog.
#[derive(Debug, Serialize)]
pub(super) struct Area {
    /// The node.
    pub node: String,
    /// Kind of area.
    pub kind: String,
    /// Center of a box below the node, if it has no mesh.
    pub center: [f64; 3],
    /// Size of the box, 0 if the mesh is the shape.
    pub size: [f64; 3],
    /// Facts about the area, as JSON.
    pub facts: String,
}

/// Nodes that show one object at different distances.
#[derive(Debug, Serialize)]
pub(super) struct Detail {
    /// Nodes, the nearest first.
    pub nodes: Vec<String>,
    /// Maximum distance of each in meters; 0 for unlimited.
    pub far: Vec<f64>,
}

/// Solid nodes of all scenes of a file.
pub(super) fn solids(file: &SceneFile) -> Vec<Solid> {
    let mut found = Vec::new();
    for node in file.all_nodes() {
        let extras = file.node(node);
        let known = file.facts(node);
        if extras["mesh"].is_null() || known.volume.is_some() {
            continue;
        }
        let name = file.raw_name(node).to_owned();
        if known.is_collision || name.ends_with("_collision") {
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
        let is_passable = PrimitiveExtras::of(primitive).everquest.solid == Some(false);
        !is_passable && primitive["mode"].as_u64().unwrap_or(4) == 4
    };
    let numbered = primitives.iter().enumerate();
    numbered
        .filter(|(_, primitive)| is_solid(primitive))
        .map(|(number, _)| number)
        .collect()
}

/// Returns whether anything of a mesh is drawn: EverQuest has collision-only walls.
fn is_drawn(file: &SceneFile, primitives: &[Value]) -> bool {
    primitives.iter().any(|primitive| file.is_drawn(primitive))
}

/// Returns whether a node blocks movement: by its flags and those of its ancestors, and unless it is a sky.
fn stops(file: &SceneFile, node: usize) -> bool {
    if is_sky(file, node) || !file.node(node)["skin"].is_null() {
        return false;
    }
    file.up(node).all(|node| {
        let known = file.facts(node);
        !known.is_open && known.fog_volume.is_none()
    })
}

/// Returns whether a node is or belongs to a sky.
fn is_sky(file: &SceneFile, node: usize) -> bool {
    file.up(node).any(|node| {
        let known = file.facts(node);
        known.is_sky || known.is_sky_layer
    })
}

/// Areas of all scenes of a file.
pub(super) fn areas(file: &SceneFile) -> Vec<Area> {
    let mut found = Vec::new();
    for node in file.all_nodes() {
        let known = file.facts(node);
        let stored = stored_facts(file.node(node));
        let area = |kind: &str, center, size, extras: &Value| Area {
            node: file.raw_name(node).to_owned(),
            kind: kind.to_owned(),
            center,
            size,
            facts: extras.to_string(),
        };
        if let Some(kind) = &known.volume
            && !file.node(node)["mesh"].is_null()
        {
            found.push(area(kind, [0.0; 3], [0.0; 3], stored));
        }
        let corners = known.fog_volume.as_ref();
        if let Some((low, high)) = corners.and_then(|fog| Some((fog.min?, fog.max?))) {
            let [low, high]: [[f64; 3]; 2] =
                [low, high].map(|corner: Float3| corner.map(f64::from));
            let middle = [0, 1, 2].map(|axis| (low[axis] + high[axis]) / 2.0);
            let size = [0, 1, 2].map(|axis| (high[axis] - low[axis]).abs());
            found.push(area("fog", middle, size, &stored["fogVolume"]));
        }
    }
    found
}

/// Levels of detail of all scenes of a file. Those of one object are adjacent, and the first has number 0.
pub(super) fn details(file: &SceneFile) -> Vec<Detail> {
    let mut found: Vec<(Option<usize>, Detail)> = Vec::new();
    for node in file.all_nodes() {
        let Some((far, level)) = file.facts(node).detail else {
            continue;
        };
        let above = file.up(node).nth(1);
        let begun = found.iter_mut().rev().find(|(of, _)| *of == above);
        let name = file.raw_name(node).to_owned();
        match begun {
            Some((_, detail)) if level != Some(0) => {
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
