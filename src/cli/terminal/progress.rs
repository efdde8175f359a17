//! Progress of a run: one bar on a terminal, occasional lines elsewhere, events for scripts, nothing when
//! quiet. Log lines appear above the bar.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use console::measure_text_width;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing::info;
use tracing_subscriber::fmt::MakeWriter;

use super::console::{Steady, bar_columns, is_drawable, print_error, print_error_line, printable};
use crate::pipeline::progress::{Observer, StageProgress, Step};
use relicast_codec::quantity::{counted, thousands};

/// Amount of progress output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Bar on a terminal, lines elsewhere.
    Normal,
    /// Bar on a terminal, nothing elsewhere.
    Bar,
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
    stage: Arc<Mutex<Option<ShownStage>>>,
}

/// Stage in progress. Its lock is held only for copying, never while drawing or logging.
#[derive(Debug, Clone)]
struct ShownStage {
    progress: StageProgress,
    /// File or member that a thread started last.
    at_work: String,
    /// Time of the last line or event.
    reported: Instant,
    bar: Option<ProgressBar>,
}

/// Kind of output that a mode results in.
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

/// Time between two frames of a bar.
const FRAME: Duration = Duration::from_millis(100);

/// Shows a bar on a terminal while `work` runs; nothing elsewhere, and nothing when quiet.
pub(in crate::cli) fn with_bar<T>(is_quiet: bool, work: impl FnOnce(&ProgressDisplay) -> T) -> T {
    let progress = ProgressDisplay::new(if is_quiet { Mode::Silent } else { Mode::Bar });
    let done = work(&progress);
    progress.finish();
    done
}

/// Draws the bar of the current stage until the display is dropped. Workers never wait for a terminal: they
/// store numbers, and only this thread draws.
fn paint(stage: &Weak<Mutex<Option<ShownStage>>>) {
    while let Some(stage) = stage.upgrade() {
        let shown = locked(&stage).clone();
        drop(stage);
        if let Some((shown, bar)) = shown.and_then(|shown| Some((shown.clone(), shown.bar?))) {
            bar.set_message(line(&shown.progress, &shown.at_work, bar_columns()));
        }
        thread::sleep(FRAME);
    }
}

impl ProgressDisplay {
    /// Creates a progress display on standard error.
    pub fn new(mode: Mode) -> Self {
        let shown = match mode {
            Mode::Normal | Mode::Bar if is_drawable() => Shown::Bar,
            Mode::Normal => Shown::Lines,
            Mode::Events => Shown::Events,
            Mode::Silent | Mode::Bar => Shown::Nothing,
        };
        let target = match shown {
            Shown::Bar => ProgressDrawTarget::term_like_with_hz(Box::new(Steady::stderr()), 10),
            _ => ProgressDrawTarget::hidden(),
        };
        let stage = Arc::new(Mutex::new(None));
        if shown == Shown::Bar {
            let stage = Arc::downgrade(&stage);
            thread::spawn(move || paint(&stage));
        }
        Self {
            bars: MultiProgress::with_draw_target(target),
            shown,
            stage,
        }
    }

    /// Removes the bars.
    pub fn finish(&self) {
        // A stage that was not finished prints no line.
        let stage = locked(&self.stage).take();
        if let Some(bar) = stage.and_then(|stage| stage.bar) {
            bar.finish_and_clear();
        }
        // Errors of a closed terminal were already ignored.
        let _ = self.bars.clear();
    }

    /// Writer for log lines that keeps the bars intact.
    pub fn log_writer(&self) -> LogWriter {
        LogWriter(self.bars.clone())
    }

    fn start(&self, progress: &StageProgress) {
        let bar = (self.shown == Shown::Bar).then(|| {
            let bar = self.bars.add(ProgressBar::new(1));
            bar.set_style(style());
            bar.set_message(line(progress, "", bar_columns()));
            bar
        });
        *locked(&self.stage) = Some(ShownStage {
            progress: *progress,
            at_work: String::new(),
            reported: Instant::now(),
            bar,
        });
        if self.shown == Shown::Events {
            event(progress);
        }
    }

