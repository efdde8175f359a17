//! Recoil, MechWarrior 3 and Pirate's Moon against the decode of an independent program.

mod effects;
mod events;
mod objects;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use relicast::formats::codec::{F32, FixedSize};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::{
    Activation, AnimFile, AnimationRefNames, Definition, DefinitionFlags, Frame, PrerequisiteKind,
    SequenceState, VectorChannel,
};
use relicast_testing::test;
use serde_json::{Map, Value, json};

use self::events::{Context, when};
use crate::anim::values::{assert_same, float, named_range, named_vector};
use crate::anim::{Fixture, fixtures};

fn base64(bytes: &[u8]) -> Value {
    json!(STANDARD.encode(bytes))
}

fn state(state: SequenceState) -> &'static str {
    match state {
        SequenceState::Initial => "Initial",
        SequenceState::OnCall => "OnCall",
        SequenceState::Other(other) => panic!("state {other}"),
    }
}

/// The bytes after the first NUL of a name's buffer.
fn tail(buffer: &[u8]) -> Value {
    let end = buffer.iter().position(|&byte| byte == 0).unwrap();
    base64(&buffer[end + 1..])
}

fn table<T>(entries: &[T], entry: impl Fn(&T) -> Value) -> Value {
    when(!entries.is_empty(), || {
        entries.iter().skip(1).map(entry).collect()
    })
}

fn tables(definition: &Definition, version: ZipperGame) -> Map<String, Value> {
    let tables = &definition.tables;
    let newer = version == ZipperGame::PiratesMoon;
    let prerequisites: Vec<Value> = tables
        .prerequisites
        .iter()
        .map(|entry| {
            let name = entry.name.text();
            let required = !entry.optional.is_set();
            let node = json!({
                "name": name, "required": required, "active": entry.active != 0, "ptr": entry.ptr,
            });
            match entry.kind {
                PrerequisiteKind::Animation => {
                    json!({"Animation": {"name": name, "required": required}})
                }
                PrerequisiteKind::Object => json!({"Object": node}),
                PrerequisiteKind::Parent => json!({"Parent": node}),
                PrerequisiteKind::Other(other) => panic!("prerequisite {other}"),
            }
        })
        .collect();
    let animation_refs: Vec<Value> = tables
        .animation_refs
        .iter()
        .map(|entry| match entry.names {
            AnimationRefNames::Animation { name } => json!({"CallAnimation": {
                "name": name.text(), "name_pad": tail(&name.0),
            }}),
            AnimationRefNames::Local { name, local_name } => json!({"CallObjectConnector": {
                "name": name.text(), "name_pad": tail(&name.0),
                "local_name": local_name.text(), "local_name_pad": tail(&local_name.0),
            }}),
            AnimationRefNames::Other { kind, .. } => panic!("reference {kind}"),
        })
        .collect();
    let value = json!({
        "objects": table(&tables.objects, |entry| {
            let mut matrix = Vec::new();
            entry.matrix.store(&mut matrix);
            let flags = if newer { u32::from(entry.short_flags) } else { entry.flags };
            json!({
                "name": entry.name.text(),
                "ptr": when(!newer, || json!(entry.ptr)),
                "flags": flags,
                "flags_merged": when(!newer, || json!(entry.flags_merged)),
                "affine": base64(&matrix),
            })
        }),
        "nodes": table(&tables.nodes, |entry| {
            let ptr = if newer { u32::from(entry.flags) } else { entry.ptr };
            json!({"name": entry.name.text(), "ptr": ptr})
        }),
        "lights": table(&tables.lights, |entry| {
            json!({"name": entry.name.text(), "ptr": entry.ptr})
        }),
        "puffers": table(&tables.puffers, |entry| {
            json!({"name": entry.name.text(), "flags": entry.flags >> 24, "ptr": entry.ptr})
        }),
        "dynamic_sounds": table(&tables.dynamic_sounds, |entry| {
            json!({"name": entry.name.text(), "ptr": entry.ptr})
        }),
        "static_sounds": table(&tables.static_sounds, |entry| {
            json!({"name": entry.name.text(), "pad": tail(&entry.name.0)})
        }),
        "effects": table(&tables.effects, |entry| {
            json!({"name": entry.name.text(), "index": entry.index, "pad": tail(&entry.name.0)})
        }),
        "activ_prereqs": when(!prerequisites.is_empty(), || json!(prerequisites)),
        "anim_refs": when(!animation_refs.is_empty(), || json!(animation_refs)),
    });
    value.as_object().unwrap().clone()
}

