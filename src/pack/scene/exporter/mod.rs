//! Removal of what a program changes by itself when it reads a scene and writes it again.
//!
//! The edited file is compared with the original one, and a file is made that has the structure and the numbers of the
//! original and only the edits of the person: as if a careful script had made them. A difference that the program would
//! also make in an unedited file is noise; any other difference is an edit.
//!
//! - `model` — the programs, and what each of them changes;
//! - `options` — options of exporters that are refused; `names` — shortened and numbered names;
//! - `pieces` — parted meshes; `nodes` — pairs of nodes; `shapes` — pairs of triangles, `turned` — those that were turned
//!   over or have another material;
//! - `values` — meshes: `changes` at their corners, `vertices` and `weights`; `normals` — normals that programs make anew;
//!   `skin`, `rest` — rest poses;
//! - `instances`; `materials`; `pictures`; `lights` — lights and cameras; `clips` — curves, `fit` — sampled ones;
//! - `builder` — the file that is made; `noise` — the changes that were not taken for edits.

mod builder;
mod changes;
mod clips;
mod fit;
mod instances;
mod lights;
mod materials;
mod mesh_pair;
mod model;
mod names;
mod nodes;
mod noise;
mod normals;
mod options;
mod pair;
mod pictures;
mod pieces;
mod rest;
mod restored;
mod shapes;
mod skin;
mod turned;
mod values;
mod vertices;
mod weights;

use serde_json::Value;

use super::file::Document;
use crate::pack::edited::Refusal;
pub use noise::Noise;
use pair::Pair;
pub(super) use pictures::Files;
use restored::Restoration;
pub(super) use restored::edited_alone;
pub(super) use skin::Weights;
pub(super) use weights::weights;

/// Removes from an edited file what the program that wrote it changes by itself. A file that relicast wrote, or that a
/// script changed in place, stays as it is. `path` is that of the scene.
///
/// # Errors
/// A number of a file cannot be read, or the file has an edit that cannot be expressed in the structure of the original.
pub(super) fn restore(
    base: &Document,
    mut edited: Document,
    path: &str,
    files: Files<'_>,
) -> Result<(Document, Noise), Refusal> {
    let exporter = model::of(edited.generator());
    if exporter.is_some() {
        options::check(&base.json, &edited.json)?;
    }
    let mut unstored = pieces::join(base, &mut edited)?;
    let of_scene = (path, exporter);
    unstored.extend(pictures::refer_to_originals(
        base,
        &mut edited,
        of_scene,
        files,
    ));
    let Some(exporter) = exporter else {
        let mut noise = Noise::default();
        unstored
            .into_iter()
            .for_each(|words| noise.put_unstored(words));
        return Ok((edited, noise));
    };
    if exporter.has_only_floats {
        let mut json = edited.json.take();
        restore_whole_numbers(&mut json, false);
        edited.set_json(json)?;
    }
    let (base_scene, edited_scene) = (base.scene()?, edited.scene()?);
    let pair = Pair {
        base,
        base_scene: &base_scene,
        edited: &edited,
        edited_scene: &edited_scene,
        exporter,
    };
    let (mut document, mut noise) = Restoration::new(pair)?.finish()?;
    unstored
        .into_iter()
        .for_each(|words| noise.put_unstored(words));
    pictures::refer_to_files(&mut document, path, files);
    Ok((document, noise))
}

/// Makes whole numbers of extras integers again.
fn restore_whole_numbers(value: &mut Value, is_extra: bool) {
    match value {
        Value::Object(entries) => {
            for (key, entry) in entries {
                restore_whole_numbers(entry, is_extra || key == "extras");
            }
        }
        Value::Array(list) => {
            for entry in list {
                restore_whole_numbers(entry, is_extra);
            }
        }
        Value::Number(number) if is_extra && number.is_f64() => {
            let whole = number.as_f64().filter(|it| it.fract() == 0.0);
            if let Some(whole) = whole.filter(|it| it.abs() < MAX_WHOLE) {
                *value = Value::from(whole as i64);
            }
        }
        _ => {}
    }
}

/// Numbers of a larger size may have been rounded to whole ones.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;
