//! Moved placements: their new transform, in the form that both kinds of archives use.

use super::scene::Scene;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::difference::NodeChange;
use crate::pack::scene::file::{Local, SceneNode};
use relicast_scene::model::{Placement, Transform};

/// An edited transform, decomposed.
#[derive(Debug)]
pub(super) struct Moved {
    /// The whole transform.
    pub wanted: Transform,
    translation: [f32; 3],
    before: [f32; 3],
    /// The rotation as written, if it changed.
    pub rotation: Option<[f32; 4]>,
    /// The scale along all axes, if it changed.
    pub scale: Option<f32>,
}

impl Moved {
    /// Decomposes an edited transform.
    ///
    /// # Errors
    /// It is sheared, not scaled evenly, or not finite.
    pub(super) fn new(old: Local, new: Local) -> Result<Self, Refusal> {
        let placement = Placement::from_matrix(&new.to_matrix());
        let Placement::Simple(wanted) =
            placement.map_err(|_| refusal!("its transform is not finite"))?
        else {
            refuse!("it is sheared");
        };
        let (translation, rotation, scale) = match new.matrix {
            None => (new.translation, new.rotation, new.scale),
            Some(_) => (
                wanted.translation.to_array(),
                wanted.rotation.to_array(),
                wanted.scale.to_array(),
            ),
        };
        let [first, second, third] = scale;
        let slack = 1e-5 * first.abs().max(1e-3);
        let is_uneven = (first - second).abs() > slack || (first - third).abs() > slack;
        if scale != old.scale && is_uneven {
            refuse!("placements must be scaled equally along all axes");
        }
        Ok(Self {
            wanted,
            translation,
            before: old.translation,
            rotation: (new.matrix.is_some() || new.rotation != old.rotation).then_some(rotation),
            scale: (scale != old.scale).then_some(first),
        })
    }

    /// A stored position in scene axes with the edited coordinates.
    pub(super) fn put(&self, mut stored: [f32; 3]) -> [f32; 3] {
        let pairs = self.translation.into_iter().zip(self.before);
        for (stored, (target, before)) in stored.iter_mut().zip(pairs) {
            if target != before {
                *stored = target;
            }
        }
        stored
    }
}

/// Returns true if a placement can get a transform: it is neither sheared nor mirrored, and scaled evenly.
pub(super) fn is_even(old: Local, new: Local) -> bool {
    Moved::new(old, new).is_ok_and(|moved| moved.scale.is_none_or(|scale| scale >= 0.0))
}

impl Scene<'_> {
    /// An original node and its edit; `None` if transform and name are unchanged.
    ///
    /// # Errors
    /// Its facts were edited.
    pub(super) fn moved(
        &self,
        change: &NodeChange,
    ) -> Result<Option<(&SceneNode, &SceneNode)>, Refusal> {
        let nodes = (
            self.base.nodes.get(change.base),
            self.edited.nodes.get(change.edited),
        );
        let (Some(old), Some(new)) = nodes else {
            return Ok(None);
        };
        let facts = |extras: &serde_json::Value| extras.get("everquest").cloned();
        if change.has_other_extras
            && facts(&new.extras).is_some_and(|new| Some(new) != facts(&old.extras))
        {
            refuse!("changes of extras.everquest cannot be packed");
        }
        Ok((change.is_moved || change.name.is_some()).then_some((old, new)))
    }
}
