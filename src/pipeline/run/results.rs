//! Results of finished files, until the run ends.
//!
//! Rows of manifest and report are small, numerous and long-lived, while other allocations of a thread are
//! freed. In place, they would be scattered and hold the memory around them: with eight threads as much again
//! as their own size. So a thread that allocates nothing else copies them, which places them together.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SendError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::file::FileResult;
use crate::pipeline::report::manifest::{ManifestOutput, ManifestSource};

/// File, by its index in the plan, with its result.
pub(super) type Done = (usize, FileResult);

/// Collects the results of `count` files that `work` sends, in any order.
pub(super) fn gather(count: usize, work: impl FnOnce(&(dyn Fn(Done) + Sync))) -> Vec<Done> {
    // If no thread can be started, they are not copied. Neither is the last one, because nothing is allocated
    // after it.
    let unmoved = Mutex::new(Vec::new());
    let left = AtomicUsize::new(count);
    let mut moved = thread::scope(|threads| {
        let (sender, receiver) = channel::<Done>();
        let keep = move || receiver.into_iter().map(moved).collect();
        let builder = thread::Builder::new().name("results".to_owned());
        let keeper = builder.spawn_scoped(threads, keep);
        work(&|done| {
            let is_last = left.fetch_sub(1, Ordering::Relaxed) == 1;
            let unsent = match is_last {
                true => Some(done),
                false => sender.send(done).err().map(|SendError(done)| done),
            };
            let mut unmoved = unmoved.lock().unwrap_or_else(PoisonError::into_inner);
            unmoved.extend(unsent);
        });
        drop(sender);
        match keeper.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(moved)) => moved,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Vec::new(),
        }
    });
    moved.extend(unmoved.into_inner().unwrap_or_else(PoisonError::into_inner));
    moved
}

/// Copies a result to memory of its own.
fn moved((index, result): Done) -> Done {
    let mut outputs = result.outputs.clone();
    move_origins(&mut outputs);
    let moved = FileResult {
        report: result.report.clone(),
        unread: result.unread,
        source: result.source.clone(),
        outputs,
        work: result.work.clone(),
    };
    (index, moved)
}

/// Copies the sources of outputs; shared lists stay shared.
fn move_origins(outputs: &mut [ManifestOutput]) {
    let mut last: Option<[Arc<[ManifestSource]>; 2]> = None;
    for output in outputs {
        let [_, new] = match last.take() {
            Some(both) if Arc::ptr_eq(&both[0], &output.origins) => last.insert(both),
            _ => {
                let old = Arc::clone(&output.origins);
                let new = old.to_vec().into();
                last.insert([old, new])
            }
        };
        output.origins = Arc::clone(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: &str, origins: &Arc<[ManifestSource]>) -> ManifestOutput {
        let row = serde_json::json!({
            "path": path, "blake3": "", "size": 1, "kind": "textures", "source": "a", "range": {"start": 0, "end": 1},
            "converter": "", "config_digest": "", "key": ""
        });
        let row: ManifestOutput = serde_json::from_value(row).unwrap();
        ManifestOutput {
            origins: Arc::clone(origins),
            ..row
        }
    }

    #[test]
    fn origins_are_copied_once_for_all_that_share_them() {
        let source = |path: &str| {
            let source = serde_json::json!({"path": path, "size": 1, "blake3": ""});
            serde_json::from_value::<ManifestSource>(source).unwrap()
        };
        let (first, second): (Arc<[_]>, Arc<[_]>) =
            ([source("a")].into(), [source("a"), source("b")].into());
        let mut outputs = [&first, &first, &second].map(|origins| output("x", origins));
        let before = outputs.clone();
        move_origins(&mut outputs);
        assert_eq!(outputs, before);
        assert!(!Arc::ptr_eq(&outputs[0].origins, &first));
        assert!(Arc::ptr_eq(&outputs[0].origins, &outputs[1].origins));
        assert!(!Arc::ptr_eq(&outputs[1].origins, &outputs[2].origins));
        assert_eq!(
            (Arc::strong_count(&first), Arc::strong_count(&second)),
            (3, 2)
        );
    }
}
