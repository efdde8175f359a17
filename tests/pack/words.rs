//! Words of the report: what was changed, in one line for each edit.

use relicast_testing::test;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use relicast::asset::Game;
use serde_json::json;

use crate::common::json as read_json;
use crate::place::Place;
use crate::scenes::scene::Scene;

const PICTURE: &str = "textures/zbd/m1/rtexture4/ground.png";
const SOUND: &str = "sounds/zbd/soundsh/blast01.wav";
const READER: &str = "config/zbd/m1/zrdr/movers.json";
const WORLD: &str = "worlds/zbd/m1/gamez.gltf";

fn program(arguments: &[&str], paths: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relicast"));
    command.args(arguments).args(paths).output().unwrap()
}

/// The report of `pack` about an output.
fn line(place: &Place, output: &str) -> String {
    let packed = place.pack().edits.into_iter();
    let mut own = packed.filter(|edit| edit.output == output);
    own.next().unwrap().changed.unwrap()
}

#[test]
fn edits_are_described_by_what_was_changed() {
    let place = Place::of(Game::Rc);
    let out = place.path("out");
    let mut picture = image::open(out.join(PICTURE)).unwrap().into_rgba8();
    for (x, y) in [(1, 1), (2, 5)] {
        picture.put_pixel(x, y, image::Rgba([255, 0, 255, 255]));
    }
    picture.save(out.join(PICTURE)).unwrap();
    assert_eq!(line(&place, PICTURE), "2 pixels");

    let mut reader = read_json(&out.join(READER));
    reader.as_array_mut().unwrap().push(json!([1, 2]));
    fs::write(out.join(READER), reader.to_string()).unwrap();
    assert_eq!(line(&place, READER), "2 values added");

    place.edit(SOUND, |bytes| {
        let reader = hound::WavReader::new(&*bytes).unwrap();
        let spec = reader.spec();
        let samples: Vec<i32> = reader.into_samples().map(Result::unwrap).collect();
        let mut made = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut made, spec).unwrap();
        let second = (spec.sample_rate * u32::from(spec.channels)) as usize;
        for sample in samples.into_iter().chain(vec![0; second]) {
            writer.write_sample(sample).unwrap();
        }
        writer.finalize().unwrap();
        made.into_inner()
    });
    let said = line(&place, SOUND);
    assert!(
        said.starts_with("length ") && said.contains(" s → "),
        "{said}"
    );

    let mut world = Scene::open(&out.join(WORLD));
    let node = world.objects()[0];
    let [x, y, z] = world.vector::<3>(node, "translation", [0.0; 3]);
    world.set(node, "translation", [x + 1.0, y, z]);
    world.save();
    assert_eq!(line(&place, WORLD), "1 node moved");
}

#[test]
fn moved_vertices_are_counted_once() {
    for (game, path) in [
        (Game::Rc, "models/zbd/m1/gamez/barrel.gltf"),
        (Game::Eq, "models/dell_obj/mill.gltf"),
    ] {
        let place = Place::of(game);
        let mut scene = Scene::open(&place.path("out").join(path));
        let is_shown = |node: &usize| scene.nodes()[*node]["mesh"].is_u64();
        let node = scene.shown().into_iter().find(is_shown).unwrap();
        let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
        let positions = scene.attribute(mesh, 0, "POSITION").unwrap();
        let mut rows = scene.floats::<3>(positions);
        let moved = rows[0];
        for row in rows.iter_mut().filter(|row| **row == moved) {
            row[1] += 0.25;
        }
        scene.put_floats(positions, &rows);
        scene.save();
        let packed = place.pack();
        let said = packed.edits[0].changed.clone().unwrap();
        assert!(said.starts_with("1 vertex moved"), "{path}: {said}");
    }
}

