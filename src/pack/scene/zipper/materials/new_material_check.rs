//! Checks that a packed scene shows new materials as the edit has them.

use serde_json::{Map, Value};

use super::new_material::{EditedMaterial, NewMaterial};
use super::unstored::{LEFT_OUT, flat, is_nothing};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::surfaces;
use crate::pack::scene::compare::triangles::is_near;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::surface::{Alpha, Surface};
use crate::pack::scene::zipper::facts::is_same;

/// Checks that a packed scene shows the new materials with their pictures. Returns lines for the report.
///
/// # Errors
/// One is shown otherwise.
pub(in crate::pack::scene) fn check(
    after: &SceneFile,
    edited: &SceneFile,
    new: &[NewMaterial],
) -> Result<Vec<String>, Refusal> {
    let mut said = Vec::new();
    for material in new {
        let name = &material.name;
        match (&material.picture, material.is_stored) {
            (Some(picture), true) => {
                said.push(format!("added: picture {name} to {}", picture.package));
            }
            (Some(picture), false) if material.is_painted => {
                said.push(format!(
                    "added: material {name}, and to {} a picture of this name that has its color, opacity and alpha mode painted in, because the game draws pictures without them",
                    picture.package
                ));
            }
            (None, true) => {}
            (Some(picture), _) => {
                said.push(format!(
                    "added: material {name}, its picture to {}",
                    picture.package
                ));
            }
            (None, _) => said.push(format!("added: material {name}")),
        }
        let rounding = material.picture.as_ref();
        let rounding = rounding.and_then(|it| it.rounding.as_deref());
        said.extend(rounding.map(|rounding| format!("picture {name}: {rounding}")));
        for EditedMaterial {
            number,
            name: called,
        } in &material.edited
        {
            let Some(edit) = edited.surfaces.get(*number) else {
                continue;
            };
            let lines = check_one(after, edit, material)
                .map_err(|refusal| refusal!("materials[{number}] ({called}): {refusal}"))?;
            said.extend(lines.map(|line| format!("material {name}: {line}")));
        }
    }
    Ok(said)
}

fn check_one(
    after: &SceneFile,
    edit: &Surface,
    material: &NewMaterial,
) -> Result<Option<String>, Refusal> {
    let side = if edit.is_double_sided { "_ds" } else { "" };
    let wanted = format!("{}{side}", material.shown);
    let shown = after.surfaces.iter().filter(|surface| {
        let shown = surfaces::essence(&surface.name, &after.materials);
        shown.eq_ignore_ascii_case(&wanted) && (edit.picture.is_none() || surface.picture.is_some())
    });
    let mut reason = None;
    for found in shown {
        match compare(found, edit, material) {
            Ok(left_out) => return Ok(left_out),
            Err(refusal) => {
                reason.get_or_insert(refusal);
            }
        }
    }
    Err(reason.unwrap_or_else(|| {
        refusal!(
            "the packed file does not show the material {wanted}; give its faces a material of the scene"
        )
    }))
}

