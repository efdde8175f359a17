//! Documents that name their schema are edited like the others.

use relicast_testing::test;
use std::fs;

use relicast::asset::{AssetKind, Game};
use relicast::golden::Reading;
use relicast::pack::{Request as PackRequest, pack};
use relicast_samples::GAMES;
use serde_json::{Value, json};

use crate::common;
use crate::place::Place;

fn place(game: Game) -> Place {
    let place = Place::empty();
    let files = relicast_samples::files(game, 1).unwrap();
    relicast_samples::write_files(&place.path("install"), &files).unwrap();
    place.convert_with("install", "out", |config| config.documents.schemas = true);
    place
}

/// Changes the first number or text of a document that has this key, and returns true if there was one.
fn change(value: &mut Value, key: &str, new: &Value) -> bool {
    match value {
        Value::Object(fields) => match fields
            .get_mut(key)
            .filter(|old| old.is_string() == new.is_string())
        {
            Some(old) => {
                *old = new.clone();
                true
            }
            None => fields.values_mut().any(|field| change(field, key, new)),
        },
        Value::Array(items) => items.iter_mut().any(|item| change(item, key, new)),
        _ => false,
    }
}

#[test]
fn documents_that_name_their_schema_are_packed() {
    let mut kinds = Vec::new();
    for game in GAMES {
        let place = place(game);
        let none = pack(&PackRequest {
            reading: Reading::All,
            add: true,
            remove: true,
            ..place.request()
        });
        let none = none.unwrap();
        assert_eq!(
            (none.edits, none.strangers, none.refused),
            (vec![], vec![], vec![])
        );
        let wanted = [
            (AssetKind::Messages, "value", json!("A new text")),
            (AssetKind::Motions, "loop_time", json!(2.5)),
            (AssetKind::Maps, "r", json!(9)),
            (AssetKind::Saves, "status", json!(4)),
            (AssetKind::Saves, "cost", json!(1234)),
            (AssetKind::Animations, "run_time", json!(3.5)),
        ];
        let mut edited = Vec::new();
        for (kind, key, new) in wanted {
            let documents = place.manifest().outputs.into_iter().filter(|output| {
                output.kind == kind
                    && output.path.ends_with(".json")
                    && !edited.contains(&output.path)
                    && (kind != AssetKind::Animations || output.member.is_some())
            });
            for output in documents {
                let path = place.path("out").join(&output.path);
                let mut document = common::json(&path);
                if document.get("$schema").is_none() || !change(&mut document, key, &new) {
                    continue;
                }
                fs::write(&path, serde_json::to_vec(&document).unwrap()).unwrap();
                edited.push(output.path);
                kinds.push(kind);
                break;
            }
        }
        if game != Game::Eq {
            assert!(!edited.is_empty(), "{game}");
        }
        if edited.is_empty() {
            continue;
        }
        let packed = place.pack();
        assert_eq!(packed.edits.len(), edited.len(), "{game}");
        assert!(packed.strangers.is_empty());
        place.convert_packed_with(|config| config.documents.schemas = true);
        for edit in packed.edits.iter().filter(|edit| edit.rounding.is_none()) {
            let read = |folder: &str| common::json(&place.path(folder).join(&edit.output));
            assert_eq!(read("after"), read("out"), "{}", edit.output);
        }
    }
    kinds.sort();
    kinds.dedup();
    assert!(kinds.len() >= 5, "{kinds:?}");
}
