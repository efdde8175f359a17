//! Search for ffmpeg: at a configured path, next to this program, in `PATH`.

use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use ffmpeg_sidecar::paths::sidecar_path;

use super::process::Group;

/// A working ffmpeg.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The program.
    pub program: PathBuf,
    /// Its version, from its own output.
    pub version: String,
}

impl Tool {
    /// Name and version, without the path.
    pub fn name(&self) -> String {
        format!("ffmpeg {}", self.version)
    }

    /// True if its version is at least this one. Builds without a number count as new.
    pub fn is_at_least(&self, major: u32, minor: u32) -> bool {
        let mut numbers = self.version.trim_start_matches('n').split(['.', '-']);
        let mut number = || numbers.next()?.parse::<u32>().ok();
        match (number(), number()) {
            (Some(own), minor_of) => (own, minor_of.unwrap_or(0)) >= (major, minor),
            (None, _) => true,
        }
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "ffmpeg {} at {}",
            self.version,
            self.program.display()
        )
    }
}

/// Longest time for ffmpeg to print its version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(20);

/// Interval of the checks for its end and for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Instructions for installing ffmpeg.
const INSTALL_HINT: &str = if cfg!(windows) {
    "install it (winget install ffmpeg), or set video.ffmpeg to its path"
} else if cfg!(target_os = "macos") {
    "install it (brew install ffmpeg), or set video.ffmpeg to its path"
} else {
    "install it (the package ffmpeg of your system), or set video.ffmpeg to its path"
};

/// Finds ffmpeg: `program` itself or in that folder; if empty, next to this program or in `PATH`. `cancel` ends the
/// search.
///
/// # Errors
/// No ffmpeg was found; the text lists what was tried and how to fix it.
pub fn find(program: &Path, cancel: &AtomicBool) -> Result<Tool, String> {
    let name = format!("ffmpeg{}", env::consts::EXE_SUFFIX);
    if !program.as_os_str().is_empty() {
        let named = if program.is_dir() {
            program.join(name)
        } else {
            program.to_owned()
        };
        return check(&named, cancel)
            .map_err(|why| format!("video.ffmpeg is {}, which {why}", program.display()));
    }
    let mut why = String::new();
    let beside = sidecar_path().ok().filter(|path| path.is_file());
    for found in beside.into_iter().chain([PathBuf::from(name)]) {
        match check(&found, cancel) {
            Ok(tool) => return Ok(tool),
            Err(fault) => why = fault,
        }
    }
    Err(format!("ffmpeg {why}; {INSTALL_HINT}"))
}

/// Asks a program for its version.
fn check(program: &Path, cancel: &AtomicBool) -> Result<Tool, String> {
    let mut command = Command::new(program);
    command.arg("-version").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let started = Group::start(&mut command);
    let mut child = started.map_err(|fault| match fault.kind() {
        io::ErrorKind::NotFound => "was not found".to_owned(),
        _ => format!("cannot be started: {fault}"),
    })?;
    let (sender, receiver) = channel();
    if let Some(stdout) = child.take_stdout() {
        thread::spawn(move || {
            let mut text = Vec::new();
            // The text that could be read decides; a broken pipe counts as its end.
            let _ = stdout.take(1 << 16).read_to_end(&mut text);
            let _ = sender.send(text);
        });
    }
    let start = Instant::now();
    let (mut said, mut ended) = (None, None);
    let (said, status) = loop {
        if let (Some(said), Some((status, _))) = (&said, &ended) {
            break (said, status);
        }
        if cancel.load(Ordering::Relaxed) {
            return Err("was not checked: the run was cancelled".to_owned());
        }
        if start.elapsed() > VERSION_TIMEOUT {
            return Err("does not answer".to_owned());
        }
        match said {
            None => said = receiver.recv_timeout(POLL_INTERVAL).ok(),
            Some(_) => thread::sleep(POLL_INTERVAL),
        }
        ended = child.poll();
    };
    let said = String::from_utf8_lossy(said);
    let version = said
        .strip_prefix("ffmpeg version ")
        .and_then(|rest| rest.split_whitespace().next());
    match (status.success(), version) {
        (true, Some(version)) => Ok(Tool {
            program: program.to_owned(),
            version: version.to_owned(),
        }),
        (true, None) => Err("is not ffmpeg".to_owned()),
        (false, _) => Err(format!("failed: {status}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let at_least = |version: &str| {
            let tool = Tool {
                program: "ffmpeg".into(),
                version: version.to_owned(),
            };
            tool.is_at_least(5, 1)
        };
        assert!(at_least("5.1.9-0+deb12u1") && at_least("n9.0-latest") && at_least("10"));
        assert!(at_least("N-109542-g2ba36e6ed5") && at_least("2023-01-18-git"));
        assert!(!at_least("4.4.2-0ubuntu0.22.04.1") && !at_least("5.0.1"));
    }

    #[test]
    fn a_folder_without_ffmpeg_is_reported() {
        let never = AtomicBool::new(false);
        let why = find(Path::new("/missing/ffmpeg"), &never).unwrap_err();
        assert!(
            why.contains("/missing/ffmpeg") && why.contains("not found"),
            "{why}"
        );
    }
}
