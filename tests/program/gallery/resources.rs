//! Names of the resource table of later EverQuest clients.

use relicast_testing::test;
use std::fs;

use relicast::asset::Game;
use relicast::formats::everquest::pfs;
use relicast_samples::SampleFile;

use crate::gallery::{details, relicast};

/// Rows for a model, for the code of a race under another file name, and for a model that cannot be read.
const TABLE: &str = "mill.eqg^WHEEL.MOD^MILLSTONE_ACTORDEF^EQGM\r\n\
                     ale.eqg^CREATURE.MOD^ORC_ACTORDEF^EQGM\r\n\
                     ale.eqg^BROKEN.MOD^TANKARD_ACTORDEF^EQGM\r\n";

#[test]
fn models_are_called_by_their_tags_in_the_gallery_and_in_the_report() {
    let mut files = relicast_samples::files(Game::Eq, 1).unwrap();
    let mill = files.iter().find(|file| file.path == "mill.eqg").unwrap();
    let mill = pfs::decode(&mill.bytes).unwrap().value;
    let crow = mill
        .entries
        .iter()
        .find(|entry| entry.label().eq_ignore_ascii_case("crow.mod"));
    let crow = crow.unwrap().extract().unwrap().value;
    let members = [("creature.mod", &*crow), ("broken.mod", &crow[..40])];
    let ale = pfs::encode(&pfs::pack(&members, None, 6).unwrap()).unwrap();
    files.push(SampleFile {
        path: "ale.eqg".to_owned(),
        bytes: ale,
    });
    files.push(SampleFile {
        path: "OnDemandResources.txt".to_owned(),
        bytes: TABLE.into(),
    });
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    relicast_samples::write_files(&place("in"), &files).unwrap();
    let (out, gallery) = (place("out"), place("gallery"));
    // One model cannot be read.
    let mut convert = relicast();
    let convert = convert
        .arg("convert")
        .arg(place("in"))
        .arg("--out")
        .arg(&out);
    convert.assert().code(2);
    let mut make = relicast();
    let make = make.arg("gallery").arg(&out).arg("--to").arg(&gallery);
    make.assert().success();
    let details = details(&gallery);
    let names = |end: &str| -> Vec<String> {
        let found = details.iter().find(|detail| {
            let key = detail["key"].as_str().unwrap();
            key.ends_with(end)
        });
        let names = found.unwrap_or_else(|| panic!("no {end}"))["names"].clone();
        let names = names.as_array().unwrap().iter();
        names
            .map(|name| name["text"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names("mill/wheel.gltf"), ["MILLSTONE"]);
    assert_eq!(names("ale/creature.gltf"), ["Orc", "ORC"]);
    let page = place("report.html");
    let mut report = relicast();
    let report = report.arg("report").arg(&out).arg("--html").arg(&page);
    report.assert().success();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("ale.eqg: broken.mod (TANKARD)"), "{page}");
}
