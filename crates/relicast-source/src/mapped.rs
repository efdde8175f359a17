//! A file mapped into memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use memmap2::{Mmap, MmapOptions};

use super::guard::Watch;
use relicast_limits as limits;

/// The error of a mapping, with what to do when the process may not have so many addresses.
fn too_large(error: io::Error, length: usize) -> io::Error {
    if error.kind() != io::ErrorKind::OutOfMemory {
        return error;
    }
    let found = length.div_ceil(1 << 20);
    let most = limits::current().memory_mib;
    let text = format!(
        "the system does not let this process map {found} MiB (limits.memory_mib is {most}); raise its limit of \
         addresses (ulimit -v)"
    );
    io::Error::new(io::ErrorKind::OutOfMemory, text)
}

/// Part of a file, mapped for reading. What of it cannot be read is zeros, and a [fault](Self::fault).
#[derive(Debug)]
pub struct Mapped {
    // Dropped first: what is unmapped must not be watched.
    watch: Watch,
    map: Mmap,
    /// Bytes of small parts that were passed since the system was last told.
    passed: AtomicUsize,
}

/// Mappings up to this size stay in memory when they were passed: they are small beside what becomes of
/// them.
pub(super) const SMALL: usize = 4 << 20;

/// The system is told of so many bytes at once: each time stops all threads for a moment.
const TOLD: usize = 1 << 20;

/// Distance of bytes of which one lies in every page, whatever the size of pages.
const PAGE: usize = 4096;

impl Mapped {
    /// Maps `length` bytes of a file from `offset` on; at least one, and no more than there are.
    ///
    /// # Errors
    /// They cannot be mapped.
    pub(super) fn new(file: &File, offset: u64, length: usize) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        options.offset(offset).len(length);
        // SAFETY: the mapping is read-only and private to this process. Its one hazard is another
        // program that changes or cuts the file meanwhile. Bytes are only ever parsed as data, so changed
        // bytes give other values but break no invariant of a type; of bytes that are gone, `Watch` makes
        // zeros and remembers it, and what was made from them is thrown away.
        #[expect(unsafe_code, reason = "the safety comment above")]
        let map = unsafe { options.map(file) }.map_err(|error| too_large(error, length))?;
        let watch = Watch::new(map.as_ptr().expose_provenance(), map.len())?;
        let passed = AtomicUsize::new(0);
        Ok(Self { watch, map, passed })
    }

    /// The first byte that could not be read, when there was one.
    pub(super) fn fault(&self) -> Option<usize> {
        self.watch.fault()
    }

    /// Touches every page of `part`. Faults are only detected for reads by this process, and not for system
    /// calls that read from the mapping.
    pub(super) fn touch(part: &[u8]) {
        let pages = part.iter().step_by(PAGE).chain(part.last());
        for byte in pages {
            std::hint::black_box(*byte);
        }
    }

    /// Lets the system take the memory of `part` back until it is looked at again, when this is large. Of small parts it
    /// is told when there are many; it may take the memory of all bytes then.
    pub(super) fn release(&self, part: &[u8]) {
        let start = part.as_ptr().addr().checked_sub(self.map.as_ptr().addr());
        let Some(start) = start.filter(|start| *start < self.map.len()) else {
            return;
        };
        if self.map.len() > SMALL {
            let (start, length) = match part.len() {
                TOLD.. => (start, part.len().min(self.map.len() - start)),
                small => {
                    let passed = self.passed.fetch_add(small, Ordering::Relaxed);
                    if passed.saturating_add(small) < TOLD {
                        return;
                    }
                    self.passed.store(0, Ordering::Relaxed);
                    (0, self.map.len())
                }
            };
            // SAFETY: the mapping is never written through, so pages that the system drops are read again
            // from the file when they are needed, or are zeros again where it could not be read.
            #[expect(unsafe_code, reason = "the safety comment above")]
            let advised = unsafe {
                self.map
                    .unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, length)
            };
            // Advice that is not taken costs memory and nothing else.
            advised.ok();
        }
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}
