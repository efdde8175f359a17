//! The index of a collection: its row for each disc, the same in any order, and never over anything.

use relicast_testing::test;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::assert::Assert;
use relicast::asset::Game;
use serde_json::Value;

use crate::common::{convert, json, relicast, sample_installs};
use crate::install::Install;

fn index(outs: &[&Path], to: &Path, arguments: &[&str]) -> Assert {
    let mut command = relicast();
    command.arg("collection").args(outs).arg("--to").arg(to);
    command.args(arguments).assert()
}

fn disc<'a>(index: &'a Value, name: &str) -> &'a Value {
    let mut discs = index["discs"].as_array().unwrap().iter();
    discs.find(|disc| disc["name"] == name).unwrap()
}

/// Homes of two installs that share much, below `homes`.
fn homes(install: &Install) -> [PathBuf; 2] {
    let [one, two] = ["homes/one", "homes/two"].map(|name| install.out(name));
    convert(&install.input(), &one, &[]).assert().success();
    install.write("more.txt", b"only on the second");
    convert(&install.input(), &two, &[]).assert().success();
    [one, two]
}

#[test]
fn discs_are_rows_with_what_only_they_have() {
    let install = Install::new();
    let [one, two] = homes(&install);
    let to = install.out("index");
    let run = index(&[&install.out("homes")], &to, &["--name", "Shelf <4>"]).success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(
        said.contains("2 discs, 2 completely converted, 0 proved"),
        "{said}"
    );
    let collection = json(&to.join("collection.json"));
    assert_eq!(collection["version"], 1);
    assert_eq!(collection["totals"]["discs"], 2);
    let (first, second) = (disc(&collection, "one"), disc(&collection, "two"));
    assert_eq!(first["state"], "whole");
    assert_eq!(first["out"], "../homes/one");
    assert_eq!(first["unique"]["count"], 0);
    assert_eq!(second["unique"]["count"], 1);
    assert_eq!(second["unique"]["bytes"], 18);
    let unique = second["unique"]["outputs"][0]["path"].as_str().unwrap();
    assert!(unique.ends_with("more.txt"), "{unique}");
    assert_eq!(first["shared"]["count"], second["shared"]["count"]);
    assert_eq!(collection["sharing"][0]["discs"], 1);
    assert_eq!(collection["sharing"][0]["contents"], 1);
    assert_eq!(collection["sharing"][1]["discs"], 2);
    let manifest = json(&two.join("manifest.json"));
    let outputs = manifest["outputs"].as_array().unwrap().len();
    assert_eq!(second["outputs"], outputs);
    let report = json(&two.join("report.json"));
    assert_eq!(second["parts"], report["totals"]["parts"]);
    assert_eq!(second["proved"], "not-proved");
    let formats = collection["formats"].as_array().unwrap();
    let wav = formats.iter().find(|row| row["pronom"] == "fmt/6");
    assert!(wav.is_some(), "{formats:?}");

    let page = fs::read_to_string(to.join("index.html")).unwrap();
    assert!(page.contains("<bdi>Shelf &lt;4&gt;</bdi>"));
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"));
    assert!(!page.contains("http://") && !page.contains("https://"));
    assert!(page.contains("href=\"../homes/one/\""));

    // In any order and twice, it is the same.
    let again = install.out("again");
    let names = ["--name", "Shelf <4>", "--quiet"];
    index(&[&two, &one, &two], &again, &names).success();
    for name in ["index.html", "collection.json"] {
        assert!(
            fs::read(to.join(name)).unwrap() == fs::read(again.join(name)).unwrap(),
            "{name}"
        );
    }
    index(&[&one, &two], &to, &names).success();
}

#[test]
fn discs_that_failed_are_rows_that_say_so() {
    let install = Install::new();
    let [one, two] = homes(&install);
    let homes = install.out("homes");
    fs::create_dir(homes.join("empty")).unwrap();
    fs::create_dir(homes.join("begun")).unwrap();
    fs::create_dir(homes.join("begun/.relicast")).unwrap();
    fs::create_dir(homes.join("torn")).unwrap();
    fs::write(homes.join("torn/manifest.json"), "{").unwrap();
    fs::create_dir(homes.join("mine")).unwrap();
    fs::write(homes.join("mine/notes.txt"), "not a disc").unwrap();
    fs::remove_file(one.join("loose/readme.txt")).unwrap();
    fs::write(two.join("loose/readme.txt"), "edited").unwrap();
    // An output that cannot be converted.
    install.write("ZBD/broken.zbd", b"\x01\x02");
    let to = install.out("index");
    let gone = install.out("gone");
    index(&[&homes, &gone], &to, &[]).code(2);
    let collection = json(&to.join("collection.json"));
    let state = |name: &str| disc(&collection, name)["state"].clone();
    assert_eq!(state("empty"), "absent");
    assert_eq!(state("gone"), "absent");
    assert_eq!(state("begun"), "interrupted");
    assert_eq!(state("torn"), "damaged");
    assert_eq!(collection["totals"]["discs"], 6);
    assert_eq!(collection["totals"]["whole"], 2);
    assert_eq!(disc(&collection, "one")["missing"][0], "loose/readme.txt");
    assert_eq!(disc(&collection, "two")["changed"][0], "loose/readme.txt");
    assert_eq!(collection["totals"]["lost"], 2);
    let page = fs::read_to_string(to.join("index.html")).unwrap();
    assert!(page.contains("the folder does not exist"));
    assert!(page.contains("loose/readme.txt: changed"));
}

