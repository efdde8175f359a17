//! How memory comes from the system and goes back: in small pages, as soon as the process has more than it
//! may keep, and not before.
//!
//! Memory that is given back is taken again a moment later, page by page, and all threads wait while their
//! tables of pages change; memory that is kept counts beside what the next piece of work takes. So what the
//! process has is looked at whenever a thread has taken a few more megabytes, and only what is beyond
//! a bound is given back. Systems that do not tell what the process has, all but Linux, are left as they are.

/// Bytes up to which the process keeps what is free.
#[cfg(any(target_os = "linux", test))]
const KEPT: usize = 184 << 20;

/// Bytes that the process may grow by, beyond what it needs, before the next attempt to give some back.
#[cfg(any(target_os = "linux", test))]
const SLACK: usize = 8 << 20;

/// What a process may have before free memory is given back, when what it has in use is `needed`.
#[cfg(any(target_os = "linux", test))]
fn ceiling(needed: usize) -> usize {
    needed.saturating_add(SLACK).max(KEPT)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::Cell;
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Bytes that a thread takes between two looks.
    const STEP: u64 = 4 << 20;

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

    pub(super) fn give_back_with(give_back: fn()) -> bool {
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

    #[inline]
    pub(super) fn look(taken: u64) {
        if taken >= DUE.get() {
            look_now(taken);
        }
    }

    #[inline]
    pub(super) fn freed(size: usize) {
        if size as u64 >= STEP {
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

    pub(super) fn use_small_pages<T>(place: &T) -> bool {
        let told = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let address = std::ptr::from_ref(place).addr();
        let Some(range) = (told.lines()).find_map(|line| super::mapping(line, address)) else {
            return false;
        };
        let start = std::ptr::with_exposed_provenance_mut(range.start);
        // SAFETY: the advice changes neither what the pages hold nor whether they can be accessed, so that
        // it may be given for any range of memory; for one that is gone it fails.
        unsafe {
            rustix::mm::madvise(start, range.len(), rustix::mm::Advice::LinuxNoHugepage).is_ok()
        }
    }
}

/// Has `give_back` called whenever the process has more memory than it may keep. `give_back` must not
/// allocate with the metered allocator, as it is called from within. Returns whether that works here.
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "nobody tells what there is")
)]
pub fn give_back_with(give_back: fn()) -> bool {
    #[cfg(target_os = "linux")]
    return linux::give_back_with(give_back);
    #[cfg(not(target_os = "linux"))]
    return false;
}

/// Has the system give the memory around `place`, which the allocator reserved, in small pages. Of huge
/// ones, which the allocator asks for, one byte holds two megabytes. Returns whether that could be said.
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "pages are not advised there")
)]
pub fn use_small_pages<T>(place: &T) -> bool {
    #[cfg(target_os = "linux")]
    return linux::use_small_pages(place);
    #[cfg(not(target_os = "linux"))]
    return false;
}

/// Looks at the process's memory when a thread that has taken `taken` bytes so far is due. Called from the
/// allocator: allocates nothing, and cannot unwind.
#[inline]
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "nobody tells what there is")
)]
pub(super) fn look(taken: u64) {
    #[cfg(target_os = "linux")]
    linux::look(taken);
}

/// Has the thread look at its next request when it gave much memory back to the allocator at once.
#[inline]
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "nobody tells what there is")
)]
pub(super) fn freed(size: usize) {
    #[cfg(target_os = "linux")]
    linux::freed(size);
}

/// The range of a line of `/proc/self/maps`, if it has that address and no file (`proc_pid_maps(5)`).
#[cfg(any(target_os = "linux", test))]
fn mapping(line: &str, address: usize) -> Option<std::ops::Range<usize>> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let number = |text| usize::from_str_radix(text, 16).ok();
    let range = number(start)?..number(end)?;
    let inode = fields.nth(3)?;
    (inode == "0" && range.contains(&address)).then_some(range)
}

/// The second number of a line of `/proc/self/statm`, which is pages in memory (`proc_pid_statm(5)`).
#[cfg(any(target_os = "linux", test))]
fn pages(line: &[u8]) -> Option<usize> {
    let field = line.split(|byte| *byte == b' ').nth(1)?;
    str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_has_room_above_it() {
        assert_eq!(ceiling(0), KEPT);
        assert_eq!(ceiling(KEPT - SLACK), KEPT);
        assert_eq!(ceiling(KEPT), KEPT + SLACK);
        assert_eq!(ceiling(usize::MAX), usize::MAX);
    }

    #[test]
    fn the_second_number_is_pages_in_memory() {
        assert_eq!(pages(b"4521 1203 880 51 0 402 0\n"), Some(1203));
        assert_eq!(pages(b"4521"), None);
        assert_eq!(pages(b"4521 many 880"), None);
    }

    #[test]
    fn the_mapping_around_an_address_is_found_if_it_has_no_file() {
        let heap = "246a4000000-246e4000000 rw-p 00000000 00:00 0 ";
        assert_eq!(
            mapping(heap, 0x246_a400_0010),
            Some(0x246_a400_0000..0x246_e400_0000)
        );
        assert_eq!(mapping(heap, 0x246_e400_0000), None);
        let file = "246a4000000-246e4000000 rw-p 00000000 fe:00 326279 a file";
        assert_eq!(mapping(file, 0x246_a400_0010), None);
        assert_eq!(mapping("", 0), None);
    }
}
