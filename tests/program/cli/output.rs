//! Standard output and error that are closed or full: a run converts the same files.

use relicast_testing::{skip, test};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::map;
use crate::common::json;

/// An install with one good file and many damaged ones, so that much is reported.
fn install(folder: &Path) {
    fs::write(folder.join("m1.zmap"), map()).unwrap();
    for number in 2..40 {
        fs::write(folder.join(format!("m{number}.zmap")), "broken").unwrap();
    }
}

fn program() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("relicast"))
}

/// A pipe without a reader.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// A device that is full, if the system has one.
fn full() -> Option<Stdio> {
    let full = File::options().write(true).open("/dev/full").ok()?;
    Some(full.into())
}

/// Runs `convert` with its streams changed by `streams`, and checks that everything was converted.
fn converts(arguments: &[&str], streams: impl FnOnce(&mut Command)) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let input = folder.path().join("input");
    fs::create_dir(&input).unwrap();
    install(&input);
    let mut command = program();
    command.arg("convert").arg(&input).arg("--out").arg(&out);
    command.args(arguments);
    streams(&mut command);
    assert_eq!(command.status().unwrap().code(), Some(2));
    assert!(out.join("worlds/m1.json").is_file());
    assert!(out.join("manifest.json").is_file());
    let report = json(&out.join("report.json"));
    assert_eq!(report["totals"]["parts"]["failed"], 38);
    assert_eq!(report["complete"], true);
}

#[test]
fn a_closed_pipe_stops_no_run() {
    for arguments in [&[][..], &["--verbose"], &["--log-format", "json"]] {
        converts(arguments, |command| {
            command.stdout(closed()).stderr(closed());
        });
    }
}

#[test]
fn a_full_device_stops_no_run() {
    if full().is_none() {
        skip("no /dev/full");
    }
    for arguments in [&[][..], &["--log-format", "json"]] {
        converts(arguments, |command| {
            command.stdout(full().unwrap()).stderr(full().unwrap());
        });
    }
}

#[test]
fn what_is_compared_at_the_end_is_compared_even_if_the_reader_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("m1.zmap");
    fs::write(&input, map()).unwrap();
    let golden = folder.path().join("golden.json");
    let config = folder.path().join("p.toml");
    fs::write(&config, format!("[run]\ngolden = {golden:?}\n")).unwrap();
    fs::write(&golden, r#"{"outputs": {}}"#).unwrap();
    let out = folder.path().join("out");
    let run = |stdout: Stdio| {
        let mut command = program();
        command.arg("convert").arg(&input).arg("--out").arg(&out);
        command.arg("--force").arg("--config").arg(&config);
        let run = command.stdout(stdout).stderr(Stdio::null());
        run.status().unwrap().code()
    };
    let heard = run(Stdio::null());
    assert_ne!(heard, Some(0), "the golden file has no outputs");
    assert_eq!(run(closed()), heard);
}

#[test]
fn answers_that_cannot_be_written_are_reported_and_readers_that_leave_are_not() {
    let status = |stdout: Stdio| {
        let mut command = program();
        command.arg("config").stdout(stdout).stderr(Stdio::piped());
        let done = command.spawn().unwrap().wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        (done.status.code(), said)
    };
    assert_eq!(status(closed()), (Some(0), String::new()));
    if let Some(full) = full() {
        let (code, said) = status(full);
        assert_eq!(code, Some(1));
        assert!(said.contains("cannot write to standard output"), "{said}");
    }
}

#[test]
fn wrong_arguments_are_wrong_even_if_the_reader_has_left() {
    let mut command = program();
    command.arg("nonsense").stdout(closed()).stderr(closed());
    assert_eq!(command.status().unwrap().code(), Some(1));
    let mut command = program();
    command.arg("--help").stdout(closed()).stderr(closed());
    assert_eq!(command.status().unwrap().code(), Some(0));
}
