//! `relicast doctor`: checks the environment.

use relicast_codec::quantity::thousands;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::terminal::exit::Exit;
use super::terminal::lines::{print, print_line, usage};
use crate::config::Config;
use crate::pipeline::report::manifest::CONVERTER;
use relicast_emit::video::{self, Tool};
use relicast_source::known::table;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder for the outputs.
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Configuration file, which may name the path of ffmpeg.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Codecs of the games' videos, by ffmpeg's names, and where they are used.
const DECODERS: &[(&str, &str)] = &[
    ("cinepak", "AVI videos (Cinepak)"),
    ("indeo3", "AVI videos (Indeo 3)"),
    ("indeo5", "AVI videos (Indeo 5)"),
    ("mpeg1video", "MPEG videos"),
    ("msvideo1", "AVI videos (Video 1)"),
    ("smackvid", "Smacker videos"),
];

/// Encoders for videos, and the profile that needs each.
const ENCODERS: &[(&str, &str)] = &[
    ("libx264", "video.profile = \"mp4\" and \"mkv\""),
    ("aac", "video.profile = \"mp4\""),
    ("flac", "video.profile = \"mkv\""),
    ("libsvtav1", "video.profile = \"av1-opus\""),
    ("libopus", "video.profile = \"av1-opus\""),
    ("libtheora", "video.profile = \"theora\""),
    ("libvorbis", "video.profile = \"theora\""),
    ("ffv1", "video.profile = \"lossless\""),
];

/// Result of the check.
#[derive(Debug, Serialize)]
struct Findings {
    version: &'static str,
    commit: &'static str,
    date: &'static str,
    system: String,
    cores: Option<usize>,
    /// Memory in bytes, of the machine or of the control group that limits the process.
    memory: Option<u64>,
    /// Most memory that a run uses with these settings, in bytes.
    memory_of_a_run: u64,
    folder: Room,
    ffmpeg: Option<Ffmpeg>,
    editions: Editions,
    missing: Vec<Missing>,
}

/// Output folder, or its nearest existing parent.
#[derive(Debug, Serialize)]
struct Room {
    path: String,
    /// Bytes available to the user.
    free: Option<u64>,
    writable: bool,
}

#[derive(Debug, Serialize)]
struct Ffmpeg {
    program: String,
    version: String,
    decoders: Vec<&'static str>,
    encoders: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Editions {
    editions: usize,
    files: usize,
}

/// Something that is missing.
#[derive(Debug, Serialize)]
struct Missing {
    what: String,
    needed_for: String,
    help: String,
}

/// Runs `doctor`.
pub fn run(arguments: &Arguments) -> Exit {
    let config = match arguments.config.as_deref().map(Config::load) {
        None => Config::default(),
        Some(Ok(config)) => config,
        Some(Err(error)) => return usage(error),
    };
    if !arguments.folder.is_dir() {
        let folder = arguments.folder.display();
        return usage(format_args!(
            "{folder} is not a folder; give an existing folder"
        ));
    }
    let findings = examine(&arguments.folder, &config);
    if !arguments.json {
        findings.print();
        return Exit::Success;
    }
    match serde_json::to_string_pretty(&findings) {
        Ok(text) => {
            print(&text);
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

fn examine(folder: &Path, config: &Config) -> Findings {
    let mut missing = Vec::new();
    let ffmpeg = match video::find(&config.video.ffmpeg, &AtomicBool::new(false)) {
        Ok(tool) => Some(codecs(&tool, &mut missing)),
        Err(why) => {
            missing.push(Missing {
                what: "ffmpeg".to_owned(),
                needed_for: "videos; they are skipped without it".to_owned(),
                help: why,
            });
            None
        }
    };
    let room = room(folder);
    if !room.writable {
        missing.push(Missing {
            what: format!("write permission for {}", room.path),
            needed_for: "all outputs".to_owned(),
            help: "choose another folder".to_owned(),
        });
    }
    if config.music.render && config.music.sound_font.as_os_str().is_empty() {
        missing.push(Missing {
            what: "a sound font".to_owned(),
            needed_for: "music.render".to_owned(),
            help: "set music.sound_font to a file".to_owned(),
        });
    }
    let table = table();
    Findings {
        version: CONVERTER,
        commit: env!("RELICAST_COMMIT"),
        date: env!("RELICAST_DATE"),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cores: std::thread::available_parallelism().ok().map(Into::into),
        memory: memory(),
        memory_of_a_run: u64::from(config.limits.memory_mib) << 20,
        folder: room,
        ffmpeg,
        editions: Editions {
            editions: table.editions().len(),
            files: table.files().len(),
        },
        missing,
    }
}

/// Lists the codecs of an ffmpeg; adds missing ones to `missing`.
fn codecs(tool: &Tool, missing: &mut Vec<Missing>) -> Ffmpeg {
    let mut among = |list: &str, wanted: &'static [(&'static str, &'static str)]| {
        let names = names(&tool.program, list);
        let (found, lacking): (Vec<_>, Vec<_>) = wanted
            .iter()
            .copied()
            .partition(|(name, _)| names.contains(*name));
        for (name, needed_for) in lacking {
            missing.push(Missing {
                what: format!("ffmpeg's {} {name}", list.trim_matches(['-', 's'])),
                needed_for: needed_for.to_owned(),
                help: "install an ffmpeg build that includes it".to_owned(),
            });
        }
        found.into_iter().map(|(name, _)| name).collect()
    };
    Ffmpeg {
        decoders: among("-decoders", DECODERS),
        encoders: among("-encoders", ENCODERS),
        program: tool.program.display().to_string(),
        version: tool.version.clone(),
    }
}

/// Second word of each line in ffmpeg's list of codecs.
fn names(program: &Path, list: &str) -> BTreeSet<String> {
    let output = Command::new(program)
        .args(["-hide_banner", list])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let names = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        words.next().and_then(|_| words.next())
    });
    names.map(str::to_owned).collect()
}

/// Checks the folder for outputs: its free space and permissions.
fn room(folder: &Path) -> Room {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let present = whole.ancestors().find(|path| path.is_dir());
    let present = present.unwrap_or(Path::new("."));
    Room {
        path: present.display().to_string(),
        free: free(present),
        // Permissions are unreliable on some systems; creating a file without a name is a sure test.
        writable: tempfile::tempfile_in(present).is_ok(),
    }
}

/// Bytes below a folder that an ordinary user may still write.
fn free(folder: &Path) -> Option<u64> {
    fs4::available_space(folder).ok()
}

/// Bytes of memory: the machine's, or the control group's limit if it is lower.
fn memory() -> Option<u64> {
    let text = |path: &str| std::fs::read_to_string(path).ok();
    let machine = text("/proc/meminfo").and_then(|text| kilobytes(&text));
    let groups = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ];
    let group = groups.into_iter().find_map(text);
    let group = group.and_then(|text| text.trim().parse::<u64>().ok());
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, group) => machine.or(group),
    }
}

