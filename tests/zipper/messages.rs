//! Message DLLs: the fixture installs against independent decodes, written DLLs against ours and a
//! foreign reader, and hostile images.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;

use relicast_testing::test;
use std::fs;
use std::time::{Duration, Instant};

use common::fixtures;
use object::Object;
use object::read::pe::{PeFile32, ResourceDirectoryEntryData};
use proptest::prelude::*;
use relicast::formats::zipper::messages::write::{Flavor, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message, TextSource, decode};

fn message(key: Option<&str>, id: u32, value: Option<&str>) -> Message<'static> {
    Message {
        key: key.map(str::to_owned),
        id,
        value: value.map(str::to_owned),
        raw: None,
    }
}

fn image(
    flavor: Flavor,
    language_id: u16,
    entries: Vec<Message<'static>>,
) -> MessageImage<'static> {
    MessageImage {
        flavor,
        lead: match flavor {
            Flavor::MessageTable => Lead::Short,
            Flavor::StringTable => Lead::Long,
        },
        export_name: Some("ZLocGetID".to_owned()),
        language: Language {
            language_id,
            code_page: 1252,
            entries,
        },
    }
}

fn german() -> MessageImage<'static> {
    image(
        Flavor::MessageTable,
        1031,
        vec![
            message(
                Some("MSG_DOOR"),
                7,
                Some("T\u{fc}r \u{20ac} \u{201e}zu\u{201c}"),
            ),
            message(Some("MSG_TWO_LINES"), 40, Some("first\r\nsecond %1")),
            message(Some("MSG_EMPTY"), 8, Some("")),
            message(
                Some("MSG_SAME_DOOR"),
                7,
                Some("T\u{fc}r \u{20ac} \u{201e}zu\u{201c}"),
            ),
        ],
    )
}

fn english_strings() -> MessageImage<'static> {
    image(
        Flavor::StringTable,
        1033,
        vec![
            message(Some("MSG_LATER"), 17_151, Some("Later \u{1F600}")),
            message(Some("MSG_FIRST"), 96, Some("First\r\n")),
            message(Some("MSG_NEXT"), 97, Some("\u{416}")),
        ],
    )
}

#[test]
fn fixture_texts_equal_the_independent_decode() {
    let folder = fixtures("zipper");
    for (relative, source, export, lead) in [
        ("rc/messages.dll", TextSource::MessageTable, "ZLocGetID", 48),
        ("mw/Mech3Msg.dll", TextSource::MessageTable, "ZLocGetID", 16),
        ("pm/Mech3Msg.dll", TextSource::MessageTable, "ZLocGetID", 16),
        (
            "cs/strings.dll",
            TextSource::StringTable,
            "ZLocGetStringID",
            48,
        ),
    ] {
        let bytes = fs::read(folder.join(relative)).unwrap();
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.described(), [], "{relative}");
        let file = decoded.value;
        assert_eq!(file.source, source);
        assert_eq!(file.exports, [export]);
        assert_eq!(file.keys.as_ref().unwrap().lead, lead);
        let [language] = file.languages.as_slice() else {
            panic!("{relative}: {} languages", file.languages.len());
        };
        let expected = fs::read(folder.join("expect").join(relative).join("messages.json"));
        let expected: serde_json::Value = serde_json::from_slice(&expected.unwrap()).unwrap();
        let found = serde_json::json!({
            "language_id": language.language_id,
            "entries": language.entries,
        });
        assert_eq!(found, expected, "{relative}");
        let kinds: Vec<_> = file.resources.iter().map(|r| r.kind.number()).collect();
        match source {
            TextSource::StringTable => assert_eq!(kinds, [Some(16), Some(255)]),
            _ => assert_eq!(kinds, []),
        }
    }
}

#[test]
fn written_images_read_back() {
    for image in [german(), english_strings()] {
        let bytes = write(&image).unwrap();
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.described(), []);
        assert_eq!(decoded.value.exports, ["ZLocGetID"]);
        assert_eq!(decoded.value.languages, [image.language]);
        assert!(decoded.value.has_messages());
    }
}

