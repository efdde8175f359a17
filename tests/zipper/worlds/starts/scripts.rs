//! Effects of a game's scripts on the world that they load.

use relicast::formats::zipper::ZipperGame;
use relicast_testing::test;
use serde_json::{Value, json};

use super::{Files, Places, places, readers, scene_nodes, scripts, standing, start, world};
use crate::worlds::engine::{Run, run};

const SCRIPT: &str = "\
set LOADED TRUE
FindNode star
Object3DTranslate 9 9 9
ifdef USEZBD && LOADED
GameZReadZBDFile %WHERE%
FindNode camera1
CameraSetHorizon star
CameraSetFOV 90 60
CameraSetNearFarClip 0.25 960
FindNode world1
WorldSetFogState exponential
WorldSetFogColor 0.25 0.5 0.75
WorldSetFogRange 100 800
WorldSetFogAltitude 20 300
DisplaySetClearColor 0.5 0.25 0
FindNode display
DisplaySetClearColor 0.5 0.25 0.125
FindNode sunlight
LightSetDiffuse 0.5
LightSetDirectedSource on
LightSetOrientation 0 90 0
FindNode house
Object3DTranslate 1 2 3
Object3DSetOpacity 0.25
Object3DSetOpacityIsSet on
FindNode house_near
NodeSetActive off
FindNode nothing
NodeSetActive off
SetInverseZTolerance 0.02
endif
ifndef USEZBD
FindNode house
NodeSetActive off
endif
source missing.gw
Fireworks 7";

fn scripted(version: ZipperGame, settings: &str) -> (Run, String, Places) {
    let places = places(version);
    let script = SCRIPT.replace("%WHERE%", &places.world.replace('/', "\\"));
    let files: Files = vec![
        (places.world, world(version)),
        ("zbd/interp.zbd", scripts(&[(places.script, &script)])),
        (places.readers, readers("")),
    ];
    let files: Vec<(&str, Vec<u8>)> = files
        .into_iter()
        .map(|(name, bytes)| match (name, version) {
            ("zbd/interp.zbd", ZipperGame::CrimsonSkies) => ("ZBD/interp.zbd", bytes),
            other => (other.0, bytes),
        })
        .collect();
    let (run, said) = run(&files, settings);
    (run, said, places)
}

#[test]
fn scripts_change_the_world_that_they_load() {
    for version in ZipperGame::ALL {
        let (run, said, places) = scripted(version, "");
        let document = run.json(places.scene);
        let scenes = document["scenes"].as_array().unwrap();
        assert_eq!(scenes.len(), 2, "{version:?}: {said}");
        assert_eq!(scenes[1]["name"], format!("gamez {}", places.mission));
        let stored = &scenes[0]["extras"]["zipper"];
        let facts = &scenes[1]["extras"]["zipper"];
        assert_eq!(stored["fog"]["type"], "off", "{version:?}");
        assert_eq!(
            facts["fog"],
            json!({
                "type": "exp", "color": [0.25, 0.5, 0.75], "near": 100.0, "far": 800.0,
                "altitudeLow": 20.0, "altitudeHigh": 300.0, "density": 0.0,
            }),
            "{version:?}"
        );
        assert_eq!(facts["clearColor"], json!([0.5, 0.25, 0.125]));
        assert_eq!(facts["settings"][0]["command"], "SetInverseZTolerance");
        // What comes before the world is read, or is not reached, does nothing.
        let house = standing(&document, 1, version, "house");
        assert_eq!(house["translation"], json!([1.0, 2.0, 3.0]));
        let star = standing(&document, 1, version, "star");
        assert!(star["translation"].is_null(), "{star}");
        // The sky follows the camera, in the stored scene too.
        for scene in [0, 1] {
            let star = standing(&document, scene, version, "star");
            assert_eq!(star["extras"]["zipper"]["sky"], "xyz", "{version:?}");
        }
        // What is hidden keeps its place and nothing below it.
        let near = standing(&document, 1, version, "house_near");
        assert_eq!(near["extras"]["zipper"]["hidden"], true);
        assert!(near["children"].is_null());
        assert!(!standing(&document, 0, version, "house_near")["children"].is_null());
        let camera = standing(&document, 1, version, "camera1");
        let camera = &document["cameras"][camera["camera"].as_u64().unwrap() as usize];
        let lens = &camera["perspective"];
        let angle = lens["yfov"].as_f64().unwrap();
        assert!((angle - 60_f64.to_radians()).abs() < 1e-6);
        assert_eq!(
            (&lens["znear"], &lens["zfar"]),
            (&json!(1.0), &json!(960.0))
        );
        let left = &start(&document)["left"];
        for (why, name) in [
            ("commands whose meaning is not known", "Fireworks"),
            (
                "commands for a node of another class",
                "DisplaySetClearColor",
            ),
            ("commands for a node that is not known", "NodeSetActive"),
            (
                "nodes that scripts look for and the world has not",
                "nothing",
            ),
            ("scripts that are called and not there", "missing.gw"),
        ] {
            let names = left[why]["names"].as_array();
            let names = names.unwrap_or_else(|| panic!("{version:?}: {why}: {left}"));
            assert!(names.contains(&json!(name)), "{version:?}: {left}");
            assert!(said.contains(why), "{said}");
        }
        assert_eq!(start(&document)["commands"]["CameraSetHorizon"], 1);
    }
}

