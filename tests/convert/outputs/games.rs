//! Installs of four games whose files have the same names, in one output folder.

use relicast_testing::test;
use std::fs;
use std::path::PathBuf;

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{self};

use crate::common::{convert, files, json, relicast};
use crate::install::{contents, scripts, sounds, textures_named};
use crate::outputs::inputs::outputs;
use relicast_samples::minimal::worlds;

/// An install of one game with a world, its textures, sounds and scripts.
pub struct Sample {
    folder: tempfile::TempDir,
}

const GAMES: [(&str, ZipperGame); 4] = [
    ("rc", ZipperGame::Recoil),
    ("mw", ZipperGame::MechWarrior3),
    ("pm", ZipperGame::PiratesMoon),
    ("cs", ZipperGame::CrimsonSkies),
];

impl Sample {
    pub fn new(game: &str) -> Self {
        let sample = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        sample.add(game);
        sample
    }

    fn add(&self, game: &str) -> PathBuf {
        let index = GAMES.iter().position(|(name, _)| *name == game).unwrap();
        let root = self.out(game);
        let write = |path: &str, bytes: &[u8]| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        let world = gamez::encode(&worlds::gamez(GAMES[index].1)).unwrap();
        write("zbd/c1/gamez.zbd", &world);
        let names = ["grass", "water", game];
        write("zbd/c1/rtexture.zbd", &textures_named(&names));
        write("zbd/soundsh.zbd", &sounds(u8::try_from(index).unwrap()));
        write("zbd/interp.zbd", &scripts());
        root
    }

    pub fn input(&self) -> PathBuf {
        let first = fs::read_dir(self.folder.path()).unwrap().flatten();
        let mut games = first.map(|game| game.path());
        games
            .find(|path| GAMES.iter().any(|(name, _)| path.ends_with(name)))
            .unwrap()
    }

    pub fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

#[test]
fn four_games_live_in_one_folder() {
    let sample = Sample::new("rc");
    let installs: Vec<PathBuf> = GAMES.iter().map(|(game, _)| sample.add(game)).collect();
    let out = sample.out("out");
    let mut before = Vec::new();
    let mut expected = 0;
    for (install, (game, _)) in installs.iter().zip(GAMES) {
        convert(install, &out, &["-q"]).assert().success();
        let now = outputs(&out);
        assert!(before.iter().all(|output| now.contains(output)), "{game}");
        let fresh = sample.out(&format!("fresh-{game}"));
        convert(install, &fresh, &["-q"]).assert().success();
        expected += outputs(&fresh).len();
        assert_eq!(now.len(), expected, "{game}");
        before = now;
    }
    relicast().arg("verify").arg(&out).assert().success();
    // Every scene shows pictures of its own game.
    let scenes = files(&out);
    let scenes: Vec<&String> = scenes
        .iter()
        .filter(|scene| scene.ends_with("gamez.gltf"))
        .collect();
    assert_eq!(scenes.len(), 4);
    for path in scenes {
        let scene = json(&out.join(path));
        for image in scene["images"].as_array().into_iter().flatten() {
            let picture = out
                .join(path)
                .parent()
                .unwrap()
                .join(image["uri"].as_str().unwrap());
            assert!(picture.exists(), "{path}: {image}");
        }
    }
    let whole = contents(&out);
    for install in installs.iter().rev() {
        convert(install, &out, &["-q"]).assert().success();
        assert_eq!(contents(&out), whole);
        convert(install, &out, &["-q", "--force"])
            .assert()
            .success();
        assert_eq!(contents(&out), whole);
    }
}
