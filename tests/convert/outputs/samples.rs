//! Outputs of all samples under three configurations, which several tests examine.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use relicast::asset::Game;
use serde_json::Value;

use crate::common::{self, sample_installs};

/// Configurations that write different extras and references.
const SETTINGS: [&str; 3] = [
    "",
    "[scenes]\nembed_cycles = true\nlayers = \"extras\"\n[worlds]\nstate = \"both\"\nplacements = true\n\
     [everquest]\ngrass = true\nvolumes = true\nlights = true\nvertex_animation = \"extras\"\n",
    "[scenes]\ngodot_extras = true\n[worlds]\nplacements = true\n[animations]\nclips = \"world\"\n\
     [everquest]\nlight = \"both\"\n",
];

/// Outputs of a run.
pub struct Outputs {
    /// Paths of all files.
    pub files: BTreeSet<String>,
    /// Paths and documents of glTF files.
    pub scenes: Vec<(String, Value)>,
}

/// The samples of all games, converted once for each of [`SETTINGS`].
pub fn converted() -> &'static [Outputs] {
    static CONVERTED: OnceLock<Vec<Outputs>> = OnceLock::new();
    CONVERTED.get_or_init(|| {
        let installs = sample_installs(&[Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq]);
        let out = tempfile::tempdir().unwrap();
        let outputs = SETTINGS.iter().map(|settings| {
            let file = out.path().join("settings.toml");
            std::fs::write(&file, settings).unwrap();
            let to = out.path().join("out");
            let mut convert = common::convert(installs.path(), &to, &["--quiet", "--config"]);
            convert.arg(&file).assert().success();
            let files: BTreeSet<String> = common::files(&to).into_iter().collect();
            let scenes = files.iter().filter(|path| path.ends_with(".gltf"));
            let scenes = scenes.map(|path| (path.clone(), common::json(&to.join(path))));
            Outputs {
                scenes: scenes.collect(),
                files,
            }
        });
        outputs.collect()
    })
}
