//! Where ffmpeg is: at a configured place, beside this program, in `PATH`, in the user's cache, or on
//! the network.

use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use ffmpeg_sidecar::download;
use ffmpeg_sidecar::paths::sidecar_path;
use tracing::info;

use super::options::{Fetch, ToolOptions};
use super::process::Group;

/// An ffmpeg that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The program.
    pub program: PathBuf,
    /// Its version, from its own output.
    pub version: String,
}

impl Tool {
    /// Name and version, without the place.
    pub fn name(&self) -> String {
        format!("ffmpeg {}", self.version)
    }

    /// Whether its version is at least this one; builds without a number are taken for new ones.
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

/// How long ffmpeg may take to print its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often is looked whether it has, and whether the run was cancelled.
const GLANCE: Duration = Duration::from_millis(10);

/// How long a download may stand still.
const STANDSTILL: Duration = Duration::from_secs(60);

const HOW_TO: &str = "install ffmpeg, or set video.ffmpeg";

/// Finds ffmpeg, fetching it where the options allow; `cancel` ends the search. `consent` asks the user a
/// question of yes or no where the options say so.
///
/// # Errors
/// There is none; the text says what was tried and what helps.
pub fn find(
    options: &ToolOptions,
    cancel: &AtomicBool,
    consent: &dyn Fn(&str) -> bool,
) -> Result<Tool, String> {
    if !options.program.as_os_str().is_empty() {
        let program = if options.program.is_dir() {
            options.program.join(program_name())
        } else {
            options.program.clone()
        };
        return check(&program, cancel)
            .map_err(|why| format!("video.ffmpeg is {}, which {why}", options.program.display()));
    }
    let mut why = "is not at hand".to_owned();
    if options.fetch != Fetch::Always {
        let beside = sidecar_path().ok().filter(|path| path.is_file());
        for program in beside.into_iter().chain([PathBuf::from("ffmpeg")]) {
            match check(&program, cancel) {
                Ok(tool) => return Ok(tool),
                Err(fault) => why = fault,
            }
        }
    }
    if options.fetch == Fetch::Never {
        let fetch = "video.download = \"ask\" or \"auto\" fetches it";
        return Err(format!("ffmpeg {why}; {HOW_TO}; {fetch}"));
    }
    let cache = cache().ok_or_else(|| {
        format!("ffmpeg {why} and cannot be fetched without a cache folder; {HOW_TO}")
    })?;
    let fetched = cache.join(program_name());
    if let Ok(tool) = check(&fetched, cancel) {
        return Ok(tool);
    }
    if options.fetch == Fetch::Ask {
        let url = download::ffmpeg_download_url().unwrap_or("the network");
        let question = format!("There are videos, and ffmpeg {why}. Fetch it from {url}?");
        if !consent(&question) {
            return Err(format!(
                "ffmpeg {why}, and nobody said to fetch it; {HOW_TO}"
            ));
        }
    }
    fetch(&cache, &fetched, cancel)
        .and_then(|()| check(&fetched, cancel))
        .map_err(|fault| format!("ffmpeg {why} and could not be fetched ({fault}); {HOW_TO}"))
}

fn program_name() -> String {
    format!("ffmpeg{}", env::consts::EXE_SUFFIX)
}

/// The user's own folder for what can be fetched again.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| {
        let path = PathBuf::from(env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = set("XDG_CACHE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("relicast"))
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
            // What could be read decides; a broken pipe reads as its end.
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
            return Err("was not asked to the end: cancelled".to_owned());
        }
        if start.elapsed() > PATIENCE {
            return Err("does not answer".to_owned());
        }
        match said {
            None => said = receiver.recv_timeout(GLANCE).ok(),
            Some(_) => thread::sleep(GLANCE),
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
        (false, _) => Err(format!("does not run: {status}")),
    }
}

/// Fetches ffmpeg to `target` in `cache`, by way of a folder of this process.
fn fetch(cache: &Path, target: &Path, cancel: &AtomicBool) -> Result<(), String> {
    let url = download::ffmpeg_download_url().map_err(|fault| fault.to_string())?;
    let scratch = cache.join(format!("fetching-{}", std::process::id()));
    let describe = |fault: io::Error| format!("{}: {fault}", scratch.display());
    fs::create_dir_all(&scratch).map_err(describe)?;
    info!("ffmpeg is missing; fetching {url}");
    let fetched = fetch_into(url, &scratch, cancel)
        .and_then(|()| fs::rename(scratch.join(program_name()), target).map_err(describe));
    // What is left there is of no use to anybody.
    let _ = fs::remove_dir_all(&scratch);
    fetched
}

/// Downloads and unpacks on a thread of its own, which is left behind when it stands still: a connection
/// that nobody answers has no other end.
fn fetch_into(url: &'static str, folder: &Path, cancel: &AtomicBool) -> Result<(), String> {
    let (sender, receiver) = channel();
    let target = folder.to_owned();
    thread::spawn(move || {
        let progress = sender.clone();
        let fetched = download::download_ffmpeg_package_with_progress(url, &target, |_| {
            // Nobody listens after a standstill.
            let _ = progress.send(None);
        })
        .and_then(|archive| {
            let _ = sender.send(None);
            download::unpack_ffmpeg_without_extras(&archive, &target)
        });
        let _ = sender.send(Some(fetched.map_err(|fault| format!("{fault:#}"))));
    });
    let mut moved = Instant::now();
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Err("cancelled".to_owned());
        }
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(Some(done)) => return done,
            Ok(None) => moved = Instant::now(),
            Err(RecvTimeoutError::Timeout) if moved.elapsed() < STANDSTILL => {}
            Err(_) => return Err(format!("no answer from {url}")),
        }
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
    fn a_place_without_ffmpeg_is_named() {
        let never = AtomicBool::new(false);
        let options = ToolOptions {
            program: "/nowhere/ffmpeg".into(),
            ..ToolOptions::default()
        };
        let why = find(&options, &never, &|_| false).unwrap_err();
        assert!(
            why.contains("/nowhere/ffmpeg") && why.contains("not found"),
            "{why}"
        );
    }

    #[test]
    fn nothing_is_fetched_without_a_yes() {
        // Nothing is found beside or in PATH only where the machine has none; the question is asked then.
        let never = AtomicBool::new(false);
        let asked = AtomicBool::new(false);
        let options = ToolOptions {
            fetch: Fetch::Ask,
            ..ToolOptions::default()
        };
        let answer = |_: &str| {
            asked.store(true, Ordering::Relaxed);
            false
        };
        match find(&options, &never, &answer) {
            Ok(tool) => assert!(!asked.load(Ordering::Relaxed), "{tool}"),
            Err(why) => assert!(why.contains("nobody said to fetch it"), "{why}"),
        }
        assert_eq!(ToolOptions::default().fetch, Fetch::Never);
    }
}
