//! Readers: archives of the fixture installs against independent decodes, and hostile input.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{fixtures, json, sample_installs};
use relicast::asset::Game;
use relicast::formats::codec::FaultKind;
use relicast::formats::zipper::archive;
use relicast::formats::zipper::zrd::{Value, binary, text};
use serde_json::Value as Json;

const ZIPPER: [Game; 4] = [Game::Rc, Game::Mw, Game::Pm, Game::Cs];

/// Every reader archive of the fixtures, relative to `folder`.
fn reader_archives(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["rc", "mw", "pm", "cs"]
        .into_iter()
        .flat_map(|game| walkdir::WalkDir::new(folder.join(game)))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().to_lowercase();
            name.ends_with(".zbd") && (name.starts_with("reader") || name.starts_with("zrdr"))
        })
        .map(|path| path.strip_prefix(folder).unwrap().to_owned())
        .collect();
    found.sort();
    found
}

/// Equal by value: integers as such, floats as 32 bits, null as the empty list.
fn assert_same(value: &Value<'_>, expected: &Json, path: &str) {
    match (value, expected) {
        (Value::Int(value), Json::Number(number)) if number.is_i64() => {
            assert_eq!(i64::from(*value), number.as_i64().unwrap(), "{path}");
        }
        (Value::Float(value), Json::Number(number)) if number.is_f64() => {
            #[expect(clippy::cast_possible_truncation, reason = "the rounding is meant")]
            let expected = number.as_f64().unwrap() as f32;
            assert_eq!(value.get().to_bits(), expected.to_bits(), "{path}");
        }
        // Values without a number in JSON are written as text.
        (Value::Float(value), Json::String(text_form)) if !value.get().is_finite() => {
            let found = match text_form.strip_prefix("nan:") {
                Some(bits) => f32::from_bits(u32::from_str_radix(bits, 16).unwrap()),
                None => text_form.parse().unwrap(),
            };
            assert_eq!(value.get().to_bits(), found.to_bits(), "{path}");
        }
        (Value::Text(value), Json::String(expected)) => {
            assert_eq!(value.bytes(), expected.as_bytes(), "{path}");
        }
        (Value::List(items), Json::Null) => assert!(items.is_empty(), "{path}"),
        (Value::List(items), Json::Array(expected)) => {
            assert_eq!(items.len(), expected.len(), "{path}");
            for (index, (item, expected)) in items.iter().zip(expected).enumerate() {
                assert_same(item, expected, &format!("{path}[{index}]"));
            }
        }
        _ => panic!("{path}: {value:?} is not {expected}"),
    }
}

#[test]
fn members_equal_the_independent_decode_and_survive_a_round_trip() {
    let folder = fixtures("zipper");
    let archives = reader_archives(&folder);
    assert!(archives.len() >= 10, "{archives:?}");
    let mut members = 0_usize;
    for relative in archives {
        let bytes = fs::read(folder.join(&relative)).unwrap();
        let decoded = archive::decode(&bytes).unwrap().value;
        let expect = folder.join("expect").join(&relative);
        let manifest = json(&expect.join("manifest.json"));
        let manifest = manifest.as_array().unwrap();
        assert_eq!(decoded.entries.len(), manifest.len());
        let mut rebuilt = decoded.clone();
        for (index, (entry, row)) in decoded.entries.iter().zip(manifest).enumerate() {
            assert_eq!(entry.name(), row["name"].as_str().unwrap());
            let renamed = row["rename"].as_str().or(row["name"].as_str()).unwrap();
            let path = format!("{}/{renamed}", relative.display());
            assert!(binary::looks_like(&entry.data), "{path}");
            let value = binary::decode(&entry.data).unwrap().value;
            assert_same(
                &value,
                &json(&expect.join(format!("{renamed}.json"))),
                &path,
            );
            let data = binary::encode(&value).unwrap();
            assert_eq!(data, *entry.data, "{path}");
            rebuilt.entries[index].data = data.into();
            members += 1;
        }
        assert_eq!(archive::encode(&rebuilt).unwrap(), bytes);
    }
    println!("{members} members compared");
    assert!(members >= 20);
}

#[test]
fn emitted_json_parses_to_the_same_value() {
    assert_emitted_json(&fixtures("zipper"));
}

