//! The contract of the command line: arguments, exit codes, and the stream of each message.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use crate::common;

mod available;
mod counted;
mod examples;
mod identified;
mod inspected;
#[cfg(unix)]
mod output;
mod own_files;
mod reported;
mod settings;
mod wrong_turns;

use relicast_testing::test;
use std::fs;

use common::{convert, relicast};
use relicast::formats::zipper::zmap::{self, Map};
use serde_json::Value;

fn map() -> Vec<u8> {
    let mut map = Map::default();
    map.header.version = 5;
    map.header.unused = 3;
    zmap::encode(&map).unwrap()
}

/// An archive that any of the Zipper games could have.
fn archive() -> Vec<u8> {
    use relicast::formats::zipper::archive::{Archive, encode};
    encode(&Archive::default()).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_and_version_are_no_errors() {
    relicast().arg("--help").assert().success();
    let version = relicast().arg("--version").assert().success();
    let version = text(&version.get_output().stdout);
    let reported = concat!("relicast ", env!("CARGO_PKG_VERSION"), "+");
    let mut lines = version.lines();
    let first = lines.next().unwrap();
    let short = relicast().arg("-V").assert().success();
    assert_eq!(text(&short.get_output().stdout).trim(), first);
    let commit = lines.next().and_then(|line| line.strip_prefix("commit: "));
    assert!(!commit.unwrap().is_empty(), "{version}");
    let date = lines.next().and_then(|line| line.strip_prefix("date:   "));
    let date = date.unwrap();
    let is_day = date.len() == 10 && date.split('-').all(|part| part.parse::<u16>().is_ok());
    assert!(date == "unknown" || is_day, "{version}");
    let commit = first.strip_prefix(reported).unwrap();
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(digest) = commit.strip_prefix("development-") {
        assert!(digest.len() == 16 && is_hexadecimal(digest), "{version}");
    } else {
        let digits = commit.strip_suffix("-modified").unwrap_or(commit);
        let is_commit = digits.len() == 12 && is_hexadecimal(digits);
        assert!(is_commit || commit == "unknown", "{version}");
    }
    for command in ["convert", "inspect", "verify", "prove", "config"] {
        relicast().args([command, "--help"]).assert().success();
    }
}

#[test]
fn the_flags_that_scripts_use_stay() {
    let help = relicast().args(["convert", "--help"]).assert().success();
    let help = text(&help.get_output().stdout);
    for flag in [
        "--out",
        "--config",
        "--game",
        "--only",
        "--jobs",
        "--strict",
        "--dry-run",
        "--force",
        "--keep",
        "--no-needs",
        "-q",
        "-v",
        "--log-format",
    ] {
        assert!(help.contains(flag), "{flag}");
    }
    for game in ["rc", "mw", "pm", "cs", "eq"] {
        assert!(help.contains(game), "{game}");
    }
}

#[test]
fn wrong_arguments_are_exit_code_1() {
    relicast().assert().code(1);
    relicast().arg("convert").assert().code(1);
    relicast().args(["convert", "--out", "x"]).assert().code(1);
    relicast().args(["nonsense"]).assert().code(1);
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let out = folder.path().join("out");
    convert(&missing, &out, &[]).assert().code(1);
    convert(folder.path(), &out, &["--game", "doom"])
        .assert()
        .code(1);
    convert(folder.path(), &out, &["--only", "a["])
        .assert()
        .code(1);
}

#[test]
fn an_input_without_anything_known_says_what_was_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.doc"), "hello").unwrap();
    let out = folder.path().join("out");
    let run = convert(folder.path(), &out, &[]).assert().code(1);
    let said = text(&run.get_output().stderr);
    assert!(said.contains("nothing to convert"), "{said}");
    assert!(said.contains(".zbd") && said.contains(".zmap"), "{said}");
    assert!(!out.exists());
}

#[test]
fn a_single_file_is_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("m1.zmap");
    fs::write(&input, map()).unwrap();
    let out = folder.path().join("out");
    convert(&input, &out, &[]).assert().success();
    assert!(out.join("worlds/m1.json").exists());
}

#[test]
fn several_inputs_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    for disc in ["one", "two"] {
        fs::create_dir(folder.path().join(disc)).unwrap();
        fs::write(folder.path().join(disc).join("m1.zmap"), map()).unwrap();
    }
    let out = folder.path().join("out");
    relicast()
        .arg("convert")
        .args([folder.path().join("one"), folder.path().join("two")])
        .arg("--out")
        .arg(&out)
        .assert()
        .success();
    assert!(out.join("worlds/one/m1.json").exists());
    assert!(out.join("worlds/two/m1.json").exists());
}

