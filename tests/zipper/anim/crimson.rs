//! Crimson Skies against values of the fixtures' generator, which names fields as its sheet does.

use relicast::formats::codec::{F32, FixedSize, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::{Condition, ConditionValue, LoopLimit};
use relicast::formats::zipper::anim::event::motion::{Bounce, ScriptMotionHead};
use relicast::formats::zipper::anim::event::{control, light, motion, puffer};
use relicast::formats::zipper::anim::{
    AnimFile, AnimationRefNames, Definition, Event, EventBody, FloatRamp, Frame, RotationChannel,
    Sequence, Tables, VectorChannel,
};
use relicast_testing::test;
use serde_json::{Map, Value, json};

use crate::anim::values::{assert_same, color, float, hex, range, vector};
use crate::anim::{Fixture, fixtures};

fn ramp(value: FloatRamp) -> Value {
    json!([float(value.from), float(value.to), float(value.delta)])
}

fn condition(event: &Condition) -> Value {
    let number = |value| match value {
        ConditionValue::Number(number) => float(number),
        ConditionValue::Integer(integer) => json!(integer),
    };
    // The generator writes the unused upper value as a float zero.
    let upper = match event.upper_bits {
        0 => json!(0.0),
        _ => number(event.upper_value()),
    };
    json!({
        "condition": event.kind.code(), "node": event.node.0,
        "value": number(event.value()), "value2": upper,
    })
}

fn script(head: &ScriptMotionHead) -> Value {
    json!({"zero00": head.zero00, "node": head.node.0, "script_slot": head.script})
}

fn sequence_call(event: &control::SequenceCall) -> Value {
    json!({"name": event.name.text(), "index": event.index})
}

fn animation_call(event: &control::AnimationCall) -> Value {
    json!({"anim_name": event.name.text(), "anim_def_index": event.definition_index})
}

fn light_state(event: &light::LightState) -> Value {
    json!({
        "name": event.name.text(), "light": event.light.0, "flags": event.flags.bits(),
        "active": event.active.0, "type": event.kind.code(), "directional": event.directional.0,
        "saturated": event.saturated.0, "subdivide": event.subdivide.0,
        "lightmap": event.lightmap.0, "static": event.is_static.0,
        "bicolored": event.bicolored.0, "node": event.node.0,
        "translate": vector(event.translate), "orientation": vector(event.orientation),
        "range": range(event.range), "color": color(event.color),
        "ambient_color": color(event.ambient_color), "ambient": float(event.ambient),
        "diffuse": float(event.diffuse),
    })
}

fn object_motion(event: &motion::ObjectMotion) -> Value {
    let mut value = json!({
        "flags": event.flags.bits(), "node": event.node.0, "pad": event.pad006,
        "zero008": float(event.zero008), "gravity": float(event.gravity),
        "morph": float(event.morph), "range_azimuth": range(event.range_azimuth),
        "range_elevation": range(event.range_elevation), "range_speed": range(event.range_speed),
        "range_accel": range(event.range_acceleration), "velocity": vector(event.velocity),
        "accel": vector(event.acceleration), "velocity_live": vector(event.velocity_live),
        "accel_live": vector(event.acceleration_live), "direction": vector(event.direction),
        "fwd_rot_rate": float(event.forward_rotation_rate),
        "fwd_rot_accel": float(event.forward_rotation_acceleration),
        "fwd_rot_live": float(event.forward_rotation_live), "spin_rate": vector(event.spin_rate),
        "spin_accel": vector(event.spin_acceleration), "spin_live": vector(event.spin_live),
        "scale_rate": vector(event.scale_rate), "scale_accel": vector(event.scale_acceleration),
        "scale_live": vector(event.scale_live), "run_time": float(event.run_time),
    });
    let bounces: [&Bounce; 3] = [&event.bounce, &event.bounce_water, &event.bounce_lava];
    for (slot, bounce) in bounces.into_iter().enumerate() {
        value[format!("bounce_seq{slot}")] = json!(bounce.sequence.text());
        value[format!("bounce_seq{slot}_index")] = json!(bounce.sequence_index);
        value[format!("bounce_snd{slot}")] = json!(bounce.sound.0);
        value[format!("bounce_snd{slot}_speed")] = float(bounce.sound_speed);
    }
    value
}

fn puffer_state(event: &puffer::PufferState) -> Value {
    let textures: Vec<Value> = event
        .used_textures()
        .iter()
        .map(|texture| json!({"run_time": float(texture.run_time), "name": texture.name.text()}))
        .collect();
    let colors: Vec<Value> = event
        .used_colors()
        .iter()
        .map(|entry| {
            let Value::Array(mut values) = color(entry.color) else {
                unreachable!()
            };
            values.insert(0, float(entry.age));
            values.push(float(entry.alpha));
            json!(values)
        })
        .collect();
    let growths: Vec<Value> = event.used_growths().iter().copied().map(range).collect();
    json!({
        "name": event.name.text(), "puffer": event.puffer.0, "flags": event.flags.bits(),
        "node": event.node.0, "active_state": event.active_state,
        "translate": vector(event.translate), "local_velocity": vector(event.local_velocity),
        "world_velocity": vector(event.world_velocity),
        "min_random_velocity": vector(event.min_random_velocity),
        "max_random_velocity": vector(event.max_random_velocity),
        "world_acceleration": vector(event.world_acceleration),
        "interval_type": event.interval_kind.code(),
        "interval_value": float(event.interval_value), "size_range": range(event.size_range),
        "lifetime_range": range(event.lifetime_range),
        "start_age_range": range(event.start_age_range),
        "deviation_distance": float(event.deviation_distance),
        "unknown_range": range(event.near_fade), "fade_range": range(event.far_fade),
        "friction": float(event.friction), "wind_factor": float(event.wind_factor),
        "priority": float(event.priority), "number": event.number,
        "textures": {"has_run_time": event.textures_have_run_time.0, "entries": textures},
        "colors": colors, "growths": growths,
    })
}

fn object_fields(body: &EventBody) -> Option<Value> {
    Some(match body {
        EventBody::ObjectActiveState(event) => {
            json!({"state": event.active.0, "node": event.node.0, "pad": event.pad})
        }
        EventBody::ObjectTranslateState(event) => json!({
            "relative": event.relative.0, "translate": vector(event.translate),
            "node": event.node.0, "at_node": event.at_node.0,
        }),
        EventBody::ObjectScaleState(event) => {
            json!({"scale": vector(event.scale), "node": event.node.0})
        }
        EventBody::ObjectRotateState(event) => json!({
            "flags": event.basis.code(), "rotate": vector(event.rotate), "node": event.node.0,
            "at_node": event.at_node.0,
        }),
        EventBody::ObjectMotion(event) => object_motion(event),
        EventBody::ObjectMotionFromTo(event) => {
            let mut value = json!({
                "flags": event.flags.bits(), "node": event.node.0,
                "morph_from": float(event.morph.from), "morph_to": float(event.morph.to),
                "morph_delta": float(event.morph.delta), "run_time": float(event.run_time),
            });
            let channels = [
                ("translate", event.translate),
                ("rotate", event.rotate),
                ("scale", event.scale),
            ];
            for (name, channel) in channels {
                value[format!("{name}_from")] = vector(channel.from);
                value[format!("{name}_to")] = vector(channel.to);
                value[format!("{name}_delta")] = vector(channel.delta);
            }
            value
        }
        EventBody::ObjectMotionSiScript(event) => script(&event.head),
        EventBody::ObjectMotionGroup(event) => {
            let records: Vec<Value> = event
                .motions
                .iter()
                .map(|motion| script(&motion.head))
                .collect();
            json!({"count": records.len(), "records": records})
        }
        EventBody::ObjectOpacityState(event) => json!({
            "enable": event.enable.0, "has_opacity": event.has_opacity.0,
            "opacity": float(event.opacity), "node": event.node.0, "pad": event.pad,
        }),
        EventBody::ObjectOpacityFromTo(event) => json!({
            "node": event.node.0, "state_from": event.state_from, "state_to": event.state_to,
            "opacity_from": float(event.opacity_from), "opacity_to": float(event.opacity_to),
            "opacity_delta": float(event.opacity_delta), "run_time": float(event.run_time),
        }),
        EventBody::ObjectAddChild(event) => {
            json!({"parent": event.parent.0, "child": event.child.0})
        }
        EventBody::ObjectDeleteChild(event) => {
            json!({"parent": event.parent.0, "child": event.child.0})
        }
        EventBody::ObjectCycleTexture(event) => {
            json!({"flags": event.reset.0, "node": event.node.0, "frame": event.frame})
        }
        _ => return None,
    })
}

fn fields(body: &EventBody) -> Value {
    if let Some(value) = object_fields(body) {
        return value;
    }
    match body {
        EventBody::Sound(event) => json!({
            "sound": event.sound.0, "node": event.node.0, "pos": vector(event.position),
        }),
        EventBody::SoundNode(event) => json!({
            "name": event.name.text(), "sound": event.sound.0, "flags": event.flags.bits(),
            "active": event.active.0, "node": event.node.0, "translate": vector(event.translate),
        }),
        EventBody::LightState(event) => light_state(event),
        EventBody::LightAnimation(event) => json!({
            "name": event.name.text(), "light": event.light.0, "range_a": range(event.range_a),
            "range_b": range(event.range_b), "range_live": range(event.range_live),
            "color_a": color(event.color_a), "color_b": color(event.color_b),
            "color_live": color(event.color_live), "run_time": float(event.run_time),
        }),
        EventBody::CameraState(event) => json!({
            "flags": event.flags.bits(), "node": event.node.0,
            "clip_near": float(event.clip_near), "clip_far": float(event.clip_far),
            "lod_multiplier": float(event.lod_multiplier), "fov_h": float(event.fov_h),
            "fov_v": float(event.fov_v), "zoom_h": float(event.zoom_h),
            "zoom_v": float(event.zoom_v),
        }),
        EventBody::CallSequence(event) | EventBody::StopSequence(event) => sequence_call(event),
        EventBody::CallAnimation(event) => json!({
            "anim_name": event.name.text(), "operand_node": event.operand_node.0,
            "flags": event.flags.bits(), "anim_index": event.animation_index,
            "wait_index": event.wait_index.0, "node": event.node.0, "pad": event.pad,
            "position": vector(event.position), "translate": vector(event.translate),
        }),
        EventBody::StopAnimation(event) => json!({
            "anim_name": event.name.text(), "anim_ref_index": event.reference_index,
            "anim_def_index": event.definition_index,
        }),
        EventBody::ResetAnimation(event) | EventBody::InvalidateAnimation(event) => {
            animation_call(event)
        }
        EventBody::FogState(event) => json!({
            "fog_name": event.name.text(), "flags": event.flags.bits(),
            "type": event.kind.code(), "color": color(event.color),
            "altitude": range(event.altitude), "range": range(event.range),
        }),
        EventBody::Loop(event) => match event.limit {
            LoopLimit::Count { count, pad: 0 } => json!({"flags": 1, "count": count}),
            LoopLimit::RunTime(seconds) => json!({"flags": 2, "run_time": float(seconds)}),
            other => panic!("{other:?}"),
        },
        EventBody::If(event) | EventBody::ElseIf(event) => condition(event),
        EventBody::Else(_) | EventBody::EndIf(_) => json!({}),
        EventBody::Callback(event) => json!({"code": event.code}),
        EventBody::FbfxColorFromTo(event) => json!({
            "red": ramp(event.red), "green": ramp(event.green), "blue": ramp(event.blue),
            "alpha": ramp(event.alpha), "run_time": float(event.run_time),
        }),
        EventBody::DetonateWeapon(event) => json!({
            "weapon": event.weapon.text(), "node": event.node.0, "pos": vector(event.position),
        }),
        EventBody::PufferState(event) => puffer_state(event),
        EventBody::SoundAdjust(event) => json!({"raw": hex(&event.data.0)}),
        other => panic!("no mapping for {other:?}"),
    }
}

fn event(event: &Event) -> Value {
    json!({
        "type": event.body.code(),
        "name": event.body.name(),
        "start_mode": event.start.code(),
        "start_time": float(event.time),
        "size": event.length(ZipperGame::CrimsonSkies),
        "fields": fields(&event.body),
    })
}

fn sequence(sequence: &Sequence) -> Value {
    let events: Vec<Value> = sequence.events.iter().map(event).collect();
    json!({
        "name": sequence.head.name.text(),
        "seq_state": sequence.head.state.code(),
        "reset_state": sequence.head.reset_state.code(),
        "size": sequence.head.size,
        "events": events,
    })
}

/// A table whose entry 0 is shown as null.
fn table<T>(entries: &[T], entry: impl Fn(&T) -> Value) -> Value {
    let mut values: Vec<Value> = entries.iter().map(entry).collect();
    if let Some(first) = values.first_mut() {
        *first = Value::Null;
    }
    json!(values)
}

fn tables(tables: &Tables) -> Value {
    let paths: Vec<Value> = tables
        .paths
        .iter()
        .map(|entry| json!({"name": entry.name.text(), "node": entry.node}))
        .collect();
    let prerequisites: Vec<Value> = tables
        .prerequisites
        .iter()
        .map(|entry| {
            json!({
                "type": entry.kind.code(), "optional": entry.optional.0,
                "active": entry.active, "name": entry.name.text(), "ptr": entry.ptr,
            })
        })
        .collect();
    let animation_refs: Vec<Value> = tables
        .animation_refs
        .iter()
        .map(|entry| match entry.names {
            AnimationRefNames::Animation { name } => json!({
                "name": name.text(), "local_name": null, "ref_type": 0, "raw": hex(&name.0),
            }),
            AnimationRefNames::Local { name, local_name } => json!({
                "name": name.text(), "local_name": local_name.text(), "ref_type": 1,
                "raw": hex(&[name.0, local_name.0].concat()),
            }),
            AnimationRefNames::Other { kind, .. } => panic!("reference {kind}"),
        })
        .collect();
    json!({
        "paths": paths,
        "objects": table(&tables.objects, |entry| {
            let mut matrix = Vec::new();
            entry.matrix.store(&mut matrix);
            json!({
                "name": entry.name.text(), "ptr": entry.ptr, "flags": entry.short_flags,
                "root_idx": entry.root_index, "matrix_raw": hex(&matrix),
            })
        }),
        "nodes": table(&tables.nodes, |entry| json!({
            "name": entry.name.text(), "name_raw": hex(&entry.name.0.0), "flags": entry.flags,
            "root_idx": entry.root_index, "ptr": entry.ptr,
        })),
        "lights": table(&tables.lights, |entry| json!({
            "name": entry.name.text(), "flags": entry.flags, "ptr": entry.ptr,
        })),
        "puffers": table(&tables.puffers, |entry| json!({
            "name": entry.name.text(), "flags": entry.flags, "ptr": entry.ptr,
        })),
        "dynamic_sounds": table(&tables.dynamic_sounds, |entry| json!({
            "name": entry.name.text(), "flags": entry.flags, "ptr": entry.ptr,
        })),
        "static_sounds": table(&tables.static_sounds, |entry| json!({
            "name": entry.name.text(),
            "raw": hex(&[&entry.name.0[..], &entry.tail32.0, &entry.tail36.0].concat()),
        })),
        "prereqs": prerequisites,
        "anim_refs": animation_refs,
        "script_ids": tables.script_ids,
    })
}

fn definition(value: &Definition) -> Value {
    let head = &value.head;
    let mut order = vec!["sequence"; value.sequences.len()];
    if let Some(damage) = &value.damage_state {
        order.insert(damage.position, "damage");
    }
    if value.reset_state.is_some() {
        order.insert(0, "reset");
    }
    let sequences: Vec<Value> = value.sequences.iter().map(sequence).collect();
    json!({
        "anim_name": head.anim_name.text(), "anim_name_raw": hex(&head.anim_name.0),
        "name": head.name.text(), "anim_root_name": head.anim_root_name.text(),
        "anim_root_name_raw": hex(&head.anim_root_name.0), "anim_ptr": head.anim_ptr,
        "anim_root_ptr": head.anim_root_ptr, "flags": head.flags.bits(), "status": head.status,
        "activation": head.activation.code(), "execution_priority": head.execution_priority,
        "exec_by_range": range(head.execution_range), "reset_time": float(head.reset_time),
        "max_health": float(head.max_health),
        "prereq_min_to_satisfy": head.prerequisites_to_satisfy, "unk268": head.unk268,
        "tables": tables(&value.tables),
        "reset_state": value.reset_state.as_ref().map(sequence),
        "damage": value.damage_state.as_ref().map(|damage| sequence(&damage.sequence)),
        "sequences": sequences, "block_order": order,
    })
}

fn frame(frame: &Frame) -> Value {
    let spline = |axes: [[F32; 4]; 3]| {
        let mut bytes = Vec::new();
        axes.store(&mut bytes);
        hex(&bytes)
    };
    let vector_channel = |channel: &VectorChannel| {
        json!({
            "base": vector(channel.base), "delta": vector(channel.delta), "unk12": channel.unk12,
            "spline_raw": spline([channel.spline_x, channel.spline_y, channel.spline_z]),
        })
    };
    let rotation_channel = |channel: &RotationChannel| {
        let base = channel.base;
        json!({
            "base": [float(base.w), float(base.x), float(base.y), float(base.z)],
            "delta": vector(channel.delta),
            "spline_raw": spline([channel.spline_x, channel.spline_y, channel.spline_z]),
        })
    };
    let mut value = Map::new();
    let mut flags = 0;
    if let Some(channel) = &frame.translate {
        flags |= 1;
        value.insert("translate".to_owned(), vector_channel(channel));
    }
    if let Some(channel) = &frame.rotate {
        flags |= 2;
        value.insert("rotate".to_owned(), rotation_channel(channel));
    }
    if let Some(channel) = &frame.scale {
        flags |= 4;
        value.insert("scale".to_owned(), vector_channel(channel));
    }
    value.insert("flags".to_owned(), json!(flags));
    value.insert("start".to_owned(), float(frame.start_time));
    value.insert("end".to_owned(), float(frame.end_time));
    Value::Object(value)
}

/// Removes the parts of the expectation that are derived from others.
fn without(value: &Value, keys: &[&str]) -> Value {
    match value {
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, _)| !keys.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), without(value, keys)))
            .collect(),
        Value::Array(values) => values.iter().map(|value| without(value, keys)).collect(),
        other => other.clone(),
    }
}

