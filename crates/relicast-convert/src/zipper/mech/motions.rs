//! Motions bound to the nodes of a 'mech.
//!
//! A motion moves nodes by name: its samples replace the node's own translation and rotation. Limbs keep their own
//! translation, because variants of a chassis share motions but not the lengths of their limbs. zStudio plays all
//! 258 motions of the shipped game with the translations of their tracks instead, so this is a setting. There is
//! one more sample than frames, which closes the motion. Every clip has keys for all nodes that any motion of the
//! 'mech moves; nodes that its own motion does not move get their rest pose.
//!
//! The definition of the chassis names the motions of a 'mech. Motions named after the 'mech belong to it, too. A
//! 'mech without such motions uses those named after the owner of the motions in the definition.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Quat, Vec3};

use crate::Dependency;
use crate::options::{ConvertOptions, LimbTranslations, RestPose};
use crate::zipper::scene::checks::MotionChecks;
use crate::zipper::scene::hierarchy::{HierarchyBuilder, Layer};
use relicast_codec::{Blob, Decoded};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::archive;
use relicast_formats::zipper::mechlib::MechModel;
use relicast_formats::zipper::motion::{self, Motion};
use relicast_limits as limits;

use relicast_scene::extras::{Float, ObjectExtras, zipper};
use relicast_scene::model::clip::smooth_rotations;
use relicast_scene::model::{
    Channel, Clip, Interpolation, NameHint, NodeId, Scene, Track, Transform,
};

use super::chassis::{Chassis, NamedMotion, mech_name};
use super::rest::{facts_of, is_limb, near, start_where_stored, stored};

/// 'Mechs that use the motions of another one, where no definition names it.
const SHARED: [(&str, &str); 1] = [("vulture", "madcat")];

/// The known motions, by name in lower case.
#[derive(Debug, Default)]
pub(super) struct Motions<'a> {
    members: BTreeMap<String, (Blob<'a>, &'a str)>,
}

/// A motion of a 'mech.
#[derive(Debug)]
struct BoundMotion<'m> {
    name: String,
    motion: Motion<'m>,
    source: String,
    /// The entries of the definition for this motion.
    named: Vec<&'m NamedMotion>,
    /// The motion loops.
    looping: bool,
}

impl BoundMotion<'_> {
    /// Extras of its clip; `kept` are the parts whose translations it leaves alone.
    fn facts(&self, kept: Vec<String>) -> zipper::Clip {
        let header = &self.motion.header;
        let named = self.named.iter().map(|named| named.facts());
        zipper::Clip {
            loop_time: Some(Float(header.loop_time.0)),
            frames: Some(header.frame_count),
            source: Some(self.source.clone()),
            named: (!self.named.is_empty()).then(|| named.collect()),
            kept_translations: (!kept.is_empty()).then_some(kept),
            ..zipper::Clip::default()
        }
    }
}

/// The motions of a 'mech, and the node that each part moves.
#[derive(Debug)]
pub(super) struct BoundMotions<'m> {
    motions: Vec<BoundMotion<'m>>,
    /// Nodes by the name of the part that moves them.
    nodes: BTreeMap<String, usize>,
    /// Limbs keep their stored translations.
    keeps_limbs: bool,
    checks: MotionChecks,
}

/// The owner in the name of a motion: everything before its role, or else before the last underscore.
fn owner_of<'n>(motion: &'n str, role: &str) -> Option<&'n str> {
    let by_role = motion
        .strip_suffix(role)
        .and_then(|rest| rest.strip_suffix('_'));
    let owner = by_role.or_else(|| Some(motion.rsplit_once('_')?.0));
    owner.filter(|owner| !owner.is_empty())
}

/// The stored name of a motion: without folder and extension, in lower case.
fn stored_name(motion: &str) -> String {
    let name = motion.rsplit(['/', '\\']).next().unwrap_or(motion);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    name.to_lowercase()
}

