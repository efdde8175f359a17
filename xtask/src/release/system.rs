//! Systems that a release is made for.

use std::path::Path;
use std::process::{Command, Stdio};

use super::wine;
use crate::tools::QEMU_ARM64;

/// Format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// tar, packed by gzip.
    TarGz,
    /// zip, which Windows opens by itself.
    Zip,
}

/// A system that a release is made for.
#[derive(Debug)]
pub struct System {
    /// Name in Rust.
    pub triple: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Format of its archive.
    pub packing: Packing,
}

/// All systems of a release. Programs for Linux contain their C library, so that they run in every Linux.
pub const SYSTEMS: [System; 5] = [
    System {
        triple: "x86_64-unknown-linux-musl",
        title: "Linux, x86-64",
        packing: Packing::TarGz,
    },
    System {
        triple: "aarch64-unknown-linux-musl",
        title: "Linux, arm64",
        packing: Packing::TarGz,
    },
    System {
        triple: "x86_64-pc-windows-gnu",
        title: "Windows, x86-64",
        packing: Packing::Zip,
    },
    System {
        triple: "aarch64-apple-darwin",
        title: "macOS, arm64",
        packing: Packing::TarGz,
    },
    System {
        triple: "x86_64-apple-darwin",
        title: "macOS, x86-64",
        packing: Packing::TarGz,
    },
];

impl System {
    /// The system of this triple.
    pub fn named(triple: &str) -> Option<&'static Self> {
        SYSTEMS.iter().find(|system| system.triple == triple)
    }

    /// True for Windows.
    pub fn is_windows(&self) -> bool {
        self.triple.contains("windows")
    }

    /// True for macOS.
    pub fn is_macos(&self) -> bool {
        self.triple.contains("apple")
    }

    /// The name of the program's file.
    pub fn program(&self) -> &'static str {
        if self.is_windows() {
            "relicast.exe"
        } else {
            "relicast"
        }
    }

    /// Program that starts a program of this system here; `None` inside when it starts by itself.
    ///
    /// # Errors
    /// It does not run here, with the reason.
    pub fn runner(&self) -> Result<Option<&'static str>, String> {
        let architecture = self.triple.split('-').next().unwrap_or_default();
        let is_own_architecture = std::env::consts::ARCH == architecture;
        if self.is_windows() {
            return match cfg!(windows) {
                true => Ok(None),
                false => wine::ensure().map(Some),
            };
        }
        if self.is_macos() {
            return match cfg!(target_os = "macos")
                && (is_own_architecture || architecture == "x86_64")
            {
                true => Ok(None),
                false => Err(format!("no {} is available to run it", self.title)),
            };
        }
        match (cfg!(target_os = "linux"), is_own_architecture) {
            (false, _) => Err("no Linux is available to run it".to_owned()),
            (true, true) => Ok(None),
            (true, false) => QEMU_ARM64.ensure().map(|()| Some(QEMU_ARM64.program)),
        }
    }
}

/// A command that starts `program` by `runner`, quietly.
pub fn command(runner: Option<&str>, program: &Path) -> Command {
    let mut command = match runner {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.arg(program);
            command
        }
        None => Command::new(program),
    };
    wine::settle(&mut command);
    command.stdin(Stdio::null());
    command
}
