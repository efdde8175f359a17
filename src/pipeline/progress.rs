//! What a person sees during a run: one bar on a terminal, a line now and then elsewhere, events for
//! scripts, nothing when quiet. Log lines pass above the bar.
//!
//! What is left is estimated from the work left, in the units of `work.rs`: not from files, which
//! differ a thousandfold, and without what an earlier run has done already.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tracing::info;
use tracing_subscriber::fmt::MakeWriter;

use super::console::{Steady, tell};

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A bar on a terminal, lines elsewhere.
    Normal,
    /// Log events with fields.
    Events,
    /// Nothing.
    Silent,
}

/// Shows the progress of a run.
#[derive(Debug, Clone)]
pub struct Progress {
    bars: MultiProgress,
    shown: Shown,
}

/// What a mode comes down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Bar,
    Lines,
    Events,
    Nothing,
}

impl Shown {
    /// Time between two lines or events.
    fn every(self) -> Duration {
        match self {
            Self::Events => Duration::from_secs(1),
            _ => Duration::from_secs(5),
        }
    }
}

impl Progress {
    /// Progress on standard error.
    pub fn new(mode: Mode) -> Self {
        let shown = match mode {
            Mode::Normal if io::stderr().is_terminal() => Shown::Bar,
            Mode::Normal => Shown::Lines,
            Mode::Events => Shown::Events,
            Mode::Silent => Shown::Nothing,
        };
        let target = match shown {
            Shown::Bar => ProgressDrawTarget::term_like_with_hz(Box::new(Steady::stderr()), 10),
            _ => ProgressDrawTarget::hidden(),
        };
        Self {
            bars: MultiProgress::with_draw_target(target),
            shown,
        }
    }

