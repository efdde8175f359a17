//! `cargo xtask demo` and `cargo xtask golden`: the whole program, demonstrated on the samples.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use relicast::convert::SkipCode;
use relicast::golden::Golden;
use relicast::pipeline::report::manifest;
use relicast::pipeline::report::{self, Report, Status};

use crate::Outcome;
use crate::packing;
use crate::packing_kinds;
use crate::process::{
    build_quickly, build_release, exists, exit_code, remove_folder, run, shown, target, workspace,
};
use crate::tally::Tally;
use crate::tools::FFMPEG;
use relicast_samples::{self as sample, GAMES, SampleFile};

/// Converts a sample of every game and a disc image, verifies the outputs against golden/, proves the sources, and
/// packs five edits, and one of each kind of every sample.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Rewrite golden/ from the outputs instead of comparing with it.
    #[arg(long)]
    bless: bool,
    /// Use a release build of the program. It takes many minutes more to build; outputs are the same.
    #[arg(long)]
    release: bool,
}

/// Runs the command.
///
/// # Errors
/// The program does not build or run, or a check failed.
pub fn run_demo(arguments: &Arguments) -> Outcome {
    println!(
        "demo: builds relicast, writes a sample install of every game, and converts, verifies, proves and packs each"
    );
    let program = if arguments.release {
        build_release()?
    } else {
        build_quickly()?
    };
    let tally = checks(&program, arguments.bless)?;
    let all = everything(&program)?;
    println!("demo: {tally}");
    println!();
    println!("to look at all of it:");
    println!("  {} serve {} --open", program.display(), all.display());
    match tally.failed {
        0 => Ok(()),
        _ => Err("some checks failed; see above".into()),
    }
}

/// Rewrites golden/.
///
/// # Errors
/// As [`run_demo`].
pub fn run_golden() -> Outcome {
    run_demo(&Arguments {
        bless: true,
        release: false,
    })
}

/// The folder that everything is written below.
pub fn folder() -> PathBuf {
    target().join("demo")
}

/// Runs the demonstration with a build of the program: four checks a sample.
///
/// # Errors
/// The program does not run, or a file cannot be written or read.
pub fn checks(program: &Path, bless: bool) -> Outcome<Tally> {
    let has_ffmpeg = exists(FFMPEG.program);
    let mut tally = Tally::default();
    let mut rows = Vec::new();
    for sample in samples() {
        let (title, name, install) = (sample.title, sample.name, sample.input());
        let out = folder().join("out").join(name);
        remove_folder(&out)?;
        sample.write()?;

        let convert = convert_command(program, &install, &out);
        expect(&mut tally, title, convert, "convert")?;
        let report = read_report(&out)?;
        let golden = workspace().join("golden").join(format!("{name}.json"));
        let golden = match bless {
            true => golden,
            false if !has_ffmpeg => {
                let lacking = folder().join(format!("{name}-without-videos.json"));
                sample.golden_without_videos(&lacking)?;
                lacking
            }
            false => golden,
        };
        let mut verify = Command::new(program);
        verify.arg("verify").arg(&out).arg("--golden").arg(&golden);
        if bless {
            fs::create_dir_all(workspace().join("golden"))?;
            if !has_ffmpeg {
                return Err("golden/ holds videos, which need ffmpeg".into());
            }
            run(verify.arg("--bless"))?;
        } else {
            expect(&mut tally, title, verify, "verify")?;
        }
        let mut prove = Command::new(program);
        prove.arg("prove").arg(&install);
        expect(&mut tally, title, prove, "prove")?;

        let what = format!("{title}: a second run has nothing to do");
        let mut skips = report.totals.skipped.iter().map(|total| &total.reason);
        match skips.find(|reason| reason.skip() == Some(SkipCode::NoFfmpeg)) {
            Some(reason) => tally.skip(what, &reason.text),
            None => tally.check(what, has_nothing_to_do(program, &install, &out)?),
        }
        rows.push((title, report));
    }
    print_summary(&rows);
    tally += packing::checks(program)?;
    tally += packing_kinds::checks(program)?;
    Ok(tally)
}

/// Converts all samples of the demonstration at once, and an install with hostile names, and returns the
/// folder.
///
/// # Errors
/// The program does not run, or a file cannot be written.
pub fn everything(program: &Path) -> Outcome<PathBuf> {
    let installs = folder().join("install");
    sample::write_files(&installs.join("hostile"), &sample::hostile::files()?)?;
    let out = folder().join("all");
    remove_folder(&out)?;
    let mut command = convert_command(program, &installs, &out);
    let code = exit_code(&mut command)?;
    match code {
        Some(0 | 2) => Ok(out),
        _ => Err(format!("`{}` ended with {code:?}", shown(&command)).into()),
    }
}

/// Something to convert in the demonstration.
pub struct Sample {
    /// Title for readers.
    pub title: &'static str,
    /// Name of its folders and of its golden file.
    pub name: &'static str,
    files: Box<dyn Fn() -> Outcome<Vec<SampleFile>>>,
    /// The file to convert; the whole folder if `None`.
    file: Option<&'static str>,
}

