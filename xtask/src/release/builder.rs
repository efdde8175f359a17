//! Programs for other systems.
//!
//! Zig brings a C compiler, a linker and the C libraries of all systems (`cargo-zigbuild`, from PyPI). The standard library
//! of Rust for a system comes from rustup (`rustup target add`), or is built from its sources: those of rustup, else those
//! of exactly our compiler's version that Debian has.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::time_of_commit;
use super::system::System;
use crate::Outcome;
use crate::process::{cargo, exists, run, shown, target, workspace};
use crate::python;

/// Builds for one system.
#[derive(Debug)]
pub struct Builder {
    system: &'static System,
    library: Library,
    /// The folder with `cargo-zigbuild`; none where the system is our own.
    zig: Option<PathBuf>,
    /// The root of the sources, and the folder of build products.
    root: PathBuf,
    products: PathBuf,
}

/// Where the standard library comes from.
#[derive(Debug)]
enum Library {
    /// It is installed.
    Installed,
    /// It is built from the sources in this folder, that of `library/Cargo.toml`.
    Sources(PathBuf),
}

impl Builder {
    /// What builds for a system from our own sources, with what it lacks fetched first.
    ///
    /// # Errors
    /// What is missing.
    pub fn of(system: &'static System) -> Result<Self, String> {
        let products = target().join("release-build");
        Self::from(system, workspace().to_owned(), products)
    }

    /// The same from the sources in `root`.
    ///
    /// # Errors
    /// What is missing.
    pub fn from(system: &'static System, root: PathBuf, products: PathBuf) -> Result<Self, String> {
        let is_own = (system.is_windows() && cfg!(windows))
            || (system.is_macos() && cfg!(target_os = "macos"));
        let zig = match is_own {
            true => None,
            false => Some(zig()?),
        };
        Ok(Self {
            system,
            library: library(system.triple)?,
            zig,
            root,
            products,
        })
    }

    /// Cargo, for this system.
    pub fn cargo(&self, verb: &str) -> Command {
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
        let mut places = vec![(self.root.clone(), "relicast"), (cargo_home(), "cargo")];
        if let Library::Sources(folder) = &self.library {
            command.arg("-Zbuild-std=std,panic_unwind,test");
            // The only way to build a standard library with a released compiler.
            command.env("RUSTC_BOOTSTRAP", "1");
            command.env("__CARGO_TESTS_ONLY_SRC_ROOT", folder);
            places.push((folder.clone(), "library"));
        }
        // Where the sources lie is no part of a program.
        let shown = |option: &str| -> Vec<String> {
            let places = places.iter();
            let one = places.map(|(from, to)| format!("{option}={}={to}", from.display()));
            one.collect()
        };
        command.env(
            "CARGO_ENCODED_RUSTFLAGS",
            shown("--remap-path-prefix").join("\u{1f}"),
        );
        // The day that some C code tells of its build is that of the commit.
        let flags = format!("-Wno-date-time {}", shown("-ffile-prefix-map").join(" "));
        command.env("TARGET_CFLAGS", flags);
        command.env("SOURCE_DATE_EPOCH", time_of_commit().to_string());
        command
    }

    /// Whether a program can be linked. macOS has libraries of Apple's that Zig does not bring.
    ///
    /// # Errors
    /// What is missing.
    pub fn links(&self) -> Result<(), String> {
        match self.system.is_macos() && self.zig.is_some() && env::var_os("SDKROOT").is_none() {
            true => Err("linking needs a Mac, or Apple's SDK in SDKROOT".to_owned()),
            false => Ok(()),
        }
    }

    /// Builds the program and gives its place.
    ///
    /// # Errors
    /// It does not build.
    pub fn build(&self) -> Outcome<PathBuf> {
        let mut command = self.cargo("build");
        command.args([
            "--quiet",
            "--release",
            "--package",
            "relicast",
            "--bin",
            "relicast",
        ]);
        command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
        run(&mut command)?;
        let folder = self.products.join(self.system.triple).join("release");
        let program = folder.join(self.system.program());
        match program.is_file() {
            true => Ok(program),
            false => Err(format!("{} was not made", program.display()).into()),
        }
    }

