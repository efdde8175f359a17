//! Meshes that were parted, such as by "Separate" in Blender. No game has a second mesh with the bones of a model, and
//! EverQuest has no second ground of a zone and no second mesh of a model, so the pieces become parts of one mesh again
//! before the file is compared.

use std::collections::HashSet;

use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::matching::plain_name;
use crate::pack::scene::everquest::is_ground;
use crate::pack::scene::file::Document;

/// Joins parted meshes. Returns what it did, in words.
///
/// # Errors
/// The file is no glTF file.
pub(super) fn join(base: &Document, edited: &mut Document) -> Result<Vec<String>, Refusal> {
    let mut joined = join_bound(base, edited)?;
    joined.extend(join_plain(base, edited)?);
    Ok(joined)
}

/// Joins new meshes without bones to the ground of a zone or the mesh of a model of EverQuest from which they were
/// parted, if they are still where they were.
///
/// # Errors
/// The file is no glTF file.
fn join_plain(base: &Document, edited: &mut Document) -> Result<Vec<String>, Refusal> {
    let mut scenes = items(&base.json, "scenes").iter();
    if !scenes.any(|scene| !scene["extras"]["everquest"].is_null()) {
        return Ok(Vec::new());
    }
    let nodes = || items(&base.json, "nodes").iter();
    let known: HashSet<&str> = nodes().map(name).collect();
    // A placement and its copies show a mesh of another file.
    let is_own = |node: &Value| {
        let model = node["extras"]["everquest"]["model"].as_str();
        index(&node["mesh"]).is_some() && skin_of(node).is_none() && model.is_none_or(is_ground)
    };
    let own: HashSet<&str> = nodes().filter(|node| is_own(node)).map(name).collect();
    let mut json = edited.json.clone();
    let mut joined = Vec::new();
    for node in (0..items(&json, "nodes").len()).rev() {
        let piece = &items(&json, "nodes")[node];
        let stem = plain_name(name(piece));
        if known.contains(name(piece)) || !own.contains(stem) || !is_own(piece) {
            continue;
        }
        let homes = items(&json, "nodes").iter().enumerate();
        let homes = homes.filter(|&(number, home)| {
            number != node
                && name(home) == stem
                && parent_of(&json, number) == parent_of(&json, node)
                && TRANSFORM.iter().all(|key| home[key] == piece[key])
        });
        let homes: Vec<usize> = homes.map(|(number, _)| number).collect();
        joined.extend(put_into(&mut json, node, &homes));
    }
    if !joined.is_empty() {
        edited.set_json(json)?;
    }
    Ok(joined)
}

/// The parts of a transform.
const TRANSFORM: [&str; 4] = ["translation", "rotation", "scale", "matrix"];

/// The node above a node.
fn parent_of(json: &Value, node: usize) -> Option<usize> {
    let mut nodes = items(json, "nodes").iter();
    nodes.position(|other| {
        let mut children = items(other, "children").iter().filter_map(index);
        children.any(|child| child == node)
    })
}

/// Joins new meshes with bones to the mesh of the same skin from which they were parted, or to the only one. Returns what
/// it did, in words.
///
/// # Errors
/// The file is no glTF file.
fn join_bound(base: &Document, edited: &mut Document) -> Result<Vec<String>, Refusal> {
    let bound = |document: &'_ Document| -> Vec<usize> {
        let nodes = items(&document.json, "nodes").iter().enumerate();
        let bound = nodes.filter(|(_, node)| skin_of(node).is_some());
        bound.map(|(number, _)| number).collect()
    };
    let named =
        |document: &'_ Document, node: usize| name(&document.json["nodes"][node]).to_owned();
    let known: HashSet<String> = bound(base)
        .into_iter()
        .map(|node| named(base, node))
        .collect();
    let (mut homes, mut new): (Vec<usize>, Vec<usize>) =
        { bound(edited).into_iter() }.partition(|&node| known.contains(&named(edited, node)));
    // Others may be the originals under names that a program gave them.
    if homes.len() != known.len() {
        return Ok(Vec::new());
    }
    if homes.is_empty() || new.is_empty() {
        return Ok(Vec::new());
    }
    let mut json = edited.json.clone();
    let mut joined = Vec::new();
    while let Some(node) = new.pop() {
        if let Some(words) = put_into(&mut json, node, &homes) {
            joined.push(words);
            let behind = homes.iter_mut().filter(|home| **home > node);
            behind.for_each(|home| *home -= 1);
        }
    }
    edited.set_json(json)?;
    Ok(joined)
}