#[test]
fn galleries_and_proofs_are_found_and_a_disproof_is_reported() {
    let install = Install::new();
    let [one, two] = homes(&install);
    let proof = |differs: u32| {
        format!(
            "{{\"files\": [], \"totals\": {{\"files\": 3, \"identical\": 2, \"read_only\": 1, \"no_codec\": 0, \
             \"differs\": {differs}, \"failed\": 0}}}}"
        )
    };
    fs::write(install.out("homes/one.prove.json"), proof(0)).unwrap();
    fs::create_dir(install.out("pages")).unwrap();
    fs::write(install.out("pages/one.html"), "").unwrap();
    let to = install.out("index");
    let pattern = install.out("pages/{name}.html");
    let gallery = ["--gallery", pattern.to_str().unwrap()];
    index(&[&one, &two], &to, &gallery).success();
    let collection = json(&to.join("collection.json"));
    assert_eq!(disc(&collection, "one")["proved"], "proved");
    assert_eq!(disc(&collection, "one")["gallery"], "../pages/one.html");
    assert_eq!(disc(&collection, "two")["proved"], "not-proved");
    assert_eq!(disc(&collection, "two").get("gallery"), None);
    assert_eq!(collection["totals"]["proved"], 1);
    fs::write(install.out("two.json"), proof(1)).unwrap();
    let pattern = install.out("{name}.json");
    let proofs = ["--proofs", pattern.to_str().unwrap()];
    index(&[&one, &two], &to, &proofs).code(2);
    let collection = json(&to.join("collection.json"));
    assert_eq!(disc(&collection, "one")["proved"], "not-proved");
    assert_eq!(disc(&collection, "two")["proved"], "differs");
}

#[test]
fn a_disc_image_shows_its_volume_sectors_and_tracks() {
    let root = sample_installs(&[Game::Rc]);
    let folder = root.path().join("images");
    let files = relicast_samples::disc::files().unwrap();
    relicast_samples::write_files(&folder, &files).unwrap();
    let out = root.path().join("disc");
    convert(&folder, &out, &[]).assert().success();
    let to = root.path().join("index");
    index(&[&out], &to, &[]).success();
    let collection = json(&to.join("collection.json"));
    let disc = disc(&collection, "disc");
    assert_eq!(disc["title"], "SAMPLE_DISC");
    let medium = &disc["media"][0];
    assert!(medium["sectors_checked"].as_u64().unwrap() > 100);
    assert_eq!(medium["sectors_bad"], 0);
    assert_eq!(medium["tracks"], 2);
    assert_eq!(medium["tracks_identified"], 0);
    assert_eq!(disc["games"][0]["game"], "mw");
}

#[test]
fn nothing_of_others_is_replaced_and_no_output_folder_is_written_to() {
    let install = Install::new();
    let [one, _] = homes(&install);
    let to = install.out("index");
    fs::create_dir(&to).unwrap();
    fs::write(to.join("index.html"), "mine").unwrap();
    index(&[&one], &to, &[]).code(1);
    assert_eq!(fs::read(to.join("index.html")).unwrap(), b"mine");
    assert!(!to.join("collection.json").exists());
    fs::remove_file(to.join("index.html")).unwrap();
    index(&[&one], &to, &[]).success();
    // What was edited is no longer its own.
    let path = to.join("collection.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("\"name\": \"Collection\"", "\"name\": \"Mine\""),
    )
    .unwrap();
    index(&[&one], &to, &[]).code(1);
    fs::write(&path, text).unwrap();
    index(&[&one], &to, &[]).success();
    index(&[&one], &one, &[]).code(1);
    index(&[&one], &one.join("index"), &[]).code(1);
    assert!(!one.join("index").exists());
}

#[cfg(unix)]
#[test]
fn hostile_names_are_texts() {
    let install = Install::new();
    let name = "<img src=x onerror=alert(1)>'\"\u{202e}";
    let out = install.out("homes").join(name);
    convert(&install.input(), &out, &[]).assert().success();
    let scheme = install.out("homes").join("javascript:alert(1)");
    convert(&install.input(), &scheme, &[]).assert().success();
    let to = install.out("homes");
    index(
        &[&to],
        &to,
        &["--name", "</title><script>alert(1)</script>"],
    )
    .success();
    let page = fs::read_to_string(to.join("index.html")).unwrap();
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains("href=\"javascript"));
    assert!(page.contains("href=\"./javascript%3Aalert%281%29/\""));
}
