//! Messages for damaged files: a table of inputs and messages.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::{anim, gamez};
use relicast_samples::minimal::{
    animations, containers, everquest, media, readers, textures, worlds,
};
use serde_json::Value;

use crate::common::{convert, json};

/// A whole file of each kind under a name that it could have.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let world = gamez::encode(&worlds::gamez(ZipperGame::MechWarrior3)).unwrap();
    let animation = anim::encode(&animations::files()[1]).unwrap();
    vec![
        ("anim.zbd", animation),
        ("gamez.zbd", world),
        ("interp.zbd", containers::scripts().swap_remove(1)),
        ("leaf.bmp", everquest::bitmaps().swap_remove(0)),
        ("map.zmap", containers::maps().swap_remove(1)),
        ("messages.dll", containers::libraries().swap_remove(0)),
        ("movie.avi", media::videos().swap_remove(0)),
        ("scene.s3d", everquest::archives().swap_remove(0)),
        ("scene.wld", everquest::scenes().swap_remove(0)),
        ("sounds.zbd", containers::archives().swap_remove(3)),
        ("textures.zbd", textures::packages().swap_remove(0)),
        ("tone.wav", media::waves().swap_remove(1)),
        ("words.zrd", readers::text_readers().swap_remove(1)),
    ]
}

/// Kinds of damage.
fn damages(whole: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    let half = whole[..whole.len() / 2].to_vec();
    let head = whole[..whole.len().min(6)].to_vec();
    let mut counts = whole.to_vec();
    for byte in counts.iter_mut().skip(8).take(16) {
        *byte = 0xFF;
    }
    [
        ("empty", Vec::new()),
        ("6 bytes", head),
        ("half", half),
        ("0xFF from byte 8 to 23", counts),
    ]
}

/// All reasons and deviations that a report gives for a source.
fn messages(source: &Value) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    let mut add = |value: &Value| {
        if let Some(reason) = value["reason"]["text"].as_str() {
            messages.push(format!("{}: {reason}", value["status"].as_str().unwrap()));
        }
        for deviation in value["deviations"]["first"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let reported = deviation
                .as_str()
                .map_or_else(|| deviation.to_string(), str::to_owned);
            messages.push(format!("deviation: {reported}"));
        }
    };
    add(source);
    source["parts"]
        .as_array()
        .into_iter()
        .flatten()
        .for_each(&mut add);
    if messages.is_empty() {
        messages.push(source["status"].as_str().unwrap().to_owned());
    }
    messages.dedup();
    messages.truncate(4);
    messages
}

/// Every text of a JSON value that is for people.
fn texts(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, all)),
        Value::Object(members) => {
            for (key, member) in members {
                if ["reason", "first", "notes"].contains(&&**key) || !member.is_string() {
                    texts(member, all);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Rust's notation of a value in a message; quoted text is the file's.
fn rust_in(message: &str) -> Option<&'static str> {
    let plain: String = message.split('"').step_by(2).collect();
    let marks = ["Some(", "None", "Ok(", "Err(", "{ ", "::", "..="];
    marks.into_iter().find(|mark| plain.contains(mark))
}

#[test]
fn no_message_about_damaged_files_names_a_value_of_rust() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    for (name, whole) in files() {
        let words = whole.len() / 4;
        for number in 0..words.min(150) {
            // The head of the file word by word, the rest spread over it.
            let word = match number < 100 {
                true => number,
                false => number * words / 150,
            };
            let mut bytes = whole.clone();
            bytes[word * 4..word * 4 + 4].copy_from_slice(&[0xD7, 0xFF, 0xFF, 0x3F]);
            let place = input.join(format!("{number}"));
            fs::create_dir_all(&place).unwrap();
            fs::write(place.join(name), bytes).unwrap();
        }
    }
    let out = folder.path().join("out");
    let config = folder.path().join("config.toml");
    fs::write(&config, "[video]\nenabled = false\n").unwrap();
    let config = config.to_str().unwrap();
    convert(&input, &out, &["-q", "--config", config])
        .assert()
        .code(2);
    let mut messages = Vec::new();
    texts(&json(&out.join("report.json"))["sources"], &mut messages);
    messages.sort();
    messages.dedup();
    assert!(messages.len() > 200, "{}", messages.len());
    let written: Vec<&String> = messages
        .iter()
        .filter(|text| rust_in(text).is_some())
        .collect();
    assert!(written.is_empty(), "{written:#?}");
}

#[test]
fn damaged_files_and_what_is_said_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    let mut names = BTreeMap::new();
    for (name, whole) in files() {
        for (number, (damage, bytes)) in damages(&whole).into_iter().enumerate() {
            let path = format!("{number}/{name}");
            fs::create_dir_all(input.join(number.to_string())).unwrap();
            fs::write(input.join(&path), bytes).unwrap();
            names.insert(path, (name, number, damage));
        }
    }
    let out = folder.path().join("out");
    let config = folder.path().join("config.toml");
    fs::write(&config, "[video]\nenabled = false\n").unwrap();
    let config = config.to_str().unwrap();
    convert(&input, &out, &["-q", "--jobs", "1", "--config", config])
        .assert()
        .code(2);
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    assert_eq!(sources.len(), names.len());
    let mut rows = BTreeMap::new();
    for source in sources {
        let (name, number, damage) = names[source["path"].as_str().unwrap()];
        rows.insert((name, number), (damage, messages(source)));
    }
    let mut table = String::new();
    for ((name, _), (damage, messages)) in rows {
        writeln!(table, "{name}, {damage}").unwrap();
        for message in messages {
            writeln!(table, "    {message}").unwrap();
        }
    }
    insta::assert_snapshot!(table);
}
