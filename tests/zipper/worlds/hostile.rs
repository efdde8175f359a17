//! Corrupt files: with any contents, the result is a scene or an error that names the field, never a panic, and never a
//! scene that cannot be written.

use relicast_testing::rounds;
use relicast_testing::test;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast::convert::Dependency;
use relicast::convert::options::{ConvertOptions, Hidden, Lods};
use relicast::formats::kind::{Kind, sniff};

use super::common;
use super::corrupt::{WORDS, convert, next};

fn mutate(root: &Path, path: &str, dependencies: &[&str], rounds: usize) {
    let name = path.rsplit('/').next().unwrap();
    let whole = fs::read(root.join(path)).unwrap();
    let files: Vec<(&str, Vec<u8>)> = dependencies
        .iter()
        .map(|path| (*path, fs::read(root.join(path)).unwrap()))
        .collect();
    let outputs: Vec<Option<String>> = (0..64).map(|row| Some(format!("t/{row}.png"))).collect();
    let dependencies: Vec<Dependency<'_>> = files
        .iter()
        .map(|(path, bytes)| Dependency {
            path,
            kind: sniff(bytes, path),
            bytes,
            digest: None,
            outputs: &outputs,
        })
        .collect();
    assert!(
        dependencies
            .iter()
            .any(|dependency| dependency.kind == Kind::Textures)
    );
    let mut options = ConvertOptions::default();
    assert!(convert(name, &whole, &dependencies, &options).scenes > 0);
    options.scenes.lods = Lods::All;
    let mut state = 0x9E37_79B9_7F4A_7C15;
    let mut scenes = 0;
    for round in 0..rounds {
        options.scenes.hidden = match round % 2 {
            0 => Hidden::Keep,
            _ => Hidden::Separate,
        };
        let mut bytes = whole.clone();
        for _ in 0..=next(&mut state) % 6 {
            let at = next(&mut state) % (bytes.len() / 4) * 4;
            let word = WORDS[next(&mut state) % WORDS.len()];
            bytes[at..at + 4].copy_from_slice(&word);
        }
        let made = convert(name, &bytes, &dependencies, &options);
        scenes += made.scenes;
        assert!(made.nodes < 200_000, "{} nodes", made.nodes);
    }
    assert!(
        scenes > rounds / 4,
        "only {scenes} scenes in {rounds} rounds"
    );
}

#[test]
fn synthetic_worlds_corrupted() {
    let samples = common::sample_installs(&[Game::Rc, Game::Mw, Game::Pm, Game::Cs]);
    for (world, textures) in [
        ("rc/zbd/m1/gamez.zbd", "rc/zbd/m1/rtexture4.zbd"),
        ("mw/zbd/c1/gamez.zbd", "mw/zbd/c1/rtexture3.zbd"),
        ("pm/zbd/c1/gamez.zbd", "pm/zbd/c1/rtexture3.zbd"),
        ("cs/ZBD/C1/gamez.zbd", "cs/ZBD/C1/rtexture12.zbd"),
        ("cs/ZBD/planes.zbd", "cs/ZBD/C1/rtexture12.zbd"),
    ] {
        mutate(samples.path(), world, &[textures], rounds(8, 60));
    }
}

#[test]
fn synthetic_model_libraries_corrupted() {
    model_libraries(common::sample_installs(&[Game::Mw, Game::Pm]).path());
}

#[test]
fn worlds_corrupted() {
    let root = &common::fixtures("zipper");
    for (world, textures) in [
        ("rc/zbd/m1/gamez.zbd", "rc/zbd/m1/rtexture3.zbd"),
        ("mw/zbd/c1/gamez.zbd", "mw/zbd/c1/rtexture3.zbd"),
        ("pm/zbd/c1/gamez.zbd", "pm/zbd/c1/rtexture3.zbd"),
        ("cs/ZBD/C1/gamez.zbd", "cs/ZBD/C1/rtexture12.zbd"),
        ("cs/ZBD/planes.zbd", "cs/ZBD/C1/rtexture12.zbd"),
    ] {
        mutate(root, world, &[textures], rounds(8, 120));
    }
}

#[test]
fn model_libraries_corrupted() {
    model_libraries(&common::fixtures("zipper"));
}

fn model_libraries(root: &Path) {
    for game in ["mw", "pm"] {
        let path = format!("{game}/zbd/mechlib.zbd");
        let textures = format!("{game}/zbd/c1/rtexture3.zbd");
        let motions = format!("{game}/zbd/motion.zbd");
        mutate(root, &path, &[&textures, &motions], rounds(12, 200));
    }
}
