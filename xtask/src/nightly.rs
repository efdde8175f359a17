//! `cargo xtask nightly`: the long checks, of which `cargo xtask test` has a small variant or none.

use clap::ValueEnum;

use crate::Outcome;
use crate::process::{build_quickly, build_release};
use crate::tally::Tally;
use crate::test::{timed, verdict};
use crate::{engine, gallery, instructions, libraries, properties, release};

/// Run the long checks: engines, collections, other systems, browsers, instruction counts, each library alone.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only these jobs.
    #[arg(value_enum)]
    jobs: Vec<Job>,
    /// Fail when anything is skipped.
    #[arg(long)]
    require_all: bool,
}

/// A job of its own: none needs the outputs of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Job {
    /// Each crate of the library, built without the others and without the program.
    Libraries,
    /// Instruction counts of the samples against those of golden/instructions.
    Instructions,
    /// Projects of all samples in Godot, Blender and Unity.
    Engines,
    /// The gallery in a browser, with 110,000 assets too.
    Browsers,
    /// A shelf of discs on one machine and on Slurm.
    Collections,
    /// The code, the tests and the archives for Windows, macOS and Linux.
    Systems,
    /// Properties of runs, tried exhaustively.
    Properties,
}

impl Job {
    fn checks(self) -> Outcome<Tally> {
        match self {
            Self::Libraries => libraries::checks(),
            Self::Instructions => instructions::checks(&build_quickly()?),
            Self::Engines => {
                build_quickly()?;
                engine::all()
            }
            Self::Browsers => gallery::whole(&build_release()?),
            #[cfg(unix)]
            Self::Collections => crate::collection::whole(&build_release()?),
            #[cfg(not(unix))]
            Self::Collections => {
                let mut tally = Tally::default();
                tally.skip("collections", "they need Unix");
                Ok(tally)
            }
            Self::Systems => release::all(),
            Self::Properties => {
                let mut tally = Tally::default();
                properties::run_all()?;
                tally.check("properties of runs", true);
                Ok(tally)
            }
        }
    }
}

/// Runs the jobs one after the other. One that cannot be run counts as a failure, and the others go on.
///
/// # Errors
/// A check failed, or was skipped where none may be.
pub fn run(arguments: &Arguments) -> Outcome {
    let jobs = match arguments.jobs.as_slice() {
        [] => Job::value_variants(),
        jobs => jobs,
    };
    let mut tally = Tally::default();
    for job in jobs {
        let name = format!("{job:?}").to_lowercase();
        match timed(&name, || job.checks()) {
            Ok(counted) => tally += counted,
            Err(why) => tally.check(format!("{name}: {why}"), false),
        }
    }
    println!("{tally}");
    verdict(&tally, arguments.require_all).map_err(Into::into)
}
