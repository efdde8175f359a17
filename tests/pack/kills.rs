//! The program is killed at moments of all kinds: every game file is always whole, the install can be
//! restored, and the next run goes on.
#![cfg(unix)]

use relicast_testing::test;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use relicast::asset::Game;
use relicast::pack::{Destination, Request as PackRequest, pack, restore};
use relicast_samples::random::Random;

use crate::common::contents;
use crate::place::Place;

/// Kills of each command.
fn least_kills() -> u64 {
    relicast_testing::rounds(6, 24) as u64
}

type Contents = BTreeMap<String, Vec<u8>>;

/// An install with edits of several game files, as it is before and after.
struct Edited {
    place: Place,
    before: Contents,
    after: Contents,
    patch: PathBuf,
}

impl Edited {
    fn new() -> Self {
        let place = Place::of(Game::Mw);
        let pictures = place.outputs(|output| {
            output.path.ends_with(".png") && output.path.matches('.').count() == 1
        });
        let mut sources = Vec::new();
        for output in pictures {
            if sources.contains(&output.source) {
                continue;
            }
            let path = place.path("out").join(&output.path);
            let mut picture = image::open(&path).unwrap().into_rgba8();
            for texel in picture.pixels_mut().step_by(3) {
                texel.0[0] ^= 0x80;
            }
            picture.save(&path).unwrap();
            sources.push(output.source);
        }
        let before = contents(&place.path("install"));
        let patch = place.path("edits.relicast-patch");
        let packed = pack(&PackRequest {
            to: Destination::InPlace,
            patch: Some(patch.clone()),
            ..place.request()
        });
        let packed = packed.unwrap();
        assert_eq!(packed.refused, []);
        assert!(
            packed.files.len() > 2,
            "several game files change: {:?}",
            packed.files
        );
        let mut after = contents(&place.path("install"));
        after.retain(|path, _| !path.starts_with(".relicast-"));
        restore(&place.path("install"), false).unwrap();
        assert!(contents(&place.path("install")) == before);
        Self {
            place,
            before,
            after,
            patch,
        }
    }

    fn command(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_relicast"));
        for argument in arguments {
            match *argument {
                "OUT" => command.arg(self.place.path("out")),
                "INSTALL" => command.arg(self.place.path("install")),
                "MOD" => command.arg(self.place.path("mod")),
                "PATCH" => command.arg(&self.patch),
                other => command.arg(other),
            };
        }
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.spawn().unwrap()
    }

    /// Runs a command to its end; returns the time it took.
    fn run(&self, arguments: &[&str]) -> Duration {
        let start = Instant::now();
        assert!(
            self.command(arguments).wait().unwrap().success(),
            "{arguments:?}"
        );
        start.elapsed()
    }

    /// Starts a command and kills it: at any moment, or some time after the first file below `folder`
    /// changed, or after the first game file there did. Returns true if it was still running.
    fn kill(
        &self,
        arguments: &[&str],
        random: &mut Random,
        whole: Duration,
        folder: &Path,
    ) -> bool {
        let moment = random.below(3);
        let seen = |folder: &Path| match moment {
            1 => fingerprint(folder),
            _ => game_files(folder),
        };
        let began = seen(folder);
        let mut program = self.command(arguments);
        if moment > 0 {
            let limit = Instant::now() + whole * 4;
            while program.try_wait().unwrap().is_none() && seen(folder) == began {
                assert!(
                    Instant::now() < limit + Duration::from_secs(20),
                    "{arguments:?} hangs"
                );
                std::hint::spin_loop();
            }
            std::thread::sleep(Duration::from_micros(random.below(6000)));
        } else {
            let most = u64::try_from(whole.as_micros()).unwrap();
            std::thread::sleep(Duration::from_micros(random.below(most)));
        }
        let was_running = program.try_wait().unwrap().is_none();
        program.kill().unwrap();
        program.wait().unwrap();
        was_running
    }

    /// Every game file holds its old bytes or its new ones.
    fn assert_whole(&self, folder: &Path) {
        for (path, before) in &self.before {
            let now = fs::read(folder.join(path)).unwrap();
            assert!(now == *before || now == self.after[path], "{path} is torn");
        }
    }

    fn assert_restored(&self) {
        let install = self.place.path("install");
        restore(&install, false).unwrap();
        // Nothing is left beside the game files either.
        let now = contents(&install);
        let paths = |files: &Contents| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(paths(&now), paths(&self.before));
        assert!(now == self.before);
    }
}

/// Identity of the game files in a folder: a change gives another file under the same name.
fn game_files(folder: &Path) -> Vec<(String, u64)> {
    use std::os::unix::fs::MetadataExt;
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let game = entries.filter(|entry| {
        let name =
            |part: std::path::Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let inner = entry.path().strip_prefix(folder).unwrap();
        entry.file_type().is_file() && !inner.components().any(name)
    });
    let mut found: Vec<_> = game
        .map(|entry| {
            let file = entry.metadata().map_or(0, |data| data.ino());
            (entry.path().display().to_string(), file)
        })
        .collect();
    found.sort();
    found
}

/// Kills until enough kills met the program at work, on machines of any speed.
fn rounds(is_enough: impl Fn() -> bool) -> impl Iterator<Item = u64> {
    (0..480).take_while(move |round| *round < least_kills() || !is_enough())
}

