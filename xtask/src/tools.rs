//! Programs that tests use when they are there, and how to get them when they are not.

use std::process::{Command, Stdio};

use crate::process::{exists, shown};

/// A program from outside, used by some tests only.
#[derive(Debug)]
pub struct Tool {
    /// Name of the program.
    pub program: &'static str,
    /// What the tests need it for.
    pub purpose: &'static str,
    /// Ways to install it, tried in turn: the package manager and the package.
    packages: &'static [(Manager, &'static str)],
}

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Apt,
    Dnf,
    Brew,
}

/// FLAC's own decoder.
pub const FLAC: Tool = Tool {
    program: "flac",
    purpose: "decodes our FLAC files with the format's own decoder",
    packages: &[
        (Manager::Apt, "flac"),
        (Manager::Dnf, "flac"),
        (Manager::Brew, "flac"),
    ],
};

/// A sound converter with decoders of its own.
pub const SOX: Tool = Tool {
    program: "sox",
    purpose: "decodes the sample's ADPCM sounds independently",
    packages: &[
        (Manager::Apt, "sox"),
        (Manager::Dnf, "sox"),
        (Manager::Brew, "sox"),
    ],
};

/// A browser that draws without a screen.
pub const CHROMIUM: Tool = Tool {
    program: "chromium",
    purpose: "draws glTF files",
    packages: &[(Manager::Apt, "chromium"), (Manager::Dnf, "chromium")],
};

/// Programs that do as well as [`CHROMIUM`].
pub const CHROMIUM_LIKE: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The Godot engine and its importer, without a screen.
pub const GODOT: Tool = Tool {
    program: "godot3-server",
    purpose: "imports our scenes as an engine of games does",
    packages: &[(Manager::Apt, "godot3-server")],
};

impl Manager {
    fn program(self) -> &'static str {
        match self {
            Self::Apt => "apt-get",
            Self::Dnf => "dnf",
            Self::Brew => "brew",
        }
    }

    /// The command that installs a package without asking. Where root's rights are needed, they are
    /// asked for without a password.
    fn install(self, package: &str, sudo: bool) -> Command {
        let mut command = match sudo {
            true => {
                let mut command = Command::new("sudo");
                command.args(["-n", self.program()]);
                command
            }
            false => Command::new(self.program()),
        };
        match self {
            Self::Apt => command.args(["install", "-y", "--no-install-recommends", package]),
            Self::Dnf => command.args(["install", "-y", package]),
            Self::Brew => command.args(["install", package]),
        };
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

impl Tool {
    /// Makes sure that the program is there, installing it when it can be.
    ///
    /// # Errors
    /// It is missing and could not be installed; the message says what to do by hand.
    pub fn ensure(&self) -> Result<(), String> {
        if exists(self.program) {
            return Ok(());
        }
        for &(manager, package) in self.packages {
            if !exists(manager.program()) {
                continue;
            }
            let with_sudo = manager != Manager::Brew && exists("sudo");
            for sudo in [false, true] {
                if sudo && !with_sudo {
                    continue;
                }
                let mut command = manager.install(package, sudo);
                println!(
                    "{} is missing ({}): {}",
                    self.program,
                    self.purpose,
                    shown(&command)
                );
                let installed = command.stderr(Stdio::null()).status();
                if installed.is_ok_and(|status| status.success()) && exists(self.program) {
                    return Ok(());
                }
            }
        }
        Err(format!(
            "`{}` is not installed and could not be installed; it {}. Install the package `{}` and \
             run again",
            self.program,
            self.purpose,
            self.packages
                .first()
                .map_or(self.program, |(_, package)| package)
        ))
    }
}
