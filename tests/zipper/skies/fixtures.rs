//! The fixtures: every file of every archive, every plane of every livery, every field of every save.

use std::fs;
use std::path::PathBuf;

use relicast::formats::codec::Result;
use relicast::formats::kind::{ArchiveContext, Kind, sniff, sniff_member};
use relicast::formats::zipper::archive::{self, Archive};
use relicast::formats::zipper::livery::{self, Livery, Rule};
use relicast::formats::zipper::rof;
use relicast::formats::zipper::save::crimson::{
    PilotData, PlaneRecord, decode_plane, encode_plane,
};
use relicast::formats::zipper::save::{self, SaveMember, SavedBy};
use relicast_testing::test;
use serde_json::Value;

use crate::common::{fixtures, json};
use crate::skies::sha256;

fn folder() -> PathBuf {
    fixtures("zipper_extra")
}

fn expected() -> Value {
    json(&folder().join("expect.json"))
}

/// The bytes of a file or, by the path inside, of a livery in `crimson.rof`.
fn picture(path: &str) -> Vec<u8> {
    if let Ok(bytes) = fs::read(folder().join(path)) {
        return bytes;
    }
    let bytes = fs::read(folder().join("GOSDATA/ASSETS/crimson.rof")).unwrap();
    let archive = rof::decode(&bytes).unwrap().value;
    let mut entries = archive.entries.iter().enumerate();
    let found = entries.find(|(index, _)| archive.path(*index).join("/") == path);
    found.unwrap().1.extract().unwrap().value.into_owned()
}

#[test]
fn every_file_of_every_archive_is_as_expected() {
    for (path, wanted) in expected()["archives"].as_object().unwrap() {
        let bytes = fs::read(folder().join(path)).unwrap();
        assert_eq!(bytes.len() as u64, wanted["size"].as_u64().unwrap());
        let decoded = rof::decode(&bytes).unwrap();
        assert!(
            decoded.deviations.is_empty(),
            "{path}: {:?}",
            decoded.deviations
        );
        let archive = decoded.value;
        assert_eq!(rof::encode(&archive).unwrap(), bytes, "{path}");
        let list = wanted["entries"].as_array().unwrap();
        assert_eq!(archive.entries.len(), list.len(), "{path}");
        for (index, entry) in archive.entries.iter().enumerate() {
            let mut own = archive.path(index).join("/");
            if entry.is_folder() {
                own.push('/');
            }
            let row = list.iter().find(|row| row["path"] == *own);
            let row = row.unwrap_or_else(|| panic!("{path}: {own} is not expected"));
            if entry.is_folder() {
                assert_eq!(row["dir"], true, "{own}");
                continue;
            }
            let data = entry.extract().unwrap();
            assert!(data.deviations.is_empty(), "{own}");
            assert_eq!(row["sha256"], sha256(&data.value), "{own}");
            assert_eq!(row["stored"], entry.record.stored, "{own}");
            assert_eq!(
                row["packed"],
                entry.record.storage == rof::Storage::Packed,
                "{own}"
            );
        }
    }
}

fn crc(bytes: &[u8]) -> Value {
    Value::from(crc32fast::hash(bytes))
}

