//! Samples of all games: speed with one job and with two, a second run, memory, compared with a plain copy.

use std::fs;

use relicast::pipeline::report::{self, Report};
use relicast_samples as sample;

use super::print::{MEGABYTE, print_kinds, print_stages, verdict};
use super::program::Bench;
use crate::Outcome;
use crate::demo::read_report;
use crate::process::remove_folder;

/// Targets on two cores.
mod targets {
    /// Megabytes of source per second, with two jobs.
    pub const SPEED: f64 = 120.0;
    /// Time with one job over time with two.
    pub const SPEED_UP: f64 = 1.7;
    /// Megabytes of memory in addition to four times the largest file.
    pub const MEMORY: f64 = 256.0;
    /// Time of a second run over that of the first.
    pub const SECOND_RUN: f64 = 0.05;
}

/// Writes the sample of all games into the source folder; bytes in all and of the largest file.
///
/// # Errors
/// A file cannot be written.
pub fn write(bench: &Bench, scale: f64) -> Outcome<(u64, u64)> {
    println!("writing a sample of {:.0} MB …", scale * 100.0);
    remove_folder(&bench.source)?;
    let files = sample::bulk::files(scale * 100.0)?;
    sample::write_files(&bench.source, &files)?;
    let sizes = || files.iter().map(|file| file.bytes.len() as u64);
    Ok((sizes().sum::<u64>(), sizes().max().unwrap_or_default()))
}

/// Writes the sample and measures its conversion.
///
/// # Errors
/// A conversion fails, or a file cannot be written.
pub fn measure(bench: &Bench, scale: f64, rounds: u32) -> Outcome {
    let (bytes, largest) = write(bench, scale)?;
    let measured = Measured::new(bench, rounds, bytes, largest)?;
    measured.print_times();
    measured.print_verdicts();
    super::spending::measure(bench)
}

/// Times and memory of the conversion of a sample.
struct Measured {
    /// Size of the sample in MB.
    megabytes: f64,
    /// Size of its largest file in MB.
    largest: f64,
    /// Least seconds with one job and with two.
    times: [f64; 2],
    /// The reports of these two runs.
    reports: [Option<Report>; 2],
    /// Seconds of a run that has nothing to do.
    second: f64,
    /// Peak memory in bytes with two jobs, where it can be measured.
    memory: Option<u64>,
    /// Seconds of a copy.
    copy: f64,
}

impl Measured {
    fn new(bench: &Bench, rounds: u32, bytes: u64, largest: u64) -> Outcome<Self> {
        // The first run warms the file cache and the disk up and is not counted.
        bench.convert(1)?;
        let mut times = [f64::INFINITY; 2];
        let mut reports = [None, None];
        for round in 1..=rounds {
            for jobs in [1_usize, 2] {
                let seconds = bench.convert(jobs)?;
                println!("round {round}, {jobs} jobs: {seconds:.3} s");
                if seconds < times[jobs - 1] {
                    times[jobs - 1] = seconds;
                    reports[jobs - 1] = Some(read_report(&bench.out)?);
                }
            }
        }
        let report = bench.out.join(report::FILE_NAME);
        let before = fs::read(&report)?;
        let second = (0..3)
            .map(|_| bench.run(2))
            .collect::<Outcome<Vec<f64>>>()?;
        let second = second.into_iter().fold(f64::INFINITY, f64::min);
        if fs::read(&report)? != before {
            return Err(
                "a second run was expected to have nothing to do, and did something".into(),
            );
        }
        let memory = bench.peak_memory(2)?;
        let copy = (0..3)
            .map(|_| bench.copy())
            .collect::<Outcome<Vec<f64>>>()?;
        let copy = copy.into_iter().fold(f64::INFINITY, f64::min);
        Ok(Self {
            megabytes: bytes as f64 / MEGABYTE,
            largest: largest as f64 / MEGABYTE,
            times,
            reports,
            second,
            memory,
            copy,
        })
    }

    fn print_times(&self) {
        let [one, two] = self.times;
        let [report_of_one, report_of_two] = &self.reports;
        if let Some(report) = report_of_one {
            print_kinds(report);
        }
        if let Some(report) = report_of_two {
            print_stages(report);
        }
        let speed = |seconds: f64| self.megabytes / seconds;
        println!();
        println!(
            "sample {:.1} MB, largest file {:.1} MB",
            self.megabytes, self.largest
        );
        println!("  1 job   {one:>8.3} s  {:>8.1} MB/s", speed(one));
        println!("  2 jobs  {two:>8.3} s  {:>8.1} MB/s", speed(two));
        println!(
            "  copy    {:>8.3} s  {:>8.1} MB/s  (read and write the source, one thread)",
            self.copy,
            speed(self.copy)
        );
        println!("  again   {:>8.3} s  (nothing to do)", self.second);
        println!();
    }

    fn print_verdicts(&self) {
        let [one, two] = self.times;
        let speed = self.megabytes / two;
        verdict("speed, 2 jobs", speed, targets::SPEED, "MB/s", true);
        let gain = one / two;
        verdict("speed-up, 1 to 2 jobs", gain, targets::SPEED_UP, "x", true);
        verdict(
            "second run, of the first",
            self.second / two * 100.0,
            targets::SECOND_RUN * 100.0,
            "%",
            false,
        );
        let allowed = targets::MEMORY + 4.0 * self.largest;
        match self.memory {
            Some(peak) => {
                let peak = peak as f64 / MEGABYTE;
                verdict("peak memory, 2 jobs", peak, allowed, "MB", false);
            }
            None => println!("  ----  peak memory: not measured, there is no /proc here"),
        }
    }
}
