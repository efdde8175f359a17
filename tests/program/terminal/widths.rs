//! Screens of several widths after every command that draws, and streams that may be drawn on.

use relicast_testing::test;
use std::fs;
use std::path::Path;

use crate::terminal::screen::{Ended, Program};
use crate::terminal::{Converted, convert, convert_words, words};

const WIDTHS: [u16; 4] = [40, 80, 120, 200];

/// The words of the screen in one line, without its line breaks.
fn unwrapped(ended: &Ended) -> String {
    words_of(&ended.screen).join(" ")
}

/// Asserts that nothing of a bar is left, and that no control sequence or escape is on the screen.
fn assert_clean(ended: &Ended) {
    for line in ended.lines() {
        assert!(
            !line.contains(" left, ") && !line.contains("=>"),
            "{}",
            ended.screen
        );
        assert!(
            !line.contains('\u{1b}') && !line.contains("[2K"),
            "{}",
            ended.screen
        );
    }
}

#[test]
fn a_conversion_ends_as_one_line_a_stage_and_a_summary_with_the_next_step() {
    let converted = Converted::get();
    let folder = tempfile::tempdir().unwrap();
    for columns in WIDTHS {
        let out = folder.path().join(columns.to_string());
        let ended = convert(&converted.input(), &out).run(columns).success();
        assert_clean(&ended);
        let screen = &ended.screen;
        for stage in ["plan: ", "convert: "] {
            let lines: Vec<&str> = screen
                .lines()
                .filter(|line| line.starts_with(stage))
                .collect();
            assert_eq!(lines.len(), 1, "{screen}");
            assert!(lines[0].contains(" items in 0:"), "{screen}");
        }
        let lines = ended.lines();
        let place = |what: &str| lines.iter().position(|line| line.starts_with(what));
        let order = [
            place("plan: "),
            place("convert: "),
            place("Converted Recoil"),
            place("view them with:"),
        ];
        assert!(
            order.iter().all(Option::is_some) && order.is_sorted(),
            "{order:?}\n{screen}"
        );
        // A command is not broken between words, so that a narrow terminal may break it anywhere.
        let text = unwrapped(&ended).replace(' ', "");
        assert!(text.ends_with("--open"), "{screen}");
        assert!(!screen.contains("WARN"), "{screen}");
    }
}

#[test]
fn every_command_that_draws_ends_in_terminals_of_all_widths() {
    let converted = Converted::get();
    let (input, out) = (converted.input(), converted.out());
    let folder = tempfile::tempdir().unwrap();
    for shard in ["1", "2"] {
        let part = folder.path().join(format!("shard{shard}"));
        let mut arguments = convert_words(&input, &part);
        arguments.extend(words!["--shard", format!("{shard}/2")]);
        Program::relicast(arguments).run(80).success();
    }
    for columns in WIDTHS {
        let to = |name: &str| folder.path().join(format!("{name}{columns}"));
        let shards = [1, 2].map(|number| folder.path().join(format!("shard{number}")));
        for (arguments, last) in [
            (
                words!["merge", &shards[0], &shards[1], "--out", to("merged")],
                "2 shards merged",
            ),
            (words!["prove", &input], "identical"),
            (words!["verify", &out], "0 changed"),
            (
                words!["pack", &out, "--from", &input, "--to", to("packed")],
                "",
            ),
            (words!["identify", &input], "Recoil"),
            (words!["census", &input], ""),
            (words!["package", &out, "--bagit", "--to", to("bag")], ""),
            (words!["collection", &out, "--to", to("collection")], ""),
            (words!["gallery", &out, "--to", to("gallery")], "assets in"),
        ] {
            let command = arguments[0].to_string_lossy().into_owned();
            let ended = Program::relicast(arguments).run(columns);
            assert!(ended.status.success(), "{command}: {}", ended.screen);
            assert_clean(&ended);
            let stage = match &*command {
                "pack" => "verify: ".to_owned(),
                _ => format!("{command}: "),
            };
            let mut lines = ended.screen.lines();
            let line = lines.find(|line| line.starts_with(&stage) && line.contains(" in 0:"));
            assert!(line.is_some(), "{command}: {}", ended.screen);
            assert!(
                unwrapped(&ended).contains(last),
                "{command}: {}",
                ended.screen
            );
        }
    }
}

#[test]
fn a_bar_follows_a_terminal_that_is_resized() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("install");
    crate::terminal::install(&input, 12);
    let mut terminal = convert(&input, &folder.path().join("out")).start(120);
    terminal.wait_for("the bar", |screen| {
        screen.contains("convert ") && screen.contains(" %")
    });
    for columns in [60, 40, 200, 80] {
        terminal.resize(columns);
        std::thread::sleep(std::time::Duration::from_millis(150));
    }
    let ended = terminal.finish().success();
    assert!(
        ended
            .lines()
            .iter()
            .any(|line| line.starts_with("view them with")),
        "{}",
        ended.screen
    );
    assert!(
        ended
            .lines()
            .iter()
            .filter(|line| line.starts_with("convert: "))
            .count()
            == 1
    );
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let converted = Converted::get();
    let folder = tempfile::tempdir().unwrap();
    let program = convert(&converted.input(), folder.path()).env("TERM", "dumb");
    let ended = program.run(80).success();
    assert!(!ended.bytes.contains(&0x1b), "{}", ended.screen);
    assert!(ended.screen.contains("convert: "), "{}", ended.screen);
}