#[test]
fn emitted_json_of_made_readers_parses_to_the_same_value() {
    assert_emitted_json(sample_installs(&ZIPPER).path());
}

fn assert_emitted_json(folder: &Path) {
    for relative in reader_archives(folder) {
        let bytes = fs::read(folder.join(&relative)).unwrap();
        for entry in archive::decode(&bytes).unwrap().value.entries {
            let value = binary::decode(&entry.data).unwrap().value;
            let emitted = serde_json::to_string(&value).unwrap();
            // What an independent JSON parser reads back is the same value again.
            assert_same(
                &value,
                &serde_json::from_str(&emitted).unwrap(),
                &entry.name(),
            );
        }
    }
}

#[test]
fn fixture_values_survive_the_text_notation() {
    assert_notation(&fixtures("zipper"));
}

#[test]
fn made_values_survive_the_text_notation() {
    assert_notation(sample_installs(&ZIPPER).path());
}

/// Texts with quotes, and floats that are no numbers, cannot be written as text.
fn has_no_notation(value: &Value<'_>) -> bool {
    match value {
        Value::Int(_) => false,
        Value::Float(value) => !value.get().is_finite(),
        Value::Text(text) => text.bytes().contains(&b'"'),
        Value::List(items) => items.iter().any(has_no_notation),
    }
}

fn assert_notation(folder: &Path) {
    let mut written_members = 0_usize;
    for relative in reader_archives(folder) {
        let bytes = fs::read(folder.join(&relative)).unwrap();
        for entry in archive::decode(&bytes).unwrap().value.entries {
            let value = binary::decode(&entry.data).unwrap().value;
            let text_form = match text::write(std::slice::from_ref(&value)) {
                Ok(text_form) => text_form,
                Err(error) => {
                    assert_eq!(error.kind(), FaultKind::Unencodable);
                    assert!(has_no_notation(&value), "{error}");
                    continue;
                }
            };
            let document = text::decode(&text_form).unwrap().value;
            assert_eq!(document.values().unwrap(), [value]);
            written_members += 1;
        }
    }
    assert!(written_members > 0);
}

/// A reader with every kind of value, some nested.
fn sample() -> Vec<u8> {
    let document = text::decode(
        b"((NAME \"two words\" 7 -1.5 () (LIST (1 2 3) (A (B (C 0.25)))) END 2147483647))",
    )
    .unwrap()
    .value;
    let [value] = document.values().unwrap().try_into().unwrap();
    binary::encode(&value).unwrap()
}

#[test]
fn truncation_is_an_error_at_every_length() {
    let bytes = sample();
    assert!(binary::decode(&bytes).unwrap().deviations.is_empty());
    for length in 0..bytes.len() {
        let error = binary::decode(&bytes[..length]).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Truncated, "{length}");
        assert!(error.offset() <= length as u64, "{length}");
    }
}

#[test]
fn hostile_words_return_quickly_and_what_decodes_survives() {
    let started = Instant::now();
    let bytes = sample();
    for offset in 0..bytes.len() - 3 {
        for word in [0, 1, 4, 0x7FFF_FFFF, 0xFFFF_FFFF_u32] {
            let mut broken = bytes.clone();
            broken[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
            if let Ok(decoded) = binary::decode(&broken) {
                assert_eq!(binary::encode(&decoded.value).unwrap(), broken);
            }
        }
    }
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn deep_nesting_is_refused_with_its_offset() {
    let binary_bytes = [4, 0, 0, 0, 2, 0, 0, 0].repeat(100_000);
    let error = binary::decode(&binary_bytes).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Limit);
    assert_eq!(error.offset(), 256 * 8);
    let text_bytes = "( ".repeat(100_000);
    let error = text::decode(text_bytes.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Limit);
    assert_eq!(error.offset(), 256 * 2);
}

#[test]
fn large_flat_input_takes_linear_time() {
    let started = Instant::now();
    let words = format!("({})", "word ".repeat(400_000));
    let document = text::decode(words.as_bytes()).unwrap().value;
    let values = document.values().unwrap();
    let bytes = binary::encode(&values[0]).unwrap();
    assert_eq!(binary::decode(&bytes).unwrap().value, values[0]);
    assert!(started.elapsed() < Duration::from_secs(20));
}
