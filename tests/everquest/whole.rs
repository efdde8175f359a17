//! A whole install from the sample makers, converted: tables of a zone and scenes.

use relicast_testing::test;
use std::path::{Path, PathBuf};

use relicast::formats::everquest::pfs::{self, Footer};
use relicast::formats::everquest::wld::{self, Body, FragmentKind, RenderMethod, Wld};
use serde_json::Value;

use crate::common;
use crate::output::load;
use relicast_samples::everquest;

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
        let files = everquest::files(1).unwrap();
        relicast_samples::write_files(&install.input(), &files).unwrap();
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
    assert!(
        tables["visible_runs"]
            .as_str()
            .unwrap()
            .contains("2, 4, 5 and 6")
    );
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
    let colors: Vec<_> = loaded
        .document
        .nodes()
        .filter(|node| node.name().is_some_and(|name| name.starts_with("SIGN")))
        .map(|node| loaded.parts(&node.mesh().unwrap())[0].vertices[0].color)
        .collect();
    assert_ne!(colors[0], colors[1]);
}

#[test]
fn lamps_are_baked_or_placed_or_both() {
    let install = Install::new();
    for (light, colors, lamps) in [
        ("", true, 0),
        ("baked", true, 0),
        ("placed", false, 2),
        ("both", true, 2),
    ] {
        let config = match light {
            "" => String::new(),
            light => format!("[everquest]\nlight = \"{light}\"\n"),
        };
        let scene = zone(&install.convert(&format!("out{light}"), &config));
        let meshes = scene["meshes"].as_array().unwrap().iter();
        let mut parts = meshes.flat_map(|mesh| mesh["primitives"].as_array().unwrap());
        let found = parts.any(|part| part["attributes"]["COLOR_0"].is_u64());
        assert_eq!(found, colors, "{light}");
        let nodes = scene["nodes"].as_array().unwrap();
        let lit = nodes
            .iter()
            .filter(|node| node["extensions"]["KHR_lights_punctual"].is_object());
        assert_eq!(lit.count(), lamps, "{light}");
        let extras = match lamps {
            0 => &nodes.iter().find(|node| node["name"] == "L1").unwrap()["extras"],
            _ => &scene["extensions"]["KHR_lights_punctual"]["lights"][0]["extras"],
        };
        assert_eq!(extras["everquest"]["radius"], 40.0);
        assert_eq!(extras["everquest"]["light"], "L1_LDEF");
    }
}

/// All glTF files below a folder.
fn scenes(out: &Path) -> Vec<String> {
    let files = common::files(out).into_iter();
    files.filter(|file| file.ends_with(".gltf")).collect()
}

/// Compares two numbers or lists of numbers, the second `factor` times the first.
fn same_but_larger(one: &Value, other: &Value, factor: f64, place: &str) {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let expected = one.as_f64().unwrap() * factor;
            let found = other.as_f64().unwrap();
            let near = (found - expected).abs() <= 1e-6 * expected.abs().max(1e-3);
            assert!(near, "{place}: {found}, expected {expected}");
        }
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len(), "{place}");
            for (one, other) in one.iter().zip(other) {
                same_but_larger(one, other, factor, place);
            }
        }
        _ => assert_eq!(one, other, "{place}"),
    }
}

#[test]
fn meters_are_units_times_0_3048_everywhere() {
    const METER: f64 = 0.3048;
    let install = Install::new();
    let light = "[everquest]\nlight = \"both\"\nvolumes = true\n";
    let units = install.convert("units", light);
    let meters = install.convert("meters", &format!("{light}scale = \"meters\"\n"));
    let files = scenes(&units);
    assert_eq!(files, scenes(&meters));
    assert!(files.len() > 10, "{files:?}");
    let (mut clips, mut skins) = (0, 0);
    for file in &files {
        let paths = [units.join(file), meters.join(file)];
        let [one, other] = paths.each_ref().map(|path| common::json(path));
        let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        for (one, other) in list(&one, "nodes").iter().zip(&list(&other, "nodes")) {
            let factors = [("translation", METER), ("rotation", 1.0), ("scale", 1.0)];
            for (field, factor) in factors {
                same_but_larger(&one[field], &other[field], factor, file);
            }
        }
        let lights = |value: &Value| value["extensions"]["KHR_lights_punctual"].clone();
        let both = [lights(&one), lights(&other)].map(|it| list(&it, "lights"));
        for (one, other) in both[0].iter().zip(&both[1]) {
            same_but_larger(&one["range"], &other["range"], METER, file);
            let factor = METER * METER;
            same_but_larger(&one["intensity"], &other["intensity"], factor, file);
        }
        let [one, other] = paths.map(|path| load(&path));
        let both = one.document.meshes().zip(other.document.meshes());
        for (part, scaled) in
            both.flat_map(|(a, b)| a.primitives().zip(b.primitives()).collect::<Vec<_>>())
        {
            let positions = |part: &gltf::Primitive<'_>| {
                part.get(&gltf::Semantic::Positions)
                    .map(|it| (it.min(), it.max()))
                    .unwrap()
            };
            let ((a, b), (c, d)) = (positions(&part), positions(&scaled));
            same_but_larger(&a.unwrap(), &c.unwrap(), METER, file);
            same_but_larger(&b.unwrap(), &d.unwrap(), METER, file);
        }
        let places = |loaded: &crate::output::Loaded| loaded.movements();
        for (one, other) in places(&one).iter().zip(&places(&other)) {
            same_but_larger(one, other, METER, file);
            clips += 1;
        }
        for (one, other) in one.bindings().iter().zip(&other.bindings()) {
            same_but_larger(one, other, METER, file);
            skins += 1;
        }
    }
    assert!(clips > 0 && skins > 0);
    let [one, other] =
        [&units, &meters].map(|out| common::json(&out.join("worlds/dell.everquest.json")));
    let rows = |table: &Value, key: &str| table[key].as_array().unwrap().clone();
    for (key, field) in [
        ("bsp", "distance"),
        ("regions", "sphere"),
        ("volumes", "boxes"),
    ] {
        for (one, other) in rows(&one, key).iter().zip(&rows(&other, key)) {
            same_but_larger(&one[field], &other[field], METER, key);
        }
    }
    let left = |table: &Value| table["placed"]["left_out"][0]["position"].clone();
    same_but_larger(&left(&one), &left(&other), METER, "left out");
    assert!(
        other["space"]["unit"]
            .as_str()
            .unwrap()
            .starts_with("meter")
    );
}

