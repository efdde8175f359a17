//! Program that a benchmark runs, with its input and its output folder, and the ways to time it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::process::{remove_folder, run as run_command, shown};

/// Program with its input and its output folder.
#[derive(Debug, Clone)]
pub struct Bench {
    /// Path of `relicast`.
    pub program: PathBuf,
    /// Game folder or image to convert.
    pub source: PathBuf,
    /// Output folder.
    pub out: PathBuf,
    /// Additional arguments.
    pub options: Vec<OsString>,
    /// Path of `relicast-roofline`, where it was built.
    pub roofline: Option<PathBuf>,
}

impl Bench {
    /// Converts into a fresh folder; seconds.
    pub fn convert(&self, jobs: usize) -> Outcome<f64> {
        remove_folder(&self.out)?;
        settle();
        self.run(jobs)
    }

    /// Converts into the folder as it is; seconds.
    pub fn run(&self, jobs: usize) -> Outcome<f64> {
        let start = Instant::now();
        run_command(&mut self.command(jobs))?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Converts into the folder as it is, at the same time as another one; seconds until both are done.
    pub fn run_next_to(&self, jobs: usize, other: &Self) -> Outcome<f64> {
        let start = Instant::now();
        let mut child = self.start(jobs)?;
        let alongside = other.run(jobs);
        let status = child.wait()?;
        let seconds = start.elapsed().as_secs_f64();
        match (alongside, status.success()) {
            (Ok(_), true) => Ok(seconds),
            (Ok(_), false) => Err(format!("the conversion failed: {status}").into()),
            (Err(error), _) => Err(error),
        }
    }

    fn start(&self, jobs: usize) -> Outcome<Child> {
        let mut command = self.command(jobs);
        let child = command.spawn();
        child.map_err(|error| format!("cannot run `{}`: {error}", shown(&command)).into())
    }

    /// The command that converts.
    pub fn command(&self, jobs: usize) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg("convert")
            .arg(&self.source)
            .arg("--out")
            .arg(&self.out);
        command.args(["--quiet", "--jobs", &jobs.to_string()]);
        command.args(&self.options).stdin(Stdio::null());
        command
    }

    /// Seconds that it takes to copy the outputs of the last run, file by file.
    pub fn copy_outputs(&self) -> Outcome<f64> {
        let copy = self.out.with_extension("copy");
        settle();
        let started = Instant::now();
        copy_folder(&self.out, &copy)?;
        Ok(started.elapsed().as_secs_f64())
    }

    /// Largest memory of a conversion, mapped pages of the source included, in bytes; `None` where
    /// the system has no `/proc`.
    pub fn peak_memory(&self, jobs: usize) -> Outcome<Option<u64>> {
        remove_folder(&self.out)?;
        let mut child = self.start(jobs)?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = None;
        while child.try_wait()?.is_none() {
            // The system records the maximum itself, so only the last moments can be missed.
            if let Ok(text) = fs::read_to_string(&status) {
                peak = peak.max(high_water(&text));
            }
            thread::sleep(Duration::from_millis(2));
        }
        Ok(peak)
    }

    /// Reads every source file and writes it again; seconds.
    pub fn copy(&self) -> Outcome<f64> {
        remove_folder(&self.out)?;
        settle();
        let start = Instant::now();
        copy_folder(&self.source, &self.out)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// Waits until the system has written its pending data to disk.
pub fn settle() {
    let synced = Command::new("sync").stdin(Stdio::null()).status();
    if synced.is_err() {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Peak memory in bytes, from the text of `/proc/<id>/status`.
fn high_water(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn copy_folder(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&source, &target)?;
        } else {
            fs::write(&target, fs::read(&source)?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_found() {
        let status = "Name:\trelicast\nVmPeak:\t  900 kB\nVmHWM:\t    1536 kB\nVmRSS:\t 10 kB\n";
        assert_eq!(high_water(status), Some(1_572_864));
        assert_eq!(high_water("Name:\tx\n"), None);
    }
}
