//! Counting checks.

use std::fmt::{self, Display};
use std::ops::AddAssign;

/// Numbers of checks that passed, failed and were skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: u64,
    /// Checks that failed.
    pub failed: u64,
    /// Checks that could not be made.
    pub skipped: u64,
    /// Names of failed checks, if they have one: printed again at the end of a long run.
    pub failures: Vec<String>,
}

impl Tally {
    /// Counts a check; a failure is printed at once.
    pub fn check(&mut self, what: impl Display, passed: bool) {
        if passed {
            self.passed += 1;
        } else {
            self.failed += 1;
            eprintln!("FAILED: {what}");
            self.failures.push(what.to_string());
        }
    }

    /// Counts a check that cannot be made and prints why.
    pub fn skip(&mut self, what: impl Display, why: impl Display) {
        self.skipped += 1;
        eprintln!("SKIPPED: {what}: {why}");
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
    }
}

impl Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
            failures,
        } = self;
        for name in failures {
            writeln!(formatter, "FAILED: {name}")?;
        }
        write!(
            formatter,
            "{passed} passed, {failed} failed, {skipped} skipped"
        )
    }
}