/// A channel's value at `time`, by the frames' documented meaning.
fn evaluate(frames: &[Frame], time: f64, splines: bool) -> [Option<Vec<f64>>; 3] {
    let number = |value: F32| f64::from(value.get());
    let axes = |value: Vec3| value.to_array().map(f64::from);
    let cubic = |c: [F32; 4], dt: f64| {
        let [c0, c1, c2, c3] = c.map(number);
        c0 + dt * (c1 + dt * (c2 + dt * c3))
    };
    let mut result = [None, None, None];
    for frame in frames {
        let (start, end) = (number(frame.start_time), number(frame.end_time));
        if start > time && start > 0.0 {
            break;
        }
        let dt = (time - start).clamp(0.0, end - start);
        let moved = |channel: &VectorChannel| {
            if splines {
                [channel.spline_x, channel.spline_y, channel.spline_z].map(|c| cubic(c, dt))
            } else {
                let (base, delta) = (axes(channel.base), axes(channel.delta));
                std::array::from_fn(|axis| base[axis] + delta[axis] * dt)
            }
            .to_vec()
        };
        if let Some(channel) = &frame.translate {
            result[0] = Some(moved(channel));
        }
        if let Some(channel) = &frame.scale {
            result[2] = Some(moved(channel));
        }
        if let Some(channel) = &frame.rotate {
            let half = if splines {
                [channel.spline_x, channel.spline_y, channel.spline_z].map(|c| cubic(c, dt))
            } else {
                axes(channel.delta).map(|delta| delta * dt)
            };
            let length = half.iter().map(|h| h * h).sum::<f64>().sqrt();
            let scale = if length > 0.0 {
                length.sin() / length
            } else {
                1.0
            };
            let [x, y, z] = half.map(|h| h * scale);
            let w = length.cos();
            let base = channel.base;
            let [bw, bx, by, bz] = [base.w, base.x, base.y, base.z].map(number);
            let product = [
                w * bw - x * bx - y * by - z * bz,
                w * bx + x * bw + y * bz - z * by,
                w * by - x * bz + y * bw + z * bx,
                w * bz + x * by - y * bx + z * bw,
            ];
            let norm = product.iter().map(|q| q * q).sum::<f64>().sqrt();
            result[1] = Some(product.map(|q| q / norm).to_vec());
        }
    }
    result
}

