//! The fixtures: every member of every set by its hash, and the tables byte for byte.

use std::fs;
use std::path::Path;

use relicast_testing::test;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common;
use relicast::formats::installshield::tables;
use relicast::source::location::Location;

const SETS: [&str; 5] = [
    "mw_small",
    "mw_small_single",
    "mw_small_volumes",
    "mw_small_obfuscated",
    "mw_small_v6",
];

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares the list and the bytes of a set with the expected ones.
fn compare(input: &Path, expected: &Value, what: &str) {
    let sources = crate::cabinets::sources(input);
    let cabinets = crate::cabinets::cabinets(&sources);
    let version = expected["version"].as_str().unwrap();
    let cabinet = cabinets
        .iter()
        .find(|cabinet| cabinet.path.starts_with("data") || cabinet.path.starts_with("_user"))
        .unwrap();
    assert_eq!(cabinet.facts.version.as_deref(), Some(version), "{what}");
    assert!(
        cabinet.problem.is_none() && cabinet.deviations.is_empty(),
        "{what}: {:?}",
        cabinet.deviations
    );
    let groups = serde_json::to_value(&cabinet.facts.groups).unwrap();
    let wanted = expected["groups"].as_array().unwrap();
    assert_eq!(
        groups.as_array().unwrap().len(),
        wanted.len(),
        "{what}: groups"
    );
    for group in wanted {
        let mut own = groups.as_array().unwrap().iter();
        let own = own.find(|own| own["name"] == group["name"]).unwrap();
        for field in ["first", "last"] {
            assert_eq!(own[field], group[field], "{what}: group {field}");
        }
    }
    let components = serde_json::to_value(&cabinet.facts.components).unwrap();
    let wanted = expected["components"].as_array().unwrap();
    assert_eq!(
        components.as_array().unwrap().len(),
        wanted.len(),
        "{what}: components"
    );
    for component in wanted {
        let own = components.as_array().unwrap().iter();
        let own = own
            .clone()
            .find(|own| own["name"] == component["name"])
            .unwrap();
        let ends = [
            ("groups", "groups"),
            ("depends", "depends"),
            ("below", "sub"),
        ];
        for (field, named) in ends {
            assert_eq!(
                own[field], component[named],
                "{what}: {field} of {}",
                component["name"]
            );
        }
    }
    if let Some(types) = expected.get("setup_types") {
        assert_eq!(
            &serde_json::to_value(&cabinet.facts.setup_types).unwrap(),
            types,
            "{what}"
        );
    }
    for file in expected["files"].as_array().unwrap() {
        let (group, path) = (
            file["group"].as_str().unwrap(),
            file["path"].as_str().unwrap(),
        );
        let member = cabinet.members.iter().position(|member| {
            member.groups.iter().any(|own| own == group)
                && member
                    .stored_path
                    .replace('\\', "/")
                    .eq_ignore_ascii_case(path)
        });
        let number = member.unwrap_or_else(|| panic!("{what}: {group}: {path} is not listed"));
        let member = &cabinet.members[number];
        assert_eq!(
            member.size,
            file["size"].as_u64().unwrap(),
            "{what}: {path}"
        );
        assert_eq!(
            member.packed,
            file["packed"].as_u64().unwrap(),
            "{what}: {path}"
        );
        let source = sources.iter().find(|source| {
            matches!(&source.location, Location::Member(own, index)
                if std::sync::Arc::ptr_eq(own, cabinet) && *index == number)
        });
        let bytes = source.unwrap().location.open();
        if file
            .get("data")
            .is_some_and(|data| data == "not in this fixture")
        {
            let fault = bytes.unwrap_err().to_string();
            assert!(fault.contains("missing"), "{what}: {path}: {fault}");
            continue;
        }
        let bytes = bytes.unwrap_or_else(|error| panic!("{what}: {path}: {error}"));
        assert_eq!(
            hexadecimal(&md5::compute(&bytes[..]).0),
            file["md5"],
            "{what}: {path}"
        );
        if let Some(sum) = file.get("sha256") {
            assert_eq!(
                hexadecimal(&Sha256::digest(&bytes[..])),
                *sum,
                "{what}: {path}"
            );
        }
        assert!(
            cabinet.member_deviations(number).is_empty(),
            "{what}: {path}"
        );
    }
}

