//! Sounds, lights, cameras, screen effects and particles as the reference spells them.

use relicast::formats::zipper::anim::event::light::{FogFlags, FogKind, LightFlags, LightKind};
use relicast::formats::zipper::anim::event::puffer::{IntervalKind, PufferFlags};
use relicast::formats::zipper::anim::event::sound::SoundNodeFlags;
use relicast::formats::zipper::anim::event::{camera, puffer};
use relicast::formats::zipper::anim::{Bool32, EventBody};
use serde_json::{Value, json};

use super::events::{Context, from_to, when};
use crate::anim::values::{float, named_color, named_range, named_vector};

impl Context<'_> {
    pub fn sound_and_light(&self, body: &EventBody) -> Option<Value> {
        let tables = &self.definition.tables;
        Some(match body {
            EventBody::Sound(event) => json!({"Sound": {
                "name": self.static_sound(event.sound),
                "at_node": when(event.node.0 != 0, || json!({
                    "name": self.short(event.node), "pos": named_vector(event.position),
                })),
            }}),
            EventBody::SoundNode(event) => {
                let entry = &tables.dynamic_sounds[event.sound.position().unwrap()];
                assert_eq!(entry.name.text(), event.name.text());
                json!({"SoundNode": {
                    "name": event.name.text(),
                    "active_state": event.active.is_set(),
                    "translate": if event.flags.contains(SoundNodeFlags::AT_NODE) {
                        json!({"AtNode": {
                            "name": self.node(event.node), "pos": named_vector(event.translate),
                        }})
                    } else {
                        when(event.flags.contains(SoundNodeFlags::TRANSLATE_ABSOLUTE), || {
                            json!({"Absolute": named_vector(event.translate)})
                        })
                    },
                }})
            }
            EventBody::Effect(event) => json!({"Effect": {
                "name": tables.effects[event.effect.position().unwrap()].name.text(),
                "at_node": {"name": self.short(event.node), "pos": named_vector(event.position)},
            }}),
            EventBody::DetonateWeapon(event) => json!({"DetonateWeapon": {
                "weapon": event.weapon.text(),
                "at_node": {"name": self.short(event.node), "pos": named_vector(event.position)},
            }}),
            EventBody::LightState(event) => {
                let entry = &tables.lights[event.light.position().unwrap()];
                assert_eq!(entry.name.text(), event.name.text());
                let has = |flag| event.flags.contains(flag);
                let switch = |flag, value: Bool32| when(has(flag), || json!(value.is_set()));
                json!({"LightState": {
                    "name": event.name.text(),
                    "active_state": event.active.is_set(),
                    "type_": match event.kind {
                        LightKind::Directed => "Directed",
                        LightKind::Point => "PointSource",
                        LightKind::Other(other) => panic!("light {other}"),
                    },
                    "translate": if has(LightFlags::AT_NODE) {
                        json!({"AtNode": {
                            "name": self.node(event.node), "pos": named_vector(event.translate),
                        }})
                    } else {
                        when(has(LightFlags::TRANSLATE_ABSOLUTE), || {
                            json!({"Absolute": named_vector(event.translate)})
                        })
                    },
                    "directional": switch(LightFlags::DIRECTIONAL, event.directional),
                    "saturated": switch(LightFlags::SATURATED, event.saturated),
                    "subdivide": switch(LightFlags::SUBDIVIDE, event.subdivide),
                    "lightmap": switch(LightFlags::LIGHTMAP, event.lightmap),
                    "static_": switch(LightFlags::STATIC, event.is_static),
                    "bicolored": switch(LightFlags::BICOLORED, event.bicolored),
                    "orientation": when(has(LightFlags::ORIENTATION), || {
                        named_vector(event.orientation)
                    }),
                    "range": when(has(LightFlags::RANGE), || named_range(event.range)),
                    "color": when(has(LightFlags::COLOR), || named_color(event.color)),
                    "ambient_color": when(has(LightFlags::AMBIENT_COLOR), || {
                        named_color(event.ambient_color)
                    }),
                    "ambient": when(has(LightFlags::AMBIENT), || float(event.ambient)),
                    "diffuse": when(has(LightFlags::DIFFUSE), || float(event.diffuse)),
                }})
            }
            EventBody::LightAnimation(event) => json!({"LightAnimation": {
                "name": event.name.text(),
                "range": named_range(event.range_a),
                "color": named_color(event.color_a),
                "run_time": float(event.run_time),
                "range_alt": when(event.range_b != Default::default(), || {
                    named_range(event.range_b)
                }),
            }}),
            EventBody::FogState(event) => {
                assert_eq!(event.name.text(), "default_fog_name");
                let has = |flag| event.flags.contains(flag);
                json!({"FogState": {
                    "type_": when(has(FogFlags::KIND), || json!(match event.kind {
                        FogKind::Off => "Off",
                        FogKind::Linear => "Linear",
                        FogKind::Exponential => "Exponential",
                        FogKind::Other(other) => panic!("fog {other}"),
                    })),
                    "color": when(has(FogFlags::COLOR), || named_color(event.color)),
                    "altitude": when(has(FogFlags::ALTITUDE), || named_range(event.altitude)),
                    "range": when(has(FogFlags::RANGE), || named_range(event.range)),
                }})
            }
            _ => return None,
        })
    }

    pub fn screen(&self, body: &EventBody) -> Option<Value> {
        use camera::{CameraFlags, WaveFlags};
        Some(match body {
            EventBody::CameraState(event) => {
                let field = |flag, value| when(event.flags.contains(flag), || float(value));
                json!({"CameraState": {
                    "name": self.node(event.node),
                    "clip_near": field(CameraFlags::CLIP_NEAR, event.clip_near),
                    "clip_far": field(CameraFlags::CLIP_FAR, event.clip_far),
                    "lod_multiplier": field(CameraFlags::LOD_MULTIPLIER, event.lod_multiplier),
                    "fov_h": field(CameraFlags::FOV_H, event.fov_h),
                    "fov_v": field(CameraFlags::FOV_V, event.fov_v),
                    "zoom_h": field(CameraFlags::ZOOM_H, event.zoom_h),
                    "zoom_v": field(CameraFlags::ZOOM_V, event.zoom_v),
                }})
            }
            EventBody::CameraFromTo(event) => {
                let time = event.run_time;
                let field = |flag, ramp| when(event.flags.contains(flag), || from_to(ramp, time));
                json!({"CameraFromTo": {
                    "name": self.node(event.node),
                    "clip_near": field(CameraFlags::CLIP_NEAR, event.clip_near),
                    "clip_far": field(CameraFlags::CLIP_FAR, event.clip_far),
                    "lod_multiplier": field(CameraFlags::LOD_MULTIPLIER, event.lod_multiplier),
                    "fov_h": field(CameraFlags::FOV_H, event.fov_h),
                    "fov_v": field(CameraFlags::FOV_V, event.fov_v),
                    "zoom_h": field(CameraFlags::ZOOM_H, event.zoom_h),
                    "zoom_v": field(CameraFlags::ZOOM_V, event.zoom_v),
                    "run_time": float(event.run_time),
                }})
            }
            EventBody::FbfxColorFromTo(event) => {
                for ramp in [event.red, event.green, event.blue, event.alpha] {
                    from_to(ramp, event.run_time);
                }
                json!({"FbfxColorFromTo": {
                    "from": {
                        "r": float(event.red.from), "g": float(event.green.from),
                        "b": float(event.blue.from), "a": float(event.alpha.from),
                    },
                    "to": {
                        "r": float(event.red.to), "g": float(event.green.to),
                        "b": float(event.blue.to), "a": float(event.alpha.to),
                    },
                    "run_time": float(event.run_time),
                    "alpha_delta": null,
                }})
            }
            EventBody::FbfxCsinwaveFromTo(event) => {
                let has = |flag| event.flags.contains(flag);
                let time = event.run_time;
                json!({"FbfxCsinwaveFromTo": {
                    "at_node": when(has(WaveFlags::AT_NODE), || json!({
                        "name": self.short(event.node), "pos": named_vector(event.translate),
                    })),
                    "screen_pos": when(has(WaveFlags::SCREEN_POSITION), || json!({
                        "x": from_to(event.screen_x, time), "y": from_to(event.screen_y, time),
                    })),
                    "world_radius": when(has(WaveFlags::WORLD_RADIUS), || json!({
                        "from": float(event.world_radius_from),
                        "to": float(event.world_radius_to),
                    })),
                    "screen_radius": when(has(WaveFlags::SCREEN_RADIUS), || {
                        from_to(event.screen_radius, time)
                    }),
                    "csin": {
                        "x": from_to(event.csin_x, time),
                        "y": from_to(event.csin_y, time),
                        "z": from_to(event.csin_z, time),
                    },
                    "run_time": float(time),
                }})
            }
            EventBody::PufferState(event) => json!({"PufferState": self.puffer(event)}),
            _ => return None,
        })
    }

    pub fn puffer(&self, event: &puffer::PufferState) -> Value {
        use PufferFlags as Flags;
        let entry = &self.definition.tables.puffers[event.puffer.position().unwrap()];
        assert_eq!(entry.name.text(), event.name.text());
        let has = |flag| event.flags.contains(flag);
        let vector = |flag, value| when(has(flag), || named_vector(value));
        let bounds = |flag, value| when(has(flag), || named_range(value));
        let number = |flag, value| when(has(flag), || float(value));
        let interval_type = match event.interval_kind {
            IntervalKind::Time => "Time",
            IntervalKind::Distance => "Distance",
            IntervalKind::Other(other) => panic!("interval {other}"),
        };
        let interval = has(Flags::INTERVAL_KIND) && has(Flags::INTERVAL_VALUE);
        let textures: Vec<Value> = event
            .used_textures()
            .iter()
            .map(|texture| {
                let run_time = when(event.textures_have_run_time.is_set(), || {
                    float(texture.run_time)
                });
                json!({"name": texture.name.text(), "run_time": run_time})
            })
            .collect();
        let colors: Vec<Value> = event
            .used_colors()
            .iter()
            .map(|color| {
                json!({
                    "unk00": float(color.age),
                    "color": named_color(color.color),
                    "unk16": float(color.alpha),
                })
            })
            .collect();
        let growths: Vec<Value> = event
            .used_growths()
            .iter()
            .copied()
            .map(named_range)
            .collect();
        json!({
            "name": event.name.text(),
            "active_state": when(has(Flags::ACTIVE_STATE), || json!(event.active_state)),
            "translate": vector(Flags::TRANSLATE, event.translate),
            "at_node": when(has(Flags::AT_NODE), || self.node(event.node)),
            "local_velocity": vector(Flags::LOCAL_VELOCITY, event.local_velocity),
            "world_velocity": vector(Flags::WORLD_VELOCITY, event.world_velocity),
            "min_random_velocity": vector(Flags::MIN_RANDOM_VELOCITY, event.min_random_velocity),
            "max_random_velocity": vector(Flags::MAX_RANDOM_VELOCITY, event.max_random_velocity),
            "world_acceleration": vector(Flags::WORLD_ACCELERATION, event.world_acceleration),
            "interval": when(interval, || json!({
                "interval_type": interval_type, "interval_value": float(event.interval_value),
            })),
            "interval_garbage": when(!interval, || json!({
                "interval_type": interval_type,
                "has_interval_type": has(Flags::INTERVAL_KIND),
                "interval_value": float(event.interval_value),
                "has_interval_value": has(Flags::INTERVAL_VALUE),
            })),
            "size_range": bounds(Flags::SIZE_RANGE, event.size_range),
            "lifetime_range": bounds(Flags::LIFETIME_RANGE, event.lifetime_range),
            "start_age_range": bounds(Flags::START_AGE_RANGE, event.start_age_range),
            "deviation_distance": number(Flags::DEVIATION_DISTANCE, event.deviation_distance),
            "unk_range": bounds(Flags::NEAR_FADE, event.near_fade),
            "fade_range": bounds(Flags::FAR_FADE, event.far_fade),
            "friction": number(Flags::FRICTION, event.friction),
            "wind_factor": number(Flags::WIND_FACTOR, event.wind_factor),
            "priority": number(Flags::PRIORITY, event.priority),
            "number": when(has(Flags::NUMBER), || json!(event.number)),
            "textures": when(has(Flags::TEXTURES), || json!(textures)),
            "colors": when(has(Flags::COLORS), || json!(colors)),
            "growth_factors": when(has(Flags::GROWTH_FACTORS), || json!(growths)),
        })
    }
}
