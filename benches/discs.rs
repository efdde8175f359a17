//! Discs in the benchmark: music to FLAC, reading of data sectors, and memory for a full disc.
//!
//! The full disc is an image of 700 MB, plain and as whole sectors with a sheet: a data track of a few
//! large files and two long tunes. Its sectors carry true codes, so that checking them costs what it does
//! on a disc. Each figure is compared with common tools: a plain copy for files,
//! `flac` for music.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use relicast::asset::AssetKind;
use relicast::source::disc::sector::{RAW, USER};
use relicast::source::disc::write::{NewFile, iso9660, raw_sectors};

use super::print::{MEGABYTE, verdict};
use super::program::{Bench, settle};
use crate::Outcome;
use crate::demo::read_report;
use crate::process::{exists, remove_folder};
use crate::tools::FLAC;

/// Seconds of each of the two tunes.
const TUNE: usize = 300;

/// Bytes of the full disc.
const FULL: usize = 700 << 20;

/// Numbers that the project promises.
mod targets {
    /// Seconds of music in a second, both tracks together.
    pub const REAL_TIME: f64 = 100.0;
    /// Megabytes of a plain image in a second.
    pub const READING: f64 = 500.0;
    /// Megabytes of memory for a full disc.
    pub const MEMORY: f64 = 128.0;
}

/// Files of the data track.
const FILES: usize = 6;

/// Settings under which nothing of the data track is written.
const NO_COPIES: &str = "[loose]\nenabled = false\n";

/// Measures both; `bench` gives program and folders.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, rounds: u32) -> Outcome {
    let folder = bench.source.with_file_name("disc");
    println!();
    println!("writing two tunes and a full disc …");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    write_music(&folder)?;
    let sectors = write_full(&folder)?;
    measure_music(&mut bench, &folder, rounds)?;

    let megabytes = (sectors * USER) as f64 / MEGABYTE;
    let copy = best(rounds, || copy(&folder.join("full.iso"), &bench.out))?;
    println!("plain copy of the {megabytes:.0} MB image: {copy:.3} s");
    bench.source = folder.join("full.iso");
    let settings = folder.join("no-copies.toml");
    fs::write(&settings, NO_COPIES)?;
    bench.options = vec!["--config".into(), settings.into()];
    let plain = best(rounds, || bench.convert(2))?;
    verdict(
        "plain image read and hashed, 2 jobs",
        megabytes / plain,
        targets::READING,
        "MB/s",
        true,
    );
    bench.options.clear();
    for (name, what) in [
        ("full.iso", "plain image of 520 MB, its files copied"),
        (
            "full.cue",
            "raw image of 700 MB checked, its files copied, its music encoded",
        ),
    ] {
        bench.source = folder.join(name);
        let seconds = best(rounds, || bench.convert(2))?;
        println!(
            "  ----  {what}, 2 jobs: {seconds:.3} s, {:.2} x the plain copy",
            seconds / copy
        );
        for jobs in [2, 8] {
            measure_memory(&bench, what, jobs)?;
        }
    }
    remove_folder(&bench.out)?;
    remove_folder(&folder)
}

fn best(rounds: u32, mut run: impl FnMut() -> Outcome<f64>) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(run()?);
    }
    Ok(best)
}

/// Seconds that the system needs to copy a file into a new folder.
fn copy(file: &Path, out: &Path) -> Outcome<f64> {
    remove_folder(out)?;
    fs::create_dir_all(out)?;
    settle();
    let start = Instant::now();
    fs::copy(file, out.join("copy"))?;
    Ok(start.elapsed().as_secs_f64())
}

fn measure_memory(bench: &Bench, what: &str, jobs: usize) -> Outcome {
    match bench.peak_memory(jobs)? {
        Some(peak) => verdict(
            &format!("peak memory, {what}, {jobs} jobs"),
            peak as f64 / MEGABYTE,
            targets::MEMORY,
            "MB",
            false,
        ),
        None => println!("  ----  peak memory: not measured, there is no /proc here"),
    }
    Ok(())
}

