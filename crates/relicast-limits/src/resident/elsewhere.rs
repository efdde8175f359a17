//! Systems that do not tell what memory a process has: nothing is looked at, and nothing is asked of them.

/// See `linux.rs`; there is nothing here that it works with.
pub fn give_back_with(_give_back: fn()) -> bool {
    false
}

/// See `linux.rs`; pages are as they are.
pub fn use_small_pages<T>(_place: &T) -> bool {
    false
}

/// See `linux.rs`; there is nothing to look at.
#[inline]
pub(crate) fn look(_taken: u64) {}

/// See `linux.rs`; there is nothing to look at.
#[inline]
pub(crate) fn freed(_size: usize) {}
