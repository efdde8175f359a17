//! Order of work: largest files first, and videos before everything else, but never on all threads while there
//! is other work. A video blocks its thread on ffmpeg for minutes, which must not delay the rest of an install.
//! The number of large files in progress is limited, regardless of the number of threads.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ScopeFifo;

/// Maximum total bytes of files in progress, if there are more than [`ALWAYS`]. A file uses memory while it is
/// in progress: its bytes, those of its dependencies, and the decoded values. With few files in progress, the
/// other threads help with their items, which use little.
const MAX_BYTES_IN_WORK: u64 = 4 << 20;

/// Files that may always be in progress, regardless of their size.
const ALWAYS: usize = 2;

/// Files that are not started.
#[derive(Debug)]
struct Queue {
    videos: VecDeque<usize>,
    others: VecDeque<usize>,
    /// Threads that convert a video.
    busy: usize,
    /// Maximum number of these while there is other work.
    limit: usize,
    /// Files in progress, without videos.
    at_work: usize,
    /// Total bytes of these files.
    held: u64,
    threads: usize,
}

/// File to work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Job {
    index: usize,
    is_video: bool,
    size: u64,
}

impl Queue {
    /// Next file, if the limits allow one.
    fn next(&mut self, size: impl Fn(usize) -> u64) -> Option<Job> {
        if self.busy.saturating_add(self.at_work) >= self.threads {
            return None;
        }
        let video_first = self.busy < self.limit || self.others.is_empty();
        if let Some(index) = video_first.then(|| self.videos.pop_front()).flatten() {
            self.busy += 1;
            return Some(Job {
                index,
                is_video: true,
                size: 0,
            });
        }
        let &index = self.others.front()?;
        let size = size(index);
        let held = self.held.saturating_add(size);
        if self.at_work >= ALWAYS && held > MAX_BYTES_IN_WORK {
            return None;
        }
        self.others.pop_front();
        self.at_work += 1;
        self.held = held;
        Some(Job {
            index,
            is_video: false,
            size,
        })
    }

    fn done(&mut self, job: Job) {
        self.busy -= usize::from(job.is_video);
        self.at_work -= usize::from(!job.is_video);
        self.held = self.held.saturating_sub(job.size);
    }
}

/// Files, their results, and the function to apply.
struct Line<T, S, R> {
    queue: Mutex<(Queue, Vec<T>)>,
    size: S,
    run: R,
}

impl<T, S, R> Line<T, S, R>
where
    T: Send,
    S: Fn(usize) -> u64 + Sync,
    R: Fn(usize) -> T + Sync,
{
    /// Starts as many files as the limits allow; each starts others when it is done.
    fn start<'s>(&'s self, scope: &ScopeFifo<'s>) {
        loop {
            let Some(job) = self.lock().0.next(&self.size) else {
                break;
            };
            scope.spawn_fifo(move |scope| {
                let made = (self.run)(job.index);
                let mut queue = self.lock();
                queue.0.done(job);
                queue.1.push(made);
                drop(queue);
                self.start(scope);
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Queue, Vec<T>)> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Processes every file on the threads of the current pool. `videos` and `others` are started in their order;
/// results arrive in any. `size` returns the bytes of a file.
pub(in crate::pipeline) fn work<T: Send>(
    videos: Vec<usize>,
    others: Vec<usize>,
    size: impl Fn(usize) -> u64 + Sync,
    run: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = rayon::current_num_threads();
    let queue = Queue {
        videos: videos.into(),
        others: others.into(),
        busy: 0,
        limit: threads.saturating_sub(1).max(1),
        at_work: 0,
        held: 0,
        threads,
    };
    let line = Line {
        queue: Mutex::new((queue, Vec::new())),
        size,
        run,
    };
    rayon::scope_fifo(|scope| line.start(scope));
    let (_, made) = line
        .queue
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    made
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn queue(videos: usize, others: usize, limit: usize) -> Queue {
        Queue {
            videos: (0..videos).collect(),
            others: (100..100 + others).collect(),
            busy: 0,
            limit,
            at_work: 0,
            held: 0,
            threads: 4,
        }
    }

    #[test]
    fn videos_start_first_and_leave_a_thread_for_the_rest() {
        let mut queue = queue(3, 1, 1);
        let mut next = || queue.next(|_| 1);
        let first = next().unwrap();
        assert_eq!((first.index, first.is_video), (0, true));
        let second = next().unwrap();
        assert_eq!((second.index, second.is_video), (100, false));
        // There is no other work, so all threads may take a video.
        assert_eq!(next().unwrap().index, 1);
        queue.done(first);
        assert_eq!(queue.next(|_| 1).unwrap().index, 2);
        assert_eq!(queue.next(|_| 1), None);
    }

    #[test]
    fn large_files_wait_until_there_is_room() {
        let sizes = |index: usize| match index {
            100..103 => MAX_BYTES_IN_WORK,
            _ => 1,
        };
        let mut queue = queue(0, 6, 1);
        let large: Vec<Job> = (0..ALWAYS).map(|_| queue.next(sizes).unwrap()).collect();
        assert_eq!(queue.next(sizes), None);
        queue.done(large[0]);
        let third = queue.next(sizes).unwrap();
        assert_eq!((third.index, third.size), (102, MAX_BYTES_IN_WORK));
        queue.done(third);
        // One large file leaves room for one small file and no more.
        assert_eq!(queue.next(sizes).unwrap().index, 103);
        assert_eq!(queue.next(sizes), None);
        queue.done(large[1]);
        assert_eq!(queue.next(sizes).unwrap().index, 104);
        assert_eq!(queue.next(sizes).unwrap().index, 105);
    }

    #[test]
    fn there_are_no_more_files_at_work_than_threads() {
        let mut queue = queue(2, 9, 3);
        let taken = std::iter::from_fn(|| queue.next(|_| 1)).count();
        assert_eq!(taken, 4);
    }

    #[test]
    fn everything_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let run = |index| {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
                index
            };
            let all = || {
                work(
                    (0..7).collect(),
                    (7..40).collect(),
                    |_| MAX_BYTES_IN_WORK,
                    run,
                )
            };
            let mut done = pool.unwrap().install(all);
            done.sort_unstable();
            assert_eq!(done, (0..40).collect::<Vec<_>>());
            assert!(most.into_inner() <= threads);
        }
    }

    #[test]
    fn one_thread_keeps_the_order() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let done = pool
            .unwrap()
            .install(|| work(vec![], (0..9).rev().collect(), |_| 1, |index| index));
        assert_eq!(done, (0..9).rev().collect::<Vec<_>>());
    }
}