#[test]
fn clips_have_names_that_one_can_read() {
    let install = Install::new();
    let out = install.convert("out", "");
    let scene = common::json(&out.join("models/dell_chr/fdr.gltf"));
    let clips = scene["animations"].as_array().unwrap();
    let named = |name: &str| clips.iter().find(|clip| clip["name"] == name).unwrap();
    assert_eq!(named("walk")["extras"]["everquest"]["code"], "L01");
    assert_eq!(named("throw")["extras"]["everquest"]["code"], "C05");
}

#[test]
fn corrections_hold_in_their_archives_alone_and_are_reported() {
    let install = Install::new();
    let rename = |scene: &mut Wld<'_>| {
        let index = scene.find(FragmentKind::Material, "LEAVES_MDF").unwrap();
        scene.fragments[index].name = Some(scene.strings.add("TREE20_MDF").unwrap());
        let Body::Material(material) = &mut scene.fragments[index].body else {
            panic!("no material");
        };
        material.render_method = RenderMethod(0x8000_0001);
    };
    install.edit("dell_obj.s3d", "dell_obj.wld", rename);
    let bytes = std::fs::read(install.input().join("dell_obj.s3d")).unwrap();
    std::fs::write(install.input().join("qrg_obj.s3d"), bytes).unwrap();
    let material = |out: &Path, archive: &str| {
        let scene = common::json(&out.join(format!("models/{archive}/elm.gltf")));
        let materials = scene["materials"].as_array().unwrap().iter();
        let mut found = materials.filter(|material| material["name"] == "TREE20_MDF");
        found.next().unwrap().clone()
    };
    let out = install.convert("out", "");
    let corrected = material(&out, "qrg_obj");
    assert_eq!(corrected["alphaMode"], "MASK");
    assert_eq!(
        corrected["extras"]["everquest"]["corrected"]["stored"],
        "diffuse"
    );
    let stored = material(&out, "dell_obj");
    assert_ne!(stored["alphaMode"], "MASK");
    assert!(stored["extras"]["everquest"]["corrected"].is_null());
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("TREE20_MDF was corrected"));
    let plain = install.convert("plain", "[everquest]\ncorrections = false\n");
    assert_ne!(material(&plain, "qrg_obj")["alphaMode"], "MASK");
}

#[test]
fn what_many_models_lack_is_one_line() {
    let install = Install::new();
    let input = install.input();
    std::fs::remove_file(input.join("global_chr.s3d")).unwrap();
    for copy in ["fen_chr.s3d", "moor_chr.s3d", "heath_chr.s3d"] {
        std::fs::copy(input.join("dell_chr.s3d"), input.join(copy)).unwrap();
    }
    let out = input.with_file_name("out");
    let run = common::convert(&input, &out, &[]).assert().success();
    let log = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let lines = log.lines().filter(|line| line.contains("no animations"));
    let lines: Vec<&str> = lines.collect();
    assert!(
        lines.len() == 1
            && lines[0].trim_start().starts_with(
                "4 creatures have no animations: global_chr.s3d is missing from this install"
            ),
        "{log}"
    );
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("FRG has no animations"));
}

#[test]
fn bytes_in_paddings_are_counted() {
    let install = Install::new();
    install.edit("dell_obj.s3d", "dell_obj.wld", |scene| {
        let materials = scene.fragments.iter_mut();
        let materials = materials.filter(|one| one.kind() == FragmentKind::Material);
        for fragment in materials.take(3) {
            fragment.odd_padding = Some(Box::new(vec![7; 4].into()));
        }
    });
    let out = install.convert("out", "");
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    assert_eq!(
        report.matches("zeros up to a multiple of 4").count(),
        2,
        "{report}"
    );
    assert!(report.contains("4 other bytes, also in 2 more fragments"));
}

/// Programs show one head of a creature, and hide the others by this flag.
#[test]
fn pieces_that_stand_in_for_others_are_marked_as_hidden_in_scenes_that_keep_them() {
    let install = Install::new();
    let out = install.convert("out", "[scenes]\nhidden = \"keep\"\n");
    let mut archives = std::collections::BTreeSet::new();
    for path in common::files(&out) {
        let Some(model) = path.strip_prefix("models/") else {
            continue;
        };
        if !path.ends_with(".gltf") {
            continue;
        }
        let scene = common::json(&out.join(&path));
        for node in scene["nodes"].as_array().into_iter().flatten() {
            let facts = &node["extras"]["everquest"];
            if facts["alternate"] == true {
                assert_eq!(facts["hidden"], true, "{path}: {node}");
                archives.extend(model.split('/').next().map(str::to_owned));
            }
        }
    }
    let archives: Vec<String> = archives.into_iter().collect();
    assert_eq!(archives, ["dell_chr", "mill"]);
}
