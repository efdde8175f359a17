//! Commands in README.md and docs/ are true: each exists, each row of the table of commands does what it
//! says, and links lead somewhere.

use relicast_testing::test;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use relicast::asset::Game;
use relicast::cli::command;

use crate::common::{files, relicast, sample_installs};
use crate::texts::text;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md, the documents next to it and those in docs/, each with its name.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        paths.push(entry.unwrap().path());
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// Commands in the code of a document, from the word `relicast` on.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_block = false;
    let mut joined = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
            continue;
        }
        if is_block {
            joined.push_str(line.trim_end_matches('\\'));
            if line.ends_with('\\') {
                continue;
            }
            found.push(std::mem::take(&mut joined));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    let starts = ["relicast ", "target/release/relicast "];
    let command = |line: String| {
        let line = line
            .split(" #")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned();
        let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
        Some(rest.to_owned())
    };
    found.into_iter().filter_map(command).collect()
}

/// The part of a command line that the program does not know.
fn unknown(line: &str) -> Option<String> {
    let mut known = command();
    known.build();
    let mut words = line.split_whitespace().peekable();
    let mut at = &known;
    while let Some(next) = words.peek().and_then(|word| {
        let first = word.split("\\|").next().unwrap_or_default();
        at.find_subcommand(first)
    }) {
        at = next;
        words.next();
    }
    if std::ptr::eq(at, &known) && !line.starts_with('-') {
        return Some(format!("`{line}` is no command"));
    }
    for word in words {
        let word = word.trim_matches(['[', ']', '"', '\'', ',']);
        if word == "|" || word == "&&" || word == ";" || word == ">" {
            break;
        }
        let Some(option) = word.strip_prefix("--") else {
            continue;
        };
        let name = option.split(['=', ']', ',']).next().unwrap_or_default();
        let is_known = at
            .get_arguments()
            .any(|known| known.get_long() == Some(name));
        if !is_known && !["help", "version"].contains(&name) {
            return Some(format!("`{line}`: no option --{name}"));
        }
    }
    None
}

#[test]
fn commands_and_options_in_documents_exist() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, text) in documents() {
        for line in commands(&text) {
            count += 1;
            wrong.extend(unknown(&line).map(|what| format!("{}: {what}", path.display())));
        }
    }
    assert!(count > 60, "{count} commands found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unknown("convert X --out Y --such").is_some() && unknown("convertt X").is_some());
}

#[test]
fn the_readme_is_short_and_begins_with_what_a_newcomer_needs() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().collect();
    assert!(lines.len() <= 120, "{} lines", lines.len());
    let place = |what: &str| {
        let found = lines.iter().position(|line| line.contains(what));
        found.unwrap_or_else(|| panic!("README.md has no `{what}`"))
    };
    let order = [
        "![",
        "## Get it",
        "## Use it",
        "relicast convert ",
        "**What you see.**",
        "**How sure it is.**",
        "## Go on",
        "## Build and test",
        "cargo xtask demo",
    ];
    let places = order.map(place);
    assert!(places.is_sorted(), "{order:?} at {places:?}");
    assert!(places[5] < 75, "the first two screens end at line 75");
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    for (path, text) in documents() {
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let place = link.split('#').next().unwrap_or_default();
            let is_near = !place.is_empty() && !place.contains("://");
            if is_near && !path.parent().unwrap().join(place).exists() {
                wrong.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rows of the table in docs/commands.md: the subcommands that each is about.
fn table() -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `relicast "));
    let names = rows.flat_map(|row| {
        let cell = row
            .trim_start_matches("| ")
            .split(" | ")
            .next()
            .unwrap_or_default();
        let spans: Vec<_> = cell.split('`').skip(1).step_by(2).collect();
        let name = |span: &str| span.split_whitespace().nth(1).map(str::to_owned);
        spans.into_iter().filter_map(name).collect::<Vec<_>>()
    });
    names.collect()
}

/// The gallery's server runs until it is stopped: tests/program/gallery has it.
const RUN_ELSEWHERE: [&str; 1] = ["serve"];