#[test]
fn a_foreign_reader_finds_the_same_parts() {
    for image in [german(), english_strings()] {
        let bytes = write(&image).unwrap();
        let file = PeFile32::parse(&*bytes).unwrap();
        assert_eq!(file.architecture(), object::Architecture::I386);
        let exports = file.export_table().unwrap().unwrap().exports().unwrap();
        assert_eq!(exports.len(), 1);
        assert_eq!(exports[0].name, Some(&b"ZLocGetID"[..]));
        let resources = file
            .data_directories()
            .resource_directory(&*bytes, &file.section_table())
            .unwrap()
            .unwrap();
        let root = resources.root().unwrap();
        let kind = root.entries[0].name_or_id().id().unwrap();
        let mut texts = Vec::new();
        let names = root.entries[0].data(resources).unwrap().table().unwrap();
        for name in names.entries {
            let languages = name.data(resources).unwrap().table().unwrap();
            assert_eq!(
                languages.entries[0].name_or_id().id(),
                Some(image.language.language_id)
            );
            let ResourceDirectoryEntryData::Data(data) =
                languages.entries[0].data(resources).unwrap()
            else {
                panic!("no data at the third level");
            };
            let address = data.offset_to_data.get(object::LittleEndian);
            let size = data.size.get(object::LittleEndian) as usize;
            let rest = file.section_table().pe_data_at(&*bytes, address).unwrap();
            texts.extend_from_slice(&rest[..size]);
        }
        let wanted: &[u8] = match kind {
            11 => b"T\xFCr \x80 \x84zu\x93\r\n",
            6 => b"F\0i\0r\0s\0t\0",
            other => panic!("kind {other}"),
        };
        assert!(texts.windows(wanted.len()).any(|window| window == wanted));
    }
}

#[test]
fn keys_without_text_and_texts_without_key_are_reported() {
    let entries = vec![
        message(Some("MSG_LOST"), 5, None),
        message(Some("MSG_A"), 9, Some("a")),
        message(None, 2, Some("two")),
        message(None, 11, Some("eleven")),
    ];
    let bytes = write(&image(Flavor::MessageTable, 1033, entries.clone())).unwrap();
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.value.languages[0].entries, entries);
    let found: Vec<&str> = decoded
        .deviations
        .described()
        .iter()
        .map(|deviation| deviation.found.as_str())
        .collect();
    assert_eq!(
        found,
        [
            "no text 5 for MSG_LOST",
            "no key for text 2",
            "no key for text 11"
        ]
    );
}

#[test]
fn strings_without_a_key_table_are_no_deviation() {
    let entries = vec![
        message(None, 3, Some("three")),
        message(None, 40, Some("x")),
    ];
    let mut plain = image(Flavor::StringTable, 1033, entries.clone());
    plain.export_name = None;
    let bytes = write(&plain).unwrap();
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.deviations.described(), []);
    assert_eq!(decoded.value.keys, None);
    assert_eq!(decoded.value.languages[0].entries, entries);
}

/// Offset of the resource tree in a written image.
fn tree_offset(bytes: &[u8]) -> usize {
    let file = PeFile32::parse(bytes).unwrap();
    let section = file.section_table();
    let section = section
        .iter()
        .find(|section| section.raw_name() == b".rsrc");
    section
        .unwrap()
        .pointer_to_raw_data
        .get(object::LittleEndian) as usize
}

#[test]
fn an_image_of_other_resources_has_no_messages() {
    let mut bytes = write(&german()).unwrap();
    let tree = tree_offset(&bytes);
    bytes[tree + 16] = 16;
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.value.source, TextSource::None);
    assert!(!decoded.value.has_messages());
    assert_eq!(decoded.value.resources[0].kind.number(), Some(16));
    assert!(!decoded.value.resources[0].data.is_empty());
    assert_eq!(decoded.value.keys.unwrap().keys.len(), 4);
}

