//! One piece of work, done by several threads: the one that has it, and such as would have none.
//!
//! Threads of a pool that wait for others take up whatever other work there is, which would then be counted as this, and need
//! its memory beside it. So the helpers here are threads of their own, as many as there are threads of the pool without
//! work, and whoever has the work waits for them and does nothing else.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::budget::{self, WORKERS};
use super::spending;

/// Does a part of the work for each item, and returns the results in the order of the items. Threads help that the current
/// pool has no work for. What they take counts as if this thread took it; each of them may take what is left of the budget.
pub fn par_map<T: Sync, R: Send>(items: &[T], part: impl Fn(&T) -> R + Sync) -> Vec<R> {
    par_map_with(rayon::current_num_threads(), items, part)
}

/// Does two things, side by side where a thread helps as of [`par_map`], and one after the other elsewhere.
pub fn join<A: Send, B: Send>(one: impl Fn() -> A + Sync, other: impl Fn() -> B + Sync) -> (A, B) {
    enum Made<A, B> {
        One(A),
        Other(B),
    }
    let made = par_map(&[true, false], |is_one| {
        if *is_one {
            Made::One(one())
        } else {
            Made::Other(other())
        }
    });
    match <[Made<A, B>; 2]>::try_from(made) {
        Ok([Made::One(one), Made::Other(other)]) => (one, other),
        // They come in the order of what was asked for.
        _ => (one(), other()),
    }
}

/// The same with so many threads at work at most, whatever they are at.
fn par_map_with<T: Sync, R: Send>(
    most: usize,
    items: &[T],
    part: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let queue = Queue {
        items,
        next: AtomicUsize::new(0),
    };
    let (queue, part) = (&queue, &part);
    let (lent, place) = (budget::lend(), spending::place());
    let mut made = thread::scope(|scope| {
        let _end = queue.end_on_drop();
        let mut helpers = Vec::new();
        let mut made = Vec::with_capacity(items.len());
        while let Some((index, item)) = queue.next() {
            let permit = queue.has_more().then(|| WORKERS.try_acquire(1, most));
            if let Some(permit) = permit.flatten() {
                let work = move || {
                    let _permit = permit;
                    let _end = queue.end_on_drop();
                    let _region = place.map(|(stage, kind)| spending::enter(stage, kind));
                    let items = std::iter::from_fn(|| queue.next());
                    budget::borrowed(lent, || {
                        items
                            .map(|(index, item)| (index, part(item)))
                            .collect::<Vec<_>>()
                    })
                };
                let builder = thread::Builder::new().name("helper".to_owned());
                // Where no thread can be had, this one does everything.
                helpers.extend(builder.spawn_scoped(scope, work));
            }
            made.push((index, part(item)));
        }
        for helper in helpers {
            match helper.join() {
                Ok((helped, taken)) => {
                    made.extend(helped);
                    budget::take_over(taken);
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        made
    });
    made.sort_unstable_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, made)| made).collect()
}

/// Items that several threads take up in their order.
struct Queue<'i, T> {
    items: &'i [T],
    /// Index of the next item.
    next: AtomicUsize,
}

impl<'i, T> Queue<'i, T> {
    fn next(&self) -> Option<(usize, &'i T)> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        Some((index, self.items.get(index)?))
    }

    fn has_more(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.items.len()
    }

    /// Lets nobody take up further items once it is dropped, be it by a panic.
    fn end_on_drop(&self) -> End<'_> {
        End {
            next: &self.next,
            count: self.items.len(),
        }
    }
}

/// Ends a queue on drop.
struct End<'q> {
    next: &'q AtomicUsize,
    count: usize,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.next.fetch_max(self.count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::allocator::{count, live};
    use crate::settings::item_memory;
    use crate::{reserve, with_budget};

    #[test]
    fn what_is_made_comes_in_the_order_of_the_items_and_counts_here() {
        let both = Barrier::new(2);
        let before = live();
        let made = par_map_with(usize::MAX, &[1, 2], |item| {
            // Nobody gets further before two threads are here.
            both.wait();
            count(1000 * item, 0);
            item * 2
        });
        assert_eq!(made, [2, 4]);
        assert_eq!(live() - before, 3000);
        count(0, 3000);
        assert_eq!(par_map_with(0, &[1, 2, 3], |item| item + 1), [2, 3, 4]);
        assert_eq!(par_map(&[(); 0], |()| 1), [0; 0]);
    }

    #[test]
    fn two_things_are_done_once_each() {
        let calls = AtomicUsize::new(0);
        let counted = |made: &'static str| {
            calls.fetch_add(1, Ordering::Relaxed);
            made
        };
        let made = join(|| counted("one"), || counted("other"));
        assert_eq!(made, ("one", "other"));
        assert_eq!(calls.into_inner(), 2);
    }

    #[test]
    fn parts_have_no_more_than_the_work_that_they_are_of() {
        let share = item_memory();
        let given_up = |each: usize| {
            let before = live();
            let done = with_budget(|| {
                par_map_with(usize::MAX, &[(); 4], |()| {
                    reserve(each);
                    count(each, 0);
                });
            });
            // What the parts would have given back.
            let left = live() - before;
            count(0, usize::try_from(left).unwrap());
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
            par_map_with(usize::MAX, &[(); 1000], |()| {
                resume_unwind(Box::new("no"));
            })
        });
        assert_eq!(failed.unwrap_err().downcast_ref(), Some(&"no"));
    }
}
