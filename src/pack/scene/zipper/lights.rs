//! Edited lights and cameras, packed into their nodes.

use relicast_codec::quantity::counted;
use std::collections::BTreeMap;
use std::f32::consts::PI;

use glam::{DMat3, DQuat};
use serde_json::Value;

use super::geometry::place::Move;
use crate::config::Config;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::matching::index_of;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::lights_and_cameras::Leaves;
use relicast_codec::{F32, Vec3, shown};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::{
    ByGame, Camera, Light, LightFlags, LightRecord, Node, NodeData,
};

/// The new thing of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    Light,
    Camera,
}

impl Thing {
    fn list(self, file: &SceneFile) -> &[Leaves] {
        match self {
            Self::Light => &file.lights_and_cameras.lights,
            Self::Camera => &file.lights_and_cameras.cameras,
        }
    }

    /// The one of an original node in a packed file, where deleted ones are missing.
    fn shown<'f>(self, after: &'f SceneFile, base: &SceneFile, node: usize) -> Option<&'f Leaves> {
        let part = usize::from(self == Self::Camera);
        let index = base.nodes.get(node).and_then(index_of)?;
        let of_nodes = after.lights_and_cameras.of_nodes.iter();
        let mut found = of_nodes.zip(&after.nodes).filter_map(|(parts, node)| {
            let number = parts.get(part).copied().flatten()?;
            (index_of(node) == Some(index)).then_some(number)
        });
        self.list(after).get(found.next()?)
    }

    fn label(self) -> &'static str {
        match self {
            Self::Light => "lights",
            Self::Camera => "cameras",
        }
    }
}

/// A changed light or camera.
#[derive(Debug, Clone)]
pub(in crate::pack::scene) struct LightOrCameraChange {
    thing: Thing,
    /// Its index in its list, which is the same in the edit.
    number: usize,
    /// The original node that has it.
    pub node: usize,
    /// New values by their paths; null for removed ones.
    pub(super) values: Leaves,
}

/// Compares lights and cameras.
///
/// # Errors
/// One was added or removed.
pub(in crate::pack::scene) fn compare(
    base: &SceneFile,
    edited: &SceneFile,
) -> Result<Vec<LightOrCameraChange>, Refusal> {
    let mut changes = Vec::new();
    for (thing, part) in [(Thing::Light, 0_usize), (Thing::Camera, 1)] {
        let (old, new) = (thing.list(base), thing.list(edited));
        let label = thing.label();
        if old.len() != new.len() {
            refuse!(
                "{label}[{}] was added or removed; {label} cannot be added or removed",
                old.len().min(new.len())
            );
        }
        for (number, (old, new)) in old.iter().zip(new).enumerate() {
            let mut values = Leaves::new();
            for key in old.keys().chain(new.keys()) {
                if old.get(key) != new.get(key) {
                    let value = new.get(key).cloned().unwrap_or_default();
                    values.insert(key.clone(), value);
                }
            }
            if values.is_empty() {
                continue;
            }
            let mut nodes = base.lights_and_cameras.of_nodes.iter();
            let node = nodes.position(|parts| parts.get(part).copied().flatten() == Some(number));
            let node = node.ok_or_else(|| refusal!("{label}[{number}] has no node"))?;
            changes.push(LightOrCameraChange {
                thing,
                number,
                node,
                values,
            });
        }
    }
    Ok(changes)
}

/// Checks that the packed scene shows the edits, and reports derived changes.
///
/// # Errors
/// A value differs.
pub(in crate::pack::scene) fn check(
    after: &SceneFile,
    base: &SceneFile,
    changes: &[LightOrCameraChange],
) -> Result<Option<String>, Refusal> {
    let mut followers = 0_usize;
    for change in changes {
        let label = change.thing.label();
        let found = change.thing.shown(after, base, change.node);
        let old = change.thing.list(base).get(change.number);
        let (Some(found), Some(old)) = (found, old) else {
            refuse!("{label}[{}] is missing in the packed file", change.number);
        };
        for key in found.keys().chain(old.keys()) {
            let there = found.get(key).unwrap_or(&Value::Null);
            match change.values.get(key) {
                Some(wanted) if !is_near(there, wanted) => {
                    refuse!(
                        "{label}[{}]: {key} is derived from other values: it would be {there}, not {wanted} as edited",
                        change.number
                    );
                }
                Some(_) => {}
                None => {
                    let was = old.get(key).unwrap_or(&Value::Null);
                    followers += usize::from(!is_near(there, was));
                }
            }
        }
    }
    Ok((followers > 0).then(|| {
        counted(
            followers,
            "other value of a light or camera is derived from edited ones",
            "other values of lights and cameras are derived from edited ones",
        )
    }))
}

