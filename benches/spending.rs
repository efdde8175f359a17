//! Costs of a run by stage and kind, as the program reports them, and a lower bound: parts of the work done alone, with
//! the same bytes, in the same run.
//!
//! All of it is processor seconds, which depend on what else the machine does far less than time does; the ratios are
//! those of one run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use relicast::limits::spending::{Spent, Stage, process_seconds};
use serde::Deserialize;
use walkdir::WalkDir;

use super::print::MEGABYTE;
use super::program::{Bench, settle};
use crate::Outcome;
use crate::process::{exists, remove_folder, shown};

/// Costs that the program reports.
#[derive(Debug, Deserialize)]
pub struct Spending {
    /// Processor seconds of the whole run.
    pub seconds: f64,
    /// Costs by stage and kind.
    pub places: Vec<Spent>,
}

/// Cost of a part of the work that is done alone.
#[derive(Debug, Deserialize)]
struct Alone {
    seconds: f64,
    bytes_in: u64,
    bytes_out: u64,
    pieces: u64,
    same: u64,
}

/// Converts once more into a fresh folder, and returns its costs; none with a program that does not report them.
///
/// # Errors
/// The program cannot be run, or its report cannot be read.
pub fn spending(bench: &Bench, jobs: usize) -> Outcome<Option<Spending>> {
    let file = bench.out.with_extension("spending.json");
    remove_folder(&bench.out)?;
    settle();
    let mut command = bench.command(jobs);
    command.arg("--spending").arg(&file).stderr(Stdio::null());
    if !command.status()?.success() {
        return Ok(None);
    }
    let costs = serde_json::from_slice(&fs::read(&file)?)?;
    fs::remove_file(&file)?;
    Ok(Some(costs))
}

/// Prints the costs of a run with one job, and their lower bound. The outputs stay in the folder.
///
/// # Errors
/// The program or a part of it cannot be run.
pub fn measure(bench: &Bench) -> Outcome {
    println!();
    let Some(costs) = spending(bench, 1)? else {
        println!("  ----  spending by stage and kind: not reported by this program");
        return Ok(());
    };
    print(&costs);
    roofline(bench, &costs)
}

const HEAD: &str = "stage     kind          times      CPU s    MB in   MB out  MB inflated  MB allocated  peak MB";

fn print(costs: &Spending) {
    println!("{HEAD}");
    let mut stages: BTreeMap<_, Spent> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, Spent> = BTreeMap::new();
    for place in &costs.places {
        println!("{}", row(place.stage.label(), &place.kind, place));
        add(&mut stages, place.stage, place);
        add(&mut kinds, &place.kind, &of_kind(place));
    }
    for (stage, sum) in &stages {
        println!("{}", row(stage.label(), "(all)", sum));
    }
    for (kind, sum) in kinds.iter().filter(|(kind, _)| !kind.is_empty()) {
        println!("{}", row("(all)", kind, sum));
    }
    let known: f64 = costs.places.iter().map(|place| place.seconds).sum();
    println!(
        "(1 job; {:.2} s of the processor in all, {:.2} s of it in no stage; peak: the most that one part, or one file \
         that is opened, had at once)",
        costs.seconds,
        costs.seconds - known
    );
}

/// A place as it counts for its kind: what goes in is converted, what comes out is written, each once.
fn of_kind(place: &Spent) -> Spent {
    Spent {
        bytes_in: match place.stage {
            Stage::Convert => place.bytes_in,
            _ => 0,
        },
        bytes_out: match place.stage {
            Stage::Write => place.bytes_out,
            _ => 0,
        },
        ..place.clone()
    }
}

/// Adds a place to the sum of its stage or kind.
fn add<K: Ord>(sums: &mut BTreeMap<K, Spent>, key: K, place: &Spent) {
    let sum = sums.entry(key).or_insert_with(|| Spent {
        times: 0,
        seconds: 0.0,
        bytes_in: 0,
        bytes_out: 0,
        inflated: 0,
        allocated: 0,
        peak: 0,
        ..place.clone()
    });
    sum.times += place.times;
    sum.seconds += place.seconds;
    sum.bytes_in += place.bytes_in;
    sum.bytes_out += place.bytes_out;
    sum.inflated += place.inflated;
    sum.allocated += place.allocated;
    sum.peak = sum.peak.max(place.peak);
}

fn row(stage: &str, kind: &str, spent: &Spent) -> String {
    let megabytes = |bytes: u64| bytes as f64 / MEGABYTE;
    format!(
        "{stage:<9} {kind:<12} {:>6} {:>10.3} {:>8.1} {:>8.1} {:>12.1} {:>13.1} {:>8.1}",
        spent.times,
        spent.seconds,
        megabytes(spent.bytes_in),
        megabytes(spent.bytes_out),
        megabytes(spent.inflated),
        megabytes(spent.allocated),
        megabytes(spent.peak),
    )
}

