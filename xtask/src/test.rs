//! `cargo xtask test`: everything that is tested, with one summary.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::Outcome;
use crate::process::{cargo, shown};
use crate::tally::Tally;
use crate::{demo, foreign};

/// Runs all tests, the demonstration, and checks with programs from outside.
///
/// # Errors
/// Something could not be run, or a check failed.
pub fn run() -> Outcome {
    let mut tally = Tally::default();
    tally += cargo_test(&["--workspace", "--all-targets"])?;
    tally += cargo_test(&["--workspace", "--doc"])?;
    tally += demo::checks(false)?;
    tally += foreign::checks()?;
    println!("{tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("some tests failed; see above".into()),
    }
}

/// Runs `cargo test` and counts. What a group of tests prints is shown when one of it fails.
fn cargo_test(selection: &[&str]) -> Outcome<Tally> {
    let mut command = cargo();
    command.args(["test", "--no-fail-fast"]).args(selection);
    // Tests that lack their data say so; only this shows what tests that pass print.
    command.args(["--", "--show-output"]);
    println!("{} …", shown(&command));
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut count = Count::default();
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines() {
            count.take(line?);
        }
    }
    let status = child.wait()?;
    if !status.success() && count.tally.failed == 0 {
        // A test that did not build, or that ended its process.
        count.show_group();
        count.tally.failed += 1;
    }
    Ok(count.tally)
}

/// Reads what the test harness prints.
#[derive(Default)]
struct Count {
    tally: Tally,
    group: Vec<String>,
}

impl Count {
    fn take(&mut self, line: String) {
        if let Some(rest) = line.strip_prefix("SKIPPED:") {
            println!("SKIPPED:{rest}");
            self.tally.skipped += 1;
            // The test that says so returns, and the harness takes it for passed.
            self.tally.passed = self.tally.passed.wrapping_sub(1);
        }
        let result = line.strip_prefix("test result: ").map(str::to_owned);
        self.group.push(line);
        if let Some(result) = result {
            self.finish_group(&result);
        }
    }

    fn finish_group(&mut self, result: &str) {
        let number = |label: &str| -> u64 {
            let counts = result.split(['.', ';']).map(str::trim);
            let count = counts.filter_map(|part| part.strip_suffix(label)).next();
            count
                .and_then(|count| count.trim().parse().ok())
                .unwrap_or(0)
        };
        let (passed, failed) = (number(" passed"), number(" failed"));
        self.tally.passed = self.tally.passed.wrapping_add(passed);
        self.tally.failed += failed;
        self.tally.skipped += number(" ignored");
        if failed > 0 {
            self.show_group();
        } else if passed > 0 {
            println!("  {result}");
        }
        self.group.clear();
    }

    fn show_group(&self) {
        for line in &self.group {
            println!("{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_skips_told_apart() {
        let mut count = Count::default();
        for line in [
            "running 3 tests",
            "test a ... ok",
            "SKIPPED: no fixtures",
            "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out",
            "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            count.take(line.to_owned());
        }
        let expected = Tally {
            passed: 3,
            failed: 4,
            skipped: 3,
        };
        assert_eq!(count.tally, expected);
    }
}