#[test]
fn texts_outside_their_code_page_keep_their_bytes() {
    let mut wide = english_strings();
    wide.language.entries[1].value = Some("First!!".to_owned());
    let mut bytes = write(&wide).unwrap();
    let at = bytes.windows(4).position(|w| w == b"!\0!\0").unwrap();
    bytes[at..at + 2].copy_from_slice(&[0x00, 0xD8]);
    let decoded = decode(&bytes).unwrap();
    let broken = &decoded.value.languages[0].entries[1];
    assert_eq!(broken.value.as_deref(), Some("First\u{FFFD}!"));
    assert_eq!(
        broken.raw.as_deref(),
        Some(&b"F\0i\0r\0s\0t\0\x00\xD8!\0"[..])
    );
    assert_eq!(decoded.deviations.total(), 1);
}

#[test]
fn a_message_without_its_line_end_is_kept() {
    let mut bytes = write(&german()).unwrap();
    let at = bytes.windows(8).position(|w| w == b"cond %1\r").unwrap();
    bytes[at + 7] = b'.';
    let decoded = decode(&bytes).unwrap();
    let message = &decoded.value.languages[0].entries[1];
    assert_eq!(message.value.as_deref(), Some("first\r\nsecond %1.\n"));
    assert!(message.raw.is_some());
    assert_eq!(decoded.deviations.total(), 1);
}

#[test]
fn what_cannot_be_written_is_refused() {
    for entries in [
        vec![message(None, 1, Some("\u{416}"))],
        vec![message(None, 1, Some("a")), message(None, 1, Some("b"))],
        vec![message(Some("MSG A"), 1, None)],
        vec![message(None, 1, Some(&"x".repeat(70_000)))],
    ] {
        assert!(write(&image(Flavor::MessageTable, 1033, entries)).is_err());
    }
}

