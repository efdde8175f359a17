//! `cargo xtask collection`: a shelf of discs through the workflow of Snakemake, on one machine and on Slurm.
//!
//! - [`mod@shelf`]: the discs; [`snakemake`]: the workflow in a folder; [`slurm`]: a cluster of one machine.
//! - [`mishap`]: what goes wrong on the way; [`compare`]: whether outputs are those of a single run.
//! - [`model`]: what more nodes would bring.

mod compare;
mod mishap;
mod model;
mod shelf;
mod slurm;
mod snakemake;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Outcome;
use crate::process::{build_release, exit_code, remove_folder, run, target, tested_program};
use crate::python;
use crate::tally::Tally;
use mishap::Mishap;
use shelf::Disc;
use slurm::Cluster;
use snakemake::{Place, Settings};

/// Title of the check that is made if Snakemake is installed.
const WHAT: &str = "the outputs of a collection's workflow equal those of single runs";

/// Longest wait for a mishap.
const PATIENCE: Duration = Duration::from_secs(600);

/// Run the workflow for collections (workflow/) on sample discs: on one machine with a mishap on the way, on a real
/// Slurm with a drained node and a killed job, and measured with one and two workers.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only what .ci/run runs: four discs on this machine, with the program that `cargo test` built.
    #[arg(long)]
    small: bool,
    /// Leave out the figures.
    #[arg(long)]
    no_figures: bool,
    /// Leave out Slurm.
    #[arg(long)]
    no_slurm: bool,
    /// Use this program and do not build one.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A program cannot be run, or a check failed.
pub fn run_collection(arguments: &Arguments) -> Outcome {
    let tally = if arguments.small {
        match &arguments.program {
            Some(program) => checks(program)?,
            None => checks(&tested_program()?)?,
        }
    } else {
        let program = match &arguments.program {
            Some(program) => fs::canonicalize(program)?,
            None => build_release()?,
        };
        shelf(&program, !arguments.no_slurm, !arguments.no_figures)?
    };
    println!("collection: {tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("some checks failed; see above".into()),
    }
}

/// The whole shelf, on Slurm and measured on this machine.
///
/// # Errors
/// The program or the workflow cannot be run.
pub fn whole(program: &Path) -> Outcome<Tally> {
    shelf(program, true, true)
}

fn shelf(program: &Path, with_slurm: bool, with_figures: bool) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let interpreter = python::ensure("collection")?;
    let folder = target().join("collection/whole");
    remove_folder(&folder)?;
    let discs = shelf::whole(&folder.join("discs"))?;
    let singles = Singles::make(program, &discs, folder.join("singles"))?;
    if with_slurm {
        on_slurm(program, &interpreter, &folder, &discs, &singles, &mut tally)?;
    }
    if with_figures {
        figures(program, &interpreter, &folder, &discs, &singles, &mut tally)?;
    }
    Ok(tally)
}

/// Four discs on this machine: one is damaged, one is gone, a job is killed, and everything is killed and goes on.
///
/// # Errors
/// The program cannot be run.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let interpreter = match python::ensure("collection") {
        Ok(interpreter) => interpreter,
        Err(why) => {
            tally.skip(WHAT, why);
            return Ok(tally);
        }
    };
    let folder = target().join("collection/small");
    remove_folder(&folder)?;
    let discs = shelf::small(&folder.join("discs"))?;
    let singles = Singles::make(program, &discs, folder.join("singles"))?;
    let mishap = Mishap::new(&folder, program, "rc", Some("disc"))?;
    let settings = Settings {
        shards: 2,
        threads: 1,
        shares: true,
    };
    let place = Place::new(
        &interpreter,
        folder.join("run"),
        &discs,
        &mishap.program,
        settings,
    )?;
    let first = local(&place, 2)?;
    let killed = kill_when(first, || mishap.has_halted())?;
    tally.check("the workflow was killed while it merged a disc", killed);
    place.unlock()?;
    let code = exit_code(&mut local(&place, 2)?)?;
    tally.check("the workflow reports that a disc is gone", code == Some(1));
    tally.check("a job was killed and tried again", mishap.has_killed());
    singles.compare(&place, &mut tally)?;
    check_index(&place, &discs, &mut tally)?;
    let code = exit_code(local(&place, 2)?.args([
        "--quiet",
        "--dry-run",
        "--",
        "collection/sums/rc.sha256",
    ]))?;
    tally.check(
        "a finished disc is not made again",
        code == Some(0) && has_nothing_to_do(&place)?,
    );
    if tally.failed > 0 {
        let log = place.log();
        let words = fs::read_to_string(&log)?;
        println!("Snakemake's words: {}\n{words}", log.display());
    }
    Ok(tally)
}