fn hexadecimal(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap();
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn every_livery_and_every_rule_of_paint_is_as_expected() {
    for (path, wanted) in expected()["pictures"].as_object().unwrap() {
        let bytes = picture(path);
        let decoded = livery::decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty(), "{path}");
        let livery: Livery<'_> = decoded.value;
        assert_eq!(livery::encode(&livery).unwrap(), bytes, "{path}");
        assert_eq!(wanted["width"], livery.width, "{path}");
        assert_eq!(wanted["height"], livery.height, "{path}");
        assert_eq!(wanted["base_crc32"], crc(&livery.base_picture()), "{path}");
        assert_eq!(
            wanted["overlay_crc32"],
            crc(&livery.overlay_picture()),
            "{path}"
        );
        let mask = livery.mask_picture();
        for channel in 0..3 {
            let plane: Vec<u8> = mask.iter().skip(channel).step_by(3).copied().collect();
            assert_eq!(wanted["mask_crc32"][channel], crc(&plane), "{path}");
        }
        for (name, composed) in wanted["compose"].as_object().unwrap() {
            let paints: [[u8; 3]; 3] = serde_json::from_value(composed["colours"].clone()).unwrap();
            for (rule, key) in [
                (Rule::Multiply, "multiply"),
                (Rule::Weights, "weights"),
                (Rule::WeightsWhite, "weights_white"),
            ] {
                let own = livery.painted(rule, paints);
                let wanted = hexadecimal(&composed[key]);
                assert_eq!(own.len(), wanted.len());
                let most = own.iter().zip(&wanted).map(|(a, b)| a.abs_diff(*b)).max();
                assert!(most <= Some(1), "{path}, {name}, {key}: {most:?}");
            }
        }
    }
}

#[test]
fn bad_files_fail_separately() {
    for name in expected()["bad"].as_object().unwrap().keys() {
        let bytes = fs::read(folder().join(name)).unwrap();
        if name.ends_with(".bm") {
            let decoded = livery::decode(&bytes);
            if name.ends_with("tail.bm") {
                let decoded = decoded.unwrap();
                assert_eq!(decoded.deviations.total(), 1);
                assert_eq!(livery::encode(&decoded.value).unwrap(), bytes);
            } else {
                assert!(decoded.is_err(), "{name}");
            }
            continue;
        }
        let Ok(decoded) = rof::decode(&bytes) else {
            continue;
        };
        let entries = &decoded.value.entries;
        let bad = entries.iter().filter(|entry| entry.extract().is_err());
        assert_eq!(bad.count(), 1, "{name}");
        if name.ends_with("cut.rof") {
            assert!(entries[0].extract().is_ok(), "{name}");
        }
        assert_eq!(rof::encode(&decoded.value).unwrap(), bytes, "{name}");
    }
}

/// A save: its bytes come back, and so do those of each section.
fn open(bytes: &[u8]) -> (SavedBy, Archive<'_>) {
    let archive = archive::decode(bytes).unwrap().value;
    assert_eq!(archive::encode(&archive).unwrap(), bytes);
    let context = ArchiveContext::new(&archive);
    let game = context.save.unwrap();
    for entry in &archive.entries {
        let kind = sniff_member(&entry.data, &entry.name(), &context);
        assert_eq!(kind, Kind::SaveMember);
        let section = save::decode_of(game, &entry.name(), &entry.data).unwrap();
        assert_eq!(
            save::encode(&section.value).unwrap(),
            *entry.data,
            "{}",
            entry.name()
        );
    }
    (game, archive)
}

fn sections<'a>(game: SavedBy, archive: &'a Archive<'_>) -> Result<Vec<(String, SaveMember<'a>)>> {
    let entries = archive.entries.iter();
    let sections = entries.map(|entry| {
        let section = save::decode_of(game, &entry.name(), &entry.data)?;
        Ok((entry.name(), section.value))
    });
    sections.collect()
}

fn names(archive: &Archive<'_>) -> Value {
    let names = archive.entries.iter().map(archive::Entry::name);
    names.collect::<Vec<_>>().into()
}

fn compare_plane(plane: &PlaneRecord, wanted: &Value) {
    assert_eq!(wanted["name"], plane.name.text());
    for (key, own) in [
        ("owned", plane.owned),
        ("airframe", plane.airframe),
        ("engine", plane.engine),
        ("cost", plane.cost),
        ("weight", plane.weight),
        ("pattern", plane.pattern),
    ] {
        assert_eq!(wanted[key], own, "{key}");
    }
    for (key, own) in [
        ("hardpoints", &plane.hardpoints[..]),
        ("colour_index", &plane.color_index),
        ("shade_index", &plane.shade_index),
        ("decals", &plane.decals),
        ("armour", &plane.armour),
        ("guns", &plane.guns),
        ("ammunition", &plane.ammunition),
        ("ordnance", &plane.pylons),
    ] {
        assert_eq!(wanted[key], serde_json::json!(own), "{key}");
    }
    let paints = plane.rgb.map(|paint| [paint.red, paint.green, paint.blue]);
    assert_eq!(wanted["rgb"], serde_json::json!(paints));
    assert_eq!(wanted["twin_bits"], plane.twin_guns & 0x0F);
}