#[test]
fn looping_resource_trees_end() {
    let started = Instant::now();
    let bytes = write(&german()).unwrap();
    let tree = tree_offset(&bytes);
    // Each directory in turn leads back to the root.
    for entry in [tree + 16 + 4, tree + 40 + 4, tree + 64 + 4] {
        let mut broken = bytes.clone();
        broken[entry..entry + 4].copy_from_slice(&0x8000_0000_u32.to_le_bytes());
        let decoded = decode(&broken).unwrap();
        assert_eq!(decoded.value.source, TextSource::None);
        assert!(decoded.deviations.total() > 0);
    }
    // A root of very many entries that all lead back to it.
    let mut wide = bytes[..tree].to_vec();
    wide.extend([0; 12]);
    wide.extend([0xFF, 0xFF, 0xFF, 0xFF]);
    for _ in 0..131_070 {
        wide.extend([11, 0, 0, 0, 0, 0, 0, 0x80]);
    }
    let size = u32::try_from(wide.len() - tree).unwrap().to_le_bytes();
    let header = wide.windows(5).position(|w| w == b".rsrc").unwrap();
    wide[header + 8..header + 12].copy_from_slice(&size);
    wide[header + 16..header + 20].copy_from_slice(&size);
    let decoded = decode(&wide).unwrap();
    assert!(decoded.deviations.total() > 100_000);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn truncated_images_return() {
    for image in [german(), english_strings()] {
        let bytes = write(&image).unwrap();
        for length in 0..bytes.len() {
            if let Ok(decoded) = decode(&bytes[..length]) {
                // Only padding can be missing without notice.
                assert!(
                    decoded.value.languages == [image.language.clone()]
                        || !decoded.deviations.is_empty(),
                    "{length}"
                );
            }
        }
    }
}

#[test]
fn hostile_words_return_quickly() {
    return_quickly(&[
        write(&german()).unwrap(),
        write(&english_strings()).unwrap(),
    ]);
}

#[test]
fn hostile_words_in_the_fixture_return_quickly() {
    let image = fixtures("zipper").join("rc/messages.dll");
    return_quickly(&[fs::read(image).unwrap()]);
}

/// Writes words that are too large for any count into every place of `images`.
fn return_quickly(images: &[Vec<u8>]) {
    let started = Instant::now();
    for bytes in images {
        for offset in (0..bytes.len() - 3).step_by(2) {
            for word in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF_u32] {
                let mut broken = bytes.clone();
                broken[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
                let _ = decode(&broken);
            }
        }
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn other_files_are_refused_with_a_reason() {
    for bytes in [&b""[..], b"MZ", b"RIFF", &[0; 4096]] {
        assert!(decode(bytes).is_err());
    }
    let mut wide = write(&german()).unwrap();
    wide[0x40 + 24] = 0x0B;
    wide[0x40 + 25] = 0x02;
    let error = decode(&wide).unwrap_err();
    assert_eq!(error.offset(), 0x58);
    assert_eq!(
        error.kind(),
        relicast::formats::codec::FaultKind::Unsupported
    );
}

proptest! {
    #[test]
    fn any_western_texts_survive_in_a_message_table(
        texts in proptest::collection::btree_map(1_u32..200, "[ -~\u{a0}-\u{ff}\u{20ac}]{0,30}", 0..30),
        lead in prop_oneof![Just(Lead::Short), Just(Lead::Long)],
    ) {
        let entries: Vec<Message<'_>> = texts
            .iter()
            .rev()
            .map(|(id, text)| message(Some(&format!("MSG_{id}")), *id, Some(text)))
            .collect();
        let mut image = image(Flavor::MessageTable, 1033, entries);
        image.lead = lead;
        let bytes = write(&image).unwrap();
        let decoded = decode(&bytes).unwrap();
        prop_assert_eq!(decoded.deviations.described(), []);
        prop_assert_eq!(&decoded.value.languages[0].entries, &image.language.entries);
    }

    #[test]
    fn any_texts_survive_in_string_blocks(
        texts in proptest::collection::btree_map(0_u32..70_000, "\\PC{1,12}", 1..30),
    ) {
        let entries: Vec<Message<'_>> = texts
            .iter()
            .rev()
            .map(|(id, text)| message(Some(&format!("MSG_{id}")), *id, Some(text)))
            .collect();
        let image = image(Flavor::StringTable, 1041, entries);
        let bytes = write(&image).unwrap();
        let decoded = decode(&bytes).unwrap();
        prop_assert_eq!(decoded.deviations.described(), []);
        prop_assert_eq!(&decoded.value.languages[0].entries, &image.language.entries);
    }
}

/// The image with another resource tree, which is made for the address of its section.
fn with_tree(bytes: &[u8], tree: impl FnOnce(u32) -> Vec<u8>) -> Vec<u8> {
    let start = tree_offset(bytes);
    let mut changed = bytes[..start].to_vec();
    let header = changed.windows(5).position(|w| w == b".rsrc").unwrap();
    let address = changed[header + 12..header + 16].try_into().unwrap();
    changed.extend(tree(u32::from_le_bytes(address)));
    let size = u32::try_from(changed.len() - start).unwrap().to_le_bytes();
    changed[header + 8..header + 12].copy_from_slice(&size);
    changed[header + 16..header + 20].copy_from_slice(&size);
    changed
}

/// A directory: entries with a text for a name, then others.
fn directory(named: &[(u32, u32)], numbered: &[(u32, u32)]) -> Vec<u8> {
    let count = |list: &[_]| u16::try_from(list.len()).unwrap().to_le_bytes();
    let mut bytes = vec![0; 12];
    bytes.extend(count(named));
    bytes.extend(count(numbered));
    for (name, target) in named.iter().chain(numbered) {
        bytes.extend(name.to_le_bytes());
        bytes.extend(target.to_le_bytes());
    }
    bytes
}

const MARK: u32 = 0x8000_0000;

#[test]
fn many_keys_in_many_languages_do_not_multiply() {
    let keys: Vec<Message<'_>> = (0..4000)
        .map(|id| message(Some(&format!("MSG_{id}")), id, None))
        .collect();
    let bytes = write(&image(Flavor::StringTable, 1033, keys)).unwrap();
    let languages = 10_000_u32;
    let bytes = with_tree(&bytes, |address| {
        let leaves = 24 + 24 + 16 + languages * 8;
        let data = leaves + languages * 16;
        let entries: Vec<(u32, u32)> = (0..languages)
            .map(|index| (index, leaves + index * 16))
            .collect();
        let mut tree = directory(&[], &[(6, MARK | 24)]);
        tree.extend(directory(&[], &[(900, MARK | 48)]));
        tree.extend(directory(&[], &entries));
        for index in 0..languages {
            let leaf = [address + data + index * 32, 32, 0, 0];
            tree.extend(leaf.iter().flat_map(|word| word.to_le_bytes()));
        }
        tree.resize(tree.len() + 32 * languages as usize, 0);
        tree
    });
    let error = decode(&bytes).unwrap_err();
    assert_eq!(error.kind(), relicast::formats::codec::FaultKind::Limit);
    assert_eq!(error.field(), "keys");
}

#[test]
fn one_long_name_is_not_multiplied_by_many_resources() {
    let started = Instant::now();
    let bytes = write(&german()).unwrap();
    let (leaves, length) = (20_000_u32, 60_000_u16);
    let bytes = with_tree(&bytes, |_| {
        let leaf = 24 + 24 + 16 + leaves * 8;
        let text = leaf + 16;
        let languages: Vec<(u32, u32)> = (0..leaves).map(|index| (index, leaf)).collect();
        let mut tree = directory(&[(MARK | text, MARK | 24)], &[]);
        tree.extend(directory(&[], &[(1, MARK | 48)]));
        tree.extend(directory(&[], &languages));
        tree.extend([0; 16]);
        tree.extend(length.to_le_bytes());
        tree.extend(b"x\0".repeat(length.into()));
        tree
    });
    let decoded = decode(&bytes).unwrap();
    let names = decoded.value.resources.iter().map(|resource| {
        let texts = [&resource.kind, &resource.name];
        texts
            .map(|name| name.to_string().len())
            .iter()
            .sum::<usize>()
    });
    assert!(names.sum::<usize>() <= 8 * bytes.len());
    assert!(decoded.deviations.total() > 19_000);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn sections_over_one_another_do_not_multiply_resources() {
    let mut bytes = write(&german()).unwrap();
    let length = u32::try_from(bytes.len()).unwrap();
    let resource = u32::try_from(tree_offset(&bytes)).unwrap();
    // Another section over the whole file, and many resources that are that section.
    let header = bytes.windows(5).position(|w| w == b".data").unwrap();
    let address = 0x0100_0000_u32;
    for (place, word) in [(8, length), (12, address), (16, length), (20, 0)] {
        bytes[header + place..header + place + 4].copy_from_slice(&word.to_le_bytes());
    }
    // One without bytes, far behind the end of the file, adds no room.
    let empty = bytes.windows(5).position(|w| w == b".text").unwrap();
    bytes[empty + 20..empty + 24].copy_from_slice(&0x7FFF_FE00_u32.to_le_bytes());
    let leaves = 100_u32;
    let bytes = with_tree(&bytes, |_| {
        let leaf = 24 + 24 + 16 + leaves * 8;
        let languages: Vec<(u32, u32)> = (0..leaves).map(|index| (index, leaf)).collect();
        let mut tree = directory(&[], &[(24, MARK | 24)]);
        tree.extend(directory(&[], &[(1, MARK | 48)]));
        tree.extend(directory(&[], &languages));
        let leaf = [address, resource, 0, 0];
        tree.extend(leaf.iter().flat_map(|word| word.to_le_bytes()));
        tree
    });
    let resources = decode(&bytes).unwrap().value.resources;
    assert_eq!(resources.len(), 100);
    let held: usize = resources.iter().map(|resource| resource.data.len()).sum();
    assert!(held > 0 && held <= bytes.len(), "{held}");
}