    /// Ends the stage with one line.
    fn end(&self, progress: &StageProgress) {
        let stage = locked(&self.stage).take();
        if let Some(bar) = stage.and_then(|stage| stage.bar) {
            bar.finish_and_clear();
        }
        match self.shown {
            Shown::Bar | Shown::Lines => self.log_writer().print(&last_line(progress)),
            Shown::Events => event(progress),
            Shown::Nothing => {}
        }
    }

    /// Stores the numbers and returns whether a line or an event is due.
    fn note(&self, progress: &StageProgress) -> bool {
        let mut stage = locked(&self.stage);
        let Some(shown) = &mut *stage else {
            return false;
        };
        // Threads may arrive in another order than they counted.
        if progress.done_work >= shown.progress.done_work {
            shown.progress = *progress;
        }
        let is_due = shown.reported.elapsed() >= self.shown.every();
        if is_due {
            shown.reported = Instant::now();
        }
        is_due
    }
}

impl Observer for ProgressDisplay {
    fn observe(&self, progress: &StageProgress) {
        if self.shown == Shown::Nothing {
            return;
        }
        match progress.step {
            Step::Started => self.start(progress),
            Step::Finished => self.end(progress),
            Step::Advanced => match (self.note(progress), self.shown) {
                (true, Shown::Events) => event(progress),
                (true, Shown::Lines) => print_error(&line(progress, "", usize::MAX)),
                _ => {}
            },
        }
    }

    fn at_work(&self, path: &str, member: Option<&str>) {
        if self.shown != Shown::Bar {
            return;
        }
        if let Some(shown) = &mut *locked(&self.stage) {
            shown.at_work.clear();
            shown.at_work.push_str(path);
            if let Some(member) = member {
                shown.at_work.push('/');
                shown.at_work.push_str(member);
            }
        }
    }
}

/// Locks `lock`; display numbers stay valid even if a thread panicked.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Style of a bar that is one line of text. It has no keys of its own, so drawing never calls this program.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Minutes and seconds, with hours if there are any.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Minimum columns for the name of the current item, and for the bar.
const NAME: usize = 10;
const BAR: usize = 10;

/// Maximum columns for the bar.
const WIDEST_BAR: usize = 30;