fn compare_pilot(pilot: &PilotData, wanted: &Value) {
    assert_eq!(wanted["pilot"], pilot.pilot.text());
    assert_eq!(wanted["memento"], pilot.memento.text());
    assert_eq!(wanted["missions_done"], pilot.missions_done);
    assert_eq!(wanted["selected_plane"], pilot.selected_plane);
    assert_eq!(wanted["wingman_plane"], pilot.wingman_plane);
    assert_eq!(wanted["funds"], pilot.funds);
    let planes = wanted["planes"].as_array().unwrap();
    assert_eq!(pilot.hangar().count(), planes.len());
    for (plane, wanted) in pilot.hangar().zip(planes) {
        compare_plane(plane, wanted);
    }
    for wanted in wanted["results"].as_array().unwrap() {
        let mission = wanted["mission"].as_u64().unwrap() as usize;
        let result = &pilot.results[mission - 1];
        for attempt in [&result.latest, &result.best] {
            if attempt.time == 0 {
                continue;
            }
            assert_eq!(wanted["objectives"], attempt.objectives);
            assert_eq!(wanted["time_ms"], attempt.time);
            assert_eq!(wanted["shots"], attempt.shots);
            assert_eq!(wanted["hits"], attempt.hits);
            assert_eq!(wanted["airframe"], attempt.airframe);
        }
        assert_eq!(wanted["plane"], result.latest.plane.text());
        assert_eq!(wanted["money"], result.latest.money);
    }
}

#[test]
fn saves_of_crimson_skies_are_as_expected() {
    let expected = expected();
    let saves = &expected["saves"];
    for (file, wanted) in saves["SavedGames/Tester"].as_object().unwrap() {
        let bytes = fs::read(folder().join("SavedGames/Tester").join(file)).unwrap();
        let (game, archive) = open(&bytes);
        assert_eq!(game, SavedBy::CrimsonSkies, "{file}");
        if let Some(size) = wanted.get("size") {
            assert_eq!(*size, bytes.len() as u64, "{file}");
        }
        if let Some(sections) = wanted.get("sections") {
            assert_eq!(*sections, names(&archive), "{file}");
        }
        if wanted.get("pilot").is_some() {
            let sections = sections(game, &archive).unwrap();
            let pilot = sections.iter().find_map(|(_, section)| match section {
                SaveMember::Pilot(pilot) => Some(pilot),
                _ => None,
            });
            compare_pilot(pilot.unwrap(), wanted);
        }
    }
    let auto = fs::read(folder().join("SavedGames/Tester/AutoSave.sav")).unwrap();
    assert_eq!(open(&auto).0, SavedBy::CrimsonSkies);
    let bytes = fs::read(folder().join("Planes/Blue Test")).unwrap();
    assert_eq!(sniff(&bytes, "Blue Test"), Kind::Plane);
    let plane = decode_plane(&bytes).unwrap().value;
    compare_plane(&plane, &saves["Planes/Blue Test"]);
    assert_eq!(encode_plane(&plane).unwrap(), bytes);
}

