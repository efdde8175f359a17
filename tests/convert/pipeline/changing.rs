//! Sources that another program overwrites while a run reads them, and then restores.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use relicast::config::Unchanged;
use relicast::pipeline::progress::{StageProgress, Step, Unobserved};
use relicast::pipeline::report::{Report, Status};
use relicast::pipeline::request::Request;
use relicast::pipeline::run::convert;

use crate::install::{Install, contents, sounds};

/// An archive with right and wrong bytes of the same length.
struct Changing {
    install: Install,
    path: PathBuf,
    time: SystemTime,
    right: Vec<u8>,
    wrong: Vec<u8>,
}

impl Changing {
    fn new() -> Self {
        let install = Install::new();
        let path = install.input().join("ZBD/soundsH.zbd");
        let (right, wrong) = (sounds(5), sounds(9));
        assert_eq!(right.len(), wrong.len());
        fs::write(&path, &right).unwrap();
        let time = path.metadata().unwrap().modified().unwrap();
        Self {
            install,
            path,
            time,
            right,
            wrong,
        }
    }

    /// Overwrites the file in place, and restores its modification time.
    fn put(&self, bytes: &[u8]) {
        put(&self.path, bytes, self.time);
    }

    fn request(&self, out: &Path, unchanged: Unchanged) -> Request {
        let mut request = Request {
            inputs: vec![self.install.input()],
            out: out.to_owned(),
            ..Request::default()
        };
        request.config.run.unchanged = unchanged;
        request
    }

    /// An undisturbed run.
    fn quiet(&self, out: &Path, unchanged: Unchanged) -> Report {
        let request = self.request(out, unchanged);
        convert(&request, &Unobserved, &AtomicBool::new(false))
            .unwrap()
            .report
    }
}

fn put(path: &Path, bytes: &[u8], time: SystemTime) {
    // In place: no other file takes the name.
    let mut file = fs::File::options().write(true).open(path).unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    file.set_modified(time).unwrap();
}

/// Outputs by path, without the documents of the run.
fn outputs(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all: BTreeMap<_, _> = contents(out).into_iter().collect();
    all.remove("manifest.json");
    all
}

/// Interval in which the file is wrong: from one step of the run to another.
const TIMES: [[(&str, Step); 2]; 4] = [
    [("plan", Step::Started), ("plan", Step::Finished)],
    [("plan", Step::Started), ("convert", Step::Started)],
    [("convert", Step::Started), ("convert", Step::Finished)],
    [("plan", Step::Advanced), ("convert", Step::Finished)],
];

#[cfg(unix)]
#[test]
fn what_was_overwritten_and_restored_is_never_reported_as_right() {
    for unchanged in [Unchanged::Time, Unchanged::Hash] {
        for [wrong, right] in TIMES {
            let changing = Changing::new();
            let (out, fresh) = (changing.install.out("out"), changing.install.out("fresh"));
            changing.quiet(&fresh, unchanged);
            let step = Mutex::new(0);
            let observer = |progress: &StageProgress| {
                let mut step = step.lock().unwrap();
                let now = (progress.stage, progress.step);
                if *step == 0 && now == wrong {
                    changing.put(&changing.wrong);
                    *step = 1;
                } else if *step == 1 && now == right {
                    changing.put(&changing.right);
                    *step = 2;
                }
            };
            let request = changing.request(&out, unchanged);
            let outcome = convert(&request, &observer, &AtomicBool::new(false)).unwrap();
            assert_eq!(*step.lock().unwrap(), 2, "{wrong:?}");
            let source = outcome.report.sources.iter();
            let mut source = source.filter(|source| source.path.ends_with("soundsH.zbd"));
            let source = source.next().unwrap();
            assert_eq!(source.status, Status::Failed, "{wrong:?} to {right:?}");
            assert_eq!(source.blake3, None);
            // What is there is what a run makes that nothing disturbs.
            let expected = outputs(&fresh);
            for (path, bytes) in outputs(&out) {
                assert!(expected[&path] == bytes, "{wrong:?}: {path}");
            }
            let again = changing.quiet(&out, unchanged);
            assert_eq!(again.count(Status::Failed), 0);
            assert!(outputs(&out) == expected, "{wrong:?} to {right:?}");
            let manifest = |out: &Path| fs::read(out.join("manifest.json")).unwrap();
            assert!(manifest(&out) == manifest(&fresh));
        }
    }
}

