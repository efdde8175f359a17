//! Worlds as missions begin in them: scripts, reset sequences, started animations; on data made here.

use std::fs;

use relicast::formats::codec::{F32, PaddedText, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::control::{CallAnimation, CallFlags, Condition};
use relicast::formats::zipper::anim::event::light::{LightFlags, LightState};
use relicast::formats::zipper::anim::event::motion::{FromToFlags, ObjectMotionFromTo};
use relicast::formats::zipper::anim::event::object::{
    ObjectActiveState, ObjectAddChild, ObjectTranslateState,
};
use relicast::formats::zipper::anim::{
    self, Activation, AnimFile, Bool32, Definition, DefinitionFlags, Event, EventBody, LightIndex,
    LightRef, NodeIndex, NodeName, NodeRef, Prerequisite, PrerequisiteKind, Sequence,
    ShortNodeIndex,
};
use relicast::formats::zipper::gamez;
use relicast::formats::zipper::interp::{self, Interp, Line, Row, Script};
use relicast_testing::test;
use serde_json::{Value, json};

use relicast_samples::minimal::worlds;

use super::chassis::{pack, reader};
use super::engine::{Run, run};

type Files = Vec<(&'static str, Vec<u8>)>;

/// Where things lie in a game: the world, its scene, the script that runs at load, the readers of a mission,
/// the container of the world.
struct Places {
    world: &'static str,
    scene: &'static str,
    script: &'static str,
    readers: &'static str,
    container: &'static str,
    mission: &'static str,
}

fn places(version: ZipperGame) -> Places {
    match version {
        ZipperGame::Recoil => Places {
            world: "zbd/m1/gamez.zbd",
            scene: "worlds/zbd/m1/gamez.gltf",
            script: "data\\m1\\m1_zbd.gs",
            readers: "zbd/m1/zrdr.zbd",
            container: "zbd/m1/anim.zbd",
            mission: "m1",
        },
        ZipperGame::CrimsonSkies => Places {
            world: "ZBD/C1/gamez.zbd",
            scene: "worlds/zbd/c1/gamez.gltf",
            script: "data\\c1\\load.gw",
            readers: "ZBD/C1/M01/zrdr.zbd",
            container: "ZBD/C1/cam_anim.zbd",
            mission: "m01",
        },
        _ => Places {
            world: "zbd/c1/gamez.zbd",
            scene: "worlds/zbd/c1/gamez.gltf",
            script: "support\\c1.gs",
            readers: "zbd/c1/readerm1.zbd",
            container: "zbd/c1/anim.zbd",
            mission: "m1",
        },
    }
}

fn scripts(files: &[(&str, &str)]) -> Vec<u8> {
    let scripts = files.iter().map(|(path, text)| Script {
        row: Row {
            path: PaddedText::new(path).unwrap(),
            ..Row::default()
        },
        lines: text
            .lines()
            .map(|line| Line::from_tokens(line.split_whitespace()))
            .collect(),
    });
    let file = Interp {
        scripts: scripts.collect(),
        ..Interp::default()
    };
    interp::encode(&file).unwrap()
}

fn readers(starts: &str) -> Vec<u8> {
    let list = format!("(NEW_GAME_START ({starts}) LOAD_GAME_START (never))");
    pack(&[("StartAnims.zrd", reader(&list))])
}

fn world(version: ZipperGame) -> Vec<u8> {
    gamez::encode(&worlds::gamez(version)).unwrap()
}

fn scene_nodes(document: &Value, scene: usize) -> Vec<&Value> {
    let all = document["nodes"].as_array().unwrap();
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let roots = document["scenes"][scene]["nodes"].as_array().unwrap();
    let mut stack: Vec<usize> = roots.iter().map(index).collect();
    let mut found = Vec::new();
    while let Some(at) = stack.pop() {
        found.push(&all[at]);
        let children = all[at]["children"].as_array();
        stack.extend(children.into_iter().flatten().map(index));
    }
    found
}

/// The node of a scene that stands for a node of the file.
fn standing<'v>(document: &'v Value, scene: usize, version: ZipperGame, name: &str) -> &'v Value {
    let file = worlds::gamez(version);
    let index = file.nodes.used.iter().position(|node| node.name() == name);
    let index = index.unwrap();
    let nodes = scene_nodes(document, scene);
    let found = nodes
        .into_iter()
        .find(|node| node["extras"]["zipper"]["index"] == index);
    found.unwrap_or_else(|| panic!("{name} is not in scene {scene}"))
}

