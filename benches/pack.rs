//! Packing of one edited texture of a whole install.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use relicast::pipeline::report::manifest::{self, Manifest};
use relicast_samples::edits;
use relicast_samples::random::Random;

use super::print::verdict;
use super::program::Bench;
use crate::Outcome;
use crate::process::{remove_folder, shown};

/// Seconds that the project promises for one edited texture of an install of 100 MB.
const SECONDS: f64 = 1.0;

/// Measures the install that `bench` has written, which it converts once more.
///
/// # Errors
/// A conversion fails, a file cannot be read or written, or the edit is refused.
pub fn measure(bench: &Bench, rounds: u32) -> Outcome {
    bench.convert(2)?;
    let out = &bench.out;
    let listed: Manifest = serde_json::from_slice(&fs::read(out.join(manifest::FILE_NAME))?)?;
    let is_texture = |path: &str| path.starts_with("textures/") && path.ends_with(".png");
    let mut outputs = listed.outputs.iter();
    let texture = outputs.find(|output| is_texture(&output.path));
    let texture = texture.ok_or("the sample has no textures")?;
    let mut best = [f64::INFINITY; 2];
    for round in 0..u64::from(rounds) {
        let edit = edits::edit(out, &texture.path, &mut Random::new(round))?;
        for (path, bytes) in edit.ok_or("the texture is empty")?.files {
            fs::write(out.join(path), bytes)?;
        }
        for (best, more) in best.iter_mut().zip([&[][..], &["--read-all"]]) {
            let to = out.with_file_name("packed");
            remove_folder(&to)?;
            let mut command = Command::new(&bench.program);
            command
                .arg("pack")
                .arg(out)
                .arg("--from")
                .arg(&bench.source);
            command.arg("--to").arg(&to).args(more);
            let start = Instant::now();
            let status = command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .status()?;
            *best = best.min(start.elapsed().as_secs_f64());
            if !status.success() || !to.join(&*texture.source).is_file() {
                return Err(format!("`{}` packed nothing: {status}", shown(&command)).into());
            }
            remove_folder(&to)?;
        }
    }
    println!();
    println!(
        "one edited texture of {} outputs, packed",
        listed.outputs.len()
    );
    let [touched, all] = best;
    println!("  edits found by reading everything  {all:>8.3} s");
    verdict("packing one texture", touched, SECONDS, "s", false);
    Ok(())
}
