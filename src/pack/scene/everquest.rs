//! Placements of EverQuest that were moved, turned about the axes that they have, or scaled evenly.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::{DMat3, DVec3};

use super::difference::NodeChange;
use super::edited_scene::EditedScene;
use super::file::Local;
use super::matching::placement_of;
use crate::config::{Config, Unit};
use crate::formats::codec::{F32, Vec3};
use crate::formats::everquest::pfs;
use crate::formats::everquest::wld::{self, Actor, ActorFlags, Body};
use crate::pack::edited::Refusal;
use crate::pack::edited::Refusals;
use crate::scene::model::Placement as Decomposed;

/// Moves of one scene file, by fragment, with the output that tells of each.
type Moves = BTreeMap<usize, (Local, Local, String)>;

/// The archive with the edited placements.
///
/// # Errors
/// By scene, what cannot go back and why.
pub(super) fn replace(
    bytes: &[u8],
    scenes: &[EditedScene<'_>],
    config: &Config,
) -> Result<Vec<u8>, Refusals> {
    let all = |reason: &dyn std::fmt::Display| -> Refusals {
        let refuse = |scene: &EditedScene<'_>| (scene.path.to_owned(), Refusal::new(reason));
        scenes.iter().map(refuse).collect()
    };
    if config.everquest.scale == Unit::Metres {
        return Err(all(
            &"scenes in metres do not go back; convert in units of the files",
        ));
    }
    let mut archive = pfs::decode(bytes).map_err(|error| all(&error))?.value;
    if archive.scattered.is_some() {
        return Err(all(&"the members of its archive do not lie back to back"));
    }
    let mut files: BTreeMap<String, Moves> = BTreeMap::new();
    let mut refusals = Refusals::new();
    for scene in scenes {
        if let Err(refusal) = collect(scene, &mut files) {
            refusals.push((scene.path.to_owned(), refusal));
        }
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    for (file, moves) in files {
        let entry = archive
            .entries
            .iter_mut()
            .find(|entry| entry.label().eq_ignore_ascii_case(&file));
        let entry = entry.ok_or_else(|| {
            all(&format_args!(
                "the archive has no {file}; edit the archive that has it"
            ))
        })?;
        let content = entry.extract().map_err(|error| all(&error))?.value;
        let mut scene_file = wld::decode(&content).map_err(|error| all(&error))?.value;
        for (index, (old, new, path)) in moves {
            let fragment = scene_file.fragments.get_mut(index);
            let moved = match fragment.map(|fragment| &mut fragment.body) {
                Some(Body::Actor(actor)) => move_actor(actor, old, new),
                _ => Err(Refusal::new("it is no placement")),
            };
            if let Err(refusal) = moved {
                let reason = Refusal::new(format_args!("placement {index} of {file}: {refusal}"));
                refusals.push((path, reason));
            }
        }
        let encoded = wld::encode(&scene_file).map_err(|error| all(&error))?;
        drop(scene_file);
        entry.replace(&encoded).map_err(|error| all(&error))?;
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    pfs::encode(&archive).map_err(|error| all(&error))
}

fn collect(scene: &EditedScene<'_>, files: &mut BTreeMap<String, Moves>) -> Result<(), Refusal> {
    let name = |node: usize| {
        let node = scene.base.nodes.get(node);
        node.map(|node| node.name.clone()).unwrap_or_default()
    };
    if let Some(mesh) = scene.difference.meshes.first() {
        return Err(Refusal::new(format_args!(
            "mesh of node {}: shapes of EverQuest do not go back yet",
            name(mesh.node)
        )));
    }
    for change in &scene.difference.nodes {
        collect_node(scene, change, files).map_err(|refusal| {
            Refusal::new(format_args!("node {}: {refusal}", name(change.base)))
        })?;
    }
    Ok(())
}

fn collect_node(
    scene: &EditedScene<'_>,
    change: &NodeChange,
    files: &mut BTreeMap<String, Moves>,
) -> Result<(), Refusal> {
    let nodes = (
        scene.base.nodes.get(change.base),
        scene.edited.nodes.get(change.edited),
    );
    let (Some(old), Some(new)) = nodes else {
        return Ok(());
    };
    if change.name.is_some() {
        return Err(Refusal::new(
            "its name is that of the model that is placed; it stays",
        ));
    }
    let facts = |extras: &serde_json::Value| extras.get("everquest").cloned();
    if change.has_other_extras
        && facts(&new.extras).is_some_and(|new| Some(new) != facts(&old.extras))
        && !scene.edited.is_foreign
    {
        return Err(Refusal::new("extras.everquest does not go back"));
    }
    if !change.is_moved {
        return Ok(());
    }
    let (file, index) = placement_of(old)
        .ok_or_else(|| Refusal::new("it stands for no placement; only placed models are moved"))?;
    let moves = files.entry(file.to_owned()).or_default();
    let one = (old.local, new.local, scene.path.to_owned());
    match moves.insert(index, one) {
        Some((_, known, path)) if known != new.local => {
            Err(Refusal::new(format_args!("{path} has it at another place")))
        }
        _ => Ok(()),
    }
}

fn move_actor(actor: &mut Actor, old: Local, new: Local) -> Result<(), Refusal> {
    let Decomposed::Simple(wanted) = Decomposed::from_matrix(&new.to_matrix())
        .map_err(|_| Refusal::new("its place is not finite"))?
    else {
        return Err(Refusal::new("it is sheared"));
    };
    let place = actor
        .place
        .as_mut()
        .ok_or_else(|| Refusal::new("it has no place"))?;
    // Scene axes are y, z and x of the file.
    let [x, y, z] = place.position.to_array();
    let mut stored = [y, z, x];
    let target = match new.matrix {
        None => new.translation,
        Some(_) => wanted.translation.to_array(),
    };
    for ((stored, target), before) in stored.iter_mut().zip(target).zip(old.translation) {
        if target != before {
            *stored = target;
        }
    }
    let [y, z, x] = stored;
    place.position = Vec3::from([x, y, z]);
    if new.matrix.is_some() || new.rotation != old.rotation {
        let rotation = DMat3::from_quat(wanted.rotation.as_dquat().normalize());
        // The images of the file's axes, in the file's axes.
        let file = |axis: DVec3| DVec3::new(axis.z, axis.x, axis.y);
        let image = |axis: DVec3| file(rotation * axis);
        let (x, y, z) = (image(DVec3::Z), image(DVec3::X), image(DVec3::Y));
        if y.z.abs() > 1e-4 {
            return Err(Refusal::new(
                "it leans to a side that placements do not lean to: they turn about the upright axis, and before that tip forward",
            ));
        }
        let heading = libm::atan2(-y.x, y.y);
        let tilt = -libm::atan2(-x.z, z.z);
        place.rotation_z = nearest(place.rotation_z, heading);
        place.rotation_y = nearest(place.rotation_y, tilt);
    }
    let scale = match new.matrix {
        None => new.scale,
        Some(_) => wanted.scale.to_array(),
    };
    if scale != old.scale {
        let [first, second, third] = scale;
        let slack = 1e-5 * first.abs().max(1e-3);
        if (first - second).abs() > slack || (first - third).abs() > slack {
            return Err(Refusal::new("placements are scaled evenly along all axes"));
        }
        // The radius is that of the scale in every file seen.
        if actor.radius.is_some() && actor.radius == actor.scale {
            actor.radius = Some(F32(first));
        }
        actor.flags.insert(ActorFlags::SCALE);
        actor.scale = Some(F32(first));
    }
    Ok(())
}

/// An angle as 512ths of a turn, as many turns from 0 as the stored one; that itself where it is the same.
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
