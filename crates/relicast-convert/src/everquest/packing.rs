//! Services of the converter for packing edited scenes: the conversion of file values to scene values.

use glam::{DMat4, Quat};

use super::actor::model_parts::ModelParts;
use super::actor::rig::{Rig, transform};
use super::baking::{Baking, light};
use super::eqg::{self, turned};
use super::picture;
use crate::ConvertError;
use crate::options::{EverQuest, Textures};
use relicast_formats::everquest::eqg::animation::Key;
use relicast_formats::everquest::texture::{RowOrder, decode_rows};
use relicast_formats::everquest::wld::{Bgra, Body, Pose, Skeleton, Wld};
use relicast_scene::Image;
use relicast_scene::model::Transform;

/// Transforms from the space of each bone of a skeleton at rest to that of the model, in scene space.
pub fn joint_places(wld: &Wld<'_>, skeleton: &Skeleton) -> Vec<DMat4> {
    let joints = Rig::new(wld, skeleton).joints.into_iter();
    joints.map(|joint| joint.world).collect()
}

/// The meshes that the bones of a skeleton move, by their fragments. `model` is the name of the model, with which the
/// names of alternate heads and bodies begin.
pub fn skinned_meshes(wld: &Wld<'_>, skeleton: &Skeleton, model: &str) -> Vec<usize> {
    let mut used = vec![false; wld.fragments.len()];
    for fragment in &wld.fragments {
        fragment.body.references(&mut |_, reference, _| {
            if let Some(used) = reference.index().and_then(|index| used.get_mut(index)) {
                *used = true;
            }
        });
    }
    let has_bones = |index: usize| match wld.fragments.get(index).map(|it| &it.body) {
        Some(Body::Mesh(mesh)) => !mesh.pieces.is_empty(),
        Some(Body::LegacyMesh(mesh)) => mesh.pieces.as_ref().is_some_and(|it| !it.is_empty()),
        _ => false,
    };
    let spares = used.iter().enumerate();
    let spares: Vec<usize> = (spares.filter(|(_, used)| !**used).map(|(index, _)| index)).collect();
    let parts = ModelParts::new(wld, skeleton, model, &spares);
    let held = parts.held.iter().map(|&(_, mesh)| mesh);
    let bound = parts.skins.iter().copied().chain(held);
    let mut all: Vec<usize> = bound.filter(|&index| has_bones(index)).collect();
    all.extend(&parts.alternates);
    all.sort_unstable();
    all.dedup();
    all
}

/// The vertex color for baked light in a scene with the given ambient light.
pub fn drawn_light(color: Bgra, ambient: [u8; 3], options: &EverQuest) -> [u16; 4] {
    light(color, Baking { options, ambient })
}

/// The pose of a bone in scene space.
pub fn posed(pose: &Pose) -> Transform {
    transform(pose).0
}

/// The rotation of a placement of an EQG archive in scene space, by its angles about z, y and x.
pub fn turned_placement([about_z, about_y, about_x]: [f32; 3]) -> Quat {
    let radians = [about_x, about_y, about_z].map(f64::from);
    turned(radians).normalize().as_quat()
}

/// The pose of a key of an EQG archive in scene space.
pub fn posed_key(key: &Key) -> Transform {
    eqg::transform(key.translation, key.rotation, key.scale).0
}

/// A picture of an archive as it is shown, with its rows in order; colors of the key are transparent if it is masked.
///
/// # Errors
/// It is not a picture that can be shown.
pub fn shown_picture(
    name: &str,
    bytes: &[u8],
    order: RowOrder,
    is_masked: bool,
    options: &Textures,
) -> Result<Image<'static>, ConvertError> {
    let decoded = decode_rows(bytes, order)?;
    Ok(picture::image(decoded.value, name, is_masked, options))
}
