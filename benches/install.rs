//! A whole EverQuest install in the benchmark: a real one, or a made one of as many members.
//!
//! Each figure is compared with something plain in the same run: a copy of all outputs file by file, and a Python
//! program (zlib) that only unpacks the same archives. The log of the program counts inflated bytes; the directories of
//! the archives give the number that is needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use relicast::formats::everquest::pfs;
use relicast_samples::bulk_everquest;

use super::print::{MEGABYTE, print_kinds, print_stages, verdict};
use super::program::{Bench, settle};
use super::scaling::Scaling;
use super::spending;
use crate::Outcome;
use crate::demo::read_report;
use crate::process::{exists, remove_folder, shown};

/// Numbers that the project promises on two cores.
mod targets {
    /// Time with two jobs over that of a copy of the outputs.
    pub const OF_COPY: f64 = 4.5;
    /// Time with one job over that of unpacking alone.
    pub const OF_UNPACKING: f64 = 2.0;
    /// Bytes inflated over bytes that there are to inflate.
    pub const INFLATED: f64 = 1.05;
    /// Megabytes of memory, with any number of jobs.
    pub const MEMORY: f64 = 256.0;
    /// Seconds of a second run with nothing to do.
    pub const SECOND_RUN: f64 = 0.3;
    /// Seconds of `prove`.
    pub const PROVE: f64 = 3.0;
}

/// Unpacks every archive of a folder into another one, and does nothing else.
const UNPACK: &str = r#"
import os, struct, sys, zlib
source, out = sys.argv[1:]
for root, _, names in sorted(os.walk(source)):
    for name in sorted(names):
        with open(os.path.join(root, name), "rb") as file:
            data = file.read()
        if data[4:8] != b"PFS ":
            continue
        folder = os.path.join(out, name)
        os.makedirs(folder)
        (index,) = struct.unpack_from("<I", data)
        (count,) = struct.unpack_from("<I", data, index)
        for member in range(count):
            _, at, left = struct.unpack_from("<III", data, index + 4 + 12 * member)
            with open(os.path.join(folder, str(member)), "wb") as file:
                while left > 0:
                    deflated, inflated = struct.unpack_from("<II", data, at)
                    file.write(zlib.decompress(data[at + 8 : at + 8 + deflated]))
                    at += 8 + deflated
                    left -= inflated
"#;

/// Measures the install in `real`, or a made one of this scale.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, real: Option<&Path>, scale: f64, rounds: u32) -> Outcome {
    let made = bench.source.with_file_name("everquest");
    bench.source = match real {
        Some(folder) => folder.to_owned(),
        None => {
            println!("writing an EverQuest install …");
            remove_folder(&made)?;
            bulk_everquest::write(&made, scale)?;
            made.clone()
        }
    };
    let held = Held::of(&bench.source)?;
    println!(
        "{} files, {:.0} MB; {} archives with {} members, {:.0} MB inflated",
        held.files,
        held.bytes as f64 / MEGABYTE,
        held.archives,
        held.members,
        held.inflated as f64 / MEGABYTE
    );

    let unpacks = exists("python3");
    let mut scaling = Scaling::default();
    let [mut copied, mut unpacked] = [f64::INFINITY; 2];
    // The first run warms the file cache up and is not counted.
    bench.convert(2)?;
    for round in 1..=rounds {
        let now = scaling.take_one(&bench)?;
        if now <= scaling.least_of_one() {
            print_kinds(&read_report(&bench.out)?);
        }
        scaling.take_two(&bench)?;
        let copy = bench.copy_outputs()?;
        remove_folder(&bench.out.with_extension("copy"))?;
        copied = copied.min(copy);
        if unpacks {
            unpacked = unpacked.min(unpack(&bench)?);
        }
        println!(
            "round {round}: {now:.2} s, best {:.2} and {:.2} s; copy {copy:.2} s",
            scaling.least_of_one(),
            scaling.least_of_two()
        );
    }
    let (one, two) = (scaling.least_of_one(), scaling.least_of_two());
    print_stages(&read_report(&bench.out)?);
    let mut again = f64::INFINITY;
    for _ in 0..3 {
        again = again.min(bench.run(2)?);
    }
    let proved = prove(&bench)?;
    let inflated = inflated(&bench)?;

    let least = Least {
        one,
        two,
        copied,
        unpacked: unpacks.then_some(unpacked),
        again,
        proved,
        inflated: inflated as f64 / held.inflated.max(1) as f64,
    };
    least.print(&scaling);
    print_memory(&bench)?;
    spending::measure(&bench)?;
    remove_folder(&bench.out)?;
    remove_folder(&made)
}

