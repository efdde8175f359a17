//! Edited corners as edits of vertices, in the axes of their file.

use std::collections::HashMap;

use glam::{DMat4, DVec3};

use super::corners::{VertexId, to_file};
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::{CornerChange, MeshChange};
use crate::pack::scene::file::{SceneMesh, ScenePrimitive};

/// New value of a vertex, in file axes and in the space of its bone; `None`: unchanged.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct VertexEdit {
    /// Along each axis.
    pub position: [Option<f64>; 3],
    pub normal: Option<[f64; 3]>,
    /// For both sets.
    pub uvs: [[Option<f32>; 2]; 2],
    /// Linear, as drawn.
    pub color: Option<[f32; 3]>,
}

/// An edited corner of a primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct EditedCorner<'c> {
    /// The original primitive.
    pub part: &'c ScenePrimitive,
    pub at: usize,
    pub change: &'c CornerChange,
}

impl EditedCorner<'_> {
    /// Returns the edit of its vertex except the color. `inverse` converts to the space of the bone, if there is one;
    /// with
    /// `is_turned`, V of texture coordinates increases upward.
    pub(super) fn to_vertex(self, inverse: Option<DMat4>, is_turned: bool) -> VertexEdit {
        let mut edit = VertexEdit::default();
        if let (Some(wanted), Some(before)) =
            (self.change.position, self.part.positions.get(self.at))
        {
            let wide = DVec3::from_array(wanted.map(f64::from));
            edit.position = match inverse {
                Some(inverse) => to_file(inverse.transform_point3(wide).to_array()).map(Some),
                None => to_file([0, 1, 2]).map(|axis: usize| {
                    (before[axis] != wanted[axis]).then_some(f64::from(wanted[axis]))
                }),
            };
        }
        if let Some(normal) = self.change.normal {
            let wide = DVec3::from_array(normal.map(f64::from));
            let turned = inverse.map_or(wide, |inverse| inverse.transform_vector3(wide));
            let turned = turned.try_normalize();
            edit.normal = turned.map(|turned| to_file(turned.to_array()));
        }
        for (set, edit) in edit.uvs.iter_mut().enumerate() {
            let Some(Some([u, v])) = self.change.uvs.get(set) else {
                continue;
            };
            let before = self.part.uvs.get(set).and_then(|rows| rows.get(self.at));
            let [old_u, old_v] = before.copied().unwrap_or_default();
            let stored_v = if is_turned { 1.0 - *v } else { *v };
            *edit = [
                (*u != old_u).then_some(*u),
                (*v != old_v).then_some(stored_v),
            ];
        }
        edit
    }
}

/// Returns the edits of the vertices of a mesh's corners; `None` where corners that share one were moved apart.
///
/// # Errors
/// An edited corner is not a vertex of the archive, or `edit` refuses.
pub(super) fn edits_of(
    change: &MeshChange,
    base: &SceneMesh,
    ids: &[Vec<Option<VertexId>>],
    mut edit: impl FnMut(VertexId, EditedCorner<'_>) -> Result<VertexEdit, Refusal>,
) -> Result<Option<HashMap<VertexId, VertexEdit>>, Refusal> {
    let mut seen: HashMap<VertexId, VertexEdit> = HashMap::new();
    for ((part, ids), corners) in base.primitives.iter().zip(ids).zip(&change.corners) {
        for (at, (change, id)) in corners.iter().zip(ids).enumerate() {
            let has_shape = change.position.is_some()
                || change.normal.is_some()
                || change.uvs.iter().any(Option::is_some);
            let Some(id) = *id else {
                match has_shape {
                    true => return Err(Refusal::new(ELSEWHERE)),
                    false => continue,
                }
            };
            let edit = edit(id, EditedCorner { part, at, change })?;
            let known = seen.entry(id).or_insert(edit);
            let is_other =
                known.normal.is_some() && edit.normal.is_some() && known.normal != edit.normal;
            if is_other || known.position != edit.position || known.uvs != edit.uvs {
                return Ok(None);
            }
            known.normal = known.normal.or(edit.normal);
        }
    }
    seen.retain(|_, edit| *edit != VertexEdit::default());
    Ok(Some(seen))
}

/// Reason to refuse a shape of another archive.
pub(super) const ELSEWHERE: &str =
    "its shape is in another archive; edit the scene of the model itself";