#[test]
fn a_face_that_is_turned_over_moves_no_vertex() {
    for (game, path, expected) in [
        (
            Game::Rc,
            "models/zbd/m1/gamez/barrel.gltf",
            "1 mesh rebuilt",
        ),
        (
            Game::Eq,
            "models/dell_obj/mill.gltf",
            "1 face between other vertices",
        ),
    ] {
        let place = Place::of(game);
        let mut scene = Scene::open(&place.path("out").join(path));
        let is_shown = |node: &usize| scene.nodes()[*node]["mesh"].is_u64();
        let node = scene.shown().into_iter().find(is_shown).unwrap();
        let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
        let indices = scene.attribute(mesh, 0, "indices").unwrap();
        let mut corners = scene.indices(indices);
        corners.swap(1, 2);
        let accessor = scene.add_indices(&corners);
        scene.json["meshes"][mesh]["primitives"][0]["indices"] = accessor.into();
        scene.save();
        let said = line(&place, path);
        assert!(said.starts_with(expected), "{path}: {said}");
        assert!(!said.contains("moved"), "{path}: {said}");
    }
}

#[test]
fn the_program_says_what_was_changed_added_undone_and_left() {
    let place = Place::of(Game::Rc);
    let (out, install) = (place.path("out"), place.path("install"));
    let before = fs::read(out.join(PICTURE)).unwrap();
    let mut picture = image::open(out.join(PICTURE)).unwrap().into_rgba8();
    picture.put_pixel(1, 1, image::Rgba([255, 0, 255, 255]));
    picture.save(out.join(PICTURE)).unwrap();
    let new = "sounds/zbd/soundsh/new.wav";
    fs::copy(out.join(SOUND), out.join(new)).unwrap();
    let from = ["pack", "--add", "--in-place", "--from"];
    let packed = program(&from, &[&install, &out]);
    let said = String::from_utf8(packed.stdout).unwrap();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains(&format!(
            "{PICTURE} -> zbd/m1/rtexture4.zbd/ground: 1 pixel"
        )),
        "{said}"
    );
    assert!(
        said.contains("added, because sounds/zbd/soundsh/_aux.wav is in the same folder"),
        "{said}"
    );
    fs::write(out.join(PICTURE), before).unwrap();
    let packed = program(&from, &[&install, &out]);
    let said = String::from_utf8(packed.stderr).unwrap();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains(&format!(
            "{PICTURE} is not edited any more: its earlier edit was taken out"
        )),
        "{said}"
    );
    fs::write(install.join("zbd/soundsh.zbd"), "mine").unwrap();
    let restored = program(&["restore"], &[&install]);
    assert_eq!(restored.status.code(), Some(2));
    let said = String::from_utf8(restored.stderr).unwrap();
    assert!(said.contains("zbd/soundsh.zbd was left as it is"), "{said}");
}

#[test]
fn the_two_files_of_a_scene_are_one_edit() {
    let place = Place::of(Game::Rc);
    let (out, install, to) = (place.path("out"), place.path("install"), place.path("mod"));
    let mut world = Scene::open(&out.join(WORLD));
    let node = world.objects()[0];
    let [x, y, z] = world.vector::<3>(node, "translation", [0.0; 3]);
    world.set(node, "translation", [x + 1.0, y, z]);
    // Bytes at its end that nothing refers to.
    world.bin.extend([0; 4]);
    world.json["buffers"][0]["byteLength"] = world.bin.len().into();
    world.save();
    let flags = ["pack", "--to", to.to_str().unwrap(), "--from"];
    let said = String::from_utf8(program(&flags, &[&install, &out]).stdout).unwrap();
    assert_eq!(said.matches("gamez.zbd: 1 node moved").count(), 1, "{said}");
    assert!(said.contains("\n1 edit in 1 game file,"), "{said}");
    let said = String::from_utf8(program(&["restore"], &[&to]).stdout).unwrap();
    assert!(said.contains("pack --to wrote files to"), "{said}");

    world.json["nodes"][node]["name"] = "another".into();
    world.json["nodes"][node]["mesh"] = 9999.into();
    world.save();
    let said = String::from_utf8(program(&flags, &[&install, &out]).stderr).unwrap();
    assert_eq!(said.matches("cannot pack").count(), 1, "{said}");
    assert!(said.contains(&format!("cannot pack {WORLD}: ")), "{said}");
}