fn is_near(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => (one - other).abs() <= 1e-4 * one.abs().max(0.01),
            _ => one == other,
        },
        (Value::Array(one), Value::Array(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_near(one, other))
        }
        _ => one == other,
    }
}

/// Changes by node of the game file, from all of its scenes, each with the scene.
pub(in crate::pack::scene) type LightOrCameraEdits = BTreeMap<usize, (LightOrCameraChange, String)>;

/// Adds a change of a scene.
///
/// # Errors
/// Another scene sets other values.
pub(in crate::pack::scene) fn add(
    all: &mut LightOrCameraEdits,
    node: usize,
    change: &LightOrCameraChange,
    path: &str,
) -> Result<(), Refusal> {
    match all.get(&node) {
        Some((known, by)) if known.values != change.values => Err(refusal!(
            "{}[{}]: {by} sets different values for it",
            change.thing.label(),
            change.number
        )),
        _ => {
            all.insert(node, (change.clone(), path.to_owned()));
            Ok(())
        }
    }
}

/// Applies a change to its node.
///
/// # Errors
/// The game has no place for it.
pub(in crate::pack::scene) fn apply(
    node: Option<&mut Node>,
    change: &LightOrCameraChange,
    version: ZipperGame,
    config: &Config,
) -> Result<(), Refusal> {
    let done = match (node.map(|node| &mut node.data), change.thing) {
        (Some(NodeData::Light(light)), Thing::Light) => {
            shine(light, &change.values, version, config.scenes.light_scale)
        }
        (Some(NodeData::Camera(camera)), Thing::Camera) => see(camera, &change.values),
        _ => Err(refusal!(
            "the node is not a light or camera in the game file"
        )),
    };
    done.map_err(|refusal| {
        let label = change.thing.label();
        refusal!("{label}[{}]: {refusal}", change.number)
    })
}

fn single(key: &str, value: &Value) -> Result<f32, Refusal> {
    let number = value.as_f64().map(|number| number as f32);
    number
        .filter(|number| number.is_finite())
        .ok_or_else(|| refusal!("{key}: expected a number"))
}

fn triple(key: &str, value: &Value) -> Result<[f32; 3], Refusal> {
    let list = value.as_array().filter(|list| list.len() == 3);
    let parts: Option<Vec<f32>> = list.and_then(|list| {
        let parts = list.iter().map(|part| part.as_f64().map(|it| it as f32));
        parts.collect()
    });
    match parts.as_deref() {
        Some(&[red, green, blue]) => Ok([red, green, blue]),
        _ => Err(refusal!("{key}: expected three numbers")),
    }
}

/// True if a light is a sun: the converter makes suns of all lights without a position.
pub(super) fn is_sun(light: &Light) -> bool {
    let flags = light.flags();
    flags.contains(LightFlags::DIRECTED_SOURCE)
        || !flags.intersects(LightFlags::DIRECTIONAL | LightFlags::POINT_SOURCE)
}

/// Products of colors and parts that later games store too.
fn mixed(record: &LightRecord) -> [[f32; 3]; 3] {
    let times = |color: Vec3, by: F32| color.to_array().map(|part| part * by.0);
    let diffuse = times(record.color, record.diffuse);
    let ambient = times(record.color_ambient, record.ambient);
    let sum = [0, 1, 2].map(|at| diffuse[at] + ambient[at]);
    [diffuse, ambient, sum]
}

/// Applies new values to a light.
fn shine(
    light: &mut Light,
    values: &Leaves,
    version: ZipperGame,
    scale: f32,
) -> Result<(), Refusal> {
    let before = light.record.clone();
    // Stored values first, then values derived from them.
    let stored = values.iter().filter(|(key, _)| key.starts_with("extras."));
    for (key, value) in stored {
        match key.as_str() {
            "extras.zipper.diffuse" => light.record.diffuse = F32(single(key, value)?),
            "extras.zipper.ambient" => light.record.ambient = F32(single(key, value)?),
            "extras.zipper.near" => light.record.range_near = F32(single(key, value)?),
            "extras.zipper.far" => light.record.range_far = F32(single(key, value)?),
            "extras.zipper.color" => light.record.color = Vec3::from(triple(key, value)?),
            "extras.zipper.flags" => set_flags(light, value, version)?,
            _ => return Err(not_packable_edit(key)),
        }
    }
    let is_sun = is_sun(light);
    if let Some(range) = values.get("range") {
        if version == ZipperGame::Recoil {
            light.record.ranged = u32::from(!range.is_null());
        }
        if !range.is_null() {
            let (near, far) = (&mut light.record.range_near, single("range", range)?);
            let is_kept = far > near.0 || values.contains_key("extras.zipper.near");
            if !is_kept {
                // The light fades over the same part of its range.
                near.0 *= far / light.record.range_far.0;
            }
            light.record.range_far = F32(far);
        }
    }
    for (key, value) in values {
        match key.as_str() {
            "color" => {
                // Channels above 1 are shown as 1.
                let mut channels = light.record.color.to_array();
                for (channel, wanted) in channels.iter_mut().zip(triple(key, value)?) {
                    if channel.clamp(0.0, 1.0) != wanted {
                        *channel = wanted;
                    }
                }
                light.record.color = Vec3::from(channels);
            }
            "intensity" => set_strength(light, single(key, value)?, is_sun, scale)?,
            "range" => {}
            key if key.starts_with("extras.") => {}
            key => return Err(not_packable_edit(key)),
        }
    }
    follow(&before, &mut light.record, version)
}

