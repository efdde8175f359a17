//! Static files: files that are written, the result of a second run, and files that are never touched.

use relicast_testing::test;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use predicates::str::contains;
use relicast_samples::SampleFile;

use crate::gallery::{Converted, GALLERY, SAMPLES, files_below, json, relicast};

/// A small folder of its own.
fn small() -> Converted {
    let file = |path: &str, bytes: &[u8]| SampleFile {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
    };
    Converted::new(&[(
        "a",
        vec![file("one.zrd", b"( ONE 1 )"), file("two.zrd", b"( TWO 2 )")],
    )])
}

#[test]
fn inside_the_outputs_it_is_no_stranger() {
    let converted = small();
    converted.gallery(&[]).success();
    let index = json(&converted.out().join("gallery/data/index.json"));
    assert_eq!(index["base"], "../");
    relicast()
        .arg("verify")
        .arg(converted.out())
        .assert()
        .success()
        .stdout(contains(" 0 extra"));
    // The conversion goes on as if it were not there.
    let mut convert = relicast();
    convert
        .arg("convert")
        .arg(converted.place("in"))
        .arg("--out")
        .arg(converted.out());
    convert
        .arg("--config")
        .arg(converted.place("settings.toml"));
    convert.assert().success().stdout(contains("nothing to do"));
    let to = converted.place("packages");
    let mut package = relicast();
    package
        .arg("package")
        .arg(converted.out())
        .arg("--to")
        .arg(&to)
        .arg("--bagit");
    package.assert().success();
    assert!(!to.join("out/data/gallery").exists());
    // Files that somebody else put there are reported.
    fs::write(converted.out().join("gallery/mine.txt"), "mine").unwrap();
    fs::write(converted.out().join("gallery/index.html"), "mine").unwrap();
    relicast()
        .arg("verify")
        .arg(converted.out())
        .assert()
        .success()
        .stdout(
            contains("gallery/mine.txt")
                .and_also("gallery/index.html")
                .and_also(" 2 extra"),
        );
}

/// Several texts at once.
trait AndAlso: predicates::Predicate<str> + Sized {
    fn and_also(
        self,
        text: &str,
    ) -> predicates::boolean::AndPredicate<Self, predicates::str::ContainsPredicate, str> {
        predicates::prelude::PredicateBooleanExt::and(self, contains(text))
    }
}

impl<P: predicates::Predicate<str>> AndAlso for P {}

#[test]
fn a_second_run_leaves_what_a_fresh_one_writes() {
    let converted = small();
    let to = converted.place("pages");
    let to = to.to_str().unwrap();
    converted.gallery(&["--to", to, "--embed", "all"]).success();
    let first = files_below(to.as_ref());
    converted
        .gallery(&["--to", to, "--embed", "all"])
        .success()
        .stdout(contains(format!(
            "{} of them unchanged, 0 removed",
            first.len() - 1
        )));
    assert_eq!(files_below(to.as_ref()), first);
    // With less in it, and from fewer sources.
    fs::remove_file(converted.place("in/a/two.zrd")).unwrap();
    let mut convert = relicast();
    convert
        .arg("convert")
        .arg(converted.place("in"))
        .arg("--out")
        .arg(converted.out());
    convert
        .arg("--config")
        .arg(converted.place("settings.toml"))
        .assert()
        .success();
    converted.gallery(&["--to", to]).success();
    let fresh = converted.place("fresh");
    converted
        .gallery(&["--to", fresh.to_str().unwrap()])
        .success();
    assert_eq!(files_below(to.as_ref()), files_below(&fresh));
}

#[test]
fn files_of_others_are_refused_and_nothing_is_written() {
    let converted = small();
    let to = converted.place("pages");
    fs::create_dir_all(to.join("data")).unwrap();
    fs::write(to.join("notes.txt"), "mine").unwrap();
    fs::write(to.join("data/index.json"), "mine").unwrap();
    let before = files_below(&to);
    let arguments = ["--to", to.to_str().unwrap()];
    converted
        .gallery(&arguments)
        .code(2)
        .stderr(contains("data/index.json"));
    assert_eq!(files_below(&to), before);
    fs::remove_file(to.join("data/index.json")).unwrap();
    converted.gallery(&arguments).success();
    assert_eq!(fs::read(to.join("notes.txt")).unwrap(), b"mine");
    // A file that was written and then changed is somebody's, too.
    fs::write(to.join("data/report.json"), "mine").unwrap();
    converted
        .gallery(&arguments)
        .code(2)
        .stderr(contains("data/report.json"));
    assert_eq!(fs::read(to.join("data/report.json")).unwrap(), b"mine");
}