/// Value of `MemTotal` in bytes.
fn kilobytes(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

fn size(bytes: Option<u64>) -> String {
    bytes.map_or_else(
        || "unknown".to_owned(),
        |bytes| indicatif::BinaryBytes(bytes).to_string(),
    )
}

impl Findings {
    fn print(&self) {
        let line = |label: &str, text: &str| print_line(&format!("{label:<11} {text}"));
        line("relicast:", self.version);
        line("built from:", &format!("{}, {}", self.commit, self.date));
        line("system:", &self.system);
        let cores = self
            .cores
            .map_or("unknown".to_owned(), |cores| cores.to_string());
        line("cores:", &cores);
        let run = size(Some(self.memory_of_a_run));
        let memory = size(self.memory);
        line(
            "memory:",
            &format!("{memory}; a run uses at most {run} (limits.memory_mib)"),
        );
        let free = size(self.folder.free);
        line("disk:", &format!("{free} free in {}", self.folder.path));
        match &self.ffmpeg {
            None => line("ffmpeg:", "none"),
            Some(ffmpeg) => {
                line(
                    "ffmpeg:",
                    &format!("{} at {}", ffmpeg.version, ffmpeg.program),
                );
                line("  decodes:", &ffmpeg.decoders.join(", "));
                line("  encodes:", &ffmpeg.encoders.join(", "));
            }
        }
        let Editions { editions, files } = self.editions;
        line(
            "editions:",
            &format!(
                "{editions} known, identified by {} files",
                thousands(files as u64)
            ),
        );
        for Missing {
            what,
            needed_for,
            help,
        } in &self.missing
        {
            line(
                "missing:",
                &format!("{what}, needed for {needed_for} ({help})"),
            );
        }
        if self.missing.is_empty() {
            line("missing:", "nothing");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read() {
        let text = "MemFree: 1 kB\nMemTotal:       16384 kB\n";
        assert_eq!(kilobytes(text), Some(16 << 20));
        assert_eq!(kilobytes("MemTotal: much"), None);
    }

    #[test]
    fn a_folder_that_is_not_there_yet_has_the_room_of_the_one_above() {
        let folder = tempfile::tempdir().unwrap();
        let room = room(&folder.path().join("a/b"));
        assert_eq!(room.path, folder.path().display().to_string());
        assert!(room.writable);
        assert!(room.free.is_some());
    }
}
