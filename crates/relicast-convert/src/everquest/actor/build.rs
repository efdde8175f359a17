//! A model with a skeleton as scenes.

use glam::DMat4;

use crate::everquest::geometry::Geometry;
use crate::everquest::scene_builder::{Layers, Source};
use crate::everquest::space;
use relicast_codec::Deviations;
use relicast_codec::quantity::counted;
use relicast_formats::everquest::wld::{Body, Skeleton, TrackFlags};
use relicast_scene::extras::{Float, ObjectExtras, everquest, floats};
use relicast_scene::model::{NodeId, Scene};

use super::animation_sets::{self, TrackSource, TrackSources};
use super::bake::{Baker, TrackFaults};
use super::model_parts::ModelParts;
use super::rig::{Rig, RigFaults, movement, transform};
use super::skinning::{self, SkinBinder, SkinningFaults};
use super::{attachments, code};

/// A model to build.
#[derive(Debug, Clone, Copy)]
pub(in crate::everquest) struct Subject<'s> {
    /// Name without the ending for the kind of fragment, such as `_ACTORDEF`.
    pub name: &'s str,
    /// The skeleton.
    pub skeleton: &'s Skeleton,
    /// Meshes of the file that nothing refers to.
    pub spares: &'s [usize],
    /// Tracks of the file.
    pub tracks: TrackSource<'s>,
}

/// Counts of faults in a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::everquest) struct ActorFaults {
    rig: RigFaults,
    tracks: TrackFaults,
    skinning: SkinningFaults,
    lost_skins: usize,
    /// The model whose animation sets this one borrows, if no file has that model.
    missing_lender: Option<&'static str>,
}

impl ActorFaults {
    /// Adds the faults that break a rule of the format.
    pub(in crate::everquest) fn deviations(&self, all: &mut Deviations) {
        let Self {
            rig,
            tracks,
            skinning,
            lost_skins,
            ..
        } = self;
        for (field, expected, found) in [
            ("bones", "a rest pose for each bone", rig.missing_pose),
            (
                "bones",
                "finite rest poses with a scale other than 0",
                rig.invalid_pose,
            ),
            ("bones", "positions within single precision", rig.lost),
            ("skins", "an existing mesh for each skin", *lost_skins),
            ("tracks", "at least one frame for each track", tracks.empty),
            (
                "tracks",
                "a frame time for tracks with several frames",
                tracks.timeless,
            ),
            (
                "tracks",
                "finite frames with a scale other than 0",
                tracks.invalid_pose,
            ),
            (
                "pieces",
                "an existing bone for each vertex",
                skinning.unbound,
            ),
            ("pieces", "positions within single precision", skinning.far),
        ] {
            if found > 0 {
                all.push(field, 0, expected, format_args!("{found} invalid"));
            }
        }
    }

    /// A note for the user about animation sets that are in other archives.
    pub(in crate::everquest) fn missing(&self, name: &str) -> Option<String> {
        let lender = self.missing_lender?;
        Some(format!(
            "{name} has no animations: it uses those of {lender}, which is missing from this install (most are in \
             global_chr.s3d)"
        ))
    }

    /// Notes for the user.
    pub(in crate::everquest) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.tracks.dropped > 0 {
            let tracks = counted(self.tracks.dropped, "track", "tracks");
            notes.push(format!(
                "skipped {tracks}: too many tracks of this file share their frames"
            ));
        }
        if self.skinning.still > 0 {
            let meshes = counted(self.skinning.still, "mesh", "meshes");
            notes.push(format!(
                "skipped the vertex animation of {meshes} that bones move too"
            ));
        }
        notes
    }
}

/// Number of frames that all clips of a model may have, in addition to four times the frames of their source
/// files.
const SPARE_FRAMES: usize = 4096;

/// Codes of the standing animation sets, the best first.
const STANDING: [&str; 2] = ["P01", "O01"];

/// Builds the scenes of a model. `others` are searched for animation sets of the model and of the model that
/// it borrows from.
pub(in crate::everquest) fn build<'w>(
    layers: &mut Layers<'_, '_>,
    source: Source<'_>,
    subject: Subject<'w>,
    others: TrackSources<'w>,
) -> ActorFaults {
    let wld = source.file.wld();
    let skeleton = subject.skeleton;
    let rig = Rig::new(wld, skeleton);
    let model_parts = ModelParts::new(wld, skeleton, subject.name, subject.spares);
    let creature = animation_sets::creature(subject.name, &rig.joints);
    let mut binder = SkinBinder::new(layers, source, &rig, subject.name, creature.as_deref());
    model_parts
        .skins
        .iter()
        .for_each(|&mesh| binder.add_skin(mesh, false));
    for &mesh in &model_parts.alternates {
        binder.add_skin(mesh, true);
    }
    for &(joint, mesh) in &model_parts.held {
        binder.hold(joint, mesh);
    }
    let nodes = binder.nodes().to_vec();
    let mut clips = binder.clips();
    let skinning = binder.faults();
    for &(joint, thing) in &model_parts.others {
        let facts = attachments::facts(&layers.main, source, thing);
        if let (Some(facts), Some(node)) = (facts, nodes.get(joint)) {
            let node = &mut layers.main.scene.nodes[node.index()];
            node.extras = facts.extras();
        }
    }
    let found = animation_sets::find(subject.name, &rig.joints, subject.tracks, others);
    let mut files: Vec<TrackSource<'w>> = Vec::new();
    for set in &found {
        if !files
            .iter()
            .any(|file| std::ptr::eq(file.wld, set.file.wld))
        {
            files.push(set.file);
        }
    }
    let stored = files.iter().map(TrackSource::frames);
    let stored = stored.fold(0_usize, usize::saturating_add);
    let mut baker = Baker {
        joints: &rig.joints,
        nodes: &nodes,
        budget: stored.saturating_mul(4).saturating_add(SPARE_FRAMES),
        loop_all: source.file.stem() == "sky",
        godot_loop: layers.main.view().options.scenes.godot_loop,
        faults: TrackFaults::default(),
    };
    clips.extend(found.iter().filter_map(|set| baker.clip(set)));
    let lender = creature.as_deref().and_then(code::lender);
    let missing_lender = lender.filter(|_| found.is_empty());
    let tracks = baker.faults;
    layers.main.scene.clips.extend(clips);
    let figures = model_parts.figures(wld, subject.name);
    layers.main.note(&everquest::Scene {
        skeleton: Some(skeleton_facts(skeleton, &rig)),
        meshes: (!figures.is_empty())
            .then(|| figures.iter().map(|figure| figure.facts()).collect()),
        ..everquest::Scene::default()
    });
    ActorFaults {
        rig: rig.faults,
        tracks,
        skinning,
        lost_skins: model_parts.lost,
        missing_lender,
    }
}