fn assert_samples(path: &str, samples: &Value, frames: &[Frame], splines: bool) -> usize {
    let mut compared = 0;
    for sample in samples.as_array().unwrap() {
        let time = sample["t"].as_f64().unwrap();
        let values = evaluate(frames, time, splines);
        for (name, value) in ["translate", "rotate", "scale"].into_iter().zip(values) {
            let Some(expected) = sample.get(name).and_then(Value::as_array) else {
                continue;
            };
            let value = value.unwrap_or_else(|| panic!("{path}: no {name} at {time}"));
            for (expected, found) in expected.iter().zip(value) {
                let expected = expected.as_f64().unwrap();
                let tolerance = 1e-4 * expected.abs().max(1.0);
                assert!(
                    (expected - found).abs() <= tolerance,
                    "{path}.{name} at {time}: {expected} and {found}"
                );
                compared += 1;
            }
        }
    }
    compared
}

fn compare(fixture: &Fixture, file: &AnimFile) {
    let expected = fixture.json("anim.json");
    for (expected, found) in expected["base_files"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&file.base_files)
    {
        let found = json!({"path": found.path.text(), "timestamp": found.timestamp});
        assert_same("base_files", expected, &found);
    }
    let sources: Vec<Value> = file
        .sources
        .iter()
        .map(|source| {
            json!({
                "path": source.path.text(), "path_raw": hex(&source.path.0),
                "timestamp": source.timestamp,
            })
        })
        .collect();
    assert_same(
        "animation_list",
        &expected["animation_list"],
        &json!(sources),
    );
    let info = json!({
        "def_count": file.definitions.len() + 1, "defs_ptr": file.info.definitions_ptr,
        "script_count": file.scripts.len(), "scripts_ptr": file.info.scripts_ptr,
        "world_ptr": file.info.world_ptr, "gravity": float(file.info.gravity),
        "unk40": file.info.unk40,
    });
    assert_same("info", &expected["info"], &info);
    assert_eq!(expected["reserved"]["anim_name"], file.reserved.anim_name());
    assert_eq!(
        expected["reserved"]["flags"],
        file.reserved.head.flags.bits()
    );

    let definitions: Vec<Value> = file.definitions.iter().map(definition).collect();
    let stated = without(&expected["definitions"], &["offset", "length"]);
    assert_same("definitions", &stated, &json!(definitions));

    let mut compared = 0;
    let scripts = expected["scripts"].as_array().unwrap();
    assert_eq!(scripts.len(), file.scripts.len());
    for (index, (expected, found)) in scripts.iter().zip(&file.scripts).enumerate() {
        let path = format!("scripts[{index}]");
        let frames: Vec<Value> = found.frames.iter().map(frame).collect();
        let value = json!({
            "script_name": found.script_name.text(), "object_name": found.object_name.text(),
            "spline_interp": found.header.spline_interpolation.0, "frame_count": frames.len(),
            "frames": frames,
        });
        assert_same(&path, &without(expected, &["samples", "spline"]), &value);
        let splines = found.header.spline_interpolation.is_set();
        compared += assert_samples(&path, &expected["samples"], &found.frames, splines);
    }
    assert!(compared > 0);
}

#[test]
fn values_match_the_generator() {
    for fixture in fixtures() {
        if fixture.version == ZipperGame::CrimsonSkies {
            compare(&fixture, &fixture.decode());
        }
    }
}
