//! Faults of an edited document are reported with their place: line and column of a syntax error; path, line
//! and column of a value, the expected value and the found one. All documents of all games, found in the
//! manifest.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;

use relicast::pack::{Only, Request as PackRequest, pack};
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::GAMES;
use relicast_samples::edits::{group, leaves};
use relicast_samples::random::Random;
use serde_json::{Value as Json, json};

use crate::place::Place;

/// Text in the place of a value.
const MARK: &str = "a value of another sort";

/// Refusals of whole documents, which name no value, because no single value is wrong.
const WHOLE: [&str; 7] = [
    "packing ",
    "it is a secondary output",
    "it contains data of other files",
    "adding or removing members",
    "a table of controls is a view",
    "it is in",
    "it is generated from the parts of the livery",
];

fn refusal(place: &Place, output: &ManifestOutput) -> String {
    let request = PackRequest {
        only: Some(Only::new([globset::escape(&output.path)]).unwrap()),
        check: true,
        ..place.request()
    };
    let packed = pack(&request).unwrap();
    let [(path, refusal)] = &*packed.refused else {
        panic!("{}: {packed:?}", output.path);
    };
    assert_eq!(*path, output.path);
    refusal.to_string()
}

/// Line and column of a byte.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let row = before.rsplit('\n').next().unwrap();
    (before.matches('\n').count() + 1, row.chars().count() + 1)
}

/// One document of each kind of each game.
fn each(
    raw: bool,
    check: impl Fn(&Place, &str, &ManifestOutput, &Json, &mut Random) -> bool,
) -> BTreeMap<String, usize> {
    let mut checked = BTreeMap::new();
    for game in GAMES {
        let place = Place::empty();
        let files = relicast_samples::files(game, 1).unwrap();
        relicast_samples::write_files(&place.path("install"), &files).unwrap();
        place.convert_with("install", "out", |config| config.raw.enabled = raw);
        let mut seen = Vec::new();
        let documents = place.outputs(|output| output.path.ends_with(".json"));
        for output in documents {
            let group = group(&output);
            let wanted = group.contains(".raw.json") == raw && output.size < 60_000;
            if !wanted || seen.contains(&group) {
                continue;
            }
            let path = place.path("out").join(&output.path);
            let before = fs::read(&path).unwrap();
            let document: Json = serde_json::from_slice(&before).unwrap();
            if check(
                &place,
                &group,
                &output,
                &document,
                &mut Random::named(&group),
            ) {
                *checked.entry(group.clone()).or_insert(0) += 1;
                seen.push(group);
            }
            fs::write(&path, &before).unwrap();
        }
    }
    checked
}

/// Breaks the syntax of a document; returns true if that was reported with its place.
fn syntax(
    place: &Place,
    group: &str,
    output: &ManifestOutput,
    document: &Json,
    random: &mut Random,
) -> bool {
    let text = serde_json::to_string_pretty(document).unwrap();
    let lines: Vec<usize> = text.match_indices(",\n").map(|(at, _)| at).collect();
    if lines.is_empty() {
        return false;
    }
    // A comma becomes a semicolon.
    let at = lines[random.below(lines.len() as u64) as usize];
    let broken = format!("{};{}", &text[..at], &text[at + 1..]);
    place.edit(&output.path, |_| broken.into_bytes());
    let reported = refusal(place, output);
    if WHOLE.iter().any(|start| reported.starts_with(start)) {
        return false;
    }
    let (line, column) = position(&text, at);
    assert_eq!(
        reported.split(':').next().unwrap(),
        format!("line {line}, column {column}"),
        "{group}: {reported}"
    );
    true
}

/// Puts something else in the place of a value; returns true if that was reported with its place.
fn value(
    place: &Place,
    group: &str,
    output: &ManifestOutput,
    document: &Json,
    random: &mut Random,
) -> bool {
    let mut pointers = Vec::new();
    leaves(document, String::new(), &mut pointers);
    pointers.retain(|pointer| pointer != "/$schema");
    if pointers.is_empty() {
        return false;
    }
    let mut reported = false;
    for _ in 0..4 {
        let mut edited = document.clone();
        let pointer = &pointers[random.below(pointers.len() as u64) as usize];
        *edited.pointer_mut(pointer).unwrap() = json!({ MARK: [] });
        let text = serde_json::to_string_pretty(&edited).unwrap();
        place.edit(&output.path, |_| text.clone().into_bytes());
        let refusal = refusal(place, output);
        if WHOLE.iter().any(|start| refusal.starts_with(start)) {
            continue;
        }
        reported = true;
        assert!(refusal.starts_with('$'), "{group}: no path: {refusal}");
        let words = ["expected", "found", "as edited"];
        assert!(
            words.iter().any(|word| refusal.contains(word)),
            "{group}: {refusal}"
        );
        // Where the value begins, or the mark in it, or the next value when it is read as a stream.
        let mark = text.find(MARK).unwrap();
        let line = position(&text, mark).0;
        let place = refusal.rsplit(" at line ").next().unwrap();
        let found: usize = place
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap_or_else(|_| panic!("{group}: {refusal}"));
        assert!(
            found.abs_diff(line) <= 1,
            "{group}: {pointer} is in line {line}: {refusal}"
        );
        assert!(refusal.contains("column "), "{refusal}");
    }
    reported
}

#[test]
fn texts_that_are_no_json_are_reported_with_line_and_column() {
    let checked = each(false, syntax);
    for kind in [
        "readers",
        "scripts",
        "messages",
        "motions",
        "maps",
        "saves",
        "animations",
        "other",
    ] {
        assert!(
            checked.keys().any(|group| group.starts_with(kind)),
            "{kind}: {checked:?}"
        );
    }
}

#[test]
fn values_of_another_sort_are_reported_with_path_line_and_column() {
    let checked = each(false, value);
    for kind in [
        "readers",
        "scripts",
        "messages",
        "motions",
        "maps",
        "saves",
        "animations",
        "other",
    ] {
        assert!(
            checked.keys().any(|group| group.starts_with(kind)),
            "{kind}: {checked:?}"
        );
    }
}
