//! Documents as editors save them: in other encodings and notations, with lines of scripts inserted and removed.

use relicast_testing::test;
use std::fmt::Write as _;
use std::fs;

use relicast::asset::{AssetKind, Game};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::pack::pack;
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::{GAMES, SampleFile};
use serde_json::{Value as Json, json};

use crate::common::json as read_json;
use crate::place::Place;

/// A document in another notation: keys in reverse order, whole numbers without a point and others with exponents,
/// every letter escaped that can be, blanks everywhere, lines that end in CRLF.
fn rewritten(value: &Json, out: &mut String) {
    match value {
        Json::Array(items) => {
            out.push_str("[\r\n\t");
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { " ,\r\n\t" } else { "" });
                rewritten(item, out);
            }
            out.push_str("\r\n]");
        }
        Json::Object(fields) => {
            out.push('{');
            for (number, (key, field)) in fields.iter().rev().enumerate() {
                out.push_str(if number > 0 { " ,\r\n  " } else { "" });
                rewritten(&Json::from(&**key), out);
                out.push_str(" :  ");
                rewritten(field, out);
            }
            out.push('}');
        }
        Json::String(text) => {
            out.push('"');
            for unit in text.encode_utf16() {
                write!(out, "\\u{unit:04X}").unwrap();
            }
            out.push('"');
        }
        Json::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap();
            match number.fract() == 0.0 && number.abs() < 1e15 {
                true => write!(out, "{number:.0}").unwrap(),
                false => write!(out, "{number:e}").unwrap(),
            }
        }
        Json::Number(number) => match number.as_i64().filter(|it| it.abs() < 1 << 50) {
            Some(whole) => write!(out, "{whole}.0e0").unwrap(),
            None => out.push_str(&number.to_string()),
        },
        other => out.push_str(&other.to_string()),
    }
}

/// The forms in which editors save a text.
const FORMS: [fn(&str) -> Vec<u8>; 4] = [
    |text| text.into(),
    |text| ["\u{FEFF}", text].concat().into(),
    |text| {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    },
    |text| {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_be_bytes).collect()
    },
];

fn parsed(bytes: &[u8]) -> Json {
    serde_json::from_slice(bytes).unwrap()
}

#[test]
fn documents_that_were_only_reformatted_are_no_edits() {
    for game in GAMES {
        let place = Place::of(game);
        let documents = place.outputs(|output| output.path.ends_with(".json"));
        for (number, output) in documents.iter().enumerate() {
            place.edit(&output.path, |bytes| {
                let mut text = String::from(" ");
                rewritten(&parsed(&bytes), &mut text);
                text.push_str("\r\n\r\n");
                FORMS[number % FORMS.len()](&text)
            });
        }
        let packed = place.pack();
        assert_eq!(packed.edits, [], "{game:?}");
        assert_eq!(packed.files, [], "{game:?}");
        let paths: Vec<&str> = documents.iter().map(|output| &*output.path).collect();
        assert_eq!(packed.unedited, paths, "{game:?}");
        assert!(!place.path("mod").exists());
    }
}

#[test]
fn a_game_file_is_not_made_from_a_document_that_was_only_reformatted() {
    let place = Place::of(Game::Mw);
    let [edited, reformatted] =
        ["_con", "extremes"].map(|name| format!("config/zbd/reader/{name}.json"));
    place.edit(&edited, |bytes| {
        let mut document = parsed(&bytes);
        document[0][1] = json!(7);
        document.to_string().into()
    });
    place.edit(&reformatted, |bytes| {
        let mut text = String::new();
        rewritten(&parsed(&bytes), &mut text);
        text.into()
    });
    assert_eq!(place.pack().unedited, [reformatted]);
    let list = read_json(&place.path("mod/relicast-pack.json"));
    let made_from = list["made_from"]["zbd/reader.zbd"].as_object().unwrap();
    assert!(made_from.keys().eq([&edited]), "{list}");
}

