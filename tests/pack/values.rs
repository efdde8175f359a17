//! Values of documents are packed into the files that they were made from, for every format.

use relicast_testing::rounds;
use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;

use relicast::asset::{AssetKind, Game};
use relicast::pack::{Only, Request as PackRequest, pack};
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::GAMES;
use serde_json::{Value as Json, json};

use crate::common;
use crate::place::Place;

/// Pointers of the values of a document that hold no others.
fn leaves(value: &Json, pointer: String, found: &mut Vec<String>) {
    match value {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, format!("{pointer}/{index}"), found);
            }
        }
        Json::Object(fields) => {
            for (key, field) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(field, format!("{pointer}/{key}"), found);
            }
        }
        _ => found.push(pointer),
    }
}

/// Another value of the same sort, which the same place can hold.
fn another(value: &Json) -> Json {
    match value {
        Json::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap();
            let new = number.trunc() % 1e6 + 0.5;
            Json::from(if new == number { new + 1.0 } else { new })
        }
        Json::Number(number) => Json::from(number.as_i64().unwrap_or_default() ^ 1),
        Json::String(text) => Json::from(text.replace(['a', 'e', 'o'], "i")),
        other => other.clone(),
    }
}

fn only(path: &str) -> Option<Only> {
    Some(Only::new([globset::escape(path)]).unwrap())
}

/// Edits a value of each of the documents, as far as these take it, and returns path, pointer and value.
fn edit_values(
    place: &Place,
    documents: &[ManifestOutput],
    start: usize,
) -> Vec<(String, String, Json)> {
    let mut edits = Vec::new();
    for output in documents {
        let path = place.path("out").join(&output.path);
        let before = fs::read(&path).unwrap();
        let document: Json = serde_json::from_slice(&before).unwrap();
        let mut found = Vec::new();
        leaves(&document, String::new(), &mut found);
        let all = found.len();
        for at in 0..all.min(5) {
            let pointer = &found[(start + at * (all / 5).max(1)) % all];
            let mut edited = document.clone();
            let leaf = edited.pointer_mut(pointer).unwrap();
            let new = another(leaf);
            // Names of things are names of outputs.
            let is_name = output.kind == AssetKind::Animations && new.is_string();
            if new == *leaf || pointer.ends_with("name") || is_name {
                continue;
            }
            *leaf = new.clone();
            fs::write(&path, serde_json::to_vec(&edited).unwrap()).unwrap();
            let packed = pack(&PackRequest {
                only: only(&output.path),
                check: true,
                ..place.request()
            })
            .unwrap();
            if packed.refused.is_empty() && packed.edits[0].rounding.is_none() {
                edits.push((output.path.clone(), pointer.clone(), new));
                break;
            }
            // What follows from others is refused by its path.
            for (_, refusal) in &packed.refused {
                let refusal = refusal.to_string();
                let is_reported = [
                    "$",
                    "packing ",
                    "it is a secondary output",
                    "it contains data of other files",
                ]
                .iter()
                .any(|start| refusal.starts_with(start));
                assert!(is_reported, "{}: {refusal}", output.path);
            }
            fs::write(&path, &before).unwrap();
        }
    }
    edits
}

/// Packs the edits, converts, and undoes them again.
fn assert_round_trip(place: &Place, edits: &[(String, String, Json)], raw: bool) {
    let packed = pack(&place.request()).unwrap();
    assert_eq!(packed.refused, [], "{edits:?}");
    assert_eq!(packed.edits.len(), edits.len());
    place.convert_packed_with(|config| config.raw.enabled = raw);
    for (path, pointer, new) in edits {
        let wanted = common::json(&place.path("out").join(path));
        let after = common::json(&place.path("after").join(path));
        assert_eq!(after.pointer(pointer), Some(new), "{path}: {pointer}");
        assert_eq!(after, wanted, "{path}: nothing else changed");
    }
    // The edits undone give the bytes of the install.
    place.convert_with("install", "before", |config| config.raw.enabled = raw);
    for (path, ..) in edits {
        fs::copy(
            place.path("before").join(path),
            place.path("after").join(path),
        )
        .unwrap();
    }
    let back = PackRequest::new(
        &place.path("after"),
        &place.path("modded"),
        &place.path("back"),
    );
    let undone = pack(&back).unwrap();
    assert_eq!(undone.refused, []);
    assert_eq!(undone.files.len(), packed.files.len());
    for (path, _) in &undone.files {
        let restored = fs::read(place.path("back").join(path)).unwrap();
        let original = fs::read(place.path("install").join(path)).unwrap();
        // Archives of EverQuest compress anew, and texts spell numbers anew.
        let is_text = !original.contains(&0);
        let is_packed = [".s3d", ".eqg", ".pfs"]
            .iter()
            .any(|end| path.ends_with(end));
        if !is_packed && !is_text {
            assert!(restored == original, "{path}");
        }
    }
}

