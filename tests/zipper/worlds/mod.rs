//! Worlds, aircraft and 'mechs as glTF, compared with an independent decoder's values of the same
//! files. Nothing here uses the converter's own code: scenes are read back with the `gltf` crate.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;
use crate::corrupt;

mod chassis;
mod crimson;
mod crimson_rules;
mod cycles;
mod damaged;
mod drawing;
mod engine;
mod expected;
mod hostile;
mod missions;
mod motions;
mod older_rules;
mod options;
mod output;
mod placements;
mod posed;
mod settings;
mod starts;
mod surfaces;

use std::path::Path;

use relicast::asset::Game;

/// Everything in one place: no level of detail left out, nothing hidden, poses as stored.
const WHOLE: &str = "\
[scenes]
lods = \"all\"
hidden = \"keep\"
[models]
show_head = true
rest_pose = \"stored\"
";

/// Converts the fixtures of a game, and hands over their folder of expectations and the outputs.
fn with_game(game: &str, config: &str, check: impl FnOnce(&Path, &Path)) {
    let root = common::fixtures("zipper");
    let expect = root.join("expect").join(game);
    with_install(&root.join(game), config, &["-q", "--strict"], |out| {
        check(&expect, out);
    });
}

/// Source of the install of a test.
#[derive(Clone, Copy)]
enum Install {
    /// Made by the project's own encoders.
    Made,
    /// Written by others.
    Fixture,
}

/// Makes two tests of each function that takes an [`Install`].
macro_rules! on_every_install {
    ($($check:ident),* $(,)?) => {
        mod made {
            use relicast_testing::test;
            $(
                #[test]
                fn $check() {
                    super::$check(crate::worlds::Install::Made);
                }
            )*
        }

        /// One test, so that a copy without the fixtures is not short of each check twice.
        #[relicast_testing::test]
        fn all_of_it_holds_on_the_fixtures() {
            $(
                eprintln!("{}", stringify!($check));
                $check(crate::worlds::Install::Fixture);
            )*
        }
    };
}
pub(crate) use on_every_install;

impl Install {
    /// Converts the install of a game, and hands over the outputs.
    fn convert(self, game: &str, config: &str, check: impl FnOnce(&Path)) {
        match self {
            Self::Made => with_sample(game, config, check),
            Self::Fixture => with_game(game, config, |_, out| check(out)),
        }
    }
}

/// Files of an install that scenes are made from, as a setting.
const SCENES_ALONE: &str =
    "[run]\ninclude = [\"gamez.zbd\", \"planes.zbd\", \"mechlib.zbd\", \"rtexture*.zbd\"]\n";

/// Converts the scenes of a made install, and hands over the outputs.
fn with_sample(game: &str, config: &str, check: impl FnOnce(&Path)) {
    let game = match game {
        "rc" => Game::Rc,
        "mw" => Game::Mw,
        "pm" => Game::Pm,
        "cs" => Game::Cs,
        other => panic!("no sample of {other}"),
    };
    let samples = common::sample_installs(&[game]);
    let install = samples.path().join(relicast_samples::folder(game));
    // The samples have deviations on purpose.
    let config = format!("{SCENES_ALONE}{config}");
    with_install(&install, &config, &["-q"], check);
}

/// Converts an install and hands over the outputs.
fn with_install(install: &Path, config: &str, arguments: &[&str], check: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let settings = folder.path().join("settings.toml");
    std::fs::write(&settings, config).unwrap();
    let mut command = common::convert(install, &out, arguments);
    command.arg("--config").arg(&settings).assert().success();
    check(&out);
}
