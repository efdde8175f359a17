//! Lines for a terminal, wrapped between words with a hanging indent. Other output is not wrapped, so that
//! scripts find each message on one line.

use std::borrow::Cow;
use std::sync::OnceLock;

use console::{Term, measure_text_width};
use textwrap::{Options, WordSeparator, WordSplitter};

/// Smallest width with hanging indents; below it they would leave no room for words.
const NARROWEST: usize = 20;

/// Placeholder for a space where lines must not break. It is in the private use area, which file names should
/// not contain.
const UNBROKEN: char = '\u{f8f0}';

/// Start of a command to copy, after a colon.
const COMMAND: &str = ": relicast ";

/// Wraps a line for standard output.
pub(super) fn for_output(line: &str) -> Cow<'_, str> {
    static TERMINAL: OnceLock<bool> = OnceLock::new();
    fitted(
        line,
        *TERMINAL.get_or_init(|| Term::stdout().is_term()),
        &Term::stdout,
    )
}

/// Wraps a line for standard error.
pub(super) fn for_errors(line: &str) -> Cow<'_, str> {
    static TERMINAL: OnceLock<bool> = OnceLock::new();
    fitted(
        line,
        *TERMINAL.get_or_init(|| Term::stderr().is_term()),
        &Term::stderr,
    )
}

/// Wraps a line to the terminal, if there is one. The width is queried each time, because windows are resized.
fn fitted<'l>(line: &'l str, is_terminal: bool, terminal: &dyn Fn() -> Term) -> Cow<'l, str> {
    if !is_terminal {
        return Cow::Borrowed(line);
    }
    match terminal().size_checked() {
        Some((_, columns)) => wrapped(line, columns.into()),
        None => Cow::Borrowed(line),
    }
}

/// Wraps text of several lines. Words longer than a line, such as paths, are not broken, and neither are
/// commands, so that they can be copied.
fn wrapped(text: &str, columns: usize) -> Cow<'_, str> {
    let fits = |line: &str| measure_text_width(line) <= columns;
    if columns < NARROWEST || text.split('\n').all(fits) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| match fits(line) || is_excerpt(line) {
            true => line.to_owned(),
            false => folded(line, columns),
        })
        .collect();
    Cow::Owned(lines.join("\n"))
}

/// Returns whether a line is an excerpt of a settings file: wrapping would misplace the mark below it.
fn is_excerpt(line: &str) -> bool {
    let rest =
        line.trim_start_matches(|character: char| character.is_ascii_digit() || character == ' ');
    rest.starts_with('|')
}

/// Line wrapped between words.
fn folded(line: &str, columns: usize) -> String {
    let text = line.trim_start_matches(' ');
    let (indent, _) = line.split_at(line.len() - text.len());
    let (label, words) = text.split_at(label(text, columns / 2));
    let hanging = match label.is_empty() {
        true => indent.len() + 2,
        false => indent.len() + measure_text_width(label),
    };
    let hanging = " ".repeat(if hanging > columns / 2 { 2 } else { hanging });
    let first = format!("{indent}{label}");
    let options = Options::new(columns)
        .initial_indent(&first)
        .subsequent_indent(&hanging)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(&protected(words), options).replace(UNBROKEN, " ")
}

/// Length of the text before the last column of a row (`kind:      texture`): wrapped lines are indented to the
/// column. None if the column starts beyond `limit`.
fn label(text: &str, limit: usize) -> usize {
    let gap = text.rfind("  ").map_or(0, |at| at + 2);
    let label = text.get(..gap).unwrap_or_default();
    if measure_text_width(label) > limit {
        0
    } else {
        gap
    }
}

/// Replaces the spaces of commands by [`UNBROKEN`]: in backticks, and at the end after a colon.
fn protected(text: &str) -> String {
    let command = text.find(COMMAND).map_or(text.len(), |at| at + 2);
    let mut in_backticks = false;
    text.char_indices()
        .map(|(at, character)| {
            in_backticks ^= character == '`';
            match character == ' ' && (in_backticks || at >= command) {
                true => UNBROKEN,
                false => character,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_hang() {
        assert_eq!(
            wrapped("  3 things are missing; add the files that have them", 30),
            "  3 things are missing; add\n    the files that have them"
        );
        assert_eq!(wrapped("short", 30), "short");
        assert_eq!(
            wrapped("a line for nobody at all", 10),
            "a line for nobody at all"
        );
    }

    #[test]
    fn values_hang_below_their_column() {
        assert_eq!(
            wrapped("kind:   a texture with many levels of detail", 30),
            "kind:   a texture with many\n        levels of detail"
        );
    }

    #[test]
    fn commands_and_paths_stay_whole() {
        assert_eq!(
            wrapped(
                "view them with: relicast serve '/home/a person/out' --open",
                40
            ),
            "view them with:\n  relicast serve '/home/a person/out' --open"
        );
        assert_eq!(
            wrapped(
                "nothing is known of it: `relicast identify` prints more",
                34
            ),
            "nothing is known of it:\n  `relicast identify` prints more"
        );
        let path = "/a/long-path/".repeat(5);
        assert_eq!(
            wrapped(&format!("error: {path}: gone"), 30),
            format!("error:\n  {path}:\n  gone")
        );
    }

    #[test]
    fn excerpts_of_settings_stay_as_they_are() {
        let excerpt = "error: no such key in the settings file\n  |\n12 | key = \"a long value in a settings file\"\n   | ^^^";
        assert_eq!(
            wrapped(excerpt, 30),
            excerpt.replace("in the settings", "in the\n  settings")
        );
    }
}
