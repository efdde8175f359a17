//! Instances of meshes (`EXT_mesh_gpu_instancing`).

use serde_json::Value;

use crate::pack::edited::Refusal;
use crate::pack::json::index;
use crate::pack::scene::file::{Document, Local};

/// The transforms of instances.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn instances(base: &Document, attributes: &Value) -> Result<Vec<Local>, Refusal> {
    fn rows<const N: usize>(base: &Document, accessor: &Value) -> Result<Vec<[f32; N]>, Refusal> {
        let rows = index(accessor).map(|accessor| base.rows::<N>(accessor));
        let rows = rows.transpose()?.unwrap_or_default();
        Ok(rows
            .into_iter()
            .map(|row| row.map(|it| it as f32))
            .collect())
    }
    let translations = rows::<3>(base, &attributes["TRANSLATION"])?;
    let rotations = rows::<4>(base, &attributes["ROTATION"])?;
    let scales = rows::<3>(base, &attributes["SCALE"])?;
    let all = translations.into_iter().enumerate();
    let all = all.map(|(number, translation)| Local {
        translation,
        rotation: rotations
            .get(number)
            .copied()
            .unwrap_or([0.0, 0.0, 0.0, 1.0]),
        scale: scales.get(number).copied().unwrap_or([1.0; 3]),
        matrix: None,
    });
    Ok(all.collect())
}
