//! What is done of a run while its plan is made.

use crate::convert::SharedWork;
use crate::limits;
use crate::source::known::EarlyHashes;
use crate::source::tree::SourceFile;

/// What a plan leaves to the run that follows it.
#[derive(Debug, Default)]
pub(crate) struct HeadStart {
    /// What converters know of files that they looked into.
    pub(super) work: SharedWork,
    /// Hashes of files that threads without other work began with.
    pub(super) hashes: EarlyHashes,
}

impl HeadStart {
    /// Does a piece of what the run will need of the files of the plan, in idle time; false when there is nothing left that
    /// nobody else is at.
    pub(super) fn gain(&self, files: &[SourceFile]) -> bool {
        limits::in_idle_time(rayon::current_num_threads(), || {
            self.hashes.take_some(files)
        })
    }
}
