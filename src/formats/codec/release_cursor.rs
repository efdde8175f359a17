//! A way through bytes that are too many to stay in memory.

/// Bytes of a run that is told.
const RUN: usize = 1 << 20;

/// Follows a reader through a file, and tells of long runs of bytes that lie behind it.
pub struct ReleaseCursor<'b, 'p> {
    bytes: &'b [u8],
    start: usize,
    passed: &'p dyn Fn(&[u8]),
}

impl std::fmt::Debug for ReleaseCursor<'_, '_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = formatter.debug_struct("Behind");
        debug.field("start", &self.start).finish_non_exhaustive()
    }
}

impl<'b, 'p> ReleaseCursor<'b, 'p> {
    /// At the start of `bytes`.
    pub fn new(bytes: &'b [u8], passed: &'p dyn Fn(&[u8])) -> Self {
        Self {
            bytes,
            start: 0,
            passed,
        }
    }

    /// The reader has come to `offset`, which may also lie before where it was.
    pub fn reach(&mut self, offset: usize) {
        if offset < self.start {
            self.start = offset;
        } else if offset - self.start >= RUN {
            (self.passed)(self.bytes.get(self.start..offset).unwrap_or_default());
            self.start = offset;
        }
    }

    /// The reader is done.
    pub fn finish(self) {
        (self.passed)(self.bytes.get(self.start..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn runs_follow_each_other() {
        let bytes = vec![0; 3 * RUN];
        let told = RefCell::new(Vec::new());
        let passed = |run: &[u8]| told.borrow_mut().push(run.len());
        let mut behind = ReleaseCursor::new(&bytes, &passed);
        for offset in [10, RUN + 1, RUN + 2, 5, RUN + 5, 4 * RUN] {
            behind.reach(offset);
        }
        behind.finish();
        assert_eq!(*told.borrow(), [RUN + 1, RUN, 0, 0]);
    }
}
