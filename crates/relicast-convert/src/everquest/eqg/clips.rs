//! Animations of an EQG model as clips. The name of a file consists of that of the set, some words, and
//! the model.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Quat, Vec3};

use crate::everquest::actor::code::SetCode;
use crate::everquest::actor::rig::Rig;
use crate::everquest::archive::{ArchiveSet, stem_of};
use relicast_codec::quantity::counted;
use relicast_codec::{Decoded, Deviations};
use relicast_formats::everquest::eqg::animation::{self, Animation, Track as StoredTrack};
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::clip::smooth_rotations;
use relicast_scene::model::{Channel, Clip, Interpolation, NameHint, NodeId, Track, Transform};

use super::skeleton::{self, Names};
use super::surfaces::Origin;

/// Codes of sets by their names.
const CODES: [(&str, &str); 8] = [
    ("stnd", "P01"),
    ("walk", "L01"),
    ("nrun", "L02"),
    ("swim", "P06"),
    ("knel", "P05"),
    ("deth", "D05"),
    ("crmp", "D05"),
    ("flch", "D01"),
];

/// An animation file of a model.
#[derive(Debug)]
pub(super) struct Found {
    /// Its name without extension, in lower case.
    pub stem: String,
    /// Animation of the clip.
    pub animation: Animation,
    /// Its soft faults.
    pub deviations: Deviations,
}

/// The animations of a model, by name: the first archive that has one counts. The second value lists files that
/// cannot be read.
pub(super) fn find(set: &ArchiveSet<'_>, place: usize, model: &str) -> (Vec<Found>, Vec<String>) {
    let ending = format!("_{}.ani", model.to_lowercase());
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    let mut failed = Vec::new();
    for (_, opened) in set.from(place) {
        for (name, member) in opened.member_names() {
            let stem = stem_of(name);
            if !name.ends_with(&ending) || found.contains_key(&stem) {
                continue;
            }
            let bytes = opened.bytes(member).unwrap_or_default();
            match animation::decode(&bytes) {
                Ok(decoded) => {
                    let one = Found {
                        stem: stem.clone(),
                        animation: decoded.value,
                        deviations: decoded.deviations,
                    };
                    found.insert(stem, one);
                }
                Err(fault) => failed.push(format!("the animation {name} was skipped: {fault}")),
            }
        }
    }
    (found.into_values().collect(), failed)
}

/// Name of the set of animations that a file belongs to, in lower case.
fn set_of(stem: &str) -> &str {
    stem.split('_').next().unwrap_or(stem)
}

/// Animations whose names fit no model of their archive, and that only move joints of this model.
#[derive(Debug, Default)]
pub(super) struct Stray {
    /// The animations, by name.
    pub found: Vec<Found>,
    /// Files that cannot be read, a line each.
    pub failed: Vec<String>,
}

impl Stray {
    /// Line for the report.
    pub(super) fn note(&self) -> Option<String> {
        let models: BTreeSet<&str> = self.found.iter().map(|one| one.model()).collect();
        let models: Vec<&str> = models.into_iter().collect();
        if self.found.is_empty() {
            return None;
        }
        let count = counted(self.found.len(), "animation", "animations");
        let models = models.join(", ");
        Some(format!(
            "added {count} with the name of another model ({models}): all tracks are joints of this skeleton"
        ))
    }
}

impl Found {
    /// The last word of the name, which is the name of a model.
    fn model(&self) -> &str {
        let name = self.stem.rsplit_once('_');
        name.map_or(&*self.stem, |(_, model)| model)
    }
}

/// Animations of a model's archive whose names fit none of its models, and whose tracks are all joints of this model.
/// If the archive has several skeletons, sets that the model has among its `own` are left out.
pub(super) fn by_skeleton(
    set: &ArchiveSet<'_>,
    origin: Origin,
    names: &Names,
    own: &[Found],
) -> Stray {
    let mut stray = Stray::default();
    let Some(opened) = set.get(origin.place) else {
        return stray;
    };
    let models = opened.models().skeletons();
    let endings: Vec<String> = models
        .filter_map(|member| Some(format!("_{}.ani", stem_of(&opened.label(member)?))))
        .collect();
    for (name, member) in opened.member_names() {
        let fits = endings.iter().any(|ending| name.ends_with(ending));
        let stem = stem_of(name);
        let is_known = |one: &Found| set_of(&one.stem) == set_of(&stem);
        if !name.ends_with(".ani") || fits || (endings.len() > 1 && own.iter().any(is_known)) {
            continue;
        }
        let Some(bytes) = opened.bytes(member) else {
            continue;
        };
        match animation::decode(&bytes) {
            Ok(Decoded { value, deviations }) => {
                let mut tracks = value.tracks.iter();
                let is_moved =
                    |track: &StoredTrack| names.find(&value.strings.text(track.bone)).is_some();
                if !value.tracks.is_empty() && tracks.all(is_moved) {
                    stray.found.push(Found {
                        stem,
                        animation: value,
                        deviations,
                    });
                }
            }
            Err(fault) => {
                let line = format!("the animation {name} was skipped: {fault}");
                stray.failed.push(line);
            }
        }
    }
    stray
}

