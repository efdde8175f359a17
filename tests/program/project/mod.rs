//! `--target godot` and others: the project around the outputs. `cargo xtask engine` opens projects in the
//! engines.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast_testing::test;
use serde_json::Value;

use common::{convert, files, json, relicast, sample_installs};

/// All files of a folder with their bytes, without report and manifest.
fn contents(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: String| {
        let bytes = fs::read(out.join(&path)).unwrap();
        (path, bytes)
    };
    files(out)
        .into_iter()
        .filter(|path| path != "report.json")
        .map(read)
        .collect()
}

fn run(input: &Path, out: &Path, more: &[&str]) -> String {
    let mut arguments = vec!["--target", "godot"];
    arguments.extend(more);
    let output = convert(input, out, &arguments).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The value of a property in a text scene.
fn property<'t>(text: &'t str, node: &str, key: &str) -> &'t str {
    let at = text.find(&format!("[node name=\"{node}\"")).unwrap();
    let section = &text[at..];
    let end = section[1..]
        .find("\n[")
        .map_or(section.len(), |end| end + 1);
    let line = section[..end]
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.unwrap_or_else(|| panic!("{node} has no {key}"))
}

#[test]
fn every_file_that_a_scene_names_is_there() {
    let input = sample_installs(&[Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq]);
    let out = tempfile::tempdir().unwrap();
    run(input.path(), out.path(), &["-q"]);
    let mut scenes = 0;
    for (path, bytes) in contents(out.path()) {
        if !path.ends_with(".tscn") {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("[gd_scene format=3]\n"), "{path}");
        for line in text
            .lines()
            .filter(|line| line.starts_with("[ext_resource"))
        {
            let named = line
                .split("path=\"res://")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            assert!(out.path().join(named).is_file(), "{path}: {named}");
        }
        let ids = |start: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.starts_with(start));
            lines
                .map(|line| {
                    line.rsplit("id=\"")
                        .next()
                        .unwrap()
                        .split('"')
                        .next()
                        .unwrap()
                        .to_owned()
                })
                .collect()
        };
        for (section, word) in [
            ("[ext_resource", "ExtResource(\""),
            ("[sub_resource", "SubResource(\""),
        ] {
            let mut known = ids(section);
            for used in text.split(word).skip(1) {
                let used = used.split('"').next().unwrap();
                assert!(known.iter().any(|id| id == used), "{path}: {used}");
            }
            known.sort();
            let count = known.len();
            known.dedup();
            assert_eq!(known.len(), count, "{path}");
        }
        scenes += 1;
    }
    assert!(scenes > 12, "{scenes}");
    for folder in ["animations", "config", "loose", "placements", "text"] {
        assert_eq!(
            fs::read(out.path().join(folder).join(".gdignore")).unwrap(),
            b""
        );
    }
}