/// Rounds of the race.
fn rounds() -> usize {
    relicast_testing::rounds(4, 12)
}

/// The hash that a report names for the file that changes; none when it failed.
fn named_hash(report: &Report) -> Option<String> {
    let mut sources = report.sources.iter();
    let source = sources.find(|source| source.path.ends_with("soundsH.zbd"));
    source.unwrap().blake3.clone()
}

#[cfg(unix)]
#[test]
fn outputs_of_a_file_that_changes_all_the_time_are_of_the_bytes_that_the_report_names() {
    let changing = Changing::new();
    // Both contents are whole: on a busy machine a run may find either of them at rest all the time.
    let made = [&changing.wrong, &changing.right].map(|bytes| {
        let out = changing
            .install
            .out(&format!("fresh{}", usize::from(*bytes == changing.right)));
        changing.put(bytes);
        let report = changing.quiet(&out, Unchanged::Time);
        (named_hash(&report).unwrap(), outputs(&out))
    });
    let expected = &made[1].1;
    for round in 0..rounds() {
        let out = changing.install.out(&format!("out{round}"));
        let stop = AtomicBool::new(false);
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    changing.put(&changing.wrong);
                    std::thread::yield_now();
                    changing.put(&changing.right);
                }
            });
            let report = changing.quiet(&out, Unchanged::Time);
            stop.store(true, Ordering::Relaxed);
            report
        });
        let hash = named_hash(&report);
        // A file that fails because it changed afterwards may leave what was made of it before, of one content.
        let left = outputs(&out);
        let is_of = |(made, expected): &(String, BTreeMap<String, Vec<u8>>)| {
            hash.as_ref().is_none_or(|hash| hash == made)
                && left.iter().all(|(path, bytes)| expected[path] == *bytes)
        };
        assert!(made.iter().any(is_of), "round {round}: {hash:?}");
        // Size and time of both contents are the same.
        changing.quiet(&out, Unchanged::Hash);
        assert!(outputs(&out) == *expected, "round {round}");
    }
}

#[cfg(unix)]
#[test]
fn what_takes_from_a_file_that_was_overwritten_fails_too() {
    let install = Install::new();
    let files = relicast_samples::files(relicast::asset::Game::Mw, 1).unwrap();
    let input = install.out("mw");
    relicast_samples::write_files(&input, &files).unwrap();
    let (out, fresh) = (install.out("out"), install.out("fresh"));
    let run = |out: &Path, observer: &dyn relicast::pipeline::progress::Observer| {
        let mut request = Request {
            inputs: vec![input.clone()],
            out: out.to_owned(),
            ..Request::default()
        };
        request.config.video.enabled = false;
        convert(&request, observer, &AtomicBool::new(false))
            .unwrap()
            .report
    };
    run(&fresh, &Unobserved);
    // The names of models are in the messages.
    let taken = input.join("zbd/rmechtex.zbd");
    let right = fs::read(&taken).unwrap();
    let mut wrong = right.clone();
    let end = wrong.len() - 8;
    wrong[end] ^= 0xff;
    let time = taken.metadata().unwrap().modified().unwrap();
    let observer = |progress: &StageProgress| match (progress.stage, progress.step) {
        ("convert", Step::Started) => put(&taken, &wrong, time),
        ("convert", Step::Finished) => put(&taken, &right, time),
        _ => {}
    };
    let report = run(&out, &observer);
    let failed = report
        .sources
        .iter()
        .filter(|source| source.status == Status::Failed);
    let failed: Vec<&str> = failed.map(|source| &*source.path).collect();
    assert!(
        failed.contains(&"zbd/rmechtex.zbd") && failed.len() > 1,
        "{failed:?}"
    );
    let expected = outputs(&fresh);
    for (path, bytes) in outputs(&out) {
        assert!(expected[&path] == bytes, "{path}");
    }
    run(&out, &Unobserved);
    assert!(outputs(&out) == expected);
}
