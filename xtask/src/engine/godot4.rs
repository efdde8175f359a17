//! A Godot 4: the program of the variable `GODOT`, one on the path, or that of Debian's rolling suite in a
//! chroot of its own, which is made once for root on Debian. The rest of the system is not changed.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Said;
use crate::Outcome;
use crate::process::exists;

/// Packages of the chroot.
const PACKAGES: &str = "godot xvfb xauth libgl1-mesa-dri ca-certificates";

/// Time limit of a run, in seconds.
const LIMIT: &str = "400";

/// An engine.
#[derive(Debug)]
pub enum Godot {
    /// A program of this system.
    Program(PathBuf),
    /// The one in this chroot.
    Chroot(PathBuf),
}

impl Display for Godot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(path) => write!(formatter, "Godot: {}", path.display()),
            Self::Chroot(root) => write!(formatter, "Godot: in {}", root.display()),
        }
    }
}

impl Godot {
    /// Finds an engine; makes the chroot when `may_make`.
    ///
    /// # Errors
    /// No engine is available, with the reason.
    pub fn find(may_make: bool) -> Result<Self, String> {
        if let Some(given) = std::env::var_os("GODOT") {
            let given = PathBuf::from(given);
            return match is_four(&mut Command::new(&given)) {
                true => Ok(Self::Program(given)),
                false => Err(format!("GODOT={} is not Godot 4", given.display())),
            };
        }
        for name in ["godot4", "godot"] {
            if exists(name) && is_four(&mut Command::new(name)) {
                return Ok(Self::Program(PathBuf::from(name)));
            }
        }
        let root = chroot_folder();
        if root.join(".ready").exists() && is_root() {
            return Ok(Self::Chroot(root));
        }
        let how = "set GODOT to one, or run `cargo xtask engine godot` as root on Debian, which makes a chroot (1.3 GB)";
        if !may_make {
            return Err(format!("no Godot 4 is installed; {how}"));
        }
        if !is_root() || !exists("apt-get") {
            return Err(format!(
                "no Godot 4 is installed, and this is not root on Debian; {how}"
            ));
        }
        make(&root).map_err(|error| {
            format!("no Godot 4 is installed, and the chroot cannot be made: {error}")
        })?;
        Ok(Self::Chroot(root))
    }

    /// Imports every asset of a project, as the editor does when it opens one.
    pub fn import(&self, project: &Path) -> Outcome<Said> {
        let mut said = self.run(project, &["--headless", "--import"])?;
        // A first start can end before the project is scanned.
        if !project.join(".godot/imported").is_dir()
            && !project.join(".godot/uid_cache.bin").is_file()
        {
            said = self.run(project, &["--headless", "--import"])?;
        }
        Ok(said)
    }

    /// Runs a script of a project; with `draws`, it can read the drawn pixels.
    pub fn script(&self, project: &Path, script: &str, draws: bool) -> Outcome<Said> {
        match draws {
            false => self.run(project, &["--headless", "-s", script]),
            true => self.run(
                project,
                &[
                    "--rendering-driver",
                    "opengl3",
                    "--disable-vsync",
                    "--fixed-fps",
                    "30",
                    "--resolution",
                    "1280x720",
                    "-s",
                    script,
                ],
            ),
        }
    }

    fn run(&self, project: &Path, arguments: &[&str]) -> Outcome<Said> {
        let draws = !arguments.contains(&"--headless");
        let screen: &[&str] = match draws {
            true => &[
                "xvfb-run",
                "-a",
                "-s",
                "-screen 0 1280x1024x24 -nolisten tcp",
            ],
            false => &[],
        };
        let project = project.canonicalize()?;
        let mut command = Command::new("timeout");
        command.args(["-k", "10", LIMIT]);
        match self {
            Self::Program(program) => {
                command
                    .args(screen)
                    .arg(program)
                    .arg("--path")
                    .arg(&project);
            }
            Self::Chroot(root) => {
                // In a mount namespace of its own, so that nothing stays mounted in any case. The shell stays
                // process 1, because Xvfb sends no signal to a parent that is process 1.
                let inside = "set -e; mkdir -p \"$0/project\"; mount --bind \"$1\" \"$0/project\"; \
                    mount -t tmpfs tmpfs \"$0/root\"; mount -t tmpfs -o mode=1777 tmpfs \"$0/tmp\"; \
                    mount -t proc proc \"$0/proc\" || mount --rbind /proc \"$0/proc\"; mount --rbind /dev \"$0/dev\"; \
                    root=\"$0\"; shift; chroot \"$root\" env -i PATH=/usr/bin:/bin:/usr/games HOME=/root LC_ALL=C.UTF-8 \
                    XDG_RUNTIME_DIR=/tmp \"$@\"; exit $?";
                command.args([
                    "unshare",
                    "-mpf",
                    "--kill-child",
                    "--propagation",
                    "private",
                    "bash",
                    "-c",
                    inside,
                ]);
                command
                    .arg(root)
                    .arg(&project)
                    .args(screen)
                    .args(["godot", "--path", "/project"]);
            }
        }
        command.args(["--audio-driver", "Dummy"]).args(arguments);
        let output = command.stdin(Stdio::null()).output()?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok(Said::read(&text))
    }
}

