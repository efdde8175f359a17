//! One trial: an install, random edits of its outputs, and properties that must hold.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use relicast::config::Config;
use relicast::pack::{Only, Request as PackRequest, pack};
use relicast::pipeline::progress::Unobserved;
use relicast::pipeline::report::manifest::{Manifest, ManifestOutput};
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;
use relicast_samples::SampleFile;
use relicast_samples::edits::{Edit, edit, group};
use relicast_samples::random::Random;
use relicast_testing::rounds;
use tempfile::TempDir;

use crate::common::contents;
use crate::common::{files, json};
use crate::random::compare::{Packed, assert_restored, assert_shows};
use crate::random::folders::{copy, overlay};
use crate::random::refused;
use crate::random::restored::check_reported;

/// Source of the files of an install.
pub enum Files {
    Sample(Vec<SampleFile>),
    Folder(PathBuf),
}

/// An install with its outputs, and the state of its random edits.
pub struct Trial {
    folder: TempDir,
    random: std::cell::RefCell<Random>,
    seed: u64,
    everything: bool,
}

/// An edit that can be packed.
struct Accepted {
    output: ManifestOutput,
    group: String,
    edit: Edit,
}

/// Result of the edits of a group.
#[derive(Default)]
struct GroupResult {
    packed_edits: usize,
    refusals: BTreeSet<String>,
    /// The maximum of edits was tried: that none was packed is no accident.
    is_exhausted: bool,
}

/// Edits of a group that are tried, at least, until one is packed.
const FEW: usize = 24;

/// Seconds for trying edits; the rest is left to another seed.
const SECONDS: usize = 6;