impl Sample {
    fn folder(&self) -> PathBuf {
        folder().join("install").join(self.name)
    }

    /// Writes its files afresh.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self) -> Outcome {
        remove_folder(&self.folder())?;
        sample::write_files(&self.folder(), &(self.files)()?)
    }

    /// Writes the files of golden/ for it to `path`, without videos, which ffmpeg makes.
    ///
    /// # Errors
    /// It is not in golden/, or cannot be written.
    pub fn golden_without_videos(&self, path: &Path) -> Outcome {
        let golden = workspace()
            .join("golden")
            .join(format!("{}.json", self.name));
        let mut expected = Golden::load(&golden)?;
        expected
            .outputs
            .retain(|path, _| !path.starts_with("video/"));
        Ok(expected.save(path)?)
    }

    /// Input of the conversion.
    pub fn input(&self) -> PathBuf {
        match self.file {
            Some(file) => self.folder().join(file),
            None => self.folder(),
        }
    }
}

/// The install of each game, a disc, and discs with an install in cabinets.
pub fn samples() -> Vec<Sample> {
    let installs = GAMES.map(|game| Sample {
        title: game.title(),
        name: sample::folder(game),
        files: Box::new(move || sample::files(game, 1)),
        file: None,
    });
    let disc = Sample {
        title: "disc image",
        name: "disc",
        files: Box::new(sample::disc::files),
        file: Some(sample::disc::SHEET),
    };
    let cabinets = Sample {
        title: "disc with MechWarrior 3 in InstallShield cabinets",
        name: "cabinets-mw",
        files: Box::new(sample::cabinet::disc::mechwarrior),
        file: Some(sample::disc::SHEET),
    };
    let microsoft = Sample {
        title: "disc with Crimson Skies in Microsoft cabinets",
        name: "cabinets-cs",
        files: Box::new(sample::cabinet::disc::crimson_skies),
        file: Some(sample::disc::SHEET),
    };
    installs
        .into_iter()
        .chain([disc, cabinets, microsoft])
        .collect()
}

fn convert_command(program: &Path, install: &Path, out: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("convert").arg(install);
    command.arg("--out").arg(out).arg("--quiet");
    command
}

/// Runs the conversion again; true if it reports that nothing is to be done and leaves its documents as they
/// are.
fn has_nothing_to_do(program: &Path, install: &Path, out: &Path) -> Outcome<bool> {
    let times = || {
        [report::FILE_NAME, manifest::FILE_NAME].map(|name| {
            fs::metadata(out.join(name))
                .and_then(|data| data.modified())
                .ok()
        })
    };
    let before = times();
    let mut command = Command::new(program);
    command.arg("convert").arg(install).arg("--out").arg(out);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    let says_so = String::from_utf8_lossy(&output.stdout).contains("nothing to do");
    Ok(output.status.success() && says_so && times() == before)
}

/// Runs a command that must succeed; prints its output only if it does not.
fn expect(tally: &mut Tally, title: &str, mut command: Command, what: &str) -> Outcome {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run `{}`: {error}", shown(&command)))?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stdout));
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        eprintln!("`{}`: {}", shown(&command), output.status);
    }
    tally.check(format!("{title}: {what}"), output.status.success());
    Ok(())
}

/// The report of the last run in an output folder.
///
/// # Errors
/// The report is missing, or is not as expected.
pub fn read_report(out: &Path) -> Outcome<Report> {
    let path = out.join(report::FILE_NAME);
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_reader(BufReader::new(file))?)
}

fn print_summary(rows: &[(&str, Report)]) {
    println!();
    println!(
        "{:<30} {:>6} {:>10} {:>8} {:>7} {:>11} {:>8} {:>10}",
        "game", "files", "converted", "skipped", "failed", "deviations", "outputs", "KB"
    );
    for (title, report) in rows {
        println!(
            "{:<30} {:>6} {:>10} {:>8} {:>7} {:>11} {:>8} {:>10}",
            title,
            report.totals.files,
            report.count(Status::Converted) + report.count(Status::Copied),
            report.count(Status::Skipped),
            report.count(Status::Failed),
            report.totals.deviations,
            report.totals.outputs,
            report.totals.output_bytes / 1024,
        );
    }
    let shown = folder();
    println!();
    println!("installs: {}", shown.join("install").display());
    println!("outputs:  {}", shown.join("out").display());
    println!("look at:  out/mw/textures (pictures), out/cs/sounds (sounds), out/*/config and");
    println!("          out/*/text (JSON), out/*/report.json (result of every file)");
    println!();
}

/// Converts an install with a configuration into a fresh folder and returns the exit code.
///
/// # Errors
/// The program cannot be started.
pub fn convert_with(
    program: &Path,
    install: &Path,
    out: &Path,
    configuration: &Path,
) -> Outcome<Option<i32>> {
    remove_folder(out)?;
    exit_code(
        convert_command(program, install, out)
            .arg("--config")
            .arg(configuration),
    )
}
