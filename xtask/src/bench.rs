//! `cargo xtask bench`: speed and memory of the whole program, against the project's targets.
//!
//! Method: a large sample (see [`relicast_samples::bulk`]) is written once. The release build converts it into
//! fresh folders with one job and with two in turn, several times; the fastest run of each counts,
//! because everything else that the machine does only adds time. The source lies in the file cache,
//! as it was just written. Then a second run into a finished folder has nothing to do. Peak memory is
//! read from `/proc` in a run of its own, so that looking does not disturb the timing.
//!
//! Discs are measured in `bench_disc`, cabinets in `bench_cabinets`, EverQuest in `bench_everquest`, its whole installs in
//! `bench_install`, the way back in `bench_pack`, containers of small files and worlds in `bench_containers`, very many outputs
//! in `bench_outputs`, imports by other programs in `bench_imports`; what stages and kinds spend, and the bound beside it, in
//! `bench_spending`.
//!
//! A large world is measured apart, with one job: how fast it becomes glTF, and in how much memory.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use relicast::formats::zipper::ZipperGame;
use relicast::pipeline::report::{self, Report};

use crate::Outcome;
use crate::bench_everquest;
use crate::bench_print::{MEGABYTE, print_kinds, print_stages, verdict};
use crate::demo::read_report;
use crate::process::{
    build_release, build_roofline, remove_folder, run as run_command, shown, target,
};
use crate::{
    bench_cabinets, bench_containers, bench_disc, bench_imports, bench_install, bench_outputs,
    bench_pack, bench_spending,
};
use relicast_samples as sample;

/// Measures the release build on a large sample.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Size of the sample, in units of 100 MB.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Folder for the sample and the outputs; `target/bench` when not given.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Measure discs alone.
    #[arg(long)]
    disc: bool,
    /// Measure cabinets alone.
    #[arg(long, conflicts_with = "disc")]
    cabinets: bool,
    /// Measure EverQuest alone.
    #[arg(long, conflicts_with = "disc")]
    everquest: bool,
    /// Measure animations alone.
    #[arg(long)]
    animations: bool,
    /// Measure packing of one edited texture alone.
    #[arg(long, conflicts_with = "disc")]
    pack: bool,
    /// Measure a whole EverQuest install alone, which is made first: 41,000 members in 360 archives, 200 MB.
    #[arg(long, conflicts_with = "disc")]
    install: bool,
    /// Measure this EverQuest install alone.
    #[arg(long, value_name = "DIR", conflicts_with = "disc")]
    real: Option<PathBuf>,
    /// Measure containers of small files and worlds alone.
    #[arg(long, conflicts_with = "disc")]
    containers: bool,
    /// Measure installs of 20,000 and of 200,000 outputs alone.
    #[arg(long, conflicts_with = "disc")]
    outputs: bool,
    /// Measure alone how long Godot, Blender and three.js take for the default glTF of a made zone, and of one of the
    /// install that `--real` names.
    #[arg(long, conflicts_with = "disc")]
    imports: bool,
    /// The zone of that install.
    #[arg(long, value_name = "NAME", default_value = "gfaydark")]
    zone: String,
    /// Measure everything, one after the other: what is measured without options, whole installs, containers, outputs and
    /// imports.
    #[arg(long, conflicts_with = "disc")]
    everything: bool,
    /// Measure this program instead of building one, with the `relicast-roofline` beside it, if any.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// How often each number of jobs is measured.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

/// Numbers that the project promises on two cores.
mod targets {
    /// Megabytes of source in a second, with two jobs.
    pub const SPEED: f64 = 120.0;
    /// Time with one job over time with two.
    pub const SPEED_UP: f64 = 1.7;
    /// Megabytes of memory besides four times the largest file.
    pub const MEMORY: f64 = 256.0;
    /// Time of a second run over that of the first.
    pub const SECOND_RUN: f64 = 0.05;
    /// Megabytes of a world in a second of one core.
    pub const WORLD_SPEED: f64 = 50.0;
    /// Memory over the size of a world.
    pub const WORLD_MEMORY: f64 = 8.0;
    /// Megabytes of animations in a second, with two jobs.
    pub const ANIMATION_SPEED: f64 = 30.0;
}

