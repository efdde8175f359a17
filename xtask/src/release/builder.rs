//! Programs for other systems.
//!
//! Zig brings a C compiler, a linker and the C libraries of all systems (`cargo-zigbuild`, from PyPI). The standard
//! library of Rust for a system comes from rustup.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::time_of_commit;
use super::system::System;
use crate::Outcome;
use crate::process::{cargo, run, shown, target, workspace};
use crate::python;

/// Flag for C compilers if nothing that they make will run: it takes a fifth of the time.
const UNOPTIMIZED: &str = "-O0";

/// Builds for one system.
#[derive(Debug, Clone)]
pub struct Builder {
    system: &'static System,
    /// The folder with `cargo-zigbuild`; `None` for our own system.
    zig: Option<PathBuf>,
    /// The root of the sources, and the folder of build products.
    root: PathBuf,
    products: PathBuf,
    /// True if programs count what they do, for a profile.
    counts: bool,
}

impl Builder {
    /// Builder for a system from our own sources; fetches what is missing first.
    ///
    /// # Errors
    /// Names what is missing.
    pub fn new(system: &'static System) -> Result<Self, String> {
        let products = target().join("release-build");
        Self::from(system, workspace().to_owned(), products)
    }

    /// The same from the sources in `root`.
    ///
    /// # Errors
    /// Names what is missing.
    pub fn from(system: &'static System, root: PathBuf, products: PathBuf) -> Result<Self, String> {
        let is_own = (system.is_windows() && cfg!(windows))
            || (system.is_macos() && cfg!(target_os = "macos"));
        let zig = match is_own {
            true => None,
            false => Some(zig()?),
        };
        standard_library(system.triple)?;
        Ok(Self {
            system,
            zig,
            root,
            products,
            counts: false,
        })
    }

    /// The same for programs that count what they do, with a folder of build products of its own.
    #[must_use]
    pub fn counting(&self, products: PathBuf) -> Self {
        Self {
            products,
            counts: true,
            ..self.clone()
        }
    }

    /// True if it builds for another system than ours.
    pub fn is_foreign(&self) -> bool {
        self.zig.is_some()
    }

    /// Cargo, for this system.
    pub fn cargo(&self, verb: &str) -> Command {
        self.cargo_with(verb, None)
    }

    /// Cargo, for this system and with a profile.
    fn cargo_with(&self, verb: &str, profile: Option<&Path>) -> Command {
        let mut command = match &self.zig {
            None => {
                let mut command = cargo();
                command.arg(verb);
                command
            }
            Some(folder) => {
                let mut command = Command::new(folder.join("cargo-zigbuild"));
                command.arg(if verb == "build" { "zigbuild" } else { verb });
                command.env("PATH", with_folder(folder));
                command
            }
        };
        command.current_dir(&self.root);
        command.args(["--locked", "--target", self.system.triple]);
        command.env("CARGO_TARGET_DIR", &self.products);
        command.env("CARGO_INCREMENTAL", "0");
        let mut flags = self.without_places("--remap-path-prefix");
        if self.counts {
            flags.push("-Cprofile-generate".to_owned());
        }
        if let Some(profile) = profile {
            flags.push(format!("-Cprofile-use={}", profile.display()));
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        // The day of the build that some C code contains is that of the commit.
        command.env("TARGET_CFLAGS", self.c_flags());
        command.env("SOURCE_DATE_EPOCH", time_of_commit().to_string());
        command
    }

    /// Options that remove the paths of the sources from programs.
    fn without_places(&self, option: &str) -> Vec<String> {
        let places = [(self.root.clone(), "relicast"), (cargo_home(), "cargo")];
        let one = |(from, to): &(PathBuf, &str)| format!("{option}={}={to}", from.display());
        places.iter().map(one).collect()
    }

    /// Flags for C compilers.
    fn c_flags(&self) -> String {
        let places = self.without_places("-ffile-prefix-map").join(" ");
        format!("-Wno-date-time {places}")
    }

    /// Builds the program, with a profile if there is one, and returns its path.
    ///
    /// # Errors
    /// It does not build.
    pub fn build(&self, profile: Option<&Path>) -> Outcome<PathBuf> {
        let links = self.links_itself();
        let mut command = self.cargo_with(if links { "rustc" } else { "build" }, profile);
        command.args([
            "--quiet",
            "--release",
            "--package",
            "relicast",
            "--bin",
            "relicast",
        ]);
        if links {
            command.args(["--", "-Clinker=rust-lld", "-Clinker-flavor=ld.lld"]);
        }
        command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
        run(&mut command)?;
        let folder = self.products.join(self.system.triple).join("release");
        let program = folder.join(self.system.program());
        match program.is_file() {
            true => Ok(program),
            false => Err(format!("{} was not made", program.display()).into()),
        }
    }

    /// True if the compiler's own linker makes the program, because Zig's cannot link the library that
    /// counts. Rust brings all of the C library that a program for Linux contains.
    fn links_itself(&self) -> bool {
        self.counts && self.zig.is_some() && self.system.triple.ends_with("linux-musl")
    }

    /// Checks that the code builds for this system and others, without a warning. Prints the compiler's
    /// messages if not. Build scripts and macros, which run on this machine, are shared with our own builds.
    ///
    /// # Errors
    /// Cargo cannot be run.
    pub fn check_with(&self, others: &[Self]) -> Outcome<bool> {
        let mut command = self.cargo("check");
        command.args(["--package", "relicast"]);
        for other in others {
            command.args(["--target", other.system.triple]);
        }
        command.env("CARGO_TARGET_DIR", target());
        command.env("TARGET_CFLAGS", format!("{} {UNOPTIMIZED}", self.c_flags()));
        let output = command.stdin(Stdio::null()).output();
        let output =
            output.map_err(|error| format!("cannot run `{}`: {error}", shown(&command)))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let is_clean = output.status.success() && !said.contains("warning: `relicast`");
        if !is_clean {
            eprintln!("{said}");
        }
        Ok(is_clean)
    }
}

/// The folder with `cargo-zigbuild` and Zig, installed if they are missing.
fn zig() -> Result<PathBuf, String> {
    let interpreter = python::ensure("release")
        .map_err(|error| format!("no linker for other systems (cargo-zigbuild): {error}"))?;
    interpreter
        .parent()
        .map(Path::to_owned)
        .ok_or_else(|| "no folder of programs of Python".to_owned())
}

fn with_folder(folder: &Path) -> OsString {
    let before = env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_owned()).chain(env::split_paths(&before));
    env::join_paths(all).unwrap_or(before)
}

