//! One piece of work, done by several threads: the one that has it, and such as would be idle.
//!
//! Threads of the pool that wait for others take whatever other work there is, which would then be counted as this, and
//! need its memory beside it. So the helpers here are threads of their own, as many as there are threads of the pool
//! without work, and whoever has the work waits for them and does nothing else.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::busy::Busy;
use super::meter::{self, Lent};
use super::spending;

/// Does a part of the work at hand for each item, and returns what was made in the order of the items. Threads help that
/// the current pool has no work for. What they take counts as if this thread took it; each of them may take what the work
/// at hand may take still.
pub fn spread<T: Sync, R: Send>(items: &[T], part: impl Fn(&T) -> R + Sync) -> Vec<R> {
    spread_over(rayon::current_num_threads(), items, part)
}

/// Does two things, side by side where a thread helps as of [`spread`], and one after the other elsewhere.
pub fn beside<A: Send, B: Send>(
    one: impl Fn() -> A + Sync,
    other: impl Fn() -> B + Sync,
) -> (A, B) {
    enum Made<A, B> {
        One(A),
        Other(B),
    }
    let made = spread(&[true, false], |is_one| match is_one {
        true => Made::One(one()),
        false => Made::Other(other()),
    });
    match <[Made<A, B>; 2]>::try_from(made) {
        Ok([Made::One(one), Made::Other(other)]) => (one, other),
        // They come in the order of what was asked for.
        _ => (one(), other()),
    }
}

/// The same with so many threads at work at most, whatever they are at.
fn spread_over<T: Sync, R: Send>(
    most: usize,
    items: &[T],
    part: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let line = Line {
        items,
        part,
        next: AtomicUsize::new(0),
    };
    let mut made = thread::scope(|scope| {
        let _end = line.end();
        let (lent, place) = (meter::lend(), spending::place());
        let mut helpers = Vec::new();
        let mut made = Vec::with_capacity(items.len());
        while let Some((index, item)) = line.next() {
            let busy = line.has_more().then(|| Busy::beside_others(most)).flatten();
            helpers.extend(busy.and_then(|busy| line.help(scope, lent, place, busy)));
            made.push((index, (line.part)(item)));
        }
        for helper in helpers {
            match helper.join() {
                Ok(helped) => {
                    made.extend(helped.made);
                    meter::take_over(helped.taken);
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        made
    });
    made.sort_unstable_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, made)| made).collect()
}

/// The items, and what is done with each.
struct Line<'i, T, P> {
    items: &'i [T],
    part: P,
    /// Place of the next item.
    next: AtomicUsize,
}

/// What became of a helper.
struct Helped<R> {
    /// What it made of items, by their places.
    made: Vec<(usize, R)>,
    /// What memory it took.
    taken: isize,
}

impl<T: Sync, P> Line<'_, T, P> {
    fn next(&self) -> Option<(usize, &T)> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        Some((index, self.items.get(index)?))
    }

    fn has_more(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.items.len()
    }

    /// Lets nobody take further items when it goes, be it by a panic.
    fn end(&self) -> End<'_> {
        End {
            next: &self.next,
            last: self.items.len(),
        }
    }

    /// A thread that works on items with the others; `None` where none can be had.
    fn help<'s, R: Send + 's>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        lent: Lent,
        place: Option<spending::Place>,
        busy: Busy,
    ) -> Option<ScopedJoinHandle<'s, Helped<R>>>
    where
        P: Fn(&T) -> R + Sync,
    {
        let work = move || {
            let _busy = busy;
            let _end = self.end();
            let _region = place.map(|(stage, kind)| spending::enter(stage, kind));
            let mut made = Vec::new();
            let ((), taken) = meter::borrowed(lent, || {
                while let Some((index, item)) = self.next() {
                    made.push((index, (self.part)(item)));
                }
            });
            Helped { made, taken }
        };
        let builder = thread::Builder::new().name("helper".to_owned());
        builder.spawn_scoped(scope, work).ok()
    }
}

/// The end of a line.
struct End<'l> {
    next: &'l AtomicUsize,
    last: usize,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.next.fetch_max(self.last, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::settings::part_memory;
    use crate::{guarded, room};

    #[test]
    fn what_is_made_comes_in_the_order_of_the_items_and_counts_here() {
        let both = Barrier::new(2);
        let before = meter::live();
        let made = spread_over(usize::MAX, &[1, 2], |item| {
            // Nobody gets further before two threads are here.
            both.wait();
            meter::count_in_test(1000 * item, 0);
            item * 2
        });
        assert_eq!(made, [2, 4]);
        assert_eq!(meter::live() - before, 3000);
        meter::count_in_test(0, 3000);
        assert_eq!(spread_over(0, &[1, 2, 3], |item| item + 1), [2, 3, 4]);
        assert_eq!(spread(&[(); 0], |()| 1), [0; 0]);
    }

    #[test]
    fn two_things_are_done_once_each() {
        let count = AtomicUsize::new(0);
        let counted = |made: &'static str| {
            count.fetch_add(1, Ordering::Relaxed);
            made
        };
        let made = beside(|| counted("one"), || counted("other"));
        assert_eq!(made, ("one", "other"));
        assert_eq!(count.into_inner(), 2);
    }

    #[test]
    fn parts_have_no_more_than_the_work_that_they_are_of() {
        let share = part_memory();
        let given_up = |each: usize| {
            let before = meter::live();
            let done = guarded(|| {
                spread_over(usize::MAX, &[(); 4], |()| {
                    room(each).unwrap_or_else(|exceeded| exceeded.give_up());
                    meter::count_in_test(each, 0);
                });
            });
            // What the parts would have given back.
            let left = meter::live() - before;
            meter::count_in_test(0, usize::try_from(left).unwrap());
            done.err().map(|exceeded| exceeded.to_string())
        };
        assert_eq!(given_up(share / 8), None);
        // One alone is too much, and all of them together.
        assert!(given_up(share + 1).unwrap().contains("limits.memory_mib"));
        assert!(given_up(share / 2).unwrap().contains("limits.memory_mib"));
    }

    #[test]
    fn a_part_that_fails_ends_the_others() {
        let failed = std::panic::catch_unwind(|| {
            spread_over(usize::MAX, &[(); 1000], |()| {
                resume_unwind(Box::new("no"));
            })
        });
        assert_eq!(failed.unwrap_err().downcast_ref(), Some(&"no"));
    }
}