impl<'a> Motions<'a> {
    /// The motions of the archives among the dependencies.
    pub(super) fn new(dependencies: &[Dependency<'a>]) -> Self {
        let mut members = BTreeMap::new();
        let archives = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Archive);
        for dependency in archives {
            let Ok(decoded) = archive::decode(dependency.bytes) else {
                continue;
            };
            for entry in decoded.value.entries {
                if entry.fault.is_none() && motion::looks_like(&entry.data) {
                    let name = entry.name().to_lowercase();
                    members.entry(name).or_insert((entry.data, dependency.path));
                }
            }
        }
        Self { members }
    }

    /// The motions of the 'mech in `member`. Damaged ones are left out; their archive reports why.
    pub(super) fn bind<'m>(
        &'m self,
        member: &str,
        mech: &MechModel,
        chassis: Option<&'m Chassis>,
        options: &ConvertOptions,
    ) -> BoundMotions<'m> {
        let mut checks = MotionChecks::default();
        let own = self.own(&mech_name(member), chassis, &mut checks);
        let has_gaits = chassis.is_some_and(Chassis::has_gaits);
        let mut motions = Vec::new();
        for (key, Owned { name, named }) in own {
            let Some((data, path)) = self.members.get(&key) else {
                continue;
            };
            limits::check();
            let Ok(Decoded { value, .. }) = motion::decode(data) else {
                checks.damaged.push(key);
                continue;
            };
            if !takes_time(&value) {
                checks.damaged.push(key);
                continue;
            }
            let is_gait = named.iter().any(|named| Chassis::is_gait(&named.role));
            motions.push(BoundMotion {
                name,
                looping: if has_gaits {
                    is_gait
                } else {
                    value.parts.iter().all(closes)
                },
                motion: value,
                source: format!("{path}/{key}"),
                named,
            });
        }
        let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, node) in mech.nodes.iter().enumerate() {
            named.entry(node.node.name()).or_default().push(index);
        }
        let parts: BTreeSet<String> = motions
            .iter()
            .flat_map(|bound| bound.motion.parts.iter().map(|part| part.name()))
            .collect();
        let mut nodes = BTreeMap::new();
        for part in parts {
            match named.get(&part).map(Vec::as_slice) {
                None => checks.unbound.push(part),
                Some(&[index]) => {
                    nodes.insert(part, index);
                }
                Some(_) => checks.ambiguous.push(part),
            }
        }
        let keeps_limbs = match options.models.limb_translations {
            LimbTranslations::Stored => true,
            LimbTranslations::Motion => false,
            LimbTranslations::Majority => {
                let parts = motions.iter().flat_map(|bound| &bound.motion.parts);
                let limbs = parts.filter_map(|part| {
                    let index = nodes.get(&part.name()).filter(|_| is_limb(&part.name()))?;
                    let first = translations(part).first().copied()?;
                    Some((first, stored(mech, *index).translation))
                });
                !start_where_stored(limbs)
            }
        };
        BoundMotions {
            motions,
            nodes,
            keeps_limbs,
            checks,
        }
    }
}

/// A motion that is a 'mech's.
#[derive(Debug, Default)]
struct Owned<'m> {
    /// Name of the clip.
    name: String,
    /// The entries of the definition for this motion.
    named: Vec<&'m NamedMotion>,
}

impl Motions<'_> {
    /// The motions of the 'mech called `mech`, by the key of their member.
    fn own<'m>(
        &self,
        mech: &str,
        chassis: Option<&'m Chassis>,
        checks: &mut MotionChecks,
    ) -> BTreeMap<String, Owned<'m>> {
        let named = chassis.map(|chassis| chassis.motions.as_slice());
        let mut found: BTreeMap<String, Vec<&'m NamedMotion>> = BTreeMap::new();
        let mut owners: Vec<String> = Vec::new();
        for named in named.unwrap_or_default() {
            let key = stored_name(&named.motion);
            let with_owner = format!("{mech}_{key}");
            let key = [key, with_owner]
                .into_iter()
                .find(|key| self.members.contains_key(key));
            let Some(key) = key else {
                checks.unknown.push(named.motion.clone());
                continue;
            };
            if let Some(owner) = owner_of(&key, &named.role) {
                owners.push(owner.to_owned());
            }
            found.entry(key).or_default().push(named);
        }
        // Its own name first, then the names of 'mechs with the same motions.
        let shared = SHARED.iter().find(|(like, _)| *like == mech);
        let last_resort = shared.map(|(_, like)| (*like).to_owned());
        let candidates = std::iter::once(mech.to_owned()).chain(owners);
        let owner = candidates
            .chain(last_resort)
            .find(|owner| self.called_after(owner).next().is_some());
        for key in owner.iter().flat_map(|owner| self.called_after(owner)) {
            found.entry(key.clone()).or_default();
        }
        let start = owner.map(|owner| format!("{owner}_"));
        let found = found.into_iter().map(|(key, named)| {
            let role = named.first().map_or("", |named| &named.role);
            let owned = start.as_deref().and_then(|start| key.strip_prefix(start));
            let foreign = || key.strip_prefix(owner_of(&key, role)?)?.strip_prefix('_');
            let name = owned.or_else(foreign).unwrap_or(&key).to_owned();
            (key, Owned { name, named })
        });
        found.collect()
    }

    /// Motions whose names start with the name of a 'mech.
    fn called_after(&self, owner: &str) -> impl Iterator<Item = &String> {
        let start = format!("{owner}_");
        let from = self.members.range(start.clone()..);
        from.map(|(name, _)| name)
            .take_while(move |name| name.starts_with(&start))
    }
}