/// Compares a new material with that of a packed scene. Returns a line about values that are left out.
fn compare(
    found: &Surface,
    edit: &Surface,
    material: &NewMaterial,
) -> Result<Option<String>, Refusal> {
    let name = &material.name;
    let mut left_out = Vec::new();
    if edit.picture.is_none() {
        let is_equal = is_near(&found.color, &edit.color, 2e-3)
            && (found.opacity - edit.opacity).abs() <= 0.5 / 255.0 + 1e-4;
        // A lit one has a glow of the tint beside its color.
        let is_nearest = material.is_tinted && !is_equal && found.is_unlit;
        if is_nearest {
            left_out.push(NEAREST_COLOR);
        }
        if !is_equal && !is_nearest && !material.is_stored && !has_default_color(edit) {
            refuse!(
                "it is new, and the object that has it tints it, so that its color is another one; put these faces into an object of their own (in Blender separate them, and delete its custom property zipper)"
            );
        }
        if !is_equal && !is_nearest && !has_default_color(edit) {
            refuse!(
                "it has the name, but not the color of the material {name} of the game file; give it another name, or the picture or color of that one"
            );
        }
    }
    if !material.is_painted && !is_drawn_equally(&found.alpha, &edit.alpha) {
        let (wanted, drawn) = (&edit.alpha.mode, &found.alpha.mode);
        refuse!(
            "its alpha mode is {wanted}, and the texels of its picture make it {drawn}; set this mode, or change the alpha of the picture"
        );
    }
    if edit.is_unlit && !found.is_unlit {
        refuse!(
            "it is new, and can be unlit only when it exists; remove KHR_materials_unlit (in Blender use a Principled BSDF), pack, convert again, then set it"
        );
    }
    check_mapping(found, edit)?;
    let none = Map::new();
    let there = found.facts.as_ref().unwrap_or(&none);
    let other = edit.facts.iter().flatten();
    let mut other = other.filter(|(key, value)| !is_same(there.get(*key), Some(value)));
    if let Some((key, _)) = other.next() {
        refuse!(
            "its extras.zipper.{key} differs from that of {name}, which it is in the game file; edit {name}, or remove the value"
        );
    }
    let (found_rest, rest) = (flat(&found.others), flat(&edit.others));
    let differs =
        |key: &str, value: &Value| !is_nothing(value) && !is_same(found_rest.get(key), Some(value));
    let is_left_out = |key: &str| LEFT_OUT.iter().any(|(known, _)| *known == key);
    let mut others = rest.iter();
    if let Some((key, _)) = others.find(|(key, value)| !is_left_out(key) && differs(key, value)) {
        refuse!("it has {key}, which the game cannot store; remove that");
    }
    let unstored = LEFT_OUT.iter();
    let unstored = unstored.filter(|(key, _)| rest.get(*key).is_some_and(|it| differs(key, it)));
    left_out.splice(..0, unstored.map(|(_, words)| *words));
    Ok((!left_out.is_empty()).then(|| format!("without {}", left_out.join(", "))))
}

/// Words for a new material whose color a tint keeps from being the one of the edit.
const NEAREST_COLOR: &str = "the exact color: it is the nearest one that the tint of its object allows; for another one put these faces into an object of their own (in Blender separate them, and delete its custom property zipper)";

fn has_default_color(surface: &Surface) -> bool {
    is_near(&surface.color, &[1.0; 3], 1e-3) && surface.opacity > 0.999
}

/// True if alpha modes make no difference: a picture without alpha, or with texels that are opaque or transparent.
fn is_drawn_equally(found: &Alpha, edit: &Alpha) -> bool {
    let modes = (&*found.mode, &*edit.mode);
    found.mode == edit.mode || matches!(modes, ("OPAQUE", _) | ("MASK", "BLEND"))
}

/// Compares the transform and the repetition of a picture.
fn check_mapping(found: &Surface, edit: &Surface) -> Result<(), Refusal> {
    let part = |surface: &Surface, at: usize, keys: [&str; 2], default: Value| -> [Value; 2] {
        keys.map(|key| {
            let value = surface.laid.get(at).and_then(|part| part.get(key)).cloned();
            value
                .filter(|value| !is_nothing(value))
                .unwrap_or_else(|| default.clone())
        })
    };
    let laid = |surface: &Surface| part(surface, 0, ["extensions", "texCoord"], Value::Null);
    if laid(found) != laid(edit) && laid(edit) != [Value::Null, Value::Null] {
        refuse!(
            "it moves its picture or uses a second UV map, which the game cannot store; use the first UV map, and move the texture coordinates"
        );
    }
    let wrap = |surface: &Surface| part(surface, 1, ["wrapS", "wrapT"], 10_497.into());
    if wrap(found) != wrap(edit) && wrap(edit) != [Value::from(10_497), Value::from(10_497)] {
        refuse!("its picture does not repeat, which the game decides; set it to repeat");
    }
    Ok(())
}
