//! Values of definitions and events.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{common, document, flat, index, list, named, stored, table, with_game};

/// `ObjectActiveState` as `OBJECT_ACTIVE_STATE`.
fn source_name(name: &str) -> String {
    let mut converted = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            converted.push('_');
        }
        converted.push(letter.to_ascii_uppercase());
    }
    match &*converted {
        "FBFX_CSINWAVE_FROM_TO" | "FBFX_COLOR_FROM_TO" => converted,
        "ELSE_IF" => "ELSEIF".to_owned(),
        "END_IF" => "ENDIF".to_owned(),
        _ => converted,
    }
}

/// Compares an event with that of the reference, which shows each as `{start, data: {Kind: fields}}`.
fn compare_event(
    actual: &Value,
    expected: &Value,
    names: &dyn Fn(&str, i64) -> Option<String>,
    scripts: &mut Vec<Value>,
) {
    let (kind, fields) = expected["data"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(
        actual["event"],
        Value::from(source_name(kind)),
        "{expected}"
    );
    let start = &expected["start"];
    if start.is_null() {
        assert!(actual.get("at").is_none(), "{actual}");
    } else {
        let clock = start["offset"].as_str().unwrap().to_lowercase();
        assert_eq!(actual["at"]["clock"], Value::from(clock));
        common::assert_same(&actual["at"]["time"], &start["time"], "time");
    }
    if kind == "ObjectMotionSiScript" {
        scripts.push(actual.clone());
    }
    table::compare(&named::kind(kind), actual, fields, names);
}

fn compare_definition(actual: &Value, expected: &Value, scripts: &mut Vec<Value>) -> usize {
    assert_eq!(actual["name"], expected["name"]);
    assert_eq!(actual["animation"], expected["anim_name"]);
    assert_eq!(actual["root"], expected["anim_root_name"]);
    assert_eq!(actual["enabled"], expected["active"]);
    let activation = source_name(expected["activation"].as_str().unwrap()).to_lowercase();
    assert_eq!(actual["activation"], Value::from(activation));
    for key in ["network_log", "save_log", "reset_time"] {
        let given = actual.get(key).cloned().unwrap_or_default();
        assert_eq!(given, expected[key], "{key}");
    }
    let range = &expected["execution"]["ByRange"];
    if range.is_object() {
        assert_eq!(actual["range"]["min_squared"], range["min"]);
        assert_eq!(actual["range"]["max_squared"], range["max"]);
    } else {
        assert!(actual.get("range").is_none());
    }
    let names = |list: &Value| -> Vec<Value> {
        let entries = super::list(list).iter();
        entries.map(|entry| entry["name"].clone()).collect()
    };
    for table in [
        "objects",
        "nodes",
        "lights",
        "puffers",
        "dynamic_sounds",
        "static_sounds",
    ] {
        let given = list(&actual["tables"][table]).to_vec();
        assert_eq!(given, names(&expected[table]), "{table}");
    }
    for (given, wanted) in list(&actual["prerequisites"]["list"])
        .iter()
        .zip(list(&expected["activ_prereqs"]))
    {
        let (kind, wanted) = wanted.as_object().unwrap().iter().next().unwrap();
        assert_eq!(given["kind"], Value::from(kind.to_lowercase()));
        assert_eq!(given["name"], wanted["name"]);
        assert_ne!(given["optional"], wanted["required"]);
    }
    assert_eq!(
        list(&actual["prerequisites"]["list"]).len(),
        list(&expected["activ_prereqs"]).len()
    );
    // Tables have a reserved first entry that the reference leaves out.
    let names_of = |table: &str, index: i64| -> Option<String> {
        let place = usize::try_from(index.checked_sub(1)?).ok()?;
        let entry = list(&expected[table]).get(place)?;
        entry["name"].as_str().map(str::to_owned)
    };
    let mut blocks = vec![(&actual["reset"], &expected["reset_state"])];
    let sequences = list(&actual["sequences"]);
    assert_eq!(sequences.len(), list(&expected["sequences"]).len());
    blocks.extend(sequences.iter().zip(list(&expected["sequences"])));
    let mut compared = 0;
    for (given, wanted) in blocks {
        let (events, expected) = (flat(&given["events"]), list(&wanted["events"]));
        assert_eq!(events.len(), expected.len(), "{}", given["name"]);
        for (event, expected) in events.iter().zip(expected) {
            compare_event(event, expected, &names_of, scripts);
            compared += 1;
        }
    }
    for (given, wanted) in sequences.iter().zip(list(&expected["sequences"])) {
        assert_eq!(given["name"], wanted["name"]);
        let starts = match wanted["seq_state"].as_str().unwrap() {
            "Initial" => "with_animation",
            _ => "on_call",
        };
        assert_eq!(given["starts"], Value::from(starts));
    }
    compared
}

/// Compares a row of key frames with a frame of the reference, which labels the stored order w, x, y, z
/// of quaternions as x, y, z, w.
fn compare_frame(row: &Value, frame: &Value) {
    let vector = |value: &Value| -> Vec<Value> {
        ["x", "y", "z"]
            .iter()
            .map(|axis| value[axis].clone())
            .collect()
    };
    let quaternion = |value: &Value| -> Vec<Value> {
        let axes = ["x", "y", "z", "w"].iter();
        axes.map(|axis| value[axis].clone()).collect()
    };
    let same = |column: usize, expected: Option<Vec<Value>>| match expected {
        Some(expected) => common::assert_same(&row[column], &Value::from(expected), "frame"),
        None => assert!(row[column].is_null(), "{row}"),
    };
    common::assert_same(&row[0], &frame["start_time"], "start");
    common::assert_same(&row[1], &frame["end_time"], "end");
    for (column, channel) in [(2, "translate"), (4, "rotate"), (6, "scale")] {
        let channel = Some(&frame[channel]).filter(|channel| channel.is_object());
        let base = |it: &Value| match column {
            4 => quaternion(&it["base"]),
            _ => vector(&it["base"]),
        };
        same(column, channel.map(base));
        same(column + 1, channel.map(|channel| vector(&channel["delta"])));
    }
}

/// Compares the container of a game with the reference.
fn compare_container(game: &str, container: &str, source: &str) {
    with_game(game, |expect, out| {
        let expect = expect.join(source);
        let metadata = common::json(&expect.join("metadata.json"));
        let index = index(out, container);
        common::assert_same(&index["gravity"], &metadata["gravity"], "gravity");
        let entries = list(&index["definitions"]);
        let names = list(&metadata["anim_def_names"]);
        assert_eq!(entries.len(), names.len());
        let (mut scripts, mut events) = (Vec::new(), 0);
        for (entry, name) in entries.iter().zip(names) {
            let expected = format!("{}.json", name.as_str().unwrap());
            let expected = common::json(&expect.join(expected));
            events += compare_definition(&document(out, entry), &expected, &mut scripts);
        }
        assert!(events > 80, "{events}");
        let names = list(&metadata["script_names"]);
        let mut frames = 0;
        for (place, name) in names.iter().enumerate() {
            let path = expect.join(format!("{}.json", name.as_str().unwrap()));
            let expected = common::json(&path);
            // In the pool, or in the order of the events that hold them.
            let pooled = scripts.iter().find(|script| {
                script["script"]["pool_index"] == place && script["frames"].is_array()
            });
            let given = match scripts.iter().any(|script| script.get("script").is_some()) {
                true => pooled,
                false => scripts.get(place),
            };
            let unused = list(&index["unused_scripts"]);
            let given = given.or_else(|| unused.iter().find(|it| it["pool_index"] == place));
            let rows = list(&given.unwrap()["frames"]);
            assert_eq!(rows.len(), list(&expected["frames"]).len(), "{name}");
            for (row, frame) in rows.iter().zip(list(&expected["frames"])) {
                compare_frame(row, frame);
                frames += 1;
            }
        }
        assert!(frames > 40, "{frames}");
    });
}

#[test]
fn recoil_says_what_the_reference_says() {
    compare_container("rc", "zbd/m1/anim", "zbd/m1/anim.zbd");
}

#[test]
fn mechwarrior_says_what_the_reference_says() {
    compare_container("mw", "zbd/c1/anim", "zbd/c1/anim.zbd");
}

#[test]
fn pirates_moon_says_what_the_reference_says() {
    compare_container("pm", "zbd/c1/anim", "zbd/c1/anim.zbd");
}

/// Compares an event with that of the generator, whose fields are the stored ones.
fn compare_stored(actual: &Value, expected: &Value, names: &dyn Fn(&str, i64) -> Option<String>) {
    assert_eq!(actual["event"], expected["name"], "{expected}");
    assert_eq!(actual["type"], expected["type"], "{expected}");
    if let Some(at) = actual.get("at") {
        let clock = ["", "animation", "sequence", "event"];
        let mode = usize::try_from(expected["start_mode"].as_u64().unwrap()).unwrap();
        assert_eq!(at["clock"], clock[mode]);
        common::assert_same(&at["time"], &expected["start_time"], "time");
    } else {
        assert_eq!(
            (&expected["start_mode"], &expected["start_time"]),
            (&1.into(), &0.0.into())
        );
    }
    let kind = stored::kind(expected["type"].as_u64().unwrap());
    table::compare(&kind, actual, &expected["fields"], names);
}

#[test]
fn crimson_skies_says_what_the_generator_says() {
    with_game("cs", |expect, out| {
        let mut events = 0;
        for (container, source) in [
            ("zbd/c1/cam_anim", "ZBD/C1/cam_anim.zbd"),
            ("zbd/c1/m01/mis_anim", "ZBD/C1/M01/mis_anim.zbd"),
        ] {
            let expected = common::json(&expect.join(source).join("anim.json"));
            let index = index(out, container);
            let entries = list(&index["definitions"]);
            let definitions = list(&expected["definitions"]);
            assert_eq!(entries.len(), definitions.len());
            let mut tables: BTreeMap<u64, Value> = BTreeMap::new();
            let mut note_table = |event: &Value| {
                if let (Some(pool), Some(frames)) =
                    (event["script"]["pool_index"].as_u64(), event.get("frames"))
                {
                    tables.insert(pool, frames.clone());
                }
            };
            for (entry, expected) in entries.iter().zip(definitions) {
                let given = document(out, entry);
                assert_eq!(given["animation"], expected["anim_name"]);
                assert_eq!(given["name"], expected["name"]);
                assert_eq!(given["root"], expected["anim_root_name"]);
                assert_eq!(given["priority"], expected["execution_priority"]);
                let sequences = list(&given["sequences"]);
                assert_eq!(sequences.len(), list(&expected["sequences"]).len());
                let names = |table: &str, index: i64| -> Option<String> {
                    let entries = list(&expected["tables"][table]);
                    let entry = entries.get(usize::try_from(index).ok()?)?;
                    entry["name"].as_str().map(str::to_owned)
                };
                let mut blocks = vec![
                    (&given["reset"], &expected["reset_state"]),
                    (&given["damage"], &expected["damage"]),
                ];
                blocks.extend(sequences.iter().zip(list(&expected["sequences"])));
                for (given, wanted) in blocks {
                    let found = flat(&given["events"]);
                    let wanted = list(&wanted["events"]);
                    assert_eq!(found.len(), wanted.len(), "{}", given["name"]);
                    for (event, wanted) in found.iter().zip(wanted) {
                        compare_stored(event, wanted, &names);
                        note_table(event);
                        list(&event["motions"]).iter().for_each(&mut note_table);
                        events += 1;
                    }
                }
            }
            list(&index["unused_scripts"]).iter().for_each(|script| {
                tables.insert(
                    script["pool_index"].as_u64().unwrap(),
                    script["frames"].clone(),
                );
            });
            compare_scripts(&tables, list(&expected["scripts"]));
        }
        assert!(events > 100, "{events}");
    });
}

fn compare_scripts(tables: &BTreeMap<u64, Value>, scripts: &[Value]) {
    assert_eq!(tables.len(), scripts.len(), "every script once");
    for (table, script) in tables.values().zip(scripts) {
        let frames = list(&script["frames"]);
        assert_eq!(list(table).len(), frames.len());
        for (row, frame) in list(table).iter().zip(frames) {
            common::assert_same(&row[0], &frame["start"], "start");
            common::assert_same(&row[1], &frame["end"], "end");
            for (column, channel) in [(2, "translate"), (4, "rotate"), (6, "scale")] {
                if let Some(channel) = frame.get(channel).filter(|it| it.is_object()) {
                    common::assert_same(&row[column], &channel["base"], "base");
                    let finite = list(&channel["delta"]).iter().all(Value::is_f64);
                    if finite {
                        common::assert_same(&row[column + 1], &channel["delta"], "delta");
                    }
                } else {
                    assert!(row[column].is_null() && row[column + 1].is_null());
                }
            }
            let splines = script["spline_interp"] == 1;
            assert_eq!(list(row).len(), if splines { 11 } else { 8 });
            let spline = &frame["translate"]["spline"];
            if splines && spline.is_array() {
                let plain = |value: &Value| {
                    let rows = list(value).iter().flat_map(list);
                    rows.cloned().collect::<Vec<_>>()
                };
                for (given, wanted) in plain(&row[8]).iter().zip(plain(spline)) {
                    if given.is_f64() && wanted.is_f64() {
                        common::assert_same(given, &wanted, "spline");
                    }
                }
            }
        }
    }
}

#[test]
fn stale_memory_is_in_the_typed_decode_only() {
    let root = common::fixtures("zipper");
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings.toml");
    std::fs::write(&settings, "[raw]\nenabled = true\n").unwrap();
    let out = folder.path().join("out");
    let mut command = common::convert(&root.join("mw/zbd/c1/anim.zbd"), &out, &["-q"]);
    command.arg("--config").arg(&settings).assert().success();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let raw = common::files(&out.join("animations"));
    let raw: Vec<&String> = raw
        .iter()
        .filter(|path| path.ends_with(".raw.json"))
        .collect();
    let [raw] = &*raw else {
        panic!("one typed decode: {raw:?}");
    };
    assert!(read(&out.join("animations").join(raw)).contains("_ptr"));
    for path in common::files(&out.join("animations")) {
        if !path.ends_with(".raw.json") {
            assert!(
                !read(&out.join("animations").join(&path)).contains("_ptr"),
                "{path}"
            );
        }
    }
}
