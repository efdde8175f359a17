//! Lights that animations switch on, and the fog that they set.

use glam::{DMat4, DVec3};

use super::commands::{set_flag, set_range};
use super::state::{StagedWorld, StartLight};
use crate::formats::codec::{F32, Vec2, Vec3};
use crate::formats::zipper::anim::event::light::{
    FogFlags, FogKind, FogState, LightFlags as StateFlags, LightKind, LightState,
};
use crate::formats::zipper::gamez::{FogType, LightFlags, NodeData};

/// Sets what an event says of a light. `at` is the place in the world of the node that it is placed at.
pub(super) fn set(
    state: &mut StagedWorld<'_>,
    key: (usize, usize, usize),
    name: String,
    body: &LightState,
    at: Option<DMat4>,
) {
    let version = state.gamez.version;
    let light = state.lights.entry(key).or_insert_with(|| {
        // What the engine makes: a white point without directed light.
        let mut made = StartLight {
            name,
            ..StartLight::default()
        };
        made.light.record.color = Vec3::from([1.0; 3]);
        made.light.record.ambient = F32(1.0);
        set_range(&mut made.light, 32.0, 64.0);
        for flag in [
            LightFlags::POINT_SOURCE,
            LightFlags::SATURATED,
            LightFlags::RANGED,
        ] {
            set_flag(&mut made.light, version, flag, true);
        }
        made
    });
    light.is_active = body.active.is_set();
    let flags = body.flags;
    let made = &mut light.light;
    let is_point = body.kind == LightKind::Point;
    set_flag(made, version, LightFlags::POINT_SOURCE, is_point);
    set_flag(made, version, LightFlags::DIRECTED_SOURCE, !is_point);
    if flags.contains(StateFlags::RANGE) {
        set_range(made, body.range.min.0, body.range.max.0);
    }
    let colour = |colour: &crate::formats::zipper::anim::Color| {
        Vec3::from([colour.r.0, colour.g.0, colour.b.0])
    };
    if flags.contains(StateFlags::COLOR) {
        made.record.color = colour(&body.color);
    }
    if flags.contains(StateFlags::AMBIENT_COLOR) {
        made.record.color_ambient = colour(&body.ambient_color);
    }
    if flags.contains(StateFlags::AMBIENT) {
        made.record.ambient = body.ambient;
    }
    if flags.contains(StateFlags::DIFFUSE) {
        made.record.diffuse = body.diffuse;
    }
    for (counts, flag, is_on) in [
        (
            StateFlags::DIRECTIONAL,
            LightFlags::DIRECTIONAL,
            body.directional.is_set(),
        ),
        (
            StateFlags::SATURATED,
            LightFlags::SATURATED,
            body.saturated.is_set(),
        ),
    ] {
        if flags.contains(counts) {
            set_flag(made, version, flag, is_on);
        }
    }
    if flags.contains(StateFlags::ORIENTATION) {
        made.record.orientation = body.orientation;
    }
    let offset = DVec3::from_array(body.translate.to_array().map(f64::from));
    if flags.contains(StateFlags::TRANSLATE_ABSOLUTE) {
        made.record.translate = body.translate;
    } else if let Some(at) = at.filter(|_| flags.contains(StateFlags::AT_NODE)) {
        let place = at.w_axis.truncate() + offset;
        made.record.translate = place.as_vec3().to_array().into();
    }
}

/// Sets the fog of the world.
pub(super) fn set_fog(state: &mut StagedWorld<'_>, body: &FogState) {
    let mut nodes = state.gamez.nodes.used.iter_mut();
    let world = nodes.find_map(|node| match &mut node.data {
        NodeData::World(world) => Some(world),
        _ => None,
    });
    let Some(world) = world else { return };
    let record = &mut world.record;
    if body.flags.contains(FogFlags::KIND) {
        record.fog_type = match body.kind {
            FogKind::Off => FogType::Off,
            FogKind::Linear => FogType::Linear,
            FogKind::Exponential => FogType::Exponential,
            FogKind::Other(code) => FogType::Other(code),
        };
    }
    if body.flags.contains(FogFlags::COLOR) {
        let colour = &body.color;
        record.fog_color = Vec3::from([colour.r.0, colour.g.0, colour.b.0]);
    }
    if body.flags.contains(FogFlags::ALTITUDE) {
        // Low and high here, high and low there.
        let ends = [body.altitude.max.0, body.altitude.min.0];
        record.fog_altitude = Vec2::from(ends);
    }
    if body.flags.contains(FogFlags::RANGE) {
        record.fog_range = Vec2::from([body.range.min.0, body.range.max.0]);
    }
}
