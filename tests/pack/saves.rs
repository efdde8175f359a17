//! Sections of saves that come, go and grow.

use relicast_testing::test;
use std::fs;

use relicast::asset::{AssetKind, Game};
use relicast::pack::{Request as PackRequest, pack};
use relicast_samples::SampleFile;
use serde_json::{Value, json};

use crate::common;
use crate::place::Place;

/// A place with a save, and the document of it.
fn place(game: Game, file: &str) -> (Place, String) {
    let place = Place::of(game);
    let document = document(&place, file);
    (place, document)
}

fn document(place: &Place, file: &str) -> String {
    let documents = place.outputs(|output| {
        output.kind == AssetKind::Saves
            && output.source.ends_with(file)
            && output.path.ends_with(".json")
    });
    documents[0].path.clone()
}

impl Place {
    fn edit_json(&self, path: &str, edit: impl FnOnce(&mut Value)) {
        let path = self.path("out").join(path);
        let mut document = common::json(&path);
        edit(&mut document);
        fs::write(path, serde_json::to_vec(&document).unwrap()).unwrap();
    }
}

/// A document without what follows from its sections.
fn essence(mut document: Value) -> Value {
    for section in document["sections"].as_array_mut().unwrap() {
        let section = section.as_object_mut().unwrap();
        section.shift_remove("offset");
        section.shift_remove("length");
    }
    document
}

/// Places of the sections of a document.
fn places(document: &Value) -> Vec<[Value; 2]> {
    let sections = document["sections"].as_array().unwrap().iter();
    let places = sections.map(|section| [section["offset"].clone(), section["length"].clone()]);
    places.collect()
}

/// Packs the edit, converts, and undoes it by the document of the install.
fn assert_round_trip(place: &Place, path: &str) {
    let packed = place.pack();
    assert_eq!(packed.files.len(), 1);
    place.convert_packed();
    let read = |folder: &str| common::json(&place.path(folder).join(path));
    let (edited, after) = (read("out"), read("after"));
    let reported = packed.edits[0].rounding.as_deref().unwrap_or_default();
    let is_reported = reported.contains("of the document follow");
    assert!(
        is_reported || places(&edited) == places(&after),
        "{reported}"
    );
    assert_eq!(essence(after), essence(edited));
    place.convert("install", "before");
    fs::copy(
        place.path("before").join(path),
        place.path("after").join(path),
    )
    .unwrap();
    let back = PackRequest::new(
        &place.path("after"),
        &place.path("modded"),
        &place.path("back"),
    );
    let undone = pack(&back).unwrap();
    assert_eq!(undone.refused, []);
    let file = &undone.files[0].0;
    let bytes = |folder: &str| fs::read(place.path(folder).join(file)).unwrap();
    assert!(bytes("back") == bytes("install"), "{file}");
}

/// Places of the sections of an owner.
fn owned(document: &Value, owner: &str) -> Vec<usize> {
    let sections = document["sections"].as_array().unwrap().iter().enumerate();
    let own = sections
        .filter(|(_, section)| section["name"].as_str().unwrap().split('/').next() == Some(owner));
    own.map(|(index, _)| index).collect()
}

#[test]
fn sections_of_recoil_come_with_values_of_their_own_and_go() {
    let (place, path) = place(Game::Rc, "ridge at dawn");
    let before = common::json(&place.path("out").join(&path));
    let owners = ["Pickup", "Mines", "VehicleList"];
    let owner = owners
        .iter()
        .find(|owner| !owned(&before, owner).is_empty())
        .unwrap();
    place.edit_json(&path, |document| {
        let model = owned(document, owner)[0];
        let sections = document["sections"].as_array_mut().unwrap();
        let mut new = sections[model].clone();
        new["name"] = json!(format!("{owner}/brand new"));
        new.as_object_mut().unwrap().shift_remove("offset");
        let number = first_float(&mut new["value"]).unwrap();
        *number = json!(number.as_f64().unwrap() + 2.5);
        sections.insert(model + 1, new);
    });
    assert_round_trip(&place, &path);
    // Gone again, and one more with it.
    let (place, path) = self::place(Game::Rc, "ridge at dawn");
    place.edit_json(&path, |document| {
        let gone = owned(document, owner)[0];
        document["sections"].as_array_mut().unwrap().remove(gone);
    });
    place.pack();
    place.convert_packed();
    let read = |folder: &str| essence(common::json(&place.path(folder).join(&path)));
    assert_eq!(read("after"), read("out"));
}

/// The first number with a point.
fn first_float(value: &mut Value) -> Option<&mut Value> {
    if value.is_f64() {
        return Some(value);
    }
    match value {
        Value::Object(fields) => fields.values_mut().find_map(first_float),
        Value::Array(items) => items.iter_mut().find_map(first_float),
        _ => None,
    }
}

