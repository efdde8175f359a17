//! Profiles: measurements of what a released program does most, for its compiler.
//!
//! A program that counts its branches and calls converts generated installs, `llvm-profdata` (rustup's
//! component llvm-tools) adds up the counts, and the released program is built with the sums. Outputs are the
//! same, in less time. Counts differ a little each time, as hash tables have seeds, so profiles are published
//! with the archives: with the same profile, another machine builds the same program.
//!
//! A system has none if its standard library of Rust cannot count (Windows), or if nothing here runs its
//! programs. Programs for it are built without, which is reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::VERSION;
use super::builder::{Builder, rustc, rustup};
use super::system::{self, System};
use crate::Outcome;
use crate::demo;
use crate::process::{exit_code, remove_folder, run, shown, target};
use relicast_samples::{SampleFile, bulk, bulk_everquest, bulk_small, world, write_files};

/// Size of the EverQuest install that is converted, relative to that of the benchmark.
const INSTALL: f64 = 0.1;
/// The same for containers of small files.
const CONTAINERS: f64 = 0.1;
/// Megabytes of textures, sounds and readers.
const MEGABYTES: f64 = 20.0;
/// Columns and rows of a world.
const WORLD: (u16, u16) = (43, 8);

/// Start of the name of the library that counts, next to the standard library of a system.
const COUNTS: &str = "libprofiler_builtins-";

/// Source of profiles.
#[derive(Debug, Clone)]
pub enum Profiles {
    /// Made here.
    Made,
    /// Profiles of an earlier release, in this folder.
    Of(PathBuf),
    /// There are none: programs are built without.
    None,
}

/// The name of the profile for a system.
pub fn file_name(system: &System) -> String {
    format!("relicast-{VERSION}-{}.profdata", system.triple)
}

impl Profiles {
    /// The profile for a system, written to `folder`; the inner error is the reason if there is none.
    ///
    /// # Errors
    /// A program does not build or run, or a file cannot be written.
    pub fn get(
        &self,
        system: &'static System,
        builder: &Builder,
        folder: &Path,
    ) -> Outcome<Result<PathBuf, String>> {
        match self {
            Self::None => Ok(Err("none is wanted".to_owned())),
            Self::Of(earlier) => take(system, earlier, folder),
            Self::Made => {
                let (sums, runner) = match tools(system) {
                    Ok(tools) => tools,
                    Err(why) => return Ok(Err(why)),
                };
                let path = folder.join(file_name(system));
                make(builder, &sums, runner, &path)?;
                Ok(Ok(path))
            }
        }
    }
}

/// Copies the profile for a system from the folder of an earlier release to `folder`; the inner error is the
/// reason if there is none.
///
/// # Errors
/// It cannot be copied.
pub fn take(system: &System, earlier: &Path, folder: &Path) -> Outcome<Result<PathBuf, String>> {
    let name = file_name(system);
    let earlier = earlier.join(&name);
    if !earlier.is_file() {
        return Ok(Err(format!("no {}", earlier.display())));
    }
    let path = folder.join(name);
    fs::copy(&earlier, &path)?;
    Ok(Ok(path))
}

/// `llvm-profdata`, and the program that starts programs of a system.
///
/// # Errors
/// Why the system has no profile here.
fn tools(system: &System) -> Result<(PathBuf, Option<&'static str>), String> {
    let library = rustc(&["--print", "target-libdir", "--target", system.triple])?;
    if !holds(Path::new(&library), COUNTS) {
        return Err("its standard library of Rust cannot count".to_owned());
    }
    let runner = system.runner()?;
    Ok((sums()?, runner))
}

/// True if a folder has a file whose name starts so.
fn holds(folder: &Path, start: &str) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with(start))
}

