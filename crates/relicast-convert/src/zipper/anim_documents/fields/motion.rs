//! Movement: physics, from one pose to another, beams. Scripts are in `script`.

use serde::Serialize;

use super::{Change, Fields, change, change_of, put_unknown_bits, vector_change};
use crate::zipper::anim_documents::names::{Names, Reference};
use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::anim::event::motion::{
    Bounce, ConnectorFlags, ConnectorRamp, FromToFlags, MotionFlags, ObjectConnector, ObjectMotion,
    ObjectMotionFromTo,
};

/// A value, its first derivative per second, and its second.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Launch<V, A> {
    per_second: V,
    acceleration: A,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Landing<'n> {
    surface: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sound: Option<Reference<'n>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_volume_speed: Option<F32>,
}

pub(in super::super) fn physics<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectMotion,
) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    map.put("node", names.node(event.node))?;
    map.put_if(has(MotionFlags::GRAVITY), "gravity", event.gravity)?;
    for (flag, key) in [
        (MotionFlags::GRAVITY_COMPLEX, "gravity_turned_into_parent"),
        (
            MotionFlags::GRAVITY_NO_ALTITUDE,
            "gravity_without_ground_test",
        ),
        (
            MotionFlags::GRAVITY_DO_INTERSECTIONS,
            "gravity_with_intersections",
        ),
        (MotionFlags::IMPACT_FORCE, "adds_velocity_of_owner"),
    ] {
        map.put_if(has(flag), key, true)?;
    }
    flight(map, event)?;
    turns(map, event)?;
    map.put_if(has(MotionFlags::MORPH), "morph_per_second", event.morph)?;
    landings(map, names, event)?;
    put_unknown_bits(map, event.flags.bits(), MotionFlags::all().bits())?;
    map.put_if(has(MotionFlags::RUN_TIME), "run_time", event.run_time)
}

/// Flight of an object: its velocity, or the ranges that the game picks one from.
fn flight<M: Fields>(map: &mut M, event: &ObjectMotion) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    if has(MotionFlags::TRANSLATION) {
        map.put("velocity", event.velocity)?;
        map.put("acceleration", event.acceleration)?;
        let directed = event.direction != Vec3::default();
        map.put_if(directed, "direction", event.direction)?;
    }
    let [least, greatest] = [
        has(MotionFlags::TRANSLATION_RANGE_MIN),
        has(MotionFlags::TRANSLATION_RANGE_MAX),
    ];
    if least || greatest {
        map.put("azimuth_degrees", event.range_azimuth)?;
        map.put("elevation_degrees", event.range_elevation)?;
        map.put("speed", event.range_speed)?;
        map.put("acceleration_along", event.range_acceleration)?;
        map.put_if(!greatest, "only_min_counts", true)?;
        map.put_if(!least, "only_max_counts", true)?;
    }
    Ok(())
}

/// Rotation and growth of an object.
fn turns<M: Fields>(map: &mut M, event: &ObjectMotion) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    if has(MotionFlags::XYZ_ROTATION) {
        let spin = Launch {
            per_second: event.spin_rate,
            acceleration: event.spin_acceleration,
        };
        map.put("spin_euler_radians", spin)?;
    }
    for (flag, key) in [
        (MotionFlags::FORWARD_ROTATION_TIME, "roll_radians_by_time"),
        (
            MotionFlags::FORWARD_ROTATION_DISTANCE,
            "roll_radians_by_distance",
        ),
    ] {
        let roll = Launch {
            per_second: event.forward_rotation_rate,
            acceleration: event.forward_rotation_acceleration,
        };
        map.put_if(has(flag), key, roll)?;
    }
    if has(MotionFlags::SCALE) {
        let scale = Launch {
            per_second: event.scale_rate,
            acceleration: event.scale_acceleration,
        };
        map.put("scale", scale)?;
    }
    Ok(())
}

/// Effects of an object's landing.
fn landings<M: Fields>(map: &mut M, names: &Names, event: &ObjectMotion) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    let [sequences, sounds] = [
        has(MotionFlags::BOUNCE_SEQUENCE),
        has(MotionFlags::BOUNCE_SOUND),
    ];
    if sequences || sounds {
        let surfaces = [
            ("any", &event.bounce),
            ("water", &event.bounce_water),
            ("lava", &event.bounce_lava),
        ];
        let landing = |(surface, bounce): (&'static str, &Bounce)| {
            let sequence = bounce.sequence.text();
            let sequence = Some(sequence).filter(|name| sequences && !name.is_empty());
            let sound = (sounds && bounce.sound.0 != 0).then(|| names.static_sound(bounce.sound));
            (sequence.is_some() || sound.is_some()).then(|| Landing {
                surface,
                sequence,
                full_volume_speed: sound.map(|_| bounce.sound_speed),
                sound,
            })
        };
        let landings: Vec<_> = surfaces.into_iter().filter_map(landing).collect();
        map.put("on_landing", landings)?;
    }
    Ok(())
}

pub(in super::super) fn from_to<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectMotionFromTo,
) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    map.put("node", names.node(event.node))?;
    let vectors = [
        (FromToFlags::TRANSLATE, "translation", &event.translate),
        (FromToFlags::ROTATE, "euler_radians", &event.rotate),
        (FromToFlags::SCALE, "scale", &event.scale),
    ];
    for (flag, key, ramp) in vectors {
        map.put_if(has(flag), key, vector_change(ramp, event.run_time))?;
    }
    let morph = change(&event.morph, event.run_time);
    map.put_if(has(FromToFlags::MORPH), "morph", morph)?;
    put_unknown_bits(map, event.flags.bits(), FromToFlags::all().bits())?;
    map.put("run_time", event.run_time)
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BeamEnd<'n> {
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<Reference<'n>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Vec3>,
    /// Place on the line between both ends, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    along: Option<Change<F32>>,
}

pub(in super::super) fn connector<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &ObjectConnector,
) -> Result<(), M::Error> {
    use ConnectorFlags as Flags;
    let has = |flag| event.flags.contains(flag);
    map.put("node", names.node(event.node))?;
    let input = |node, position| match (has(node), has(position)) {
        (true, _) => Some("node"),
        (_, true) => Some("position"),
        _ => None,
    };
    let along = |ramp: &ConnectorRamp, one, range| {
        let counts = has(one) || has(range);
        counts.then(|| change_of(ramp.start, ramp.end, ramp.delta, event.run_time))
    };
    let from = BeamEnd {
        node: has(Flags::FROM_NODE).then(|| names.node(event.from_node)),
        input: input(Flags::FROM_INPUT_NODE, Flags::FROM_INPUT_POSITION),
        position: has(Flags::FROM_POSITION).then_some(event.from_position),
        along: along(&event.from_t, Flags::FROM_T, Flags::FROM_T_RANGE),
    };
    let to = BeamEnd {
        node: has(Flags::TO_NODE).then(|| names.node(event.to_node)),
        input: input(Flags::TO_INPUT_NODE, Flags::TO_INPUT_POSITION),
        position: has(Flags::TO_POSITION).then_some(event.to_position),
        along: along(&event.to_t, Flags::TO_T, Flags::TO_T_RANGE),
    };
    map.put("from", from)?;
    map.put("to", to)?;
    map.put_if(has(Flags::MAX_LENGTH), "max_length", event.max_length)?;
    put_unknown_bits(map, event.flags.bits(), Flags::all().bits())?;
    map.put("run_time", event.run_time)
}