#[test]
fn every_member_of_every_set_is_what_is_expected() {
    let root = common::fixtures("installers");
    for set in SETS {
        let folder = root.join(set);
        let expected = common::json(&folder.join("expect.json"));
        compare(&folder, &expected, set);
        // The same by any of its files alone.
        for file in fs::read_dir(&folder).unwrap() {
            let file = file.unwrap().path();
            if file
                .extension()
                .is_some_and(|extension| extension != "json")
            {
                compare(&file, &expected, &file.display().to_string());
            }
        }
    }
}

#[test]
fn a_real_set_with_its_data_next_to_it_gives_what_is_there_and_names_the_rest() {
    let folder = common::fixtures("installers").join("wireplay");
    let expected = common::json(&folder.join("expect.json"));
    compare(
        &folder.join("data1.cab"),
        &expected["data1.cab"],
        "data1.cab",
    );
    compare(
        &folder.join("_user1.cab"),
        &expected["_user1.cab"],
        "_user1.cab",
    );
    // In the folder, the installer's own files are not among the product's.
    let sources = crate::cabinets::sources(&folder);
    let members = crate::cabinets::members(&sources);
    assert_eq!(members.len(), 108);
    assert_eq!(
        members.iter().filter(|(_, bytes)| bytes.is_ok()).count(),
        12
    );
    let paths: std::collections::HashSet<String> =
        sources.iter().map(|source| source.folded()).collect();
    assert_eq!(paths.len(), sources.len(), "each path once");
}

#[test]
fn tables_are_written_byte_for_byte() {
    let root = common::fixtures("installers");
    let heads = [
        "mw_small/data1.hdr",
        "mw_small_obfuscated/data1.hdr",
        "mw_small_v6/data1.hdr",
        "mw_small_volumes/data1.hdr",
        "wireplay/data1.cab",
        "wireplay/_user1.cab",
        "mw_small_single/data1.cab",
    ];
    for head in heads {
        let mut bytes = fs::read(root.join(head)).unwrap();
        let extent = tables::extent(&bytes).unwrap().unwrap();
        bytes.truncate(usize::try_from(extent).unwrap());
        let decoded = tables::decode(&bytes).unwrap();
        assert!(decoded.value.encode() == bytes, "{head}");
        assert!(
            decoded.deviations.is_empty(),
            "{head}: {:?}",
            decoded.deviations
        );
    }
    for set in SETS {
        let output = common::relicast()
            .arg("prove")
            .arg(root.join(set))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && !text.contains("DIFFERS"),
            "{set}: {text}"
        );
    }
}

#[test]
fn missing_files_of_a_set_cost_what_is_in_them() {
    let root = common::fixtures("installers");
    let folder = tempfile::tempdir().unwrap();
    let copy = |set: &str, names: &[&str]| {
        let to = folder.path().join(set);
        fs::create_dir_all(&to).unwrap();
        for name in names {
            fs::write(to.join(name), fs::read(root.join(set).join(name)).unwrap()).unwrap();
        }
        to
    };
    let cut = copy("mw_small_volumes", &["data1.hdr", "data1.cab", "data3.cab"]);
    let members = crate::cabinets::members(&crate::cabinets::sources(&cut));
    let (good, bad): (Vec<_>, Vec<_>) = members.into_iter().partition(|(_, bytes)| bytes.is_ok());
    assert!(
        good.len() >= 8 && !bad.is_empty(),
        "{} {}",
        good.len(),
        bad.len()
    );
    for (path, fault) in bad {
        let fault = fault.unwrap_err();
        assert!(fault.contains("data2.cab"), "{path}: {fault}");
    }
    let headless = copy("mw_small", &["data1.cab"]);
    let sources = crate::cabinets::sources(&headless);
    let cabinets = crate::cabinets::cabinets(&sources);
    let problem = cabinets[0].problem.as_ref().unwrap().to_string();
    assert!(
        sources.len() == 1 && problem.contains("header of this set is missing"),
        "{problem}"
    );
}
