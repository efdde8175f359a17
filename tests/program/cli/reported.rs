//! Messages during a run and at its end: grouped, by how much they matter, for people and scripts.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::{map, text};
use crate::common::{convert, json, relicast};

/// Offset of `unused` in the header of a map.
const UNUSED: usize = 4;

/// Writes maps with one deviation each: `unused` is beyond its range of 1 to 31.
fn deviating_maps(folder: &Path, count: usize) {
    for number in 1..=count {
        let mut bytes = map();
        bytes[UNUSED] = 99;
        fs::write(folder.join(format!("m{number}.zmap")), bytes).unwrap();
    }
}

/// Writes broken maps next to a valid one.
fn broken_maps(folder: &Path, count: usize) {
    fs::write(folder.join("m0.zmap"), map()).unwrap();
    for number in 1..=count {
        fs::write(folder.join(format!("m{number}.zmap")), "broken").unwrap();
    }
}

fn events(log: &str) -> Vec<Value> {
    let lines = log.lines();
    lines
        .map(|line| {
            serde_json::from_str(line).unwrap_or_else(|_| panic!("line is not JSON: {line}"))
        })
        .collect()
}

fn of<'e>(events: &'e [Value], event: &str) -> Vec<&'e Value> {
    let found = events.iter().filter(|it| it["event"] == event);
    found.collect()
}

#[test]
fn repeated_messages_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("maps");
    fs::create_dir(&input).unwrap();
    deviating_maps(&input, 20);
    let out = folder.path().join("out");
    let run = convert(&input, &out, &[]).assert().success();
    let said = text(&run.get_output().stderr);
    let summary = text(&run.get_output().stdout);
    let report = json(&out.join("report.json"));
    let total = report["totals"]["deviations"].as_u64().unwrap();
    assert!(total >= 20, "{total}");
    // Users cannot act on them: one line, which does not come first, and no warning.
    assert!(
        !said.contains("WARN") && !said.contains("deviation"),
        "{said}"
    );
    let line = format!("  {total} harmless deviations from the formats; see report.json");
    let lines: Vec<&str> = summary.lines().collect();
    let index = lines.iter().position(|it| *it == line);
    assert!(index.is_some_and(|index| index > 0), "{summary}");
    assert_eq!(summary.matches("deviation").count(), 1, "{summary}");
    // The report has them all.
    let sources = report["sources"].as_array().unwrap();
    let all = sources.iter().flat_map(|source| {
        let parts = source["parts"].as_array().unwrap().iter();
        parts
            .chain([source])
            .map(|it| it["deviations"]["total"].as_u64().unwrap_or(0))
    });
    assert_eq!(all.sum::<u64>(), total);
    assert_eq!(report["findings"][0]["count"], 20);
    // With -v each is printed as soon as it is found.
    let run = convert(&input, &out, &["-v", "--force"]).assert().success();
    let said = text(&run.get_output().stderr);
    assert!(
        said.lines().filter(|line| line.contains("DEBUG")).count() >= 20,
        "{said}"
    );
    assert!(
        said.contains("INFO 20 deviations like this in 20 files: m1.zmap: "),
        "{said}"
    );
}

#[test]
fn failures_are_listed_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("maps");
    fs::create_dir(&input).unwrap();
    broken_maps(&input, 3);
    let out = folder.path().join("out");
    let run = convert(&input, &out, &[]).assert().code(2);
    let said = text(&run.get_output().stdout);
    assert!(said.contains("3 failed:"), "{said}");
    for number in 1..=3 {
        assert!(said.contains(&format!("    m{number}.zmap: ")), "{said}");
    }
    // Many failures are grouped by kind.
    broken_maps(&input, 30);
    let run = convert(&input, &out, &[]).assert().code(2);
    let said = text(&run.get_output().stdout);
    assert!(
        said.contains("30 failures like this in 30 files: m1.zmap"),
        "{said}"
    );
    assert!(said.lines().count() < 10, "{said}");
}

#[test]
fn json_lines_have_fields_and_progress() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("maps");
    fs::create_dir(&input).unwrap();
    deviating_maps(&input, 5);
    fs::write(input.join("m9.zmap"), "broken").unwrap();
    let out = folder.path().join("out");
    let run = convert(&input, &out, &["--log-format", "json"])
        .assert()
        .code(2);
    let events = events(&text(&run.get_output().stderr));
    for event in &events {
        assert!(
            event["level"].is_string() && event["message"].is_string(),
            "{event}"
        );
        assert!(event["event"].is_string(), "{event}");
    }
    let failed = of(&events, "failed");
    assert_eq!(failed.len(), 1, "{events:?}");
    assert_eq!(failed[0]["source"], "m9.zmap");
    assert!(failed[0]["reason"].as_str().unwrap().contains("expected"));
    let finding = of(&events, "finding")[0];
    assert_eq!(
        (&finding["count"], &finding["sources"]),
        (&5.into(), &5.into())
    );
    assert_eq!(
        (&finding["kind"], &finding["source"]),
        (&"deviations".into(), &"m1.zmap".into())
    );
    let game = of(&events, "game")[0];
    assert_eq!(game["game"], "Recoil");
    let progress = of(&events, "progress");
    for stage in ["plan", "convert"] {
        let last = progress.iter().rfind(|it| it["stage"] == stage).unwrap();
        assert_eq!((&last["done"], &last["items"]), (&6.into(), &6.into()));
        assert_eq!(last["percent"], 100);
    }
}

#[test]
fn fatal_errors_are_json_for_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let config = folder.path().join("p.toml");
    fs::write(&config, "[sounds]\nfromat = \"flac\"\n").unwrap();
    let config = config.to_str().unwrap();
    let missing = folder.path().join("missing");
    for arguments in [
        &["--log-format", "json"][..],
        &["--log-format=json", "--config", config],
        &["--log-format", "json", "--nonsense"],
        &["--log-format", "json", "--jobs", "many"],
    ] {
        let run = convert(&missing, &out, arguments).assert().code(1);
        let events = events(&text(&run.get_output().stderr));
        let fatal = of(&events, "fatal");
        assert_eq!(fatal.len(), 1, "{arguments:?} {events:?}");
        assert_eq!(
            (&fatal[0]["level"], &fatal[0]["exit_code"]),
            (&"ERROR".into(), &1.into())
        );
    }
}

#[test]
fn unchanged_files_count_as_done_in_the_progress() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("maps");
    fs::create_dir(&input).unwrap();
    broken_maps(&input, 1);
    let out = folder.path().join("out");
    convert(&input, &out, &[]).assert().code(2);
    let run = convert(&input, &out, &["--log-format", "json"])
        .assert()
        .code(2);
    let events = events(&text(&run.get_output().stderr));
    let progress = of(&events, "progress");
    let last = progress
        .iter()
        .rfind(|it| it["stage"] == "convert")
        .unwrap();
    // The second run converts nothing, but both files count.
    assert_eq!((&last["done"], &last["percent"]), (&2.into(), &100.into()));
}

#[test]
fn the_help_lists_every_exit_code() {
    let help = relicast().arg("--help").assert().success();
    let help = text(&help.get_output().stdout);
    for code in ["0 ", "1 ", "2 ", "101 ", "130 "] {
        assert!(help.contains(code), "{code}");
    }
    let page = include_str!("../../../docs/running.md");
    for code in [0, 1, 2, 101, 130] {
        assert!(page.contains(&format!("| {code} |")), "{code}");
    }
}
