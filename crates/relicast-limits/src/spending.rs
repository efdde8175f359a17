//! Resource use of a run, by stage and kind of asset: processor time, memory allocated, bytes inflated, read and made.
//! For the benchmark: nothing is counted before [`start`]; until then a [`Region`] costs one check of a flag.
//!
//! A thread is in one place at a time. A region inside another one takes over until it ends, so
//! that every figure belongs to one place and the figures can be summed.
//!
//! ```
//! use relicast_limits::spending::{self, Stage};
//!
//! spending::start();
//! let region = spending::enter(Stage::Emit, "textures");
//! region.note(0, 12);
//! drop(region);
//! let spent = spending::spent();
//! assert_eq!(spent[0].kind, "textures");
//! assert_eq!(spent[0].bytes_out, 12);
//! ```

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::allocator;

/// A stage of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Listing, probing, planning.
    Plan,
    /// Reading and hashing sources.
    Read,
    /// Opening, decoding and converting.
    Convert,
    /// Encoding outputs.
    Emit,
    /// Hashing and writing outputs, and the journal.
    Write,
    /// Totals, removal of stale outputs, manifest and report.
    Close,
}

impl Stage {
    /// Label for tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Read => "read",
            Self::Convert => "convert",
            Self::Emit => "emit",
            Self::Write => "write",
            Self::Close => "close",
        }
    }
}

/// Resource use of a kind of asset in a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// The stage.
    pub stage: Stage,
    /// Label of the kind; empty for work without one.
    pub kind: String,
    /// Number of times that the place was entered.
    pub times: u64,
    /// Processor seconds of all threads; 0 where the system does not report them.
    pub seconds: f64,
    /// Bytes of input.
    pub bytes_in: u64,
    /// Bytes of output.
    pub bytes_out: u64,
    /// Bytes that archive members were inflated to.
    pub inflated: u64,
    /// Bytes allocated; 0 when the allocator is not metered.
    pub allocated: u64,
    /// Peak memory of one entry into the outermost region, in this stage.
    pub peak: u64,
}

/// The same, while it is being counted.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    times: u64,
    nanoseconds: u64,
    bytes_in: u64,
    bytes_out: u64,
    inflated: u64,
    allocated: u64,
    peak: u64,
}

/// A stage and the label of a kind.
pub(super) type Place = (Stage, &'static str);

static IS_ON: AtomicBool = AtomicBool::new(false);
static SUMS: Mutex<BTreeMap<Place, Sum>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// Bytes that this thread inflated so far.
    static INFLATED: Cell<u64> = const { Cell::new(0) };
    /// The current place of this thread, and its counters at the start.
    static CURRENT: Cell<Option<Open>> = const { Cell::new(None) };
}

#[derive(Debug, Clone, Copy)]
struct Open {
    place: Place,
    /// Memory of the thread when the outermost region was entered.
    base: isize,
    nanoseconds: u64,
    allocated: u64,
    inflated: u64,
}

impl Open {
    /// Starts counting for a place.
    fn now(place: Place, base: isize) -> Self {
        allocator::restart_peak();
        Self {
            place,
            base,
            nanoseconds: thread_time(),
            allocated: allocator::taken(),
            inflated: INFLATED.get(),
        }
    }

    /// Adds the resources used since the start.
    fn charge(self, times: u64) {
        let peak = allocator::peak().saturating_sub(self.base);
        let sum = Sum {
            times,
            nanoseconds: thread_time().saturating_sub(self.nanoseconds),
            inflated: INFLATED.get().wrapping_sub(self.inflated),
            allocated: allocator::taken().wrapping_sub(self.allocated),
            peak: u64::try_from(peak).unwrap_or_default(),
            ..Sum::default()
        };
        add(self.place, sum);
    }
}

/// Starts counting.
pub fn start() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// Counts bytes that an archive member was inflated to.
pub fn inflated(bytes: usize) {
    INFLATED.set(INFLATED.get().wrapping_add(bytes as u64));
}

/// A section of this thread's work that is counted for a place until it is dropped.
#[derive(Debug)]
#[must_use = "resources are counted until the region is dropped"]
pub struct Region {
    /// Place that the thread was in before; `None` when nothing is counted.
    outer: Option<Option<Open>>,
    place: Place,
}

/// Current place of this thread; `None` when nothing is counted.
pub(super) fn place() -> Option<Place> {
    CURRENT.get().map(|open| open.place)
}