/// True if a document contains values of its file that can be edited: not places and sizes in archives.
fn shows_values(output: &ManifestOutput) -> bool {
    let kinds = [
        AssetKind::Animations,
        AssetKind::Saves,
        AssetKind::Maps,
        AssetKind::Motions,
        AssetKind::Other,
    ];
    let is_one = kinds.contains(&output.kind)
        || matches!(
            output.kind,
            AssetKind::Sounds | AssetKind::Worlds | AssetKind::Models
        ) && output.range.start == 0;
    // Values of a whole file with its definitions follow from these.
    let is_index = output.kind == AssetKind::Animations && output.member.is_none();
    is_one && !is_index && output.path.ends_with(".json") && !output.path.ends_with(".raw.json")
}

#[test]
fn values_of_documents_are_packed_in_every_game() {
    let mut kinds: BTreeMap<(Game, AssetKind), usize> = BTreeMap::new();
    for (start, game) in GAMES.into_iter().enumerate() {
        let place = Place::of(game);
        let mut documents: Vec<_> = place.outputs(shows_values);
        // A few of each kind, others with each game.
        let mut seen: BTreeMap<AssetKind, usize> = BTreeMap::new();
        let first = start * 3 % documents.len();
        documents.rotate_left(first);
        documents.retain(|output| {
            let seen = seen.entry(output.kind).or_default();
            *seen += 1;
            *seen <= rounds(2, 5)
        });
        let edits = edit_values(&place, &documents, start);
        assert!(!edits.is_empty(), "{game:?}");
        for (path, ..) in &edits {
            let output = documents
                .iter()
                .find(|output| output.path == *path)
                .unwrap();
            *kinds.entry((game, output.kind)).or_default() += 1;
        }
        assert_round_trip(&place, &edits, false);
    }
    for (game, kind) in [
        (Game::Rc, AssetKind::Animations),
        (Game::Rc, AssetKind::Maps),
        (Game::Rc, AssetKind::Saves),
        (Game::Mw, AssetKind::Animations),
        (Game::Mw, AssetKind::Motions),
        (Game::Mw, AssetKind::Saves),
        (Game::Pm, AssetKind::Animations),
        (Game::Cs, AssetKind::Animations),
        (Game::Cs, AssetKind::Saves),
        (Game::Eq, AssetKind::Sounds),
        (Game::Eq, AssetKind::Maps),
        (Game::Eq, AssetKind::Other),
    ] {
        assert!(
            kinds.contains_key(&(game, kind)),
            "{game:?}, {kind:?}: {kinds:?}"
        );
    }
}

