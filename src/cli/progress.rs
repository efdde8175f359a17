//! What a person sees during a run: one bar on a terminal, a line now and then elsewhere, events for
//! scripts, nothing when quiet. Log lines pass above the bar.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tracing::info;
use tracing_subscriber::fmt::MakeWriter;

use super::console::{Steady, printable, tell};
use crate::pipeline::progress::{Observer, StageProgress, Step};

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
#[derive(Debug)]
pub struct ProgressDisplay {
    bars: MultiProgress,
    shown: Shown,
    stage: Mutex<Option<ShownStage>>,
}

/// The stage at work.
#[derive(Debug)]
struct ShownStage {
    /// When the last line or event was.
    drawn: Instant,
    bar: Option<Bar>,
}

/// A bar, and the numbers behind it as they were told last.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
    numbers: Arc<Mutex<StageProgress>>,
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

impl ProgressDisplay {
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
            stage: Mutex::new(None),
        }
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

    fn start(&self, progress: &StageProgress) -> ShownStage {
        let bar = (self.shown == Shown::Bar).then(|| {
            let numbers = Arc::new(Mutex::new(*progress));
            let bar = self.bars.add(ProgressBar::new(progress.work.max(1)));
            bar.set_style(style(&numbers));
            bar.set_prefix(progress.stage);
            bar.enable_steady_tick(Duration::from_millis(500));
            Bar { bar, numbers }
        });
        if self.shown == Shown::Events {
            event(progress);
        }
        ShownStage {
            drawn: Instant::now(),
            bar,
        }
    }
}

impl Observer for ProgressDisplay {
    fn observe(&self, progress: &StageProgress) {
        if self.shown == Shown::Nothing {
            return;
        }
        let mut stage = locked(&self.stage);
        if progress.step == Step::Started {
            *stage = Some(self.start(progress));
            return;
        }
        let is_over = progress.step == Step::Finished;
        let Some(shown) = &mut *stage else {
            return;
        };
        if let Some(Bar { bar, numbers }) = &shown.bar {
            // Threads may come in another order than they counted.
            let mut numbers = locked(numbers);
            if is_over || progress.done_work >= numbers.done_work {
                *numbers = *progress;
                bar.set_length(progress.work.max(1));
                bar.set_position(progress.done_work);
            }
            drop(numbers);
            if is_over {
                bar.finish_and_clear();
            }
        }
        let is_due = shown.drawn.elapsed() >= self.shown.every();
        match self.shown {
            Shown::Events if is_over || is_due => event(progress),
            Shown::Lines if is_over => {
                let &StageProgress {
                    stage,
                    done_items,
                    items,
                    ..
                } = progress;
                tell(&format!("{stage}: {done_items} of {items} items"));
            }
            Shown::Lines if is_due => {
                tell(&format!(
                    "{}: {}",
                    progress.stage,
                    state(progress).trim_start()
                ));
            }
            _ => return,
        }
        shown.drawn = Instant::now();
    }

    fn ask(&self, question: &str, cancel: &AtomicBool) -> bool {
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

/// What a lock holds; numbers for display are whole whatever a thread that panicked left.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn style(numbers: &Arc<Mutex<StageProgress>>) -> ProgressStyle {
    let numbers = Arc::clone(numbers);
    ProgressStyle::with_template("{prefix:>8} [{wide_bar}] {state}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
        .with_key(
            "state",
            move |_: &ProgressState, out: &mut dyn fmt::Write| {
                let text = state(&locked(&numbers));
                // Text for a screen; the writer is a string.
                let _ = out.write_str(&text);
            },
        )
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

/// The numbers behind a bar, short enough for half a line.
fn state(progress: &StageProgress) -> String {
    let left = progress.time_left();
    let left = left.map(|left| format!(", {} left", clock(left)));
    format!(
        "{:>3} %, {}/{}{}",
        progress.percent(),
        progress.done_items,
        progress.items,
        left.unwrap_or_default()
    )
}

fn event(progress: &StageProgress) {
    let &StageProgress {
        stage,
        done_items: done,
        items,
        ..
    } = progress;
    let percent = progress.percent();
    info!(
        event = "progress",
        stage,
        done,
        items,
        percent,
        seconds_left = progress.time_left().map(|left| left.as_secs()),
        "{stage}: {percent} %, {done} of {items} items"
    );
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
    use crate::pipeline::progress::StageProgress;

    #[test]
    fn times_are_shown_in_minutes_and_hours() {
        assert_eq!(clock(Duration::from_secs(42)), "0:42");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }

    #[test]
    fn only_a_yes_is_a_yes() {
        assert!(is_yes("y\n") && is_yes(" YES "));
        assert!(!is_yes("") && !is_yes("no") && !is_yes("yesterday"));
    }

    #[test]
    fn the_state_is_short() {
        let progress = StageProgress {
            stage: "convert",
            step: Step::Advanced,
            items: 4,
            done_items: 2,
            work: 300,
            done_work: 100,
            started: Instant::now(),
        };
        assert_eq!(state(&progress), " 33 %, 2/4");
    }
}
