//! Bones of an EQG file as joints at rest.

use std::collections::HashMap;

use glam::{DQuat, Quat, Vec3};

use crate::everquest::actor::rig::{Joint, Rig, RigFaults};
use crate::everquest::space;
use relicast_codec::{F32, Vec3 as Stored};
use relicast_formats::everquest::eqg::parts::{Bone, parents};
use relicast_formats::everquest::wld::FragmentRef;
use relicast_scene::model::Transform;

use super::models::Model;

/// Maximum number of joints of a skin.
const MAX_BONES: usize = 1 << 16;

/// A stored rotation in scene space. Files store the inverse.
pub(super) fn rotation(stored: [F32; 4]) -> Option<Quat> {
    let [x, y, z, w] = stored.map(|part| f64::from(part.get()));
    let unit = DQuat::from_xyzw(-x, -y, -z, w);
    let length = unit.length();
    (length.is_finite() && length > 0.0).then(|| space::rotation(unit / length).as_quat())
}

/// Transform of a bone in scene space. Values that are not finite, and scales of 0, are replaced by the identity; the
/// flag is set if there were any.
pub(in crate::everquest) fn transform(
    place: Stored,
    turned: [F32; 4],
    scale: Stored,
) -> (Transform, bool) {
    let translation = Vec3::from_array(space::vector(place.to_array()));
    let scale = Vec3::from_array(space::vector(scale.to_array()));
    let moves = translation.is_finite();
    let scales = scale.is_finite() && scale.to_array().iter().all(|&part| part != 0.0);
    let turns = rotation(turned);
    let transform = Transform {
        translation: if moves { translation } else { Vec3::ZERO },
        rotation: turns.unwrap_or(Quat::IDENTITY),
        scale: if scales { scale } else { Vec3::ONE },
    };
    (transform, !(moves && scales && turns.is_some()))
}

/// Bones with their parents, each after its parent.
fn order(parents: &[Option<usize>]) -> Vec<(usize, Option<usize>)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut ordered: Vec<(usize, Option<usize>)> = Vec::with_capacity(parents.len());
    for (bone, parent) in parents.iter().enumerate() {
        match parent.and_then(|parent| children.get_mut(parent)) {
            Some(list) => list.push(bone),
            None => ordered.push((bone, None)),
        }
    }
    let mut at = 0;
    while let Some(&(bone, _)) = ordered.get(at) {
        at += 1;
        let below = children.get(bone).into_iter().flatten();
        ordered.extend(below.map(|&child| (child, Some(bone))));
    }
    ordered
}

/// The joints of a model, and the number of invalid links between bones. Bones beyond the limit of a skin
/// are left out.
pub(super) fn rig(model: &Model) -> (Rig, usize) {
    let bones = model.bones();
    let bones: &[Bone] = bones.get(..MAX_BONES).unwrap_or(bones);
    let (parents, broken) = parents(bones);
    let mut faults = RigFaults::default();
    let joints = bones.iter().map(|bone| {
        let (rest, invalid) = transform(bone.pivot, bone.rotation, bone.scale);
        faults.invalid_pose += usize::from(invalid);
        Joint {
            name: model.bone_name(bone),
            parent: None,
            rest,
            world: glam::DMat4::IDENTITY,
            inverse: glam::DMat4::IDENTITY,
            track: FragmentRef::default(),
            attachment: FragmentRef::default(),
        }
    });
    let joints: Vec<Joint> = joints.collect();
    (Rig::settled(joints, &order(&parents), faults), broken)
}

/// Indices of bones by name, ignoring case and blanks at the end; the first of a name counts.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    pub(super) fn of(rig: &Rig) -> Self {
        let mut names = HashMap::new();
        for (place, joint) in rig.joints.iter().enumerate() {
            names.entry(plain(&joint.name)).or_insert(place);
        }
        Self(names)
    }

    /// The bone with a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.0.get(&plain(name)).copied()
    }
}

fn plain(name: &str) -> String {
    name.trim().to_ascii_lowercase()
}
