//! The help of the program and of its commands: every example in it is run here, in one folder, in an order
//! in which each finds its inputs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use relicast::asset::Game;
use relicast_testing::test;

use crate::cli::text;
use crate::common::{files, relicast};

/// All commands, in an order in which their examples can be run.
const ORDER: &[&str] = &[
    "convert",
    "identify",
    "plan",
    "merge",
    "config",
    "formats",
    "schema",
    "inspect",
    "census",
    "serve",
    "gallery",
    "report",
    "package",
    "verify",
    "prove",
    "diff",
    "doctor",
    "collection",
    "store",
    "pack",
    "restore",
    "apply",
    "man",
    "completions",
];

/// The help of a command.
fn help_of(command: &[&str], flag: &str) -> String {
    let run = relicast().args(command).arg(flag).assert().success();
    text(&run.get_output().stdout)
}

/// The examples in the help of a command: the words after the program's name.
fn examples_of(command: &[&str]) -> Vec<String> {
    let help = help_of(command, "--help");
    let lines = help.lines();
    let lines = lines.filter_map(|line| line.strip_prefix("    relicast "));
    lines.map(str::to_owned).collect()
}

/// A folder with an install, a copy of it, a disc, two shards and the folders of a collection.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let install = relicast_samples::files(Game::Rc, 1).unwrap();
    for name in ["recoil", "recoil-copy"] {
        relicast_samples::write_files(&place.join(name), &install).unwrap();
    }
    relicast_samples::write_files(place, &relicast_samples::disc::files().unwrap()).unwrap();
    fs::rename(
        place.join(relicast_samples::disc::SHEET),
        place.join("mech3.cue"),
    )
    .unwrap();
    for prepared in [
        "convert recoil --shard 1/2 --out shard-1 -q",
        "convert recoil --shard 2/2 --out shard-2 -q",
        "convert recoil --layout source --out homes -q",
    ] {
        run(place, prepared);
    }
    folder
}

/// Runs an example as a shell would.
fn run(place: &Path, line: &str) {
    let (words, output) = match line.split_once(" > ") {
        Some((words, output)) => (words, Some(output)),
        None => (line, None),
    };
    let words = words.split_whitespace().map(|word| word.trim_matches('\''));
    let run = relicast().args(words).current_dir(place).assert();
    let run = run
        .try_success()
        .unwrap_or_else(|error| panic!("{line}: {error}"));
    if let Some(output) = output {
        fs::write(place.join(output), &run.get_output().stdout).unwrap();
    }
}

/// Starts a server, waits for its address and ends it.
fn serve(place: &Path, line: &str) {
    let mut server = Command::new(assert_cmd::cargo::cargo_bin!("relicast"))
        .args(line.split_whitespace())
        .args(["--port", "0"])
        // No browser is found.
        .env("PATH", place.join("homes"))
        .current_dir(place)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    output.read_line(&mut address).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(address.contains(" assets at http://"), "{line}: {address}");
}

/// Changes the last sample of a sound.
fn edit(out: &Path) {
    let sounds = files(&out.join("sounds")).into_iter();
    let mut sounds = sounds.filter(|path| path.ends_with(".wav"));
    let sound = out.join("sounds").join(sounds.next().unwrap());
    let mut bytes = fs::read(&sound).unwrap();
    let last = bytes.last_mut().unwrap();
    *last ^= 1;
    fs::write(&sound, bytes).unwrap();
}

#[test]
fn every_example_in_the_help_runs() {
    let program = relicast::cli::command();
    let mut known: Vec<&str> = program
        .get_subcommands()
        .map(|one| one.get_name())
        .collect();
    let mut order = ORDER.to_vec();
    known.sort_unstable();
    order.sort_unstable();
    assert_eq!(known, order);
    let folder = folder();
    let mut all = Vec::new();
    for command in ORDER {
        let examples = examples_of(&[command]);
        assert!((2..=3).contains(&examples.len()), "{command}: {examples:?}");
        if *command == "pack" {
            edit(&folder.path().join("recoil-converted"));
        }
        for line in &examples {
            assert!(line.starts_with(command), "{line}");
            match *command {
                "serve" => serve(folder.path(), line),
                _ => run(folder.path(), line),
            }
        }
        all.extend(examples);
    }
    // What they are for.
    for path in [
        "recoil-converted/manifest.json",
        "recoil-converted/gallery/index.html",
        "stick/index.html",
        "report.html",
        "index/index.html",
        "SHA256SUMS",
        "edits.patch",
        "share/man/man1/relicast-pack.1",
    ] {
        assert!(folder.path().join(path).exists(), "{path}");
    }
    let packed = files(&folder.path().join("patched"));
    assert!(
        packed.iter().any(|path| path.ends_with(".zbd")),
        "{packed:?}"
    );
    // The help of the program and of subcommands of commands shows some of them again.
    let store: [&[&str]; 3] = [&["store", "gc"], &["store", "stats"], &["store", "verify"]];
    for command in store.into_iter().chain([&[][..]]) {
        let again = examples_of(command);
        assert!(
            !again.is_empty() && again.iter().all(|line| all.contains(line)),
            "{again:?}"
        );
    }
}

#[test]
fn the_commands_are_in_groups_and_the_first_ones_come_first() {
    for flag in ["--help", "-h"] {
        let help = help_of(&[], flag);
        let titles = [
            "Start here:",
            "  convert ",
            "  serve ",
            "  identify ",
            "  pack ",
            "Convert:",
            "View:",
            "Pack:",
            "Archive:",
            "Check:",
            "Help:",
            "Options:",
            "Examples:",
            "Exit codes:",
        ];
        let mut rest = &*help;
        for title in titles {
            let (_, behind) = rest
                .split_once(title)
                .unwrap_or_else(|| panic!("{title}: {help}"));
            rest = behind;
        }
    }
}

#[test]
fn no_line_of_the_help_is_wider_than_80_columns() {
    let program = relicast::cli::command();
    let names = program
        .get_subcommands()
        .map(|one| one.get_name().to_owned());
    for name in names.chain([String::new()]) {
        let mut command = relicast();
        command.env("COLUMNS", "80");
        command.args((!name.is_empty()).then_some(&name));
        let run = command.arg("-h").assert().success();
        let help = text(&run.get_output().stdout);
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn the_manual_is_text_for_a_formatter_without_a_terminal() {
    let run = relicast().args(["man", "pack"]).assert().success();
    let page = text(&run.get_output().stdout);
    assert!(
        page.starts_with(".ie") || page.contains(".TH relicast-pack"),
        "{page}"
    );
    assert_eq!(
        page.matches("relicast pack recoil").count(),
        3,
        "each example once: {page}"
    );
    let run = relicast().args(["man", "pakc"]).assert().code(1);
    let said = text(&run.get_output().stderr);
    assert_eq!(
        said.trim(),
        "error: unknown command pakc; did you mean pack?"
    );
}
