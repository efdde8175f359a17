//! Placements of zones that were moved, rotated, scaled evenly or renamed; copies of them, and deleted ones.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use super::members::{Body, Members};
use super::names::{self, Field};
use super::probe::Code;
use super::scenes::Coded;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::compare::difference::NodeChange;
use crate::pack::scene::compare::matching::placement_of;
use crate::pack::scene::everquest::corners::{to_file, to_scene};
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::moved::Moved;
use crate::pack::scene::file::Local;
use relicast_codec::{F32, Vec3};
use relicast_convert::turned_placement;
use relicast_formats::everquest::eqg::zone::Placement;

/// Changes to a placement.
#[derive(Debug, Clone, Default, PartialEq)]
struct Change {
    /// The output that sets it.
    path: String,
    /// Old and new transform.
    place: Option<(Local, Local)>,
    name: Option<String>,
}

/// A copy of a placement.
#[derive(Debug)]
struct Copied {
    path: String,
    of: Place,
    old: Local,
    new: Local,
}

/// An added placement: its output, its number in the packed zone, and its transform.
#[derive(Debug)]
pub(super) struct Added {
    pub path: String,
    pub index: usize,
    pub place: Local,
}

/// Changed placements.
#[derive(Debug, Default)]
pub(super) struct Placements {
    changed: BTreeMap<Place, Change>,
    /// With the output that asks for it.
    gone: BTreeMap<Place, String>,
    new: Vec<Copied>,
}

/// Reason why a node cannot be moved.
pub(super) fn fixed(coded: &Coded<'_, '_>, node: usize) -> &'static str {
    let node = coded.scene.base.nodes.get(node);
    let is_placed = node.is_some_and(|node| node.extras["everquest"]["model"].is_string());
    match coded.is_zone && is_placed {
        true => {
            "it is not a placement of this archive's zone: a zone file next to the archive overrides the one in it, and tiled zones have no list of placements"
        }
        false => {
            "it is not a placement; only placed models, lights of zones, and bones in clips can be moved"
        }
    }
}

impl Placements {
    /// Transform of a placement in the edit, if it was moved.
    pub(super) fn moved(&self, place: Place) -> Option<Local> {
        let change = self.changed.get(&place)?;
        change.place.map(|(_, new)| new)
    }

    /// The old number of a placement, from its number in the packed zone.
    pub(super) fn number_before(&self, member: usize, now: usize) -> usize {
        let gone = self.gone.keys().filter(|gone| gone.member == member);
        let mut before = now;
        // They are sorted.
        for place in gone {
            before += usize::from(place.index <= before);
        }
        before
    }

    /// Collects the edits of the placements of a scene.
    ///
    /// # Errors
    /// A node is not a placement, or one of its changes cannot be packed.
    pub(super) fn take(
        &mut self,
        coded: &Coded<'_, '_>,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        let path = &scene.output.path;
        let place = |node: usize| match coded.code(node) {
            Some(Code::Placement(place)) => Ok(place),
            _ => {
                let name = scene.name(node);
                let reason = fixed(coded, node);
                Err(refusal!("node {name}: {reason}"))
            }
        };
        for &node in &scene.copies.gone {
            if is_terrain(coded, node) {
                refuse!(
                    "node {}: the terrain of a zone cannot be removed",
                    scene.name(node)
                );
            }
            self.gone.insert(place(node)?, path.clone());
        }
        for &(of, new) in &scene.copies.new {
            let locals = (scene.base.nodes.get(of), scene.edited.nodes.get(new));
            if let (Some(old), Some(new)) = locals {
                self.new.push(Copied {
                    path: path.clone(),
                    of: place(of)?,
                    old: old.local,
                    new: new.local,
                });
            }
        }
        for change in &scene.difference.nodes {
            if matches!(coded.code(change.base), Some(Code::Lamp(_))) {
                continue;
            }
            self.take_node(coded, change, members).map_err(|refusal| {
                let name = scene.name(change.base);
                refusal!("node {name}: {refusal}")
            })?;
        }
        Ok(())
    }