/// Counts the work of this thread for a stage and a kind; with an empty kind, for the kind of the outer region.
pub fn enter(stage: Stage, kind: &'static str) -> Region {
    if !IS_ON.load(Ordering::Relaxed) {
        return Region {
            outer: None,
            place: (stage, kind),
        };
    }
    let outer = CURRENT.get();
    if let Some(outer) = outer {
        outer.charge(0);
    }
    let kind = match (kind, outer) {
        ("", Some(outer)) => outer.place.1,
        _ => kind,
    };
    let base = outer.map_or_else(allocator::live, |outer| outer.base);
    let place = (stage, kind);
    CURRENT.set(Some(Open::now(place, base)));
    Region {
        outer: Some(outer),
        place,
    }
}

impl Region {
    /// Adds bytes of input and output.
    pub fn note(&self, bytes_in: u64, bytes_out: u64) {
        if self.outer.is_some() {
            let sum = Sum {
                bytes_in,
                bytes_out,
                ..Sum::default()
            };
            add(self.place, sum);
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let Some(outer) = self.outer else { return };
        if let Some(own) = CURRENT.get() {
            own.charge(1);
        }
        CURRENT.set(outer.map(|outer| Open::now(outer.place, outer.base)));
    }
}

fn add(place: Place, more: Sum) {
    let mut sums = SUMS.lock().unwrap_or_else(PoisonError::into_inner);
    let sum = sums.entry(place).or_default();
    sum.times += more.times;
    sum.nanoseconds += more.nanoseconds;
    sum.bytes_in += more.bytes_in;
    sum.bytes_out += more.bytes_out;
    sum.inflated += more.inflated;
    sum.allocated += more.allocated;
    sum.peak = sum.peak.max(more.peak);
}

/// Resource use of regions that have ended, by stage and kind.
pub fn spent() -> Vec<Spent> {
    let sums = SUMS.lock().unwrap_or_else(PoisonError::into_inner);
    let row = |(&(stage, kind), sum): (&Place, &Sum)| Spent {
        stage,
        kind: kind.to_owned(),
        times: sum.times,
        seconds: seconds(sum.nanoseconds),
        bytes_in: sum.bytes_in,
        bytes_out: sum.bytes_out,
        inflated: sum.inflated,
        allocated: sum.allocated,
        peak: sum.peak,
    };
    sums.iter().map(row).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a time for display")]
fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

/// Processor seconds of this process so far; 0 where the system does not report them.
pub fn process_seconds() -> f64 {
    #[cfg(unix)]
    let nanoseconds = of_clock(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    let nanoseconds = 0;
    seconds(nanoseconds)
}

/// Processor time of this thread in nanoseconds; 0 where the system does not report it.
fn thread_time() -> u64 {
    #[cfg(unix)]
    let nanoseconds = of_clock(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    let nanoseconds = 0;
    nanoseconds
}

#[cfg(unix)]
fn of_clock(clock: rustix::time::ClockId) -> u64 {
    let time = rustix::time::clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let rest = u64::try_from(time.tv_nsec).unwrap_or_default();
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spent: &[Spent], stage: Stage, kind: &str) -> Spent {
        let mut rows = spent.iter();
        let found = rows.find(|row| row.stage == stage && row.kind == kind);
        found.unwrap().clone()
    }

    #[test]
    fn what_is_inside_of_a_region_counts_for_the_inner_one_alone() {
        start();
        let outer = enter(Stage::Convert, "outer kind");
        inflated(5);
        let inner = enter(Stage::Emit, "");
        inflated(7);
        inner.note(1, 2);
        drop(inner);
        inflated(11);
        drop(outer);
        // Outside of regions nothing is counted.
        inflated(13);
        let spent = spent();
        let outer = of(&spent, Stage::Convert, "outer kind");
        let inner = of(&spent, Stage::Emit, "outer kind");
        assert_eq!((outer.times, outer.inflated), (1, 16));
        assert_eq!((inner.times, inner.inflated), (1, 7));
        assert_eq!((inner.bytes_in, inner.bytes_out), (1, 2));
    }

    #[cfg(unix)]
    #[test]
    fn a_region_has_the_processor_time_of_its_own_thread() {
        start();
        let region = enter(Stage::Read, "kind of a busy thread");
        let mut left = 3_000_000_u64;
        while std::hint::black_box(left) > 0 {
            left -= 1;
        }
        drop(region);
        let spent = of(&spent(), Stage::Read, "kind of a busy thread");
        assert!(spent.seconds > 0.0);
        assert!(spent.seconds <= process_seconds());
    }
}
