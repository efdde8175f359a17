//! Lists that values of a structure are read into.

use std::ops::Deref;

use smallvec::{Array, SmallVec};

/// A list of values: on the heap, or in place while they are few.
pub trait List<T>: Deref<Target = [T]> + Extend<T> {
    /// Takes out all values.
    fn empty(&mut self);

    /// Bytes of memory that `count` values take beside the list itself.
    fn taken_for(&self, count: usize) -> usize;

    /// Makes room for `count` more values and no others.
    ///
    /// # Errors
    /// There is no memory: why.
    fn make_room(&mut self, count: usize) -> std::result::Result<(), String>;
}

impl<T> List<T> for Vec<T> {
    fn empty(&mut self) {
        self.clear();
    }

    #[inline]
    fn taken_for(&self, count: usize) -> usize {
        count.saturating_mul(size_of::<T>())
    }

    #[inline]
    fn make_room(&mut self, count: usize) -> std::result::Result<(), String> {
        let made = self.try_reserve_exact(count);
        made.map_err(|error| error.to_string())
    }
}

impl<T, A: Array<Item = T>> List<T> for SmallVec<A> {
    fn empty(&mut self) {
        self.clear();
    }

    #[inline]
    fn taken_for(&self, count: usize) -> usize {
        match count <= self.inline_size() {
            true => 0,
            false => count.saturating_mul(size_of::<T>()),
        }
    }

    #[inline]
    fn make_room(&mut self, count: usize) -> std::result::Result<(), String> {
        let made = self.try_reserve_exact(count);
        made.map_err(|error| error.to_string())
    }
}