#[test]
fn raw_documents_are_packed_in_every_game() {
    let mut kinds = BTreeMap::new();
    for (start, game) in GAMES.into_iter().enumerate() {
        let place = Place::of(game);
        place.convert_with("install", "out", |config| config.raw.enabled = true);
        let mut documents = place.outputs(|output| output.path.ends_with(".raw.json"));
        // One of each ending of sources is enough.
        let mut seen = Vec::new();
        documents.retain(|output| {
            let name = output
                .member
                .as_deref()
                .unwrap_or(&output.source)
                .to_lowercase();
            let ending = name.rsplit('.').next().unwrap_or_default().to_owned();
            let kind = (output.kind, ending);
            let fits = output.size < rounds(30_000, 120_000) as u64;
            let is_new = fits && !seen.contains(&kind);
            if is_new {
                seen.push(kind);
            }
            is_new
        });
        // Of members and their archive, the members.
        let sources: Vec<_> = documents
            .iter()
            .filter(|output| output.member.is_some())
            .map(|output| output.source.clone())
            .collect();
        documents.retain(|output| output.member.is_some() || !sources.contains(&output.source));
        let edits = edit_values(&place, &documents, start);
        for (path, ..) in &edits {
            let output = documents
                .iter()
                .find(|output| output.path == *path)
                .unwrap();
            *kinds.entry(output.kind).or_insert(0) += 1;
        }
        assert_round_trip(&place, &edits, true);
    }
    assert!(kinds.len() >= 6, "{kinds:?}");
}

#[test]
fn values_under_the_name_of_their_kind_are_packed() {
    let place = Place::of(Game::Eq);
    place.convert_with("install", "out", |config| config.raw.enabled = true);
    let endings = [".ani", ".lit"];
    let documents = place.outputs(|output| {
        let member = output.member.as_deref().unwrap_or_default().to_lowercase();
        output.path.ends_with(".raw.json") && endings.iter().any(|end| member.ends_with(end))
    });
    let mut edits = Vec::new();
    for output in &documents {
        let path = place.path("out").join(&output.path);
        let mut document = common::json(&path);
        assert_eq!(document.as_object().unwrap().len(), 1, "{}", output.path);
        let mut found = Vec::new();
        leaves(&document, String::new(), &mut found);
        let is_value = |pointer: &&String| {
            ["/translation/y", "/colors/0/1"]
                .iter()
                .any(|end| pointer.ends_with(end))
        };
        let pointer = found.iter().find(is_value).unwrap().clone();
        let leaf = document.pointer_mut(&pointer).unwrap();
        *leaf = another(leaf);
        edits.push((output.path.clone(), pointer, leaf.clone()));
        fs::write(&path, serde_json::to_vec(&document).unwrap()).unwrap();
    }
    assert!(edits.len() >= endings.len(), "{edits:?}");
    assert_round_trip(&place, &edits, true);
}

#[test]
fn a_slower_door_is_slower_and_what_comes_after_it_later() {
    for game in [Game::Rc, Game::Mw, Game::Pm, Game::Cs] {
        let place = Place::of(game);
        let definitions = place.outputs(|output| {
            output.kind == AssetKind::Animations
                && output.member.is_some()
                && output.path.ends_with(".json")
        });
        let slowed = definitions.iter().find_map(|output| {
            let path = place.path("out").join(&output.path);
            let before = fs::read(&path).unwrap();
            let mut document = common::json(&path);
            let mut found = Vec::new();
            leaves(&document, String::new(), &mut found);
            let pointer = found
                .into_iter()
                .find(|pointer| pointer.ends_with("/run_time"))?;
            let time = document.pointer_mut(&pointer).unwrap();
            *time = json!(time.as_f64().unwrap() * 3.0 + 0.25);
            let time = time.clone();
            fs::write(&path, serde_json::to_vec(&document).unwrap()).unwrap();
            Some((output.path.clone(), pointer, time, before))
        });
        let (path, pointer, time, before) = slowed.unwrap();
        let packed = place.pack();
        let reported = packed.edits[0]
            .rounding
            .as_deref()
            .unwrap_or("nothing follows");
        assert!(reported.contains("follow"), "{reported}");
        place.convert_packed();
        let after = common::json(&place.path("after").join(&path));
        assert_eq!(after.pointer(&pointer), Some(&time), "{path}");
        // The document as it was undoes it, with all that followed.
        fs::write(place.path("after").join(&path), before).unwrap();
        let [out, install, back] = ["after", "modded", "back"].map(|folder| place.path(folder));
        let undone = pack(&PackRequest::new(&out, &install, &back)).unwrap();
        assert_eq!(undone.refused, [], "{game:?}");
        let file = &undone.files[0].0;
        let read = |folder: &str| fs::read(place.path(folder).join(file)).unwrap();
        assert!(read("back") == read("install"), "{game:?}");
    }
}

