//! Checks that a second run after a change gives the result of a fresh run: every file of every sample install is
//! replaced, damaged, removed and restored, and each time the folder is compared with a new one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use relicast::asset::Game;
use relicast::config::{Clips, Config, GameChoice};
use relicast::formats::codec::Decoded;
use relicast::formats::kind::{Kind, sniff};
use relicast::formats::zipper::archive;
use relicast::formats::zipper::texture::package;
use relicast::gallery::{self, Options};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast::project;
use serde_json::Value;
use tempfile::TempDir;

use crate::{SampleFile, disc, files, folder};

/// An install on disk, with an output folder that is reused.
pub struct Place {
    folder: TempDir,
    /// Configuration of the runs.
    pub config: Config,
    game: Option<Game>,
    /// Globs of the files to convert; empty for everything.
    pub only: Vec<String>,
}

/// Result of a run: files by path, and the report without what may differ.
#[derive(PartialEq)]
pub struct Left {
    pub files: BTreeMap<String, Vec<u8>>,
    report: Value,
}

impl Place {
    pub fn new(files: &[SampleFile], config: &Config, game: Option<Game>) -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
            config: config.clone(),
            game,
            only: Vec::new(),
        };
        for file in files {
            place.write(&file.path, &file.bytes);
        }
        place
    }

    /// The folder of this name next to the install.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join("install")
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.input().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.input().join(path)).unwrap();
    }

    /// Runs a conversion into the folder of this name.
    pub fn run(&self, name: &str) -> Left {
        let mut config = self.config.clone();
        config.video.enabled = false;
        // The game of a damaged install may be detected wrongly, which is not tested here.
        config.run.game = self.game.map_or(GameChoice::Auto, GameChoice::from);
        let request = Request {
            inputs: vec![self.input()],
            out: self.path(name),
            only: self.only.clone(),
            config,
            ..Request::default()
        };
        convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
        // Same as the program does at the end of a run.
        if request.config.gallery.enabled {
            let options = Options {
                to: None,
                embed: request.config.gallery.embed,
                by_run: true,
            };
            gallery::write(&request.out, &options, &Unobserved).unwrap();
        } else {
            gallery::remove(&request.out).unwrap();
        }
        project::write(&request.out, &request.config).unwrap();
        left(&request.out)
    }

    /// Result of a run into an empty folder.
    pub fn fresh(&self) -> Left {
        let left = self.run("fresh");
        fs::remove_dir_all(self.folder.path().join("fresh")).unwrap();
        left
    }
}

fn left(out: &Path) -> Left {
    let mut files = BTreeMap::new();
    let mut folders = vec![out.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(out).unwrap().to_string_lossy();
                files.insert(name.replace('\\', "/"), fs::read(&path).unwrap());
            }
        }
    }
    let mut report: Value = serde_json::from_slice(&files.remove("report.json").unwrap()).unwrap();
    without_times(&mut report);
    Left { files, report }
}

/// Removes everything from a report that may differ in a second run: times, actions, deletions.
fn without_times(report: &mut Value) {
    let fields = report.as_object_mut().unwrap();
    fields.remove("stages");
    // It also covers the times.
    fields.remove("seal");
    fields.remove("removed");
    let totals = fields["totals"].as_object_mut().unwrap();
    totals.remove("assets");
    totals.remove("parts");
    let redone = |status: &mut Value| {
        if *status == "converted" || *status == "copied" {
            *status = "unchanged".into();
        }
    };
    for source in fields["sources"].as_array_mut().unwrap() {
        source.as_object_mut().unwrap().remove("modified");
        redone(&mut source["status"]);
        let Some(parts) = source.get_mut("parts") else {
            continue;
        };
        for part in parts.as_array_mut().unwrap() {
            part.as_object_mut().unwrap().remove("seconds");
            redone(&mut part["status"]);
        }
    }
}

/// Descriptions of the differences.
pub fn differences(again: &Left, fresh: &Left) -> Vec<String> {
    let mut found = Vec::new();
    // Outputs of a source that can no longer be read stay, and the run reports them.
    let kept = again.report.get("kept").and_then(Value::as_array);
    let kept: Vec<&str> = kept
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !kept.is_empty() && !again.report.to_string().contains("\"failed\"") {
        found.push("outputs were retained although every source was read".to_owned());
    }
    for (path, bytes) in &fresh.files {
        if path == "manifest.json" && !kept.is_empty() {
            continue;
        }
        match again.files.get(path) {
            None => found.push(format!("{path} is missing")),
            Some(other) if other != bytes => found.push(format!("{path} is stale")),
            Some(_) => {}
        }
    }
    let more = again
        .files
        .keys()
        .filter(|path| !fresh.files.contains_key(*path) && !kept.contains(&path.as_str()));
    found.extend(more.map(|path| format!("{path} is left over")));
    if found.is_empty() && kept.is_empty() && again.report != fresh.report {
        found.push(format!("the report differs: {}", {
            let (one, other) = (again.report.to_string(), fresh.report.to_string());
            let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b);
            let from = at.unwrap_or(0).saturating_sub(80);
            let cut = |text: &str| text.chars().skip(from).take(200).collect::<String>();
            format!("{} / {}", cut(&one), cut(&other))
        }));
    }
    found
}

