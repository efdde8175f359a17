//! Cabinets in the benchmark: an install in an InstallShield set and in a Microsoft cabinet against the same files in a
//! folder.

use std::fs;

use relicast_samples as sample;
use relicast_samples::cabinet::{disc, microsoft, set};

use super::print::{MEGABYTE, verdict};
use super::program::Bench;
use crate::Outcome;
use crate::process::remove_folder;

/// Megabytes of the install.
const SIZE: f64 = 200.0;

/// Numbers that the project promises.
mod targets {
    /// Speed over that of the folder.
    pub const SHARE: f64 = 0.6;
    /// Megabytes of memory beyond those for the folder.
    pub const MEMORY: f64 = 64.0;
}

/// Measures all three; `bench` gives program and folders.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(mut bench: Bench, rounds: u32) -> Outcome {
    let folder = bench.source.with_file_name("cabinets");
    println!();
    println!("writing an install of {SIZE:.0} MB, in a folder and in cabinets …");
    remove_folder(&folder)?;
    let install = sample::bulk::files(SIZE)?;
    sample::write_files(&folder.join("plain"), &install)?;
    let new = set::NewSet::new(disc::groups(&install));
    sample::write_files(&folder.join("installshield"), &set::files(&new)?)?;
    drop(new);
    fs::create_dir_all(folder.join("microsoft"))?;
    fs::write(
        folder.join("microsoft/data.cab"),
        microsoft::cabinet(&install, true)?,
    )?;
    drop(install);

    let mut seconds = Vec::new();
    let mut memory = Vec::new();
    for name in ["plain", "installshield", "microsoft"] {
        bench.source = folder.join(name);
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(bench.convert(2)?);
        }
        println!("{name}: {best:.3} s, 2 jobs");
        seconds.push(best);
        memory.push(bench.peak_memory(2)?);
    }
    let (Some(plain), Some(of_plain)) = (seconds.first(), memory.first()) else {
        return Ok(());
    };
    let rows = ["InstallShield set", "Microsoft cabinet"].into_iter();
    for ((what, seconds), memory) in rows.zip(seconds.iter().skip(1)).zip(memory.iter().skip(1)) {
        let share = plain / seconds;
        verdict(
            &format!("{what}, speed over a folder's"),
            share,
            targets::SHARE,
            "x",
            true,
        );
        if let (Some(own), Some(plain)) = (memory, of_plain) {
            let more = (*own as f64 - *plain as f64) / MEGABYTE;
            let what = format!("{what}, memory beyond a folder's");
            verdict(&what, more, targets::MEMORY, "MB", false);
        }
    }
    remove_folder(&bench.out)?;
    remove_folder(&folder)
}
