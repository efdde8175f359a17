//! EverQuest in the benchmark: a zone to its scene and pictures, and the decoding of scene files.
//!
//! The zone is made to the size of a large retail one: 1,600 regions with 156,800 triangles, 2,500 trees
//! with light of their own, 32 pictures. Where the project's fixtures are found, their real zone is
//! measured as well. Scene files are decoded by a dry run over a large one that is in no archive: it
//! reads and checks every fragment, lists the models and writes nothing. Each figure is compared with
//! a plain copy of the same bytes.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::print::{MEGABYTE, verdict};
use super::program::{Bench, settle};
use crate::Outcome;
use crate::process::remove_folder;
use relicast_samples::{SampleFile, terrain, write_files};

/// Regions of the scene file that is decoded.
const REGIONS: usize = 16_000;

/// The real zone, below the folder of this package.
const REAL: &str = "../../shared/fixtures/everquest/gfaydark.s3d";

/// Numbers that the project promises.
mod targets {
    /// Seconds of a zone, 2 jobs: the whole run.
    pub const ZONE_SECONDS: f64 = 1.0;
    /// Megabytes of a scene file in a second of one core.
    pub const DECODING: f64 = 150.0;
}

/// Measures both; `bench` gives program and folders.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, rounds: u32) -> Outcome {
    let folder = bench.source.with_file_name("zone");
    println!();
    println!("writing an EverQuest zone and a large scene file …");
    remove_folder(&folder)?;
    let zone = terrain::zone(1600, 2500)?;
    write_files(&folder, &zone.archives)?;
    let scenes = zone.scenes as f64 / MEGABYTE;
    bench.source.clone_from(&folder);
    bench.options.clear();
    measure_zone(
        &bench,
        &format!("zone with {scenes:.1} MB of scenes"),
        rounds,
    )?;

    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join(REAL);
    if real.is_file() {
        bench.source = real;
        measure_zone(&bench, "gfaydark.s3d", rounds)?;
    } else {
        println!("  ----  gfaydark.s3d is not here");
    }

    remove_folder(&folder)?;
    let bytes = terrain::ground(REGIONS)?;
    let megabytes = bytes.len() as f64 / MEGABYTE;
    let path = "ground.wld".to_owned();
    write_files(&folder, &[SampleFile { path, bytes }])?;
    bench.source = folder.join("ground.wld");
    let copy = best(rounds, || copy(&bench))?;
    bench.options = vec!["--dry-run".into()];
    let seconds = best(rounds, || bench.convert(1))?;
    println!(
        "scene file of {megabytes:.1} MB, {seconds:.3} s for the whole run, {:.2} x a plain copy",
        seconds / copy
    );
    verdict(
        "scene file decoded, 1 job",
        megabytes / seconds,
        targets::DECODING,
        "MB/s",
        true,
    );
    remove_folder(&bench.out)?;
    remove_folder(&folder)
}

fn measure_zone(bench: &Bench, what: &str, rounds: u32) -> Outcome {
    bench.convert(2)?;
    let seconds = best(rounds, || bench.convert(2))?;
    let copy = best(rounds, || copy(bench))?;
    println!(
        "{what}: {seconds:.3} s for the whole run, {:.2} x a plain copy",
        seconds / copy
    );
    verdict(
        &format!("{what} to .gltf and PNG, 2 jobs"),
        seconds,
        targets::ZONE_SECONDS,
        "s",
        false,
    );
    Ok(())
}

fn best(rounds: u32, mut run: impl FnMut() -> Outcome<f64>) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        best = best.min(run()?);
    }
    Ok(best)
}

/// Seconds that a plain copy of the source needs.
fn copy(bench: &Bench) -> Outcome<f64> {
    if bench.source.is_dir() {
        return bench.copy();
    }
    remove_folder(&bench.out)?;
    fs::create_dir_all(&bench.out)?;
    settle();
    let start = Instant::now();
    fs::copy(&bench.source, bench.out.join("copy"))?;
    Ok(start.elapsed().as_secs_f64())
}
