//! Inputs apart: each in a folder of its own.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::assert::Assert;
use relicast::asset::Game;

use crate::common::{convert, files, json, relicast, sample_installs};

fn apart(inputs: &[&Path], out: &Path) -> Assert {
    let mut command = relicast();
    command.arg("convert").args(inputs).arg("--out").arg(out);
    command.args(["--layout", "source"]).assert()
}

/// Settings without videos, which every run tries again while ffmpeg is missing.
fn without_videos(folder: &Path) -> PathBuf {
    let settings = folder.join("without-videos.toml");
    fs::write(&settings, "[video]\nenabled = false\n").unwrap();
    settings
}

#[test]
fn every_input_has_a_folder_as_if_it_were_converted_alone() {
    let root = sample_installs(&[Game::Rc, Game::Eq]);
    let path = |name: &str| root.path().join(name);
    let (rc, eq) = (path("rc"), path("eq"));
    let out = path("out");
    let settings = without_videos(root.path());
    let settings = settings.to_str().unwrap();
    let apart = |inputs: &[&Path]| {
        let mut command = relicast();
        command.arg("convert").args(inputs).arg("--out").arg(&out);
        command
            .args(["--layout", "source", "--config", settings])
            .assert()
    };
    apart(&[&rc, &eq]).success();
    for (name, input) in [("rc", &rc), ("eq", &eq)] {
        let alone = path(&format!("alone-{name}"));
        convert(input, &alone, &["--config", settings])
            .assert()
            .success();
        let manifest = |folder: &Path| fs::read(folder.join("manifest.json")).unwrap();
        assert!(manifest(&out.join(name)) == manifest(&alone), "{name}");
        assert_eq!(files(&out.join(name)), files(&alone));
        relicast()
            .arg("verify")
            .arg(out.join(name))
            .assert()
            .success();
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
    // The same again, in another order and one of them twice, has nothing to do.
    let again = apart(&[&eq, &rc, &eq]).success();
    let said = String::from_utf8_lossy(&again.get_output().stdout).into_owned();
    assert_eq!(said.matches("nothing to do").count(), 2, "{said}");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
}

#[test]
fn names_that_meet_and_inputs_that_fail_disturb_nothing() {
    let root = sample_installs(&[Game::Rc]);
    let rc = root.path().join("rc");
    let other = root.path().join("other/RC");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("detail.zrd"), "( DETAIL 3 )").unwrap();
    let empty = root.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let out = root.path().join("out");
    // The folder of an input without outputs is reported and not made; the others are made.
    apart(&[&empty, &rc, &other], &out).code(2);
    let mut names: Vec<String> = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0] == "rc" && names[1].starts_with("rc-"), "{names:?}");
    let report = json(&out.join(&names[1]).join("report.json"));
    let place = report["inputs"][0]["path"].as_str().unwrap();
    assert_eq!(Path::new(place), other.canonicalize().unwrap());
    // Alone and later it is known again.
    apart(&[&other], &out).success();
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
    // The two layouts do not mix, and outputs are never above an input.
    let mixed = root.path().join("mixed");
    convert(&rc, &mixed, &[]).assert().success();
    apart(&[&rc], &mixed).code(1);
    apart(&[&rc], root.path()).code(1);
    apart(&[&empty], &root.path().join("none")).code(1);
}

#[test]
fn a_disc_gives_its_label() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("images");
    let disc = relicast_samples::disc::files().unwrap();
    relicast_samples::write_files(&folder, &disc).unwrap();
    let sheet = folder.join(relicast_samples::disc::SHEET);
    let out = root.path().join("out");
    let mut command = relicast();
    command.arg("convert").arg(&sheet).arg("--out").arg(&out);
    command.args(["--layout", "source", "--dry-run", "--quiet"]);
    command.assert().success();
    assert!(!out.exists());
    apart(&[&sheet], &out).success();
    let inspected = relicast().arg("inspect").arg(&sheet).assert().success();
    let said = String::from_utf8_lossy(&inspected.get_output().stdout).into_owned();
    let (_, rest) = said.split_once("volume \"").unwrap();
    let label = rest.split('"').next().unwrap().to_lowercase();
    assert!(out.join(&label).join("manifest.json").is_file(), "{label}");
}

/// Windows knows paths of 260 characters, unless a program asks for more.
#[test]
fn outputs_are_as_deep_as_one_likes() {
    let root = sample_installs(&[Game::Rc]);
    let mut out = root.path().to_owned();
    while out.as_os_str().len() < 400 {
        out.push("a folder with a name of some length");
    }
    let settings = without_videos(root.path());
    let arguments = ["--config", settings.to_str().unwrap()];
    let input = root.path().join("rc");
    convert(&input, &out, &arguments).assert().success();
    relicast().arg("verify").arg(&out).assert().success();
    let again = convert(&input, &out, &arguments).assert().success();
    let said = String::from_utf8_lossy(&again.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
}

/// A program that has a file open prevents Windows from replacing it. The run reports this and does all else,
/// and the next run replaces the file.
#[cfg(windows)]
#[test]
fn an_output_that_another_program_holds_is_reported_and_made_later() {
    use std::os::windows::fs::OpenOptionsExt;

    let root = sample_installs(&[Game::Rc]);
    let (input, out) = (root.path().join("rc"), root.path().join("out"));
    let settings = without_videos(root.path());
    let arguments = ["--config", settings.to_str().unwrap()];
    convert(&input, &out, &arguments).assert().success();
    let picture = files(&out)
        .into_iter()
        .find(|path| path.ends_with(".png"))
        .unwrap();
    let compact = root.path().join("best.toml");
    fs::write(
        &compact,
        "[video]\nenabled = false\n[textures]\neffort = \"small\"\n",
    )
    .unwrap();
    let held = fs::OpenOptions::new()
        .read(true)
        .share_mode(0)
        .open(out.join(&picture))
        .unwrap();
    let arguments = ["--config", compact.to_str().unwrap()];
    convert(&input, &out, &arguments).assert().code(2);
    drop(held);
    convert(&input, &out, &arguments).assert().success();
    relicast().arg("verify").arg(&out).assert().success();
}