/// Runs the command.
///
/// # Errors
/// The program does not build or run, or a file cannot be written or read.
pub fn run(arguments: &Arguments) -> Outcome {
    if !(arguments.scale > 0.0 && arguments.scale <= 100.0) {
        return Err("the scale must lie above 0 and at most at 100".into());
    }
    let (program, roofline) = match &arguments.program {
        Some(program) => {
            let program = std::path::absolute(program)?;
            let name = format!("relicast-roofline{}", std::env::consts::EXE_SUFFIX);
            let beside = program.with_file_name(name);
            (program, Some(beside).filter(|path| path.is_file()))
        }
        None => (build_release()?, Some(build_roofline()?)),
    };
    let folder = arguments
        .dir
        .clone()
        .unwrap_or_else(|| target().join("bench"));
    let bench = Bench {
        program,
        source: folder.join("install"),
        out: folder.join("out"),
        options: Vec::new(),
        roofline,
    };
    if arguments.everything {
        measure_install(&bench, arguments)?;
        apart(&bench, arguments)?;
        return measure_samples(bench, &folder, arguments);
    }
    if arguments.containers || arguments.outputs || arguments.imports {
        return apart(&bench, arguments);
    }
    if arguments.disc {
        return bench_disc::measure(bench, arguments.rounds.max(1));
    }
    if arguments.cabinets {
        return bench_cabinets::measure(bench, arguments.rounds.max(1));
    }
    if arguments.everquest {
        return bench_everquest::measure(bench, arguments.rounds.max(1));
    }
    if arguments.install || arguments.real.is_some() {
        return measure_install(&bench, arguments);
    }
    if arguments.animations {
        let animations = Bench {
            source: folder.join("animations"),
            ..bench
        };
        return animations.measure_animations(arguments.rounds.max(1));
    }
    measure_samples(bench, &folder, arguments)
}

/// A whole install: the real one, or a made one.
fn measure_install(bench: &Bench, arguments: &Arguments) -> Outcome {
    let real = arguments.real.as_deref();
    let rounds = arguments.rounds.max(1);
    bench_install::measure(bench.clone(), real, arguments.scale, rounds)
}

/// What is measured apart and was asked for.
fn apart(bench: &Bench, arguments: &Arguments) -> Outcome {
    let rounds = arguments.rounds.max(1);
    if arguments.containers || arguments.everything {
        bench_containers::measure(bench.clone(), arguments.scale, rounds)?;
    }
    if arguments.outputs || arguments.everything {
        bench_outputs::measure(bench.clone(), arguments.scale, rounds)?;
    }
    if arguments.imports || arguments.everything {
        let real = arguments.real.as_deref();
        bench_imports::measure(bench.clone(), real, &arguments.zone, rounds)?;
    }
    Ok(())
}

