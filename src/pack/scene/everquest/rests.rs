//! Bones whose pose at rest an edit changes, with the skins that follow.

use std::collections::BTreeSet;

use glam::DMat4;
use serde_json::Value;

use super::attach::global;
use crate::pack::edited::Refusal;
use crate::pack::json::{index, items};
use crate::pack::scene::compare::leaves::changes;
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::Document;

/// Largest difference of parts of matrices, relative to the larger of 1 and the number.
const SAME: f64 = 1e-3;

/// Finds the bones that an edit moves at rest, by their nodes. `None`: the skins changed in another way.
///
/// # Errors
/// A list of numbers cannot be read.
pub(super) fn find(base: &Opened, edited: &Opened) -> Result<Option<BTreeSet<usize>>, Refusal> {
    let mut bones = BTreeSet::new();
    let [before, after] = [base, edited].map(|it| items(&it.document.json, "skins"));
    if before.len() != after.len() {
        return Ok(None);
    }
    for (before, after) in before.iter().zip(after) {
        // The place of the matrices in the files does not count.
        let leaves = changes(before, after, 0.0);
        if leaves.iter().any(|leaf| leaf.path != "inverseBindMatrices") {
            return Ok(None);
        }
        let (old, new) = (
            matrices(&base.document, before)?,
            matrices(&edited.document, after)?,
        );
        if old == new {
            continue;
        }
        let (Some(old), Some(new)) = (old, new) else {
            return Ok(None);
        };
        let joints: Vec<usize> = items(before, "joints").iter().filter_map(index).collect();
        for ((joint, old), new) in joints.iter().zip(old).zip(new) {
            // Vertices stay where they are.
            let places = [base, edited].map(|it| global(&it.scene, *joint));
            if !is_near(places[0] * old, places[1] * new) {
                return Ok(None);
            }
        }
        bones.extend(joints.into_iter().filter(|&joint| {
            let local = |opened: &Opened| opened.scene.nodes.get(joint).map(|node| node.local);
            local(base) != local(edited)
        }));
    }
    Ok(Some(bones))
}

/// The matrices of a skin from vertices to its joints.
fn matrices(document: &Document, skin: &Value) -> Result<Option<Vec<DMat4>>, Refusal> {
    let Some(accessor) = index(&skin["inverseBindMatrices"]) else {
        return Ok(None);
    };
    let rows = document.rows::<16>(accessor)?;
    Ok(Some(rows.iter().map(DMat4::from_cols_array).collect()))
}

fn is_near(one: DMat4, other: DMat4) -> bool {
    let [one, other] = [one, other].map(|matrix| matrix.to_cols_array());
    let mut pairs = one.iter().zip(&other);
    pairs.all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(1.0))
}
