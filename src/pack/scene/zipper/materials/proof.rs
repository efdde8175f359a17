//! Checks that the packed file shows the edited surfaces.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::difference::{SurfaceChange, SurfaceDifference, is_same_picture};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::MeshRemake;
use crate::pack::scene::compare::matching::match_nodes;
use crate::pack::scene::compare::scene_pair::ScenePair;
use crate::pack::scene::compare::triangle_check::paired_materials;
use crate::pack::scene::compare::triangles::{best_aligned, by_surface, is_near};
use crate::pack::scene::file::surface::Surface;
use crate::pack::scene::file::{SceneFile, SceneMesh};
use crate::pack::scene::zipper::facts;
use relicast_formats::zipper::texture::key_of;

/// Reason to refuse another alpha mode.
const ALPHA_FOLLOWS: &str = "its alphaMode was changed, which the game takes from the texels of its picture; paint these transparent or opaque instead, and set the material back (in Blender connect Alpha of the image with Alpha of the shader, or disconnect it, as it was)";
/// The same for a material without picture.
const ALPHA_OF_PLAIN: &str = "its alphaMode was changed, which the game takes from its opacity; set the opacity instead, and the mode back";
/// Reason to refuse another color.
const COLOR_FOLLOWS: &str = "the packed file shows another color or opacity, because objects that have it tint it; set them back, or give the faces a new material of this color";

/// Compares the packed surfaces with the edit, and reports derived changes. Meshes that were `remade` are compared with
/// their triangles.
///
/// # Errors
/// One shows something else.
pub(in crate::pack::scene) fn check(
    after: &SceneFile,
    ScenePair { base, edited }: ScenePair<'_>,
    difference: &SurfaceDifference,
    remade: &[MeshRemake],
) -> Result<Option<String>, Refusal> {
    if difference.is_empty() {
        return Ok(None);
    }
    let shown = shown(after, ScenePair { base, edited }, difference, remade)?;
    let wanted: BTreeMap<usize, &SurfaceChange> = difference
        .surfaces
        .iter()
        .map(|change| (change.edited, change))
        .collect();
    let targets: BTreeSet<usize> = difference
        .assignments
        .iter()
        .map(|change| change.to)
        .collect();
    let (mut followers, mut modes) = (BTreeSet::new(), BTreeSet::new());
    let unchanged = SurfaceChange::default();
    for (&number, places) in &shown {
        let from = difference.pairs.get(number).copied().flatten();
        let (Some(from), Some(edit)) = (from, edited.surfaces.get(number)) else {
            continue;
        };
        let Some(old) = base.surfaces.get(from) else {
            continue;
        };
        let change = wanted.get(&number).copied().unwrap_or(&unchanged);
        for &place in places {
            let Some(found) = after.surfaces.get(place) else {
                continue;
            };
            let inside = |what: &str| {
                let reason = match what {
                    "alphaMode" if edit.picture.is_none() => Some(ALPHA_OF_PLAIN),
                    "alphaMode" => Some(ALPHA_FOLLOWS),
                    "color" | "opacity" => Some(COLOR_FOLLOWS),
                    _ => None,
                };
                if let Some(reason) = reason {
                    return refusal!("materials[{number}] ({}): {reason}", edit.name);
                }
                refusal!(
                    "materials[{number}] ({}): {what} differs in the packed file: it is derived from other values, or the game cannot store it",
                    edit.name
                )
            };
            if let Some(what) = differs_from_edit(found, edit, change) {
                return Err(inside(what));
            }
            if change.is_painted && found.alpha.mode != edit.alpha.mode {
                modes.insert(format!(
                    "material {}: its alpha mode is {}, as the texels of its new picture make it",
                    edit.name, found.alpha.mode
                ));
            }
            let other = differs_otherwise(found, old, change);
            match other {
                Some(what) if targets.contains(&from) => return Err(inside(what)),
                Some(_) => {
                    followers.insert(&*edit.name);
                }
                None => {}
            }
        }
    }
    check_all_compared(edited, &difference.surfaces, &shown)?;
    let mut said: Vec<String> = modes.into_iter().collect();
    said.extend((!followers.is_empty()).then(|| words_of(&followers)));
    Ok((!said.is_empty()).then(|| said.join("; ")))
}

