//! Skeletons as joints at rest, in scene space.

use glam::{DAffine3, DMat4, DQuat, Vec3};

use crate::everquest::space;
use relicast_formats::everquest::wld::{
    Body, FragmentRef, Pose, Skeleton, Track, TrackDefinition, Wld,
};
use relicast_scene::model::{Node, NodeId, Scene, Transform};

/// A bone at rest.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::everquest) struct Joint {
    /// Name as stored, `_DAG` at its end.
    pub name: String,
    /// The bone above it; none for a root.
    pub parent: Option<usize>,
    /// Transform in the space of its parent.
    pub rest: Transform,
    /// Transform from joint space to model space, at rest.
    pub world: DMat4,
    /// From the space of the model to its own.
    pub inverse: DMat4,
    /// Fragment of its rest pose.
    pub track: FragmentRef,
    /// Fragment attached to the bone.
    pub attachment: FragmentRef,
}

/// Counts of faults in a skeleton.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::everquest) struct RigFaults {
    /// Bones without a rest pose. They get the pose of their parent.
    pub missing_pose: usize,
    /// Bones with numbers in their rest pose that are not finite, or a scale of 0, which are ignored.
    pub invalid_pose: usize,
    /// Bones whose transform in model space is not finite. Their vertices stay where they are stored.
    pub lost: usize,
}

/// A skeleton: one joint for each bone, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::everquest) struct Rig {
    /// The joints.
    pub joints: Vec<Joint>,
    /// Indices of the joints, each after its parent.
    pub order: Vec<usize>,
    /// Faults that were counted.
    pub faults: RigFaults,
}

/// A track with its movement.
pub(in crate::everquest) fn movement<'w>(
    wld: &'w Wld<'_>,
    reference: FragmentRef,
) -> Option<(&'w Track, &'w TrackDefinition<'w>)> {
    let Body::Track(track) = &wld.get(reference)?.body else {
        return None;
    };
    let Body::TrackDefinition(definition) = &wld.get(track.definition)?.body else {
        return None;
    };
    Some((track, definition))
}

/// A pose in scene space. Values that are not finite, and scales of 0, are replaced by those of the identity;
/// the flag is set if there were any.
pub(in crate::everquest) fn transform(pose: &Pose) -> (Transform, bool) {
    let translation = Vec3::from_array(space::vector(pose.translation));
    let moves = translation.is_finite();
    let scales = pose.scale.is_finite() && pose.scale != 0.0;
    let transform = Transform {
        translation: if moves { translation } else { Vec3::ZERO },
        rotation: space::rotation(DQuat::from_array(pose.rotation.map(f64::from))).as_quat(),
        scale: Vec3::splat(if scales { pose.scale } else { 1.0 }),
    };
    (transform, !(moves && scales))
}

/// True if single precision can hold a matrix.
fn fits(matrix: &DMat4) -> bool {
    matrix
        .to_cols_array()
        .iter()
        .all(|&value| (value as f32).is_finite())
}

impl Rig {
    /// The joints of a skeleton at the first frame of their rest poses.
    pub(in crate::everquest) fn new(wld: &Wld<'_>, skeleton: &Skeleton) -> Self {
        let mut faults = RigFaults::default();
        let joints: Vec<Joint> = skeleton
            .bones
            .iter()
            .map(|bone| {
                let pose = movement(wld, bone.track).and_then(|(_, track)| track.pose(0));
                faults.missing_pose += usize::from(pose.is_none());
                let (rest, invalid_pose) = pose
                    .as_ref()
                    .map_or((Transform::IDENTITY, false), transform);
                faults.invalid_pose += usize::from(invalid_pose);
                Joint {
                    name: bone.name.as_str().to_owned(),
                    parent: None,
                    rest,
                    world: DMat4::IDENTITY,
                    inverse: DMat4::IDENTITY,
                    track: bone.track,
                    attachment: bone.attachment,
                }
            })
            .collect();
        Self::settled(joints, &skeleton.parents_first(), faults)
    }

    /// The joints with their transforms in model space. `parents` are all joints with their parents, each after its
    /// parent.
    pub(in crate::everquest) fn settled(
        mut joints: Vec<Joint>,
        parents: &[(usize, Option<usize>)],
        mut faults: RigFaults,
    ) -> Self {
        let mut reached = vec![DMat4::IDENTITY; joints.len()];
        for &(bone, parent) in parents {
            let above = parent.and_then(|parent| reached.get(parent).copied());
            let above = above.unwrap_or(DMat4::IDENTITY);
            let Some(joint) = joints.get_mut(bone) else {
                continue;
            };
            joint.parent = parent;
            let world = above * joint.rest.to_matrix();
            if let Some(reached) = reached.get_mut(bone) {
                *reached = world;
            }
            let inverse = DMat4::from(DAffine3::from_mat4(world).inverse());
            if fits(&world) && fits(&inverse) {
                (joint.world, joint.inverse) = (world, inverse);
            } else {
                faults.lost += 1;
            }
        }
        Self {
            joints,
            order: parents.iter().map(|&(bone, _)| bone).collect(),
            faults,
        }
    }