#[test]
fn states_are_written_as_the_setting_says() {
    let version = ZipperGame::MechWarrior3;
    let (both, _, places) = scripted(version, "");
    let (stored, _, _) = scripted(version, "[worlds]\nstate = \"stored\"\n");
    let (begun, _, _) = scripted(version, "[worlds]\nstate = \"mission_start\"\n");
    let [both, stored, begun] = [both, stored, begun].map(|run| run.json(places.scene));
    assert_eq!(stored["scenes"].as_array().unwrap().len(), 1);
    assert_eq!(begun["scenes"].as_array().unwrap().len(), 1);
    // Of the stored scene nothing but the numbers of what comes later may differ.
    assert_eq!(scene_nodes(&both, 0).len(), scene_nodes(&stored, 0).len());
    let facts = &begun["scenes"][0]["extras"]["zipper"];
    assert_eq!(facts["fog"]["type"], "exp");
    assert_eq!(facts["start"]["missions"], json!(["m1"]));
    // The first scene of a file contains all of its nodes.
    let house = standing(&begun, 0, version, "house");
    assert_eq!(house["extras"]["zipper"]["name"], "house");
    // Nodes are repeated and geometry is not, but where it looks different.
    let meshes = |document: &Value| document["meshes"].as_array().unwrap().len();
    assert!(meshes(&both) <= meshes(&stored) + 1);
    // Macros are a setting.
    let (other, _, _) = scripted(version, "[worlds]\nscript_macros = []\n");
    let other = other.json(places.scene);
    let house = standing(&other, 1, version, "house");
    assert_eq!(house["extras"]["zipper"]["hidden"], true);
}

#[test]
fn scripts_are_detected_by_the_world_that_they_read_where_their_name_does_not_say() {
    let version = ZipperGame::PiratesMoon;
    let script = "GameZReadZBDFile ..\\zbd\\c1\\gamez.zbd\nFindNode house\nNodeSetActive off";
    let other = "GameZReadZBDFile zbd\\c2\\gamez.zbd\nFindNode star\nNodeSetActive off";
    let script = script.replace("..\\", "");
    let files = [
        ("zbd/c1/gamez.zbd", world(version)),
        (
            "zbd/interp.zbd",
            scripts(&[("support\\two.gw", other), ("support\\one.gw", &script)]),
        ),
        ("zbd/c1/readerm1.zbd", readers("")),
        ("zbd/c1/reader.zbd", readers("")),
    ];
    let (run, said) = run(&files, "");
    let document = run.json("worlds/zbd/c1/gamez.gltf");
    assert_eq!(
        start(&document)["scripts"],
        json!(["support\\one.gw"]),
        "{said}"
    );
    assert_eq!(
        start(&document)["rules"],
        json!(["scripts that read this world"])
    );
    let house = standing(&document, 1, version, "house");
    assert_eq!(house["extras"]["zipper"]["hidden"], true);
    let star = standing(&document, 1, version, "star");
    assert!(star["extras"]["zipper"]["hidden"].is_null());
}