/// The program that adds up counts, of the compiler's own LLVM.
///
/// # Errors
/// It is not installed, and rustup cannot install it.
fn sums() -> Result<PathBuf, String> {
    // Programs of the host are next to its standard library.
    let library = PathBuf::from(rustc(&["--print", "target-libdir"])?);
    let name = format!("llvm-profdata{}", std::env::consts::EXE_SUFFIX);
    let program = library.with_file_name("bin").join(name);
    if program.is_file() {
        return Ok(program);
    }
    rustup(&["component", "add", "llvm-tools"])
        .map_err(|why| format!("no llvm-profdata: {why}"))?;
    match program.is_file() {
        true => Ok(program),
        false => Err("no llvm-profdata, even from rustup".to_owned()),
    }
}

/// Builds the program that counts, runs it, and writes the sums to `path`.
fn make(builder: &Builder, sums: &Path, runner: Option<&str>, path: &Path) -> Outcome {
    let folder = target().join("release-profile");
    // All but what was built.
    let clean = || {
        let mut made = ["counts", "made", "out"].into_iter();
        made.try_for_each(|made| remove_folder(&folder.join(made)))
    };
    clean()?;
    let counts = folder.join("counts");
    println!("  building a program that counts its branches and calls …");
    let program = builder.counting(folder.join("products")).build(None)?;
    println!("  made installs are converted …");
    let mut merge = Command::new(sums);
    merge.args(["merge", "--output"]).arg(path);
    for (number, input) in inputs(&folder.join("made"))?.into_iter().enumerate() {
        let counted = counts.join(number.to_string());
        for jobs in ["1", "2"] {
            let out = folder.join("out");
            remove_folder(&out)?;
            let mut convert = system::command(runner, &program);
            convert.arg("convert").arg(&input).arg("--out").arg(&out);
            convert.args(["--jobs", jobs, "--quiet"]);
            convert.stdout(Stdio::null());
            convert.env("LLVM_PROFILE_FILE", counted.join("%p.profraw"));
            // 2: something was skipped or failed, as in samples with damage.
            match exit_code(&mut convert)? {
                Some(0 | 2) => {}
                code => return Err(format!("`{}` ended with {code:?}", shown(&convert)).into()),
            }
        }
        if !holds(&counted, "") {
            return Err("the program that counts has counted nothing".into());
        }
        merge.arg(counted);
    }
    run(&mut merge)?;
    clean()
}

/// Writes the inputs and returns their paths: samples of all games, and smaller versions of the benchmarks'
/// inputs.
fn inputs(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut inputs = Vec::new();
    for sample in demo::samples() {
        sample.write()?;
        inputs.push(sample.input());
    }
    let everquest = folder.join("everquest");
    bulk_everquest::write(&everquest, INSTALL)?;
    inputs.push(everquest);
    let (columns, rows) = WORLD;
    let world = SampleFile {
        path: "zbd/c1/gamez.zbd".to_owned(),
        bytes: world::plain(columns, rows)?,
    };
    for (name, files) in [
        ("install", bulk::files(MEGABYTES)?),
        ("containers", bulk_small::containers(CONTAINERS)?),
        ("world", vec![world]),
    ] {
        let place = folder.join(name);
        write_files(&place, &files)?;
        inputs.push(place);
    }
    Ok(inputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_that_of_its_system_or_none() {
        let [given, folder] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let linux = System::named("x86_64-unknown-linux-musl").unwrap();
        let windows = System::named("x86_64-pc-windows-gnu").unwrap();
        fs::write(given.path().join(file_name(linux)), b"counts").unwrap();
        let taken = take(linux, given.path(), folder.path()).unwrap().unwrap();
        assert_eq!(taken, folder.path().join(file_name(linux)));
        assert_eq!(fs::read(taken).unwrap(), b"counts");
        let why = take(windows, given.path(), folder.path()).unwrap();
        assert!(why.unwrap_err().contains("x86_64-pc-windows-gnu.profdata"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_counts_is_found_by_the_start_of_its_name() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("libstd-1.rlib"), b"").unwrap();
        assert!(!holds(folder.path(), COUNTS) && holds(folder.path(), ""));
        fs::write(folder.path().join("libprofiler_builtins-2.rlib"), b"").unwrap();
        assert!(holds(folder.path(), COUNTS));
        assert!(!holds(&folder.path().join("none"), ""));
    }
}