/// A clip under a name that no other clip of the model has: with the model's name from the file name.
pub(super) fn with_own_name(mut clip: Clip, found: &Found, known: &[Clip]) -> Clip {
    if known.iter().any(|known| known.name == clip.name) {
        clip.name = format!("{}_{}", clip.name, found.model());
    }
    clip
}

/// The keys of a track with increasing times.
fn channels(track: &StoredTrack, node: NodeId, rest_scale: Vec3, channels: &mut Vec<Channel>) {
    let mut times: Vec<f32> = Vec::with_capacity(track.keys.len());
    let mut places = Vec::with_capacity(track.keys.len());
    let mut turns: Vec<Quat> = Vec::with_capacity(track.keys.len());
    let mut scales = Vec::with_capacity(track.keys.len());
    for key in &track.keys {
        let time = (f64::from(key.time) / 1000.0) as f32;
        if times.last().is_some_and(|&last| time <= last) {
            continue;
        }
        let (place, _) = skeleton::transform(key.translation, key.rotation, key.scale);
        times.push(time);
        places.push(place.translation);
        turns.push(place.rotation);
        scales.push(place.scale);
    }
    if times.is_empty() {
        return;
    }
    smooth_rotations(&mut turns);
    let mut add = |track| {
        channels.push(Channel {
            node,
            times: times.clone(),
            interpolation: Interpolation::Linear,
            track,
        });
    };
    add(Track::Translation(places));
    add(Track::Rotation(turns));
    if scales.iter().any(|&scale| scale != rest_scale) {
        add(Track::Scale(scales));
    }
}

/// Code of the set, by the name of an animation file.
fn code_of(stem: &str) -> Option<&'static str> {
    let set = set_of(stem);
    let code = CODES.iter().find(|(name, _)| *name == set);
    code.map(|(_, code)| *code)
}

/// Transforms of joints in the first keys of the animation of a code; empty if there is no such animation.
pub(super) fn first_pose(found: &[Found], code: &str, names: &Names) -> Vec<(usize, Transform)> {
    let one = found.iter().find(|one| code_of(&one.stem) == Some(code));
    let tracks = one.into_iter().flat_map(|one| {
        let tracks = one.animation.tracks.iter();
        tracks.map(|track| (one.animation.strings.text(track.bone), track))
    });
    let mut moved = BTreeSet::new();
    let places = tracks.filter_map(|(bone, track)| {
        let joint = names.find(&bone).filter(|&joint| moved.insert(joint))?;
        let key = track.keys.first()?;
        let (place, _) = skeleton::transform(key.translation, key.rotation, key.scale);
        Some((joint, place))
    });
    places.collect()
}

/// The clip of an animation; `None` if it moves no joint.
pub(super) fn clip(
    found: &Found,
    model: &str,
    rig: &Rig,
    names: &Names,
    nodes: &[NodeId],
    godot_loop: bool,
) -> Option<Clip> {
    let mut moved = BTreeSet::new();
    let mut all = Vec::new();
    let mut strays = Vec::new();
    for track in &found.animation.tracks {
        let bone = found.animation.strings.text(track.bone);
        let Some(joint) = names.find(&bone) else {
            strays.push(bone.to_owned());
            continue;
        };
        // Of several tracks, the first counts.
        if let (true, Some(&node), Some(rest)) =
            (moved.insert(joint), nodes.get(joint), rig.joints.get(joint))
        {
            channels(track, node, rest.rest.scale, &mut all);
        }
    }
    if all.is_empty() {
        return None;
    }
    let rest = found.stem.strip_suffix(&model.to_lowercase());
    let rest = rest.unwrap_or(&found.stem).trim_end_matches('_');
    let set = set_of(rest);
    let code = code_of(rest).and_then(|code| Some(SetCode::split(code)?.0));
    let loops = code.is_some_and(SetCode::loops);
    let meaning = code.and_then(SetCode::meaning);
    let facts = everquest::Clip {
        set: Some(set.to_uppercase()),
        file: Some(format!("{}.ani", found.stem)),
        code: code.map(|code| code.to_string()),
        meaning: meaning.map(str::to_owned),
        r#loop: code.map(|_| loops),
        tracks_without_bone: (!strays.is_empty()).then_some(strays),
        ..everquest::Clip::default()
    };
    Some(Clip {
        name: code.map_or_else(|| set.to_owned(), SetCode::clip_name),
        hint: (loops && godot_loop).then_some(NameHint::Loop),
        channels: all,
        surfaces: Vec::new(),
        extras: facts.extras(),
    })
}