#[test]
fn damaged_files_are_exit_code_2_and_do_not_stop_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("install");
    fs::create_dir_all(input.join("maps")).unwrap();
    fs::write(input.join("maps/m1.zmap"), map()).unwrap();
    fs::write(input.join("maps/m2.zmap"), &map()[..20]).unwrap();
    let out = folder.path().join("out");
    let run = convert(&input, &out, &["-q"]).assert().code(2);
    let said = text(&run.get_output().stderr);
    assert!(
        said.contains("maps/m2.zmap") && said.contains("at byte"),
        "{said}"
    );
    assert!(
        said.contains("expected") && said.contains("found"),
        "{said}"
    );
    assert!(text(&run.get_output().stdout).is_empty());
    assert!(out.join("worlds/maps/m1.json").exists());
}

#[test]
fn quiet_prints_nothing_when_all_is_well() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("m1.zmap");
    fs::write(&input, map()).unwrap();
    let run = convert(&input, &folder.path().join("out"), &["-q"]).assert();
    let run = run.success();
    assert!(run.get_output().stdout.is_empty());
    assert!(run.get_output().stderr.is_empty());
}

#[test]
fn json_log_lines_are_json() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("maps");
    fs::create_dir(&input).unwrap();
    fs::write(input.join("m1.zmap"), map()).unwrap();
    fs::write(input.join("m2.zmap"), "broken").unwrap();
    let out = folder.path().join("out");
    let run = convert(&input, &out, &["--log-format", "json"])
        .assert()
        .code(2);
    let log = text(&run.get_output().stderr);
    assert!(!log.is_empty());
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(line["level"].is_string() && line["message"].is_string());
    }
}

#[test]
fn a_dry_run_shows_the_plan_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("m1.zmap");
    fs::write(&input, map()).unwrap();
    let out = folder.path().join("out");
    let run = convert(&input, &out, &["--dry-run"]).assert().success();
    let said = text(&run.get_output().stdout);
    assert!(said.contains("worlds/m1.json"), "{said}");
    assert!(said.contains("Recoil"), "{said}");
    assert!(!out.exists());
}

#[test]
fn configuration_is_printed_and_checked() {
    let printed = relicast().arg("config").assert().success();
    let printed = text(&printed.get_output().stdout);
    assert_eq!(printed.trim_end(), relicast::config::DEFAULT.trim_end());
    relicast().args(["config", "--default"]).assert().success();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.toml");
    let check = || relicast().args(["config", "--check"]).arg(&path).assert();
    fs::write(&path, "[sounds]\nformat = \"flac\"\n").unwrap();
    let checked = check().success();
    assert!(text(&checked.get_output().stdout).contains("format = \"flac\""));
    fs::write(&path, "[sounds]\n\nfromat = \"flac\"\n").unwrap();
    let refused = check().code(1);
    let said = text(&refused.get_output().stderr);
    assert!(said.contains("line 3") && said.contains("fromat"), "{said}");
}

#[test]
fn the_command_line_beats_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("install");
    fs::create_dir(&input).unwrap();
    fs::write(input.join("m1.zmap"), map()).unwrap();
    fs::write(input.join("empty.zbd"), archive()).unwrap();
    let config = folder.path().join("p.toml");
    fs::write(&config, "[run]\ngame = \"cs\"\n").unwrap();
    let config = config.to_str().unwrap();
    let out = folder.path().join("out");
    let game = || common::json(&out.join("report.json"))["games"][0]["game"].clone();
    convert(&input, &out, &["--config", config])
        .assert()
        .success();
    assert_eq!(game(), "cs");
    convert(
        &input,
        &out,
        &["--config", config, "--game", "rc", "--force"],
    )
    .assert()
    .success();
    assert_eq!(game(), "rc");
}

#[test]
fn inspect_shows_what_a_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("m1.zmap");
    fs::write(&input, map()).unwrap();
    let run = relicast().arg("inspect").arg(&input).assert().success();
    let said = text(&run.get_output().stdout);
    assert!(said.contains("kind:       map"), "{said}");
    let run = relicast().arg("inspect").arg(&input).arg("--json").assert();
    let decode: Value = serde_json::from_slice(&run.success().get_output().stdout).unwrap();
    assert_eq!(decode["value"]["zmap"]["header"]["unused"], 3);
    relicast()
        .arg("inspect")
        .arg(folder.path())
        .assert()
        .code(1);
    relicast()
        .arg("inspect")
        .arg(&input)
        .args(["--member", "x"])
        .assert()
        .code(1);
}

#[test]
fn prove_distinguishes_identical_from_damaged() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m1.zmap"), map()).unwrap();
    relicast()
        .arg("prove")
        .arg(folder.path())
        .assert()
        .success();
    fs::write(folder.path().join("m2.zmap"), "broken").unwrap();
    let run = relicast().arg("prove").arg(folder.path()).assert().code(2);
    let said = text(&run.get_output().stdout);
    assert!(said.contains("identical  m1.zmap"), "{said}");
    assert!(said.contains("FAILED     m2.zmap"), "{said}");
}