/// Least seconds of each measurement of an install.
struct Least {
    one: f64,
    two: f64,
    copied: f64,
    /// Time of unpacking alone, if python3 is installed.
    unpacked: Option<f64>,
    again: f64,
    proved: f64,
    /// Inflated bytes over the bytes in the archives.
    inflated: f64,
}

impl Least {
    fn print(&self, scaling: &Scaling) {
        let &Self {
            one,
            two,
            copied,
            unpacked,
            again,
            proved,
            inflated,
        } = self;
        println!();
        println!("  1 job {one:.2} s, 2 jobs {two:.2} s, copy of the outputs {copied:.2} s");
        verdict(
            "2 jobs, of a copy of the outputs",
            two / copied,
            targets::OF_COPY,
            "x",
            false,
        );
        match unpacked {
            Some(unpacked) => {
                let what = format!("1 job, of unpacking alone ({unpacked:.2} s)");
                verdict(&what, one / unpacked, targets::OF_UNPACKING, "x", false);
            }
            None => println!("  ----  unpacking alone: there is no python3 here"),
        }
        verdict(
            "bytes inflated, over the bytes in the archives",
            inflated,
            targets::INFLATED,
            "x",
            false,
        );
        scaling.print("");
        verdict("second run", again, targets::SECOND_RUN, "s", false);
        verdict("prove", proved, targets::PROVE, "s", false);
    }
}

/// Measures the peak memory with one, two and eight jobs.
fn print_memory(bench: &Bench) -> Outcome {
    for jobs in [1, 2, 8] {
        match bench.peak_memory(jobs)? {
            Some(peak) => {
                let what = format!("peak memory, {jobs} jobs");
                verdict(&what, peak as f64 / MEGABYTE, targets::MEMORY, "MB", false);
            }
            None => println!("  ----  peak memory: not measured, there is no /proc here"),
        }
    }
    Ok(())
}

/// Contents of an install.
#[derive(Debug, Default)]
struct Held {
    files: usize,
    bytes: u64,
    archives: usize,
    members: usize,
    /// Sizes of all members together.
    inflated: u64,
}

impl Held {
    fn of(folder: &Path) -> Outcome<Self> {
        let mut held = Self::default();
        let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let bytes = fs::read(&path)?;
                held.files += 1;
                held.bytes += bytes.len() as u64;
                if bytes.get(4..8) == Some(b"PFS ") {
                    let archive = pfs::decode(&bytes)?.value;
                    held.archives += 1;
                    held.members += archive.entries.len();
                    let sizes = archive
                        .entries
                        .iter()
                        .map(|entry| u64::from(entry.row.size));
                    held.inflated += sizes.sum::<u64>();
                }
            }
        }
        Ok(held)
    }
}

/// Seconds that another program needs to unpack the archives.
fn unpack(bench: &Bench) -> Outcome<f64> {
    let out = bench.out.with_extension("unpacked");
    remove_folder(&out)?;
    fs::create_dir_all(&out)?;
    settle();
    let start = Instant::now();
    let mut command = Command::new("python3");
    command.arg("-c").arg(UNPACK).arg(&bench.source).arg(&out);
    let status = command.stdin(Stdio::null()).status()?;
    let seconds = start.elapsed().as_secs_f64();
    remove_folder(&out)?;
    match status.success() {
        true => Ok(seconds),
        false => Err("the program that only unpacks failed".into()),
    }
}

/// Seconds of `prove`, the faster of two.
fn prove(bench: &Bench) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let start = Instant::now();
        let mut command = Command::new(&bench.program);
        command
            .arg("prove")
            .arg(&bench.source)
            .stdout(Stdio::null());
        if !command.stdin(Stdio::null()).status()?.success() {
            return Err(format!("`{}` failed", shown(&command)).into());
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Number of bytes that a whole run inflated, as the program reports.
fn inflated(bench: &Bench) -> Outcome<u64> {
    remove_folder(&bench.out)?;
    let mut command = Command::new(&bench.program);
    command
        .arg("convert")
        .arg(&bench.source)
        .arg("--out")
        .arg(&bench.out);
    command.args(["--jobs", "2", "--verbose", "--log-format", "json"]);
    command.args(&bench.options);
    let output = command.stdin(Stdio::null()).output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    log.lines()
        .rev()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find(|line| line["event"] == "inflated")
        .and_then(|line| line["bytes"].as_u64())
        .ok_or_else(|| "the log of the program has no `inflated` event".into())
}