impl Trial {
    /// `everything`: with typed decodes and sounds in both formats.
    pub fn new(install: &Files, seed: u64, everything: bool) -> Self {
        let mut folder = tempfile::tempdir().unwrap();
        // With `RELICAST_VERBOSE` the folder is not removed, for inspection.
        folder.disable_cleanup(is_verbose());
        if is_verbose() {
            eprintln!("{seed}: {}", folder.path().display());
        }
        let to = folder.path().join("install");
        match install {
            Files::Sample(files) => relicast_samples::write_files(&to, files).unwrap(),
            Files::Folder(from) => copy(from, &to),
        }
        let trial = Self {
            folder,
            random: Random::new(seed).into(),
            seed,
            everything,
        };
        trial.convert("install", "out");
        copy(&trial.path("out"), &trial.path("first"));
        trial
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn convert(&self, install: &str, out: &str) {
        let mut config = Config::default();
        config.video.enabled = false;
        config.raw.enabled = self.everything;
        if self.everything {
            config.sounds.format = relicast::config::SoundFormat::Flac;
        }
        let request = Request {
            inputs: vec![self.path(install)],
            out: self.path(out),
            config,
            ..Request::default()
        };
        convert(&request, &Unobserved, &AtomicBool::new(false)).unwrap();
    }

    pub fn manifest(&self, out: &str) -> Manifest {
        serde_json::from_value(json(&self.path(out).join("manifest.json"))).unwrap()
    }

    pub fn run(&self) {
        let before = contents(&self.path("install"));
        let mut results = BTreeMap::new();
        let mut accepted = self.choose(&mut results);
        let mut round = 0;
        while !accepted.is_empty() {
            round += 1;
            assert!(
                round < 12,
                "seed {}: edits can never be packed together",
                self.seed
            );
            accepted = self.round_trip(accepted);
        }
        assert!(
            contents(&self.path("install")) == before,
            "the install was changed"
        );
        self.check_groups(&results);
    }

    /// Tries edits of every group, and returns those that can be packed alone.
    fn choose(&self, results: &mut BTreeMap<String, GroupResult>) -> Vec<Accepted> {
        let mut groups: BTreeMap<String, Vec<ManifestOutput>> = BTreeMap::new();
        for output in self.manifest("out").outputs {
            groups.entry(group(&output)).or_default().push(output);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_cached_key(|_| self.random.borrow_mut().bits());
        let end = Instant::now() + Duration::from_secs(rounds(SECONDS, 3600) as u64);
        let mut accepted: Vec<Accepted> = Vec::new();
        for (group, outputs) in groups {
            if Instant::now() < end {
                let own = self.throw(&group, outputs, end, &mut accepted);
                results.insert(group, own);
            }
        }
        accepted
    }

    /// Tries edits of a group until enough are packed.
    fn throw(
        &self,
        group: &str,
        mut outputs: Vec<ManifestOutput>,
        end: Instant,
        accepted: &mut Vec<Accepted>,
    ) -> GroupResult {
        let mut results = GroupResult::default();
        let is_hopeless = refused::reason(group).is_some();
        let (wanted, most) = match is_hopeless {
            true => (1, rounds(1, 4)),
            false => (rounds(1, 3), rounds(FEW, 3 * FEW)),
        };
        for _ in 0..most {
            if results.packed_edits >= wanted || outputs.is_empty() || Instant::now() > end {
                return results;
            }
            let start = Instant::now();
            let chosen = self.random.borrow_mut().below(outputs.len() as u64) as usize;
            let output = outputs[chosen].clone();
            let is_taken = accepted.iter().any(|other| {
                let place = |output: &ManifestOutput| {
                    (
                        output.source.clone(),
                        output.range.start,
                        output.member.clone(),
                    )
                };
                place(&other.output) == place(&output)
            });
            if is_taken {
                outputs.remove(chosen);
                continue;
            }
            let thrown = edit(
                &self.path("out"),
                &output.path,
                &mut self.random.borrow_mut(),
            );
            let Some(edit) = thrown.unwrap() else {
                outputs.remove(chosen);
                continue;
            };
            let what = edit.what.to_string();
            let path = output.path.clone();
            let found = self.alone(&edit);
            if is_verbose() {
                let time = start.elapsed().as_secs_f32();
                eprintln!(
                    "{} {group}: {path}: {what}: {found:?}, {time:.2} s",
                    self.seed
                );
            }
            match found {
                Ok(()) => {
                    results.packed_edits += 1;
                    outputs.remove(chosen);
                    let group = group.to_owned();
                    accepted.push(Accepted {
                        output,
                        group,
                        edit,
                    });
                }
                Err(refusal) => drop(results.refusals.insert(refusal)),
            }
        }
        results.is_exhausted = true;
        results
    }

    /// Packs one edit alone; returns the refusal if it is not packed, and nothing is written.
    pub fn alone(&self, edit: &Edit) -> Result<(), String> {
        self.put(edit);
        let paths = edit.files.iter().map(|(path, _)| globset::escape(path));
        let packed = pack(&PackRequest {
            only: Some(Only::new(paths).unwrap()),
            ..self.request()
        });
        let packed = packed.unwrap();
        let found = match &*packed.refused {
            [] => {
                assert_eq!(packed.edits.len(), edit.files.len(), "{}", edit.files[0].0);
                fs::remove_dir_all(self.path("mod")).ok();
                Ok(())
            }
            refused => {
                assert!(packed.files.is_empty() && !self.path("mod").exists());
                let named = |(path, _): &(String, _)| {
                    let mut own = edit.files.iter().map(|(own, _)| own);
                    own.any(|own| is_of(own, path))
                };
                assert!(refused.iter().all(named), "{refused:?}");
                Err(refused[0].1.to_string())
            }
        };
        self.undo(edit, "out");
        found
    }

    pub fn request(&self) -> PackRequest {
        PackRequest::new(&self.path("out"), &self.path("install"), &self.path("mod"))
    }

    pub fn put(&self, edit: &Edit) {
        for (path, bytes) in &edit.files {
            fs::write(self.path("out").join(path), bytes).unwrap();
        }
    }

    /// Replaces edited outputs by the original ones.
    fn undo(&self, edit: &Edit, out: &str) {
        for (path, _) in &edit.files {
            // A buffer of another size, or with its meshes in another order, is nothing without its scene.
            let pair = ["gltf", "bin"].map(|ending| Path::new(path).with_extension(ending));
            let size = |folder: &str, path: &Path| fs::metadata(self.path(folder).join(path)).ok();
            let order = |folder: &str| {
                let scene = self.path(folder).join(&pair[0]);
                scene.exists().then(|| json(&scene)["accessors"].take())
            };
            let is_scene = pair.iter().any(|one| one == Path::new(path))
                && (size("first", &pair[1]).map(|data| data.len())
                    != size(out, &pair[1]).map(|data| data.len())
                    || order("first") != order(out));
            let alone = [PathBuf::from(path)];
            for path in if is_scene { &pair[..] } else { &alone[..] } {
                let (from, to) = (self.path("first").join(path), self.path(out).join(path));
                if from.exists() {
                    fs::create_dir_all(to.parent().unwrap()).unwrap();
                    fs::copy(from, to).unwrap();
                }
            }
        }
    }

    /// Some edit of every group is packed, or the group is listed as one that never is.
    fn check_groups(&self, results: &BTreeMap<String, GroupResult>) {
        let mut faults = Vec::new();
        for (group, results) in results {
            match refused::reason(group) {
                Some(_) if results.packed_edits > 0 => faults.push(format!(
                    "{group} is packed: remove it from the list of refused groups"
                )),
                Some(reason) => {
                    let others = results
                        .refusals
                        .iter()
                        .filter(|results| !results.contains(reason));
                    faults.extend(
                        others.map(|results| format!("{group}: {results}, listed: {reason}")),
                    );
                }
                None if results.packed_edits == 0
                    && results.is_exhausted
                    && !refused::is_at_times(group, &results.refusals) =>
                {
                    faults.push(format!("{group} is never packed: {:?}", results.refusals));
                }
                None => {}
            }
        }
        assert!(
            faults.is_empty(),
            "seed {}:\n{}",
            self.seed,
            faults.join("\n")
        );
    }

    /// Packs edits together, converts, and undoes them; returns the edits that have to be packed after the
    /// others.
    fn round_trip(&self, mut edits: Vec<Accepted>) -> Vec<Accepted> {
        let later = self.together(&mut edits);
        for folder in ["mod", "modded", "after", "back", "restored", "again"] {
            fs::remove_dir_all(self.path(folder)).ok();
        }
        for accepted in &edits {
            self.put(&accepted.edit);
        }
        if is_verbose() {
            let paths = edits.iter().map(|edit| &*edit.output.path);
            eprintln!("{}: together: {:?}", self.seed, paths.collect::<Vec<_>>());
        }
        let packed = pack(&self.request()).unwrap();
        assert_eq!(packed.refused, [], "seed {}", self.seed);
        let made: Vec<Packed> = edits
            .iter()
            .map(|accepted| {
                let mut own = packed.edits.iter();
                let own = own.find(|edit| edit.output == accepted.output.path);
                Packed {
                    output: accepted.output.path.clone(),
                    group: accepted.group.clone(),
                    what: accepted.edit.what.clone(),
                    rounding: own.unwrap().rounding.clone(),
                }
            })
            .collect();
        overlay(
            &[&self.path("install"), &self.path("mod")],
            &self.path("modded"),
        );
        self.convert("modded", "after");
        for edit in &made {
            let after = self.path("after").join(&edit.output);
            if after.exists() {
                let in_folder = |folder: &str| self.path(folder).join(&edit.output);
                assert_shows(edit, &in_folder("first"), &in_folder("out"), &after);
            }
        }
        self.assert_others_unchanged(&edits, &made);
        // A renamed output has another path then, which differs from that of the edit undone.
        let is_renamed = |packed: &Packed| !self.path("after").join(&packed.output).exists();
        // The original of a document that shows other edits of its file would undo these, too.
        let shows_others = |packed: &Packed| {
            let results = packed.rounding.as_deref().unwrap_or_default();
            results.contains("other edits of its file")
        };
        if !made
            .iter()
            .any(|packed| is_renamed(packed) || shows_others(packed))
        {
            self.assert_restored(&edits, &made);
        }
        for accepted in &edits {
            self.undo(&accepted.edit, "out");
        }
        later
    }

    /// Removes edits that cannot be packed together with the others, and returns them.
    fn together(&self, edits: &mut Vec<Accepted>) -> Vec<Accepted> {
        let mut later = self.without_takers(edits);
        loop {
            edits.iter().for_each(|accepted| self.put(&accepted.edit));
            let packed = pack(&PackRequest {
                check: true,
                ..self.request()
            })
            .unwrap();
            edits
                .iter()
                .for_each(|accepted| self.undo(&accepted.edit, "out"));
            if is_verbose() {
                eprintln!("{}: together refused: {:?}", self.seed, packed.refused);
            }
            if packed.refused.is_empty() {
                return later;
            }
            let is_refused = |edit: &Accepted| {
                let mut refused = packed.refused.iter();
                refused.any(|(path, _)| is_of(&edit.output.path, path))
            };
            let (mut out, mut rest): (Vec<_>, Vec<_>) = edits.drain(..).partition(is_refused);
            // Those that contradict each other go one after the other.
            if rest.is_empty() && out.len() > 1 {
                rest.push(out.remove(0));
            }
            assert!(!rest.is_empty(), "seed {}: {:?}", self.seed, packed.refused);
            later.extend(out);
            *edits = rest;
        }
    }

    /// Removes edits of outputs that are made from another edited file: they show the state of that file.
    fn without_takers(&self, edits: &mut Vec<Accepted>) -> Vec<Accepted> {
        use relicast::asset::AssetKind;
        let manifest = self.manifest("first");
        let takes = |one: &ManifestOutput, other: &ManifestOutput| {
            let made_from = one.made_from.iter();
            let mut paths = made_from.map(|&at| &manifest.sources[at as usize].path);
            one.source != other.source
                && !matches!(other.kind, AssetKind::Textures | AssetKind::Sounds)
                && paths.any(|path| *path == other.source)
        };
        let mut kept: Vec<Accepted> = Vec::new();
        let mut later = Vec::new();
        for edit in edits.drain(..) {
            let is_tied = kept.iter().any(|other| {
                takes(&edit.output, &other.output) || takes(&other.output, &edit.output)
            });
            match is_tied {
                true => later.push(edit),
                false => kept.push(edit),
            }
        }
        *edits = kept;
        later
    }

    /// Outputs that no edit affects are as they were.
    fn assert_others_unchanged(&self, edits: &[Accepted], made: &[Packed]) {
        let manifest = self.manifest("first");
        let edited: BTreeSet<&str> = edits.iter().map(|edit| &*edit.output.source).collect();
        let sources = |output: &ManifestOutput| {
            let made_from = output.made_from.iter();
            let paths = made_from.map(|&at| manifest.sources[at as usize].path.clone());
            paths.collect::<Vec<_>>()
        };
        for output in &manifest.outputs {
            let others = sources(output);
            let mut others = others.iter().filter(|path| **path != output.source);
            let takes = others.any(|path| edited.contains(&**path));
            // Of an edited archive, members that were not edited and that take from no other member.
            let is_edited = edits.iter().any(|edit| {
                let same_member = edit.output.member == output.member
                    && edit.output.range.start == output.range.start;
                let is_leaf = output.member.is_some() && is_own(output);
                edit.output.source == output.source && (same_member || !is_leaf)
            });
            // Changes of members by an edited table are reported.
            let follows = made.iter().any(|packed| {
                let results = packed.rounding.as_deref().unwrap_or_default();
                let own = edits.iter().find(|edit| edit.output.path == packed.output);
                (results.contains("outputs of members") || results.contains("output of a member"))
                    && own.is_some_and(|own| own.output.source == output.source)
            });
            if takes || is_edited || follows {
                continue;
            }
            let read = |folder: &str| fs::read(self.path(folder).join(&output.path)).ok();
            assert!(
                read("first") == read("after"),
                "seed {}: {} changed: {made:?}",
                self.seed,
                output.path
            );
        }
    }

    /// The edits undone in the packed install give the original install.
    fn assert_restored(&self, edits: &[Accepted], made: &[Packed]) {
        for accepted in edits {
            self.undo(&accepted.edit, "after");
        }
        let request = PackRequest::new(
            &self.path("after"),
            &self.path("modded"),
            &self.path("back"),
        );
        let undone = pack(&request).unwrap();
        assert_eq!(undone.refused, [], "seed {}: {made:?}", self.seed);
        overlay(
            &[&self.path("modded"), &self.path("back")],
            &self.path("restored"),
        );
        let mut is_same = true;
        for path in files(&self.path("install")) {
            let read = |folder: &str| fs::read(self.path(folder).join(&path)).unwrap();
            let (original, restored) = (read("install"), read("restored"));
            if original == restored {
                continue;
            }
            is_same = false;
            let own: Vec<&Packed> = made
                .iter()
                .zip(edits)
                .filter(|(_, accepted)| accepted.output.source == path)
                .map(|(made, _)| made)
                .collect();
            let results = check_reported(&path, (&original, &restored), &own, &undone.edits);
            assert!(
                results.is_ok(),
                "seed {}: {}",
                self.seed,
                results.unwrap_err()
            );
        }
        if is_same {
            return;
        }
        self.convert("restored", "again");
        for edit in made {
            let rounding = undone
                .edits
                .iter()
                .find(|other| other.output == edit.output);
            let rounding = rounding.and_then(|edit| edit.rounding.as_deref());
            let (before, after) = (self.path("first"), self.path("again"));
            assert_restored(
                edit,
                &before.join(&edit.output),
                &after.join(&edit.output),
                rounding,
            );
        }
    }
}

/// True if every edit is printed, with its result.
fn is_verbose() -> bool {
    std::env::var_os("RELICAST_VERBOSE").is_some()
}

/// True if an edited file is an output, or the buffer of a scene.
fn is_of(edited: &str, output: &str) -> bool {
    edited == output
        || matches!((edited.strip_suffix("bin"), output.strip_suffix("gltf")), (Some(one), Some(other)) if one == other)
}

/// True if an output is made of its own member alone.
fn is_own(output: &ManifestOutput) -> bool {
    use relicast::asset::AssetKind;
    !matches!(
        output.kind,
        AssetKind::Worlds | AssetKind::Models | AssetKind::Animations | AssetKind::Archives
    )
}