/// Outputs of runs of one process each, without a workflow.
struct Singles {
    folder: PathBuf,
    /// The discs that are there.
    names: Vec<String>,
}

impl Singles {
    fn make(program: &Path, discs: &[Disc], folder: PathBuf) -> Outcome<Self> {
        let mut names = Vec::new();
        for disc in discs.iter().filter(|disc| disc.exists) {
            let mut convert = Command::new(program);
            convert.args(["convert", "--quiet"]).arg(&disc.input);
            convert.arg("--out").arg(folder.join(&disc.name));
            match exit_code(&mut convert)? {
                // 2: a damaged disc.
                Some(0 | 2) => names.push(disc.name.clone()),
                code => return Err(format!("{}: exit code {code:?}", disc.name).into()),
            }
        }
        Ok(Self { folder, names })
    }

    /// Checks that the workflow's outputs are the same, and that their sums are those of the files.
    fn compare(&self, place: &Place, tally: &mut Tally) -> Outcome {
        for name in &self.names {
            let home = place.out().join("discs").join(name);
            let differences = match home.is_dir() {
                true => compare::differences(&self.folder.join(name), &home)?,
                false => vec!["there is no such folder".to_owned()],
            };
            tally.check(
                format!("{name}: outputs equal those of one run; differences: {differences:?}"),
                differences.is_empty(),
            );
            let bag = place.out().join("packages").join(name).join(name);
            let log = place.out().join("logs/package").join(format!("{name}.log"));
            let words = fs::read_to_string(log).unwrap_or_else(|why| why.to_string());
            tally.check(
                format!("{name}: a package: {words}"),
                bag.join("bagit.txt").is_file(),
            );
        }
        Ok(())
    }
}

/// Checks that the index lists every disc, also those that failed.
fn check_index(place: &Place, discs: &[Disc], tally: &mut Tally) -> Outcome {
    let folder = place.out().join("index");
    let (json, page) = (folder.join("collection.json"), folder.join("index.html"));
    if !json.is_file() || !page.is_file() {
        tally.check("the collection has an index", false);
        return Ok(());
    }
    let index: Value = serde_json::from_slice(&fs::read(json)?)?;
    let rows = index["discs"].as_array().map_or(&[][..], Vec::as_slice);
    let page = fs::read_to_string(page)?;
    for disc in discs {
        let row = rows.iter().find(|row| row["name"] == *disc.name);
        let converts = row
            .and_then(|row| row["parts"]["converted"].as_u64())
            .is_some_and(|count| count > 0);
        let what = format!("{}: the index lists it: {row:?}", disc.name);
        tally.check(
            what,
            row.is_some() && converts == disc.exists && page.contains(&disc.name),
        );
    }
    Ok(())
}

/// The workflow on this machine.
fn local(place: &Place, cores: u32) -> Outcome<Command> {
    let mut command = place.command("local")?;
    command.args(["--cores", &cores.to_string()]);
    Ok(command)
}

/// True if the last run of a finished collection reported that nothing was left.
fn has_nothing_to_do(place: &Place) -> Outcome<bool> {
    let words = fs::read_to_string(place.log())?;
    Ok(words
        .trim_end()
        .lines()
        .rev()
        .take(5)
        .any(|line| line.contains("Nothing to be done")))
}

/// Starts a command in a process group of its own and kills the group when it is time; returns true if it was
/// killed.
fn kill_when(mut command: Command, is_time: impl Fn() -> bool) -> Outcome<bool> {
    let mut child = command.process_group(0).spawn()?;
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        if child.try_wait()?.is_some() {
            return Ok(false);
        }
        if is_time() {
            break;
        }
        sleep(Duration::from_millis(50));
    }
    let group = format!("-{}", child.id());
    run(Command::new("kill").args(["-KILL", "--", &group]))?;
    child.wait()?;
    Ok(is_time())
}