#[test]
fn keys_in_another_order_say_the_same() {
    let place = Place::of(Game::Cs);
    let planes = place.outputs(|output| output.kind == AssetKind::Saves);
    place.edit(&planes[0].path, |bytes| {
        let document: Json = serde_json::from_slice(&bytes).unwrap();
        let fields: BTreeMap<String, Json> =
            document.as_object().unwrap().clone().into_iter().collect();
        let mut sorted = serde_json::to_value(fields).unwrap();
        sorted["cost"] = json!(9001);
        serde_json::to_vec(&sorted).unwrap()
    });
    let packed = place.pack();
    assert_eq!(packed.edits[0].rounding, None);
    place.convert_packed();
    let read = |folder: &str| common::json(&place.path(folder).join(&planes[0].path));
    assert_eq!(read("after"), read("out"));
}

#[test]
fn nothing_is_added_to_documents_of_values() {
    let place = Place::of(Game::Mw);
    let save = place.outputs(|output| output.kind == AssetKind::Saves);
    place.edit(&save[0].path, |bytes| {
        let mut document: Json = serde_json::from_slice(&bytes).unwrap();
        document["sections"][0]["color"] = json!("red");
        serde_json::to_vec(&document).unwrap()
    });
    let packed = pack(&place.request()).unwrap();
    let refusal = packed.refused[0].1.to_string();
    assert!(
        refusal.starts_with("$.sections[0]: found the new key color"),
        "{refusal}"
    );
    assert!(!place.path("mod").exists());
}

#[test]
fn messages_of_all_languages_are_packed() {
    for game in [Game::Rc, Game::Mw, Game::Pm, Game::Cs] {
        let place = Place::of(game);
        let edited = place.outputs(|output| output.kind == AssetKind::Messages);
        for (number, output) in edited.iter().enumerate() {
            place.edit(&output.path, |bytes| {
                let mut document: Json = serde_json::from_slice(&bytes).unwrap();
                for entry in document["entries"].as_array_mut().unwrap() {
                    if let Some(text) = entry["value"].as_str() {
                        // Keys that share a text say the same.
                        let text = format!("{text} {}", "more ".repeat(number * 40 + 1));
                        entry["value"] = json!(text.trim_end());
                    }
                }
                serde_json::to_vec(&document).unwrap()
            });
        }
        let packed = place.pack();
        assert_eq!(packed.edits.len(), edited.len());
        place.convert_packed();
        for output in &edited {
            let wanted = common::json(&place.path("out").join(&output.path));
            let after = common::json(&place.path("after").join(&output.path));
            assert_eq!(after, wanted, "{}", output.path);
        }
        place.assert_others_unchanged(&edited);
    }
}

#[test]
fn keys_and_shared_texts_of_messages_are_refused_by_their_path() {
    let place = Place::of(Game::Rc);
    let output = place
        .outputs(|output| output.kind == AssetKind::Messages)
        .remove(0);
    let before = fs::read(place.path("out").join(&output.path)).unwrap();
    for (pointer, new, reported) in [
        (
            "/entries/0/key",
            json!("MSG_OTHER"),
            "$.entries[0].key: expected MSG_OBJECTIVE_RIDGE",
        ),
        (
            "/entries/0/id",
            json!(11),
            "$.entries[0].id: expected 10, found 11",
        ),
        (
            "/entries/1/value",
            json!(null),
            "$.entries[1].value: expected a text",
        ),
        ("/entries/1/value", json!("Ж"), "code page 1252"),
        (
            "/language_id",
            json!(9),
            "$.language_id: expected a language",
        ),
    ] {
        let mut document: Json = serde_json::from_slice(&before).unwrap();
        *document.pointer_mut(pointer).unwrap() = new;
        place.edit(&output.path, |_| serde_json::to_vec(&document).unwrap());
        let packed = pack(&place.request()).unwrap();
        let refusal = packed.refused[0].1.to_string();
        assert!(refusal.contains(reported), "{refusal}");
    }
    assert!(!place.path("mod").exists());
}