#[test]
fn lists_that_a_section_counts_grow_and_shrink() {
    let mut lists = 0;
    for (game, file) in [(Game::Rc, "ridge at dawn"), (Game::Mw, ".mw3")] {
        let (place, path) = place(game, file);
        let before = common::json(&place.path("out").join(&path));
        for (index, section) in before["sections"].as_array().unwrap().iter().enumerate() {
            let Some((kind, fields)) = section["value"]
                .as_object()
                .and_then(|own| own.iter().next())
            else {
                continue;
            };
            for key in ["node_states", "nodes", "sequences", "lights", "sounds"] {
                if fields[key].as_array().is_none_or(Vec::is_empty) {
                    continue;
                }
                fs::write(place.path("out").join(&path), before.to_string()).unwrap();
                place.edit_json(&path, |document| {
                    let list = &mut document["sections"][index]["value"][kind][key];
                    let list = list.as_array_mut().unwrap();
                    list.push(list[0].clone());
                });
                for folder in ["mod", "modded", "after", "before", "back"] {
                    fs::remove_dir_all(place.path(folder)).ok();
                }
                let packed = place.pack();
                assert_eq!(packed.files.len(), 1, "{key}");
                place.convert_packed();
                let shown = common::json(&place.path("after").join(&path));
                let shown = &shown["sections"][index]["value"][kind][key];
                let wanted = common::json(&place.path("out").join(&path));
                assert_eq!(*shown, wanted["sections"][index]["value"][kind][key]);
                // Its own install takes it back.
                place.convert("install", "before");
                fs::copy(
                    place.path("before").join(&path),
                    place.path("after").join(&path),
                )
                .unwrap();
                let back = PackRequest::new(
                    &place.path("after"),
                    &place.path("modded"),
                    &place.path("back"),
                );
                let undone = pack(&back).unwrap();
                assert_eq!(undone.refused, []);
                let file = &undone.files[0].0;
                let bytes = |folder: &str| fs::read(place.path(folder).join(file)).unwrap();
                assert!(bytes("back") == bytes("install"), "{file}: {key}");
                lists += 1;
            }
        }
    }
    assert!(lists > 0, "no save of the samples has a list");
}

#[test]
fn what_no_save_can_hold_is_refused_by_its_path() {
    let (place, path) = place(Game::Cs, "Status.dat");
    let before = fs::read(place.path("out").join(&path)).unwrap();
    let planes = |document: &mut Value, edit: &dyn Fn(&mut Vec<Value>)| {
        for section in document["sections"].as_array_mut().unwrap() {
            if let Some(planes) = section
                .pointer_mut("/value/pilot/planes")
                .and_then(Value::as_array_mut)
            {
                edit(planes);
            }
        }
    };
    let refused = |edit: &dyn Fn(&mut Value)| -> String {
        fs::write(place.path("out").join(&path), &before).unwrap();
        place.edit_json(&path, edit);
        let packed = pack(&place.request()).unwrap();
        assert!(packed.files.is_empty() && !place.path("mod").exists());
        packed.refused[0].1.to_string()
    };
    // The hangar has 26 slots.
    let reported = refused(&|document| planes(document, &|planes| planes.truncate(3)));
    assert!(
        reported.contains(".planes: expected 26 items, found 3"),
        "{reported}"
    );
    let reported = refused(&|document| {
        let sections = document["sections"].as_array_mut().unwrap();
        sections.push(json!({"name": "Other/Other", "value": {"mine": {}}}));
    });
    assert!(
        reported.starts_with("$.sections[3]: the save has no section of its owner"),
        "{reported}"
    );
    let reported = refused(&|document| {
        document["sections"].as_array_mut().unwrap().remove(0);
    });
    assert!(reported.contains("identifies the game"), "{reported}");
}

#[test]
fn bytes_of_sections_that_are_not_decoded_are_replaced_in_any_length() {
    for (game, file) in [(Game::Cs, "Status.dat"), (Game::Pm, ".mw3")] {
        let place = match game {
            Game::Pm => pirates(),
            game => Place::of(game),
        };
        let path = document(&place, file);
        let mut edited = 0;
        place.edit_json(&path, |document| {
            for section in document["sections"].as_array_mut().unwrap() {
                for kind in ["raw", "unknown"] {
                    if section["value"][kind].is_string() {
                        section["value"][kind] = json!("AAECAwQFBgcICQ==");
                        edited += 1;
                    }
                }
            }
        });
        assert!(edited > 0, "{game}");
        assert_round_trip(&place, &path);
    }
}

/// An install of Pirate's Moon with a save as MechWarrior 3 writes it, with an unknown section.
fn pirates() -> Place {
    let save = relicast_samples::files(Game::Mw, 1).unwrap();
    let save = save
        .iter()
        .find(|file| file.path.ends_with(".mw3"))
        .unwrap();
    let mut archive = relicast::formats::zipper::archive::decode(&save.bytes)
        .unwrap()
        .value;
    let mut strange = archive.entries.last().unwrap().clone();
    strange.row.name = relicast::formats::codec::PaddedText::new("Strange/Section").unwrap();
    strange.data = vec![9; 7].into();
    archive.entries.push(strange);
    let mut files = relicast_samples::files(Game::Pm, 1).unwrap();
    files.push(SampleFile {
        path: "pilots/games/One.mw3".to_owned(),
        bytes: relicast::formats::zipper::archive::encode(&archive).unwrap(),
    });
    Place::new(&files)
}

#[test]
fn values_of_saves_of_pirates_moon_are_packed() {
    let place = pirates();
    let path = document(&place, ".mw3");
    let mut edited = 0;
    place.edit_json(&path, |document| {
        for section in document["sections"].as_array_mut().unwrap() {
            if let Some(index) = section.pointer_mut("/value/activation/head/node_index") {
                *index = json!(77);
                edited += 1;
            }
        }
    });
    assert!(edited > 0);
    assert_round_trip(&place, &path);
}