#[test]
fn raw_documents_that_were_only_reformatted_are_no_edits() {
    for game in [Game::Rc, Game::Cs, Game::Eq] {
        let place = Place::empty();
        let files = relicast_samples::files(game, 1).unwrap();
        relicast_samples::write_files(&place.path("install"), &files).unwrap();
        place.convert_with("install", "out", |config| config.raw.enabled = true);
        let documents = place.outputs(|output| output.path.ends_with(".raw.json"));
        for output in &documents {
            place.edit(&output.path, |bytes| {
                let mut text = String::new();
                rewritten(&parsed(&bytes), &mut text);
                text.into()
            });
        }
        let packed = place.pack();
        assert_eq!(packed.edits, [], "{game:?}");
        assert_eq!(packed.files, [], "{game:?}");
        assert_eq!(packed.unedited.len(), documents.len(), "{game:?}");
    }
}

#[test]
fn scenes_that_were_only_reformatted_are_no_edits() {
    for game in [Game::Rc, Game::Mw, Game::Eq] {
        let place = Place::of(game);
        let scenes = place.outputs(|output| {
            output.path.ends_with(".gltf")
                && output.path.starts_with("worlds/")
                && (output.source.ends_with(".zbd") || output.source.ends_with(".s3d"))
        });
        for (number, output) in scenes.iter().enumerate() {
            place.edit(&output.path, |bytes| {
                let text = serde_json::to_string_pretty(&parsed(&bytes)).unwrap();
                FORMS[number % FORMS.len()](&text.replace('\n', "\r\n"))
            });
        }
        let packed = place.pack();
        assert_eq!(packed.files, [], "{game:?}: {:?}", packed.edits);
        assert_eq!(packed.unedited.len(), scenes.len(), "{game:?}");
    }
}

#[test]
fn edits_between_reformatted_values_are_packed_alone_in_every_encoding() {
    for form in FORMS {
        let place = Place::of(Game::Rc);
        let readers = place.outputs(|output| output.kind == AssetKind::Readers);
        let is_list =
            |output: &&ManifestOutput| read_json(&place.path("out").join(&output.path)).is_array();
        let edited = readers.iter().find(is_list).unwrap();
        let mut wanted = read_json(&place.path("out").join(&edited.path));
        let more = json!("ä: one more");
        wanted.as_array_mut().unwrap().push(more);
        let mut text = String::new();
        rewritten(&wanted, &mut text);
        place.edit(&edited.path, |_| form(&text));
        let packed = place.pack();
        assert_eq!(packed.edits.len(), 1);
        place.convert_packed();
        // Numbers keep their kind, although all were written in the other one.
        assert_eq!(read_json(&place.path("after").join(&edited.path)), wanted);
    }
}

#[test]
fn faults_are_named_with_their_place_in_every_encoding() {
    let place = Place::of(Game::Rc);
    let scripts = place.outputs(|output| output.kind == AssetKind::Scripts);
    let path = &scripts[0].path;
    let mut scripts = read_json(&place.path("out").join(path));
    scripts[0]["lines"] = json!(7_777_777);
    let mut text = String::from("\n");
    rewritten(&scripts, &mut text);
    let before = text.split("7777777").next().unwrap();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    for form in FORMS {
        place.edit(path, |_| form(&text));
        let packed = pack(&place.request()).unwrap();
        let refusal = packed.refused[0].1.to_string();
        let wanted = format!(", at line {line} column {column}");
        assert!(
            refusal.starts_with("$[0].lines: ") && refusal.ends_with(&wanted),
            "{refusal}"
        );
    }
    for (bytes, reason) in [
        (&b"\xFF\xFE[\0\0\xD8"[..], "UTF-16"),
        (b"\xFF\xFE\0\0[\0\0\0", "UTF-32"),
    ] {
        place.edit(path, |_| bytes.to_vec());
        let packed = pack(&place.request()).unwrap();
        let refusal = packed.refused[0].1.to_string();
        assert!(
            refusal.contains(reason) && refusal.contains("save it as UTF-8"),
            "{refusal}"
        );
    }
}

#[test]
fn copied_texts_are_stored_in_the_encoding_that_they_had() {
    let place = Place::of(Game::Cs);
    let edited = place.outputs(|output| {
        output
            .path
            .ends_with("crimson/assets/scripts/airframe.script")
    });
    for form in FORMS {
        place.edit(&edited[0].path, |_| form("Café – two\r\n"));
        let packed = place.pack();
        let reported = packed.edits[0].rounding.as_deref().unwrap();
        assert!(reported.contains("windows-1252"), "{reported}");
        place.convert_packed();
        let text = fs::read(place.path("after").join(&edited[0].path)).unwrap();
        assert_eq!(text, b"Caf\xE9 \x96 two\r\n");
        fs::remove_dir_all(place.path("after")).unwrap();
    }
    for form in FORMS {
        place.edit(&edited[0].path, |_| form("Кафе"));
        let refused = pack(&place.request()).unwrap().refused;
        assert!(refused[0].1.to_string().contains("'К'"), "{refused:?}");
    }
}

