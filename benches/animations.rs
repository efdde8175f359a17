//! Container of animations with the world that they move: speed with one job and with two, next to a copy of the
//! outputs.

use relicast::formats::zipper::ZipperGame;
use relicast_samples as sample;

use super::print::{MEGABYTE, verdict};
use super::program::{Bench, settle};
use crate::Outcome;
use crate::process::remove_folder;

/// Megabytes of animations per second, with two jobs.
const SPEED: f64 = 30.0;

/// Writes the animations and measures their conversion.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(bench: &Bench, rounds: u32) -> Outcome {
    println!();
    println!("writing many animations …");
    remove_folder(&bench.source)?;
    let files = [
        sample::SampleFile {
            path: "zbd/c1/anim.zbd".to_owned(),
            bytes: sample::animation::bulk(20.0)?,
        },
        sample::SampleFile {
            path: "zbd/c1/gamez.zbd".to_owned(),
            bytes: sample::world::world(ZipperGame::MechWarrior3)?,
        },
    ];
    let megabytes = files[0].bytes.len() as f64 / MEGABYTE;
    sample::write_files(&bench.source, &files)?;
    remove_folder(&bench.out)?;
    let mut best = [f64::INFINITY; 2];
    let mut copied = f64::INFINITY;
    // Each run has a folder of its own: ext4 does not give out again for a while what was freed, and
    // looks at all of it for each of thousands of new files. The first round is not counted.
    for round in 0..=rounds {
        for jobs in [1_usize, 2] {
            let run = Bench {
                out: bench.out.join(format!("{round}_{jobs}")),
                ..bench.clone()
            };
            settle();
            let seconds = run.run(jobs)?;
            if round > 0 {
                best[jobs - 1] = best[jobs - 1].min(seconds);
                copied = copied.min(run.copy_outputs()?);
            }
        }
    }
    let [alone, both] = best;
    println!(
        "animations {megabytes:.1} MB: {alone:.3} s with 1 job, {both:.3} s with 2, {copied:.3} s to \
         copy what comes out"
    );
    verdict(
        "animations to documents and clips, 2 jobs",
        megabytes / both,
        SPEED,
        "MB/s",
        true,
    );
    remove_folder(&bench.out)
}
