//! Progress of a run for observers, such as a progress bar.
//!
//! The remaining time is estimated from the remaining work, in the units of `work.rs`: not from files, whose
//! sizes differ a thousandfold, and without items that an earlier run has done.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use relicast::pipeline::progress::{Observer, StageProgress};
//!
//! /// Any closure that takes the progress of a stage watches a run.
//! fn watch(observer: impl Observer) -> impl Observer {
//!     observer
//! }
//! let highest = AtomicU64::new(0);
//! watch(|progress: &StageProgress| {
//!     highest.fetch_max(progress.percent(), Ordering::Relaxed);
//! });
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Observes a run. Implemented for closures that take a [`StageProgress`].
pub trait Observer: Sync {
    /// Receives the progress of a stage. All threads call it often: it must return quickly.
    fn observe(&self, progress: &StageProgress);

    /// Receives the file, and the member, that a thread starts to work on. All threads call it often.
    fn at_work(&self, _path: &str, _member: Option<&str>) {}
}

impl<F: Fn(&StageProgress) + Sync> Observer for F {
    fn observe(&self, progress: &StageProgress) {
        self(progress);
    }
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn observe(&self, _progress: &StageProgress) {}
}

/// Event of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The stage starts.
    Started,
    /// Part of it is done.
    Advanced,
    /// The stage ends.
    Finished,
}

/// Progress of a stage of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageProgress {
    /// Name of the stage: `plan`, `convert`.
    pub stage: &'static str,
    /// Event.
    pub step: Step,
    /// Items of the stage: files or items.
    pub items: u64,
    /// Number of items that are done.
    pub done_items: u64,
    /// Total work; shrinks by items that turn out to be done already.
    pub work: u64,
    /// Work that is done.
    pub done_work: u64,
    /// Start of the stage.
    pub started: Instant,
}

impl StageProgress {
    /// Completed share in percent.
    pub fn percent(&self) -> u64 {
        match self.work {
            0 => 100,
            work => self.done_work.min(work).saturating_mul(100) / work,
        }
    }

    /// Estimated remaining time at the mean speed so far; `None` if too little is done for an estimate.
    pub fn time_left(&self) -> Option<Duration> {
        time_left(self.started.elapsed(), self.done_work, self.work)
    }
}

/// Time before an estimate is worth showing.
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

/// Wrapper of an observer that implements `Debug`.
#[derive(Clone, Copy)]
pub(super) struct Observed<'o>(pub(super) &'o dyn Observer);

impl fmt::Debug for Observed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Observer")
    }
}

/// A stage in progress, shared by threads.
#[derive(Debug)]
pub(crate) struct Stage<'o> {
    observer: Observed<'o>,
    name: &'static str,
    items: u64,
    done_items: AtomicU64,
    work: AtomicU64,
    done_work: AtomicU64,
    started: Instant,
}

impl<'o> Stage<'o> {
    /// Starts a stage with this many items and total work.
    pub(crate) fn start(
        observer: &'o dyn Observer,
        name: &'static str,
        items: u64,
        work: u64,
    ) -> Self {
        let stage = Self {
            observer: Observed(observer),
            name,
            items,
            done_items: AtomicU64::new(0),
            work: AtomicU64::new(work),
            done_work: AtomicU64::new(0),
            started: Instant::now(),
        };
        stage.notify(Step::Started);
        stage
    }

    fn progress(&self, step: Step) -> StageProgress {
        StageProgress {
            stage: self.name,
            step,
            items: self.items,
            done_items: self.done_items.load(Ordering::Relaxed),
            work: self.work.load(Ordering::Relaxed),
            done_work: self.done_work.load(Ordering::Relaxed),
            started: self.started,
        }
    }

    fn notify(&self, step: Step) {
        self.observer.0.observe(&self.progress(step));
    }

    /// Starts work on a file or one of its members.
    pub(crate) fn begin(&self, path: &str, member: Option<&str>) {
        self.observer.0.at_work(path, member);
    }

