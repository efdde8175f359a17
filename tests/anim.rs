//! Compiled animation archives of four games.

use std::fs;
use std::path::{Path, PathBuf};

use relicast::formats::zipper::anim;

const FILES: [&str; 5] = [
    "mw/zbd/c1/anim.zbd",
    "pm/zbd/c1/anim.zbd",
    "rc/zbd/m1/anim.zbd",
    "cs/ZBD/C1/cam_anim.zbd",
    "cs/ZBD/C1/M01/mis_anim.zbd",
];

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/fixtures/zipper")).to_path_buf()
}

#[test]
fn fixtures_survive_a_round_trip() {
    for file in FILES {
        let bytes = fs::read(root().join(file)).unwrap();
        let decoded = anim::decode(&bytes).unwrap();
        println!("{file} {:#?}", decoded.deviations.described());
        assert!(anim::encode(&decoded.value).unwrap() == bytes, "{file}");
    }
}
