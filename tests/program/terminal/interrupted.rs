//! Conversions that are interrupted, stopped or lose their terminal.

use relicast_testing::test;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::Value;
use tempfile::TempDir;

use crate::terminal::screen::Terminal;
use crate::terminal::{convert, install};

/// A conversion that takes a while, and its output folder.
struct Long {
    _folder: TempDir,
    input: PathBuf,
    out: PathBuf,
}

impl Long {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("install");
        install(&input, 40);
        let out = folder.path().join("out");
        Self {
            _folder: folder,
            input,
            out,
        }
    }

    /// Starts it, and waits until it converts.
    fn start(&self) -> Terminal {
        let mut terminal = convert(&self.input, &self.out).start(80);
        terminal.wait_for("the bar", |screen| {
            let mut lines = screen.lines();
            lines.any(|line| line.starts_with("convert ") && line.contains(" %"))
        });
        terminal
    }

    /// Runs it to its end, after which everything is there.
    fn go_on(&self) {
        let ended = convert(&self.input, &self.out).run(80).success();
        assert!(ended.screen.contains("view them with"), "{}", ended.screen);
        assert!(is_complete(&self.out));
        assert_eq!(left_over(&self.out), Vec::<PathBuf>::new());
    }
}

fn is_complete(out: &Path) -> bool {
    let text = fs::read_to_string(out.join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    report["complete"] == true
}

/// Files that are not of a finished run.
fn left_over(out: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(out)
        .into_iter()
        .map(|entry| entry.unwrap());
    let paths = entries.map(|entry| entry.into_path());
    let is_temporary = |path: &PathBuf| {
        let name = path.strip_prefix(out).unwrap();
        name.to_string_lossy().contains(".tmp")
    };
    paths.filter(is_temporary).collect()
}

fn signal(terminal: &Terminal, name: &str) {
    let process = terminal.process().to_string();
    let sent = Command::new("kill")
        .args([name, &process])
        .status()
        .unwrap();
    assert!(sent.success());
}

#[test]
fn one_ctrl_c_ends_after_the_items_at_work_and_the_next_run_goes_on() {
    let long = Long::new();
    let mut terminal = long.start();
    terminal.press(b"\x03");
    let ended = terminal.finish();
    assert_eq!(ended.status.exit_code(), 130, "{}", ended.screen);
    let lines = ended.lines();
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("finishing the current items")),
        "{}",
        ended.screen
    );
    assert!(!ended.screen.contains("view them with"), "{}", ended.screen);
    let is_of_bar = |line: &&str| line.contains(" gone") || line.trim() == "C";
    assert!(!lines.iter().any(is_of_bar), "{}", ended.screen);
    assert!(ended.screen.contains("interrupted: "), "{}", ended.screen);
    assert!(!is_complete(&long.out));
    long.go_on();
}

#[test]
fn signals_of_one_moment_are_one() {
    let long = Long::new();
    let terminal = long.start();
    for name in ["-INT", "-HUP", "-INT"] {
        signal(&terminal, name);
    }
    let ended = terminal.finish();
    assert!(ended.screen.contains("interrupted: "), "{}", ended.screen);
    long.go_on();
}

#[test]
fn the_second_ctrl_c_ends_at_once() {
    let long = Long::new();
    let mut terminal = long.start();
    terminal.press(b"\x03");
    // Nobody presses faster; signals of one moment are one.
    thread::sleep(Duration::from_millis(300));
    terminal.press(b"\x03");
    let start = Instant::now();
    let ended = terminal.finish();
    assert_eq!(ended.status.exit_code(), 130, "{}", ended.screen);
    assert!(start.elapsed() < Duration::from_secs(20));
    long.go_on();
}

#[test]
fn a_closed_terminal_ends_the_run_and_the_next_one_goes_on() {
    let long = Long::new();
    let mut terminal = long.start();
    signal(&terminal, "-HUP");
    terminal.close();
    // The handler of the signal lets the items at work end.
    let ended = terminal.finish();
    assert!(!ended.status.success());
    long.go_on();
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let long = Long::new();
    let terminal = long.start();
    signal(&terminal, "-STOP");
    thread::sleep(Duration::from_millis(300));
    let stopped = terminal.screen();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(terminal.screen(), stopped);
    signal(&terminal, "-CONT");
    let ended = terminal.finish().success();
    let lines = ended.lines();
    assert!(
        lines.iter().any(|line| line.starts_with("view them with")),
        "{}",
        ended.screen
    );
    assert!(is_complete(&long.out));
}