    /// Handles one item with this much work.
    pub(crate) fn item<T>(&self, path: &str, work: u64, deal: impl FnOnce() -> T) -> T {
        let _item = self.enter(path, work);
        deal()
    }

    /// Starts one item with this much work; it is done when the value is dropped.
    pub(crate) fn enter(&self, path: &str, work: u64) -> Entered<'_> {
        self.begin(path, None);
        Entered { stage: self, work }
    }

    /// Adds `items` that are done, and their work.
    pub(crate) fn add(&self, items: u64, work: u64) {
        self.done_items.fetch_add(items, Ordering::Relaxed);
        self.done_work.fetch_add(work, Ordering::Relaxed);
        self.notify(Step::Advanced);
    }

    /// Adds `items` that are done without their work, which is subtracted from the total.
    pub(super) fn spare(&self, items: u64, work: u64) {
        let less = |all: u64| Some(all.saturating_sub(work));
        // The closure always returns a number.
        let _ = (self.work).fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        self.add(items, 0);
    }

    /// Tracks one item with this much work through the stage.
    pub(super) fn item_progress(&self, work: u64) -> ItemProgress<'_> {
        ItemProgress {
            stage: self,
            work,
            reported: AtomicU64::new(0),
        }
    }

    /// Ends the stage.
    pub(crate) fn finish(&self) {
        self.notify(Step::Finished);
    }
}

/// Item in progress, counted as done on drop.
#[derive(Debug)]
#[must_use]
pub(crate) struct Entered<'s> {
    stage: &'s Stage<'s>,
    work: u64,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.stage.add(1, self.work);
    }
}

/// Progress of one item, which is counted once.
#[derive(Debug)]
pub(super) struct ItemProgress<'s> {
    stage: &'s Stage<'s>,
    work: u64,
    reported: AtomicU64,
}

impl ItemProgress<'_> {
    /// Sets the completed share of the item, 0 to 1. Smaller values than before are ignored.
    pub(super) fn reach(&self, share: f64) {
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
    pub(super) fn finish(&self) {
        self.advance(1, self.work);
    }

    /// Marks the item as done without work.
    pub(super) fn spare(&self) {
        let reported = self.reported.load(Ordering::Relaxed);
        self.stage.spare(1, self.work.saturating_sub(reported));
    }

    fn advance(&self, items: u64, reached: u64) {
        let before = self.reported.fetch_max(reached, Ordering::Relaxed);
        let more = reached.saturating_sub(before);
        if items > 0 || more > 0 {
            self.stage.add(items, more);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn what_is_left_follows_the_work_and_not_the_items() {
        assert_eq!(time_left(seconds(10), 25, 100), Some(seconds(30)));
        assert_eq!(time_left(seconds(10), 100, 100), Some(seconds(0)));
        assert_eq!(time_left(seconds(1), 25, 100), None);
        assert_eq!(time_left(seconds(10), 0, 100), None);
    }

    #[test]
    fn what_need_not_be_done_is_no_work_and_what_was_cancelled_is_not_done() {
        let seen = Mutex::new(Vec::new());
        let observer = |progress: &StageProgress| {
            let state = (progress.step, progress.percent(), progress.done_items);
            seen.lock().unwrap().push(state);
        };
        let stage = Stage::start(&observer, "convert", 4, 400);
        let items: Vec<ItemProgress<'_>> = (0..4).map(|_| stage.item_progress(100)).collect();
        items[0].spare();
        items[1].reach(0.5);
        items[1].reach(0.2);
        items[1].finish();
        // The last two were not started.
        drop(items);
        stage.finish();
        let expected = [
            (Step::Started, 0, 0),
            (Step::Advanced, 0, 1),
            (Step::Advanced, 16, 1),
            (Step::Advanced, 33, 2),
            (Step::Finished, 33, 2),
        ];
        assert_eq!(*seen.lock().unwrap(), expected);
    }
}
