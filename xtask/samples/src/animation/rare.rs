//! Bodies of events that only one definition has.

use relicast::formats::codec::{Bytes, F32, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::camera::{FbfxCsinwaveFromTo, WaveFlags};
use relicast::formats::zipper::anim::event::control::{AnimVerbose, Marker, TextMessage};
use relicast::formats::zipper::anim::event::light::{FogFlags, FogKind, FogState};
use relicast::formats::zipper::anim::event::motion::{
    Bounce, CallConnectorFlags, CallObjectConnector, ConnectorFlags, ConnectorRamp, MotionFlags,
    ObjectConnector, ObjectMotion,
};
use relicast::formats::zipper::anim::event::object::{
    ObjectAddChild, ObjectCycleTexture, ObjectDeleteChild,
};
use relicast::formats::zipper::anim::event::puffer::{
    IntervalKind, PufferColor, PufferFlags, PufferState, PufferTexture,
};
use relicast::formats::zipper::anim::event::sound::{
    DetonateWeapon, Effect, SoundAdjust, SoundNode, SoundNodeFlags,
};
use relicast::formats::zipper::anim::{
    AnimationRefIndex, Bool32, Color, EventBody, NodeIndex, Range,
};

use super::events::{INPUT, ramp};
use super::maker::{Maker, padded};
use crate::Outcome;
use crate::random::Random;

fn range(min: f32, max: f32) -> Range {
    Range {
        min: F32(min),
        max: F32(max),
    }
}

/// A body that is thrown, turns, and calls a sequence where it lands.
pub fn thrown(maker: &mut Maker<'_>, node: &str, lands: &str, sound: &str) -> Outcome<EventBody> {
    let none = Bounce {
        sequence_index: -1,
        ..Bounce::default()
    };
    let newer = maker.version() > ZipperGame::Recoil;
    let bounce = Bounce {
        sequence: padded(lands)?,
        sequence_index: -1,
        sound: maker.sound(sound)?,
        sound_speed: F32(12.0),
    };
    Ok(EventBody::ObjectMotion(Box::new(ObjectMotion {
        flags: MotionFlags::GRAVITY
            | MotionFlags::TRANSLATION
            | MotionFlags::XYZ_ROTATION
            | MotionFlags::RUN_TIME
            | MotionFlags::BOUNCE_SEQUENCE
            | MotionFlags::BOUNCE_SOUND,
        node: maker.node(node)?,
        gravity: F32(-9.8),
        velocity: Vec3::from([2.0, 12.0, -1.0]),
        direction: Vec3::from([1.0, 0.0, 0.0]),
        spin_rate: Vec3::from([1.5, 0.0, 0.5]),
        spin_acceleration: Vec3::from([0.0, 0.25, 0.0]),
        bounce,
        bounce_water: if newer { none } else { Bounce::default() },
        bounce_lava: if newer { none } else { Bounce::default() },
        run_time: F32(2.5),
        ..ObjectMotion::default()
    })))
}

/// A body whose path is chosen at its start, and that shrinks and rolls.
pub fn drawn(maker: &mut Maker<'_>, node: &str) -> Outcome<EventBody> {
    let none = Bounce {
        sequence_index: if maker.version() > ZipperGame::Recoil {
            -1
        } else {
            0
        },
        ..Bounce::default()
    };
    Ok(EventBody::ObjectMotion(Box::new(ObjectMotion {
        flags: MotionFlags::TRANSLATION_RANGE_MIN
            | MotionFlags::TRANSLATION_RANGE_MAX
            | MotionFlags::FORWARD_ROTATION_TIME
            | MotionFlags::SCALE
            | MotionFlags::RUN_TIME,
        node: maker.node(node)?,
        range_azimuth: range(0.0, 90.0),
        range_elevation: range(30.0, 60.0),
        range_speed: range(4.0, 8.0),
        range_acceleration: range(0.0, 0.0),
        forward_rotation_rate: F32(0.5),
        forward_rotation_acceleration: F32(0.125),
        scale_rate: Vec3::from([-0.25; 3]),
        bounce: none,
        bounce_water: none,
        bounce_lava: none,
        run_time: F32(1.5),
        ..ObjectMotion::default()
    })))
}

pub fn emitter(maker: &mut Maker<'_>, name: &str, node: Option<&str>) -> Outcome<EventBody> {
    let mut event = SoundNode {
        name: padded(name)?,
        sound: maker.emitter(name)?,
        ..SoundNode::default()
    };
    if let Some(node) = node {
        event.flags = SoundNodeFlags::AT_NODE;
        event.active = Bool32(1);
        event.node = maker.wide(node)?;
        event.translate = Vec3::from([0.0, 1.0, 0.0]);
    }
    Ok(EventBody::SoundNode(Box::new(event)))
}

pub fn sprite(maker: &mut Maker<'_>, name: &str) -> Outcome<EventBody> {
    Ok(EventBody::Effect(Effect {
        effect: maker.effect(name)?,
        node: INPUT,
        position: Vec3::from([0.0, 0.5, 0.0]),
    }))
}

pub fn adopt(maker: &mut Maker<'_>, parent: &str, child: &str) -> Outcome<EventBody> {
    Ok(EventBody::ObjectAddChild(ObjectAddChild {
        parent: maker.node(parent)?,
        child: maker.node(child)?,
    }))
}

pub fn orphan(maker: &mut Maker<'_>, parent: &str, child: &str) -> Outcome<EventBody> {
    Ok(EventBody::ObjectDeleteChild(ObjectDeleteChild {
        parent: maker.node(parent)?,
        child: maker.node(child)?,
    }))
}

pub fn picture(maker: &mut Maker<'_>, node: &str, frame: u16) -> Outcome<EventBody> {
    Ok(EventBody::ObjectCycleTexture(ObjectCycleTexture {
        reset: Bool32(1),
        node: maker.node(node)?,
        frame,
    }))
}

/// A beam that grows from one node to another.
pub fn beam(maker: &mut Maker<'_>, node: &str, from: &str, to: &str) -> Outcome<EventBody> {
    let growing = ramp(0.0, 1.0, 0.5);
    let whole = ConnectorRamp {
        start: F32(0.0),
        end: F32(0.0),
        ..ConnectorRamp::default()
    };
    Ok(EventBody::ObjectConnector(Box::new(ObjectConnector {
        flags: ConnectorFlags::FROM_NODE
            | ConnectorFlags::TO_NODE
            | ConnectorFlags::TO_T_RANGE
            | ConnectorFlags::MAX_LENGTH,
        node: maker.node(node)?,
        from_node: maker.node(from)?,
        to_node: maker.node(to)?,
        from_t: whole,
        to_t: ConnectorRamp {
            start: growing.from,
            end: growing.to,
            delta: growing.delta,
            live: F32(0.0),
        },
        run_time: F32(0.5),
        max_length: F32(400.0),
        ..ObjectConnector::default()
    })))
}

pub fn call_beam(maker: &mut Maker<'_>, name: &str, from: &str) -> Outcome<EventBody> {
    let saved = match maker.version() {
        ZipperGame::Recoil => maker.calls(name, Some("beam"))?,
        _ => AnimationRefIndex(-1),
    };
    Ok(EventBody::CallObjectConnector(Box::new(
        CallObjectConnector {
            flags: CallConnectorFlags::FROM_NODE_POSITION | CallConnectorFlags::TO_INPUT_NODE,
            animation: padded(name)?,
            save_index: saved,
            from_node: maker.node(from)?,
            ..CallObjectConnector::default()
        },
    )))
}

pub fn fog() -> Outcome<EventBody> {
    Ok(EventBody::FogState(Box::new(FogState {
        name: padded("default_fog_name")?,
        flags: FogFlags::KIND | FogFlags::COLOR | FogFlags::RANGE,
        kind: FogKind::Linear,
        color: Color {
            r: F32(0.5),
            g: F32(0.5),
            b: F32(0.75),
        },
        range: range(100.0, 800.0),
        ..FogState::default()
    })))
}

pub fn wave() -> EventBody {
    EventBody::FbfxCsinwaveFromTo(Box::new(FbfxCsinwaveFromTo {
        flags: WaveFlags::SCREEN_POSITION | WaveFlags::SCREEN_RADIUS,
        screen_x: ramp(0.0, 320.0, 1.0),
        screen_y: ramp(240.0, 240.0, 1.0),
        screen_radius: ramp(0.0, 100.0, 1.0),
        csin_x: ramp(1.0, 4.0, 1.0),
        csin_y: ramp(2.0, 2.0, 1.0),
        csin_z: ramp(0.0, 3.0, 1.0),
        run_time: F32(1.0),
        ..FbfxCsinwaveFromTo::default()
    }))
}

pub fn text(number: u32) -> EventBody {
    EventBody::TextMessage(TextMessage { text: number })
}

pub fn verbose() -> EventBody {
    EventBody::AnimVerbose(AnimVerbose { on: Bool32(1) })
}

pub fn marker() -> EventBody {
    EventBody::Marker(Marker {})
}

pub fn weapon(name: &str) -> Outcome<EventBody> {
    Ok(EventBody::DetonateWeapon(DetonateWeapon {
        weapon: padded(name)?,
        node: INPUT,
        position: Vec3::from([0.0, 1.0, 0.0]),
    }))
}

/// A trail of smoke at a node.
pub fn smoke(maker: &mut Maker<'_>, name: &str, node: &str) -> Outcome<EventBody> {
    let mut event = PufferState {
        name: padded(name)?,
        puffer: maker.puffer(name)?,
        flags: PufferFlags::AT_NODE
            | PufferFlags::ACTIVE_STATE
            | PufferFlags::WORLD_VELOCITY
            | PufferFlags::INTERVAL_KIND
            | PufferFlags::INTERVAL_VALUE
            | PufferFlags::SIZE_RANGE
            | PufferFlags::LIFETIME_RANGE
            | PufferFlags::GROWTH_FACTORS
            | PufferFlags::TEXTURES
            | PufferFlags::COLORS
            | PufferFlags::NEAR_FADE,
        node: maker.wide(node)?,
        active_state: 2,
        world_velocity: Vec3::from([0.0, 1.5, 0.0]),
        interval_kind: IntervalKind::Distance,
        interval_value: F32(0.25),
        size_range: range(0.5, 2.0),
        near_fade: range(70.0, 90.0),
        lifetime_range: range(1.0, 2.0),
        textures_have_run_time: Bool32(1),
        color_count: 2,
        growth_count: 1,
        ..PufferState::default()
    };
    for (slot, name) in ["bricks", "grass"].into_iter().enumerate() {
        event.textures[slot] = PufferTexture {
            run_time: F32(0.5),
            name: padded(name)?,
        };
    }
    for (slot, shade) in [0.25, 0.75].into_iter().enumerate() {
        event.colors[slot] = PufferColor {
            age: F32(shade),
            color: Color {
                r: F32(shade),
                g: F32(shade),
                b: F32(shade),
            },
            alpha: F32(1.0),
        };
    }
    event.growths[0] = range(1.0, 3.0);
    Ok(EventBody::PufferState(Box::new(event)))
}

pub fn smoke_off(maker: &mut Maker<'_>, name: &str) -> Outcome<EventBody> {
    Ok(EventBody::PufferState(Box::new(PufferState {
        name: padded(name)?,
        puffer: maker.puffer(name)?,
        node: NodeIndex(-1),
        ..PufferState::default()
    })))
}

/// Noise in place of unknown data.
pub fn adjust() -> EventBody {
    let data = Random::named("sound adjust").bytes::<176>();
    EventBody::SoundAdjust(Box::new(SoundAdjust { data: Bytes(data) }))
}