#[test]
fn every_command_of_the_table_of_commands_runs() {
    let installs = sample_installs(&[Game::Rc]);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let install = installs.path().join("rc").display().to_string();
    let out = at("out");
    let mut ran: BTreeMap<String, u32> = BTreeMap::new();
    let mut run = |words: &[&str]| -> String {
        let output = relicast().args(words).assert().success();
        *ran.entry(words[0].to_owned()).or_default() += 1;
        text(&output.get_output().stdout)
    };

    run(&["convert", &install, "--out", &out, "--dry-run"]);
    assert!(!Path::new(&out).exists(), "a dry run writes nothing");
    run(&["convert", &install, "--out", &out, "--store", &at("store")]);
    let plan = run(&["plan", &install, "--shards", "2", "--by", "size", "--json"]);
    serde_json::from_str::<serde_json::Value>(&plan).unwrap();
    for shard in ["1/2", "2/2"] {
        let to = at(&format!("shard{}", &shard[..1]));
        run(&["convert", &install, "--shard", shard, "--out", &to]);
    }
    run(&[
        "merge",
        &at("shard1"),
        &at("shard2"),
        "--out",
        &at("merged"),
    ]);
    let same = run(&["diff", &out, &at("merged"), "--json"]);
    serde_json::from_str::<serde_json::Value>(&same).unwrap();
    let first = files(Path::new(&install))
        .into_iter()
        .find(|name| name.ends_with(".zbd"));
    let first = Path::new(&install)
        .join(first.unwrap())
        .display()
        .to_string();
    let inspected = run(&["inspect", &first, "--json"]);
    serde_json::from_str::<serde_json::Value>(&inspected).unwrap();
    run(&["identify", &install, "--json"]);
    run(&["census", &install, "--json"]);
    run(&["prove", &install]);
    run(&["verify", &out]);
    let sums = run(&["verify", &out, "--sha256"]);
    assert!(
        sums.lines()
            .all(|line| line.split("  ").next().is_some_and(|sum| sum.len() == 64))
    );
    run(&["verify", &out, "--golden", &at("golden.json"), "--bless"]);
    run(&["verify", &out, "--golden", &at("golden.json")]);
    run(&["package", &out, "--to", &at("bag"), "--bagit", "--ro-crate"]);

    let copied = files(&Path::new(&out).join("loose"))
        .into_iter()
        .next()
        .unwrap();
    let copied = Path::new(&out).join("loose").join(copied);
    let mut bytes = fs::read(&copied).unwrap();
    bytes.extend_from_slice(b"edited");
    fs::remove_file(&copied).unwrap();
    fs::write(&copied, bytes).unwrap();
    let patch = at("edit.patch");
    run(&[
        "pack",
        &out,
        "--from",
        &install,
        "--to",
        &at("mod"),
        "--patch",
        &patch,
    ]);
    run(&["apply", &patch, "--from", &install, "--to", &at("applied")]);
    let made = files(Path::new(&at("applied")));
    assert!(!made.is_empty());
    run(&["apply", &patch, "--from", &install, "--in-place"]);
    run(&["restore", &install]);

    let merged = at("merged");
    run(&["collection", &merged, "--to", &at("index")]);
    run(&["store", "stats", &at("store")]);
    run(&["gallery", &merged]);
    run(&["report", &merged, "--html", &at("report.html")]);
    run(&["formats"]);
    run(&["config"]);
    run(&["config", "--target", "godot"]);
    run(&["doctor"]);
    run(&["man"]);
    let kinds = run(&["schema"]);
    assert!(kinds.lines().any(|line| line.starts_with("motion ")));
    serde_json::from_str::<serde_json::Value>(&run(&["schema", "motion"])).unwrap();
    run(&["completions", "bash"]);

    let ran: BTreeSet<String> = ran.into_keys().collect();
    let listed = table();
    assert!(listed.len() > 20, "{listed:?}");
    let lacking: Vec<_> = listed
        .difference(&ran)
        .filter(|name| !RUN_ELSEWHERE.contains(&&***name))
        .collect();
    assert!(
        lacking.is_empty(),
        "rows of docs/commands.md that nothing here runs: {lacking:?}"
    );
    let unlisted: Vec<_> = ran.difference(&listed).collect();
    assert!(
        unlisted.is_empty(),
        "commands without a row in docs/commands.md: {unlisted:?}"
    );
}

/// Text of all Rust files below some folders.
fn rust_text(folders: &[&str]) -> String {
    let mut text = String::new();
    let mut stack: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = stack.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                stack.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    text
}

#[test]
fn files_and_tests_of_the_rules_of_engines_exist() {
    let page = fs::read_to_string(root().join("docs/zipper-rules.md")).unwrap();
    let text = rust_text(&["crates", "src", "tests"]);
    let mut rows = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, number, _, places, tests, _] = cells[..] else {
            continue;
        };
        if number.parse::<usize>().is_err() {
            continue;
        }
        rows += 1;
        let named = |cell: &str| -> Vec<String> {
            let parts = cell.split('`').skip(1).step_by(2);
            parts.map(str::to_owned).collect()
        };
        if places.starts_with("not done: ") {
            continue;
        }
        let (places, tests) = (named(places), named(tests));
        assert!(!places.is_empty() && !tests.is_empty(), "{line}");
        for place in places {
            assert!(root().join(&place).is_file(), "{place}: {line}");
        }
        for test in tests {
            let is_there = text.contains(&format!("fn {test}()"));
            assert!(is_there, "{test}: {line}");
        }
    }
    assert_eq!(rows, 48, "rows of the two tables");
}