/// Checks that every changed material was compared.
///
/// # Errors
/// One was not.
fn check_all_compared(
    edited: &SceneFile,
    changes: &[SurfaceChange],
    shown: &BTreeMap<usize, BTreeSet<usize>>,
) -> Result<(), Refusal> {
    for change in changes {
        if !shown.contains_key(&change.edited) {
            let name = edited.surfaces.get(change.edited).map(|it| &*it.name);
            refuse!(
                "materials[{}] ({}): it cannot be compared with the packed file",
                change.edited,
                name.unwrap_or_default()
            );
        }
    }
    Ok(())
}

/// A sentence about materials that changed without an edit.
fn words_of(followers: &BTreeSet<&str>) -> String {
    let names: Vec<&str> = followers.iter().copied().take(4).collect();
    let more = match followers.len().saturating_sub(names.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "other materials change too, because they share the edited data: {}{more}",
        names.join(", ")
    )
}

/// For each edited material the packed materials of the same triangles. Rebuilt meshes show only the changed materials
/// that no other mesh shows.
fn shown(
    after: &SceneFile,
    scenes: ScenePair<'_>,
    difference: &SurfaceDifference,
    remade: &[MeshRemake],
) -> Result<BTreeMap<usize, BTreeSet<usize>>, Refusal> {
    let edited = scenes.edited;
    let matches = match_nodes(after, edited)?;
    let mut seen = BTreeSet::new();
    let mut all: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut rebuilt = Vec::new();
    for (node, to) in matches.iter().enumerate() {
        let mesh = |file: &SceneFile, node: usize| file.nodes.get(node).and_then(|it| it.mesh);
        let Some(pair) = mesh(after, node).zip(to.and_then(|to| mesh(edited, to))) else {
            continue;
        };
        let meshes = (after.meshes.get(pair.0), edited.meshes.get(pair.1));
        let (Some(found), Some(edit)) = meshes else {
            continue;
        };
        if !seen.insert(pair) {
            continue;
        }
        match remade.iter().any(|mesh| mesh.new == pair.1) {
            true => rebuilt.push((found, edit)),
            false => add(edit, found, &mut all),
        }
    }
    let changes = difference.surfaces.iter().map(|change| change.edited);
    let missing: BTreeSet<usize> = changes.filter(|it| !all.contains_key(it)).collect();
    for (found, edit) in rebuilt.into_iter().filter(|_| !missing.is_empty()) {
        for (edit, found) in paired_materials(after, found, scenes, edit) {
            if missing.contains(&edit) {
                all.entry(edit).or_default().insert(found);
            }
        }
    }
    Ok(all)
}

fn add(edit: &SceneMesh, found: &SceneMesh, all: &mut BTreeMap<usize, BTreeSet<usize>>) {
    let mut put = |edit: Option<usize>, found: Option<usize>| {
        if let (Some(edit), Some(found)) = (edit, found) {
            all.entry(edit).or_default().insert(found);
        }
    };
    match best_aligned(edit, found) {
        Ok(places) => {
            for (part, places) in edit.primitives.iter().zip(places) {
                for place in places {
                    let there = found.primitives.get(place.primitive);
                    put(part.material, there.and_then(|there| there.material));
                }
            }
        }
        // Triangulated differently.
        Err(_) if edit.primitives.len() == found.primitives.len() => {
            let as_they_are = || (0..found.primitives.len()).collect();
            let order = by_surface(edit, found).unwrap_or_else(as_they_are);
            for (part, there) in edit.primitives.iter().zip(order) {
                let there = found.primitives.get(there);
                put(part.material, there.and_then(|there| there.material));
            }
        }
        Err(_) => {}
    }
}

