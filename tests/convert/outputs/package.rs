//! Packages of output folders: read back, the same twice, and never over anything.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use assert_cmd::assert::Assert;
use relicast::package::bagit;
use relicast::pipeline::progress::Unobserved;
use serde_json::Value;

use crate::common::{contents, convert, json, relicast};
use crate::install::Install;

fn said(run: &Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

fn package(out: &Path, to: &Path, arguments: &[&str]) -> Assert {
    let mut command = relicast();
    command.env_remove("SOURCE_DATE_EPOCH");
    command.arg("package").arg(out).arg("--to").arg(to);
    command.args(arguments).assert()
}

#[test]
fn a_bag_holds_every_output_and_reads_back() {
    let install = Install::new();
    let (out, to) = (install.out("out"), install.out("to"));
    convert(&install.input(), &out, &[]).assert().success();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    let run = package(
        &out,
        &to,
        &["--bagit", "--ro-crate", "--date", "2026-11-22"],
    )
    .success();
    assert!(said(&run).contains("left out   mine.txt"), "{}", said(&run));
    let bag = to.join("out");
    let checked = bagit::check(&bag, &Unobserved).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    let mut payload = contents(&bag.join("data"));
    assert!(payload.remove("premis.xml").is_some());
    assert!(payload.remove("ro-crate-metadata.json").is_some());
    let mut expected = contents(&out);
    expected.remove("mine.txt");
    assert_eq!(payload, expected);
    let info = fs::read_to_string(bag.join("bag-info.txt")).unwrap();
    assert!(info.contains("Bagging-Date: 2026-11-22\n"), "{info}");
    relicast().arg("verify").arg(&bag).assert().success();

    // What is changed, lost or added in it is found.
    let whole = contents(&bag);
    let path = "data/config/zbd/interp.json";
    fs::write(bag.join(path), "{}").unwrap();
    let run = relicast().arg("verify").arg(&bag).assert().code(2);
    assert!(
        said(&run).contains(&format!("changed    {path}")),
        "{}",
        said(&run)
    );
    fs::remove_file(bag.join(path)).unwrap();
    let checked = bagit::check(&bag, &Unobserved).unwrap();
    assert_eq!(checked.faults, [format!("missing    {path}")]);
    fs::write(bag.join(path), &whole[path]).unwrap();
    fs::write(bag.join("data/more"), "more").unwrap();
    assert_eq!(bagit::check(&bag, &Unobserved).unwrap().faults.len(), 2);
    fs::remove_file(bag.join("data/more")).unwrap();
    fs::write(bag.join("bag-info.txt"), "Payload-Oxum: 1.1\n").unwrap();
    assert!(!bagit::check(&bag, &Unobserved).unwrap().faults.is_empty());
}

#[test]
fn archives_are_the_same_twice_and_hold_the_folder() {
    let install = Install::new();
    let (out, to) = (install.out("out"), install.out("to"));
    convert(&install.input(), &out, &[]).assert().success();
    let bag = |arguments: &[&str]| {
        let all = [&["--bagit", "--ro-crate"], arguments].concat();
        package(&out, &to, &all).success();
    };
    bag(&[]);
    let folder = contents(&to.join("out"));
    bag(&["--zip"]);
    bag(&["--tar"]);
    let kept = ["zip", "tar"].map(|kind| {
        let path = to.join(format!("out.{kind}"));
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        bytes
    });
    bag(&["--zip"]);
    bag(&["--tar"]);
    assert!(fs::read(to.join("out.zip")).unwrap() == kept[0]);
    assert!(fs::read(to.join("out.tar")).unwrap() == kept[1]);

    let mut zip = zip::ZipArchive::new(File::open(to.join("out.zip")).unwrap()).unwrap();
    assert_eq!(zip.len(), folder.len());
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let path = file.name().unwrap().into_owned();
        let path = path.strip_prefix("out/").unwrap();
        assert!(folder[path] == bytes, "{path}");
    }
    let mut tar = tar::Archive::new(File::open(to.join("out.tar")).unwrap());
    let mut count = 0;
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert!(
            folder[path.strip_prefix("out/").unwrap()] == bytes,
            "{path}"
        );
        assert_eq!(entry.header().mtime().unwrap(), 0);
        count += 1;
    }
    assert_eq!(count, folder.len());
    // Nothing unfinished is left.
    assert_eq!(fs::read_dir(&to).unwrap().count(), 3);
}