    fn take_node(
        &mut self,
        coded: &Coded<'_, '_>,
        change: &NodeChange,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let scene = coded.scene;
        let Some((old, new)) = scene.moved(change)? else {
            return Ok(());
        };
        if scene.rests.contains(&change.base) && change.name.is_none() {
            return Ok(());
        }
        if is_terrain(coded, change.base) {
            refuse!(
                "terrain cannot be moved or renamed: the game draws it at its own vertices, and its light has its name; edit its vertices"
            );
        }
        let Some(Code::Placement(place)) = coded.code(change.base) else {
            return Err(Refusal::new(fixed(coded, change.base)));
        };
        if change.name.is_some() {
            let zone = members.files.get(place.member).and_then(|file| file.zone());
            let stored = zone.and_then(|zone| {
                let placement = zone.placements.get(place.index)?;
                Some(zone.strings.text(placement.name))
            });
            if stored.as_deref() != Some(&*old.name) || placement_of(old).is_none() {
                refuse!("its name is derived from that of a placement; rename the placement");
            }
        }
        let own = Change {
            path: scene.output.path.clone(),
            place: change.is_moved.then_some((old.local, new.local)),
            name: change.name.clone(),
        };
        let known = self.changed.entry(place).or_insert_with(|| own.clone());
        let is_other = |known: bool, own: bool, differs: bool| known && own && differs;
        let places = [known.place, own.place].map(|place| place.map(|(_, new)| new));
        if is_other(
            places[0].is_some(),
            places[1].is_some(),
            places[0] != places[1],
        ) || is_other(
            known.name.is_some(),
            own.name.is_some(),
            known.name != own.name,
        ) {
            refuse!("{} sets different values for it", known.path);
        }
        known.place = known.place.or(own.place);
        known.name = known.name.take().or(own.name);
        Ok(())
    }

    /// Applies the changes, appends copies, and removes deleted placements.
    ///
    /// # Errors
    /// By scene, edits for which the format has no place.
    pub(super) fn put(&self, members: &mut Members<'_>) -> Result<Vec<Added>, Refusals> {
        let mut refusals = Refusals::new();
        let mut refuse = |path: &str, name: &str, refusal: Refusal| {
            let reason = refusal!("placement {name}: {refusal}");
            refusals.push((path.to_owned(), reason));
        };
        // Copies are made of the original placements.
        let mut copies: Vec<(usize, &Copied, Placement)> = Vec::new();
        for copy in &self.new {
            let Some((mut placement, name)) = stored(members, copy.of) else {
                continue;
            };
            match move_placement(&mut placement, copy.old, copy.new) {
                Ok(()) => copies.push((copy.of.member, copy, placement)),
                Err(refusal) => refuse(&copy.path, &name, refusal),
            }
        }
        for (&place, change) in &self.changed {
            let Some((_, name)) = stored(members, place) else {
                continue;
            };
            if let Err(refusal) = change.put(members, place, &name) {
                refuse(&change.path, &name, refusal);
            }
        }
        let mut added = Vec::new();
        for (member, copy, placement) in copies {
            let Some(Body::Zone(zone)) = members.edit(member).map(|file| &mut file.body) else {
                continue;
            };
            let gone = self.gone.keys().filter(|gone| gone.member == member);
            added.push(Added {
                path: copy.path.clone(),
                index: zone.placements.len().saturating_sub(gone.count()),
                place: copy.new,
            });
            zone.placements.push(placement);
        }
        for &Place { member, index } in self.gone.keys().rev() {
            let Some(Body::Zone(zone)) = members.edit(member).map(|file| &mut file.body) else {
                continue;
            };
            if index < zone.placements.len() {
                zone.placements.remove(index);
            }
        }
        unless_refused(added, refusals)
    }
}

impl Change {
    fn put(&self, members: &mut Members<'_>, place: Place, name: &str) -> Result<(), Refusal> {
        let Place { member, index } = place;
        let lost = || refusal!("the game file no longer has it");
        let Some(Body::Zone(zone)) = members.edit(member).map(|file| &mut file.body) else {
            return Err(lost());
        };
        let placement = zone.placements.get_mut(index).ok_or_else(lost)?;
        if let Some((old, new)) = self.place {
            move_placement(placement, old, new)?;
        }
        let Some(wanted) = &self.name else {
            return Ok(());
        };
        let takes_light = placement
            .colors
            .as_ref()
            .is_none_or(|colors| colors.is_empty());
        names::of_zone(zone).set(Field::Placement(index), wanted)?;
        let mut others = zone.placements.iter().enumerate();
        let stays = others.any(|(other, placement)| {
            let own = zone.strings.text(placement.name);
            other != index && own.to_lowercase() == name.to_lowercase()
        });
        match takes_light {
            true => members.rename_light(name, wanted, stays),
            false => Ok(()),
        }
    }
}