#[test]
fn a_save_of_recoil_is_as_expected() {
    let expected = &expected()["saves"]["recoil/SavedGames/my game"];
    let bytes = fs::read(folder().join("recoil/SavedGames/my game")).unwrap();
    assert_eq!(sniff(&bytes, "my game"), Kind::Archive);
    let (game, archive) = open(&bytes);
    assert_eq!(game, SavedBy::Recoil);
    let lengths: Vec<Value> = archive
        .entries
        .iter()
        .map(|entry| serde_json::json!([entry.name(), entry.data.len()]))
        .collect();
    assert_eq!(expected["sections"], Value::from(lengths));
    let sections = sections(game, &archive).unwrap();
    assert!(
        sections
            .iter()
            .all(|(_, section)| !matches!(section, SaveMember::Unknown(_))),
        "every section is known"
    );
    let known: Value = sections
        .iter()
        .map(|(name, section)| (name.clone(), serde_json::to_value(section).unwrap()))
        .collect::<serde_json::Map<String, Value>>()
        .into();
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(
        known["Mission/MissionData"]["mission"]["mission"],
        expected["mission"]
    );
    assert_eq!(
        number(&known["HUDTimer/TimerData"]["timer"]),
        number(&expected["timer"])
    );
    let vector = |value: &Value| -> Vec<f64> {
        match value {
            Value::Array(list) => list.iter().map(number).collect(),
            other => ["x", "y", "z"].map(|axis| number(&other[axis])).into(),
        }
    };
    let vehicle = &known["VehicleList/bft_00"]["vehicle"];
    assert_eq!(
        vector(&vehicle["position"]),
        vector(&expected["vehicle_position"])
    );
    let player = &known["Player/bft_00"]["player"]["head"];
    assert_eq!(
        vector(&player["camera_target"]),
        vector(&expected["camera_target"])
    );
    let fog = &known["GWWorld/world1"]["fog"];
    assert_eq!(fog["state"], expected["fog"]["state"]);
    for key in ["near", "far"] {
        assert_eq!(number(&fog[key]), number(&expected["fog"][key]));
    }
    let activation = &known["AnimActivation/Activation0000"]["animation"];
    let wanted = &expected["activation"];
    assert_eq!(activation["head"]["command"], wanted["type"]);
    assert_eq!(activation["head"]["node"], wanted["node"]);
    assert_eq!(activation["head"]["state"], wanted["state"]);
    let nodes = activation["nodes"].as_array().unwrap();
    let nodes: Vec<&Value> = nodes.iter().map(|node| &node["node"]).collect();
    assert_eq!(serde_json::json!(nodes), wanted["nodes"]);
}

#[test]
fn a_save_of_mechwarrior_is_as_expected() {
    let expected = &expected()["saves"]["mw3/pilots/games/test.mw3"];
    let bytes = fs::read(folder().join("mw3/pilots/games/test.mw3")).unwrap();
    let (game, archive) = open(&bytes);
    assert_eq!(game, SavedBy::MechWarrior);
    let mut activations = Vec::new();
    for (_, section) in sections(game, &archive).unwrap() {
        match section {
            SaveMember::Header(header) => {
                assert_eq!(expected["version"], header.version);
                assert_eq!(expected["format"], header.format);
            }
            SaveMember::Activation(activation) => activations.push(activation.head.name.text()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(expected["activations"], serde_json::json!(activations));
}

/// The proof covers all of them but the bad ones.
#[test]
fn all_is_written_back_byte_for_byte() {
    let folder = folder();
    let inputs = [
        "GOSDATA",
        "liveries",
        "SavedGames",
        "Planes",
        "recoil",
        "mw3",
    ];
    let inputs: Vec<PathBuf> = inputs.iter().map(|name| folder.join(name)).collect();
    let mut command = crate::common::relicast();
    let output = command
        .arg("prove")
        .args(&inputs)
        .arg("--json")
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for file in report["files"].as_array().unwrap() {
        assert_eq!(file["verdict"], "identical", "{file}");
    }
    assert!(report["totals"]["identical"].as_u64().unwrap() >= 13);
    let mut command = crate::common::relicast();
    let bad = command
        .arg("prove")
        .arg(folder.join("bad"))
        .output()
        .unwrap();
    assert_eq!(bad.status.code(), Some(2));
}