    /// Starts a stage of so many items, which take so much work together.
    pub fn stage(&self, name: &'static str, items: u64, work: u64) -> Stage {
        let meter = Arc::new(Meter {
            name,
            items,
            done_items: AtomicU64::new(0),
            work: AtomicU64::new(work),
            done_work: AtomicU64::new(0),
            started: Instant::now(),
            shown: self.shown,
            told: Mutex::new(Instant::now()),
        });
        let bar = (self.shown == Shown::Bar).then(|| {
            let bar = self.bars.add(ProgressBar::new(work.max(1)));
            bar.set_style(style(&meter));
            bar.set_prefix(name);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        if self.shown == Shown::Events {
            meter.event();
        }
        Stage { meter, bar }
    }

    /// Takes the bars away.
    pub fn finish(&self) {
        // What a closed terminal complains of was passed over before.
        let _ = self.bars.clear();
    }

    /// A writer for log lines that does not tear the bars.
    pub fn log_writer(&self) -> LogWriter {
        LogWriter(self.bars.clone())
    }

    /// Asks the user a yes-or-no question; the answer is no without a terminal. `cancel` ends the waiting.
    pub fn ask(&self, question: &str, cancel: &AtomicBool) -> bool {
        if self.shown != Shown::Bar || !io::stdin().is_terminal() {
            return false;
        }
        self.bars.suspend(|| {
            // If it cannot be shown, nobody will answer.
            let _ = write!(io::stderr(), "{question} [y/N] ");
            let (sender, receiver) = channel();
            // It is left behind when the run is cancelled: nothing else ends its waiting.
            thread::spawn(move || {
                let mut line = String::new();
                let read = io::stdin().lock().read_line(&mut line);
                let _ = sender.send(read.map(|_| line).unwrap_or_default());
            });
            loop {
                match receiver.recv_timeout(Duration::from_millis(100)) {
                    Ok(answer) => return is_yes(&answer),
                    Err(RecvTimeoutError::Timeout) if !cancel.load(Ordering::Relaxed) => {}
                    Err(_) => return false,
                }
            }
        })
    }
}

fn is_yes(answer: &str) -> bool {
    matches!(&*answer.trim().to_lowercase(), "y" | "yes")
}

fn style(meter: &Arc<Meter>) -> ProgressStyle {
    let meter = Arc::clone(meter);
    ProgressStyle::with_template("{prefix:>8} [{wide_bar}] {state}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
        .with_key(
            "state",
            move |_: &ProgressState, out: &mut dyn fmt::Write| {
                // Text for a screen; the writer is a string.
                let _ = out.write_str(&meter.state());
            },
        )
}

/// How far a stage is.
#[derive(Debug)]
struct Meter {
    name: &'static str,
    items: u64,
    done_items: AtomicU64,
    /// All that is to be done; shrinks by what turns out to be done already.
    work: AtomicU64,
    done_work: AtomicU64,
    started: Instant,
    shown: Shown,
    /// When the last line or event was.
    told: Mutex<Instant>,
}

/// Time that passes before a guess of the rest is worth showing.
const FIRST_GUESS: Duration = Duration::from_secs(2);

/// Estimated remaining time at the mean speed so far; `None` if too little is done for an estimate.
fn time_left(elapsed: Duration, done: u64, work: u64) -> Option<Duration> {
    if done == 0 || elapsed < FIRST_GUESS {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a guess for display")]
    let share = work.saturating_sub(done) as f64 / done as f64;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * share).ok()
}

/// Minutes and seconds, with hours when there are any.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

impl Meter {
    fn percent(&self) -> u64 {
        let work = self.work.load(Ordering::Relaxed);
        let done = self.done_work.load(Ordering::Relaxed).min(work);
        match work {
            0 => 100,
            work => done.saturating_mul(100) / work,
        }
    }

    fn left(&self) -> Option<Duration> {
        time_left(
            self.started.elapsed(),
            self.done_work.load(Ordering::Relaxed),
            self.work.load(Ordering::Relaxed),
        )
    }

    /// The numbers behind a bar, short enough for half a line.
    fn state(&self) -> String {
        let done = self.done_items.load(Ordering::Relaxed);
        let left = self.left().map(|left| format!(", {} left", clock(left)));
        format!(
            "{:>3} %, {done}/{}{}",
            self.percent(),
            self.items,
            left.unwrap_or_default()
        )
    }

    fn event(&self) {
        let done = self.done_items.load(Ordering::Relaxed);
        info!(
            event = "progress",
            stage = self.name,
            done,
            items = self.items,
            percent = self.percent(),
            seconds_left = self.left().map(|left| left.as_secs()),
            "{}: {} %, {done} of {} items",
            self.name,
            self.percent(),
            self.items
        );
    }

    /// Shows a line or an event when it is time to.
    fn tell(&self) {
        if !matches!(self.shown, Shown::Lines | Shown::Events) {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() < self.shown.every() {
            return;
        }
        *told = Instant::now();
        match self.shown {
            Shown::Events => self.event(),
            _ => tell(&format!("{}: {}", self.name, self.state().trim_start())),
        }
    }
}

/// One stage in progress. Cheap to clone; threads share it.
#[derive(Debug, Clone)]
pub struct Stage {
    meter: Arc<Meter>,
    bar: Option<ProgressBar>,
}

impl Stage {
    /// Adds `items` that are done, and their work.
    pub fn add(&self, items: u64, work: u64) {
        self.meter.done_items.fetch_add(items, Ordering::Relaxed);
        self.meter.done_work.fetch_add(work, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(work);
        }
        self.meter.tell();
    }

    /// Adds `items` that are done without their work, which is taken off the total.
    pub fn spare(&self, items: u64, work: u64) {
        let less = |all: u64| Some(all.saturating_sub(work));
        let before = (self.meter.work).fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if let (Some(bar), Ok(before)) = (&self.bar, before) {
            bar.set_length(before.saturating_sub(work).max(1));
        }
        self.add(items, 0);
    }

    /// Follows one part, which takes so much work, through the stage.
    pub fn part(&self, work: u64) -> PartProgress {
        PartProgress {
            stage: self.clone(),
            work,
            told: AtomicU64::new(0),
        }
    }

    /// Ends the stage and takes its bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let meter = &*self.meter;
        match meter.shown {
            Shown::Events => meter.event(),
            Shown::Lines => {
                let done = meter.done_items.load(Ordering::Relaxed);
                let (name, items) = (meter.name, meter.items);
                tell(&format!("{name}: {done} of {items} items"));
            }
            Shown::Bar | Shown::Nothing => {}
        }
    }
}

/// Progress of one item, which is counted once.
#[derive(Debug)]
pub struct PartProgress {
    stage: Stage,
    work: u64,
    told: AtomicU64,
}

impl PartProgress {
    /// Sets the share of the item that is done, 0 to 1. Smaller shares than before are ignored.
    pub fn reach(&self, share: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a size for display"
        )]
        let reached = (share.clamp(0.0, 1.0) * self.work as f64) as u64;
        self.advance(0, reached.min(self.work));
    }

    /// Marks the item as done.
    pub fn finish(&self) {
        self.advance(1, self.work);
    }

    /// Marks the item as done without work.
    pub fn spare(&self) {
        let told = self.told.load(Ordering::Relaxed);
        self.stage.spare(1, self.work.saturating_sub(told));
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

/// Writes log lines above the bars, as far as anybody takes them.
#[derive(Debug, Clone)]
pub struct LogWriter(MultiProgress);

impl Write for LogWriter {
    /// Writes one message, which ends with its only line break.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = printable(text.trim_end_matches('\n'));
        self.0.suspend(|| tell(&line));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn what_is_left_follows_the_work_and_not_the_items() {
        assert_eq!(time_left(seconds(10), 25, 100), Some(seconds(30)));
        assert_eq!(time_left(seconds(10), 100, 100), Some(seconds(0)));
        assert_eq!(time_left(seconds(1), 25, 100), None);
        assert_eq!(time_left(seconds(10), 0, 100), None);
        assert_eq!(clock(seconds(42)), "0:42");
        assert_eq!(clock(seconds(3723)), "1:02:03");
    }

    #[test]
    fn what_need_not_be_done_is_no_work_and_what_was_cancelled_is_not_done() {
        let stage = Progress::new(Mode::Silent).stage("convert", 4, 400);
        let parts: Vec<PartProgress> = (0..4).map(|_| stage.part(100)).collect();
        parts[0].spare();
        assert_eq!(stage.meter.percent(), 0);
        parts[1].reach(0.5);
        parts[1].reach(0.2);
        parts[1].finish();
        assert_eq!(stage.meter.percent(), 33);
        assert_eq!(stage.meter.state(), " 33 %, 2/4");
        // The last two were never come to.
        drop(parts);
        stage.finish();
        assert_eq!(stage.meter.done_items.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn only_a_yes_is_a_yes() {
        assert!(is_yes("y\n") && is_yes(" YES "));
        assert!(!is_yes("") && !is_yes("no") && !is_yes("yesterday"));
    }
}