fn start(document: &Value) -> &Value {
    &document["scenes"][1]["extras"]["zipper"]["start"]
}

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
    // The first scene of a file tells all of its nodes.
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
fn scripts_are_told_by_the_world_that_they_read_where_their_name_tells_nothing() {
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

const HOUSE: i16 = 1;
const NEAR: i16 = 2;
const STAR: i16 = 3;

fn definition(name: &str, activation: Activation) -> Definition {
    let mut definition = Definition::default();
    let head = &mut definition.head;
    head.anim_name = PaddedText::new(name).unwrap();
    head.name = PaddedText::new("house").unwrap();
    head.anim_root_name = PaddedText::new("house").unwrap();
    head.two = 2;
    head.activation = activation;
    head.reset_time = F32(-1.0);
    let node = |name: &str| NodeRef {
        name: NodeName::new(name).unwrap(),
        ..NodeRef::default()
    };
    definition.tables.nodes = std::iter::once(NodeRef::default())
        .chain(["house", "house_near", "star"].map(node))
        .collect();
    definition
}

fn block(name: &str, events: Vec<EventBody>) -> Sequence {
    let mut sequence = Sequence::default();
    sequence.head.name = PaddedText::new(name).unwrap();
    sequence.events = events.into_iter().map(Event::new).collect();
    sequence
}

fn resetting(name: &str, flagged: bool, events: Vec<EventBody>) -> Definition {
    let mut definition = definition(name, Activation::OnCall);
    definition.reset_state = Some(block(Sequence::RESET, events));
    definition
        .head
        .flags
        .set(DefinitionFlags::RESET_TIME, flagged);
    definition
}

fn starting(name: &str, activation: Activation, events: Vec<EventBody>) -> Definition {
    let mut definition = definition(name, activation);
    definition.sequences = vec![block("main", events)];
    definition
}

fn shows(node: i16, active: bool) -> EventBody {
    EventBody::ObjectActiveState(ObjectActiveState {
        active: Bool32(u32::from(active)),
        node: ShortNodeIndex(node),
        pad: 0,
    })
}

fn puts(node: i16, place: [f32; 3]) -> EventBody {
    EventBody::ObjectTranslateState(ObjectTranslateState {
        translate: Vec3::from(place),
        node: ShortNodeIndex(node),
        ..ObjectTranslateState::default()
    })
}

fn slides(node: i16, from: [f32; 3], to: [f32; 3]) -> EventBody {
    let mut motion = ObjectMotionFromTo {
        flags: FromToFlags::TRANSLATE,
        node: NodeIndex(i32::from(node)),
        run_time: F32(2.0),
        ..ObjectMotionFromTo::default()
    };
    motion.translate.from = Vec3::from(from);
    motion.translate.to = Vec3::from(to);
    EventBody::ObjectMotionFromTo(Box::new(motion))
}

fn container(version: ZipperGame, definitions: Vec<Definition>) -> Vec<u8> {
    let mut file = AnimFile {
        version,
        definitions,
        ..AnimFile::default()
    };
    let late = version >= ZipperGame::PiratesMoon;
    if !late {
        file.reserved.reset_state = Some(Sequence::default());
    }
    for definition in &mut file.definitions {
        match late {
            false => {
                definition.reset_state.get_or_insert_default();
            }
            true if definition.reset_state.is_some() => {
                definition.head.reset_state_ptr = 0x1234;
            }
            true => {}
        }
    }
    anim::encode(&file).unwrap()
}

fn begun(version: ZipperGame, starts: &str, definitions: Vec<Definition>) -> (Run, String, Value) {
    let places = places(version);
    let files = [
        (places.world, world(version)),
        (places.container, container(version, definitions)),
        (places.readers, readers(starts)),
    ];
    let (run, said) = run(&files, "");
    let document = run.json(places.scene);
    (run, said, document)
}

fn place_of(document: &Value, version: ZipperGame, name: &str) -> Value {
    standing(document, 1, version, name)["translation"].clone()
}

#[test]
fn flagged_resets_run_in_order_and_others_do_not() {
    for version in ZipperGame::ALL {
        let (_, said, document) = begun(
            version,
            "",
            vec![
                resetting("one", true, vec![shows(NEAR, false), puts(STAR, [1.0; 3])]),
                resetting("two", false, vec![puts(HOUSE, [7.0; 3])]),
                // The last record wins.
                resetting("three", true, vec![puts(STAR, [3.0, 4.0, 5.0])]),
                // All of a reset happens at once.
                resetting("four", true, vec![slides(HOUSE, [0.0; 3], [8.0, 0.0, 1.0])]),
            ],
        );
        assert_eq!(
            place_of(&document, version, "star"),
            json!([3.0, 4.0, 5.0]),
            "{said}"
        );
        assert_eq!(
            place_of(&document, version, "house"),
            json!([8.0, 0.0, 1.0])
        );
        let near = standing(&document, 1, version, "house_near");
        assert_eq!(near["extras"]["zipper"]["hidden"], true, "{version:?}");
        let told = start(&document);
        assert_eq!(told["resets"], 3);
        assert_eq!(
            told["changed"],
            json!({"hidden": 1, "shown": 0, "moved": 2, "faded": 0, "rehung": 0})
        );
    }
}

#[test]
fn the_first_moment_of_started_animations_is_shown() {
    for version in ZipperGame::ALL {
        let mut near = starting(
            "near_only",
            Activation::OnStartup,
            vec![puts(STAR, [9.0; 3])],
        );
        near.head.flags |= DefinitionFlags::EXECUTION_BY_RANGE;
        let mut waits = starting("waits", Activation::OnStartup, vec![puts(STAR, [8.0; 3])]);
        let needs = Prerequisite {
            kind: PrerequisiteKind::Animation,
            name: PaddedText::new("never_started").unwrap(),
            ..Prerequisite::default()
        };
        waits.tables.prerequisites = vec![needs];
        let mut later = starting("later", Activation::OnStartup, vec![]);
        let mut late = Event::new(puts(HOUSE, [6.0; 3]));
        late.time = F32(0.5);
        later.sequences[0].events.push(late);
        let when = EventBody::If(Condition::default());
        let chance = vec![
            shows(NEAR, false),
            when,
            shows(HOUSE, false),
            EventBody::EndIf(Default::default()),
        ];
        let (_, said, document) = begun(
            version,
            "listed lost",
            vec![
                resetting("back", true, vec![puts(STAR, [1.0; 3])]),
                starting(
                    "first",
                    Activation::OnStartup,
                    vec![slides(STAR, [2.0, 0.0, 2.0], [5.0; 3])],
                ),
                near,
                waits,
                later,
                starting("chance", Activation::OnStartup, chance),
                starting(
                    "listed",
                    Activation::OnCall,
                    vec![puts(HOUSE, [4.0, 5.0, 6.0])],
                ),
                starting("never", Activation::OnCall, vec![puts(HOUSE, [0.5; 3])]),
            ],
        );
        // After the resets, at the start of its way.
        assert_eq!(
            place_of(&document, version, "star"),
            json!([2.0, 0.0, 2.0]),
            "{said}"
        );
        assert_eq!(
            place_of(&document, version, "house"),
            json!([4.0, 5.0, 6.0])
        );
        let told = start(&document);
        assert_eq!(
            told["started"],
            json!(["chance", "first", "later", "listed"])
        );
        assert_eq!(told["changed"]["hidden"], 1, "{version:?}: {told}");
        for (why, name) in [
            (
                "animations that run only while the player is near or sees them",
                "near_only",
            ),
            (
                "animations whose conditions do not hold at the start",
                "waits",
            ),
            (
                "events behind a condition that the running game decides",
                "chance",
            ),
            (
                "animations that start at load and that no container has",
                "lost",
            ),
        ] {
            assert_eq!(
                told["left"][why]["names"],
                json!([name]),
                "{version:?}: {told}"
            );
        }
    }
}

#[test]
fn started_animations_call_others_hang_nodes_elsewhere_and_shine() {
    let version = ZipperGame::Recoil;
    let call = |name: &str| {
        EventBody::CallAnimation(Box::new(CallAnimation {
            name: PaddedText::new(name).unwrap(),
            operand_node: ShortNodeIndex(STAR),
            flags: CallFlags::empty(),
            ..CallAnimation::default()
        }))
    };
    let mut lamp = LightState {
        light: LightIndex(1),
        flags: LightFlags::AT_NODE | LightFlags::RANGE | LightFlags::COLOR,
        active: Bool32(1),
        kind: anim::event::light::LightKind::Point,
        node: NodeIndex(i32::from(STAR)),
        translate: Vec3::from([0.0, 1.0, 0.0]),
        ..LightState::default()
    };
    lamp.range.min = F32(4.0);
    lamp.range.max = F32(40.0);
    lamp.color.r = F32(1.0);
    let adopt = EventBody::ObjectAddChild(ObjectAddChild {
        parent: ShortNodeIndex(STAR),
        child: ShortNodeIndex(HOUSE),
    });
    let mut first = starting(
        "first",
        Activation::OnStartup,
        vec![
            puts(STAR, [1.0, 2.0, 3.0]),
            EventBody::LightState(Box::new(lamp)),
            adopt,
            call("second"),
            // Calls in a circle end.
            call("first"),
            call("nobody"),
        ],
    );
    first.tables.lights = vec![
        LightRef::default(),
        LightRef {
            name: NodeName::new("glow").unwrap(),
            ..LightRef::default()
        },
    ];
    // Bound to the star by the call, so that the root is the star.
    let second = starting("second", Activation::OnCall, vec![shows(-100, false)]);
    let (_, said, document) = begun(version, "", vec![first, second]);
    let told = start(&document);
    let star = standing(&document, 1, version, "star");
    assert_eq!(star["extras"]["zipper"]["hidden"], true, "{told}");
    assert_eq!(told["started"], json!(["first", "second"]));
    let why = "calls of animations that no container has";
    assert_eq!(told["left"][why]["names"], json!(["nobody"]), "{said}");
    let nodes = scene_nodes(&document, 1);
    let light = nodes.iter().find(|node| node["name"] == "light_glow");
    let light = light.unwrap();
    assert_eq!(light["translation"], json!([1.0, 3.0, 3.0]));
    assert!(light["extensions"]["KHR_lights_punctual"].is_object());
    // The house hangs below the star, which is hidden, and no longer elsewhere alone.
    assert!(told["changed"]["rehung"].as_u64().unwrap() >= 1);
}

#[test]
fn missions_that_begin_alike_are_one_scene() {
    let version = ZipperGame::CrimsonSkies;
    let shared = container(
        version,
        vec![resetting("one", true, vec![puts(STAR, [1.0; 3])])],
    );
    let own = container(
        version,
        vec![resetting("two", true, vec![puts(STAR, [2.0; 3])])],
    );
    let files = [
        ("ZBD/C1/gamez.zbd", world(version)),
        ("ZBD/C1/cam_anim.zbd", shared),
        ("ZBD/C1/zrdr.zbd", readers("")),
        ("ZBD/C1/M01/zrdr.zbd", readers("")),
        ("ZBD/C1/M02/zrdr.zbd", readers("")),
        ("ZBD/C1/M03/zrdr.zbd", readers("")),
        ("ZBD/C1/M03/mis_anim.zbd", own),
    ];
    let (run, said) = run(&files, "");
    let document = run.json("worlds/zbd/c1/gamez.gltf");
    let names = document["scenes"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|scene| scene["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gamez", "gamez m01, m02", "gamez m03"], "{said}");
    assert_eq!(place_of(&document, version, "star"), json!([1.0, 1.0, 1.0]));
    let star = standing(&document, 2, version, "star");
    assert_eq!(star["translation"], json!([2.0, 2.0, 2.0]));
    let binary = fs::metadata(run.out().join("worlds/zbd/c1/gamez.bin")).unwrap();
    let stored = {
        let (alone, _) = super::engine::run(&files[..1], "");
        fs::metadata(alone.out().join("worlds/zbd/c1/gamez.bin")).unwrap()
    };
    assert_eq!(binary.len(), stored.len(), "geometry is not repeated");
}

#[test]
fn mission_scenes_are_filled_as_they_begin() {
    let version = ZipperGame::Recoil;
    let list = "((crate_00 (1 (1. 2. 3.) 0.)))";
    let files = [
        ("zbd/m1/gamez.zbd", world(version)),
        (
            "zbd/m1/anim.zbd",
            container(
                version,
                vec![resetting("one", true, vec![puts(STAR, [1.0; 3])])],
            ),
        ),
        ("zbd/m1/zrdr.zbd", pack(&[("aiv.zrd", reader(list))])),
    ];
    for (state, place) in [
        ("stored", Value::Null),
        ("both", json!([1.0, 1.0, 1.0])),
        ("mission_start", json!([1.0, 1.0, 1.0])),
    ] {
        let settings = format!("[worlds]\nplacements = true\nstate = \"{state}\"\n");
        let (run, said) = run(&files, &settings);
        let document = run.json("worlds/zbd/m1/gamez.m1.gltf");
        let star = standing(&document, 0, version, "star");
        assert_eq!(star["translation"], place, "{state}: {said}");
        let nodes = scene_nodes(&document, 0);
        assert!(nodes.iter().any(|node| node["name"] == "place_crate_00"));
        assert_eq!(document["scenes"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn damaged_and_hostile_scripts_and_animations_leave_the_world_as_it_is() {
    let version = ZipperGame::Recoil;
    let circle = "source m1_zbd.gs\nset A %A%%A%xxxxxxxxxxxxxxxx\nsource m1_zbd.gs";
    let many = "FindNode %A%\n".repeat(3000);
    let odd = "FindNode world1\nWorldSetFogRange nan 1e99\nFindNode star\n\
               Object3DTranslate 1e39 -1e39 x\nObject3DScale 0 0 0\nObject3DSetPriority 99999999999";
    let text = format!("{circle}\n{many}{odd}");
    let mut broken = scripts(&[("data\\m1\\m1_zbd.gs", &text)]);
    let whole = broken.clone();
    broken.truncate(whole.len() / 2);
    let wild = vec![
        resetting(
            "wild",
            true,
            vec![
                shows(30_000, true),
                shows(-7, false),
                puts(STAR, [f32::NAN; 3]),
            ],
        ),
        starting(
            "round",
            Activation::OnStartup,
            vec![
                EventBody::CallAnimation(Box::new(CallAnimation {
                    name: PaddedText::new("round").unwrap(),
                    ..CallAnimation::default()
                })),
                EventBody::ObjectAddChild(ObjectAddChild {
                    parent: ShortNodeIndex(HOUSE),
                    child: ShortNodeIndex(HOUSE),
                }),
                EventBody::ObjectAddChild(ObjectAddChild {
                    parent: ShortNodeIndex(NEAR),
                    child: ShortNodeIndex(HOUSE),
                }),
            ],
        ),
    ];
    for bytes in [whole, broken] {
        let files = [
            ("zbd/m1/gamez.zbd", world(version)),
            ("zbd/m1/zrdr.zbd", readers("round")),
            ("zbd/m1/anim.zbd", container(version, wild.clone())),
            ("other/interp.zbd", bytes.clone()),
        ];
        let mut near = files.to_vec();
        near[3].0 = "zbd/interp.zbd";
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &near {
            let path = folder.path().join("in").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let out = folder.path().join("out");
        // A script that is cut off fails by itself, and the world is there.
        let _ = super::common::convert(&folder.path().join("in"), &out, &["-q"]).output();
        let document = super::common::json(&out.join("worlds/zbd/m1/gamez.gltf"));
        assert_eq!(document["scenes"].as_array().unwrap().len(), 2);
        let house = standing(&document, 1, version, "house");
        assert!(house["extras"]["zipper"]["hidden"].is_null());
    }
}

#[test]
fn turrets_are_reset_each_by_itself() {
    let version = ZipperGame::Recoil;
    let ai = "(DESTROY_ANIM usual TURRET (house PARTS (barrel house_near)) \
               TURRET (star PARTS (barrel x) DESTROY_ANIM special))";
    let places = places(version);
    // Both are bound to another node by their names.
    let mut usual = resetting("usual", false, vec![puts(-100, [1.0, 0.0, 0.0])]);
    let mut special = resetting("special", false, vec![puts(-100, [2.0, 0.0, 0.0])]);
    for definition in [&mut usual, &mut special] {
        definition.head.name = PaddedText::new("sunlight").unwrap();
    }
    let files = [
        (places.world, world(version)),
        (places.container, container(version, vec![usual, special])),
        (places.readers, pack(&[("ai.zrd", reader(ai))])),
    ];
    let (run, said) = run(&files, "");
    let document = run.json(places.scene);
    assert_eq!(
        place_of(&document, version, "house"),
        json!([1.0, 0.0, 0.0]),
        "{said}"
    );
    assert_eq!(place_of(&document, version, "star"), json!([2.0, 0.0, 0.0]));
    let near = standing(&document, 1, version, "house_near");
    assert_eq!(
        near["extras"]["zipper"]["hidden"], true,
        "a fire point is off"
    );
}