impl Said {
    /// Extracts faults and the document from the output of the engine.
    fn read(text: &str) -> Self {
        let mut said = Self {
            output: text.to_owned(),
            ..Self::default()
        };
        let mut lines = text.lines().map(plain).peekable();
        while let Some(line) = lines.next() {
            if let Some(report) = line.strip_prefix("CHECK ") {
                said.report = serde_json::from_str(report).ok();
            }
            let is_fault = [
                "ERROR:",
                "WARNING:",
                "SCRIPT ERROR:",
                "SHADER ERROR:",
                "USER ERROR:",
                "USER WARNING:",
            ];
            if !is_fault.iter().any(|start| line.starts_with(start)) {
                continue;
            }
            let below = lines.next_if(|next| next.trim_start().starts_with("at:"));
            let fault = match below {
                Some(below) => format!("{line} | {}", below.trim()),
                None => line,
            };
            if !is_of_machine(&fault) {
                said.faults.push(fault);
            }
        }
        said
    }
}

/// True for lines that a machine without sound card, screen or certificates always prints, or an engine that
/// is quit.
fn is_of_machine(line: &str) -> bool {
    let known = [
        "X509Certificate",
        "mbedtls",
        "ALSA",
        "ulse",
        "V-Sync",
        "leaked at exit",
        "ObjectDB instances",
        "Leaked instance",
        "PagedAllocator",
        "still in use at exit",
        "Orphan",
    ];
    known.iter().any(|known| line.contains(known))
}

/// A line without colors.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\u{1b}' => drop(signs.by_ref().find(char::is_ascii_alphabetic)),
            '\r' => {}
            sign => text.push(sign),
        }
    }
    text
}

fn is_four(command: &mut Command) -> bool {
    let output = command.arg("--version").stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.stdout.starts_with(b"4."))
}

fn chroot_folder() -> PathBuf {
    if let Some(root) = std::env::var_os("RELICAST_GODOT_ROOT") {
        return PathBuf::from(root);
    }
    let home =
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_else(|| "/root".into())).join(".cache");
    let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from);
    cache.join("relicast").join("godot-sid")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Makes the chroot under a temporary name and renames it when it is complete.
fn make(root: &Path) -> Outcome {
    let fresh = root.with_extension("making");
    let shell = |script: &str, arguments: &[&Path]| -> Outcome {
        let output = Command::new("unshare")
            .args(["-m", "--propagation", "private", "bash", "-c", script])
            .args(arguments)
            .stdin(Stdio::null())
            .output()?;
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr)
                .lines()
                .last()
                .unwrap_or("failed")
                .to_owned()
                .into()),
        }
    };
    println!(
        "a chroot with Godot 4 in {} (1.3 GB, some minutes) …",
        root.display()
    );
    if let Some(parent) = root.parent() {
        fs::create_dir_all(parent)?;
    }
    shell(
        "set -e; command -v debootstrap || { apt-get update && apt-get install -y --no-install-recommends debootstrap; } >&2
        mirror=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian|//p' | head -1)
        proxy=$(apt-config dump | sed -nE 's/^Acquire::http::Proxy \"(.*)\";$/\\1/p' | head -1)
        rm -rf --one-file-system \"$0\"
        http_proxy=${proxy:-$http_proxy} debootstrap --variant=minbase --include=ca-certificates sid \"$0\" \"${mirror:-http://deb.debian.org/debian}\" >&2
        [ -z \"$proxy\" ] || printf 'Acquire::http::Proxy \"%s\";\\n' \"$proxy\" > \"$0/etc/apt/apt.conf.d/80proxy\"
        printf 'APT::Sandbox::User \"root\";\\nAcquire::Check-Valid-Until \"false\";\\n' > \"$0/etc/apt/apt.conf.d/80relicast\"
        printf '#!/bin/sh\\nexit 101\\n' > \"$0/usr/sbin/policy-rc.d\"; chmod +x \"$0/usr/sbin/policy-rc.d\"",
        &[&fresh],
    )?;
    let install = format!(
        "set -e; mount -t proc proc \"$0/proc\"; chroot \"$0\" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
         LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update && apt-get install -y --no-install-recommends \
         {PACKAGES} && apt-get clean' >&2"
    );
    shell(&install, &[&fresh])?;
    if !is_four(Command::new("chroot").arg(&fresh).arg("godot")) {
        return Err("Debian's rolling suite has no Godot 4 now".into());
    }
    fs::write(fresh.join(".ready"), b"")?;
    fs::rename(&fresh, root)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_and_the_document_are_distinguished() {
        let said = Said::read(
            "\u{1b}[0mGodot Engine v4\nERROR: no such thing\n   at: load (core/x.cpp:1)\nWARNING: ObjectDB instances leaked\n\
             SCRIPT ERROR: Parse Error\nCHECK {\"passed\": 2}\n",
        );
        assert_eq!(
            said.faults,
            [
                "ERROR: no such thing | at: load (core/x.cpp:1)",
                "SCRIPT ERROR: Parse Error"
            ]
        );
        assert_eq!(said.report.unwrap()["passed"], 2);
    }
}