    /// Adds a node for each joint, in the order of the joints, and returns these nodes and their common root.
    /// Root joints become children of `parent`, or roots of the scene. Several roots of the scene get a
    /// common parent with the given name, because the joints of a skin need a common root.
    pub(in crate::everquest) fn add_to(
        &self,
        scene: &mut Scene,
        parent: Option<NodeId>,
        name: &str,
    ) -> (Vec<NodeId>, Option<NodeId>) {
        let nodes: Vec<NodeId> = self
            .joints
            .iter()
            .map(|joint| {
                scene.add_node(Node {
                    name: joint.name.clone(),
                    transform: joint.rest,
                    ..Node::default()
                })
            })
            .collect();
        let roots = self.joints.iter().filter(|joint| joint.parent.is_none());
        let several = parent.is_none() && roots.count() > 1;
        let parent = parent.or_else(|| {
            if !several {
                return None;
            }
            let node = scene.add_node(Node {
                name: name.to_owned(),
                ..Node::default()
            });
            scene.roots.push(node);
            Some(node)
        });
        let mut top = parent;
        for &index in &self.order {
            let (Some(joint), Some(&node)) = (self.joints.get(index), nodes.get(index)) else {
                continue;
            };
            let above = joint.parent.and_then(|above| nodes.get(above)).copied();
            match above.or(parent) {
                Some(above) => scene.add_child(above, node),
                None => {
                    scene.roots.push(node);
                    top = Some(node);
                }
            }
        }
        (nodes, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::{F32, QuatWxyz, Vec3 as Stored};
    use relicast_formats::everquest::wld::{
        Bone, FloatFrame, Fragment, Frames, Name, StringTable, TrackFlags, Version,
    };

    /// A chain of bones, each posed by the frame of its place.
    fn chain(frames: &[FloatFrame], children: &[&[u32]]) -> Rig {
        let mut list = Vec::new();
        let mut skeleton = Skeleton::default();
        for (frame, children) in frames.iter().zip(children) {
            list.push(Fragment::new(
                Name::default(),
                Body::TrackDefinition(TrackDefinition {
                    flags: TrackFlags::empty(),
                    frames: Frames::Float(vec![*frame].into()),
                }),
            ));
            let definition = FragmentRef::to(list.len() - 1).unwrap();
            let track = Track {
                definition,
                ..Track::default()
            };
            list.push(Fragment::new(Name::default(), Body::Track(track)));
            skeleton.bones.push(Bone {
                track: FragmentRef::to(list.len() - 1).unwrap(),
                children: children.to_vec(),
                ..Bone::default()
            });
        }
        let wld = Wld::new(Version::Old, StringTable::default(), list).unwrap();
        Rig::new(&wld, &skeleton)
    }

    fn frame(translation: [f32; 3], scale: f32) -> FloatFrame {
        FloatFrame {
            scale: F32(scale),
            translation: Stored::from(translation),
            rotation: QuatWxyz {
                w: F32(1.0),
                ..QuatWxyz::default()
            },
        }
    }

    #[test]
    fn scale_passes_down_and_the_axes_turn() {
        let frames = [frame([1.0, 2.0, 3.0], 2.0), frame([10.0, 0.0, 0.0], 0.5)];
        let rig = chain(&frames, &[&[1], &[]]);
        let place = rig.joints[1].world.w_axis.truncate().to_array();
        // File (1 + 2·10, 2, 3): forward becomes +Z, left +X, up +Y.
        assert_eq!(place, [2.0, 3.0, 21.0]);
        let back = rig.joints[1].inverse * rig.joints[1].world;
        assert!(back.abs_diff_eq(DMat4::IDENTITY, 1e-12));
        assert_eq!(rig.faults, RigFaults::default());
    }

    #[test]
    fn wild_and_missing_poses_do_not_move() {
        let frames = [
            frame([f32::NAN, 0.0, 0.0], 0.0),
            frame([1.0, 0.0, 0.0], 1.0),
        ];
        let rig = chain(&frames, &[&[1], &[]]);
        assert_eq!(rig.joints[0].rest, Transform::IDENTITY);
        assert_eq!(rig.faults.invalid_pose, 1);
        let skeleton = Skeleton {
            bones: vec![Bone::default()],
            ..Skeleton::default()
        };
        let rig = Rig::new(&Wld::default(), &skeleton);
        assert_eq!((rig.joints.len(), rig.faults.missing_pose), (1, 1));
    }

    #[test]
    fn scales_that_overflow_single_precision_are_reported() {
        let frames = vec![frame([0.0; 3], 1e20); 3];
        let rig = chain(&frames, &[&[1], &[2], &[]]);
        assert_eq!(rig.faults.lost, 2);
        assert_eq!(rig.joints[2].world, DMat4::IDENTITY);
    }

    #[test]
    fn several_roots_get_a_node_above_them() {
        let frames = vec![frame([0.0; 3], 1.0); 3];
        let rig = chain(&frames, &[&[], &[2], &[1]]);
        let mut scene = Scene::default();
        let (nodes, top) = rig.add_to(&mut scene, None, "ABC");
        assert_eq!(top, Some(scene.roots[0]));
        assert_eq!(
            (nodes.len(), scene.nodes.len(), scene.roots.len()),
            (3, 4, 1)
        );
        let mut seen = 0;
        scene.visit(|_, _| seen += 1);
        assert_eq!(seen, 4);
    }
}
