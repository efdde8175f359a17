//! The memory of a process as Linux tells it, and its pages.
#![expect(unsafe_code, reason = "advice to the system about pages")]

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a thread takes between two looks. Many threads take so much each before the first of them looks.
const STEP: u64 = 2 << 20;

/// Bytes that are much to be given back to the allocator at once.
const MUCH: usize = 4 << 20;

static WATCH: OnceLock<Watch> = OnceLock::new();

/// Bytes beyond which free memory is given back.
static CEILING: AtomicUsize = AtomicUsize::new(super::KEPT);

thread_local! {
    /// How much the thread will have taken at its next look.
    static DUE: Cell<u64> = const { Cell::new(0) };
}

/// What tells the process's memory, and what gives free memory back.
#[derive(Debug)]
struct Watch {
    /// `/proc/self/statm`.
    told: File,
    /// Bytes of a page.
    page: usize,
    give_back: fn(),
}

impl Watch {
    /// Bytes that the process has in memory.
    fn resident(&self) -> Option<usize> {
        let mut text = [0; 128];
        let length = self.told.read_at(&mut text, 0).ok()?;
        super::pages(text.get(..length)?)?.checked_mul(self.page)
    }
}

/// Has `give_back` called whenever the process has more memory than it may keep. `give_back` must not
/// allocate with the metered allocator, as it is called from within. Returns whether that works here.
pub fn give_back_with(give_back: fn()) -> bool {
    let Ok(told) = File::open("/proc/self/statm") else {
        return false;
    };
    // SAFETY: the call takes a number and returns one.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let Ok(page) = usize::try_from(page) else {
        return false;
    };
    let watch = Watch {
        told,
        page,
        give_back,
    };
    watch.resident().is_some() && WATCH.set(watch).is_ok()
}

/// Looks at the process's memory when a thread that has taken `taken` bytes so far is due. Called from the
/// allocator: allocates nothing, and cannot unwind.
#[inline]
pub(crate) fn look(taken: u64) {
    if taken >= DUE.get() {
        look_now(taken);
    }
}

/// Has the thread look at its next request when it gave much memory back to the allocator at once.
#[inline]
pub(crate) fn freed(size: usize) {
    if size >= MUCH {
        DUE.set(0);
    }
}

#[cold]
fn look_now(taken: u64) {
    DUE.set(taken.saturating_add(STEP));
    let Some(watch) = WATCH.get() else {
        return;
    };
    let Some(resident) = watch.resident() else {
        return;
    };
    let ceiling = CEILING.load(Ordering::Relaxed);
    if resident > ceiling {
        (watch.give_back)();
        let needed = watch.resident().unwrap_or(resident);
        CEILING.store(super::ceiling(needed), Ordering::Relaxed);
    } else if super::ceiling(resident) < ceiling {
        CEILING.store(super::ceiling(resident), Ordering::Relaxed);
    }
}

/// Has the system give the memory around `place`, which the allocator reserved, in small pages. Of huge
/// ones, which some systems give unasked, one byte holds two megabytes. Returns whether that could be said.
pub fn use_small_pages<T>(place: &T) -> bool {
    let told = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let address = std::ptr::from_ref(place).addr();
    let Some(range) = (told.lines()).find_map(|line| super::mapping(line, address)) else {
        return false;
    };
    let start = std::ptr::with_exposed_provenance_mut(range.start);
    // SAFETY: the advice changes neither what the pages hold nor whether they can be accessed, so that
    // it may be given for any range of memory; for one that is gone it fails.
    unsafe { rustix::mm::madvise(start, range.len(), rustix::mm::Advice::LinuxNoHugepage).is_ok() }
}