#[test]
fn a_second_run_writes_nothing_and_verify_knows_the_files() {
    let input = sample_installs(&[Game::Rc, Game::Eq]);
    let out = tempfile::tempdir().unwrap();
    run(input.path(), out.path(), &["-q"]);
    let before = contents(out.path());
    let said = run(input.path(), out.path(), &[]);
    assert!(said.contains(" 0 removed"), "{said}");
    assert_eq!(before, contents(out.path()));
    // What the engine and the user add is no stranger; a stranger is.
    fs::create_dir_all(out.path().join("user")).unwrap();
    fs::create_dir_all(out.path().join(".godot/imported")).unwrap();
    for path in [
        "user/mine.tscn",
        ".godot/imported/x.ctex",
        "textures/x.png.import",
        "relicast/level.gd.uid",
    ] {
        fs::write(out.path().join(path), "theirs").unwrap();
    }
    let verify = || {
        let output = relicast().arg("verify").arg(out.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = verify();
    assert_eq!(code, Some(0), "{said}");
    fs::write(out.path().join("worlds/stranger.txt"), "?").unwrap();
    let (_, said) = verify();
    assert!(
        said.contains("stranger.txt") && !said.contains("mine.tscn"),
        "{said}"
    );
    run(input.path(), out.path(), &["-q"]);
    assert_eq!(
        fs::read(out.path().join("user/mine.tscn")).unwrap(),
        b"theirs"
    );
}

#[test]
fn what_somebody_changed_stays_and_what_is_new_is_written_next_to_it() {
    let input = sample_installs(&[Game::Rc]);
    let out = tempfile::tempdir().unwrap();
    run(input.path(), out.path(), &["-q"]);
    let level = out.path().join("rc/worlds/zbd/m1/gamez.tscn");
    let level = if level.is_file() {
        level
    } else {
        find(out.path(), "gamez.tscn")
    };
    let written = fs::read_to_string(&level).unwrap();
    fs::write(&level, format!("{written}\n; mine\n")).unwrap();
    let script = find(out.path(), "level.gd");
    fs::write(&script, "extends Node3D\n").unwrap();
    // No new files of ours: theirs stay, and nothing is added.
    let said = run(input.path(), out.path(), &[]);
    assert!(said.contains("changed since it was written"), "{said}");
    assert!(fs::read_to_string(&level).unwrap().ends_with("; mine\n"));
    assert!(
        !files(out.path())
            .iter()
            .any(|path| path.contains("relicast-new"))
    );
    // Another scale makes another level.
    let settings = out.path().with_extension("toml");
    fs::write(&settings, "[project]\nkind = \"none\"\n").unwrap();
    let said = run(
        input.path(),
        out.path(),
        &["--config", settings.to_str().unwrap()],
    );
    assert!(said.contains("changed since it was written"), "{said}");
    let left: Vec<String> = files(out.path())
        .into_iter()
        .filter(|path| path.ends_with(".tscn") || path.ends_with(".gd"))
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // Without the project nothing else of it is left.
    for gone in ["project.godot", "main.tscn", "relicast/walker.gd"] {
        assert!(!out.path().join(gone).exists(), "{gone}");
    }
}

fn find(out: &Path, name: &str) -> std::path::PathBuf {
    let path = files(out)
        .into_iter()
        .find(|path| path.ends_with(&format!("/{name}")));
    out.join(path.unwrap())
}

#[test]
fn import_files_keep_what_the_engine_added() {
    let input = sample_installs(&[Game::Eq]);
    fs::write(find(input.path(), "dusk.mp3"), "ID3\x03\0\0\0\0\0\0").unwrap();
    let out = tempfile::tempdir().unwrap();
    run(input.path(), out.path(), &["-q"]);
    let imports: Vec<String> = files(out.path())
        .into_iter()
        .filter(|path| path.ends_with(".import"))
        .collect();
    assert!(
        imports.iter().any(|path| path.ends_with("dusk.mp3.import")),
        "{imports:?}"
    );
    for path in imports {
        let text = fs::read_to_string(out.path().join(&path)).unwrap();
        assert!(text.contains("importer=\"keep\""), "{path}");
        let completed = format!("{text}uid=\"uid://abc\"\n");
        fs::write(out.path().join(&path), &completed).unwrap();
        run(input.path(), out.path(), &["-q"]);
        assert_eq!(
            fs::read_to_string(out.path().join(&path)).unwrap(),
            completed,
            "{path}"
        );
    }
}

#[test]
fn levels_have_the_air_of_their_worlds_and_missions_what_they_change() {
    let input = sample_installs(&[Game::Rc]);
    let out = tempfile::tempdir().unwrap();
    run(input.path(), out.path(), &["-q"]);
    let world = json(&find(out.path(), "gamez.gltf"));
    let level = fs::read_to_string(find(out.path(), "gamez.tscn")).unwrap();
    let fog = &world["scenes"][0]["extras"]["zipper"]["fog"];
    for (key, name) in [("near", "fog_depth_begin"), ("far", "fog_depth_end")] {
        let line = format!("{name} = {:?}\n", fog[key].as_f64().unwrap() as f32);
        assert!(level.contains(&line), "{line}");
    }
    assert!(property(&level, "m1", "running").contains("roof_opens"));
    let mission = fs::read_to_string(find(out.path(), "m1.tscn")).unwrap();
    let placed = json(&find(out.path(), "gamez.m1.gltf"));
    let nodes = placed["nodes"].as_array().unwrap();
    let of = |node: &Value, key: &str| node["extras"]["zipper"][key].clone();
    let places = nodes
        .iter()
        .filter(|node| of(node, "placement").is_object());
    let places: Vec<&Value> = places
        .filter(|node| of(node, "placement")["kind"] != "pathNode")
        .collect();
    assert!(places.len() > 3);
    for node in places {
        let name = node["name"].as_str().unwrap();
        let written = property(&mission, name, "transform");
        let origin: Vec<f64> = written
            .trim_end_matches(')')
            .split(", ")
            .skip(9)
            .map(|text| text.parse().unwrap())
            .collect();
        let stored: Vec<f64> = node["translation"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_f64().unwrap())
            .collect();
        for (written, stored) in origin.iter().zip(&stored) {
            assert!((written - stored).abs() < 1e-3, "{name}");
        }
    }
    let player = nodes
        .iter()
        .find(|node| of(node, "placement")["player"] == true)
        .unwrap();
    let start = property(&mission, "Spawn", "transform");
    assert!(start.contains(&format!(
        "{:?}",
        player["translation"][0].as_f64().unwrap() as f32
    )));
    let hidden: Vec<&str> = nodes
        .iter()
        .filter(|node| of(node, "hidden") == true && node["extras"]["zipper"]["name"] == "fence_01")
        .map(|node| node["name"].as_str().unwrap())
        .collect();
    assert!(
        hidden
            .iter()
            .all(|name| property(&mission, name, "visible") == "false")
    );
    assert!(!hidden.is_empty());
}

#[test]
fn models_have_their_variants() {
    let input = sample_installs(&[Game::Mw]);
    let out = tempfile::tempdir().unwrap();
    run(input.path(), out.path(), &["-q"]);
    let model = json(&find(out.path(), "wanderer.gltf"));
    let names = model["asset"]["extras"]["relicast"]["variants"]
        .as_array()
        .unwrap();
    assert!(names.len() > 1);
    assert!(
        model["extensionsUsed"]
            .as_array()
            .is_none_or(|used| used.iter().all(|name| name != "KHR_materials_variants"))
    );
    let scene = fs::read_to_string(find(out.path(), "wanderer.tscn")).unwrap();
    let skins = property(&scene, "wanderer", "skins");
    // The first look is the model as it is.
    let assigned = names
        .iter()
        .filter(|name| skins.contains(&format!("\"{}\": {{", name.as_str().unwrap())))
        .count();
    assert!(assigned >= names.len() - 1, "{skins}");
    assert!(property(&scene, "AnimationPlayer", "autoplay").contains("stand"));
}

#[test]
fn a_folder_for_blender_has_a_script_and_goes_without_it_for_others() {
    let input = sample_installs(&[Game::Mw]);
    let out = tempfile::tempdir().unwrap();
    let run = |aim: &str| {
        let output = convert(input.path(), out.path(), &["--target", aim])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = run("blender");
    let script = out.path().join("import_relicast.py");
    assert!(said.contains("import_relicast.py: 1 file,"), "{said}");
    assert!(fs::read_to_string(&script).unwrap().contains("import bpy"));
    // Missions are files of their own, named after the world that they begin in.
    let missions = files(out.path()).into_iter();
    let mut missions = missions.filter(|path| path.ends_with("gamez.m1.glb"));
    assert!(missions.next().is_some());
    let said = run("blender");
    assert!(said.contains("1 of them unchanged"), "{said}");
    run("web");
    assert!(!script.exists());
}

#[test]
fn blender_older_than_promised_is_answered_with_one_line() {
    relicast_testing::needs_program("python3", &["--version"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/project/blender");
    let modules = tempfile::tempdir().unwrap();
    let old = "class app:\n    version = (4, 1, 0)\n    version_string = \"4.1.0\"\n";
    fs::write(modules.path().join("bpy.py"), old).unwrap();
    let output = std::process::Command::new("python3")
        .env("PYTHONPATH", modules.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(script.join("import_relicast.py"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    let line = "import_relicast.py needs Blender 4.2 or later; this is Blender 4.1.0";
    assert_eq!(said.trim_end(), line);
}

#[test]
fn silent_music_of_a_level_is_one_line_that_says_how_to_hear_it() {
    let input = sample_installs(&[Game::Eq]);
    let out = tempfile::tempdir().unwrap();
    for aim in ["godot", "unity"] {
        let output = convert(input.path(), out.path(), &["--target", aim, "-v"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = said.lines().filter(|line| line.contains("MIDI")).collect();
        let [line] = *lines else {
            panic!("{aim}: {said}");
        };
        assert!(line.contains("music.render = true"), "{line}");
        assert!(!said.contains(".mid"), "{said}");
    }
}

/// Fields of the classes of a script by class: name and type.
fn classes(script: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut classes: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut open = String::new();
    for line in script.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["public", "sealed", "class", name, ..] => open = (*name).to_owned(),
            ["public", kind, name] if name.ends_with(';') => {
                let class = classes.entry(open.clone()).or_default();
                class.insert(name.trim_end_matches(';').to_owned(), (*kind).to_owned());
            }
            _ => {}
        }
    }
    classes
}

/// Asserts that a document has the fields of a class, each of its type, and no others.
fn is_of_class(
    document: &Value,
    class: &str,
    classes: &BTreeMap<String, BTreeMap<String, String>>,
    place: &str,
) {
    if let Some(item) = class.strip_suffix("[]") {
        for (number, value) in document.as_array().unwrap().iter().enumerate() {
            is_of_class(value, item, classes, &format!("{place}[{number}]"));
        }
        return;
    }
    let fits = match class {
        "string" => document.is_string(),
        "bool" => document.is_boolean(),
        "int" => document.is_u64(),
        "float" => document.is_number(),
        _ => {
            let fields = &classes[class];
            let written = document.as_object().unwrap();
            assert_eq!(
                written.keys().collect::<std::collections::BTreeSet<_>>(),
                fields.keys().collect(),
                "{place}"
            );
            for (name, kind) in fields {
                is_of_class(&written[name], kind, classes, &format!("{place}.{name}"));
            }
            true
        }
    };
    assert!(fits, "{place} is {document}, not {class}");
}

#[test]
fn a_package_for_unity_says_what_its_scripts_read_and_what_is_there() {
    let input = sample_installs(&[Game::Rc, Game::Mw, Game::Cs, Game::Eq]);
    let out = tempfile::tempdir().unwrap();
    let output = convert(input.path(), out.path(), &["-q", "--target", "unity"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let read = |path: &str| fs::read_to_string(out.path().join(path)).unwrap();
    let mut known = classes(&read("Editor/LevelFile.cs"));
    known.extend(classes(&read("Runtime/LevelClips.cs")));
    let all = files(out.path());
    let mut levels = 0;
    let mut found = BTreeMap::new();
    for path in all.iter().filter(|path| path.starts_with("Levels/")) {
        let document = json(&out.path().join(path));
        if path.ends_with("models.json") {
            is_of_class(&document, "ModelsFile", &known, path);
            continue;
        }
        is_of_class(&document, "LevelFile", &known, path);
        levels += 1;
        let file = document["file"].as_str().unwrap();
        let gltf = json(&out.path().join(file));
        let names: Vec<&Value> = gltf["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| &node["name"])
            .collect();
        for list in ["solids", "areas"] {
            for written in document[list].as_array().unwrap() {
                assert!(names.contains(&&written["node"]), "{path}: {written}");
                *found.entry(list).or_insert(0) += 1;
            }
        }
        for written in document["details"].as_array().unwrap() {
            assert!(
                written["nodes"].as_array().unwrap().len() > 1,
                "{path}: {written}"
            );
            *found.entry("details").or_insert(0) += 1;
        }
        for list in ["hidden", "skies"] {
            for name in document[list].as_array().unwrap() {
                assert!(names.contains(&name), "{path}: {name}");
                *found.entry(list).or_insert(0) += 1;
            }
        }
        for list in ["missions", "emitters", "sounds"] {
            for written in document[list].as_array().unwrap() {
                let file = written["file"].as_str().unwrap();
                assert!(file.is_empty() || out.path().join(file).is_file(), "{file}");
                *found.entry(list).or_insert(0) += 1;
            }
        }
        let clips = document["clips"].as_array().unwrap();
        assert_eq!(
            clips.len(),
            gltf["animations"].as_array().map_or(0, Vec::len),
            "{path}"
        );
    }
    assert!(levels >= 4, "{levels}");
    let lists: Vec<&str> = found.keys().copied().collect();
    assert_eq!(
        lists,
        [
            "areas", "details", "emitters", "hidden", "missions", "skies", "solids", "sounds"
        ]
    );
    // Scripts keep their identity in any place of the package.
    let scripts = all.iter().filter(|path| path.ends_with(".cs"));
    let mut identities = std::collections::BTreeSet::new();
    for path in scripts {
        let meta = read(&format!("{path}.meta"));
        let identity = meta.lines().find(|line| line.starts_with("guid: "));
        assert!(identities.insert(identity.unwrap().to_owned()), "{path}");
    }
    assert!(!identities.is_empty());
    // The editor completes them and adds others; neither is touched or a stranger.
    let meta = out.path().join("Runtime/Level.cs.meta");
    let text = fs::read_to_string(&meta).unwrap() + "  executionOrder: 0\n";
    fs::write(&meta, &text).unwrap();
    fs::write(out.path().join("textures.meta"), "theirs").unwrap();
    let output = convert(input.path(), out.path(), &["--target", "unity"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        !said.lines().any(|line| line.starts_with("left ")),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&meta).unwrap(), text);
    let output = relicast().arg("verify").arg(out.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(!said.contains(".meta"), "{said}");
}