/// Updates derived values of a light.
fn follow(
    before: &LightRecord,
    record: &mut LightRecord,
    version: ZipperGame,
) -> Result<(), Refusal> {
    let (near, far) = (record.range_near.0, record.range_far.0);
    if (near, far) != (before.range_near.0, before.range_far.0) {
        if near.is_nan() || near <= 0.0 || far.is_nan() || far <= near {
            refuse!(
                "it fades from {near} to {far}: expected two distances above 0, the first less than the second"
            );
        }
        if version != ZipperGame::Recoil && near != before.range_near.0 {
            record.range_near_sq = F32(near * near);
        }
        record.range_far_sq = F32(far * far);
        record.range_inv = F32(1.0 / (far - near));
    }
    if version.since(ZipperGame::PiratesMoon) {
        let is_rule = |stored: Vec3, made: [f32; 3]| stored.to_array() == made;
        let [old_diffuse, old_ambient, old_sum] = mixed(before);
        let [diffuse, ambient, sum] = mixed(record);
        for (stored, old, new) in [
            (&mut record.color_diffuse_mixed, old_diffuse, diffuse),
            (&mut record.color_ambient_mixed, old_ambient, ambient),
            (&mut record.color_da_combined, old_sum, sum),
        ] {
            if is_rule(*stored, old) && old != new {
                *stored = Vec3::from(new);
            }
        }
    }
    Ok(())
}

fn not_packable_edit(key: &str) -> Refusal {
    refusal!("{key} cannot be packed: it is a name, or is derived from other values")
}

/// Sets the strength of a light from its glTF intensity.
fn set_strength(
    light: &mut Light,
    intensity: f32,
    is_sun: bool,
    scale: f32,
) -> Result<(), Refusal> {
    let far = light.record.range_far.0;
    let full = scale * if is_sun { PI } else { far * far * 0.25 };
    let strength = intensity / full;
    if !strength.is_finite() || strength < 0.0 {
        refuse!("intensity: the game cannot store it; edit extras.zipper.diffuse");
    }
    if is_sun {
        light.record.diffuse = F32(strength);
        return Ok(());
    }
    let ambient = light.record.ambient.0.max(0.0);
    let diffuse = strength - ambient;
    if strength > 1.0 + 1e-4 || diffuse < -1e-4 {
        refuse!(
            "intensity: expected from {} to {full}, with extras.zipper.ambient and the range as they are",
            ambient * full
        );
    }
    light.record.diffuse = F32(diffuse.max(0.0));
    Ok(())
}

fn set_flags(light: &mut Light, value: &Value, version: ZipperGame) -> Result<(), Refusal> {
    let mut flags = LightFlags::empty();
    for name in value.as_array().into_iter().flatten() {
        let text = name.as_str().unwrap_or_default();
        let flag = LightFlags::from_name(&text.to_uppercase());
        let known = flag.filter(|&flag| {
            version == ZipperGame::Recoil || ByGame::from(flag).word(version).is_some()
        });
        flags |= known.ok_or_else(|| {
            refusal!("extras.zipper.flags: {name} is not a flag of a light in this game")
        })?;
    }
    let record = &mut light.record;
    if version != ZipperGame::Recoil {
        record.flags.known = flags;
        return Ok(());
    }
    let mut left = flags;
    for (word, flag) in [
        (&mut record.recalc, LightFlags::RECALC),
        (&mut record.ranged, LightFlags::RANGED),
        (&mut record.directional, LightFlags::DIRECTIONAL),
        (&mut record.directed_source, LightFlags::DIRECTED_SOURCE),
        (&mut record.point_source, LightFlags::POINT_SOURCE),
        (&mut record.saturated, LightFlags::SATURATED),
        (&mut record.reaches_cell, LightFlags::REACHES_CELL),
    ] {
        *word = u32::from(flags.contains(flag));
        left.remove(flag);
    }
    match left.is_empty() {
        true => Ok(()),
        false => Err(refusal!(
            "extras.zipper.flags: {} is not a flag of a light in this game",
            shown(&left)
        )),
    }
}