/// Prints the costs of the parts done alone, with the outputs in the folder.
fn roofline(bench: &Bench, costs: &Spending) -> Outcome {
    let Some(program) = &bench.roofline else {
        println!("  ----  roofline: relicast-roofline is not in the folder of the program");
        return Ok(());
    };
    println!();
    println!("alone, one thread                       MB     CPU s  the run is");
    let mut sum = 0.0;
    let mut show = |what: &str, bytes: u64, seconds: f64, counts: bool| {
        let megabytes = bytes as f64 / MEGABYTE;
        let ratio = costs.seconds / seconds.max(1e-9);
        println!("{what:<34} {megabytes:>8.1} {seconds:>9.3}  {ratio:>8.1} x");
        if counts {
            sum += seconds;
        }
    };
    let (source, out) = (bench.source.as_path(), bench.out.as_path());
    let (bytes, seconds) = copy(bench)?;
    show("copy of the outputs", bytes, seconds, true);
    let inflated = alone(program, "inflate", &[source])?;
    if inflated.pieces > 0 {
        let what = format!("inflate, {} blocks", inflated.pieces);
        show(&what, inflated.bytes_out, inflated.seconds, true);
    }
    let pictures = alone(program, "png", &[out])?;
    if pictures.pieces > 0 {
        let what = format!("PNG, {} pictures", pictures.pieces);
        show(&what, pictures.bytes_in, pictures.seconds, true);
    }
    let hashed = alone(program, "blake3", &[source, out])?;
    show(
        "BLAKE3 of sources and outputs",
        hashed.bytes_in,
        hashed.seconds,
        true,
    );
    match flac(out)? {
        Some((sounds, bytes, seconds)) => {
            let what = format!("`flac -5`, {sounds} sounds (not in the sum)");
            show(&what, bytes, seconds, false);
        }
        None => println!("  ----  `flac -5`: no sounds came out, or there is no flac here"),
    }
    println!(
        "all of these together: {sum:.3} s; the run is {:.2} x that",
        costs.seconds / sum.max(1e-9)
    );
    if pictures.pieces > 0 {
        println!(
            "({} of {} pictures came out of the encoder byte by byte as they were, {:.1} MB)",
            pictures.same,
            pictures.pieces,
            pictures.bytes_out as f64 / MEGABYTE
        );
    }
    Ok(())
}

/// Runs a part of the work alone.
fn alone(program: &Path, part: &str, folders: &[&Path]) -> Outcome<Alone> {
    let mut command = Command::new(program);
    command.arg(part).args(folders).stdin(Stdio::null());
    let output = command.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{}` failed: {said}", shown(&command)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Bytes and processor seconds of a copy of the outputs, file by file.
fn copy(bench: &Bench) -> Outcome<(u64, f64)> {
    let start = process_seconds();
    bench.copy_outputs()?;
    let seconds = process_seconds() - start;
    let copy = bench.out.with_extension("copy");
    let bytes = files(&copy)?.iter().map(|(_, size)| size).sum();
    remove_folder(&copy)?;
    Ok((bytes, seconds))
}

/// Files below a folder with their sizes.
fn files(folder: &Path) -> Outcome<Vec<(PathBuf, u64)>> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            let size = entry.metadata()?.len();
            found.push((entry.into_path(), size));
        }
    }
    Ok(found)
}

/// Sounds that one run of the encoder takes: a command line has bounds.
const BATCH: usize = 400;

/// Number, bytes and processor seconds of the sounds that came out, encoded by libFLAC's own program; those that are
/// FLAC already are decoded first. None without sounds or without the program.
fn flac(out: &Path) -> Outcome<Option<(usize, u64, f64)>> {
    if !exists("flac") {
        return Ok(None);
    }
    let folder = out.with_extension("flac");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    let mut sounds = Vec::new();
    for (number, (path, _)) in files(out)?.into_iter().enumerate() {
        let ending = path.extension().and_then(OsStr::to_str);
        let wav = folder.join(format!("{number}.wav"));
        let is_there = match ending {
            Some("wav") => fs::copy(&path, &wav).is_ok(),
            Some("flac") => quiet_flac(&["-d", "-o"], &[wav.clone(), path])?,
            _ => false,
        };
        if is_there {
            sounds.push(wav);
        }
    }
    let Some(start) = children_seconds() else {
        remove_folder(&folder)?;
        return Ok(None);
    };
    for batch in sounds.chunks(BATCH) {
        // libFLAC skips formats that it does not read, such as ADPCM.
        quiet_flac(&["-5", "-f"], batch)?;
    }
    let seconds = children_seconds().unwrap_or(start) - start;
    let encoded = sounds
        .iter()
        .filter(|wav| wav.with_extension("flac").is_file());
    let sizes: Vec<u64> = encoded
        .map(|wav| fs::metadata(wav).map(|file| file.len()))
        .collect::<Result<_, _>>()?;
    remove_folder(&folder)?;
    Ok((!sizes.is_empty()).then(|| (sizes.len(), sizes.iter().sum(), seconds)))
}

/// Runs `flac` without its messages; whether it succeeded.
fn quiet_flac(options: &[&str], files: &[PathBuf]) -> Outcome<bool> {
    let mut command = Command::new("flac");
    command.args(["--silent"]).args(options).args(files);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command.status()?.success())
}

/// Processor seconds of all programs that this one ran and waited for, to a hundredth; none where the system
/// has no `/proc`.
pub fn children_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    of_children(&stat)
}

/// The two fields of `/proc/self/stat` for the time of children, in hundredths of a second.
fn of_children(stat: &str) -> Option<f64> {
    // The name in brackets may hold anything; what follows it are fields from the third on.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_once_for_a_kind() {
        let place = |stage| Spent {
            stage,
            kind: "sounds".to_owned(),
            times: 1,
            seconds: 1.0,
            bytes_in: 10,
            bytes_out: 20,
            inflated: 0,
            allocated: 5,
            peak: 7,
        };
        let mut kinds = BTreeMap::new();
        for stage in [Stage::Read, Stage::Convert, Stage::Emit, Stage::Write] {
            add(&mut kinds, "sounds", &of_kind(&place(stage)));
        }
        let sum = &kinds["sounds"];
        assert_eq!((sum.bytes_in, sum.bytes_out), (10, 20));
        assert_eq!((sum.times, sum.allocated, sum.peak), (4, 20, 7));
    }

    #[test]
    fn what_children_took_is_found() {
        let stat = "1 (x (y) z) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 700 50 20 0 1 0";
        assert_eq!(of_children(stat), Some(7.5));
        assert_eq!(of_children("1 (x) S 0"), None);
    }
}