/// A model in its rest pose, as it is placed in a zone: nodes for its joints, and skins as meshes without
/// bones.
#[derive(Debug)]
pub(in crate::everquest) struct RestPoseModel {
    rig: Rig,
    /// Parts of the model.
    pub model_parts: ModelParts,
}

impl RestPoseModel {
    /// The model of the skeleton at `index`.
    pub(in crate::everquest) fn new(source: Source<'_>, index: usize, name: &str) -> Option<Self> {
        let wld = source.file.wld();
        let skeleton = skeleton(source, index)?;
        Some(Self {
            rig: Rig::new(wld, skeleton),
            model_parts: ModelParts::new(wld, skeleton, name, &[]),
        })
    }

    /// The model of the skeleton at `index` at the start of its clip `stand` or `idle`; at rest if it has neither.
    pub(in crate::everquest) fn standing<'s>(
        source: Source<'s>,
        index: usize,
        name: &str,
        others: TrackSources<'s>,
    ) -> Option<Self> {
        let mut model = Self::new(source, index, name)?;
        let found = animation_sets::find(name, &model.rig.joints, source.file.tracks(), others);
        let set = STANDING.iter().find_map(|wanted| {
            let mut sets = found.iter();
            sets.find(|set| set.code.is_some_and(|code| code.to_string() == *wanted))
        });
        if let Some(set) = set {
            for (&joint, &track) in &set.tracks {
                let pose = movement(set.file.wld, track).and_then(|(track, frames)| {
                    let is_reversed = track.flags.contains(TrackFlags::REVERSE);
                    frames.pose(if is_reversed {
                        frames.len().checked_sub(1)?
                    } else {
                        0
                    })
                });
                if let (Some(pose), Some(joint)) = (pose, model.rig.joints.get_mut(joint)) {
                    joint.rest = transform(&pose).0;
                }
            }
            let parents = skeleton(source, index)?.parents_first();
            model.rig = Rig::settled(model.rig.joints, &parents, model.rig.faults);
        }
        Some(model)
    }

    /// Adds nodes for the joints below `above`.
    pub(in crate::everquest) fn add_below(&self, scene: &mut Scene, above: NodeId) -> Vec<NodeId> {
        self.rig.add_to(scene, Some(above), "").0
    }

    /// Transform from joint space to model space.
    pub(in crate::everquest) fn world(&self, joint: usize) -> DMat4 {
        let joint = self.rig.joints.get(joint);
        joint.map_or(DMat4::IDENTITY, |joint| joint.world)
    }

    /// Moves the vertices of a skin to where their bones are at rest.
    pub(in crate::everquest) fn pose(&self, geometry: &mut Geometry) {
        if !geometry.bones.is_empty() {
            // The conversion of the model's own file reports its faults.
            skinning::pose(&self.rig, geometry, &mut SkinningFaults::default());
        }
    }
}

/// Extras of a skeleton.
fn skeleton_facts(skeleton: &Skeleton, rig: &Rig) -> everquest::Skeleton {
    let center = skeleton.center;
    everquest::Skeleton {
        bones: Some(rig.joints.len()),
        radius: skeleton.radius.map(|radius| Float(radius.get())),
        center: center.map(|center| floats(space::vector(center.to_array()))),
    }
}

/// True if a model has something for the hidden scene: alternate meshes, or surfaces that are never drawn.
/// `has_invisible` returns true if any of some meshes has such surfaces.
pub(in crate::everquest) fn has_hidden(
    model_parts: &ModelParts,
    has_invisible: impl FnOnce(&[usize]) -> bool,
) -> bool {
    !model_parts.alternates.is_empty() || has_invisible(&model_parts.meshes())
}

/// The skeleton of a fragment.
pub(in crate::everquest) fn skeleton<'w>(source: Source<'w>, index: usize) -> Option<&'w Skeleton> {
    let Body::SkeletonDefinition(skeleton) = &source.file.wld().fragments.get(index)?.body else {
        return None;
    };
    Some(skeleton)
}
