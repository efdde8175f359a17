//! Order of work: largest files first, and videos before everything else, but never on all threads while
//! there is other work. A video keeps its thread waiting for ffmpeg for minutes, which must not delay the
//! rest of an install.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Files that are yet to be dealt out.
#[derive(Debug)]
struct Queue {
    videos: VecDeque<usize>,
    others: VecDeque<usize>,
    /// Threads that are at a video.
    busy: usize,
    /// Most of them while there is other work.
    limit: usize,
}

/// A file to work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Job {
    index: usize,
    is_video: bool,
}

impl Queue {
    fn next(&mut self) -> Option<Job> {
        let video_first = self.busy < self.limit || self.others.is_empty();
        let video = video_first.then(|| self.videos.pop_front()).flatten();
        self.busy += usize::from(video.is_some());
        let other = || self.others.pop_front();
        Some(Job {
            is_video: video.is_some(),
            index: video.or_else(other)?,
        })
    }

    fn done(&mut self, job: Job) {
        self.busy -= usize::from(job.is_video);
    }
}

/// Works on every file on the threads of the current pool. `videos` and `others` are dealt out in their
/// order; results come back in any.
pub(super) fn work<T: Send>(
    videos: Vec<usize>,
    others: Vec<usize>,
    run: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = rayon::current_num_threads();
    let count = videos.len() + others.len();
    let queue = Mutex::new(Queue {
        videos: videos.into(),
        others: others.into(),
        busy: 0,
        limit: threads.saturating_sub(1).max(1),
    });
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    (0..threads.min(count))
        .into_par_iter()
        .with_max_len(1)
        .flat_map_iter(|_| {
            let mut done = Vec::new();
            loop {
                let Some(job) = lock().next() else {
                    break done;
                };
                done.push(run(job.index));
                lock().done(job);
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(videos: usize, others: usize, limit: usize) -> Queue {
        Queue {
            videos: (0..videos).collect(),
            others: (100..100 + others).collect(),
            busy: 0,
            limit,
        }
    }

    #[test]
    fn videos_start_first_and_leave_a_thread_for_the_rest() {
        let mut queue = queue(3, 1, 1);
        let first = queue.next().unwrap();
        assert_eq!((first.index, first.is_video), (0, true));
        let second = queue.next().unwrap();
        assert_eq!((second.index, second.is_video), (100, false));
        // Nothing else is left, so everybody may take a video.
        assert_eq!(queue.next().unwrap().index, 1);
        queue.done(first);
        assert_eq!(queue.next().unwrap().index, 2);
        assert_eq!(queue.next(), None);
    }

    #[test]
    fn everything_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let mut done = pool
                .unwrap()
                .install(|| work((0..7).collect(), (7..40).collect(), |index| index));
            done.sort_unstable();
            assert_eq!(done, (0..40).collect::<Vec<_>>());
        }
    }
}
