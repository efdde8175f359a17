//! A whole install that the sample makers make, converted: what the sheets of a zone and the scenes say.

use std::path::{Path, PathBuf};

use relicast::formats::everquest::pfs::{self, Footer};
use relicast::formats::everquest::wld::{self, Wld};
use serde_json::Value;

use crate::common;
use crate::output::load;
use crate::sample::everquest;

/// An install on the disk.
pub struct Install {
    folder: tempfile::TempDir,
}

impl Install {
    /// The install of the sample makers.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let install = Self { folder };
        std::fs::create_dir(install.input()).unwrap();
        for file in everquest::files(1).unwrap() {
            std::fs::write(install.input().join(&file.path), &file.bytes).unwrap();
        }
        install
    }

    pub fn input(&self) -> PathBuf {
        self.folder.path().join("in")
    }

    /// Changes a scene of an archive.
    pub fn edit(&self, archive: &str, member: &str, change: impl Fn(&mut Wld<'_>)) {
        let path = self.input().join(archive);
        let bytes = std::fs::read(&path).unwrap();
        let mut members = crate::support::members(&pfs::decode(&bytes).unwrap().value);
        let stored = members.get_mut(member).unwrap();
        let mut scene = wld::decode(stored).unwrap().value.into_owned();
        change(&mut scene);
        *stored = wld::encode(&scene).unwrap();
        let members: Vec<(&str, &[u8])> = members
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
            .collect();
        let packed = pfs::pack(&members, Some(Footer::new(0)), 6).unwrap();
        std::fs::write(&path, pfs::encode(&packed).unwrap()).unwrap();
    }

    /// Converts it into a folder of a name, and returns the folder.
    pub fn convert(&self, name: &str, config: &str) -> PathBuf {
        let out = self.folder.path().join(name);
        let settings = self.folder.path().join(format!("{name}.toml"));
        std::fs::write(&settings, config).unwrap();
        let mut command = common::convert(&self.input(), &out, &["-q"]);
        command.arg("--config").arg(&settings).assert().success();
        out
    }
}

fn zone(out: &Path) -> Value {
    common::json(&out.join("worlds/dell.gltf"))
}

#[test]
fn tables_of_zones_have_a_line_a_row_and_regions_as_runs() {
    let install = Install::new();
    let out = install.convert("out", "");
    let text = std::fs::read_to_string(out.join("worlds/dell.everquest.json")).unwrap();
    let tables: Value = serde_json::from_str(&text).unwrap();
    for (table, rows) in [("regions", 4), ("bsp", 7)] {
        let rows_of = tables[table].as_array().unwrap();
        assert_eq!(rows_of.len(), rows);
        for row in rows_of {
            let line = row.to_string();
            let mut lines = text.lines().map(|line| line.trim().trim_end_matches(','));
            assert!(lines.any(|found| found == line), "{line} in {text}");
        }
    }
    assert_eq!(tables["regions"][2]["visible"], "0:4");
    assert!(tables["visible_runs"].as_str().unwrap().contains("2, 4, 5 and 6"));
    let without = install.convert("without", "[everquest]\nvisibility = false\n");
    let tables = common::json(&without.join("worlds/dell.everquest.json"));
    assert!(tables["regions"][2]["visible"].is_null() && tables["visible_runs"].is_null());
}

#[test]
fn things_that_differ_in_baked_light_alone_share_all_other_data() {
    let install = Install::new();
    let out = install.convert("out", "");
    let scene = zone(&out);
    let nodes = scene["nodes"].as_array().unwrap();
    let signs: Vec<u64> = nodes
        .iter()
        .filter(|node| node["name"].as_str().unwrap().starts_with("SIGN"))
        .map(|node| node["mesh"].as_u64().unwrap())
        .collect();
    let [one, other] = signs[..] else {
        panic!("{signs:?}");
    };
    assert_ne!(one, other);
    let primitives = |mesh: u64| &scene["meshes"][mesh as usize]["primitives"];
    let (one, other) = (&primitives(one)[0], &primitives(other)[0]);
    for attribute in ["POSITION", "NORMAL", "TEXCOORD_0"] {
        let of = |primitive: &Value| primitive["attributes"][attribute].as_u64().unwrap();
        assert_eq!(of(one), of(other), "{attribute}");
    }
    assert_eq!(one["indices"], other["indices"]);
    assert_ne!(one["attributes"]["COLOR_0"], other["attributes"]["COLOR_0"]);
    let loaded = load(&out.join("worlds/dell.gltf"));
    let colours: Vec<_> = loaded
        .document
        .nodes()
        .filter(|node| node.name().is_some_and(|name| name.starts_with("SIGN")))
        .map(|node| loaded.parts(&node.mesh().unwrap())[0].vertices[0].colour)
        .collect();
    assert_ne!(colours[0], colours[1]);
}