    /// Whether the code builds, without a warning. What the compiler says is shown when not.
    ///
    /// # Errors
    /// Cargo cannot be run.
    pub fn check(&self) -> Outcome<bool> {
        let mut command = self.cargo("check");
        command.args(["--package", "relicast"]);
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

/// The folder with `cargo-zigbuild` and Zig, installed when they are not there.
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

/// Finds the standard library of a system, and fetches it when it is not there.
fn library(triple: &str) -> Result<Library, String> {
    let is_there = || {
        rustc(&["--print", "target-libdir", "--target", triple]).is_ok_and(|folder| {
            let entries = fs::read_dir(folder);
            entries.is_ok_and(|mut entries| entries.next().is_some())
        })
    };
    if is_there() {
        return Ok(Library::Installed);
    }
    if exists("rustup") {
        let mut add = Command::new("rustup");
        add.args(["target", "add", triple]).stdin(Stdio::null());
        let added = add.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if added.is_ok_and(|status| status.success()) && is_there() {
            return Ok(Library::Installed);
        }
    }
    let own = PathBuf::from(rustc(&["--print", "sysroot"])?).join("lib/rustlib/src/rust/library");
    if own.join("Cargo.lock").is_file() {
        return Ok(Library::Sources(own));
    }
    sources_of_debian().map(Library::Sources).map_err(|why| {
        format!("no standard library for {triple}: rustup has none for this machine, and of its sources: {why}")
    })
}

fn rustc(arguments: &[&str]) -> Result<String, String> {
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

/// Fetches the package `rust-src` of the version `$1` from whichever suite of Debian has it, compares its SHA-256 with that
/// in the suite's list, and unpacks it in `$0`.
const FETCH: &str = r#"set -e
mirror=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian|//p' | head -1)
mirror=${mirror:-http://deb.debian.org/debian}
for suite in sid testing stable-backports stable trixie-backports trixie; do
    row=$(curl -fsSL "${mirror%/}/dists/$suite/main/binary-amd64/Packages.xz" | xz -dc | awk -v wanted="$1" '
        /^Package: /  { is_it = ($2 == "rust-src"); version = "" }
        /^Version: /  { version = $2 }
        /^Filename: / { file = $2 }
        /^SHA256: /   { sum = $2 }
        /^$/          { if (is_it && index(version, wanted "+") == 1) print file, sum }' | head -1) || continue
    [ -n "$row" ] || continue
    curl -fsSL "${mirror%/}/${row% *}" -o "$0/rust-src.deb"
    printf '%s  %s\n' "${row#* }" "$0/rust-src.deb" | sha256sum --check --quiet
    dpkg-deb --extract "$0/rust-src.deb" "$0"
    rm "$0/rust-src.deb"
    exit 0
done
echo "no suite of Debian has rust-src $1" >&2
exit 1"#;

/// The sources of the standard library from Debian's package of exactly our compiler's version.
fn sources_of_debian() -> Result<PathBuf, String> {
    let version = rustc(&["--version"])?;
    let version = version.split(' ').nth(1).unwrap_or_default().to_owned();
    let place = target()
        .join("release-tools")
        .join(format!("rust-src-{version}"));
    let library = place.join(format!("usr/src/rustc-{version}/library"));
    if library.join("Cargo.lock").is_file() {
        return Ok(library);
    }
    for program in ["curl", "dpkg-deb", "apt-get"] {
        if !exists(program) {
            return Err(format!(
                "`{program}`, which would fetch them from Debian, is not here"
            ));
        }
    }
    println!(
        "sources of Rust {version} from Debian in {} …",
        place.display()
    );
    let fresh = place.with_extension("making");
    let told = |error: std::io::Error| error.to_string();
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(told)?;
    }
    fs::create_dir_all(&fresh).map_err(told)?;
    let mut fetch = Command::new("bash");
    fetch
        .args(["-c", FETCH])
        .arg(&fresh)
        .arg(&version)
        .stdin(Stdio::null());
    let output = fetch.output().map_err(told)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said
            .lines()
            .last()
            .unwrap_or("they could not be fetched")
            .to_owned());
    }
    fs::rename(&fresh, &place).map_err(told)?;
    match library.join("Cargo.lock").is_file() {
        true => Ok(library),
        false => Err(format!("Debian's package has no {}", library.display())),
    }
}
