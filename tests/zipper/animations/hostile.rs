//! Corrupt containers, together with the worlds that they move.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::convert::ConvertOptions;
use relicast::convert::Dependency;
use relicast::formats::kind::Kind;

use super::common;
use super::corrupt::{WORDS, convert, next};

fn mutate(root: &Path, path: &str, world: &str, rounds: usize) {
    let whole = fs::read(root.join(path)).unwrap();
    let world_bytes = fs::read(root.join(world)).unwrap();
    let outputs = vec![Some("worlds/gamez.gltf".to_owned())];
    let dependencies = [Dependency {
        path: "gamez.zbd",
        kind: Kind::GameZ,
        bytes: &world_bytes,
        digest: None,
        outputs: &outputs,
    }];
    let name = path.rsplit('/').next().unwrap();
    let options = ConvertOptions::default();
    let sane = convert(name, &whole, &dependencies, &options);
    assert!(sane.documents > 3 && sane.scenes > 0, "{sane:?}");
    let rounds = relicast_testing::rounds(rounds / 4, rounds);
    let mut state = 0x9E37_79B9_7F4A_7C15;
    let (mut documents, mut scenes) = (0, 0);
    for round in 0..rounds {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(next(&mut state) % whole.len());
        }
        for _ in 0..=round % 5 {
            let place = 8 + next(&mut state) % (bytes.len().max(16) - 12);
            let word = WORDS[next(&mut state) % WORDS.len()];
            if let Some(field) = bytes.get_mut(place..place + 4) {
                field.copy_from_slice(&word);
            }
        }
        let found = convert(name, &bytes, &dependencies, &options);
        assert_eq!(found.not_objects, 0);
        assert!(found.nodes < 200_000, "{} nodes", found.nodes);
        assert!(
            found.bytes < 64 * whole.len() + (1 << 16),
            "{}",
            found.bytes
        );
        documents += found.documents;
        scenes += found.scenes;
    }
    assert!(documents > rounds / 2, "{documents}");
    assert!(scenes > rounds / 4, "{scenes}");
}

fn recoil(root: &Path) {
    mutate(root, "rc/zbd/m1/anim.zbd", "rc/zbd/m1/gamez.zbd", 150);
}

#[test]
fn recoil_survives() {
    recoil(&common::fixtures("zipper"));
}

#[test]
fn synthetic_recoil_survives() {
    recoil(common::sample_installs(&[Game::Rc]).path());
}

fn mechwarrior(root: &Path) {
    mutate(root, "mw/zbd/c1/anim.zbd", "mw/zbd/c1/gamez.zbd", 150);
}

#[test]
fn mechwarrior_survives() {
    mechwarrior(&common::fixtures("zipper"));
}

#[test]
fn synthetic_mechwarrior_survives() {
    mechwarrior(common::sample_installs(&[Game::Mw]).path());
}

fn pirates_moon(root: &Path) {
    mutate(root, "pm/zbd/c1/anim.zbd", "pm/zbd/c1/gamez.zbd", 150);
}

#[test]
fn pirates_moon_survives() {
    pirates_moon(&common::fixtures("zipper"));
}

#[test]
fn synthetic_pirates_moon_survives() {
    pirates_moon(common::sample_installs(&[Game::Pm]).path());
}

fn crimson_skies(root: &Path) {
    mutate(root, "cs/ZBD/C1/cam_anim.zbd", "cs/ZBD/C1/gamez.zbd", 150);
    mutate(
        root,
        "cs/ZBD/C1/M01/mis_anim.zbd",
        "cs/ZBD/C1/gamez.zbd",
        150,
    );
}

#[test]
fn crimson_skies_survives() {
    crimson_skies(&common::fixtures("zipper"));
}

#[test]
fn synthetic_crimson_skies_survives() {
    crimson_skies(common::sample_installs(&[Game::Cs]).path());
}