/// Edited values that are not as edited.
fn differs_from_edit(
    found: &Surface,
    edit: &Surface,
    change: &SurfaceChange,
) -> Option<&'static str> {
    if let Some(color) = change.color
        && !is_near(&found.color, &color, 1e-3)
    {
        return Some("color");
    }
    if let Some((_, opacity)) = change.opacity
        && (found.opacity - opacity).abs() > 0.5 / 255.0 + 1e-4
    {
        return Some("opacity");
    }
    let is_asked = change.picture.is_some() || change.is_plain;
    if is_asked && !is_same_picture(found.picture.as_ref(), edit.picture.as_ref()) {
        return Some("picture");
    }
    if change
        .double_sided
        .is_some_and(|both| both != found.is_double_sided)
    {
        return Some("doubleSided");
    }
    if change.unlit.is_some_and(|unlit| unlit != found.is_unlit) {
        return Some("KHR_materials_unlit");
    }
    // Without a picture, the alpha mode follows from the opacity.
    if change
        .alpha
        .as_ref()
        .is_some_and(|alpha| *alpha != found.alpha && !change.is_plain)
    {
        return Some("alphaMode");
    }
    let other = change.facts.iter().find(|(key, wanted)| {
        let facts = found.facts.as_ref();
        let there = facts.and_then(|facts| facts.get(*key));
        !shows(key, there, wanted)
    });
    match other.map(|(key, _)| &**key) {
        None => None,
        Some("soil") => Some("extras.zipper.soil"),
        Some("cycle") => Some("extras.zipper.cycle"),
        Some(_) => Some("extras.zipper.scroll"),
    }
}

/// True if a fact has the wanted value.
fn shows(key: &str, found: Option<&Value>, wanted: &Value) -> bool {
    let get = |value: Option<&Value>, key: &str| value.and_then(|value| value.get(key)).cloned();
    let is_same = |part: &str| {
        let (found, wanted) = (get(found, part), get(Some(wanted), part));
        wanted.is_some() && facts::is_same(found.as_ref(), wanted.as_ref())
    };
    match (key, found) {
        ("soil", None) => {
            let id = wanted.get("id").and_then(Value::as_f64);
            wanted.is_null() || id == Some(0.0)
        }
        ("soil", _) => is_same("id") || is_same("name"),
        ("scroll", None) => {
            wanted.is_null()
                || ["u", "v"]
                    .iter()
                    .all(|part| wanted[*part].as_f64() == Some(0.0))
        }
        ("scroll", _) => is_same("u") && is_same("v"),
        (_, found) => {
            let names = |value: Option<&Value>| -> Vec<String> {
                let list = value.and_then(|value| value.get("frames")?.as_array());
                let names = list.into_iter().flatten().filter_map(Value::as_str);
                names.map(key_of).collect()
            };
            let looping = [found, Some(wanted)].map(|value| match get(value, "loop") {
                Some(Value::Number(number)) => number.as_f64() == Some(1.0),
                other => other == Some(Value::Bool(true)),
            });
            is_same("fps")
                && is_same("start")
                && looping[0] == looping[1]
                && names(found) == names(Some(wanted))
        }
    }
}

/// Values that changed without an edit.
fn differs_otherwise(
    found: &Surface,
    old: &Surface,
    change: &SurfaceChange,
) -> Option<&'static str> {
    let has_facts = |key: &str| {
        let of = |surface: &Surface| {
            surface
                .facts
                .as_ref()
                .and_then(|facts| facts.get(key))
                .cloned()
        };
        change.facts.contains_key(key) || facts::is_same(of(old).as_ref(), of(found).as_ref())
    };
    let is_same_color = change.color.is_some() || is_near(&found.color, &old.color, 1e-5);
    let is_same_opacity =
        change.opacity.is_some() || is_near(&[found.opacity], &[old.opacity], 1e-5);
    let is_same_picture = change.picture.is_some()
        || change.is_plain
        || change.facts.contains_key("cycle")
        || is_same_picture(found.picture.as_ref(), old.picture.as_ref());
    if !is_same_picture {
        return Some("picture");
    }
    if !is_same_color || !is_same_opacity {
        return Some("color");
    }
    if change.double_sided.is_none() && found.is_double_sided != old.is_double_sided {
        return Some("doubleSided");
    }
    if change.unlit.is_none() && found.is_unlit != old.is_unlit {
        return Some("KHR_materials_unlit");
    }
    let follows = change.is_plain || change.is_painted;
    if change.alpha.is_none() && found.alpha != old.alpha && !follows {
        return Some("alphaMode");
    }
    let mut keys = ["soil", "cycle", "scroll"].into_iter();
    (!keys.all(has_facts)).then_some("extras")
}