/// The whole shelf on a real Slurm: a node is drained and a job is killed on the way.
fn on_slurm(
    program: &Path,
    interpreter: &Path,
    folder: &Path,
    discs: &[Disc],
    singles: &Singles,
    tally: &mut Tally,
) -> Outcome {
    let cluster = match Cluster::start(&folder.join("slurm-logs")) {
        Ok(cluster) => cluster,
        Err(why) => {
            tally.skip("the workflow on Slurm", why);
            return Ok(());
        }
    };
    let mishap = Mishap::new(folder, program, "mw-extended", None)?;
    let settings = Settings {
        shards: 2,
        threads: 1,
        shares: false,
    };
    let place = Place::new(
        interpreter,
        folder.join("slurm"),
        discs,
        &mishap.program,
        settings,
    )?;
    let mut command = place.command("slurm")?;
    command.args(["--slurm-no-account", "--slurm-status-command", "squeue"]);
    command.args(["--slurm-init-seconds-before-status-checks", "2"]);
    command.args(["--latency-wait", "5", "--jobs", "16"]);
    cluster.give_to(&mut command)?;
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut drained = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if !drained && mishap.has_killed() {
            let drain = ["update", "nodename=n2", "state=drain", "reason=test"];
            cluster.ask("scontrol", &drain)?;
            drained = true;
        }
        sleep(Duration::from_millis(200));
    };
    println!(
        "{} discs on Slurm, two nodes: {:.0} s",
        discs.len(),
        start.elapsed().as_secs_f64()
    );
    tally.check(
        format!("the workflow on Slurm: {}", place.log().display()),
        status.success(),
    );
    let jobs = cluster.ask("squeue", &["--noheader", "--states=all", "--format=%T %R"])?;
    let count = |word: &str| jobs.lines().filter(|line| line.starts_with(word)).count();
    let (completed, cancelled) = (count("COMPLETED"), count("CANCELLED"));
    println!(
        "jobs: {completed} completed, {cancelled} cancelled of {}",
        jobs.lines().count()
    );
    tally.check(
        "a job was killed on Slurm",
        mishap.has_killed() && completed < jobs.lines().count(),
    );
    let nodes = cluster.ask("sinfo", &["--noheader", "--Node", "--format=%N %T"])?;
    let is_drained = nodes.lines().any(|line| line.starts_with("n2 drain"));
    tally.check("a node was drained", drained && is_drained);
    singles.compare(&place, tally)?;
    check_index(&place, discs, tally)
}

/// One and two workers on this machine, and more nodes by the model.
fn figures(
    program: &Path,
    interpreter: &Path,
    folder: &Path,
    discs: &[Disc],
    singles: &Singles,
    tally: &mut Tally,
) -> Outcome {
    let settings = Settings {
        shards: 4,
        threads: 1,
        shares: false,
    };
    let mut rows = Vec::new();
    for cores in [1, 2] {
        let place = Place::new(
            interpreter,
            folder.join(format!("local-{cores}")),
            discs,
            program,
            settings,
        )?;
        let start = Instant::now();
        let code = exit_code(&mut local(&place, cores)?)?;
        rows.push(start.elapsed().as_secs_f64());
        tally.check(
            format!("the workflow on {cores} cores: {}", place.log().display()),
            code == Some(0),
        );
        singles.compare(&place, tally)?;
        check_index(&place, discs, tally)?;
    }
    let [one, two] = rows[..] else {
        return Ok(());
    };
    let number = u32::try_from(discs.len()).map_or(0.0, f64::from);
    println!(
        "{number} discs, one worker: {one:.1} s, {:.0} discs an hour",
        number * 3600.0 / one
    );
    println!(
        "two workers: {two:.1} s, {:.0} discs an hour, {:.2} times as fast",
        number * 3600.0 / two,
        one / two
    );
    let times = folder.join("local-1/collection/times");
    let measured: Vec<_> = discs
        .iter()
        .map(|disc| model::times(&times, &disc.name))
        .collect::<Outcome<_>>()?;
    let jobs: f64 = measured.iter().map(model::Times::sum).sum();
    println!("jobs of relicast without Snakemake's own time: {jobs:.1} s");
    // A shelf of real length, with discs that take as long as those measured.
    let shelf = vec![measured; 20].concat();
    for start in [0.0, 2.0] {
        let one = model::simulate(&shelf, 1, start);
        println!(
            "model, {} discs in 4 shards each, {start} s to start a job:",
            shelf.len()
        );
        for nodes in [1, 8, 16, 32, 64, 128, 256] {
            let time = model::simulate(&shelf, nodes, start);
            println!(
                "  {nodes:3} nodes: {time:7.1} s, {:5.1} times as fast",
                one / time
            );
        }
    }
    Ok(())
}
