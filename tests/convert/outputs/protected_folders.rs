//! Folders in an install of a game: nothing is written there, and all other folders are accepted.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;

use crate::common::{convert, relicast, sample_installs};

/// The paths of all files below a folder.
fn listing(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    entries
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .collect()
}

/// The commands that write to a folder that the user names.
fn commands(out: &Path, install: &Path, to: &Path) -> Vec<(&'static str, Vec<PathBuf>)> {
    let (out, install, to) = (out.to_owned(), install.to_owned(), to.to_owned());
    let flag = |name: &str| PathBuf::from(name);
    vec![
        ("convert", vec![install.clone(), flag("--out"), to.clone()]),
        (
            "package",
            vec![out.clone(), flag("--bagit"), flag("--to"), to.clone()],
        ),
        ("gallery", vec![out.clone(), flag("--to"), to.clone()]),
        ("collection", vec![out.clone(), flag("--to"), to.clone()]),
        ("pack", vec![out, flag("--from"), install, flag("--to"), to]),
    ]
}

#[test]
fn no_command_writes_into_a_folder_of_an_install() {
    for game in [Game::Eq, Game::Mw] {
        let root = sample_installs(&[game]);
        let install = root.path().join(relicast_samples::folder(game));
        let out = root.path().join("out");
        convert(&install, &out, &["-q"]).assert().success();
        let before = listing(&install);
        for to in ["new", "a/b/c"].map(|inner| install.join(inner)) {
            for (command, arguments) in commands(&out, &install, &to) {
                let run = relicast().arg(command).args(arguments).assert().failure();
                let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
                assert!(
                    said.contains("inside a game install")
                        && said.contains("choose a folder outside"),
                    "{command} of {game}: {said}"
                );
                assert_eq!(said.trim_end().lines().count(), 1, "{said}");
            }
        }
        assert_eq!(listing(&install), before);
    }
}

#[test]
fn folders_next_to_installs_and_below_a_home_with_loose_sounds_are_taken() {
    let root = sample_installs(&[Game::Eq, Game::Mw]);
    let install = root.path().join(relicast_samples::folder(Game::Mw));
    let sound = relicast_samples::minimal::media::waves().swap_remove(1);
    for name in ["one.wav", "two.wav", "three.wav", "four.wav"] {
        fs::write(root.path().join(name), &sound).unwrap();
    }
    let archive = relicast_samples::minimal::everquest::archives().swap_remove(0);
    fs::write(root.path().join("downloaded.s3d"), archive).unwrap();
    let out = root.path().join("out");
    convert(&install, &out, &["-q"]).assert().success();
    for (command, arguments) in commands(&out, &install, &root.path().join("beside/it")) {
        let to = root.path().join("beside");
        if to.exists() {
            fs::remove_dir_all(to).unwrap();
        }
        relicast().arg(command).args(arguments).assert().success();
    }
}