/// Applies new values to a camera.
fn see(camera: &mut Camera, values: &Leaves) -> Result<(), Refusal> {
    let half_tangent = |angle: f32| libm::tan(f64::from(angle) / 2.0);
    let vertical = camera.fov_v_base.0 / camera.fov_v_scale.0;
    let horizontal = camera.fov_h_base.0 / camera.fov_h_scale.0;
    let had_aspect = half_tangent(horizontal) / half_tangent(vertical);
    let (mut wanted_vertical, mut wanted_aspect) = (None, None);
    for (key, value) in values {
        match key.as_str() {
            "perspective.znear" | "extras.zipper.storedNear" => {
                camera.clip_near = F32(single(key, value)?);
            }
            "perspective.zfar" => camera.clip_far = F32(single(key, value)?),
            "perspective.yfov" | "extras.zipper.storedVerticalAngle" => {
                wanted_vertical = Some(single(key, value)?);
            }
            "perspective.aspectRatio" => wanted_aspect = Some(f64::from(single(key, value)?)),
            _ => return Err(not_packable_edit(key)),
        }
    }
    let (near, far) = (camera.clip_near.0, camera.clip_far.0);
    if near.is_nan() || near <= 0.0 || far.is_nan() || far <= near {
        refuse!(
            "its near and far planes are {near} and {far}: expected two distances above 0, the first less than the second"
        );
    }
    if wanted_vertical.is_none() && wanted_aspect.is_none() {
        return Ok(());
    }
    let new_vertical = wanted_vertical.unwrap_or(vertical);
    let aspect = wanted_aspect.unwrap_or(had_aspect);
    let new_horizontal = 2.0 * libm::atan(aspect * half_tangent(new_vertical));
    let is_angle = |angle: f32| angle > 0.0 && angle < PI;
    let new_horizontal = new_horizontal as f32;
    if !is_angle(new_vertical) || !is_angle(new_horizontal) {
        refuse!("the field of view must be between 0 and 180 degrees");
    }
    if wanted_vertical.is_some() {
        camera.fov_v_base = F32(new_vertical * camera.fov_v_scale.0);
    }
    camera.fov_h_base = F32(new_horizontal * camera.fov_h_scale.0);
    let bases = [
        camera.fov_h_base.0 * camera.fov_h_scale.0,
        camera.fov_v_base.0 * camera.fov_v_scale.0,
    ];
    camera.fov_scaled = bases.map(F32);
    camera.fov_half = bases.map(|scaled| F32(scaled / 2.0));
    camera.fov_cot = bases.map(|scaled| F32((1.0 / libm::tan(f64::from(scaled / 2.0))) as f32));
    Ok(())
}

/// True if a node has the angles and position of its class: a light or a camera.
pub(in crate::pack::scene) fn is_one(node: &Node) -> bool {
    matches!(node.data, NodeData::Light(_) | NodeData::Camera(_))
}

/// Moves a light or a camera.
///
/// # Errors
/// It is scaled or sheared.
pub(in crate::pack::scene) fn move_node(node: &mut Node, change: &Move) -> Result<(), Refusal> {
    let (angles, place) = match &mut node.data {
        NodeData::Light(light) => (&mut light.record.orientation, &mut light.record.translate),
        NodeData::Camera(camera) => (&mut camera.rotate, &mut camera.translate),
        _ => return Ok(()),
    };
    let (scale, turn, at) = change.after.to_scale_rotation_translation();
    let (_, old_turn, old_at) = change.before.to_scale_rotation_translation();
    if (scale - 1.0).abs().max_element() > 1e-3 || !turn.is_finite() || !at.is_finite() {
        refuse!("lights and cameras can be moved and rotated, not scaled");
    }
    let mut parts = place.to_array();
    let pairs = old_at.to_array().into_iter().zip(at.to_array());
    for (part, (old, new)) in parts.iter_mut().zip(pairs) {
        if (new - old).abs() > f64::from(change.tolerance.place) * old.abs().max(1.0) {
            *part = new as f32;
        }
    }
    *place = Vec3::from(parts);
    let aligned = if turn.dot(old_turn) < 0.0 {
        -turn
    } else {
        turn
    };
    let apart = |one: DQuat, other: DQuat| (one - other).length();
    if apart(aligned, old_turn) > f64::from(change.tolerance.turn).max(1e-7) {
        // About z, then x, then y.
        let matrix = DMat3::from_quat(turn);
        let row = |row: usize, column: usize| matrix.col(column)[row];
        let x = libm::asin((-row(1, 2)).clamp(-1.0, 1.0));
        let (y, z) = match row(1, 2).abs() < 1.0 - 1e-9 {
            true => (
                libm::atan2(row(0, 2), row(2, 2)),
                libm::atan2(row(1, 0), row(1, 1)),
            ),
            false => (libm::atan2(-row(2, 0), row(0, 0)), 0.0),
        };
        *angles = Vec3::from([x, y, z].map(|angle| angle as f32));
    }
    Ok(())
}