fn measure_music(bench: &mut Bench, folder: &Path, rounds: u32) -> Outcome {
    bench.source = folder.join("music.cue");
    let seconds = best(rounds, || bench.convert(2))?;
    let report = read_report(&bench.out)?;
    let music = report.totals.assets.get(&AssetKind::Music);
    let bytes = music.map_or(0, |music| music.source_bytes) as f64;
    let length = bytes / (75.0 * RAW as f64);
    println!("two tunes of {length:.0} s together, {seconds:.3} s for the whole run");
    verdict(
        "music to FLAC, 2 jobs",
        length / seconds,
        targets::REAL_TIME,
        "x real time",
        true,
    );
    if !exists(FLAC.program) {
        println!("  ----  {} is not here to compare with", FLAC.program);
        return Ok(());
    }
    let tool = best(rounds, || flac(folder))?;
    println!(
        "  ----  {} at its default level, one process a tune: {:.2} x real time; ours needs {:.2} x its time",
        FLAC.program,
        length / tool,
        seconds / tool
    );
    Ok(())
}

/// Seconds that `flac` needs for both tunes, each in a process of its own.
fn flac(folder: &Path) -> Outcome<f64> {
    let minutes = TUNE / 60;
    let start = Instant::now();
    let both = [("--until", "one.flac"), ("--skip", "two.flac")].map(|(part, name)| {
        Command::new(FLAC.program)
            .args(["--silent", "--force", "--force-raw-format"])
            .args(["--endian=little", "--sign=signed", "--channels=2"])
            .args(["--bps=16", "--sample-rate=44100"])
            .arg(format!("{part}={minutes}:00"))
            .arg("-o")
            .arg(folder.join(name))
            .arg(folder.join("music.bin"))
            .stdin(Stdio::null())
            .spawn()
    });
    for child in both {
        if !child?.wait()?.success() {
            return Err("flac failed".into());
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

/// A second of a chord that never repeats exactly.
fn second(number: usize) -> Vec<u8> {
    let frames = 0..44_100_usize;
    let sample = |frame: usize, period: usize| (frame % period * 9000 / period) as i32 - 4500;
    let samples = frames.flat_map(|frame| {
        let frame = frame + number * 44_100;
        let hiss = (frame.wrapping_mul(2_654_435_761) >> 13 & 0xFF) as i32;
        [sample(frame, 169) + hiss, sample(frame, 112) - hiss]
    });
    samples
        .flat_map(|sample| (sample as i16).to_le_bytes())
        .collect()
}

fn write_tunes(out: &mut impl Write) -> Outcome {
    for number in 0..2 * TUNE {
        out.write_all(&second(number))?;
    }
    Ok(())
}

fn write_music(folder: &Path) -> Outcome {
    let mut out = BufWriter::new(File::create(folder.join("music.bin"))?);
    write_tunes(&mut out)?;
    let minutes = TUNE / 60;
    fs::write(
        folder.join("music.cue"),
        format!(
            "FILE music.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n\
             TRACK 02 AUDIO\nINDEX 01 {minutes:02}:00:00\n"
        ),
    )?;
    out.flush()?;
    Ok(())
}

/// Writes the same files as a plain image and as a raw one followed by music; returns the number of data
/// sectors.
fn write_full(folder: &Path) -> Outcome<usize> {
    let music = 2 * TUNE * 75 * RAW;
    let size = (FULL - music) / RAW * USER / FILES - USER;
    let bytes: Vec<u8> = (0..size).map(|place| (place % 253) as u8).collect();
    let names: Vec<String> = (0..FILES)
        .map(|number| format!("data/part{number:02}.pdf"))
        .collect();
    let files: Vec<NewFile<'_>> = names
        .iter()
        .map(|path| NewFile {
            path,
            bytes: &bytes,
        })
        .chain([NewFile {
            path: "zbd/tip.wav",
            bytes: b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x22\x56\0\0\x01\0\x08\0data\0\0\0\0",
        }])
        .collect();
    let image = iso9660("FULL", &files);
    fs::write(folder.join("full.iso"), &image)?;
    let mut out = BufWriter::new(File::create(folder.join("full.bin"))?);
    let batch = 4096 * USER;
    for (number, part) in (0..).zip(image.chunks(batch)) {
        out.write_all(&raw_sectors(part, 1, number * 4096))?;
    }
    let sectors = image.len() / USER;
    write_tunes(&mut out)?;
    out.flush()?;
    let time = |sector: usize| {
        let (seconds, sectors) = (sector / 75, sector % 75);
        format!("{:02}:{:02}:{sectors:02}", seconds / 60, seconds % 60)
    };
    let (one, two) = (time(sectors), time(sectors + TUNE * 75));
    fs::write(
        folder.join("full.cue"),
        format!(
            "FILE full.bin BINARY\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00\nTRACK 02 AUDIO\n\
             INDEX 01 {one}\nTRACK 03 AUDIO\nINDEX 01 {two}\n"
        ),
    )?;
    Ok(sectors)
}