/// True if a node is the terrain of a zone.
fn is_terrain(coded: &Coded<'_, '_>, node: usize) -> bool {
    let node = coded.scene.base.nodes.get(node);
    let is_first = node
        .and_then(placement_of)
        .is_some_and(|(_, index)| index == 0);
    is_first && coded.is_zone
}

/// A stored placement, and its name.
fn stored(members: &Members<'_>, place: Place) -> Option<(Placement, String)> {
    let zone = members.files.get(place.member)?.zone()?;
    let placement = zone.placements.get(place.index)?;
    Some((placement.clone(), zone.strings.text(placement.name)))
}

/// Moves a placement to its new position.
fn move_placement(placement: &mut Placement, old: Local, new: Local) -> Result<(), Refusal> {
    let moved = Moved::new(old, new)?;
    let place = moved.put(to_scene(placement.position.to_array()));
    placement.position = Vec3::from(to_file(place));
    if let Some(rotation) = moved.rotation {
        let angles = angles(placement.rotation.to_array(), rotation);
        placement.rotation = Vec3::from(angles);
    }
    placement.scale = moved.scale.map_or(placement.scale, F32);
    Ok(())
}

/// The angles about z, y and x of a rotation in scene space: as near as possible to the stored ones, and as round as
/// those that give the same rotation.
fn angles(stored: [f32; 3], rotation: [f32; 4]) -> [f32; 3] {
    let unit = glam::DQuat::from_array(rotation.map(f64::from)).normalize();
    let matrix = DMat3::from_quat(unit);
    // The images of the file's axes, in file axes.
    let image = |axis: DVec3| DVec3::from_array(to_file((matrix * axis).to_array()));
    let (x, y, z) = (image(DVec3::Z), image(DVec3::X), image(DVec3::Y));
    let known = stored.map(f64::from);
    let tip = libm::asin((-x.z).clamp(-1.0, 1.0));
    let found = match x.z.abs() > 1.0 - 1e-9 {
        // When it points straight up or down, two of the angles are about one axis.
        true => {
            let both = libm::atan2(-y.x, y.y);
            let sign = if x.z < 0.0 { 1.0 } else { -1.0 };
            vec![[both + sign * known[2], tip, known[2]]]
        }
        false => {
            let (about_z, about_x) = (libm::atan2(x.y, x.x), libm::atan2(y.z, z.z));
            vec![
                [about_z, tip, about_x],
                [about_z + PI, PI - tip, about_x + PI],
            ]
        }
    };
    let near = |angles: [f64; 3]| {
        [0, 1, 2].map(|axis: usize| {
            let turns = ((known[axis] - angles[axis]) / TAU).round();
            match known[axis].is_finite() {
                true => angles[axis] + turns * TAU,
                false => angles[axis],
            }
        })
    };
    let far = |angles: &[f64; 3]| -> f64 {
        let pairs = angles.iter().zip(known);
        pairs.map(|(angle, known)| (angle - known).abs()).sum()
    };
    let found = found.into_iter().map(near);
    let found = found.min_by(|one, other| far(one).total_cmp(&far(other)));
    let found = found.unwrap_or(known);
    let kept = [0, 1, 2].map(
        |axis: usize| match (found[axis] - known[axis]).abs() < 1e-5 {
            true => stored[axis],
            false => found[axis] as f32,
        },
    );
    let comes_to = |angles: [f32; 3]| {
        let now = turned_placement(angles).to_array();
        now == rotation || now.map(|part| -part) == rotation
    };
    let mut grain = 1.0_f64;
    for _ in 0..8 {
        let round = found.map(|angle| ((angle * grain).round() / grain) as f32);
        if comes_to(round) {
            return round;
        }
        grain *= 10.0;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back() {
        for wanted in [
            [1.5_f32, 0.25, 0.0],
            [-3.0, 0.34, -0.125],
            [0.7, 1.9, 0.3],
            [6.5, 0.0, 0.0],
        ] {
            let rotation = turned_placement(wanted).to_array();
            assert_eq!(angles(wanted, rotation), wanted);
            let from = wanted.map(|angle| angle + 0.01);
            assert_eq!(angles(from, rotation), wanted);
        }
        let up = [0.5, std::f32::consts::FRAC_PI_2, 0.25];
        let rotation = turned_placement(up);
        let again = turned_placement(angles([0.0, 0.0, 0.25], rotation.to_array()));
        assert!(rotation.dot(again).abs() > 1.0 - 1e-6);
    }
}
