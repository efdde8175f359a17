//! Effects of the settings, and dependencies of a run.

use relicast_testing::test;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use relicast::asset::Game;

use super::common::{self, convert, files, json};
use super::output::{Places, load, scenes};
use super::{Install, WHOLE, on_every_install};

fn shown(out: &Path) -> BTreeSet<usize> {
    let mut places = Places::new();
    load(out).places(&mut places);
    places.into_keys().collect()
}

fn the_first_file_has_the_finest_level_and_nothing_hidden(install: Install) {
    install.convert("cs", "", |out| {
        let world = shown(&out.join("worlds/zbd/c1/gamez.gltf"));
        let hidden = shown(&out.join("worlds/zbd/c1/gamez.hidden.gltf"));
        assert!(!hidden.is_empty());
        let both: Vec<&usize> = world.intersection(&hidden).collect();
        // What is hidden leaves an empty node behind.
        for index in both {
            let mut places = Places::new();
            load(&out.join("worlds/zbd/c1/gamez.gltf")).places(&mut places);
            assert!(places[index].surfaces.is_empty());
        }
        install.convert("cs", WHOLE, |whole| {
            let mut all = shown(&whole.join("worlds/zbd/c1/gamez.gltf"));
            assert!(hidden.is_subset(&all));
            let coarse = shown(&whole.join("worlds/zbd/c1/gamez.lod1.gltf"));
            assert!(coarse.is_disjoint(&world) && coarse.is_disjoint(&all));
            all.extend(&coarse);
            assert!(world.is_subset(&all));
        });
    });
}

fn one_file_holds_everything_if_asked_to(install: Install) {
    install.convert("pm", "[scenes]\ncontainer = \"glb\"\n", |out| {
        let found = scenes(out);
        assert!(found.iter().all(|file| file.extension().unwrap() == "glb"));
        assert!(!files(out).iter().any(|file| file.ends_with(".bin")));
        let world = load(&out.join("worlds/zbd/c1/gamez.glb"));
        assert!(world.document.images().len() > 5);
        let mut places = Places::new();
        world.places(&mut places);
        assert!(places.values().any(|place| !place.surfaces.is_empty()));
    });
}

#[test]
fn a_changed_package_redoes_the_scenes_that_use_it_and_no_others() {
    let samples = common::sample_installs(&[Game::Rc, Game::Mw]);
    let root = samples.path();
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    for (from, to) in [
        ("mw/zbd/c1/gamez.zbd", "c1/gamez.zbd"),
        ("mw/zbd/c1/rtexture3.zbd", "c1/rtexture3.zbd"),
        ("rc/zbd/m1/gamez.zbd", "m1/gamez.zbd"),
        ("rc/zbd/m1/rtexture4.zbd", "m1/rtexture4.zbd"),
    ] {
        let to = input.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root.join(from), to).unwrap();
    }
    let out = folder.path().join("out");
    let run = || convert(&input, &out, &["-q"]).assert().success();
    let statuses = || {
        let report = json(&out.join("report.json"));
        let sources = report["sources"].as_array().unwrap().clone();
        sources
            .into_iter()
            .filter(|source| source["kind"] == "world")
            .map(|source| source["parts"][0]["status"].as_str().unwrap().to_owned())
            .collect::<Vec<String>>()
    };
    run();
    assert_eq!(statuses(), ["converted", "converted"]);
    let again = convert(&input, &out, &[]).assert().success();
    let said = String::from_utf8_lossy(&again.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
    // Another texel of the first image; the table in front of it stays.
    let pack = input.join("c1/rtexture3.zbd");
    let mut bytes = fs::read(&pack).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&pack, bytes).unwrap();
    run();
    assert_eq!(statuses(), ["converted", "unchanged"]);
}

#[test]
fn without_packages_surfaces_are_gray_and_the_report_says_so() {
    let samples = common::sample_installs(&[Game::Mw]);
    let root = samples.path();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let world = root.join("mw/zbd/c1/gamez.zbd");
    convert(&world, &out, &["-q"]).assert().success();
    let report = json(&out.join("report.json"));
    let notes = &report["sources"][0]["parts"][0]["notes"];
    let first = notes[0].as_str().unwrap();
    assert!(first.starts_with("no package has the texture"), "{first}");
    let scene = load(&scenes(&out.join("worlds"))[0]);
    assert_eq!(scene.document.images().len(), 0);
    assert!(scene.document.materials().len() > 5);
}

on_every_install! {
    the_first_file_has_the_finest_level_and_nothing_hidden,
    one_file_holds_everything_if_asked_to,
}