/// Fingerprint of a folder, to detect changes.
fn fingerprint(folder: &Path) -> Vec<(String, u64)> {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    let mut found: Vec<_> = entries
        .map(|entry| {
            let size = entry.metadata().map_or(0, |data| data.len());
            (entry.path().display().to_string(), size)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn packing_into_the_install_is_killed() {
    let edited = Edited::new();
    let install = edited.place.path("install");
    let arguments = ["pack", "OUT", "--from", "INSTALL", "--in-place"];
    let whole = edited.run(&arguments);
    edited.assert_restored();
    let mut random = Random::new(1);
    let kills = Cell::new(0);
    let halves = Cell::new(0);
    for round in rounds(|| kills.get() > 3 && halves.get() > 0) {
        let was_running = edited.kill(&arguments, &mut random, whole, &install);
        kills.set(kills.get() + usize::from(was_running));
        edited.assert_whole(&install);
        let now = |path: &String| fs::read(install.join(path)).unwrap();
        let changed = edited
            .before
            .iter()
            .filter(|(path, bytes)| now(path) != **bytes)
            .count();
        halves.set(halves.get() + usize::from(changed > 0));
        // Every other round restores, the others pack again.
        match round % 2 {
            0 => edited.assert_restored(),
            _ => {
                edited.run(&arguments);
                for (path, after) in &edited.after {
                    assert!(now(path) == *after, "{path}");
                }
                edited.assert_restored();
            }
        }
    }
    let (kills, halves) = (kills.get(), halves.get());
    assert!(
        kills > 3 && halves > 0,
        "{kills} kills, {halves} with changed files"
    );
}

#[test]
fn restoring_is_killed() {
    let edited = Edited::new();
    let install = edited.place.path("install");
    let pack = ["pack", "OUT", "--from", "INSTALL", "--in-place"];
    edited.run(&pack);
    let arguments = ["restore", "INSTALL"];
    let whole = edited.run(&arguments);
    let mut random = Random::new(2);
    let kills = Cell::new(0);
    for round in rounds(|| kills.get() > 0) {
        if round % 4 != 3 {
            edited.run(&pack);
        }
        let was_running = edited.kill(&arguments, &mut random, whole, &install);
        kills.set(kills.get() + usize::from(was_running));
        edited.assert_whole(&install);
        match round % 4 {
            // Packed again from there.
            2 => edited.assert_whole_after(&pack, &install),
            _ => edited.assert_restored(),
        }
    }
    assert!(kills.get() > 0);
}

#[test]
fn packing_into_a_folder_is_killed() {
    let edited = Edited::new();
    let folder = edited.place.path("mod");
    let arguments = ["pack", "OUT", "--from", "INSTALL", "--to", "MOD"];
    killed_into_a_folder(&edited, &arguments, &folder, 3);
}

#[test]
fn applying_a_patch_is_killed() {
    let edited = Edited::new();
    let folder = edited.place.path("mod");
    let arguments = ["apply", "PATCH", "--from", "INSTALL", "--to", "MOD"];
    killed_into_a_folder(&edited, &arguments, &folder, 4);
    let install = edited.place.path("install");
    let arguments = ["apply", "PATCH", "--from", "INSTALL", "--in-place"];
    let whole = edited.run(&arguments);
    edited.assert_restored();
    let mut random = Random::new(5);
    for _ in 0..least_kills() {
        edited.kill(&arguments, &mut random, whole, &install);
        edited.assert_whole(&install);
        if random.below(2) == 0 {
            edited.assert_whole_after(&arguments, &install);
        }
        edited.assert_restored();
    }
}

impl Edited {
    /// The command goes on to its end from what a killed one left.
    fn assert_whole_after(&self, arguments: &[&str], install: &Path) {
        self.run(arguments);
        for (path, after) in &self.after {
            assert!(fs::read(install.join(path)).unwrap() == *after, "{path}");
        }
        self.assert_restored();
    }
}

fn killed_into_a_folder(edited: &Edited, arguments: &[&str], folder: &Path, seed: u64) {
    let whole = edited.run(arguments);
    let made = contents(folder);
    assert!(made.len() > 3);
    fs::remove_dir_all(folder).unwrap();
    let mut random = Random::new(seed);
    let kills = Cell::new(0);
    for _ in rounds(|| kills.get() > 3) {
        let from = folder.parent().unwrap();
        let at = if folder.exists() { folder } else { from };
        let was_running = edited.kill(arguments, &mut random, whole, at);
        kills.set(kills.get() + usize::from(was_running));
        // Whole game files, and the list of them; else nothing but what is still being written under another name.
        for (path, bytes) in &made {
            if let Ok(now) = fs::read(folder.join(path)) {
                assert!(
                    now == *bytes || path == "relicast-pack.json",
                    "{path} is torn"
                );
            }
        }
        assert!(contents(&edited.place.path("install")) == edited.before);
        if random.below(3) == 0 {
            edited.run(arguments);
            assert!(
                contents(folder) == made,
                "the next run goes on, and nothing else is left"
            );
            if random.below(2) == 0 {
                fs::remove_dir_all(folder).unwrap();
            }
        }
    }
    assert!(kills.get() > 3, "{kills:?}");
}