/// Lines of a script are edited, and what becomes of its commands.
fn edit_script(change: impl Fn(&mut Json)) -> (Place, ManifestOutput, Json) {
    let script = |lines: &[&str]| Script {
        lines: lines
            .iter()
            .map(|line| Line::from_tokens(line.split(' ')))
            .collect(),
        ..Script::default()
    };
    let scripts = [
        script(&[
            "FindNode world1",
            "Unknown 2",
            "WorldSetFogRange %NEAR% 900",
        ]),
        script(&["FindNode world2"]),
    ];
    let interp = Interp {
        scripts: scripts.into(),
        ..Interp::default()
    };
    let place = Place::new(&[SampleFile {
        path: "zbd/interp.zbd".to_owned(),
        bytes: interp::encode(&interp).unwrap(),
    }]);
    let output = place.outputs(|output| output.kind == AssetKind::Scripts)[0].clone();
    let mut wanted = Json::Null;
    place.edit(&output.path, |bytes| {
        let mut scripts = parsed(&bytes);
        assert!(scripts[0]["commands"].is_array(), "the sample has commands");
        change(&mut scripts);
        wanted = scripts.clone();
        serde_json::to_vec(&scripts).unwrap()
    });
    (place, output, wanted)
}

#[test]
fn lines_of_scripts_are_inserted_and_removed_and_commands_follow() {
    let insert: fn(&mut Json) = |scripts| {
        let lines = scripts[0]["lines"].as_array_mut().unwrap();
        lines.insert(0, "FindNode world9".into());
        lines.insert(2, "Unknown 1".into());
    };
    let remove: fn(&mut Json) = |scripts| {
        let lines = scripts[0]["lines"].as_array_mut().unwrap();
        lines.remove(0);
    };
    let left_out: fn(&mut Json) = |scripts| {
        let script = scripts[0].as_object_mut().unwrap();
        script["lines"].as_array_mut().unwrap().reverse();
        script.shift_remove("commands");
        script.shift_remove("datetime");
    };
    let empty: fn(&mut Json) = |scripts| scripts[0]["lines"] = json!([]);
    for change in [insert, remove, left_out, empty] {
        let (place, output, wanted) = edit_script(change);
        place.pack();
        place.convert_packed();
        let after = read_json(&place.path("after").join(&output.path));
        assert_eq!(after[0]["lines"], wanted[0]["lines"]);
        let commands = after[0]["commands"].as_array().cloned().unwrap_or_default();
        for command in commands {
            let line = command["line"].as_u64().unwrap() as usize;
            let text = wanted[0]["lines"][line].as_str().unwrap();
            let name = command["command"].as_str().unwrap();
            assert!(text.starts_with(name), "{command}: {text}");
        }
        for at in 1..after.as_array().unwrap().len() {
            assert_eq!(after[at], wanted[at], "other scripts are as they were");
        }
        // The old lines give the old file.
        place.convert("install", "before");
        fs::copy(
            place.path("before").join(&output.path),
            place.path("after").join(&output.path),
        )
        .unwrap();
        let back = relicast::pack::Request::new(
            &place.path("after"),
            &place.path("modded"),
            &place.path("back"),
        );
        let back = pack(&back).unwrap();
        assert_eq!(back.refused, []);
        let file = &back.files[0].0;
        let read = |folder: &str| fs::read(place.path(folder).join(file)).unwrap();
        assert!(read("back") == read("install"));
    }
}

#[test]
fn commands_that_were_edited_instead_of_lines_are_refused() {
    let (place, ..) = edit_script(|scripts| scripts[0]["commands"][0]["line"] = json!(77));
    let refused = pack(&place.request()).unwrap().refused;
    let refusal = refused[0].1.to_string();
    assert!(
        refusal.starts_with("$[0].commands[0].line is derived") && refusal.contains("edit lines"),
        "{refusal}"
    );
}
