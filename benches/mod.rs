//! `cargo xtask bench [SUBJECT]…`: speed and memory of the whole program, compared with the targets in
//! docs/performance.md.
//!
//! Method: a sample is written once. The release build converts it into fresh folders, several times, and the fastest
//! run counts, because everything else that the machine does only adds time. The source is in the file cache, because
//! it was
//! just written. Peak memory is read from `/proc` in a run of its own, so that it does not disturb the timing.
//!
//! - A module for each subject. They use [`program`] (runs and times the program), [`mod@print`] (tables and verdicts),
//!   [`scaling`] (one job against two) and [`spending`] (time by stage, and its lower bound), and not each other.

mod animations;
mod cabinets;
mod containers;
mod discs;
mod everquest;
mod imports;
mod install;
mod outputs;
mod pack;
mod plain_gltf;
mod print;
mod program;
mod samples;
mod scaling;
mod spending;
mod world;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::Outcome;
use crate::process::{build_release, build_roofline, remove_folder, target};
use program::Bench;

/// Subject of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// Samples of all games: 1 and 2 jobs, a second run, memory.
    Samples,
    /// Packing of one edited texture.
    Pack,
    /// A large world.
    World,
    /// Animations and their world.
    Animations,
    /// One EverQuest zone.
    Everquest,
    /// A game in InstallShield and Microsoft cabinets.
    Cabinets,
    /// Disc images with music.
    Discs,
    /// A whole EverQuest install: 41,000 members in 360 archives, 200 MB, or the one that `--real` names.
    Install,
    /// Zipper containers of small files, and worlds.
    Containers,
    /// 20,000 and 200,000 outputs.
    Outputs,
    /// Import of a zone by Godot, Blender and three.js.
    Imports,
}

/// Subjects that are measured when none is named.
const USUAL: [Subject; 7] = [
    Subject::Samples,
    Subject::Pack,
    Subject::World,
    Subject::Animations,
    Subject::Everquest,
    Subject::Cabinets,
    Subject::Discs,
];

/// Measure speed and memory of the release build.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Subjects to measure; without one, all up to `discs`.
    #[arg(value_enum, conflicts_with = "everything")]
    subjects: Vec<Subject>,
    /// Measure every subject.
    #[arg(long)]
    everything: bool,
    /// Size of the sample, in units of 100 MB.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Folder for the sample and the outputs [default: target/bench].
    #[arg(long)]
    dir: Option<PathBuf>,
    /// EverQuest install for the subjects `install` and `imports`.
    #[arg(long, value_name = "DIR")]
    real: Option<PathBuf>,
    /// Zone of that install for `imports`.
    #[arg(long, value_name = "NAME", default_value = "gfaydark")]
    zone: String,
    /// Measure this program instead of building one; `relicast-roofline` is taken from the same folder, if it is there.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Rounds for each number of jobs.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

impl Arguments {
    fn subjects(&self) -> Vec<Subject> {
        if self.everything {
            return Subject::value_variants().to_vec();
        }
        if self.subjects.is_empty() {
            USUAL.to_vec()
        } else {
            self.subjects.clone()
        }
    }
}

/// Runs the command.
///
/// # Errors
/// The program does not build or run, or a file cannot be written or read.
pub fn run(arguments: &Arguments) -> Outcome {
    if !(arguments.scale > 0.0 && arguments.scale <= 100.0) {
        return Err("--scale must be greater than 0 and at most 100".into());
    }
    let (program, roofline) = programs(arguments.program.as_deref())?;
    let folder = arguments.dir.clone();
    let folder = folder.unwrap_or_else(|| target().join("bench"));
    for subject in arguments.subjects() {
        let bench = Bench {
            program: program.clone(),
            source: folder.join("source"),
            out: folder.join("out"),
            options: Vec::new(),
            roofline: roofline.clone(),
        };
        let out = bench.out.clone();
        measure(subject, bench, arguments)?;
        remove_folder(&out)?;
    }
    Ok(())
}

/// Paths of `relicast` and of `relicast-roofline`: next to each other, or built here.
fn programs(given: Option<&Path>) -> Outcome<(PathBuf, Option<PathBuf>)> {
    let Some(program) = given else {
        return Ok((build_release()?, Some(build_roofline()?)));
    };
    let program = std::path::absolute(program)?;
    let name = format!("relicast-roofline{}", std::env::consts::EXE_SUFFIX);
    let roofline = program.with_file_name(name);
    Ok((program, Some(roofline).filter(|path| path.is_file())))
}

fn measure(subject: Subject, bench: Bench, arguments: &Arguments) -> Outcome {
    let (scale, rounds) = (arguments.scale, arguments.rounds);
    let real = arguments.real.as_deref();
    match subject {
        Subject::Samples => samples::measure(&bench, scale, rounds),
        Subject::Pack => {
            samples::write(&bench, scale)?;
            pack::measure(&bench, rounds)
        }
        Subject::World => world::measure(&bench, rounds),
        Subject::Animations => animations::measure(&bench, rounds),
        Subject::Everquest => everquest::measure(bench, rounds),
        Subject::Cabinets => cabinets::measure(bench, rounds),
        Subject::Discs => discs::measure(bench, rounds),
        Subject::Install => install::measure(bench, real, scale, rounds),
        Subject::Containers => containers::measure(bench, scale, rounds),
        Subject::Outputs => outputs::measure(bench, scale, rounds),
        Subject::Imports => imports::measure(bench, real, &arguments.zone, rounds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn subjects(options: &[&str]) -> Vec<Subject> {
        let words = ["bench"].iter().chain(options);
        Command::parse_from(words).arguments.subjects()
    }

    #[test]
    fn subjects_are_those_that_are_named_or_the_usual_ones_or_all() {
        assert_eq!(subjects(&["discs"]), [Subject::Discs]);
        assert_eq!(
            subjects(&["world", "pack"]),
            [Subject::World, Subject::Pack]
        );
        assert_eq!(subjects(&[]), USUAL);
        assert_eq!(subjects(&["--everything"]).len(), 11);
    }
}
