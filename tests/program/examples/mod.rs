//! The programs of `examples/`, run on made data.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;
use relicast_testing::test;
#[path = "../../../examples/convert_install.rs"]
#[allow(dead_code, reason = "tests call the library part of the program")]
mod convert_install;
#[path = "../../../crates/relicast-convert/examples/list_archive.rs"]
#[allow(dead_code, reason = "tests call the library part of the program")]
mod list_archive;
#[path = "../../../crates/relicast-convert/examples/textures_to_png.rs"]
#[allow(dead_code, reason = "tests call the library part of the program")]
mod textures_to_png;
#[path = "../../../crates/relicast-convert/examples/world_to_glb.rs"]
#[allow(dead_code, reason = "tests call the library part of the program")]
mod world_to_glb;

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use relicast::asset::Game;
use relicast::pipeline::progress::Step;
use relicast::pipeline::report::Status;

#[test]
fn archives_are_listed() {
    let samples = common::sample_installs(&[Game::Cs, Game::Eq]);
    let sounds = list_archive::list(&samples.path().join("cs/ZBD/soundsh.zbd")).unwrap();
    assert!(sounds.len() > 2 && sounds.iter().all(|member| member.stored > 0));
    assert!(sounds.iter().any(|member| member.name.ends_with(".wav")));
    let zone = list_archive::list(&samples.path().join("eq/dell.s3d")).unwrap();
    assert!(
        zone.iter().any(|member| member.name == "dell.wld"),
        "{zone:?}"
    );
}

#[test]
fn textures_become_pictures() {
    let samples = common::sample_installs(&[Game::Mw]);
    let package = samples.path().join("mw/zbd/c1/rtexture3.zbd");
    let out = tempfile::tempdir().unwrap();
    let written = textures_to_png::extract(&package, out.path()).unwrap();
    assert!(written.len() > 3, "{written:?}");
    for path in written {
        let picture = image::open(&path).unwrap();
        assert!(picture.width() > 0 && picture.height() > 0);
    }
}

#[test]
fn a_world_becomes_one_textured_file() {
    let samples = common::sample_installs(&[Game::Mw]);
    let read = |name: &str| fs::read(samples.path().join("mw/zbd/c1").join(name)).unwrap();
    let glb = world_to_glb::convert(&read("gamez.zbd"), &read("rtexture3.zbd")).unwrap();
    let gltf = gltf::Gltf::from_slice(&glb).unwrap();
    assert!(gltf.meshes().count() > 0);
    assert!(gltf.images().count() > 0);
    let blob = gltf.blob.as_deref().unwrap();
    for image in gltf.document.images() {
        let gltf::image::Source::View { view, .. } = image.source() else {
            panic!("a picture outside the file");
        };
        let png = &blob[view.offset()..view.offset() + view.length()];
        assert!(image::load_from_memory(png).is_ok(), "{:?}", image.name());
    }
}

#[test]
fn an_install_is_converted_and_reports_its_progress() {
    let samples = common::sample_installs(&[Game::Rc]);
    let out = tempfile::tempdir().unwrap();
    let finished = Mutex::new(BTreeSet::new());
    let report = convert_install::run(&samples.path().join("rc"), out.path(), |progress| {
        assert!(progress.percent() <= 100);
        if progress.step == Step::Finished {
            finished.lock().unwrap().insert(progress.stage);
        }
    });
    let report = report.unwrap();
    assert!(report.complete && report.count(Status::Failed) == 0);
    let finished = finished.into_inner().unwrap();
    assert!(
        finished.contains("plan") && finished.contains("convert"),
        "{finished:?}"
    );
    assert!(out.path().join("manifest.json").is_file());
}
