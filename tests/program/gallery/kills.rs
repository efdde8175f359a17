//! `gallery` and `package` are killed at random moments: the next run leaves what an undisturbed one leaves, and
//! nothing else.

use relicast_testing::test;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use relicast_samples::random::Random;

use crate::gallery::{SAMPLES, files_below};

/// Time for the kills of one command once one has met the program at work.
const MAX_DURATION: Duration = Duration::from_secs(6);

/// Time until a kill meets the program at work, on a computer that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// Kills of one command, if time allows.
const KILLS: u32 = 8;

fn start(arguments: &[&str], to: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relicast"));
    command.arg(arguments[0]).arg(SAMPLES.out());
    command.args(&arguments[1..]).arg("--to").arg(to);
    command.env("SOURCE_DATE_EPOCH", "1");
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().unwrap()
}

/// Kills a command again and again, runs it to its end, and compares with an undisturbed run.
fn assert_nothing_is_left(arguments: &[&str], seed: u64, prepare: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));
    prepare(&calm);
    let began = Instant::now();
    assert!(start(arguments, &calm).wait().unwrap().success());
    let whole = u64::try_from(began.elapsed().as_micros()).unwrap();

    let mut random = Random::new(seed);
    let (mut rounds, mut at_work) = (0, 0);
    let began = Instant::now();
    while (at_work == 0 && began.elapsed() < PATIENCE)
        || (rounds < KILLS && began.elapsed() < MAX_DURATION)
    {
        prepare(&killed);
        let mut program = start(arguments, &killed);
        std::thread::sleep(Duration::from_micros(random.below(whole)));
        let was_running = program.try_wait().unwrap().is_none();
        program.kill().unwrap();
        program.wait().unwrap();
        let has_begun = killed.is_dir() && !files_below(&killed).is_empty();
        at_work += u32::from(was_running && has_begun);
        rounds += 1;
    }
    assert!(at_work > 0, "no kill met {arguments:?} at work");
    prepare(&killed);
    assert!(start(arguments, &killed).wait().unwrap().success());
    let (calm, killed) = (files_below(&calm), files_below(&killed));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&killed), names(&calm), "{arguments:?}, seed {seed}");
    assert!(killed == calm, "{arguments:?}, seed {seed}");
}

#[test]
fn a_gallery_that_was_killed_leaves_nothing_behind() {
    assert_nothing_is_left(&["gallery"], 5, |_| {});
}

/// A finished package is in the way of the next.
fn without_finished(to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(to).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with('.') {
            continue;
        }
        match path.is_dir() {
            true => fs::remove_dir_all(&path).unwrap(),
            false => fs::remove_file(&path).unwrap(),
        }
    }
}

#[test]
fn packages_that_were_killed_leave_nothing_behind() {
    assert_nothing_is_left(&["package", "--bagit"], 6, without_finished);
}
