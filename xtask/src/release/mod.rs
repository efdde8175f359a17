//! `cargo xtask release`: archives of the program for every system, with sums, licenses and a list of components.
//!
//! - [`system`] — the systems, and how a program for one of them is run here;
//! - [`builder`] — programs for other systems: a linker and C compiler for all of them, their standard library;
//! - [`profile`] — measurements of what the program does most, for the compiler;
//! - [`archive`] — what is in an archive, packed the same way each time;
//! - [`papers`] — licenses and components of all crates, and whether their rules hold;
//! - [`trial`] — the first five minutes with an archive, on bare systems;
//! - [`windows_tests`] — tests of the Windows program; [`wine`] — what runs it;
//! - [`twice`] — the same program, built in two places.

mod archive;
mod builder;
mod papers;
mod profile;
mod system;
mod trial;
mod twice;
mod windows_tests;
mod wine;

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Outcome;
use crate::process::{remove_folder, target};
use crate::tally::Tally;
use builder::Builder;
use profile::Profiles;
use system::{SYSTEMS, System};

/// Make the archives of a release for Linux, Windows and macOS in target/release-archives, with SHA-256 sums,
/// licenses and components of all crates, and try them on the bare systems that are available.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only these targets: x86_64-unknown-linux-musl, x86_64-pc-windows-gnu …
    #[arg(long = "target", value_name = "TRIPLE")]
    targets: Vec<String>,
    /// Take profiles of the same version from this folder, such as those published with a release, in place of making
    /// them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["check", "trial_only", "windows_tests"])]
    profiles: Option<PathBuf>,
    /// Build without profiles: in half the time, for programs that are slower.
    #[arg(long, conflicts_with_all = ["profiles", "check", "trial_only", "windows_tests"])]
    no_profiles: bool,
    /// Only check that the code builds for the other systems.
    #[arg(long, conflicts_with_all = ["reproducible", "trial_only", "windows_tests"])]
    check: bool,
    /// Only try archives that are there.
    #[arg(long = "try", conflicts_with_all = ["reproducible", "windows_tests"])]
    trial_only: bool,
    /// Only build the program in two folders and compare.
    #[arg(long, conflicts_with = "windows_tests")]
    reproducible: bool,
    /// Only build tests for Windows and run them under Wine: `lib`, PROGRAM of tests/, or PROGRAM::FILTER.
    #[arg(long, value_name = "TESTS", num_args = 0.., default_missing_values = windows_tests::SUITES)]
    windows_tests: Option<Vec<String>>,
}

/// Runs the command.
///
/// # Errors
/// A program could not be built although its tools are here, or a check failed.
pub fn run(arguments: &Arguments) -> Outcome {
    let chosen = chosen(&arguments.targets)?;
    let profiles = match &arguments.profiles {
        // Programs are built in other folders.
        Some(given) if is_same(given, &folder()) => {
            let why =
                "is made afresh, so profiles cannot be taken from it; copy them to another folder";
            return Err(format!("{} {why}", given.display()).into());
        }
        Some(folder) => Profiles::Of(std::path::absolute(folder)?),
        None if arguments.no_profiles => Profiles::None,
        None => Profiles::Made,
    };
    let mut tally = Tally::default();
    if let Some(suites) = &arguments.windows_tests {
        tally += windows_tests::checks(suites)?;
    } else if arguments.reproducible {
        tally += twice::checks(&chosen, &profiles)?;
    } else if arguments.check {
        tally += check(&chosen)?;
    } else {
        if !arguments.trial_only {
            tally += make(&chosen, &profiles)?;
        }
        tally += trial::checks(&chosen, &folder())?;
    }
    println!("{tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("something of the release is wrong; see above".into()),
    }
}

/// Everything of a release but its profiles, which take hours: the code and the program of every system, two builds
/// that are the same, archives that are tried, and tests of the Windows program.
///
/// # Errors
/// A program cannot be run or does not build.
pub fn all() -> Outcome<Tally> {
    let systems: Vec<_> = SYSTEMS.iter().collect();
    let mut tally = check(&systems)?;
    tally += windows_tests::checks(&windows_tests::SUITES.map(str::to_owned))?;
    tally += twice::checks(&systems[..1], &Profiles::None)?;
    tally += make(&systems, &Profiles::None)?;
    tally += trial::checks(&systems, &folder())?;
    Ok(tally)
}

fn check(systems: &[&'static System]) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let what = |system: &System| format!("the code builds for {}", system.title);
    let (mut titles, mut builders) = (Vec::new(), Vec::new());
    for system in systems {
        match Builder::new(system) {
            Ok(builder) => {
                titles.push(what(system));
                builders.push(builder);
            }
            Err(why) => tally.skip(what(system), why),
        }
    }
    // What builds for our own system knows no other.
    let all = match builders.split_first() {
        Some((first, others)) if builders.iter().all(Builder::is_foreign) => {
            first.check_with(others)?
        }
        _ => false,
    };
    for (title, builder) in titles.iter().zip(&builders) {
        // Which of them it is, if any.
        tally.check(title, all || builder.check_with(&[])?);
    }
    Ok(tally)
}

/// Folder of the archives.
fn folder() -> PathBuf {
    target().join("release-archives")
}

/// True if two paths lead to one folder that exists.
fn is_same(one: &Path, other: &Path) -> bool {
    let both = one.canonicalize().ok().zip(other.canonicalize().ok());
    both.is_some_and(|(one, other)| one == other)
}

fn chosen(triples: &[String]) -> Outcome<Vec<&'static System>> {
    if triples.is_empty() {
        return Ok(SYSTEMS.iter().collect());
    }
    let known = |triple: &String| {
        let found = SYSTEMS.iter().find(|system| system.triple == triple);
        found.ok_or_else(|| {
            let all: Vec<_> = SYSTEMS.iter().map(|system| system.triple).collect();
            format!(
                "no release is made for {triple}, only for {}",
                all.join(", ")
            )
            .into()
        })
    };
    triples.iter().map(known).collect()
}

/// Builds and packs programs, and writes the papers and sums beside them.
fn make(systems: &[&'static System], profiles: &Profiles) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let folder = folder();
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    archive::pack_sample(&folder)?;
    let papers = papers::write(&folder, &mut tally)?;
    for system in systems {
        let what = format!("an archive for {}", system.title);
        let builder = match Builder::new(system) {
            Ok(builder) => builder,
            Err(why) => {
                tally.skip(&what, why);
                continue;
            }
        };
        println!("{what} …");
        let profile = profiles.get(system, &builder, &folder)?;
        let profile = match (profile, profiles) {
            (Ok(profile), _) => Some(profile),
            (Err(_), Profiles::None) => None,
            (Err(why), _) => {
                tally.skip(format!("a profile for {}", system.title), why);
                None
            }
        };
        let program = builder.build(profile.as_deref())?;
        let path = archive::pack(system, &program, &papers, &folder)?;
        println!(
            "  {} ({} KB)",
            path.display(),
            fs::metadata(&path)?.len() / 1024
        );
        tally.check(&what, true);
    }
    fs::write(folder.join("SHA256SUMS"), sums(&folder)?)?;
    println!("{}", folder.join("SHA256SUMS").display());
    Ok(tally)
}

/// SHA-256 sums of all files of a folder, as `sha256sum -c` reads them.
fn sums(folder: &Path) -> Outcome<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut lines = String::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digest = Sha256::digest(fs::read(&path)?);
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("{digits}  {name}\n"));
    }
    Ok(lines)
}