/// What is measured without options.
fn measure_samples(bench: Bench, folder: &Path, arguments: &Arguments) -> Outcome {
    println!("writing a sample of {:.0} MB …", arguments.scale * 100.0);
    remove_folder(&bench.source)?;
    let (bytes, largest) = {
        let files = sample::bulk::files(arguments.scale * 100.0)?;
        sample::write_files(&bench.source, &files)?;
        let sizes = || files.iter().map(|file| file.bytes.len() as u64);
        (sizes().sum::<u64>(), sizes().max().unwrap_or_default())
    };
    if arguments.pack {
        return bench_pack::measure(&bench, arguments.rounds.max(1));
    }

    let measured = Measured::of(&bench, arguments.rounds.max(1), bytes, largest)?;
    measured.print_times();
    measured.print_verdicts();
    bench_spending::measure(&bench)?;
    bench_pack::measure(&bench, arguments.rounds.max(1))?;
    remove_folder(&bench.out)?;
    let world = Bench {
        source: folder.join("world"),
        ..bench
    };
    world.measure_world(arguments.rounds.max(1))?;
    let animations = Bench {
        source: folder.join("animations"),
        ..world.clone()
    };
    animations.measure_animations(arguments.rounds.max(1))?;
    let zone = Bench {
        source: folder.join("zone"),
        ..world.clone()
    };
    bench_everquest::measure(zone, arguments.rounds.max(1))?;
    let cabinets = Bench {
        source: folder.join("install"),
        ..world.clone()
    };
    bench_cabinets::measure(cabinets, arguments.rounds.max(1))?;
    bench_disc::measure(world, arguments.rounds.max(1))
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
    fn of(bench: &Bench, rounds: u32, bytes: u64, largest: u64) -> Outcome<Self> {
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

/// A program, what it converts, and where to.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The program.
    pub program: PathBuf,
    /// What it converts.
    pub source: PathBuf,
    /// The output folder.
    pub out: PathBuf,
    /// More arguments for it.
    pub options: Vec<OsString>,
    /// The program that does parts of its work alone, if there is one.
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

    /// Converts into the folder as it is, while another program does the same into its own; seconds until both are done.
    pub fn run_beside(&self, jobs: usize, other: &Self) -> Outcome<f64> {
        let start = Instant::now();
        let mut child = self.start(jobs)?;
        let beside = other.run(jobs);
        let status = child.wait()?;
        let seconds = start.elapsed().as_secs_f64();
        match (beside, status.success()) {
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

    /// Measures a world of 176,128 polygons, which has no textures beside it.
    fn measure_world(&self, rounds: u32) -> Outcome {
        println!();
        println!("writing a large world …");
        remove_folder(&self.source)?;
        let file = sample::SampleFile {
            path: "zbd/c1/gamez.zbd".to_owned(),
            bytes: sample::world::plain(43, 16)?,
        };
        let megabytes = file.bytes.len() as f64 / MEGABYTE;
        sample::write_files(&self.source, &[file])?;
        self.convert(1)?;
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(self.convert(1)?);
        }
        let memory = self.peak_memory(1)?;
        println!("world {megabytes:.1} MB, {best:.3} s for the whole run");
        verdict(
            "world to .gltf and .bin, 1 job",
            megabytes / best,
            targets::WORLD_SPEED,
            "MB/s",
            true,
        );
        match memory {
            Some(peak) => verdict(
                "peak memory, of the world's size",
                peak as f64 / MEGABYTE / megabytes,
                targets::WORLD_MEMORY,
                "x",
                false,
            ),
            None => println!("  ----  peak memory: not measured, there is no /proc here"),
        }
        remove_folder(&self.out)
    }

    /// Measures a container of animations with the world that they move.
    fn measure_animations(&self, rounds: u32) -> Outcome {
        println!();
        println!("writing many animations …");
        remove_folder(&self.source)?;
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
        sample::write_files(&self.source, &files)?;
        remove_folder(&self.out)?;
        let mut best = [f64::INFINITY; 2];
        let mut copied = f64::INFINITY;
        // Each run has a folder of its own: ext4 does not give out again for a while what was freed, and
        // looks at all of it for each of thousands of new files. The first round is not counted.
        for round in 0..=rounds {
            for jobs in [1_usize, 2] {
                let run = Bench {
                    out: self.out.join(format!("{round}_{jobs}")),
                    ..self.clone()
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
            targets::ANIMATION_SPEED,
            "MB/s",
            true,
        );
        remove_folder(&self.out)
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
    /// the system does not tell.
    pub fn peak_memory(&self, jobs: usize) -> Outcome<Option<u64>> {
        remove_folder(&self.out)?;
        let mut child = self.start(jobs)?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = None;
        while child.try_wait()?.is_none() {
            // The system keeps the maximum itself, so only the last moments can be missed.
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

/// Lets the system finish what it still has to write, where it can be told to.
pub fn settle() {
    let synced = Command::new("sync").stdin(Stdio::null()).status();
    if synced.is_err() {
        thread::sleep(Duration::from_secs(1));
    }
}

/// The line of `/proc/<id>/status` that tells the largest memory so far, in bytes.
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
