//! Lights that scripts change or animations switch on, and fog that animations set.

use glam::{DMat4, DVec3};
use relicast_scene::extras::zipper;

use super::commands::{Applier, Refusal};
use super::state::{StagedWorld, StartLight};
use relicast_codec::{F32, Vec2, Vec3};
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::anim::event::light::{
    FogFlags, FogKind, FogState, LightFlags as StateFlags, LightKind, LightState,
};
use relicast_formats::zipper::gamez::{FogType, Light, LightFlags, NodeData};
use relicast_formats::zipper::script::{Command, CommandKind};

/// Sets a light from an event. `at` is the place of its node in the world.
pub(super) fn set(
    state: &mut StagedWorld<'_>,
    key: (usize, usize, usize),
    name: String,
    body: &LightState,
    at: Option<DMat4>,
) {
    let version = state.gamez.version;
    let light = state.lights.entry(key).or_insert_with(|| {
        // The engine's default: a white point without directed light.
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
    let color = |color: &relicast_formats::zipper::anim::Color| {
        Vec3::from([color.r.0, color.g.0, color.b.0])
    };
    if flags.contains(StateFlags::COLOR) {
        made.record.color = color(&body.color);
    }
    if flags.contains(StateFlags::AMBIENT_COLOR) {
        made.record.color_ambient = color(&body.ambient_color);
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
        let color = &body.color;
        record.fog_color = Vec3::from([color.r.0, color.g.0, color.b.0]);
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

impl Applier<'_, '_> {
    /// A command for the current light.
    pub(super) fn light(&mut self, command: &Command) -> Result<(), Refusal> {
        let triple = command.triple();
        let [first, second, _] = triple;
        let is_on = command.is_on();
        let version = self.state.gamez.version;
        let index = match command.kind {
            CommandKind::LightSetAmbient => {
                self.with_light(|light| light.record.ambient = F32(first))?
            }
            CommandKind::LightSetDiffuse => {
                self.with_light(|light| light.record.diffuse = F32(first))?
            }
            CommandKind::LightSetColor => {
                self.with_light(|light| light.record.color = Vec3::from(triple))?
            }
            CommandKind::LightSetRange => self.with_light(|light| {
                set_range(light, first, second);
                set_flag(light, version, LightFlags::RANGED, true);
            })?,
            CommandKind::LightSetTranslate => {
                self.with_light(|light| light.record.translate = Vec3::from(triple))?
            }
            CommandKind::LightSetOrientation => {
                let angles = triple.map(f32::to_radians);
                self.with_light(|light| light.record.orientation = Vec3::from(angles))?
            }
            CommandKind::LightSetActive => {
                let index = self.with_light(|_| {})?;
                if is_on {
                    self.state.dark.remove(&index);
                } else {
                    self.state.dark.insert(index);
                }
                index
            }
            kind => {
                let flag = match kind {
                    CommandKind::LightSetDirectedSource => LightFlags::DIRECTED_SOURCE,
                    CommandKind::LightSetPointSource => LightFlags::POINT_SOURCE,
                    CommandKind::LightSetDirectional => LightFlags::DIRECTIONAL,
                    _ => LightFlags::SATURATED,
                };
                self.with_light(|light| {
                    set_flag(light, version, flag, is_on);
                    // A point and a sun exclude each other.
                    let other = match flag {
                        LightFlags::POINT_SOURCE => LightFlags::DIRECTED_SOURCE,
                        LightFlags::DIRECTED_SOURCE => LightFlags::POINT_SOURCE,
                        _ => return,
                    };
                    if is_on {
                        set_flag(light, version, other, false);
                    }
                })?
            }
        };
        let facts = zipper::Node {
            start: Some("light".to_owned()),
            ..zipper::Node::default()
        };
        self.state.note(index, facts);
        Ok(())
    }
}

/// Sets near and far distance of a light with what follows from them.
fn set_range(light: &mut Light, near: f32, far: f32) {
    let record = &mut light.record;
    record.range_near = F32(near);
    record.range_far = F32(far);
    record.range_near_sq = F32(near * near);
    record.range_far_sq = F32(far * far);
    let span = far - near;
    record.range_inv = F32(if span > 0.0 { 1.0 / span } else { 0.0 });
}

/// Sets a flag of a light where its game stores it.
fn set_flag(light: &mut Light, version: ZipperGame, flag: LightFlags, is_on: bool) {
    let record = &mut light.record;
    if version != ZipperGame::Recoil {
        record.flags.known.set(flag, is_on);
        return;
    }
    let word = match flag {
        LightFlags::DIRECTIONAL => &mut record.directional,
        LightFlags::DIRECTED_SOURCE => &mut record.directed_source,
        LightFlags::POINT_SOURCE => &mut record.point_source,
        LightFlags::SATURATED => &mut record.saturated,
        LightFlags::RANGED => &mut record.ranged,
        _ => return,
    };
    *word = u32::from(is_on);
}
