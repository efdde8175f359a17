//! Both sides of faces: models in EQG format have no double-sided materials, and their two-sided surfaces are modeled
//! twice. The faces of a material that an edit makes double-sided get a flipped copy.

use super::attach::flip;
use crate::pack::json::items;
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::ScenePrimitive;
use crate::pack::scene::file::surface;

/// Gives faces of materials that became double-sided a flipped copy. Returns what it did, in words.
pub(super) fn double(base: &Opened, edited: &mut Opened) -> Vec<String> {
    let mut notes = Vec::new();
    let count = items(&edited.document.json, "materials").len();
    for number in 0..count {
        let is_double = |opened: &Opened| {
            let material = items(&opened.document.json, "materials").get(number);
            material.is_some_and(|material| material["doubleSided"] == true)
        };
        if !is_double(edited) || is_double(base) {
            continue;
        }
        let meshes = edited.scene.meshes.iter_mut();
        for part in meshes.flat_map(|mesh| &mut mesh.primitives) {
            if part.material == Some(number) && part.is_triangles {
                append_flipped(part);
            }
        }
        let material = &mut edited.document.json["materials"][number];
        material["doubleSided"] = false.into();
        notes.push(format!(
            "material {}: both sides of its faces are stored, each as a face",
            material["name"].as_str().unwrap_or_default()
        ));
    }
    if !notes.is_empty() {
        edited.scene.surfaces = surface::of(&edited.document.json);
    }
    notes
}

/// Appends the triangles of a primitive once more, turned around.
fn append_flipped(part: &mut ScenePrimitive) {
    let mut back = part.clone();
    flip(&mut back);
    for part in back.normals.iter_mut().flatten() {
        *part = -*part;
    }
    part.positions.extend(back.positions);
    part.vertices.extend(back.vertices);
    part.normals.extend(back.normals);
    part.colors.extend(back.colors);
    for (rows, back) in part.uvs.iter_mut().zip(back.uvs) {
        rows.extend(back);
    }
}