#[test]
fn frames_and_outlines_are_added() {
    let place = Place::of(Game::Mw);
    let edited = place.outputs(|output| output.kind == AssetKind::Motions);
    place.edit(&edited[0].path, |bytes| {
        let mut document: Json = serde_json::from_slice(&bytes).unwrap();
        for part in document["parts"].as_array_mut().unwrap() {
            let frames = part["frames"].as_array_mut().unwrap();
            let mut last = frames.last().unwrap().clone();
            last["translation"]["y"] = json!(2.5);
            frames.push(last);
        }
        let frames = document["frame_count"].as_u64().unwrap();
        document["frame_count"] = json!(frames + 1);
        serde_json::to_vec(&document).unwrap()
    });
    place.pack();
    place.convert_packed();
    let read = |folder: &str, path: &str| common::json(&place.path(folder).join(path));
    assert_eq!(read("after", &edited[0].path), read("out", &edited[0].path));

    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.kind == AssetKind::Maps);
    place.edit(&edited[0].path, |bytes| {
        let mut document: Json = serde_json::from_slice(&bytes).unwrap();
        let features = document["features"].as_array_mut().unwrap();
        let mut first = features[0].clone();
        first["color"]["r"] = json!(7);
        features.push(first);
        serde_json::to_vec(&document).unwrap()
    });
    place.pack();
    place.convert_packed();
    let read = |folder: &str, path: &str| common::json(&place.path(folder).join(path));
    assert_eq!(read("after", &edited[0].path), read("out", &edited[0].path));
    // Colors have eight bits.
    place.edit(&edited[0].path, |bytes| {
        String::from_utf8(bytes)
            .unwrap()
            .replacen("\"r\":7", "\"r\":700", 1)
            .into()
    });
    let refusal = pack(&place.request()).unwrap().refused[0].1.to_string();
    assert!(
        refusal.contains(".color.r: ") && refusal.contains("line 1"),
        "{refusal}"
    );
}

/// Writes another value into a document of the outputs.
fn set(place: &Place, path: &str, pointer: &str, new: Json) {
    place.edit(path, |bytes| {
        let mut document: Json = serde_json::from_slice(&bytes).unwrap();
        *document.pointer_mut(pointer).unwrap() = new;
        serde_json::to_vec(&document).unwrap()
    });
}

/// A map of Recoil and its raw document show the same file.
#[test]
fn documents_of_one_file_are_packed_together() {
    let place = Place::of(Game::Rc);
    place.convert_with("install", "out", |config| config.raw.enabled = true);
    let (map, raw) = ("worlds/maps/m2.json", "worlds/maps/m2.raw.json");
    set(&place, map, "/features/0/color/r", json!(41));
    set(&place, raw, "/features/0/color/g", json!(91));
    let packed = pack(&place.request()).unwrap();
    assert_eq!(packed.refused, []);
    for edit in &packed.edits {
        let reported = edit.rounding.as_deref().unwrap_or_default();
        let expected = "1 value of the document comes from other edits of its file";
        assert!(
            reported.starts_with(expected),
            "{}: {reported}",
            edit.output
        );
    }
    place.convert_packed_with(|config| config.raw.enabled = true);
    for path in [map, raw] {
        let after = common::json(&place.path("after").join(path));
        let color = |part: &str| after["features"][0]["color"][part].as_u64();
        assert_eq!((color("r"), color("g")), (Some(41), Some(91)), "{path}");
    }
    // Of two edits that contradict each other, neither is packed.
    set(&place, raw, "/features/0/color/r", json!(42));
    let packed = pack(&place.request()).unwrap();
    let refused: Vec<_> = packed.refused.iter().collect();
    assert!(!refused.is_empty() && packed.files.is_empty());
    assert!(
        refused[0]
            .1
            .to_string()
            .contains("by another edit of its file"),
        "{refused:?}"
    );
}