#[test]
fn colors_follow_the_environment() {
    let converted = Converted::get();
    let folder = tempfile::tempdir().unwrap();
    let is_colored = |ended: &Ended| {
        let bytes = ended.bytes.windows(2);
        let mut starts = bytes.enumerate().filter(|(_, two)| *two == b"\x1b[");
        starts.any(|(at, _)| {
            let rest = &ended.bytes[at + 2..];
            let end = rest.iter().position(u8::is_ascii_alphabetic);
            end.is_some_and(|end| rest[end] == b'm' && end > 0 && &rest[..end] != b"0")
        })
    };
    for (name, value) in [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")] {
        let out = folder.path().join(name);
        let ended = convert(&converted.input(), &out)
            .env(name, value)
            .run(80)
            .success();
        assert!(!is_colored(&ended), "{}", ended.screen);
        assert_clean(&ended);
    }
    // Help and errors have none either, for any arguments.
    for arguments in [
        &["--help"][..],
        &["convert", "--help"],
        &[],
        &["--ouput"],
        &["convert"],
    ] {
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("TERM", "dumb"),
            ("NO_COLOR", "1"),
            ("CLICOLOR_FORCE", "1"),
        ] {
            let ended = Program::relicast(arguments).env(name, value).run(80);
            assert!(
                !ended.bytes.contains(&0x1b),
                "{arguments:?}: {}",
                ended.screen
            );
            assert!(!ended.screen.is_empty(), "{arguments:?}");
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn bars_are_drawn_on_the_terminal_alone() {
    let converted = Converted::get();
    let folder = tempfile::tempdir().unwrap();
    let within = |name: &str| folder.path().join(name);
    // The summary in a file, the bar in the terminal.
    let arguments = convert_words(&converted.input(), &within("a"));
    let redirection = format!("> {}", within("a.txt").display());
    let ended = Program::redirected(&redirection, arguments)
        .run(80)
        .success();
    assert!(ended.screen.contains("convert: "), "{}", ended.screen);
    assert!(!ended.screen.contains("view them with"), "{}", ended.screen);
    let summary = read(&within("a.txt"));
    assert!(
        summary.contains("Converted Recoil") && !summary.contains('\u{1b}'),
        "{summary}"
    );
    // The other way round.
    let arguments = convert_words(&converted.input(), &within("b"));
    let redirection = format!("2> {}", within("b.txt").display());
    let ended = Program::redirected(&redirection, arguments)
        .run(80)
        .success();
    assert!(ended.screen.contains("view them with"), "{}", ended.screen);
    assert!(!ended.screen.contains("convert: "), "{}", ended.screen);
    let log = read(&within("b.txt"));
    assert!(
        log.contains("convert: ") && !log.contains('\u{1b}'),
        "{log}"
    );
}

/// The words of a screen, from all lines.
fn words_of(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn lines_break_between_words_on_a_terminal_alone() {
    let converted = Converted::get();
    let (input, out) = (converted.input(), converted.out());
    for arguments in [
        words!["formats"],
        words!["doctor", &out],
        words!["census", &input],
        words!["verify", &input],
        words!["convert", &input, "--out", &out],
    ] {
        let to_file = tempfile::NamedTempFile::new().unwrap();
        let redirection = format!("> {} 2>&1", to_file.path().display());
        Program::redirected(&redirection, arguments.clone()).run(40);
        let whole = read(to_file.path());
        let longest = whole.split_whitespace().map(str::len).max().unwrap();
        assert!(whole.lines().any(|line| line.len() > 40), "{whole}");
        let columns = u16::try_from(longest.max(56) + 24).unwrap();
        let ended = Program::relicast(arguments.clone()).run(columns);
        let shown = words_of(&ended.screen);
        // Times and bars differ from run to run; no word of the rest may be cut.
        let cut: Vec<&str> = words_of(&whole)
            .into_iter()
            .filter(|word| !word.chars().any(|character| character.is_ascii_digit()))
            .filter(|word| !shown.contains(word))
            .collect();
        assert!(cut.is_empty(), "{arguments:?}: {cut:?}\n{}", ended.screen);
    }
}

#[test]
fn quiet_is_quiet() {
    let converted = Converted::get();
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = convert_words(&converted.input(), folder.path());
    arguments.push("--quiet".into());
    let ended = Program::relicast(arguments).run(80).success();
    assert_eq!(ended.screen, "");
}
