//! Runs in shards: in any number and order, merged they equal the run without shards, and an incomplete set
//! of shards is refused by name.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;
use relicast_testing::test;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use common::{files, json, relicast};
use proptest::prelude::*;
use relicast::asset::Game;
use relicast::config::Config;
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::request::Request;
use relicast::pipeline::run::{Outcome, RunError, convert};
use relicast::pipeline::shard::merge::{MergeError, merge};
use relicast::pipeline::shard::{By, Shard};
use relicast_samples::SampleFile;
use serde_json::Value as Json;
use tempfile::TempDir;

/// An install, and the result of a run without shards.
struct Place {
    folder: TempDir,
    whole: Left,
}

/// Contents of an output folder: files, and the report without times.
#[derive(Debug, PartialEq)]
struct Left {
    files: BTreeMap<String, Vec<u8>>,
    report: Json,
}

fn request(input: &Path, out: &Path, shard: Option<Shard>) -> Request {
    let mut config = Config::default();
    config.video.enabled = false;
    Request {
        inputs: vec![input.to_owned()],
        out: out.to_owned(),
        config,
        shard,
        ..Request::default()
    }
}

fn run(request: &Request) -> Outcome {
    convert(request, &Unobserved, &AtomicBool::new(false)).unwrap()
}

/// Removes every time from a report.
fn without_times(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            fields.remove("seconds");
            fields.values_mut().for_each(without_times);
        }
        Json::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

fn left(out: &Path) -> Left {
    let mut report = json(&out.join("report.json"));
    without_times(&mut report);
    // The seal is of the times, too.
    assert!(report.as_object_mut().unwrap().remove("seal").is_some());
    let files = files(out).into_iter().filter(|path| path != "report.json");
    Left {
        files: files
            .map(|path| {
                let bytes = fs::read(out.join(&path)).unwrap();
                (path, bytes)
            })
            .collect(),
        report,
    }
}

fn assert_same(merged: &Left, whole: &Left) {
    let names = |left: &Left| left.files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(merged), names(whole));
    for (path, bytes) in &whole.files {
        assert!(merged.files[path] == *bytes, "{path} differs");
    }
    for (field, value) in whole.report.as_object().unwrap() {
        assert_eq!(merged.report[field], *value, "{field} of the report");
    }
    assert_eq!(merged.report, whole.report);
}

impl Place {
    fn new(files: &[SampleFile]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("install");
        relicast_samples::write_files(&input, files).unwrap();
        let out = folder.path().join("whole");
        run(&request(&input, &out, None));
        let whole = left(&out);
        Self { folder, whole }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn request(&self, out: &str, shard: Shard) -> Request {
        request(&self.path("install"), &self.path(out), Some(shard))
    }

    /// Converts every shard into a folder of its own below `name`.
    fn shards(&self, name: &str, of: u32, by: By) -> Vec<PathBuf> {
        (1..=of)
            .map(|number| {
                let out = format!("{name}/{number}");
                run(&self.request(&out, Shard { number, of, by }));
                self.path(&out)
            })
            .collect()
    }
}

/// The install of a game with its largest file cut short.
fn damaged(game: Game) -> Vec<SampleFile> {
    let mut files = relicast_samples::files(game, 1).unwrap();
    let archives = files.iter_mut().filter(|file| {
        let path = file.path.to_lowercase();
        path.ends_with(".zbd") || path.ends_with(".s3d")
    });
    let largest = archives.max_by_key(|file| file.bytes.len()).unwrap();
    let half = largest.bytes.len() / 2;
    largest.bytes.truncate(half);
    files
}

/// The places that the property is tried on, each made once.
fn place(index: usize) -> &'static Place {
    static PLACES: [OnceLock<Place>; 3] = [const { OnceLock::new() }; 3];
    PLACES[index].get_or_init(|| {
        let game = [Game::Mw, Game::Eq, Game::Cs][index];
        Place::new(&damaged(game))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shards_in_any_number_and_order_are_the_whole(
        index in 0_usize..3,
        of in 1_u32..9,
        by_size: bool,
        order in any::<prop::sample::Index>(),
        again in any::<prop::sample::Index>(),
    ) {
        let place = place(index);
        let by = if by_size { By::Size } else { By::Work };
        let name = format!("shards-{}", rand_name());
        let mut dirs = place.shards(&name, of, by);
        // A shard that lost an output is run again; what it still has is not made again.
        let number = u32::try_from(again.index(dirs.len())).unwrap() + 1;
        let dir = &dirs[number as usize - 1];
        if let Some(first) = files(dir).iter().find(|path| path.contains('/')) {
            fs::remove_file(dir.join(first)).unwrap();
        }
        run(&place.request(&format!("{name}/{number}"), Shard { number, of, by }));
        let turn = order.index(dirs.len());
        dirs.rotate_left(turn);
        if turn % 2 == 1 {
            dirs.reverse();
        }
        let out = place.path(&format!("{name}/merged"));
        merge(&dirs, &out).unwrap();
        assert_same(&left(&out), &place.whole);
    }
}

/// A name that no other case has.
fn rand_name() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed).to_string()
}

