//! Hostile files: nothing may panic or run away, and everything that decodes encodes to the same bytes.

use relicast::formats::codec::FaultKind;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{self};
use relicast::formats::zipper::{archive, mechlib};
use relicast_testing::rounds;
use relicast_testing::test;

use crate::gamez::fixtures::{MECHLIBS, WORLDS, fixture};
use relicast_samples::minimal::worlds;

const WORDS: [u32; 6] = [0, 1, 0x0000_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];

/// Decodes a file and encodes it again.
type Trip = dyn Fn(&[u8]) -> Option<Vec<u8>>;

fn world(bytes: &[u8]) -> Option<Vec<u8>> {
    let decoded = gamez::decode(bytes).ok()?;
    Some(gamez::encode(&decoded.value).unwrap())
}

fn mech(version: ZipperGame) -> impl Fn(&[u8]) -> Option<Vec<u8>> {
    move |bytes| {
        let decoded = mechlib::decode_model(bytes, version).ok()?;
        Some(mechlib::encode_model(&decoded.value, version).unwrap())
    }
}

fn mech_materials(version: ZipperGame) -> impl Fn(&[u8]) -> Option<Vec<u8>> {
    move |bytes| {
        let decoded = mechlib::decode_materials(bytes, version).ok()?;
        Some(mechlib::encode_materials(&decoded.value, version).unwrap())
    }
}

