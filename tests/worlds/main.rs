//! Worlds, aircraft and 'mechs as glTF, compared with what an independent decoder says of the same
//! files. Nothing here uses the converter's own code: scenes are read back with the `gltf` crate.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/corrupt.rs"]
mod corrupt;

mod chassis;
mod cycles;
mod damaged;
mod engine;
mod expected;
mod hostile;
mod motions;
mod options;
mod output;
mod placements;
mod posed;
mod settings;
mod surfaces;

use std::path::Path;

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
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let settings = folder.path().join("settings.toml");
    std::fs::write(&settings, config).unwrap();
    let mut command = common::convert(&root.join(game), &out, &["-q", "--strict"]);
    command.arg("--config").arg(&settings).assert().success();
    check(&root.join("expect").join(game), &out);
}

relicast_testing::main!();
