//! Poses of bones at rest in EQG format. Models store them apart from clips, and vertices in the space of the model.

use super::keys::put_key;
use super::members::{Body, Members};
use super::scenes::Coded;
use crate::pack::edited::{Refusal, Refusals};
use crate::pack::json::{index, items};
use crate::pack::scene::everquest::clips::part_of;
use crate::pack::scene::everquest::corners::to_file;
use crate::pack::scene::everquest::curves::{Curve, PARTS, Part};
use crate::pack::scene::everquest::edits::{Edits, Place};
use crate::pack::scene::everquest::frames::FrameEdit;
use crate::pack::scene::everquest::movements::part_of_pose;
use relicast_convert::posed_key;
use relicast_formats::everquest::eqg::animation::Key;
use relicast_formats::everquest::eqg::parts::Bone;

/// Edits of poses at rest.
#[derive(Debug, Default)]
pub(super) struct Rests(Edits<FrameEdit>);

impl Rests {
    /// Collects the bones that a scene moves at rest.
    ///
    /// # Errors
    /// A bone is not of the model of the scene.
    pub(super) fn take(
        &mut self,
        coded: &Coded<'_, '_>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        for &node in &scene.rests {
            let lost = || {
                refusal!(
                    "bone {}: its pose at rest cannot be traced to a model of this archive",
                    scene.name(node)
                )
            };
            let member = coded.member.ok_or_else(lost)?;
            let mut skins = items(&scene.base_document.json, "skins").iter();
            let bone = skins.find_map(|skin| {
                let mut joints = items(skin, "joints").iter();
                joints.position(|joint| index(joint) == Some(node))
            });
            let bone = bone.ok_or_else(lost)?;
            let body = members.files.get(member).map(|file| &file.body);
            let stored = body.and_then(|body| bones(body)?.get(bone));
            let stored = posed_key(&key_of(stored.ok_or_else(lost)?));
            let edited = scene.matches.get(node).copied().flatten();
            let (Some(before), Some(after)) = (
                scene.base.nodes.get(node),
                edited.and_then(|edited| scene.edited.nodes.get(edited)),
            ) else {
                return Err(lost());
            };
            let mut edit = FrameEdit::default();
            for part in PARTS {
                let [old, new] = [before.local, after.local].map(|local| part_of(local, part));
                if !Curve::still(old, part).is_near(part_of_pose(&stored, part), old, 1e-5) {
                    return Err(lost());
                }
                if old == new {
                    continue;
                }
                let [x, y, z, w] = new;
                let [x, y, z] = to_file([x, y, z]);
                match part {
                    Part::Translation => edit.translation = Some([x, y, z]),
                    Part::Rotation => edit.rotation = Some([x, y, z, w]),
                    Part::Scale => edit.scale = Some([x, y, z]),
                }
            }
            let place = Place {
                member,
                index: bone,
            };
            let added = self.0.add(place, scene, edit);
            added.map_err(|refusal| refusal!("bone {}: {refusal}", scene.name(node)))?;
        }
        Ok(())
    }

    /// Applies the edits.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<(), Refusals> {
        self.0.put(|Place { member, index }, edit| {
            let body = members.edit(member).map(|file| &mut file.body);
            let bones = match body {
                Some(Body::Mesh(mesh)) => &mut mesh.tail.bones,
                Some(Body::Creature(creature)) => &mut creature.bones,
                _ => return Ok(()),
            };
            if let Some(bone) = bones.get_mut(index) {
                let mut key = key_of(bone);
                put_key(&mut key, edit)?;
                (bone.pivot, bone.rotation, bone.scale) =
                    (key.translation, key.rotation, key.scale);
            }
            Ok(())
        })
    }
}

fn bones(body: &Body) -> Option<&[Bone]> {
    match body {
        Body::Mesh(mesh) => Some(&mesh.tail.bones),
        Body::Creature(creature) => Some(&creature.bones),
        _ => None,
    }
}

/// The pose of a bone as a key.
fn key_of(bone: &Bone) -> Key {
    Key {
        translation: bone.pivot,
        rotation: bone.rotation,
        scale: bone.scale,
        ..Key::default()
    }
}
