//! Test harness of relicast's integration tests.
//!
//! It resembles the built-in one, and has the same arguments. The difference: a test can detect at run time
//! that this machine lacks something it needs, and is then *ignored with a reason* instead of passed.
//! See [`skip`].
//!
//! A test target uses it with `harness = false` in `Cargo.toml`, `relicast_testing::main!();` in its
//! root, and `use relicast_testing::test;` in every file that has tests.

use std::any::Any;
use std::env;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

#[doc(hidden)]
pub use inventory;
pub use relicast_testing_macros::test;

/// A registered test, created by [`macro@test`].
#[derive(Debug)]
pub struct Test {
    /// Path of the module, prefixed with the name of the test target.
    pub module: &'static str,
    /// Name of the function.
    pub name: &'static str,
    /// Reason why the test runs only when ignored tests are requested.
    pub ignored: Option<&'static str>,
    /// Runs the test; it fails by panicking.
    pub run: fn(),
}

inventory::collect!(Test);

/// Return value of a test function.
pub trait TestResult {
    /// Panics if the test failed.
    fn check(self);
}

impl TestResult for () {
    fn check(self) {}
}

impl<E: Debug> TestResult for Result<(), E> {
    fn check(self) {
        if let Err(error) = self {
            panic!("the test returned {error:?}");
        }
    }
}

/// Payload of the panic that [`skip`] unwinds with.
struct Skipped(String);

/// Ends the running test, which is reported as ignored with `reason`. Under another harness the
/// test fails.
///
/// Must be called on the thread of the test.
pub fn skip(reason: impl Into<String>) -> ! {
    // Unlike `panic_any` this prints nothing.
    resume_unwind(Box::new(Skipped(reason.into())))
}

/// The folder of a family of games in `../shared/fixtures`, or in the folder that the environment
/// variable `RELICAST_FIXTURES` names. Skips the running test when it is absent.
pub fn fixtures(family: &str) -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures");
    let root = env::var_os("RELICAST_FIXTURES").map_or_else(|| beside.into(), PathBuf::from);
    let folder = root.join(family);
    if !folder.is_dir() {
        skip(format!("no ../shared/fixtures/{family}"));
    }
    folder
}

/// Number of rounds of a test that tries many variants: `few`, or `many` when the environment variable
/// `RELICAST_THOROUGH` is set, as `cargo xtask properties` does.
pub fn rounds(few: usize, many: usize) -> usize {
    match env::var_os("RELICAST_THOROUGH") {
        Some(_) => many,
        None => few,
    }
}

/// Skips the running test when a program cannot be started with `arguments`.
pub fn needs_program(program: &str, arguments: &[&str]) {
    if Command::new(program).args(arguments).output().is_err() {
        skip(format!("no {program}"));
    }
}

/// Runs the tests of this target, as selected by the arguments of the process. With `RELICAST_SLOW=2` it prints the
/// tests that take two seconds or longer.
pub fn run() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = inventory::iter::<Test>().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(test: &'static Test) -> Trial {
    let modules = test.module.split_once("::").map_or("", |(_, inner)| inner);
    let name = match modules {
        "" => test.name.to_owned(),
        modules => format!("{modules}::{}", test.name),
    };
    let shown = name.clone();
    let run = move || {
        let start = Instant::now();
        let outcome = Outcome::new(test.run);
        if let Some(limit) = env::var_os("RELICAST_SLOW") {
            let limit = limit.to_string_lossy().parse().unwrap_or(1.0);
            let seconds = start.elapsed().as_secs_f64();
            if seconds >= limit {
                eprintln!("slow: {seconds:.1} s {shown}");
            }
        }
        outcome.into()
    };
    let trial = Trial::ignorable_test(name, run);
    trial.with_ignored_flag(test.ignored.is_some())
}

/// Outcome of a test.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
}

impl Outcome {
    fn new(run: fn()) -> Self {
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(()) => Self::Passed,
            Err(payload) => match payload.downcast::<Skipped>() {
                Ok(skipped) => Self::Skipped(skipped.0),
                Err(payload) => Self::Failed(message(&*payload)),
            },
        }
    }
}

impl From<Outcome> for Result<Completion, Failed> {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => Ok(Completion::Completed),
            Outcome::Skipped(reason) => Ok(Completion::ignored_with(reason)),
            Outcome::Failed(message) => Err(message.into()),
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the test panicked").to_owned()
}

/// Entry point of a test target that uses this harness.
#[macro_export]
macro_rules! main {
    () => {
        /// Every test of this harness refers to it, so that no test is registered in a program that would not run it.
        const RELICAST_HARNESS: () = ();

        fn main() -> ::std::process::ExitCode {
            $crate::run()
        }
    };
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Outcome, TestResult, skip};

    #[test]
    fn a_skipped_test_is_ignored_and_says_why() {
        let outcome = Outcome::new(|| skip("no such folder"));
        assert_eq!(outcome, Outcome::Skipped("no such folder".to_owned()));
    }

    #[test]
    fn other_panics_fail_and_ends_pass() {
        let failed = Outcome::new(|| panic!("{} is odd", 3));
        assert_eq!(failed, Outcome::Failed("3 is odd".to_owned()));
        let failed = Outcome::new(|| Err::<(), _>("no").check());
        assert!(matches!(failed, Outcome::Failed(why) if why.contains("no")));
        assert_eq!(Outcome::new(|| Ok::<(), ()>(()).check()), Outcome::Passed);
    }

    /// Without the import `#[test]` is the built-in one, and its function silently disappears.
    #[test]
    fn every_file_with_tests_imports_the_attribute() {
        let mut paths = entries(&workspace().join("tests"));
        let mut files = 0;
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                paths.extend(entries(&path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let imported = text.contains("use relicast_testing::test;")
                    || text.contains("use relicast_testing::{skip, test};");
                let tests = text.contains("#[test]");
                assert!(imported || !tests, "{} lacks it", path.display());
                files += usize::from(tests);
            }
        }
        assert!(files > 150, "only {files} files");
    }

    /// Each further program is linked with everything and runs after the others. A new file of tests is a module of one
    /// of them.
    #[test]
    fn six_programs_have_all_integration_tests_and_this_harness() {
        let mut programs = Vec::new();
        for path in entries(&workspace().join("tests")) {
            assert!(path.is_dir(), "{} is a program of its own", path.display());
            let Ok(text) = fs::read_to_string(path.join("main.rs")) else {
                continue;
            };
            assert!(
                text.contains("relicast_testing::main!();"),
                "{}",
                path.display()
            );
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            programs.push(format!("[[test]]\nname = \"{name}\"\nharness = false\n"));
        }
        assert!(programs.len() <= 6, "{programs:?}");
        let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
        for program in &programs {
            assert!(manifest.contains(program), "Cargo.toml lacks\n{program}");
        }
        assert_eq!(manifest.matches("[[test]]").count(), programs.len());
        for package in entries(&workspace().join("crates")) {
            assert!(
                !package.join("tests").exists(),
                "{} has tests/",
                package.display()
            );
        }
    }

    fn workspace() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}