fn definition(
    definition: &Definition,
    version: ZipperGame,
    scripts: &mut Vec<Vec<Frame>>,
) -> Value {
    use DefinitionFlags as Flags;
    let head = &definition.head;
    let has = |flag| head.flags.contains(flag);
    let log = |set, on| when(has(set), || json!(version == ZipperGame::Recoil || has(on)));
    let mut context = Context {
        version,
        definition,
        scripts,
    };
    let reset_state = definition
        .reset_state
        .as_ref()
        .filter(|reset_state| !reset_state.events.is_empty())
        .map(|reset_state| {
            json!({"events": context.events(reset_state), "pointer": reset_state.head.ptr})
        });
    let sequences: Vec<Value> = definition
        .sequences
        .iter()
        .map(|sequence| {
            json!({
                "name": sequence.head.name.text(),
                "seq_state": state(sequence.head.state),
                "reset_state": state(sequence.head.reset_state),
                "events": context.events(sequence),
                "pointer": sequence.head.ptr,
            })
        })
        .collect();
    let mut value = json!({
        "name": head.name.text(),
        "anim_name": head.anim_name.text(),
        "anim_root_name": head.anim_root_name.text(),
        "has_callbacks": has(Flags::HAS_CALLBACKS),
        "auto_reset_node_states": has(Flags::AUTO_RESET_NODE_STATES),
        "local_nodes_only": has(Flags::LOCAL_NODES_ONLY),
        "proximity_damage": has(Flags::PROXIMITY_DAMAGE),
        "active": head.status == 0,
        "low_priority": head.execution_priority == 1,
        "activation": match head.activation {
            Activation::WeaponHit => "WeaponHit",
            Activation::CollideHit => "CollideHit",
            Activation::WeaponOrCollideHit => "WeaponOrCollideHit",
            Activation::OnCall => "OnCall",
            Activation::OnStartup => "OnStartup",
            Activation::Other(other) => panic!("activation {other}"),
        },
        "execution": if has(Flags::EXECUTION_BY_RANGE) {
            json!({"ByRange": named_range(head.execution_range)})
        } else if has(Flags::EXECUTION_BY_ZONE) {
            json!("ByZone")
        } else {
            json!("None")
        },
        "network_log": log(Flags::NETWORK_LOG_SET, Flags::NETWORK_LOG_ON),
        "save_log": log(Flags::SAVE_LOG_SET, Flags::SAVE_LOG_ON),
        "reset_time": when(has(Flags::RESET_TIME), || float(head.reset_time)),
        "health": float(head.max_health),
        "activ_prereq_min_to_satisfy": head.prerequisites_to_satisfy,
        "reset_state": reset_state,
        "sequences": sequences,
        "ptrs": {
            "anim_hash": null, "anim_root_hash": null,
            "seq_defs_ptr": head.sequences_ptr,
            "objects_ptr": head.objects_ptr,
            "nodes_ptr": head.nodes_ptr,
            "lights_ptr": head.lights_ptr,
            "dynamic_sounds_ptr": head.dynamic_sounds_ptr,
            "static_sounds_ptr": head.static_sounds_ptr,
            "activ_prereqs_ptr": head.prerequisites_ptr,
            "anim_refs_ptr": head.animation_refs_ptr,
            "anim_ptr": head.anim_ptr,
            "anim_root_ptr": head.anim_root_ptr,
            "puffers_ptr": head.puffers_ptr,
            "effects_ptr": head.effects_ptr,
            "reset_state_ptr": head.reset_state_ptr,
        },
    });
    value
        .as_object_mut()
        .unwrap()
        .extend(tables(definition, version));
    value
}