/// Line of a running stage in at most `columns` columns. If space is short, the less important parts are left
/// out: the bar first, then the rate, the name, the elapsed time, the time left.
fn line(progress: &StageProgress, at_work: &str, columns: usize) -> String {
    let gone = progress.started.elapsed();
    let head = format!("{} {:>3} %", progress.stage, progress.percent());
    let (done, items) = (thousands(progress.done_items), thousands(progress.items));
    let mut room = columns.saturating_sub(head.len());
    let mut fit = |piece: String| {
        let fits = piece.len() <= room;
        room = room.saturating_sub(if fits { piece.len() } else { 0 });
        if fits { piece } else { String::new() }
    };
    let items = fit(format!(", {done}/{items}"));
    let left = progress.time_left();
    let left = left.map_or_else(String::new, |left| fit(format!(", {} left", clock(left))));
    let gone_text = fit(format!(", {} gone", clock(gone)));
    let at_work = printable(at_work);
    let wanted = measure_text_width(&at_work);
    let mut name = fit(" ".repeat(wanted.min(NAME).saturating_add(2))).len();
    let rate = rate(progress.done_items, gone).map_or_else(String::new, &mut fit);
    let mut bar = match columns {
        usize::MAX => 0,
        _ => fit(" ".repeat(BAR + 3)).len().saturating_sub(3),
    };
    if name > 0 {
        let more = room.min((wanted + 2).saturating_sub(name));
        (name, room) = (name + more, room - more);
    }
    if bar > 0 {
        bar = (bar + room).min(WIDEST_BAR);
    }
    let mut line = format!("{} ", progress.stage);
    if bar > 0 {
        let done = usize::try_from(progress.percent()).map_or(0, |percent| percent * bar / 100);
        let head = if done < bar { ">" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(line, "[{:<bar$}] ", format!("{}{head}", "=".repeat(done)));
    }
    let _ = write!(
        line,
        "{:>3} %{items}{rate}{gone_text}{left}",
        progress.percent()
    );
    if let Some(columns @ 1..) = name.checked_sub(2) {
        let _ = write!(line, ", {}", end_of(&at_work, columns));
    }
    line
}

/// Items per second, once there is enough to count.
fn rate(done: u64, gone: Duration) -> Option<String> {
    if done == 0 || gone < Duration::from_secs(1) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a number for display")]
    let rate = done as f64 / gone.as_secs_f64();
    Some(match rate {
        10.0.. => format!(", {rate:.0}/s"),
        _ => format!(", {rate:.1}/s"),
    })
}

/// End of a path that fits into this many columns.
fn end_of(path: &str, columns: usize) -> String {
    if measure_text_width(path) <= columns {
        return path.to_owned();
    }
    let mut rest = path;
    while measure_text_width(rest) >= columns && !rest.is_empty() {
        let mut characters = rest.chars();
        characters.next();
        rest = characters.as_str();
    }
    format!("\u{2026}{rest}")
}

/// Line printed at the end of a stage.
fn last_line(progress: &StageProgress) -> String {
    let &StageProgress {
        stage,
        done_items,
        items,
        started,
        ..
    } = progress;
    let time = clock(started.elapsed());
    match done_items == items {
        true => format!("{stage}: {} in {time}", counted(items, "item", "items")),
        false => format!(
            "{stage}: {} of {} in {time}",
            thousands(done_items),
            counted(items, "item", "items")
        ),
    }
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

/// Writer for log lines above the bars; write errors are ignored.
#[derive(Debug, Clone)]
pub struct LogWriter(MultiProgress);

impl LogWriter {
    /// Writes one line.
    pub(in crate::cli) fn print(&self, line: &str) {
        self.0.suspend(|| print_error(line));
    }
}

impl Write for LogWriter {
    /// Writes one message, which ends with its only line break.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = printable(text.trim_end_matches('\n'));
        match line.starts_with('{') {
            // JSON on a terminal.
            true => self.0.suspend(|| print_error_line(&line)),
            false => self.print(&line),
        }
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

    fn progress(done_items: u64) -> StageProgress {
        StageProgress {
            stage: "convert",
            step: Step::Advanced,
            items: 41_802,
            done_items,
            work: 300,
            done_work: 100,
            started: Instant::now().checked_sub(Duration::from_secs(62)).unwrap(),
        }
    }

    #[test]
    fn a_line_fills_the_columns_with_what_matters_most() {
        let path = "everquest/qeynos.s3d/a_long_name.bmp";
        let lines = [40, 80, 120].map(|columns| line(&progress(13_934), path, columns - 1));
        assert_eq!(lines[0], "convert  33 %, 13,934/41,802, 2:04 left");
        assert_eq!(
            lines[1],
            "convert  33 %, 13,934/41,802, 225/s, 1:02 gone, 2:04 left, \u{2026}s3d/a_long_name.bmp"
        );
        let whole = "[======>              ]  33 %, 13,934/41,802, 225/s, 1:02 gone, 2:04 left, ";
        assert_eq!(lines[2], format!("convert {whole}{path}"));
        for columns in 1..300 {
            let line = line(&progress(13_934), path, columns);
            let least = "convert  33 %".len();
            assert!(measure_text_width(&line) <= columns.max(least), "{line}");
        }
    }

    #[test]
    fn a_stage_ends_as_one_line() {
        assert_eq!(
            last_line(&progress(41_802)),
            "convert: 41,802 items in 1:02"
        );
        assert_eq!(
            last_line(&progress(1)),
            "convert: 1 of 41,802 items in 1:02"
        );
    }

    #[test]
    fn the_end_of_a_name_is_cut_at_characters() {
        assert_eq!(end_of("zone.s3d", 8), "zone.s3d");
        assert_eq!(end_of("zone.s3d", 5), "\u{2026}.s3d");
        assert_eq!(end_of("\u{4e00}\u{4e00}\u{4e00}", 4), "\u{2026}\u{4e00}");
    }
}
