//! Programs that tests use if they are installed, and ways to install them: `cargo xtask tools`.

use std::process::{Command, Stdio};

use crate::process::{exists, shown};
use crate::{Outcome, python};

/// Install what the tests use: programs, and Blender 4.2 and 5.0 as modules of Python.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only these, such as ffmpeg, sox or blender-4.2.
    names: Vec<String>,
}

/// All programs; [`CHROMIUM_LIKE`] has others that will do.
const ALL: [&Tool; 11] = [
    &FLAC,
    &SOX,
    &FFMPEG,
    &CHROMIUM,
    &GODOT,
    &SLURM,
    &MUNGE,
    &VALGRIND,
    &WINE,
    &QEMU_ARM64,
    &BUSYBOX,
];

/// Folders of xtask/ with packages of Python that are installed too.
const PACKAGES: [&str; 2] = ["blender-4.2", "blender-5.0"];

/// Runs the command. One that cannot be installed does not keep the others from it.
///
/// # Errors
/// A name is unknown, or a tool could not be installed.
pub fn run(arguments: &Arguments) -> Outcome {
    let known = ALL.iter().map(|tool| tool.program).chain(PACKAGES);
    let known: Vec<&str> = known.collect();
    if let Some(name) = arguments
        .names
        .iter()
        .find(|name| !known.contains(&&***name))
    {
        return Err(format!("no tool {name}; the tools are {}", known.join(", ")).into());
    }
    let is_wanted = |name: &str| {
        arguments.names.is_empty() || arguments.names.iter().any(|wanted| wanted == name)
    };
    let mut missing = Vec::new();
    let mut note = |name: &str, result: Result<(), String>| match result {
        Ok(()) => println!("{name}: installed"),
        Err(why) => {
            println!("{name}: {why}");
            missing.push(name.to_owned());
        }
    };
    for tool in ALL.into_iter().filter(|tool| is_wanted(tool.program)) {
        note(tool.program, tool.ensure());
    }
    for name in PACKAGES.into_iter().filter(|name| is_wanted(name)) {
        let installed = python::ensure(name).map(|_| ());
        note(name, installed.map_err(|why| why.to_string()));
    }
    match missing.as_slice() {
        [] => Ok(()),
        missing => Err(format!("not installed: {}", missing.join(", ")).into()),
    }
}

/// A program from outside, used by some tests only.
#[derive(Debug)]
pub struct Tool {
    /// Name of the program.
    pub program: &'static str,
    /// Purpose in the tests.
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

/// Decodes and encodes videos.
pub const FFMPEG: Tool = Tool {
    program: "ffmpeg",
    purpose: "converts videos",
    packages: &[
        (Manager::Apt, "ffmpeg"),
        (Manager::Dnf, "ffmpeg-free"),
        (Manager::Brew, "ffmpeg"),
    ],
};

/// A browser that draws without a screen.
pub const CHROMIUM: Tool = Tool {
    program: "chromium",
    purpose: "draws glTF files",
    packages: &[(Manager::Apt, "chromium"), (Manager::Dnf, "chromium")],
};

/// Alternatives to [`CHROMIUM`].
pub const CHROMIUM_LIKE: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The Godot engine and its importer, without a screen.
pub const GODOT: Tool = Tool {
    program: "godot3-server",
    purpose: "imports our scenes as an engine of games does",
    packages: &[(Manager::Apt, "godot3-server")],
};

/// A scheduler of clusters: controller, node daemons and commands.
pub const SLURM: Tool = Tool {
    program: "slurmctld",
    purpose: "runs the workflow of a collection on nodes",
    packages: &[(Manager::Apt, "slurm-wlm")],
};

/// Authentication between the parts of Slurm.
pub const MUNGE: Tool = Tool {
    program: "munged",
    purpose: "lets the parts of Slurm know each other",
    packages: &[(Manager::Apt, "munge")],
};

/// Counts the instructions of a program.
pub const VALGRIND: Tool = Tool {
    program: "valgrind",
    purpose: "counts instructions, which no busy machine changes",
    packages: &[(Manager::Apt, "valgrind"), (Manager::Dnf, "valgrind")],
};

/// Runs programs for Windows.
pub const WINE: Tool = Tool {
    program: "wine",
    purpose: "runs the Windows program",
    packages: &[(Manager::Apt, "wine")],
};

/// Runs programs for arm64.
pub const QEMU_ARM64: Tool = Tool {
    program: "qemu-aarch64-static",
    purpose: "runs the program for Linux on arm64",
    packages: &[(Manager::Apt, "qemu-user-static")],
};

/// The tools of a system in one program that needs nothing else.
pub const BUSYBOX: Tool = Tool {
    program: "busybox",
    purpose: "is all that a bare Linux has",
    packages: &[(Manager::Apt, "busybox-static")],
};

impl Manager {
    fn program(self) -> &'static str {
        match self {
            Self::Apt => "apt-get",
            Self::Dnf => "dnf",
            Self::Brew => "brew",
        }
    }

    /// The command that runs the package manager without questions. Where root's rights are needed, it uses
    /// sudo without a password.
    fn command(self, arguments: &[&str], sudo: bool) -> Command {
        let mut command = match sudo {
            true => {
                let mut command = Command::new("sudo");
                command.args(["-n", self.program()]);
                command
            }
            false => Command::new(self.program()),
        };
        command.args(arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command.stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn install(self, package: &str, sudo: bool) -> Command {
        match self {
            Self::Apt => {
                let arguments = ["install", "-y", "--no-install-recommends", package];
                self.command(&arguments, sudo)
            }
            Self::Dnf => self.command(&["install", "-y", package], sudo),
            Self::Brew => self.command(&["install", package], sudo),
        }
    }

    /// The command that fetches the lists of packages, which a new machine may lack.
    fn refresh(self, sudo: bool) -> Option<Command> {
        matches!(self, Self::Apt).then(|| self.command(&["update"], sudo))
    }
}

impl Tool {
    /// Makes sure that the program is installed, and installs it if possible.
    ///
    /// # Errors
    /// It is missing and could not be installed; the message has the manual steps.
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
                let succeeds =
                    |command: &mut Command| command.status().is_ok_and(|status| status.success());
                let installed = succeeds(&mut command)
                    || manager.refresh(sudo).is_some_and(|mut refresh| {
                        succeeds(&mut refresh) && succeeds(&mut command)
                    });
                if installed && exists(self.program) {
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
