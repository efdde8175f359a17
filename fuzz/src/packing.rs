//! Packing: edited outputs and patches of any bytes are packed or refused; a dry run writes nothing.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, PoisonError};

use relicast::asset::Game;
use relicast::config::Config;
use relicast::pack::{self, Destination, Request as PackRequest};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use tempfile::TempDir;

/// Outputs of the sample that are edited: documents, a picture, a sound, a scene.
const OUTPUTS: [&str; 7] = [
    "text/messages.en.json",
    "config/zbd/m1/zrdr/ai.json",
    "config/zbd/interp.json",
    "worlds/maps/m1.json",
    "textures/zbd/m1/rtexture4/ground.png",
    "sounds/zbd/soundsh/blip.wav",
    "worlds/zbd/m1/gamez.gltf",
];

/// The sample of Recoil with its outputs, one edit at a time.
static PLACE: LazyLock<Mutex<TempDir>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let (install, out) = (folder.path().join("install"), folder.path().join("out"));
    let files = relicast_samples::files(Game::Rc, 1).expect("a sample");
    relicast_samples::write_files(&install, &files).expect("its files");
    let mut config = Config::default();
    config.video.enabled = false;
    let request = Request {
        inputs: vec![install],
        out,
        config,
        ..Request::default()
    };
    convert(&request, &Unobserved, &AtomicBool::new(false)).expect("outputs");
    Mutex::new(folder)
});

fn request(folder: &Path) -> PackRequest {
    PackRequest {
        check: true,
        ..PackRequest::new(
            &folder.join("out"),
            &folder.join("install"),
            &folder.join("mod"),
        )
    }
}

/// An edited output. The first byte selects the output, the rest is its new content.
pub fn edit(bytes: &[u8]) {
    let Some((&choice, content)) = bytes.split_first() else {
        return;
    };
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = OUTPUTS[usize::from(choice) % OUTPUTS.len()];
    let output = place.path().join("out").join(path);
    let before = fs::read(&output).expect("an output");
    fs::write(&output, content).expect("an edit");
    let packed = pack::pack(&request(place.path()));
    fs::write(&output, &before).expect("the output again");
    let packed = packed.expect("an edit is packed or refused");
    let reported = packed.edits.len() + packed.refused.len();
    assert_eq!(reported, usize::from(content != before), "{path}");
    assert!(packed.refused.is_empty() || packed.files.is_empty());
    assert!(!place.path().join("mod").exists());
}

/// A patch of these bytes is applied or refused.
pub fn patch(bytes: &[u8]) {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = place.path().join("some.relicast-patch");
    fs::write(&path, bytes).expect("a patch");
    let to = Destination::Folder(place.path().join("mod"));
    drop(pack::apply(&path, &place.path().join("install"), &to, true));
    assert!(!place.path().join("mod").exists());
}

/// Each of the outputs, unchanged.
pub fn edits() -> Vec<Vec<u8>> {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let outputs = (0_u8..).zip(OUTPUTS);
    let seed = |(choice, path): (u8, &str)| {
        let content = fs::read(place.path().join("out").join(path)).expect("an output");
        [vec![choice], content].concat()
    };
    outputs.map(seed).collect()
}

/// A patch of two game files.
pub fn patches() -> Vec<Vec<u8>> {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let out = place.path().join("out");
    let edited = ["config/zbd/m1/zrdr/movers.json", OUTPUTS[3]].map(|path| out.join(path));
    let before = edited
        .each_ref()
        .map(|path| fs::read(path).expect("an output"));
    fs::write(&edited[0], "[7]").expect("an edit");
    let map = String::from_utf8(before[1].clone()).expect("a document");
    fs::write(&edited[1], map.replacen("\"r\": 40", "\"r\": 41", 1)).expect("an edit");
    let (path, to) = (
        place.path().join("seed.relicast-patch"),
        place.path().join("packed"),
    );
    let packed = PackRequest {
        check: false,
        to: Destination::Folder(to.clone()),
        patch: Some(path.clone()),
        ..request(place.path())
    };
    let packed = pack::pack(&packed).expect("a patch");
    assert_eq!(packed.files.len(), 2);
    for (path, before) in edited.iter().zip(before) {
        fs::write(path, before).expect("the output again");
    }
    fs::remove_dir_all(to).expect("what was packed");
    vec![fs::read(path).expect("a patch")]
}
