//! Standard error, which may be closed or full at any time: lines that cannot be written are dropped, and the
//! run continues. Also the terminal of the progress bars.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use console::{Term, measure_text_width};
use indicatif::TermLike;

use super::wrapped;

/// Writes a text for people to standard error, wrapped to the terminal; write errors are ignored.
pub fn print_error(text: &str) {
    print_error_line(&wrapped::for_errors(text));
}

/// Writes one line to standard error without wrapping; write errors are ignored.
pub(in crate::cli) fn print_error_line(line: &str) {
    // A failure to print must not stop the run.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Escapes control characters, so that a name from a file can neither forge a line nor control a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    Cow::Owned(line)
}

/// Longest line of the log, and of a failure in the summary, in characters.
const MAX_LENGTH: usize = 1_000;

/// Shortens a very long line in the middle: a path from a file may have thousands of folders.
pub(in crate::cli) fn abridged(line: &str) -> Cow<'_, str> {
    let length = line.chars().count();
    if length <= MAX_LENGTH {
        return Cow::Borrowed(line);
    }
    let start: String = line.chars().take(MAX_LENGTH / 2).collect();
    let end: String = line.chars().skip(length - MAX_LENGTH / 2).collect();
    Cow::Owned(format!("{start} \u{2026} {end}"))
}

/// Most columns of a bar.
const WIDEST: u16 = 119;

/// True if standard error is a terminal with a movable cursor.
pub(in crate::cli) fn is_drawable() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// Columns for a bar on standard error now.
pub(in crate::cli) fn bar_columns() -> usize {
    Steady::new(Term::stderr()).width().into()
}

/// Terminal whose write errors are ignored, and which may become narrower to avoid wrapped lines.
#[derive(Debug)]
pub(in crate::cli) struct Steady<T> {
    terminal: T,
    /// Columns of the text in the line of the cursor.
    drawn: AtomicUsize,
}

impl Steady<Term> {
    /// Standard error.
    pub(in crate::cli) fn stderr() -> Self {
        Self::new(Term::buffered_stderr())
    }
}

impl<T: TermLike> Steady<T> {
    fn new(terminal: T) -> Self {
        Self {
            terminal,
            drawn: AtomicUsize::new(0),
        }
    }

    /// Current width in columns.
    fn columns(&self) -> u16 {
        self.terminal.width().max(2)
    }

    /// Ignores write errors: the terminal may have been closed.
    #[expect(clippy::unnecessary_wraps, reason = "the type that bars ask for")]
    fn pass(_result: io::Result<()>) -> io::Result<()> {
        Ok(())
    }
}

impl<T: TermLike> TermLike for Steady<T> {
    /// Leaves three columns free, so that no line wraps while the terminal keeps its width, not even with the
    /// `^C` that a terminal appends on Ctrl-C.
    fn width(&self) -> u16 {
        self.columns().saturating_sub(3).clamp(1, WIDEST)
    }

    fn height(&self) -> u16 {
        self.terminal.height()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        Self::pass(self.terminal.move_cursor_up(n))
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        Self::pass(self.terminal.move_cursor_down(n))
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        Self::pass(self.terminal.move_cursor_right(n))
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        Self::pass(self.terminal.move_cursor_left(n))
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.drawn.store(0, Ordering::Relaxed);
        Self::pass(self.terminal.write_line(text))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let columns = measure_text_width(text);
        self.drawn.fetch_add(columns, Ordering::Relaxed);
        Self::pass(self.terminal.write_str(text))
    }

    /// Clears the line of the cursor, with the lines that it was wrapped into when the terminal became
    /// narrower.
    fn clear_line(&self) -> io::Result<()> {
        let drawn = self.drawn.swap(0, Ordering::Relaxed);
        for _ in 0..drawn.saturating_sub(1) / usize::from(self.columns()) {
            Self::pass(self.terminal.clear_line())?;
            Self::pass(self.terminal.move_cursor_up(1))?;
        }
        Self::pass(self.terminal.clear_line())
    }

    fn flush(&self) -> io::Result<()> {
        Self::pass(self.terminal.flush())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU16;

    use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};

    use super::*;

    #[test]
    fn names_cannot_forge_lines() {
        assert_eq!(printable("plain name"), "plain name");
        assert_eq!(
            printable("a\nerror: b\u{1b}[2J\u{9b}"),
            "a\\nerror: b\\u{1b}[2J\\u{9b}"
        );
    }

    /// Closed terminal that counts the lines it was asked to clear.
    #[derive(Debug)]
    struct Gone {
        columns: AtomicU16,
        cleared: AtomicUsize,
    }

    impl Gone {
        fn new(columns: u16) -> Self {
            Self {
                columns: AtomicU16::new(columns),
                cleared: AtomicUsize::new(0),
            }
        }
    }

    fn gone() -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::BrokenPipe))
    }

    impl TermLike for Gone {
        fn width(&self) -> u16 {
            self.columns.load(Ordering::Relaxed)
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            gone()
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            gone()
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            gone()
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            gone()
        }
        fn write_line(&self, _: &str) -> io::Result<()> {
            gone()
        }
        fn write_str(&self, _: &str) -> io::Result<()> {
            gone()
        }
        fn clear_line(&self) -> io::Result<()> {
            self.cleared.fetch_add(1, Ordering::Relaxed);
            gone()
        }
        fn flush(&self) -> io::Result<()> {
            gone()
        }
    }

    #[test]
    fn a_terminal_that_is_gone_stops_nothing() {
        let terminal = Box::new(Steady::new(Gone::new(80)));
        let target = ProgressDrawTarget::term_like(terminal);
        let bars = MultiProgress::with_draw_target(target);
        let bar = bars.add(ProgressBar::new(10));
        bar.inc(5);
        bar.tick();
        assert_eq!(bars.suspend(|| 7), 7);
        bar.finish_and_clear();
    }

    #[test]
    fn a_line_longer_than_anybody_reads_loses_its_middle() {
        let path = "a/".repeat(8_000);
        let line = format!("failed: {path}x.wav: the path is too deep");
        let short = abridged(&line);
        assert!(short.chars().count() < 1_010, "{short}");
        assert!(short.starts_with("failed: a/") && short.ends_with("too deep"));
        assert_eq!(abridged("as it is"), "as it is");
    }

    #[test]
    fn bars_leave_columns_free_and_stay_within_120() {
        assert_eq!(Steady::new(Gone::new(80)).width(), 77);
        assert_eq!(Steady::new(Gone::new(200)).width(), 119);
        assert_eq!(Steady::new(Gone::new(40)).width(), 37);
        assert_eq!(Steady::new(Gone::new(0)).width(), 1);
    }

    #[test]
    fn a_line_that_was_wrapped_by_a_narrower_terminal_is_cleared_as_a_whole() {
        let terminal = Steady::new(Gone::new(80));
        terminal.write_str(&"x".repeat(79)).unwrap();
        terminal.terminal.columns.store(30, Ordering::Relaxed);
        terminal.clear_line().unwrap();
        assert_eq!(terminal.terminal.cleared.load(Ordering::Relaxed), 3);
    }
}
