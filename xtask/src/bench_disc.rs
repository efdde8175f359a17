//! Discs in the benchmark: music to FLAC, reading of data sectors, and memory for a full disc.
//!
//! The full disc is a raw image of 700 MB with a sheet: a data track of files that nothing is made of,
//! and two long tunes. Its sectors carry true codes, so that checking them costs what it does on a disc.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use relicast::convert::AssetKind;
use relicast::source::disc::sector::{RAW, USER};
use relicast::source::disc::write::{NewFile, iso9660, raw_sectors};

use super::bench::{Bench, MEGABYTE, verdict};
use crate::Outcome;
use crate::demo::read_report;
use crate::process::remove_folder;

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
    bench.source = folder.join("music.cue");
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(bench.convert(2)?);
    }
    let report = read_report(&bench.out)?;
    let music = report.totals.assets.get(&AssetKind::Music);
    let bytes = music.map_or(0, |music| music.source_bytes) as f64;
    let seconds = bytes / (75.0 * RAW as f64);
    println!("two tunes of {seconds:.0} s together, {best:.3} s for the whole run");
    verdict(
        "music to FLAC, 2 jobs",
        seconds / best,
        targets::REAL_TIME,
        "x real time",
        true,
    );

    let sectors = write_full(&folder)?;
    bench.source = folder.join("full.iso");
    let plain = measure_reading(&mut bench, sectors, rounds)?;
    verdict(
        "plain image read and hashed, 2 jobs",
        plain,
        targets::READING,
        "MB/s",
        true,
    );
    bench.source = folder.join("full.cue");
    let raw = measure_reading(&mut bench, sectors, rounds)?;
    println!("  ----  raw image read twice, checked and hashed, 2 jobs: {raw:.2} MB/s");
    match bench.peak_memory(2)? {
        Some(peak) => {
            let peak = peak as f64 / MEGABYTE;
            verdict(
                "peak memory, disc of 700 MB",
                peak,
                targets::MEMORY,
                "MB",
                false,
            );
        }
        None => println!("  ----  peak memory: not measured, there is no /proc here"),
    }
    remove_folder(&bench.out)?;
    remove_folder(&folder)
}

/// Megabytes of user data in a second of a whole run.
fn measure_reading(bench: &mut Bench, sectors: usize, rounds: u32) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(bench.convert(2)?);
    }
    Ok((sectors * USER) as f64 / MEGABYTE / best)
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

/// Writes the same files as a plain image and as a raw one with music behind it; number of data sectors.
fn write_full(folder: &Path) -> Outcome<usize> {
    let music = 2 * TUNE * 75 * RAW;
    let size = (FULL - music) / RAW * USER / 24 - USER;
    let bytes: Vec<u8> = (0..size).map(|place| (place % 253) as u8).collect();
    let names: Vec<String> = (0..24)
        .map(|number| format!("data/part{number:02}.pak"))
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
