//! Worlds as missions begin in them: scripts, reset sequences, started animations; on data made here.

mod animations;
mod missions;
mod scripts;
mod skies;
mod transforms;

use relicast::formats::codec::{F32, PaddedText, Vec3};
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::event::motion::{FromToFlags, ObjectMotionFromTo};
use relicast::formats::zipper::anim::event::object::{ObjectActiveState, ObjectTranslateState};
use relicast::formats::zipper::anim::{
    self, Activation, AnimFile, Bool32, Definition, DefinitionFlags, Event, EventBody, NodeIndex,
    NodeName, NodeRef, Sequence, ShortNodeIndex,
};
use relicast::formats::zipper::gamez;
use relicast::formats::zipper::interp::{self, Interp, Line, Row, Script};
use serde_json::Value;

use relicast_samples::minimal::worlds;

use super::chassis::{pack, reader};
use super::engine::{Run, run};

type Files = Vec<(&'static str, Vec<u8>)>;

/// Paths in a game: the world, its scene, the script that runs at load, the readers of a mission, the
/// container of the world.
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
