//! What a person sees during a run: two bars on a terminal (the stage, and the whole run), a line now
//! and then elsewhere, nothing when quiet. Log lines pass above the bars.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing_subscriber::fmt::MakeWriter;

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Bars on a terminal, lines elsewhere.
    Normal,
    /// Nothing.
    Silent,
}

/// Shows the progress of a run.
#[derive(Debug, Clone)]
pub struct Progress {
    bars: MultiProgress,
    overall: ProgressBar,
    lines: bool,
}

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

impl Progress {
    /// Progress on standard error.
    pub fn new(mode: Mode) -> Self {
        let terminal = io::stderr().is_terminal();
        let target = if mode == Mode::Normal && terminal {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bars = MultiProgress::with_draw_target(target);
        let overall = bars.add(ProgressBar::new(0));
        overall.set_style(style(
            "   overall {bar:30} {percent:>3}% {elapsed} gone, {eta} to go",
        ));
        Self {
            bars,
            overall,
            lines: mode == Mode::Normal && !terminal,
        }
    }

    /// Tells how many bytes all stages together will pass.
    pub fn expect(&self, bytes: u64) {
        self.overall.set_length(bytes);
    }

    /// Starts a stage of known size.
    pub fn stage(&self, name: &'static str, items: u64, bytes: u64) -> Stage {
        let bar = self
            .bars
            .insert_before(&self.overall, ProgressBar::new(bytes));
        bar.set_style(style(
            "{prefix:>10} {bar:30} {bytes:>10}/{total_bytes} {binary_bytes_per_sec:>12} {msg} {eta}",
        ));
        bar.set_prefix(name);
        Stage(Arc::new(Inner {
            name,
            bar,
            overall: self.overall.clone(),
            bytes,
            items,
            done_bytes: AtomicU64::new(0),
            done_items: AtomicU64::new(0),
            last_line: self.lines.then(|| Mutex::new(Instant::now())),
        }))
    }

    /// Takes the bars away.
    pub fn finish(&self) {
        self.overall.finish_and_clear();
    }

    /// A writer for log lines that does not tear the bars.
    pub fn log_writer(&self) -> LogWriter {
        LogWriter(self.bars.clone())
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

/// One stage in progress. Cheap to clone; threads share it.
#[derive(Debug, Clone)]
pub struct Stage(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: &'static str,
    bar: ProgressBar,
    overall: ProgressBar,
    bytes: u64,
    items: u64,
    done_bytes: AtomicU64,
    done_items: AtomicU64,
    last_line: Option<Mutex<Instant>>,
}

impl Stage {
    /// Tells that `items` of `bytes` are done.
    pub fn add(&self, items: u64, bytes: u64) {
        let inner = &*self.0;
        let done_items = inner.done_items.fetch_add(items, Ordering::Relaxed) + items;
        let done_bytes = inner.done_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        inner.bar.inc(bytes);
        inner.overall.inc(bytes);
        if !inner.bar.is_hidden() {
            inner
                .bar
                .set_message(format!("{done_items}/{} items", inner.items));
        }
        if let Some(last) = &inner.last_line {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() >= LINE_EVERY {
                *last = Instant::now();
                let (name, items, bytes) = (inner.name, inner.items, inner.bytes);
                eprintln!("{name}: {done_items} of {items} items, {done_bytes} of {bytes} bytes");
            }
        }
    }

    /// Follows one file of `bytes` through the stage.
    pub fn file(&self, bytes: u64) -> FileProgress {
        FileProgress {
            stage: self.clone(),
            bytes,
            told: AtomicU64::new(0),
        }
    }

    /// Ends the stage and takes its bar away.
    pub fn finish(&self) {
        self.0.bar.finish_and_clear();
        if self.0.last_line.is_some() {
            let done = self.0.done_items.load(Ordering::Relaxed);
            let bytes = self.0.done_bytes.load(Ordering::Relaxed);
            eprintln!("{}: {done} items, {bytes} bytes", self.0.name);
        }
    }
}

/// One file in progress: its bytes are counted as it goes, and once.
#[derive(Debug)]
pub struct FileProgress {
    stage: Stage,
    bytes: u64,
    told: AtomicU64,
}

impl FileProgress {
    /// Tells the share of the file that is done, from 0 to 1; less than before is passed over.
    pub fn reach(&self, share: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a size for display"
        )]
        let reached = (share.clamp(0.0, 1.0) * self.bytes as f64) as u64;
        self.advance(0, reached.min(self.bytes));
    }

    /// Tells that the file is done, with its `items`.
    pub fn finish(&self, items: u64) {
        self.advance(items, self.bytes);
    }

    fn advance(&self, items: u64, reached: u64) {
        let before = self.told.fetch_max(reached, Ordering::Relaxed);
        let more = reached.saturating_sub(before);
        if items > 0 || more > 0 {
            self.stage.add(items, more);
        }
    }
}

/// Text fit for one line: control characters are spelled out, so that a name from a file can neither
/// forge a line nor steer a terminal.
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

/// Writes log lines above the bars.
#[derive(Debug, Clone)]
pub struct LogWriter(MultiProgress);

impl Write for LogWriter {
    /// Writes one message, which ends with its only line break.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = printable(text.trim_end_matches('\n'));
        self.0.suspend(|| writeln!(io::stderr(), "{line}"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_forge_lines() {
        assert_eq!(printable("plain name"), "plain name");
        assert_eq!(
            printable("a\nerror: b\u{1b}[2J\u{9b}"),
            "a\\nerror: b\\u{1b}[2J\\u{9b}"
        );
    }
}