/// Cuts the file at every `step`th length and replaces a word at every `step`th offset.
fn mutate(what: &str, bytes: &[u8], step: usize, trip: &Trip) {
    assert!(trip(bytes).is_some_and(|again| again == bytes), "{what}");
    let mut survivors = 0;
    for length in (0..bytes.len()).step_by(step) {
        if let Some(again) = trip(&bytes[..length]) {
            assert!(again == bytes[..length], "{what} cut to {length}");
        }
    }
    for offset in (0..bytes.len().saturating_sub(3)).step_by(step) {
        for word in WORDS {
            let mut changed = bytes.to_vec();
            changed[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
            if let Some(again) = trip(&changed) {
                survivors += 1;
                assert!(again == changed, "{what} with {word:#x} at {offset}");
            }
        }
    }
    assert!(survivors > 0, "{what}: no change was accepted");
}

/// A step that is odd, so that all alignments are met, and leads to about `count` places.
fn step(length: usize, count: usize) -> usize {
    (length / count) | 1
}

/// Every place when the tests are thorough, else every `few`th; odd, so that all alignments are met.
fn every(few: usize) -> usize {
    rounds(few, 1)
}

#[test]
fn worlds_of_our_own() {
    for version in ZipperGame::ALL {
        let bytes = gamez::encode(&worlds::gamez(version)).unwrap();
        mutate(&format!("{version:?}"), &bytes, every(9), &world);
    }
}

#[test]
fn worlds_of_demos() {
    let bytes = gamez::encode(&worlds::early_gamez()).unwrap();
    mutate("version 13", &bytes, every(9), &world);
}

#[test]
fn mechs_of_our_own() {
    for version in [ZipperGame::MechWarrior3, ZipperGame::PiratesMoon] {
        let bytes = mechlib::encode_model(&worlds::mech(version), version).unwrap();
        mutate(
            &format!("{version:?} mech"),
            &bytes,
            every(9),
            &mech(version),
        );
    }
}

#[test]
fn fixture_worlds() {
    for path in WORLDS {
        let bytes = fixture(path);
        mutate(path, &bytes, step(bytes.len(), rounds(30, 400)), &world);
    }
}

#[test]
fn fixture_mechlibs() {
    for path in MECHLIBS {
        let bytes = fixture(path);
        let archive = archive::decode(&bytes).unwrap().value;
        let member = |name: &str| {
            let mut entries = archive.entries.iter();
            entries.find(|entry| entry.name() == name).unwrap()
        };
        let version = mechlib::decode_version(&member("version").data)
            .unwrap()
            .value;
        let materials = &member("materials").data;
        mutate(path, materials, every(9), &mech_materials(version));
        let models = archive
            .entries
            .iter()
            .filter(|entry| entry.name().ends_with(".flt"));
        for entry in models {
            let count = step(entry.data.len(), rounds(20, 300));
            mutate(&entry.name(), &entry.data, count, &mech(version));
        }
    }
}

#[test]
fn trailing_bytes_are_preserved_and_reported() {
    for version in ZipperGame::ALL {
        let mut bytes = gamez::encode(&worlds::gamez(version)).unwrap();
        let end = bytes.len();
        bytes.extend_from_slice(b"more");
        let decoded = gamez::decode(&bytes).unwrap();
        let deviation = &decoded.deviations.described()[0];
        assert_eq!((&*deviation.field, deviation.offset), ("end", end as u64));
        assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
    }
}

#[test]
fn a_data_block_further_on_is_followed_and_the_gap_kept() {
    let mut gamez = worlds::gamez(ZipperGame::MechWarrior3);
    gamez.nodes.used[5].gap = b"nothing!".to_vec().into();
    let bytes = gamez::encode(&gamez).unwrap();
    let decoded = gamez::decode(&bytes).unwrap();
    let fields: Vec<&str> = decoded
        .deviations
        .described()
        .iter()
        .map(|deviation| &*deviation.field)
        .collect();
    assert_eq!(fields, ["nodes[5].data_offset"]);
    assert_eq!(&*decoded.value.nodes.used[5].gap, b"nothing!");
    assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
}

#[test]
fn fewer_material_slots_than_stated_are_found_by_their_links() {
    for version in ZipperGame::ALL {
        let mut gamez = worlds::gamez(version);
        gamez.materials.array.array_size = 1000;
        let bytes = gamez::encode(&gamez).unwrap();
        let decoded = gamez::decode(&bytes).unwrap();
        assert_eq!(decoded.value.materials.free.len(), 2);
        assert!(!decoded.deviations.is_empty());
        assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
    }
}

#[test]
fn more_material_slots_than_stated_are_found_by_their_links() {
    for version in ZipperGame::ALL {
        for stated in [3, 4, 0] {
            let mut gamez = worlds::gamez(version);
            gamez.materials.array.array_size = stated;
            let bytes = gamez::encode(&gamez).unwrap();
            let decoded = gamez::decode(&bytes).unwrap();
            let materials = &decoded.value.materials;
            assert_eq!(materials.array.array_size, stated);
            assert_eq!((materials.used.len(), materials.free.len()), (3, 2));
            let records = |gamez: &gamez::GameZ| -> Vec<gamez::MaterialRecord> {
                let used = gamez.materials.used.iter();
                used.map(|material| material.record.clone()).collect()
            };
            assert_eq!(records(&decoded.value), records(&gamez));
            // Worlds of Crimson Skies are said to state the used slots: not an error, but reported.
            let is_known = version == ZipperGame::CrimsonSkies && stated == 3;
            assert_eq!(materials.states_used_slots(), stated == 3);
            let met = decoded.deviations.described();
            assert_eq!(met.is_empty(), is_known, "{version:?} {stated}: {met:?}");
            assert_eq!(gamez::encode(&decoded.value).unwrap(), bytes);
        }
    }
}

#[test]
fn errors_name_field_and_kind() {
    let bytes = gamez::encode(&worlds::gamez(ZipperGame::CrimsonSkies)).unwrap();
    let mut other = bytes.clone();
    other[4] = 43;
    let error = gamez::decode(&other).unwrap_err();
    assert_eq!(
        (error.kind(), error.field()),
        (FaultKind::Unsupported, "version")
    );
    assert_eq!(gamez::sniff(&other), None);
    other[0] = 0;
    assert_eq!(gamez::decode(&other).unwrap_err().field(), "signature");
    let error = gamez::decode(&bytes[..bytes.len() - 1]).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Truncated);
    assert!(error.field().starts_with("nodes["), "{error}");
}

#[test]
fn a_tree_without_end_is_cut_off() {
    // Every node claims one child, and the data go on for longer than any tree is deep.
    let version = ZipperGame::MechWarrior3;
    let mut chain = worlds::mech(version);
    chain.nodes.truncate(1);
    let link = chain.nodes.remove(0);
    for index in 0..400_u32 {
        let mut node = link.clone();
        node.node.children = if index < 399 {
            vec![index + 1]
        } else {
            Vec::new()
        };
        chain.nodes.push(node);
    }
    let bytes = mechlib::encode_model(&chain, version).unwrap();
    let error = mechlib::decode_model(&bytes, version).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Limit);
}