#[test]
fn metadata_show_what_was_made_from_what() {
    let install = Install::new();
    let (out, to) = (install.out("out"), install.out("to"));
    convert(&install.input(), &out, &[]).assert().success();
    package(&out, &to, &["--ro-crate", "--name", "install"]).success();
    let manifest = json(&out.join("manifest.json"));
    let crate_folder = to.join("install");
    let metadata = json(&crate_folder.join("ro-crate-metadata.json"));
    let graph = metadata["@graph"].as_array().unwrap();
    let entities: BTreeMap<&str, &Value> = graph
        .iter()
        .map(|entity| (entity["@id"].as_str().unwrap(), entity))
        .collect();
    assert_eq!(entities.len(), graph.len(), "an identifier twice");
    // Everything that is referred to is described.
    let ids = |value: &Value| -> Vec<String> {
        let list = value
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![value.clone()]);
        let ids = list
            .iter()
            .map(|item| item["@id"].as_str().unwrap().to_owned());
        ids.collect()
    };
    let root = entities["./"];
    let parts = ids(&root["hasPart"]);
    let outputs = manifest["outputs"].as_array().unwrap();
    // Manifest, report and events are files too.
    assert_eq!(parts.len(), outputs.len() + 3);
    let named = graph.iter().flat_map(|entity| {
        let keys = [
            "hasPart",
            "mentions",
            "object",
            "result",
            "instrument",
            "isBasedOn",
            "license",
        ];
        keys.into_iter()
            .filter_map(|key| entity.get(key))
            .flat_map(ids)
    });
    for id in named {
        assert!(entities.contains_key(&*id), "{id}");
    }
    let output = outputs
        .iter()
        .find(|output| output["path"] == "config/zbd/interp.json");
    let output = output.unwrap();
    let file = entities["config/zbd/interp.json"];
    let source = entities[&*ids(&file["isBasedOn"])[0]];
    let number = usize::try_from(output["made_from"][0].as_u64().unwrap()).unwrap();
    assert_eq!(source["name"], manifest["sources"][number]["path"]);
    let actions = graph
        .iter()
        .filter(|entity| entity["@type"] == "CreateAction");
    let mut actions = actions.filter(|action| action["result"].is_array());
    let action = actions
        .find(|action| ids(&action["result"]).contains(&"config/zbd/interp.json".to_owned()));
    let action = action.unwrap();
    let program = entities[&*ids(&action["instrument"])[0]];
    assert_eq!(program["softwareVersion"], output["converter"]);
    assert_eq!(program["version"], output["converter"]);
    assert!(program["url"].is_string());
    let settings = ids(&action["object"]);
    let settings = settings
        .iter()
        .find(|id| id.starts_with("#settings-"))
        .unwrap();
    let text = entities[&**settings]["text"].as_str().unwrap();
    let digest = manifest["config_digest"].as_str().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(text).unwrap(),
        manifest["settings"][digest]
    );

    let premis = fs::read_to_string(crate_folder.join("premis.xml")).unwrap();
    let objects = premis.matches("<object ").count();
    let sources = manifest["sources"].as_array().unwrap().len();
    assert_eq!(objects, sources + outputs.len() + 2);
    let report = json(&out.join("report.json"));
    let events = premis.matches("<event>").count();
    assert_eq!(events, report["sources"].as_array().unwrap().len());
    assert!(premis.contains("<eventType>migration</eventType>"));
    assert_eq!(
        premis.matches("</").count(),
        premis.matches('<').count() / 2
    );
}

