//! Missions: documents, scripts and animations together with a valid world.

use std::sync::OnceLock;

use relicast::convert::ConvertOptions;
use relicast::convert::Dependency;
use relicast::formats::codec::PaddedText;
use relicast::formats::kind::Kind;
use relicast::formats::zipper::interp::{self, Interp, Line, Row, Script};
use relicast::formats::zipper::{ZipperGame, gamez};
use relicast_samples::minimal::{containers, worlds};

use super::conversion::run;

/// Names of documents that the program reads with a world, each with a short one.
const DOCUMENTS: [(&str, &str); 14] = [
    ("aiv", "(star_00 (1 (1. 2. 3.) 90.))"),
    ("aiv", "(24 net star_1 (24 (1. 2. 3.) 45. 0 5))"),
    ("puppies", "((7 5 (1. 2. 3.) (0. 1. 0.) 30.))"),
    (
        "net_01",
        "(version 105 name a node_00 (0 (1. 0. 2.) (1 -1 -1)))",
    ),
    ("net", "((1.0 2.0 3.0) (4.0 5.0))"),
    (
        "ai",
        "(DESTROY_ANIM a TURRET (house PARTS (star x) HEALTH 80))",
    ),
    (
        "objectives",
        "(READ_TIME 5 OBJECTIVE1 (a MSG_A MSG_B ACTIVE star))",
    ),
    ("movers", "(star house)"),
    (
        "zeppelins",
        "(((node star position (1. 2. 3.) yaw 90.0 pitch 0 team ally)))",
    ),
    (
        "weather",
        "(ZONE1 (FOG_COLOR (1 2 3) FOG_RANGES (3 25)) TYPE RAIN PARTICLES 40)",
    ),
    (
        "fogvol",
        "(clutter (weight 1. nodes (star) far_fade_range (1 2)))",
    ),
    ("StartAnims", "(NEW_GAME_START (a) LOAD_GAME_START (b))"),
    ("vehicle", "(star (nodename house health (single 5)))"),
    (
        "sounds",
        "(SYNTAX 2 SETS (M1 (a (LOOPED HIGH a.wav RANGE (1 2)))) CD_TRACKS ((a 2)))",
    ),
];

/// Choice after the documents: a script.
const SCRIPT: usize = DOCUMENTS.len();

const LINES: &str = "set SKY star\nifdef USEZBD\nFindNode camera1\nCameraSetHorizon %SKY%\nFindNode house\n\
                     Object3DTranslate 1 2 3\nNodeSetActive off\nFindNode world1\nWorldSetFogRange 1 9\nendif\nsource a.gs\n";

/// Seeds of the fuzzer.
pub fn seeds() -> Vec<Vec<u8>> {
    let documents = DOCUMENTS.iter().map(|(_, text)| *text).chain([LINES]);
    let mut all = Vec::new();
    for (choice, text) in (0_u8..).zip(documents) {
        for game in 0..4 {
            let mut bytes = vec![choice, game];
            bytes.extend(text.as_bytes());
            all.push(bytes);
        }
    }
    all
}

/// A world with mission files. The first byte selects the document, the second the game; the rest is its text.
pub fn missions(bytes: &[u8]) {
    static WORLDS: OnceLock<[Vec<u8>; 4]> = OnceLock::new();
    let all = WORLDS.get_or_init(|| {
        ZipperGame::ALL.map(|game| gamez::encode(&worlds::gamez(game)).expect("it is sound"))
    });
    let Some((&[choice, game], bytes)) = bytes.split_first_chunk() else {
        return;
    };
    let choice = usize::from(choice) % (SCRIPT + 1);
    let world = &all[usize::from(game) % all.len()];
    let script;
    let (path, kind, content) = match DOCUMENTS.get(choice) {
        Some((name, _)) => (format!("zbd/m1/{name}.zrd"), Kind::TextReader, bytes),
        None => {
            script = script_of(bytes);
            ("zbd/interp.zbd".to_owned(), Kind::Interp, &*script)
        }
    };
    let companions = Dependency {
        path: &path,
        kind,
        bytes: content,
        digest: None,
        outputs: &[],
    };
    let mut options = ConvertOptions::default();
    options.worlds.placements = true;
    let written = run(Kind::GameZ, "gamez.zbd", world, &[companions], &options);
    // Each name places a copy of a part of the world, whose geometry is shared.
    assert!(
        written <= 4096 * bytes.len() + 64 * world.len() + 65_536,
        "{written} bytes of output"
    );
    let sounds = containers::archives();
    for archive in &sounds {
        run(
            Kind::Archive,
            "soundsh.zbd",
            archive,
            &[companions],
            &options,
        );
    }
}

fn script_of(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let script = Script {
        row: Row {
            path: PaddedText::new("data\\m1\\m1_zbd.gs").expect("it fits"),
            ..Row::default()
        },
        lines: text
            .lines()
            .map(|line| Line::from_tokens(line.split_whitespace()))
            .collect(),
    };
    let file = Interp {
        scripts: vec![script],
        ..Interp::default()
    };
    interp::encode(&file).unwrap_or_default()
}