fn frames(frames: &[Frame], version: ZipperGame) -> Value {
    let spline = |values: [F32; 4]| {
        let mut bytes = Vec::new();
        if version != ZipperGame::Recoil {
            values.store(&mut bytes);
        }
        base64(&bytes)
    };
    let vector = |channel: &VectorChannel| {
        json!({
            "base": named_vector(channel.base),
            "delta": named_vector(channel.delta),
            "garbage": channel.unk12,
            "spline_x": spline(channel.spline_x),
            "spline_y": spline(channel.spline_y),
            "spline_z": spline(channel.spline_z),
        })
    };
    frames
        .iter()
        .map(|frame| {
            let mut value = Map::new();
            value.insert("start_time".to_owned(), float(frame.start_time));
            value.insert("end_time".to_owned(), float(frame.end_time));
            if let Some(channel) = &frame.translate {
                value.insert("translate".to_owned(), vector(channel));
            }
            if let Some(channel) = &frame.scale {
                value.insert("scale".to_owned(), vector(channel));
            }
            if let Some(channel) = &frame.rotate {
                // The reference labels the four numbers in file order x, y, z, w.
                let base = channel.base;
                let rotate = json!({
                    "base": {
                        "x": float(base.w), "y": float(base.x), "z": float(base.y),
                        "w": float(base.z),
                    },
                    "delta": named_vector(channel.delta),
                    "spline_x": spline(channel.spline_x),
                    "spline_y": spline(channel.spline_y),
                    "spline_z": spline(channel.spline_z),
                });
                value.insert("rotate".to_owned(), rotate);
            }
            Value::Object(value)
        })
        .collect()
}

/// Asserts the channels that a frame must not have.
fn assert_absent_channels(expected: &Value, found: &Value) {
    for (expected, found) in expected
        .as_array()
        .unwrap()
        .iter()
        .zip(found.as_array().unwrap())
    {
        for channel in ["translate", "rotate", "scale"] {
            let present = expected.get(channel).is_some_and(|value| !value.is_null());
            assert_eq!(present, found.get(channel).is_some());
        }
    }
}

fn compare(fixture: &Fixture, file: &AnimFile) {
    let metadata = fixture.json("metadata.json");
    assert_same("gravity", &metadata["gravity"], &float(file.info.gravity));
    let sources = metadata["anim_list"].as_array().unwrap();
    assert_eq!(sources.len(), file.sources.len());
    for (expected, source) in sources.iter().zip(&file.sources) {
        assert_eq!(expected["name"], source.path.text());
        assert_eq!(expected["datetime"], utc(source.timestamp));
    }
    if fixture.version == ZipperGame::PiratesMoon {
        assert_eq!(metadata["datetime"], utc(file.timestamp));
    }
    let names = metadata["anim_def_names"].as_array().unwrap();
    assert_eq!(names.len(), file.definitions.len());
    let mut scripts = Vec::new();
    for (name, value) in names.iter().zip(&file.definitions) {
        let name = name.as_str().unwrap();
        let found = definition(value, fixture.version, &mut scripts);
        assert_same(name, &fixture.json(&format!("{name}.json")), &found);
    }
    if fixture.version == ZipperGame::PiratesMoon {
        scripts = file
            .scripts
            .iter()
            .map(|script| script.frames.clone())
            .collect();
    }
    let names = metadata["script_names"].as_array().unwrap();
    assert_eq!(names.len(), scripts.len());
    for (index, (name, script)) in names.iter().zip(&scripts).enumerate() {
        let name = name.as_str().unwrap();
        let expected = fixture.json(&format!("{name}.json"));
        let found = frames(script, fixture.version);
        assert_same(name, &expected["frames"], &found);
        assert_absent_channels(&expected["frames"], &found);
        if let Some(script) = file.scripts.get(index) {
            assert_eq!(expected["script_name"], script.script_name.text());
            assert_eq!(expected["object_name"], script.object_name.text());
        }
    }
}

/// Unix seconds as the reference spells them; civil date from days after H. Hinnant.
fn utc(seconds: u32) -> String {
    let (days, rest) = (i64::from(seconds / 86_400), seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.0Z")
}

#[test]
fn values_match_the_independent_decode() {
    for fixture in fixtures() {
        if fixture.version != ZipperGame::CrimsonSkies {
            compare(&fixture, &fixture.decode());
        }
    }
}
