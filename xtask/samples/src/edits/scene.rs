//! Edits of scenes: moved nodes, and moved corners of meshes.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Edit, What};
use crate::Outcome;
use crate::random::Random;

/// The scene with one node moved.
///
/// # Errors
/// It is not glTF.
pub(super) fn move_node(bytes: &[u8], random: &mut Random) -> Outcome<Option<(Vec<u8>, What)>> {
    let mut scene: Value = serde_json::from_slice(bytes)?;
    let nodes = scene["nodes"].as_array_mut();
    let Some(nodes) = nodes.filter(|nodes| !nodes.is_empty()) else {
        return Ok(None);
    };
    let chosen = usize::try_from(random.below(nodes.len() as u64))?;
    let node = &mut nodes[chosen];
    let old: Vec<f64> = match node["translation"].as_array() {
        Some(list) => list.iter().filter_map(Value::as_f64).collect(),
        None => vec![0.0; 3],
    };
    node["translation"] = moved(&old, random);
    Ok(Some((serde_json::to_vec(&scene)?, What::Node(chosen))))
}

/// A position some eighths of a meter from another.
pub fn moved(old: &[f64], random: &mut Random) -> Value {
    let by = |random: &mut Random| f64::from(random.between(-24, 24)) / 8.0;
    let mut new: Vec<f64> = old
        .iter()
        .map(|part| (part * 8.0).round() / 8.0 + by(random))
        .collect();
    // At least one coordinate changes.
    if let Some(first) = new.first_mut() {
        *first += 4.0;
    }
    json!(new)
}

/// Moves the corners at one position of a mesh; returns the buffer, or `None` when the scene has no such mesh.
///
/// # Errors
/// Its scene cannot be read.
pub(super) fn move_corners(out: &Path, path: &str, random: &mut Random) -> Outcome<Option<Edit>> {
    let scene = path.strip_suffix(".bin").map(|stem| format!("{stem}.gltf"));
    let Some(scene) = scene.filter(|scene| out.join(scene).is_file()) else {
        return Ok(None);
    };
    let scene: Value = serde_json::from_slice(&fs::read(out.join(scene))?)?;
    let mut buffer = fs::read(out.join(path))?;
    let meshes = scene["meshes"].as_array().map_or(&[][..], Vec::as_slice);
    let positions: Vec<usize> = meshes
        .iter()
        .flat_map(|mesh| mesh["primitives"].as_array().into_iter().flatten())
        .filter_map(|primitive| primitive["attributes"]["POSITION"].as_u64())
        .filter_map(|accessor| usize::try_from(accessor).ok())
        .collect();
    if positions.is_empty() {
        return Ok(None);
    }
    let chosen = usize::try_from(random.below(positions.len() as u64))?;
    // Materials divide a mesh into primitives that share corners: all corners of the buffer at that position follow.
    let starts = |accessor: usize| -> Vec<usize> {
        let accessor = &scene["accessors"][accessor];
        let number = |value: &Value| value.as_u64().and_then(|value| usize::try_from(value).ok());
        let view = number(&accessor["bufferView"]).unwrap_or(usize::MAX);
        let view = &scene["bufferViews"][view];
        let start =
            number(&view["byteOffset"]).unwrap_or(0) + number(&accessor["byteOffset"]).unwrap_or(0);
        let stride = number(&view["byteStride"]).unwrap_or(12);
        let count = number(&accessor["count"]).unwrap_or(0);
        (0..count).map(|row| start + row * stride).collect()
    };
    let own = starts(positions[chosen]);
    if own.is_empty() {
        return Ok(None);
    }
    let corner = own[usize::try_from(random.below(own.len() as u64))?];
    let Some(old) = buffer.get(corner..corner + 12).map(<[u8]>::to_vec) else {
        return Ok(None);
    };
    let floats = old
        .as_chunks::<4>()
        .0
        .iter()
        .map(|part| f64::from(f32::from_le_bytes(*part)));
    let new = moved(&floats.collect::<Vec<_>>(), random);
    let parts = new
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64);
    let new: Vec<u8> = parts.flat_map(|part| (part as f32).to_le_bytes()).collect();
    // Primitives of the same mesh, which share its corners.
    let mesh = meshes.iter().find(|mesh| {
        let mut primitives = mesh["primitives"].as_array().into_iter().flatten();
        primitives.any(|primitive| primitive["attributes"]["POSITION"] == json!(positions[chosen]))
    });
    let mut all: Vec<usize> = mesh
        .and_then(|mesh| mesh["primitives"].as_array())
        .into_iter()
        .flatten()
        .filter_map(|primitive| primitive["attributes"]["POSITION"].as_u64())
        .filter_map(|accessor| usize::try_from(accessor).ok())
        .flat_map(starts)
        .collect();
    all.sort_unstable();
    all.dedup();
    let mut count = 0;
    for at in all {
        if let Some(corner) = buffer.get_mut(at..at + 12)
            && *corner == *old
        {
            corner.copy_from_slice(&new);
            count += 1;
        }
    }
    Ok(Some(Edit {
        files: vec![(path.to_owned(), buffer)],
        what: What::Corners(count),
    }))
}
