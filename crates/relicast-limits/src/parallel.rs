//! Parallel execution of one unit of work: by its own thread, and by threads that would otherwise be idle.
//!
//! Pool threads that wait for others take up any other work, which would then be counted as this one, and add
//! its memory. So the helpers here are threads of their own, as many as there are idle threads of the pool, and
//! the thread that has the work waits for them and does nothing else.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::budget::{self, WORKERS};
use super::spending;

/// Maps each item to a result, in the order of the items. Helper threads take part while threads of the current pool
/// are idle. Their allocations count for this thread; each of them may use the remaining budget.
pub fn par_map<T: Sync, R: Send>(items: &[T], part: impl Fn(&T) -> R + Sync) -> Vec<R> {
    par_map_with(rayon::current_num_threads(), items, part)
}

/// Runs two functions, in parallel if a helper is available as in [`par_map`], otherwise one after the other.
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
        // The results have the order of the arguments.
        _ => (one(), other()),
    }
}

/// The same with an upper limit of working threads.
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
                // If no thread can be started, this one does everything.
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

/// Items that several threads take in order.
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

    /// Ends the queue when the returned value is dropped, also by a panic.
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
            // Both threads must be here before either continues.
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
        let fails_with = |each: usize| {
            let before = live();
            let done = with_budget(|| {
                par_map_with(usize::MAX, &[(); 4], |()| {
                    reserve(each);
                    count(each, 0);
                });
            });
            // Simulates the memory that the parts would have freed.
            let left = live() - before;
            count(0, usize::try_from(left).unwrap());
            done.err().map(|exceeded| exceeded.to_string())
        };
        assert_eq!(fails_with(share / 8), None);
        // One alone exceeds the budget, and so do all of them together.
        assert!(fails_with(share + 1).unwrap().contains("limits.memory_mib"));
        assert!(fails_with(share / 2).unwrap().contains("limits.memory_mib"));
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
