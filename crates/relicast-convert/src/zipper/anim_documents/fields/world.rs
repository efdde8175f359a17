//! Lights, fog, cameras, effects on the whole screen.

use super::{Change, Fields, change, put_unknown_bits};
use crate::zipper::anim_documents::names::Names;
use relicast_formats::zipper::anim::event::camera::{
    CameraFlags, CameraFromTo, CameraState, FbfxColorFromTo, FbfxCsinwaveFromTo, WaveFlags,
};
use relicast_formats::zipper::anim::event::light::{
    FogFlags, FogState, LightAnimation, LightFlags, LightState,
};
use relicast_formats::zipper::anim::{Color, Range};

macro_rules! flagged {
    ($map:ident, $flags:expr, $kind:ident: $($flag:ident $key:literal $value:expr;)*) => {{
        let flags = $flags;
        $($map.put_if(flags.contains($kind::$flag), $key, $value)?;)*
    }};
}

pub(in super::super) fn light<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &LightState,
) -> Result<(), M::Error> {
    map.put("light", names.light(event.light))?;
    map.put("on", event.active)?;
    map.put("kind", event.kind)?;
    let at_node = event.flags.contains(LightFlags::AT_NODE);
    map.put_if(at_node, "at_node", names.node(event.node))?;
    map.put_if(at_node, "offset", event.translate)?;
    flagged! { map, event.flags, LightFlags:
        TRANSLATE_ABSOLUTE "position" event.translate;
        ORIENTATION "orientation" event.orientation;
        RANGE "range" event.range;
        COLOR "color" event.color;
        AMBIENT_COLOR "ambient_color" event.ambient_color;
        AMBIENT "ambient" event.ambient;
        DIFFUSE "diffuse" event.diffuse;
        DIRECTIONAL "directional" event.directional;
        SATURATED "saturated" event.saturated;
        SUBDIVIDE "subdivide" event.subdivide;
        STATIC "static" event.is_static;
        BICOLORED "bicolored" event.bicolored;
        LIGHTMAP "lightmap" event.lightmap;
    }
    put_unknown_bits(map, event.flags.bits(), LightFlags::all().bits())
}

pub(in super::super) fn light_change<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &LightAnimation,
) -> Result<(), M::Error> {
    map.put("light", names.light(event.light))?;
    map.put("range_per_second", event.range_a)?;
    map.put("color_per_second", event.color_a)?;
    let odd_range = event.range_b != Range::default();
    map.put_if(odd_range, "range_acceleration", event.range_b)?;
    let odd_color = event.color_b != Color::default();
    map.put_if(odd_color, "color_acceleration", event.color_b)?;
    map.put("run_time", event.run_time)
}

pub(in super::super) fn fog<M: Fields>(map: &mut M, event: &FogState) -> Result<(), M::Error> {
    map.put("fog", event.name.text())?;
    flagged! { map, event.flags, FogFlags:
        KIND "kind" event.kind;
        COLOR "color" event.color;
        ALTITUDE "altitude" event.altitude;
        RANGE "range" event.range;
    }
    put_unknown_bits(map, event.flags.bits(), FogFlags::all().bits())
}

pub(in super::super) fn camera<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &CameraState,
) -> Result<(), M::Error> {
    map.put("camera", names.node(event.node))?;
    flagged! { map, event.flags, CameraFlags:
        CLIP_NEAR "clip_near" event.clip_near;
        CLIP_FAR "clip_far" event.clip_far;
        LOD_MULTIPLIER "lod_multiplier" event.lod_multiplier;
        FOV_H "horizontal_fov_radians" event.fov_h;
        FOV_V "vertical_fov_radians" event.fov_v;
        ZOOM_H "horizontal_zoom" event.zoom_h;
        ZOOM_V "vertical_zoom" event.zoom_v;
    }
    put_unknown_bits(map, event.flags.bits(), CameraFlags::all().bits())
}

pub(in super::super) fn camera_change<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &CameraFromTo,
) -> Result<(), M::Error> {
    map.put("camera", names.node(event.node))?;
    let over = |ramp| change(ramp, event.run_time);
    flagged! { map, event.flags, CameraFlags:
        CLIP_NEAR "clip_near" over(&event.clip_near);
        CLIP_FAR "clip_far" over(&event.clip_far);
        LOD_MULTIPLIER "lod_multiplier" over(&event.lod_multiplier);
        FOV_H "horizontal_fov_radians" over(&event.fov_h);
        FOV_V "vertical_fov_radians" over(&event.fov_v);
        ZOOM_H "horizontal_zoom" over(&event.zoom_h);
        ZOOM_V "vertical_zoom" over(&event.zoom_v);
    }
    put_unknown_bits(map, event.flags.bits(), CameraFlags::all().bits())?;
    map.put("run_time", event.run_time)
}

pub(in super::super) fn tint<M: Fields>(
    map: &mut M,
    event: &FbfxColorFromTo,
) -> Result<(), M::Error> {
    let over = |ramp| change(ramp, event.run_time);
    map.put("red", over(&event.red))?;
    map.put("green", over(&event.green))?;
    map.put("blue", over(&event.blue))?;
    map.put("alpha", over(&event.alpha))?;
    map.put("run_time", event.run_time)
}

pub(in super::super) fn wave<M: Fields>(
    map: &mut M,
    names: &Names,
    event: &FbfxCsinwaveFromTo,
) -> Result<(), M::Error> {
    let over = |ramp| change(ramp, event.run_time);
    flagged! { map, event.flags, WaveFlags:
        AT_NODE "at_node" names.node(event.node);
        AT_NODE "offset" event.translate;
        SCREEN_POSITION "screen_x" over(&event.screen_x);
        SCREEN_POSITION "screen_y" over(&event.screen_y);
        SCREEN_RADIUS "screen_radius" over(&event.screen_radius);
        WORLD_RADIUS "world_radius" Change {
            from: event.world_radius_from,
            to: event.world_radius_to,
            stored_rate: None,
        };
    }
    map.put("extent", over(&event.csin_x))?;
    map.put("frequency", over(&event.csin_y))?;
    map.put("phase", over(&event.csin_z))?;
    put_unknown_bits(
        map,
        u32::from(event.flags.bits()),
        u32::from(WaveFlags::all().bits()),
    )?;
    map.put("run_time", event.run_time)
}
