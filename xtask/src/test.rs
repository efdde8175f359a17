//! `cargo xtask test`: everything that is tested, with one summary.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use crate::Outcome;
use crate::process::{cargo, exit_code, shown, tested_program};
use crate::quick_folder::QuickFolder;
use crate::tally::Tally;
use crate::tools::FFMPEG;
use crate::{demo, engine, foreign, gallery, libraries, npm, package, readback};

/// Run all tests and the demonstration, installing what they need.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Fail when anything is skipped.
    #[arg(long)]
    require_all: bool,
}

/// Runs all tests, the demonstration, and checks with programs from outside.
///
/// # Errors
/// Something could not be run, a check failed, or was skipped where none may be.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut tally = Tally::default();
    if let Err(why) = FFMPEG.ensure() {
        tally.skip("videos", why);
    }
    // A test of scenes uses it.
    if let Err(why) = npm::ensure("validator") {
        println!("no validator: {why}");
    }
    let folder = QuickFolder::new();
    timed("build", || build_tests(&folder))?;
    let program = tested_program()?;
    // Each of two parts that run side by side leaves a core idle for a third of its time or more, and neither needs
    // what the other makes.
    let others = || {
        let mut tally = timed("demonstration", || demo::checks(&program, false))?;
        tally += timed("programs from outside", || foreign::checks(&program))?;
        tally += timed("packages", || package::checks(&program))?;
        #[cfg(unix)]
        {
            tally += timed("collections", || crate::collection::checks(&program))?;
        }
        tally += timed("read back", || readback::checks(&program))?;
        tally += timed("library alone", || libraries::check("relicast"))?;
        Ok(tally)
    };
    tally += side_by_side(others, || timed("cargo test", || cargo_test(&folder)))?;
    drop(folder);
    // The browser waits for pictures and sounds to move on, so nothing runs at the same time.
    tally += timed("gallery", || gallery::checks(&program))?;
    tally += timed("engines", || engine::checks(&program))?;
    println!("{tally}");
    verdict(&tally, arguments.require_all).map_err(Into::into)
}

/// Runs a part of it, and prints its time.
pub fn timed<T>(what: &str, part: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let start = Instant::now();
    let result = part()?;
    println!("-- {what}: {} s", start.elapsed().as_secs());
    Ok(result)
}

/// Does two parts of it at the same time. One that fails does not stop the other.
fn side_by_side(
    one: impl FnOnce() -> Outcome<Tally> + Send,
    other: impl FnOnce() -> Outcome<Tally>,
) -> Outcome<Tally> {
    thread::scope(|scope| {
        let one = scope.spawn(|| one().map_err(|error| error.to_string()));
        let other = other();
        let mut tally = one.join().map_err(|_| "a part of the tests panicked")??;
        tally += other?;
        Ok(tally)
    })
}

/// Returns an error unless the run was good.
pub fn verdict(tally: &Tally, require_all: bool) -> Result<(), String> {
    match (tally.failed, tally.skipped) {
        (0, 0) => Ok(()),
        (0, skipped) if require_all => Err(format!(
            "{skipped} skipped, but --require-all allows none; see above"
        )),
        (0, _) => Ok(()),
        (_, _) => Err("some tests failed; see above".to_owned()),
    }
}

/// `cargo test` of everything, with temporary files in a folder.
fn test_command(folder: &QuickFolder, option: &str) -> Command {
    let mut command = cargo();
    command.args(["test", "--workspace", option]);
    folder.set_for(&mut command);
    println!("{} …", shown(&command));
    command
}

/// Builds the tests and the program. The tests themselves report what does not build.
fn build_tests(folder: &QuickFolder) -> Outcome {
    exit_code(test_command(folder, "--no-run").stdout(Stdio::null()))?;
    Ok(())
}

/// Runs `cargo test` and counts. What a group of tests prints is shown when one of it fails.
fn cargo_test(folder: &QuickFolder) -> Outcome<Tally> {
    let mut command = test_command(folder, "--no-fail-fast");
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

/// Part of the reason of ignored tests that another command runs; they are not skipped.
const RUN_ELSEWHERE: &str = "cargo xtask properties";

/// Reads what the test harness prints and shows what matters of it.
struct Count<W> {
    tally: Tally,
    /// Lines of the test program that runs.
    group: Vec<String>,
    /// Ignored tests of it that lack nothing.
    elsewhere: u64,
    shown: W,
}

impl<W: Write> Count<W> {
    fn new(shown: W) -> Self {
        Self {
            tally: Tally::default(),
            group: Vec::new(),
            elsewhere: 0,
            shown,
        }
    }

    fn take(&mut self, line: String) -> io::Result<()> {
        if let Some((_, reason)) = line.split_once("... ignored") {
            if reason.contains(RUN_ELSEWHERE) {
                self.elsewhere += 1;
            } else {
                writeln!(self.shown, "{line}")?;
            }
        }
        if let Some(name) = line.strip_suffix("... FAILED") {
            let name = name.strip_prefix("test ").unwrap_or(name);
            self.tally.failures.push(name.trim_end().to_owned());
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
        self.tally.passed += passed;
        self.tally.failed += failed;
        self.tally.skipped += number(" ignored").saturating_sub(self.elsewhere);
        self.elsewhere = 0;
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
    fn results_are_counted_and_skips_distinguished() {
        let mut count = Count::new(Vec::new());
        for line in [
            "running 6 tests",
            "test a ... ok",
            "test c ... ignored, no ../shared/fixtures/zipper",
            "test d ... ignored, run by `cargo xtask properties`",
            "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out",
            "test b ... FAILED",
            "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            count.take(line.to_owned()).unwrap();
        }
        let expected = Tally {
            passed: 4,
            failed: 4,
            skipped: 1,
            failures: vec!["b".to_owned()],
        };
        assert_eq!(count.tally, expected);
        let shown = String::from_utf8(count.shown).unwrap();
        assert!(shown.contains("test c ... ignored, no ../shared") && shown.contains("test b"));
        assert!(!shown.contains("test a"));
    }

    #[test]
    fn parts_side_by_side_are_both_counted_and_either_fails() {
        let passed = |passed| {
            let mut tally = Tally::default();
            tally.passed += passed;
            tally
        };
        let both = side_by_side(|| Ok(passed(2)), || Ok(passed(3))).unwrap();
        assert_eq!(both, passed(5));
        let failed = side_by_side(|| Err("one".into()), || Ok(passed(3))).unwrap_err();
        assert_eq!(failed.to_string(), "one");
        let failed = side_by_side(|| Ok(passed(2)), || Err("other".into())).unwrap_err();
        assert_eq!(failed.to_string(), "other");
        assert!(side_by_side(|| panic!("no tally"), || Ok(passed(1))).is_err());
    }

    #[test]
    fn a_skip_fails_only_where_none_may_be() {
        let tally = |failed, skipped| Tally {
            passed: 1,
            failed,
            skipped,
            failures: Vec::new(),
        };
        assert_eq!(verdict(&tally(0, 0), true), Ok(()));
        assert_eq!(verdict(&tally(0, 2), false), Ok(()));
        let why = verdict(&tally(0, 2), true).unwrap_err();
        assert!(why.starts_with("2 skipped"), "{why}");
        assert!(verdict(&tally(1, 0), false).is_err());
    }
}