/// Joins the mesh of a node to that of one of some others, and takes the node out.
fn put_into(json: &mut Value, node: usize, homes: &[usize]) -> Option<String> {
    let nodes = items(json, "nodes");
    let own = nodes.get(node)?;
    let users = |mesh: usize| {
        nodes
            .iter()
            .filter(move |it| index(&it["mesh"]) == Some(mesh))
    };
    let mut like = homes.iter().filter(|&&home| {
        let is_alone = index(&nodes[home]["mesh"]).is_some_and(|mesh| users(mesh).count() == 1);
        is_alone && skin_of(&nodes[home]) == skin_of(own)
    });
    let stem = plain_name(name(own));
    let named = like
        .clone()
        .find(|&&home| plain_name(name(&nodes[home])) == stem);
    let only = like.next().filter(|_| like.next().is_none());
    let home = nodes.get(*named.or(only)?)?;
    let (from, to) = (index(&own["mesh"])?, index(&home["mesh"])?);
    if !items(own, "children").is_empty() {
        return None;
    }
    let (own, home) = (name(own), name(home));
    let words = format!("the new object {own}, which is joined to {home}");
    let parts = items(&json["meshes"][from], "primitives").to_vec();
    json["meshes"][to]["primitives"]
        .as_array_mut()?
        .extend(parts);
    remove(json, node);
    remove_mesh(json, from);
    Some(words)
}

fn name(node: &Value) -> &str {
    node["name"].as_str().unwrap_or_default()
}

/// The skin of a node with a mesh.
fn skin_of(node: &Value) -> Option<usize> {
    index(&node["mesh"]).and(index(&node["skin"]))
}

/// Removes a node. Later ones get the numbers before theirs.
fn remove(json: &mut Value, node: usize) {
    if let Some(nodes) = json["nodes"].as_array_mut() {
        nodes.remove(node);
    }
    for (owners, key) in [
        ("nodes", "children"),
        ("scenes", "nodes"),
        ("skins", "joints"),
    ] {
        for owner in list(json, owners) {
            let Some(all) = owner.get_mut(key).and_then(Value::as_array_mut) else {
                continue;
            };
            all.retain(|it| index(it) != Some(node));
            all.iter_mut().for_each(|it| lower(it, node));
        }
    }
    for skin in list(json, "skins") {
        if let Some(root) = skin.get_mut("skeleton") {
            lower(root, node);
        }
    }
    for clip in list(json, "animations") {
        for channel in clip["channels"].as_array_mut().into_iter().flatten() {
            if let Some(target) = channel.pointer_mut("/target/node") {
                lower(target, node);
            }
        }
    }
}

/// Removes a mesh that no node has.
fn remove_mesh(json: &mut Value, mesh: usize) {
    let mut nodes = items(json, "nodes").iter();
    if nodes.any(|node| index(&node["mesh"]) == Some(mesh)) {
        return;
    }
    if let Some(meshes) = json["meshes"].as_array_mut() {
        meshes.remove(mesh);
    }
    for node in list(json, "nodes") {
        if let Some(own) = node.get_mut("mesh") {
            lower(own, mesh);
        }
    }
}

/// The entries of a list, if there is one.
fn list<'v>(json: &'v mut Value, key: &str) -> &'v mut [Value] {
    let list = json.get_mut(key).and_then(Value::as_array_mut);
    list.map_or(&mut [], Vec::as_mut_slice)
}

/// Lowers the number of something behind a removed one.
fn lower(number: &mut Value, removed: usize) {
    if let Some(own) = index(number).filter(|own| *own > removed) {
        *number = (own - 1).into();
    }
}
