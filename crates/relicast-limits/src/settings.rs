//! The limits in force, and the error that names the one that was exceeded.

use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Resource limits, so that no input can exhaust the machine. An item that exceeds one fails with an error that names
/// it; no file of a game comes near the defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Largest expansion of a large member of an archive, as a multiple of its stored size.
    pub expansion: u32,
    /// Size of a member of an archive once it is inflated, in MiB.
    pub part_mib: u32,
    /// Largest total size of the members of a cabinet and of those within it, in MiB.
    pub unpacked_mib: u32,
    /// Number of cabinets and archives inside of others that one run opens.
    pub containers: u32,
    /// Length of a stored motion, in seconds.
    pub clip_seconds: u32,
    /// Memory of the run in MiB. One item may take half of it at once.
    pub memory_mib: u32,
}

impl Limits {
    /// The default limits.
    const DEFAULT: Self = Self {
        expansion: 250,
        part_mib: 64,
        unpacked_mib: 16_384,
        containers: 256,
        clip_seconds: 900,
        memory_mib: 512,
    };

    /// Runs work under these limits. They apply to this thread, to the helpers of [`crate::par_map`], and to the
    /// threads of a pool from [`Limits::thread_pool`].
    pub fn scope<T>(self, work: impl FnOnce() -> T) -> T {
        struct Outer(Limits);
        impl Drop for Outer {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _outer = Outer(CURRENT.replace(self));
        work()
    }

    /// Creates a pool of `threads` threads, 0 for one per core, whose work runs under these limits.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn thread_pool(
        self,
        threads: usize,
    ) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("worker-{index}"))
            .start_handler(move |_| CURRENT.set(self))
            .build()
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

thread_local! {
    /// Limits of the current work of this thread.
    static CURRENT: Cell<Limits> = const { Cell::new(Limits::DEFAULT) };
}

/// Bytes of a MiB.
const MIB: usize = 1 << 20;

/// Least memory of a run in MiB; with less, ordinary files would fail.
const MIN_MEMORY: u32 = 64;

/// Inflated size up to which any ratio is allowed: a picture of one color shrinks to nearly nothing.
const SMALL_MEMBER: usize = MIB;

/// Limits of the current work of this thread; the defaults outside of [`Limits::scope`].
pub fn current() -> Limits {
    CURRENT.get()
}

/// Memory that one item may take at once, in bytes.
pub(super) fn item_memory() -> usize {
    (current().memory_mib.max(MIN_MEMORY) as usize).saturating_mul(MIB) / 2
}

/// Largest size of a manifest or a report, in bytes. EverQuest of 1999 needs 22 MiB of the default 256.
pub fn document_text() -> u64 {
    item_memory() as u64
}

/// Memory for reading a manifest or a report, in bytes. It is more than for one item, because rows never wait for
/// permits.
pub fn document_memory() -> usize {
    item_memory() / 2 * 3
}

/// Checks the inflated size of an archive member.
///
/// # Errors
/// It exceeds the settings.
pub fn check_inflated(stored: usize, inflated: usize) -> Result<(), Exceeded> {
    let limits = current();
    let most = (limits.part_mib as usize).saturating_mul(MIB);
    if inflated > most {
        let expected = format!("at most {} MiB (limits.part_mib)", limits.part_mib);
        return Err(Exceeded::new("size", expected, format!("{inflated} bytes")));
    }
    let most = stored.saturating_mul(limits.expansion as usize);
    if inflated > most.max(SMALL_MEMBER) {
        let ratio = limits.expansion;
        let expected = format!("at most {ratio} times the stored size (limits.expansion)");
        let found = format!("{inflated} bytes of {stored}");
        return Err(Exceeded::new("size", expected, found));
    }
    Ok(())
}

/// Checks the length of a stored motion.
///
/// # Errors
/// It exceeds the settings.
pub fn check_seconds(seconds: f32) -> Result<(), Exceeded> {
    let most = current().clip_seconds;
    #[expect(clippy::cast_precision_loss, reason = "a limit need not be exact")]
    let exceeds = seconds > most as f32;
    if !exceeds {
        return Ok(());
    }
    let expected = format!("at most {most} s (limits.clip_seconds)");
    Err(Exceeded::new("seconds", expected, seconds.to_string()))
}

/// An exceeded limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exceeded {
    /// Limited quantity.
    pub field: &'static str,
    /// The limit, and the setting that changes it.
    pub expected: String,
    /// Requested value.
    pub found: String,
}

impl Exceeded {
    fn new(field: &'static str, expected: String, found: String) -> Self {
        Self {
            field,
            expected,
            found,
        }
    }

    /// Work needs `wanted` bytes but may allocate `allowed`.
    pub(super) fn memory(allowed: usize, wanted: usize) -> Self {
        let allowed = allowed / MIB;
        Self::new(
            "memory",
            format!("at most {allowed} MiB for one item (half of limits.memory_mib)"),
            format!("at least {} MiB", wanted.div_ceil(MIB)),
        )
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            expected,
            found,
        } = self;
        write!(formatter, "{field}: expected {expected}, found {found}")
    }
}

impl std::error::Error for Exceeded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_the_setting() {
        let expectation = |fault: Exceeded| fault.expected;
        assert!(
            expectation(check_inflated(1 << 30, 1 << 30).unwrap_err()).contains("limits.part_mib")
        );
        let ratio = check_inflated(8000, 2 << 20).unwrap_err();
        assert!(expectation(ratio).contains("limits.expansion"));
        assert!(check_inflated(1000, 1 << 20).is_ok());
        assert!(expectation(check_seconds(1e9).unwrap_err()).contains("limits.clip_seconds"));
        assert!(check_seconds(f32::NAN).is_ok());
    }
}