#[test]
fn a_run_that_was_stopped_is_gone_on_with() {
    let converted = small();
    let to = converted.place("pages");
    let arguments = ["--to", to.to_str().unwrap()];
    converted.gallery(&arguments).success();
    let whole = files_below(&to);
    // As a stopped run leaves it: all paths are recorded, some files exist, none is listed.
    let list = to.join("gallery-files.json");
    let mut stopped = json(&list);
    let paths: Vec<String> = stopped["files"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    stopped["unfinished"] = paths.into();
    stopped["files"] = serde_json::json!({});
    fs::write(&list, stopped.to_string()).unwrap();
    fs::remove_file(to.join("data/report.json")).unwrap();
    converted.gallery(&arguments).success();
    assert_eq!(files_below(&to), whole);
}

#[test]
fn places_among_the_outputs_or_around_them_are_refused() {
    let converted = small();
    let out = converted.out();
    for to in [
        out.join("textures"),
        out.join("gallery/inner"),
        out.clone(),
        converted.place("."),
    ] {
        converted.gallery(&["--to", to.to_str().unwrap()]).code(1);
    }
    assert!(!out.join("textures").exists() && !out.join("gallery").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let converted = small();
    let (to, elsewhere) = (converted.place("pages"), converted.place("elsewhere"));
    fs::create_dir_all(&to).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, to.join("data")).unwrap();
    converted.gallery(&["--to", to.to_str().unwrap()]).code(1);
    assert!(files_below(&elsewhere).is_empty());
}

#[test]
fn wrapped_files_hold_the_bytes_of_their_outputs() {
    let paths = json(&GALLERY.join("data/embed.json"));
    let paths = paths["paths"].as_array().unwrap();
    assert!(!paths.is_empty());
    for (number, path) in paths.iter().enumerate() {
        let path = path.as_str().unwrap();
        let script = GALLERY.join(format!("embed/{}/{number}.js", number / 1000));
        let script = fs::read_to_string(script).unwrap();
        assert!(script.is_ascii() && !script.contains('<'));
        let arguments = script
            .strip_prefix("relicast.put(")
            .unwrap()
            .strip_suffix(");\n")
            .unwrap();
        let arguments: (String, String) = serde_json::from_str(&format!("[{arguments}]")).unwrap();
        assert_eq!(arguments.0, format!("out/{path}"));
        let bytes = STANDARD.decode(arguments.1).unwrap();
        assert_eq!(bytes, fs::read(SAMPLES.out().join(path)).unwrap(), "{path}");
        assert_eq!(
            bytes,
            fs::read(GALLERY.join("out").join(path)).unwrap(),
            "{path}"
        );
    }
    let script = fs::read_to_string(GALLERY.join("data/report.json.js")).unwrap();
    let arguments = script
        .strip_prefix("relicast.put(")
        .unwrap()
        .strip_suffix(");\n")
        .unwrap();
    let (name, text): (String, String) = serde_json::from_str(&format!("[{arguments}]")).unwrap();
    assert_eq!(name, "data/report.json");
    assert_eq!(
        text,
        fs::read_to_string(GALLERY.join("data/report.json")).unwrap()
    );
}

#[test]
fn the_configuration_adds_a_gallery_to_a_run() {
    let converted = small();
    let settings = converted.place("settings.toml");
    fs::write(&settings, "[gallery]\nenabled = true\nembed = \"models\"\n").unwrap();
    let mut convert = relicast();
    convert
        .arg("convert")
        .arg(converted.place("in"))
        .arg("--out")
        .arg(converted.out());
    convert
        .arg("--config")
        .arg(&settings)
        .assert()
        .success()
        .stdout(contains("index.html"));
    let index = json(&converted.out().join("gallery/data/index.json"));
    assert_eq!(index["embed"], "models");
}
