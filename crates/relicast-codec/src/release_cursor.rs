//! Reading a file that is too large to stay in memory: telling which bytes were read.

/// Shortest run of read bytes that is worth a call, in bytes.
const RUN: usize = 1 << 20;

/// Follows a reader through a file and calls a function with each long run of bytes that the reader has
/// passed, so that their memory can be released.
pub struct ReleaseCursor<'b, 'p> {
    bytes: &'b [u8],
    start: usize,
    passed: &'p dyn Fn(&[u8]),
}

impl std::fmt::Debug for ReleaseCursor<'_, '_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = formatter.debug_struct("ReleaseCursor");
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

    /// Notes that the reader stands at `offset`, which may also lie before its last place.
    pub fn reach(&mut self, offset: usize) {
        if offset < self.start {
            self.start = offset;
        } else if offset - self.start >= RUN {
            (self.passed)(self.bytes.get(self.start..offset).unwrap_or_default());
            self.start = offset;
        }
    }

    /// Passes on what is left of the file: the reader is done.
    pub fn finish(self) {
        (self.passed)(self.bytes.get(self.start..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn passed_runs_follow_each_other() {
        let bytes = vec![0; 3 * RUN];
        let lengths = RefCell::new(Vec::new());
        let passed = |run: &[u8]| lengths.borrow_mut().push(run.len());
        let mut cursor = ReleaseCursor::new(&bytes, &passed);
        for offset in [10, RUN + 1, RUN + 2, 5, RUN + 5, 4 * RUN] {
            cursor.reach(offset);
        }
        cursor.finish();
        assert_eq!(*lengths.borrow(), [RUN + 1, RUN, 0, 0]);
    }
}
