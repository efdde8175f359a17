//! `cargo xtask test`: everything that is tested, with one summary.

use std::io::{self, BufRead, BufReader, Write};
use std::process::Stdio;

use crate::Outcome;
use crate::process::{cargo, shown};
use crate::tally::Tally;
use crate::tools::FFMPEG;
use crate::{demo, foreign, npm, readback};

/// Runs all tests, the demonstration, and checks with programs from outside.
///
/// # Errors
/// Something could not be run, or a check failed.
pub fn run() -> Outcome {
    let mut tally = Tally::default();
    if let Err(why) = FFMPEG.ensure() {
        tally.skip("videos", why);
    }
    // A test of scenes uses it; it says itself when it is skipped.
    if let Err(why) = npm::ensure("validator") {
        println!("no validator: {why}");
    }
    tally += cargo_test(&["--workspace", "--all-targets"])?;
    tally += cargo_test(&["--workspace", "--doc"])?;
    tally += demo::checks(false)?;
    tally += foreign::checks()?;
    tally += readback::checks()?;
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
    let mut count = Count::new(io::stdout());
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines() {
            count.take(line?)?;
        }
    }
    let status = child.wait()?;
    if !status.success() && count.tally.failed == 0 {
        // A test that did not build, or that ended its process.
        count.show_group()?;
        count.tally.failed += 1;
    }
    Ok(count.tally)
}

/// Reads what the test harness prints and shows what matters of it.
struct Count<W> {
    tally: Tally,
    /// Lines of the test program that runs.
    group: Vec<String>,
    /// Tests of it that said to be skipped.
    skipped: u64,
    shown: W,
}

impl<W: Write> Count<W> {
    fn new(shown: W) -> Self {
        Self {
            tally: Tally::default(),
            group: Vec::new(),
            skipped: 0,
            shown,
        }
    }

    fn take(&mut self, line: String) -> io::Result<()> {
        if line.starts_with("SKIPPED:") {
            writeln!(self.shown, "{line}")?;
            self.skipped += 1;
        }
        let result = line.strip_prefix("test result: ").map(str::to_owned);
        self.group.push(line);
        match result {
            Some(result) => self.finish_group(&result),
            None => Ok(()),
        }
    }

    fn finish_group(&mut self, result: &str) -> io::Result<()> {
        let number = |label: &str| -> u64 {
            let counts = result.split(['.', ';']).map(str::trim);
            let count = counts.filter_map(|part| part.strip_suffix(label)).next();
            let count = count.and_then(|count| count.trim().parse().ok());
            count.unwrap_or(0)
        };
        let (passed, failed) = (number(" passed"), number(" failed"));
        // A test that is skipped returns, and the harness takes it for passed.
        self.tally.passed += passed.saturating_sub(self.skipped);
        self.tally.failed += failed;
        self.tally.skipped += self.skipped + number(" ignored");
        self.skipped = 0;
        if failed > 0 {
            self.show_group()?;
        } else if passed > 0 {
            writeln!(self.shown, "  {result}")?;
        }
        self.group.clear();
        Ok(())
    }

    fn show_group(&mut self) -> io::Result<()> {
        for line in &self.group {
            writeln!(self.shown, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_skips_told_apart() {
        let mut count = Count::new(Vec::new());
        for line in [
            "running 3 tests",
            "test a ... ok",
            "SKIPPED: no fixtures",
            "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out",
            "test b ... FAILED",
            "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            count.take(line.to_owned()).unwrap();
        }
        let expected = Tally {
            passed: 3,
            failed: 4,
            skipped: 3,
        };
        assert_eq!(count.tally, expected);
        let shown = String::from_utf8(count.shown).unwrap();
        assert!(shown.contains("SKIPPED: no fixtures") && shown.contains("test b"));
        assert!(!shown.contains("test a"));
    }
}