/// A change of one file.
enum Change {
    Removed,
    Replaced(&'static str, Vec<u8>),
}

/// New contents of a file: valid ones of its kind, and damaged ones.
fn changes(file: &SampleFile, all: &[SampleFile]) -> Vec<Change> {
    let kind_of = |file: &SampleFile| sniff(&file.bytes, file.path.rsplit('/').next().unwrap());
    let kind = kind_of(file);
    let mut changes = vec![Change::Removed];
    let mut others = all
        .iter()
        .filter(|other| other.bytes != file.bytes && kind_of(other) == kind);
    if let Some(other) = others.next() {
        changes.push(Change::Replaced(
            "another file's bytes",
            other.bytes.clone(),
        ));
    }
    if let Some(edited) = edited(kind, &file.bytes) {
        changes.push(Change::Replaced("other values", edited));
    }
    let length = file.bytes.len();
    for (name, at) in [
        ("a flip at a third", length / 3),
        ("a flip at the end", length - length / 8),
    ] {
        let mut bytes = file.bytes.clone();
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1;
            changes.push(Change::Replaced(name, bytes));
        }
    }
    changes.push(Change::Replaced(
        "cut in half",
        file.bytes[..length / 2].to_vec(),
    ));
    changes
}

/// The same file with one value removed or changed.
fn edited(kind: Kind, bytes: &[u8]) -> Option<Vec<u8>> {
    match kind {
        Kind::Archive => {
            let Decoded { mut value, .. } = archive::decode(bytes).ok()?;
            value.entries.remove(value.entries.len() / 2);
            archive::encode(&value).ok()
        }
        Kind::Textures => {
            let Decoded { mut value, .. } = package::decode(bytes).ok()?;
            for image in &mut value.images {
                image
                    .texels
                    .0
                    .to_mut()
                    .iter_mut()
                    .for_each(|byte| *byte ^= 1);
            }
            package::encode(&value).ok()
        }
        _ => None,
    }
}

/// Number of changes to try.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    /// Each file is changed once, in one of the ways.
    Each,
    /// Each file is changed in all ways.
    All,
}

/// Tries every change of every file and reports differences from a fresh run.
fn try_all(
    files: &[SampleFile],
    config: &Config,
    game: Option<Game>,
    extent: Extent,
) -> Vec<String> {
    let place = Place::new(files, config, game);
    let first = place.run("out");
    let mut faults = Vec::new();
    let mut touched = 0;
    for (number, file) in files.iter().enumerate() {
        let changes = changes(file, files);
        let chosen: Vec<&Change> = match extent {
            Extent::All => changes.iter().collect(),
            Extent::Each => changes.iter().cycle().skip(number).take(1).collect(),
        };
        for change in chosen {
            let what = match change {
                Change::Removed => {
                    place.remove(&file.path);
                    "removed"
                }
                Change::Replaced(what, bytes) => {
                    place.write(&file.path, bytes);
                    what
                }
            };
            let mut report = |again: &Left, fresh: &Left, when: &str| {
                let found = differences(again, fresh);
                if !found.is_empty() {
                    let more = &found[..found.len().min(6)];
                    faults.push(format!(
                        "{}, {what}, {when}: {}",
                        file.path,
                        more.join("; ")
                    ));
                }
            };
            let again = place.run("out");
            let fresh = place.fresh();
            report(&again, &fresh, "changed");
            touched += usize::from(fresh.files != first.files);
            place.write(&file.path, &file.bytes);
            report(&place.run("out"), &first, "restored");
        }
    }
    assert!(
        touched > files.len() / 3,
        "only {touched} changes did anything"
    );
    faults
}

fn assert_fresh(game: Game, config: &Config, extent: Extent) {
    let faults = try_all(&files(game, 1).unwrap(), config, Some(game), extent);
    let count = faults.len();
    assert!(
        faults.is_empty(),
        "{}: {count} changes left something stale:\n{}",
        folder(game),
        faults.join("\n")
    );
}

/// Settings that make files depend on more of the others.
fn entangled() -> Config {
    let mut config = Config::default();
    config.worlds.placements = true;
    config.animations.clips = Clips::World;
    config
}

#[test]
fn a_change_in_recoil_leaves_nothing_stale() {
    assert_fresh(Game::Rc, &Config::default(), Extent::Each);
}

#[test]
fn a_change_in_mechwarrior_leaves_nothing_stale() {
    assert_fresh(Game::Mw, &entangled(), Extent::Each);
}

#[test]
fn a_change_in_pirates_moon_leaves_nothing_stale() {
    assert_fresh(Game::Pm, &Config::default(), Extent::Each);
}

#[test]
fn a_change_in_crimson_skies_leaves_nothing_stale() {
    assert_fresh(Game::Cs, &entangled(), Extent::Each);
}

#[test]
fn a_change_in_everquest_leaves_nothing_stale() {
    assert_fresh(Game::Eq, &Config::default(), Extent::Each);
}

#[test]
fn a_change_of_a_disc_leaves_nothing_stale() {
    let faults = try_all(
        &disc::files().unwrap(),
        &Config::default(),
        None,
        Extent::All,
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn assert_every_change(game: Game) {
    for config in [Config::default(), entangled()] {
        assert_fresh(game, &config, Extent::All);
    }
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_change_in_recoil_leaves_nothing_stale() {
    assert_every_change(Game::Rc);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_change_in_mechwarrior_leaves_nothing_stale() {
    assert_every_change(Game::Mw);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_change_in_pirates_moon_leaves_nothing_stale() {
    assert_every_change(Game::Pm);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_change_in_crimson_skies_leaves_nothing_stale() {
    assert_every_change(Game::Cs);
}

#[test]
#[ignore = "run by `cargo xtask properties`"]
fn every_change_in_everquest_leaves_nothing_stale() {
    assert_every_change(Game::Eq);
}
