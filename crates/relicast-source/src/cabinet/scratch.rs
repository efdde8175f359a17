//! Temporary files with inflated content.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::Arc;

/// Bytes of members and folders that stay in temporary files, because they are read again soon: for detection,
/// hashing, conversion, and by the files that need them.
const CAPACITY: u64 = 256 << 20;

/// Content that was inflated to a temporary file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inflated {
    /// A member.
    Member(usize),
    /// A folder of Microsoft cabinets.
    Folder(usize),
}

/// Temporary files, the newest last.
#[derive(Debug, Default)]
pub(super) struct Scratch(pub(super) VecDeque<(Inflated, u64, Arc<File>)>);

impl Scratch {
    pub(super) fn get(&mut self, what: Inflated) -> Option<Arc<File>> {
        let place = self.0.iter().position(|(own, ..)| *own == what)?;
        let found = self.0.remove(place)?;
        let file = Arc::clone(&found.2);
        self.0.push_back(found);
        Some(file)
    }

    pub(super) fn keep(&mut self, what: Inflated, size: u64, file: Arc<File>) {
        self.0.push_back((what, size, file));
        // The last one stays at any size: a folder is needed once for each of its members.
        while self.0.len() > 1 && self.0.iter().map(|(_, size, _)| size).sum::<u64>() > CAPACITY {
            self.0.pop_front();
        }
    }
}
