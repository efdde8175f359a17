//! World of 176,128 polygons without textures: speed with one job, and memory.

use relicast_samples as sample;

use super::print::{MEGABYTE, verdict};
use super::program::Bench;
use crate::Outcome;
use crate::process::remove_folder;

/// Megabytes of a world per second of one core.
const SPEED: f64 = 50.0;

/// Memory over the size of the world.
const MEMORY: f64 = 8.0;

/// Writes the world and measures its conversion.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(bench: &Bench, rounds: u32) -> Outcome {
    println!();
    println!("writing a large world …");
    remove_folder(&bench.source)?;
    let file = sample::SampleFile {
        path: "zbd/c1/gamez.zbd".to_owned(),
        bytes: sample::world::plain(43, 16)?,
    };
    let megabytes = file.bytes.len() as f64 / MEGABYTE;
    sample::write_files(&bench.source, &[file])?;
    bench.convert(1)?;
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(bench.convert(1)?);
    }
    let memory = bench.peak_memory(1)?;
    println!("world {megabytes:.1} MB, {best:.3} s for the whole run");
    verdict(
        "world to .gltf and .bin, 1 job",
        megabytes / best,
        SPEED,
        "MB/s",
        true,
    );
    match memory {
        Some(peak) => verdict(
            "peak memory, of the world's size",
            peak as f64 / MEGABYTE / megabytes,
            MEMORY,
            "x",
            false,
        ),
        None => println!("  ----  peak memory: not measured, there is no /proc here"),
    }
    remove_folder(&bench.out)
}