fn cargo_home() -> PathBuf {
    let given = env::var_os("CARGO_HOME").map(PathBuf::from);
    given
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
        .unwrap_or_default()
}

/// Makes sure that the standard library of a system is installed.
///
/// # Errors
/// It is missing, and rustup cannot install it.
fn standard_library(triple: &str) -> Result<(), String> {
    let is_there = || {
        rustc(&["--print", "target-libdir", "--target", triple]).is_ok_and(|folder| {
            let entries = fs::read_dir(folder);
            entries.is_ok_and(|mut entries| entries.next().is_some())
        })
    };
    if is_there() {
        return Ok(());
    }
    rustup(&["target", "add", triple])
        .map_err(|why| format!("no standard library for {triple}: {why}"))?;
    match is_there() {
        true => Ok(()),
        false => Err(format!(
            "no standard library for {triple}, even from rustup"
        )),
    }
}

/// Installs something with rustup.
///
/// # Errors
/// It cannot be run, or it fails; the error is its last message.
pub fn rustup(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("rustup");
    let output = command.args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`rustup` cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let why = said.lines().rfind(|line| !line.trim().is_empty());
    Err(format!(
        "rustup cannot install it: {}",
        why.unwrap_or_default()
    ))
}

/// Version that the compiler prints.
///
/// # Errors
/// It cannot be run, or does not print a version.
pub fn rustc(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("rustc");
    command.args(arguments).current_dir(workspace());
    let output = command
        .output()
        .map_err(|error| format!("cannot run `rustc`: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!("`{}` failed", shown(&command))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_counts_or_has_a_profile_when_that_is_wanted() {
        let system = System::named("x86_64-unknown-linux-musl").unwrap();
        let builder = Builder {
            system,
            zig: Some(PathBuf::from("zig")),
            root: PathBuf::from("root"),
            products: PathBuf::from("products"),
            counts: false,
        };
        let flags = |builder: &Builder, profile: Option<&Path>| -> Vec<String> {
            let command = builder.cargo_with("build", profile);
            let flags = command
                .get_envs()
                .find(|(name, _)| *name == "CARGO_ENCODED_RUSTFLAGS");
            let flags = flags.unwrap().1.unwrap().to_str().unwrap();
            let own = flags.split('\u{1f}');
            own.filter(|flag| flag.starts_with("-C"))
                .map(str::to_owned)
                .collect()
        };
        assert!(flags(&builder, None).is_empty() && !builder.links_itself());
        let profile = flags(&builder, Some(Path::new("a/b.profdata")));
        assert_eq!(profile, ["-Cprofile-use=a/b.profdata"]);
        let counting = builder.counting(PathBuf::from("others"));
        assert_eq!(flags(&counting, None), ["-Cprofile-generate"]);
        assert!(counting.links_itself());
    }
}