#[test]
fn shards_of_a_disc_are_the_whole_and_more_shards_than_files_do_no_harm() {
    let place = Place::new(&relicast_samples::disc::files().unwrap());
    for of in [3, 40] {
        let name = format!("disc-{of}");
        let dirs = place.shards(&name, of, By::Work);
        let out = place.path(&format!("{name}/merged"));
        merge(&dirs, &out).unwrap();
        assert_same(&left(&out), &place.whole);
    }
}

fn small() -> Vec<SampleFile> {
    let file = |path: &str, text: &str| SampleFile {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    vec![
        file("a.zrd", "( A 1 )"),
        file("b.zrd", "( B 2 )"),
        file("c.zrd", "( C 3 )"),
        file("d.zrd", "( D 4 )"),
        file("readme.txt", "not converted"),
    ]
}

fn refusal(dirs: &[PathBuf], out: &Path) -> String {
    let error: MergeError = merge(dirs, out).unwrap_err();
    assert!(!out.exists(), "nothing is written");
    error.to_string()
}

#[test]
fn what_is_no_whole_set_of_shards_is_refused_by_name() {
    let place = Place::new(&small());
    let dirs = place.shards("three", 3, By::Work);
    let others = place.shards("four", 4, By::Work);
    let out = place.path("merged");
    let said = refusal(&dirs[..1], &out);
    assert!(said.contains("missing shards: 2/3, 3/3"), "{said}");
    let said = refusal(
        &[
            dirs[0].clone(),
            dirs[1].clone(),
            dirs[1].clone(),
            dirs[2].clone(),
        ],
        &out,
    );
    assert!(said.contains("shard 2/3 is given more than once"), "{said}");
    let said = refusal(&[dirs[0].clone(), others[1].clone()], &out);
    assert!(said.contains("the number of shards"), "{said}");
    let said = refusal(&[dirs[0].clone(), place.path("whole")], &out);
    assert!(said.contains("whole run"), "{said}");
    assert!(refusal(&[place.path("install")], &out).contains("(no manifest.json)"));
    assert!(refusal(&[], &out).contains("no shards"));

    // Other settings.
    let shard = "2/3".parse().unwrap();
    let mut other = place.request("settings/2", shard);
    other.config.documents.style = relicast::scene::document::Style::Compact;
    run(&other);
    let said = refusal(&[dirs[0].clone(), other.out, dirs[2].clone()], &out);
    assert!(said.contains("their settings"), "{said}");

    // Another input.
    fs::write(place.path("install/e.zrd"), "( E 5 )").unwrap();
    let other = place.request("input/2", shard);
    run(&other);
    let said = refusal(&[dirs[0].clone(), other.out, dirs[2].clone()], &out);
    assert!(said.contains("their inputs"), "{said}");
    fs::remove_file(place.path("install/e.zrd")).unwrap();

    // Stopped.
    let stopped = place.request("stopped/2", shard);
    convert(&stopped, &Unobserved, &AtomicBool::new(true)).unwrap();
    let said = refusal(
        &[dirs[0].clone(), stopped.out.clone(), dirs[2].clone()],
        &out,
    );
    assert!(said.contains("interrupted"), "{said}");
    // Run again, it is whole.
    run(&stopped);
    merge(&[dirs[0].clone(), stopped.out, dirs[2].clone()], &out).unwrap();
    assert_same(&left(&out), &place.whole);
}

#[test]
fn outputs_that_are_not_as_written_are_not_merged() {
    let place = Place::new(&small());
    let dirs = place.shards("two", 2, By::Size);
    let (dir, path) = dirs
        .iter()
        .find_map(|dir| Some((dir, files(dir).into_iter().find(|path| path.contains('/'))?)))
        .unwrap();
    let bytes = fs::read(dir.join(&path)).unwrap();
    let mut edited = bytes.clone();
    edited[0] ^= 1;
    fs::write(dir.join(&path), edited).unwrap();
    let said = refusal(&dirs, &place.path("merged"));
    assert!(said.contains(&path) && said.contains("changed"), "{said}");
    fs::remove_file(dir.join(&path)).unwrap();
    let said = refusal(&dirs, &place.path("merged"));
    assert!(said.contains(&path) && said.contains("missing"), "{said}");
    fs::write(dir.join(&path), bytes).unwrap();

    // What others put into the merged folder is kept.
    let out = place.path("merged");
    fs::create_dir_all(out.join(&path).parent().unwrap()).unwrap();
    fs::write(out.join(&path), "mine").unwrap();
    fs::write(out.join("notes.txt"), "mine too").unwrap();
    let report = merge(&dirs, &out).unwrap();
    let aside = report.edited[0].moved_to.clone().unwrap();
    assert_eq!(fs::read(out.join(aside)).unwrap(), b"mine");
    assert_eq!(fs::read(out.join("notes.txt")).unwrap(), b"mine too");
    assert_eq!(
        fs::read(out.join("manifest.json")).unwrap(),
        place.whole.files["manifest.json"]
    );
    // Merged once more, nothing changes; a run over the same input finds nothing to do.
    assert!(merge(&dirs, &out).unwrap().edited.is_empty());
    assert!(run(&request(&place.path("install"), &out, None)).nothing_to_do);
    // Another input's folder is not merged into.
    let other = Place::new(&small());
    let error = merge(&dirs, &other.path("whole")).unwrap_err().to_string();
    assert!(error.contains("other inputs"), "{error}");
    assert_eq!(left(&other.path("whole")), other.whole);
    assert!(merge(&dirs, &dirs[0]).is_err());
}

#[test]
fn a_shard_has_a_folder_of_its_own_and_a_second_run_of_it_has_nothing_to_do() {
    let place = Place::new(&small());
    let dirs = place.shards("two", 2, By::Work);
    let before: Vec<Left> = dirs.iter().map(|dir| left(dir)).collect();
    let refused = |out: &str, shard: &str| {
        let request = place.request(out, shard.parse().unwrap());
        let error = convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap_err();
        assert!(matches!(error, RunError::NotOfShard { .. }), "{error}");
        error.to_string()
    };
    assert!(refused("two/1", "2/2").contains("shard 1/2"));
    assert!(refused("two/1", "1/3").contains("shard 1/2"));
    assert!(refused("whole", "1/2").contains("whole run"));
    // Not in a killed run's folder either.
    fs::create_dir_all(place.path("two/1/.relicast")).unwrap();
    let line = r#"{"inputs":[],"shard":{"number":1,"of":7,"by":"work"}}"#;
    fs::write(place.path("two/1/.relicast/journal.jsonl"), line).unwrap();
    assert!(refused("two/1", "1/2").contains("shard 1/7"));
    fs::remove_dir_all(place.path("two/1/.relicast")).unwrap();
    let after: Vec<Left> = dirs.iter().map(|dir| left(dir)).collect();
    assert_eq!(before, after);
    for number in ["1/2", "2/2"] {
        let request = place.request(&format!("two/{}", &number[..1]), number.parse().unwrap());
        assert!(run(&request).nothing_to_do);
    }
    // A whole run makes what is missing and takes what is there.
    let whole = request(&place.path("install"), &dirs[0], None);
    assert!(!run(&whole).failed());
    assert_eq!(left(&dirs[0]).files, place.whole.files);
}

#[test]
fn the_plan_shows_what_each_shard_does() {
    let place = Place::new(&relicast_samples::files(Game::Mw, 1).unwrap());
    let plan = |arguments: &[&str]| -> Json {
        let mut command = relicast();
        command
            .arg("plan")
            .arg(place.path("install"))
            .args(arguments);
        let output = command.arg("--json").assert().success();
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    };
    let cut = plan(&["--shards", "3"]);
    let shards = cut["shards"].as_array().unwrap();
    assert_eq!(shards.len(), 3);
    let mut sources: Vec<&str> = shards
        .iter()
        .flat_map(|shard| shard["sources"].as_array().unwrap())
        .map(|path| path.as_str().unwrap())
        .collect();
    sources.sort_unstable();
    let all: Vec<String> = files(&place.path("install"));
    assert_eq!(sources, all.iter().map(|path| &**path).collect::<Vec<_>>());
    let work: Vec<u64> = shards
        .iter()
        .map(|shard| shard["work"].as_u64().unwrap())
        .collect();
    assert_eq!(work.iter().sum::<u64>(), cut["work"].as_u64().unwrap());
    // The same again, and by another measure another cut of the same plan.
    assert_eq!(plan(&["--shards", "3"]), cut);
    let by_size = plan(&["--shards", "3", "--by", "size"]);
    assert_eq!(by_size["plan"], cut["plan"]);
    let bytes = |cut: &Json| -> Vec<u64> {
        let shards = cut["shards"].as_array().unwrap().iter();
        shards
            .map(|shard| shard["bytes"].as_u64().unwrap())
            .collect()
    };
    let spread = |bytes: Vec<u64>| bytes.iter().max().unwrap() - bytes.iter().min().unwrap();
    assert!(spread(bytes(&by_size)) <= spread(bytes(&cut)));
    let one = plan(&["--shards", "1"]);
    assert_eq!(one["shards"][0]["reads"].as_array().unwrap().len(), 0);
    relicast()
        .arg("plan")
        .arg(place.path("install"))
        .args(["--shards", "0"])
        .assert()
        .code(1);
}

#[test]
fn shards_on_the_command_line() {
    let place = Place::new(&small());
    for number in 1..=2 {
        let mut command = relicast();
        command.arg("convert").arg(place.path("install"));
        command.args(["-q", "--shard", &format!("{number}/2"), "--out"]);
        command
            .arg(place.path(&format!("cli{number}")))
            .assert()
            .success();
    }
    let mut command = relicast();
    command
        .arg("merge")
        .arg(place.path("cli2"))
        .arg(place.path("cli1"));
    let merged = command
        .arg("--out")
        .arg(place.path("cli"))
        .assert()
        .success();
    let said = String::from_utf8(merged.get_output().stdout.clone()).unwrap();
    assert!(said.contains("2 shards merged: 5 outputs"), "{said}");
    let mut command = relicast();
    command.arg("convert").arg(place.path("install"));
    command.args(["-q", "--out"]).arg(place.path("cli-whole"));
    command.assert().success();
    assert_same(&left(&place.path("cli")), &left(&place.path("cli-whole")));
    relicast()
        .arg("merge")
        .arg(place.path("cli2"))
        .arg("--out")
        .arg(place.path("no"))
        .assert()
        .code(1);
    for wrong in ["0/2", "3/2", "2", "x/y"] {
        let mut command = relicast();
        command
            .arg("convert")
            .arg(place.path("install"))
            .args(["--shard", wrong, "--out"]);
        command.arg(place.path("no")).assert().code(1);
    }
}

#[test]
fn a_killed_shard_goes_on_and_is_merged_as_if_it_had_not_been() {
    let place = Place::new(&small());
    let dirs = place.shards("two", 2, By::Work);
    let dir = dirs
        .iter()
        .find(|dir| files(dir).iter().any(|path| path.contains('/')))
        .unwrap();
    let number = if *dir == dirs[0] { 1 } else { 2 };
    let (manifest, report) = (
        json(&dir.join("manifest.json")),
        json(&dir.join("report.json")),
    );
    let shard = Shard {
        number,
        of: 2,
        by: By::Work,
    };
    // What a killed process leaves: outputs and journal, neither manifest nor report.
    let mut journal = serde_json::json!({"inputs": report["inputs"], "shard": shard}).to_string();
    for source in report["sources"].as_array().unwrap() {
        for part in source["parts"].as_array().into_iter().flatten() {
            let mut part = part.clone();
            part.as_object_mut().unwrap().remove("made");
            let paths = part["outputs"].as_array().cloned().unwrap_or_default();
            let outputs = manifest["outputs"].as_array().unwrap().iter();
            let outputs: Vec<&Json> = outputs
                .filter(|output| paths.contains(&output["path"]))
                .collect();
            let Some(first) = outputs.first() else {
                continue;
            };
            let line = serde_json::json!({"key": first["key"], "outputs": outputs, "report": part});
            journal.push_str(&format!("\n{line}"));
        }
    }
    fs::create_dir(dir.join(".relicast")).unwrap();
    fs::write(dir.join(".relicast/journal.jsonl"), journal).unwrap();
    fs::remove_file(dir.join("manifest.json")).unwrap();
    fs::remove_file(dir.join("report.json")).unwrap();
    let error = merge(&dirs, &place.path("merged")).unwrap_err().to_string();
    assert!(error.contains("was killed"), "{error}");
    let outcome = run(&place.request(&format!("two/{number}"), shard));
    assert_eq!(
        outcome
            .report
            .count(relicast::pipeline::report::Status::Converted),
        0
    );
    merge(&dirs, &place.path("merged")).unwrap();
    assert_same(&left(&place.path("merged")), &place.whole);
}

#[test]
fn shards_and_merges_that_were_killed_before_they_wrote_anything_go_on() {
    let place = Place::new(&small());
    let dirs = ["1", "2"].map(|number| place.path("two").join(number));
    let merged = place.path("merged");
    let left_behind: [&[(&str, &str)]; 4] = [
        &[],
        &[("lock", "")],
        &[("lock", ""), ("journal.jsonl", "")],
        &[("lock", ""), ("journal.jsonl", "\n{\"inputs\":[{\"inp")],
    ];
    for files in left_behind {
        for out in dirs.iter().chain([&merged]) {
            fs::create_dir_all(out.join(".relicast")).unwrap();
            for (name, text) in files {
                fs::write(out.join(".relicast").join(name), text).unwrap();
            }
        }
        place.shards("two", 2, By::Work);
        merge(&dirs, &merged).unwrap();
        assert_same(&left(&merged), &place.whole);
        for out in dirs.iter().chain([&merged]) {
            fs::remove_dir_all(out).unwrap();
        }
    }
}

#[test]
fn several_inputs_in_shards() {
    let folder = tempfile::tempdir().unwrap();
    let inputs: Vec<PathBuf> = ["first", "second"]
        .map(|name| folder.path().join(name))
        .to_vec();
    for (input, game) in inputs.iter().zip([Game::Rc, Game::Eq]) {
        let files = relicast_samples::files(game, 1).unwrap();
        relicast_samples::write_files(input, &files).unwrap();
    }
    let of_both = |out: &str, shard| Request {
        inputs: inputs.clone(),
        ..request(&inputs[0], &folder.path().join(out), shard)
    };
    let whole = of_both("whole", None);
    run(&whole);
    let dirs: Vec<PathBuf> = (1..=3)
        .map(|number| {
            let request = of_both(
                &number.to_string(),
                Some(Shard {
                    number,
                    of: 3,
                    by: By::Work,
                }),
            );
            run(&request);
            request.out
        })
        .collect();
    let out = folder.path().join("merged");
    merge(&dirs, &out).unwrap();
    assert_same(&left(&out), &left(&whole.out));
    // The first input alone into the folder of a shard of both is another run.
    let alone = request(
        &inputs[0],
        &dirs[0],
        Some(Shard {
            number: 1,
            of: 3,
            by: By::Work,
        }),
    );
    let error = convert(&alone, &Unobserved, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("other inputs"), "{error}");
}

#[test]
fn what_an_input_no_longer_makes_goes_from_the_merged_folder() {
    let place = Place::new(&small());
    let merged = place.path("merged");
    merge(&place.shards("before", 2, By::Work), &merged).unwrap();
    fs::remove_file(place.path("install/d.zrd")).unwrap();
    fs::write(place.path("install/c.zrd"), "( broken").unwrap();
    let report = merge(&place.shards("after", 3, By::Work), &merged).unwrap();
    let fresh = place.path("fresh");
    run(&request(&place.path("install"), &fresh, None));
    assert_eq!(left(&merged).files, left(&fresh).files);
    assert!(
        !report.removed.is_empty() && report.kept.is_empty(),
        "{report:?}"
    );
}