/// True if the last sample of a part equals its first.
fn closes(part: &motion::Part<'_>) -> bool {
    part.rotations.first() == part.rotations.last()
        && part.translations.first() == part.translations.last()
}

/// True if the keys of a motion have different times.
fn takes_time(motion: &Motion<'_>) -> bool {
    let (time, frames) = (motion.header.loop_time.0, motion.header.frame_count);
    let step = time / frames as f32;
    time.is_finite() && (1..1 << 22).contains(&frames) && step > f32::MIN_POSITIVE
}

impl BoundMotions<'_> {
    /// Poses the 'mech as at the start of the motion `stand`, or of its first motion. Its stored transforms
    /// go to the extras.
    pub(super) fn pose(
        &self,
        mech: &MechModel,
        options: &ConvertOptions,
        hierarchy: &mut HierarchyBuilder<'_, '_, '_, MechModel>,
    ) {
        if options.models.rest_pose == RestPose::Stored {
            return;
        }
        let standing = self.motions.iter().find(|bound| bound.name == "stand");
        let Some(bound) = standing.or_else(|| self.motions.first()) else {
            return;
        };
        for part in &bound.motion.parts {
            let name = part.name();
            let Some(&index) = self.nodes.get(&name) else {
                continue;
            };
            let rest = stored(mech, index);
            let mut rotations = rotations(part);
            let translations = translations(part);
            let (Some(&rotation), Some(&translation)) = (rotations.first(), translations.first())
            else {
                continue;
            };
            rotations.clear();
            let posed = Transform {
                translation: if self.keeps_limbs && is_limb(&name) {
                    rest.translation
                } else {
                    translation
                },
                rotation,
                scale: Vec3::ONE,
            };
            if !near(&posed, &rest) {
                let notes = hierarchy.notes.entry(index).or_default();
                notes.rest = Some(facts_of(&rest));
            }
            hierarchy.poses.insert(index, posed);
        }
    }

    /// Adds a clip for each motion to the main scene; with `godot_loop`, looping clips are named so that Godot
    /// loops them.
    pub(super) fn animate(
        mut self,
        godot_loop: bool,
        hierarchy: &mut HierarchyBuilder<'_, '_, '_, MechModel>,
    ) -> MotionChecks {
        let places: BTreeMap<usize, NodeId> = hierarchy
            .shown
            .iter()
            .filter(|shown| shown.layer == Layer::Main)
            .map(|shown| (shown.index, shown.node))
            .collect();
        // Parts that any clip moves; a clip has keys for all of them.
        let parts = self.motions.iter().flat_map(|bound| &bound.motion.parts);
        let names: BTreeSet<String> = parts.map(motion::Part::name).collect();
        let moved_by_any: BTreeMap<String, NodeId> = names
            .into_iter()
            .filter_map(|name| {
                let place = *places.get(self.nodes.get(&name)?)?;
                Some((name, place))
            })
            .collect();
        let scene = hierarchy.main();
        for bound in std::mem::take(&mut self.motions) {
            limits::check();
            let Some((channels, kept)) = self.channels(&bound, &places, &moved_by_any, scene)
            else {
                continue;
            };
            scene.clips.push(Clip {
                hint: (godot_loop && bound.looping).then_some(NameHint::Loop),
                channels,
                surfaces: Vec::new(),
                extras: bound.facts(kept).extras(),
                name: bound.name,
            });
            self.checks.clips += 1;
        }
        self.checks
    }

    /// The channels of a motion's clip, and the names of the parts whose translations are left alone. `None`
    /// if it moves nothing of the 'mech.
    fn channels(
        &mut self,
        bound: &BoundMotion<'_>,
        places: &BTreeMap<usize, NodeId>,
        moved_by_any: &BTreeMap<String, NodeId>,
        scene: &Scene,
    ) -> Option<(Vec<Channel>, Vec<String>)> {
        let time = bound.motion.header.loop_time.0;
        let mut channels = Vec::new();
        let mut kept = Vec::new();
        let mut unmoved = moved_by_any.clone();
        for part in &bound.motion.parts {
            self.check(part);
            let name = part.name();
            let place = self.nodes.get(&name).and_then(|index| places.get(index));
            let Some(&node) = place else {
                continue;
            };
            self.checks.bound += 1;
            unmoved.remove(&name);
            let mut add = |track: Track, constant: bool| {
                let keys = part.rotations.len();
                channels.push(channel(node, track, constant, keys, time));
            };
            if self.keeps_limbs && is_limb(&name) {
                let at_rest = scene.nodes[node.index()].transform.translation;
                let first = translations(part).first().copied();
                let agrees = first.is_some_and(|first| first.abs_diff_eq(at_rest, 1e-3));
                self.checks.kept_translations.agree += usize::from(agrees);
                self.checks.kept_translations.disagree += usize::from(!agrees);
                kept.push(name);
            } else {
                let track = translations(part);
                let constant = track.windows(2).all(|pair| pair[0] == pair[1]);
                add(Track::Translation(track), constant);
            }
            let track = rotations(part);
            let constant = track.windows(2).all(|pair| pair[0] == pair[1]);
            add(Track::Rotation(track), constant);
        }
        if channels.is_empty() {
            return None;
        }
        // Without keys, these parts would stay where the previous clip left them.
        for (name, node) in unmoved {
            let at_rest = scene.nodes[node.index()].transform;
            if !(self.keeps_limbs && is_limb(&name)) {
                let track = Track::Translation(vec![at_rest.translation; 2]);
                channels.push(channel(node, track, true, 2, time));
            }
            let track = Track::Rotation(vec![at_rest.rotation; 2]);
            channels.push(channel(node, track, true, 2, time));
        }
        Some((channels, kept))
    }

    fn check(&mut self, part: &motion::Part<'_>) {
        let checks = &mut self.checks;
        for stored in &part.rotations {
            let [w, x, y, z] = [stored.w.0, stored.x.0, stored.y.0, stored.z.0].map(f64::from);
            let length = (w * w + x * x + y * y + z * z).sqrt();
            checks.odd_quaternions += usize::from((length - 1.0).abs().total_cmp(&1e-3).is_gt());
        }
        if let Some(first) = part.rotations.first() {
            let [w, x, y, z] = [first.w.0, first.x.0, first.y.0, first.z.0].map(f32::abs);
            let leads = w >= x && w >= y && w >= z;
            checks.scalar_leads.agree += usize::from(leads);
            checks.scalar_leads.disagree += usize::from(!leads);
        }
        checks.open_loops += usize::from(!closes(part));
    }
}

