//! Placements that were moved, rotated about their own axes, or scaled evenly; copies of them, and deleted ones.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::{DMat3, DVec3};

use super::lights::is_light;
use super::members::Members;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::compare::difference::NodeChange;
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::everquest::clip_check::is_rest;
use crate::pack::scene::everquest::corners::{to_file, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::moved::{Moved, is_even};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::Local;
use relicast_codec::{F32, Vec3};
use relicast_formats::everquest::wld::{Actor, ActorFlags, Body, Placement};

/// Moved placements: old and new transform, with the output that moves them.
#[derive(Debug, Default)]
pub(super) struct Moves {
    moved: BTreeMap<Place, (Local, Local, String)>,
    /// Placements that are removed, with the output that removes them.
    gone: BTreeMap<Place, String>,
    /// Copies: the original, its transform, the new transform.
    new: Vec<(Place, Local, Local, String)>,
}

/// An added placement.
#[derive(Debug)]
pub(super) struct Added {
    /// The output that adds it.
    pub path: String,
    /// Its scene file.
    pub file: String,
    /// Its fragment there.
    pub index: usize,
    pub place: Local,
}

/// Height at which the games' tools hid deleted things: nothing there is shown.
const SUNKEN: f32 = -32768.0;

impl Moves {
    /// Collects the moves of a scene.
    ///
    /// # Errors
    /// A node is not a placement, or one of its other changes cannot be packed.
    pub(super) fn take(&mut self, scene: &Scene<'_>, members: &Members<'_>) -> Result<(), Refusal> {
        let path = &scene.output.path;
        let place = |node: usize| {
            let node = scene.base.nodes.get(node)?;
            let (file, index) = placement_of(node)?;
            let member = members.scene_file(file);
            Some((member.map(|member| Place { member, index }), node.local))
        };
        for (place, _) in scene.copies.gone.iter().filter_map(|&node| place(node)) {
            self.gone.insert(place?, path.clone());
        }
        for &(of, new) in &scene.copies.new {
            let new = scene.edited.nodes.get(new).map(|node| node.local);
            if let (Some((place, old)), Some(new)) = (place(of), new) {
                self.new.push((place?, old, new, path.clone()));
            }
        }
        for change in &scene.difference.nodes {
            if is_light(&scene.base_document, change.base) {
                continue;
            }
            self.take_node(scene, change, members).map_err(|refusal| {
                let name = scene.name(change.base);
                refusal!("node {name}: {refusal}")
            })?;
        }
        Ok(())
    }

    /// Moves the placements, appends copies, and sinks deleted ones.
    ///
    /// # Errors
    /// By scene, edits for which the format has no place.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<Vec<Added>, Refusals> {
        let mut refusals = Refusals::new();
        let mut added = Vec::new();
        for (of, old, new, path) in &self.new {
            let Some(file) = members.edit(of.member) else {
                continue;
            };
            let copied = file.body.fragments.get(of.index).cloned();
            let Some(mut copy) = copied else { continue };
            let put = match &mut copy.body {
                Body::Actor(actor) => move_actor(actor, *old, *new),
                _ => Err(refusal!("it is not a placement")),
            };
            match put {
                Ok(()) => {
                    let index = file.body.fragments.len();
                    added.push(Added {
                        path: path.clone(),
                        file: file.name.clone(),
                        index,
                        place: *new,
                    });
                    file.body.fragments.push(copy);
                }
                Err(refusal) => {
                    let reason =
                        format_args!("copy of placement {} of {}: {refusal}", of.index, file.name);
                    refusals.push((path.clone(), Refusal::new(reason)));
                }
            }
        }
        for (&place, path) in &self.gone {
            let place = match members.edit_body(place) {
                Some(Body::Actor(actor)) => actor.place.as_mut(),
                _ => None,
            };
            match place {
                Some(place) => place.position.z = F32(SUNKEN),
                None => refusals.push((path.clone(), refusal!("it is not a placement"))),
            }
        }
        for (&Place { member, index }, (old, new, path)) in &self.moved {
            let Some(file) = members.edit(member) else {
                continue;
            };
            let fragment = file.body.fragments.get_mut(index);
            let moved = match fragment.map(|fragment| &mut fragment.body) {
                Some(Body::Actor(actor)) => move_actor(actor, *old, *new),
                _ => Err(refusal!("it is not a placement")),
            };
            if let Err(refusal) = moved {
                let reason = format_args!("placement {index} of {}: {refusal}", file.name);
                refusals.push((path.clone(), Refusal::new(reason)));
            }
        }
        unless_refused(added, refusals)
    }

    fn take_node(
        &mut self,
        scene: &Scene<'_>,
        change: &NodeChange,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        if change.name.is_some() {
            refuse!("its name is that of the placed model, and cannot be changed");
        }
        let Some((old, new)) = scene.moved(change)? else {
            return Ok(());
        };
        if scene.rests.contains(&change.base) {
            return Ok(());
        }
        // Some rest poses are the first frames of a clip, and follow it.
        if placement_of(old).is_none() && is_rest(scene, change.base, new.local) {
            return Ok(());
        }
        let (file, index) = placement_of(old).ok_or_else(|| {
            refusal!("it is not a placement; only placed models, and bones in clips, can be moved")
        })?;
        let one = (old.local, new.local, scene.output.path.clone());
        let member = members.scene_file(file)?;
        match self.moved.insert(Place { member, index }, one) {
            Some((_, known, path)) if known != new.local => {
                Err(refusal!("{path} sets another transform for it"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns true if the game can store the transform of a moved placement.
pub(super) fn can_place(old: Local, new: Local) -> bool {
    let mut actor = Actor {
        place: Some(Placement::default()),
        ..Actor::default()
    };
    is_even(old, new) && move_actor(&mut actor, old, new).is_ok()
}

fn move_actor(actor: &mut Actor, old: Local, new: Local) -> Result<(), Refusal> {
    let moved = Moved::new(old, new)?;
    let place = actor.place.as_mut();
    let place = place.ok_or_else(|| refusal!("it has no transform in the game file"))?;
    place.position = Vec3::from(to_file(moved.put(to_scene(place.position.to_array()))));
    if moved.rotation.is_some() {
        let wanted = moved.wanted;
        let rotation = DMat3::from_quat(wanted.rotation.as_dquat().normalize());
        // The images of the file's axes, in file axes.
        let file = |axis: DVec3| DVec3::new(axis.z, axis.x, axis.y);
        let image = |axis: DVec3| file(rotation * axis);
        let (x, y, z) = (image(DVec3::Z), image(DVec3::X), image(DVec3::Y));
        if y.z.abs() > 1e-4 {
            refuse!(
                "its rotation cannot be stored: placements rotate about the vertical axis and tip forward, but do not roll"
            );
        }
        let heading = libm::atan2(-y.x, y.y);
        let tilt = -libm::atan2(-x.z, z.z);
        place.rotation_z = nearest(place.rotation_z, heading);
        place.rotation_y = nearest(place.rotation_y, tilt);
    }
    if let Some(scale) = moved.scale {
        // The radius equals the scale in every file seen.
        if actor.radius.is_some() && actor.radius == actor.scale {
            actor.radius = Some(F32(scale));
        }
        actor.flags.insert(ActorFlags::SCALE);
        actor.scale = Some(F32(scale));
    }
    Ok(())
}

/// An angle in 512ths of a turn, with as many turns from 0 as the stored one; the stored one if it is equal.
fn nearest(stored: F32, angle: f64) -> F32 {
    let parts = angle / TAU * 512.0;
    let known = f64::from(stored.0);
    if !known.is_finite() {
        return F32(parts as f32);
    }
    let turns = ((known - parts) / 512.0).round();
    let wanted = parts + turns * 512.0;
    match (wanted - known).abs() < 1e-4 {
        true => stored,
        false => F32(wanted as f32),
    }
}
