//! Sounds, sprites, particles, weapons.

use serde::Serialize;

use super::{Fields, put_unknown_bits};
use crate::zipper::anim_documents::names::Names;
use relicast_codec::{F32, Vec3};
use relicast_formats::zipper::anim::Color;
use relicast_formats::zipper::anim::event::puffer::{IntervalKind, PufferFlags, PufferState};
use relicast_formats::zipper::anim::event::sound::{
    DetonateWeapon, Effect, Sound, SoundAdjust, SoundNode, SoundNodeFlags,
};

pub(in super::super) fn sound<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &Sound,
) -> Result<(), M::Error> {
    map.put("sound", names.static_sound(event.sound))?;
    let placed = event.node.0 != 0;
    map.put_if(placed, "at_node", names.node(event.node))?;
    let offset = placed || event.position != Vec3::default();
    map.put_if(offset, "offset", event.position)
}

pub(in super::super) fn sound_node<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &SoundNode,
) -> Result<(), M::Error> {
    let flags = event.flags;
    let at_node = flags.contains(SoundNodeFlags::AT_NODE);
    map.put("sound", names.dynamic_sound(event.sound))?;
    map.put("on", event.active)?;
    map.put_if(at_node, "at_node", names.node(event.node))?;
    map.put_if(at_node, "offset", event.translate)?;
    let absolute = flags.contains(SoundNodeFlags::TRANSLATE_ABSOLUTE);
    map.put_if(absolute, "position", event.translate)?;
    put_unknown_bits(map, flags.bits(), SoundNodeFlags::all().bits())
}

pub(in super::super) fn sprite<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &Effect,
) -> Result<(), M::Error> {
    map.put("effect", names.effect(event.effect))?;
    map.put("at_node", names.node(event.node))?;
    map.put("offset", event.position)
}

pub(in super::super) fn weapon<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &DetonateWeapon,
) -> Result<(), M::Error> {
    map.put("weapon", event.weapon.text())?;
    map.put("at_node", names.node(event.node))?;
    map.put("offset", event.position)
}

pub(in super::super) fn adjust<M: Fields>(
    map: &mut M,
    event: &SoundAdjust,
) -> Result<(), M::Error> {
    map.put("not_decoded", event.data)
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Texture {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_time: Option<F32>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TimedColor {
    /// Fraction of the life.
    age: F32,
    /// As stored: 0 to 1, or 0 to 255 where a part or the alpha is above 1.
    color: Color,
    alpha: F32,
    /// Red, green, blue and alpha from 0 to 1.
    unit_color: [F32; 4],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Growth {
    /// Fraction of the life.
    age: F32,
    scale: F32,
}

/// An interval that is stored without its flag.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StoredInterval {
    counts: IntervalKind,
    value: F32,
}

pub(in super::super) fn puffer<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &PufferState,
) -> Result<(), M::Error> {
    let has = |flag| event.flags.contains(flag);
    let at_node = has(PufferFlags::AT_NODE);
    map.put("puffer", names.puffer(event.puffer))?;
    map.put("on", has(PufferFlags::ACTIVE_STATE))?;
    map.put_if(
        has(PufferFlags::ACTIVE_STATE),
        "active_state",
        event.active_state,
    )?;
    map.put_if(at_node, "at_node", names.node(event.node))?;
    let key = if at_node { "offset" } else { "position" };
    map.put_if(has(PufferFlags::TRANSLATE), key, event.translate)?;
    macro_rules! fields {
        ($($flag:ident $key:literal $value:expr;)*) => {
            $(map.put_if(has(PufferFlags::$flag), $key, $value)?;)*
        };
    }
    fields! {
        LOCAL_VELOCITY "local_velocity" event.local_velocity;
        WORLD_VELOCITY "world_velocity" event.world_velocity;
        MIN_RANDOM_VELOCITY "min_random_velocity" event.min_random_velocity;
        MAX_RANDOM_VELOCITY "max_random_velocity" event.max_random_velocity;
        WORLD_ACCELERATION "world_acceleration" event.world_acceleration;
        INTERVAL_KIND "interval_counts" event.interval_kind;
        INTERVAL_VALUE "interval" event.interval_value;
        SIZE_RANGE "radius" event.size_range;
        LIFETIME_RANGE "lifetime" event.lifetime_range;
        START_AGE_RANGE "start_age" event.start_age_range;
        DEVIATION_DISTANCE "deviation_distance" event.deviation_distance;
        NEAR_FADE "near_fade" event.near_fade;
        FAR_FADE "far_fade" event.far_fade;
        FRICTION "friction" event.friction;
        WIND_FACTOR "wind_factor" event.wind_factor;
        PRIORITY "priority" event.priority;
        NUMBER "number" event.number;
    }
    let is_flagged = has(PufferFlags::INTERVAL_VALUE);
    if !is_flagged && event.interval_value.0 != 0.0 {
        let stored = StoredInterval {
            counts: event.interval_kind,
            value: event.interval_value,
        };
        map.put("stored_interval", stored)?;
    }
    if has(PufferFlags::GROWTH_FACTORS) {
        let growths = event.used_growths().iter().map(|growth| Growth {
            age: growth.min,
            scale: growth.max,
        });
        map.put("growth_factors", growths.collect::<Vec<_>>())?;
    }
    if has(PufferFlags::TEXTURES) {
        let timed = event.textures_have_run_time.is_set();
        let textures = event.used_textures().iter().map(|texture| Texture {
            name: texture.name.text(),
            run_time: timed.then_some(texture.run_time),
        });
        map.put("textures", textures.collect::<Vec<_>>())?;
    }
    if has(PufferFlags::COLORS) {
        let colors = event.used_colors().iter().map(|color| TimedColor {
            age: color.age,
            color: color.color,
            alpha: color.alpha,
            unit_color: color.unit(),
        });
        map.put("colors", colors.collect::<Vec<_>>())?;
    }
    put_unknown_bits(map, event.flags.bits(), PufferFlags::all().bits())
}
