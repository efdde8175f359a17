//! Zipper containers of small files, and worlds, in the benchmark: data of the size of a retail game, with one job and
//! with two.
//!
//! Each is compared with a copy of its outputs (`cp -r`) and, for containers, with a Python program that only unpacks
//! their members.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use relicast_samples::{SampleFile, bulk_small, world, write_files};

use super::print::{MEGABYTE, verdict};
use super::program::{Bench, settle};
use super::scaling::Scaling;
use super::spending;
use crate::Outcome;
use crate::demo::read_report;
use crate::process::{exists, remove_folder, run};

/// Numbers that the project promises on two cores.
mod targets {
    /// Memory over the largest file.
    pub const OF_LARGEST: f64 = 3.0;
    /// Megabytes of memory that are allowed in any case.
    pub const MEMORY: f64 = 256.0;
}

/// Cells of each world: all have 176,128 polygons in about 30 MB.
const WORLDS: [(u16, u16); 3] = [(43, 16), (16, 43), (86, 8)];

/// Writes each member of each archive with its table at the end to a file, and does nothing else.
const UNPACK: &str = r#"
import os, struct, sys
source, out = sys.argv[1:]
for root, _, names in sorted(os.walk(source)):
    for name in sorted(names):
        with open(os.path.join(root, name), "rb") as file:
            data = file.read()
        version, count = struct.unpack_from("<II", data, len(data) - 8)
        table = len(data) - 8 - 148 * count
        if version != 1 or count == 0 or table < 0:
            continue
        folder = os.path.join(out, os.path.relpath(root, source), name)
        os.makedirs(folder)
        for row in range(count):
            start, length, name = struct.unpack_from("<II64s", data, table + 148 * row)
            name = name.split(b"\0")[0].decode("ascii")
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data[start : start + length])
"#;

/// Measures both; `bench` gives program and folders.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, scale: f64, rounds: u32) -> Outcome {
    let folder = bench.source.with_file_name("containers");
    println!();
    println!("writing containers of small files …");
    bench.source.clone_from(&folder);
    bench.options.clear();
    remove_folder(&folder)?;
    write_files(&folder, &bulk_small::containers(scale)?)?;
    measure_one(&bench, "containers, small files", true, rounds)?;

    println!();
    println!("writing worlds …");
    remove_folder(&folder)?;
    let worlds = match scale < 1.0 {
        true => &WORLDS[..1],
        false => &WORLDS[..],
    };
    for (number, &(columns, rows)) in worlds.iter().enumerate() {
        let file = SampleFile {
            path: format!("zbd/c{}/gamez.zbd", number + 1),
            bytes: world::plain(columns, rows)?,
        };
        write_files(&folder, &[file])?;
    }
    measure_one(&bench, "worlds", false, rounds)?;
    remove_folder(&bench.out)?;
    remove_folder(&folder)
}

fn measure_one(bench: &Bench, what: &str, unpacks: bool, rounds: u32) -> Outcome {
    let (bytes, largest) = sizes(&bench.source)?;
    // The first run warms the file cache up and is not counted.
    bench.convert(2)?;
    let mut scaling = Scaling::default();
    let [mut copied, mut unpacked] = [f64::INFINITY; 2];
    for _ in 0..rounds {
        scaling.take_one(bench)?;
        scaling.take_two(bench)?;
        copied = copied.min(copy(bench)?);
        if unpacks && exists("python3") {
            unpacked = unpacked.min(unpack(bench)?);
        }
    }
    let (one, two) = (scaling.least_of_one(), scaling.least_of_two());
    let totals = read_report(&bench.out)?.totals;
    let megabytes = bytes as f64 / MEGABYTE;
    println!(
        "{what}: {megabytes:.1} MB, largest file {:.1} MB; {} outputs of {:.1} MB",
        largest as f64 / MEGABYTE,
        totals.outputs,
        totals.output_bytes as f64 / MEGABYTE
    );
    println!(
        "  1 job {one:.3} s ({:.1} MB/s), 2 jobs {two:.3} s ({:.1} MB/s)",
        megabytes / one,
        megabytes / two
    );
    println!(
        "  cp -r of the outputs {copied:.3} s: 1 job takes {:.2} x that, 2 jobs {:.2} x",
        one / copied,
        two / copied
    );
    if unpacked.is_finite() {
        println!(
            "  Python that only unpacks {unpacked:.3} s: 1 job takes {:.2} x that",
            one / unpacked
        );
    }
    scaling.print(&format!("{what}, "));
    let allowed = (targets::OF_LARGEST * largest as f64 / MEGABYTE).max(targets::MEMORY);
    for jobs in [1, 2] {
        match bench.peak_memory(jobs)? {
            Some(peak) => {
                let title = format!(
                    "{what}, peak memory, {jobs} jobs ({:.1} x the largest file)",
                    peak as f64 / largest.max(1) as f64
                );
                verdict(&title, peak as f64 / MEGABYTE, allowed, "MB", false);
            }
            None => println!("  ----  peak memory: not measured, there is no /proc here"),
        }
    }
    spending::measure(bench)
}

/// Bytes of all files of a folder, and of the largest.
fn sizes(folder: &Path) -> Outcome<(u64, u64)> {
    let mut sizes = Vec::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            sizes.push(entry.metadata()?.len());
        }
    }
    Ok((
        sizes.iter().sum(),
        sizes.iter().max().copied().unwrap_or_default(),
    ))
}

/// Seconds of `cp -r` of the outputs, or of our own copy where there is no `cp`.
fn copy(bench: &Bench) -> Outcome<f64> {
    let copy = bench.out.with_extension("copy");
    remove_folder(&copy)?;
    let seconds = match cfg!(unix) {
        true => {
            settle();
            let start = Instant::now();
            run(Command::new("cp").arg("-r").arg(&bench.out).arg(&copy))?;
            start.elapsed().as_secs_f64()
        }
        false => bench.copy_outputs()?,
    };
    remove_folder(&copy)?;
    Ok(seconds)
}

/// Seconds that another program needs to unpack the containers.
fn unpack(bench: &Bench) -> Outcome<f64> {
    let out = bench.out.with_extension("unpacked");
    remove_folder(&out)?;
    fs::create_dir_all(&out)?;
    settle();
    let start = Instant::now();
    let mut command = Command::new("python3");
    command.arg("-c").arg(UNPACK).arg(&bench.source).arg(&out);
    run(command.stdin(Stdio::null()))?;
    let seconds = start.elapsed().as_secs_f64();
    remove_folder(&out)?;
    Ok(seconds)
}