/// The rotations of a part: of length 1, each in the hemisphere of the previous one. The file has the scalar first.
fn rotations(part: &motion::Part<'_>) -> Vec<Quat> {
    let stored = part.rotations.iter();
    let mut rotations: Vec<Quat> = stored
        .map(|stored| Quat::from_xyzw(stored.x.0, stored.y.0, stored.z.0, stored.w.0))
        .collect();
    smooth_rotations(&mut rotations);
    rotations
}

/// The translations of a part; one that is not finite repeats the previous one.
fn translations(part: &motion::Part<'_>) -> Vec<Vec3> {
    let mut last = Vec3::ZERO;
    let stored = part.translations.iter();
    stored
        .map(|stored| {
            let next = Vec3::from_array(stored.to_array());
            if next.is_finite() {
                last = next;
            }
            last
        })
        .collect()
}

/// A channel with its keys spread evenly over the time of the motion; two keys for a constant.
fn channel(node: NodeId, track: Track, constant: bool, keys: usize, time: f32) -> Channel {
    let frames = keys.saturating_sub(1).max(1);
    let at = |key: usize| (f64::from(time) * key as f64 / frames as f64) as f32;
    let times: Vec<f32> = if constant {
        vec![0.0, time]
    } else {
        (0..keys).map(at).collect()
    };
    let ends = |count: usize| [0, count.saturating_sub(1)];
    let track = match track {
        Track::Translation(values) if constant => {
            Track::Translation(ends(values.len()).iter().map(|&at| values[at]).collect())
        }
        Track::Rotation(values) if constant => {
            Track::Rotation(ends(values.len()).iter().map(|&at| values[at]).collect())
        }
        track => track,
    };
    Channel {
        node,
        times,
        interpolation: Interpolation::Linear,
        track,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motions_named(names: &[&'static str]) -> Motions<'static> {
        let members = names.iter().map(|name| {
            let member = (Blob::from(Vec::new()), "motion.zbd");
            ((*name).to_owned(), member)
        });
        Motions {
            members: members.collect(),
        }
    }

    fn own(mech: &str, named: &[(&str, &str)], members: &[&'static str]) -> Vec<(String, String)> {
        let chassis = Chassis {
            motions: named
                .iter()
                .map(|(role, motion)| NamedMotion {
                    role: (*role).to_owned(),
                    motion: (*motion).to_owned(),
                    trans: None,
                })
                .collect(),
            ..Chassis::default()
        };
        let mut checks = MotionChecks::default();
        let chassis = Some(&chassis).filter(|_| !named.is_empty());
        let own = motions_named(members).own(mech, chassis, &mut checks);
        let mut own: Vec<(String, String)> = own
            .into_iter()
            .map(|(key, owned)| (key, owned.name))
            .collect();
        let lost = checks.unknown.into_iter();
        own.extend(lost.map(|name| (name, "lost".to_owned())));
        own
    }

    #[test]
    fn mechs_move_by_their_name_or_as_their_definition_says() {
        let all = ["loki_run", "loki_walk", "madcat_walk", "thor_walk"];
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            let pairs = pairs.iter();
            pairs
                .map(|(one, two)| ((*one).to_owned(), (*two).to_owned()))
                .collect()
        };
        assert_eq!(own("thor", &[], &all), pairs(&[("thor_walk", "walk")]));
        assert_eq!(own("vulture", &[], &all), pairs(&[("madcat_walk", "walk")]));
        assert_eq!(own("puma", &[], &all), []);
        // Its own motions, and one of another 'mech.
        assert_eq!(
            own("thor", &[("run", "loki_run"), ("step", "thor_step")], &all),
            pairs(&[
                ("loki_run", "run"),
                ("thor_walk", "walk"),
                ("thor_step", "lost")
            ])
        );
        // All motions of another 'mech, though just one is named; the definition beats the fallback.
        assert_eq!(
            own("vulture", &[("stand", "data\\LOKI_walk.zan")], &all),
            pairs(&[("loki_run", "run"), ("loki_walk", "walk")])
        );
        // Names without owner.
        assert_eq!(
            own("thor", &[("walk", "walk")], &all),
            pairs(&[("thor_walk", "walk")])
        );
    }

    #[test]
    fn what_stays_has_two_keys() {
        let track = Track::Translation(vec![Vec3::X; 5]);
        let built = channel(NodeId(0), track, true, 5, 2.0);
        assert_eq!(built.times, [0.0, 2.0]);
        assert_eq!(built.track, Track::Translation(vec![Vec3::X; 2]));
        let track = Track::Rotation(vec![Quat::IDENTITY; 5]);
        let built = channel(NodeId(0), track, false, 5, 2.0);
        assert_eq!(built.times, [0.0, 0.5, 1.0, 1.5, 2.0]);
    }
}