#[test]
fn what_is_altered_interrupted_or_in_the_way_is_refused() {
    let install = Install::new();
    let (out, to) = (install.out("out"), install.out("to"));
    package(&out, &to, &["--bagit"]).code(1);
    convert(&install.input(), &out, &[]).assert().success();
    // Neither kind, two containers, a place within, a name that is a path, a date that is none.
    package(&out, &to, &[]).code(1);
    package(&out, &to, &["--bagit", "--zip", "--tar"]).code(1);
    package(&out, &out.join("packages"), &["--bagit"]).code(1);
    package(&out, &to, &["--bagit", "--name", "../x"]).code(1);
    package(&out, &to, &["--bagit", "--date", "soon"]).code(1);
    assert!(!out.join("packages").exists());
    assert!(!to.exists());

    let shard = install.out("shard");
    convert(&install.input(), &shard, &["--shard", "1/2"])
        .assert()
        .success();
    package(&shard, &to, &["--bagit"]).code(1);

    fs::create_dir(&to).unwrap();
    fs::create_dir(to.join("out")).unwrap();
    fs::write(to.join("out/letter.txt"), "mine").unwrap();
    fs::write(to.join("out.zip"), "mine").unwrap();
    package(&out, &to, &["--bagit"]).code(1);
    package(&out, &to, &["--bagit", "--zip"]).code(1);
    assert_eq!(
        fs::read_to_string(to.join("out/letter.txt")).unwrap(),
        "mine"
    );
    assert_eq!(fs::read_to_string(to.join("out.zip")).unwrap(), "mine");

    let path = "config/zbd/interp.json";
    let kept = fs::read(out.join(path)).unwrap();
    fs::write(out.join(path), "{}").unwrap();
    let leaf = "textures/zbd/c1/rtexture/leaf.png";
    let picture = fs::read(out.join(leaf)).unwrap();
    fs::remove_file(out.join(leaf)).unwrap();
    let run = package(&out, &to, &["--bagit", "--tar"]).code(2);
    let text = said(&run);
    assert!(text.contains(&format!("changed    {path}")), "{text}");
    assert!(text.contains(&format!("missing    {leaf}")), "{text}");
    assert_eq!(fs::read_dir(&to).unwrap().count(), 2);
    fs::write(out.join(path), kept).unwrap();
    fs::write(out.join(leaf), picture).unwrap();

    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let cut = manifest.replacen("\"complete\": true", "\"complete\": false", 1);
    let cut = cut.replacen("\"complete\":true", "\"complete\":false", 1);
    assert_ne!(cut, manifest);
    fs::write(out.join("manifest.json"), cut).unwrap();
    // Its seal shows the change.
    let text = said(&package(&out, &to, &["--bagit", "--tar"]).code(2));
    assert!(text.contains("changed    manifest.json"), "{text}");
    fs::write(out.join("manifest.json"), manifest).unwrap();
    package(&out, &to, &["--bagit", "--tar"]).success();
}

#[test]
fn the_environment_sets_the_date() {
    let install = Install::new();
    let (out, to) = (install.out("out"), install.out("to"));
    convert(&install.input(), &out, &[]).assert().success();
    let run = |name: &str, epoch: &str| {
        let mut command = relicast();
        command.env("SOURCE_DATE_EPOCH", epoch);
        command.arg("package").arg(&out).arg("--to").arg(&to);
        command.args(["--bagit", "--name", name]).assert()
    };
    run("a", "86400").success();
    let info = fs::read_to_string(to.join("a/bag-info.txt")).unwrap();
    assert!(info.contains("Bagging-Date: 1970-01-02\n"), "{info}");
    let events = fs::read_to_string(to.join("a/data/premis.xml")).unwrap();
    assert!(events.contains("information package creation"), "{events}");
    run("b", "today").code(1);
}
