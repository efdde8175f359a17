//! Compiled animation archives of four games: round trips, values against an independent decode,
//! bad input, and small files of our own.

#![expect(
    clippy::unwrap_used,
    reason = "a failed step is a failed test; the helpers are not test functions"
)]

use crate::common;
mod crimson;
mod hostile;
mod inspect;
mod own;
mod reference;
mod values;

use relicast_testing::test;
use std::fs;
use std::path::PathBuf;

use relicast::asset::Game;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::anim::{self, AnimFile, EventBody, NodeTarget};

const FILES: [(ZipperGame, &str); 5] = [
    (ZipperGame::Recoil, "rc/zbd/m1/anim.zbd"),
    (ZipperGame::MechWarrior3, "mw/zbd/c1/anim.zbd"),
    (ZipperGame::PiratesMoon, "pm/zbd/c1/anim.zbd"),
    (ZipperGame::CrimsonSkies, "cs/ZBD/C1/cam_anim.zbd"),
    (ZipperGame::CrimsonSkies, "cs/ZBD/C1/M01/mis_anim.zbd"),
];

/// A file of the fixtures with its version, its bytes and the folder of its expected decode.
struct Fixture {
    version: ZipperGame,
    name: &'static str,
    bytes: Vec<u8>,
    expected: PathBuf,
}

impl Fixture {
    fn decode(&self) -> AnimFile {
        let decoded = anim::decode(&self.bytes).unwrap();
        assert_eq!(decoded.deviations.described(), [], "{}", self.name);
        decoded.value
    }

    fn json(&self, name: &str) -> serde_json::Value {
        let path = self.expected.join(name);
        let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_slice(&text).unwrap()
    }
}

/// The fixtures; the running test is skipped when they are not available.
fn fixtures() -> Vec<Fixture> {
    let root = relicast_testing::fixtures("zipper");
    FILES
        .into_iter()
        .map(|(version, name)| Fixture {
            version,
            name,
            bytes: fs::read(root.join(name)).unwrap(),
            expected: root.join("expect").join(name),
        })
        .collect()
}

#[test]
fn made_installs_decode_without_deviations_and_survive_a_round_trip() {
    let games = [Game::Rc, Game::Mw, Game::Pm, Game::Cs];
    let samples = common::sample_installs(&games);
    for (version, path) in FILES {
        let bytes = fs::read(samples.path().join(path)).unwrap();
        assert_eq!(anim::sniff(&bytes), Some(version));
        let decoded = anim::decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.described(), [], "{path}");
        assert!(anim::encode(&decoded.value).unwrap() == bytes, "{path}");
    }
}

#[test]
fn fixtures_decode_without_deviations_and_survive_a_round_trip() {
    for fixture in fixtures() {
        assert_eq!(anim::sniff(&fixture.bytes), Some(fixture.version));
        let file = fixture.decode();
        assert_eq!(file.version, fixture.version);
        assert!(
            anim::encode(&file).unwrap() == fixture.bytes,
            "{}",
            fixture.name
        );
        let text = serde_json::to_string(&file).unwrap();
        assert!(text.len() > fixture.bytes.len() / 4, "{}", fixture.name);
    }
}

#[test]
fn scripts_of_the_pool_are_found_for_the_nodes_they_were_made_for() {
    for fixture in fixtures() {
        let file = fixture.decode();
        let mut found = 0;
        for definition in &file.definitions {
            let events = definition
                .sequences
                .iter()
                .flat_map(|sequence| &sequence.events);
            for event in events {
                let EventBody::ObjectMotionSiScript(motion) = &event.body else {
                    continue;
                };
                let NodeTarget::Entry(node) = motion.head.node.target() else {
                    panic!("a script without a node");
                };
                match file.script(definition, &motion.head) {
                    Some(script) => {
                        let node = &definition.tables.nodes[node];
                        assert_eq!(script.object_name.text(), node.name.text());
                        found += 1;
                    }
                    None => assert!(!motion.frames.is_empty()),
                }
            }
        }
        assert_eq!(found > 0, fixture.version >= ZipperGame::PiratesMoon);
    }
}
