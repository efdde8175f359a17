//! `cargo xtask engine`: projects of engines, opened by the engine itself.
//!
//! - [`blender`] — the script of folders for Blender, run in Blender as a module of Python;
//! - [`godot4`] — where a Godot 4 comes from, and how it is run;
//! - [`expected`] — what a project must hold, from the glTF files alone;
//! - [`rounds`] — scenes that Blender edits, packed into the game;
//! - [`unity`] — scripts of packages for Unity, compiled;
//! - [`pictures`] — pictures from fixed cameras beside those of `golden/engine/`.

mod blender;
mod expected;
pub mod godot4;
mod pictures;
mod rounds;
mod unity;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::Value;

use crate::Outcome;
use crate::process::{remove_folder, run, target, tested_program, workspace};
use crate::tally::Tally;
use godot4::Godot;

/// Regions of 98 triangles and trees of the large zone.
const REGIONS: usize = 1600;
const TREES: usize = 2500;

/// Open projects of the samples with their engine, and walk through them.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(Debug, Subcommand)]
enum Engine {
    /// Blender: every level and model through the script of the folder.
    Blender {
        /// Only these samples: rc, mw, pm, cs, eq …
        #[arg(long = "sample", value_name = "NAME")]
        samples: Vec<String>,
        /// A folder that was converted with --target blender, instead of the samples.
        #[arg(long, value_name = "DIR", conflicts_with = "samples")]
        folder: Option<PathBuf>,
    },
    /// Blender: scenes imported and exported again, unedited and edited, and packed into the game.
    Rounds(rounds::Arguments),
    /// Unity: the scripts of a package, compiled against stubs of Unity's assemblies.
    Unity {
        /// A folder that was converted with --target unity, instead of a sample.
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Godot 4: import, every scene, ground, rays, clips, air, looks, pictures.
    Godot {
        /// Only these samples: rc, mw, pm, cs, eq, disc, cabinets-mw, hostile …
        #[arg(long = "sample", value_name = "NAME")]
        samples: Vec<String>,
        /// A folder that was converted with --target godot, instead of the samples. A copy of it is opened.
        #[arg(long, value_name = "DIR", conflicts_with = "samples")]
        project: Option<PathBuf>,
        /// A made zone of many polygons, instead of the samples: how long its import takes, and what a view of it
        /// costs.
        #[arg(long, conflicts_with_all = ["samples", "project"])]
        large: bool,
        /// Write the pictures to golden/engine/.
        #[arg(long)]
        bless: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// A check failed, or nothing could be run.
pub fn run_engine(arguments: &Arguments) -> Outcome {
    let tally = match &arguments.engine {
        Engine::Blender { samples, folder } => blender::checks(samples, folder.as_deref())?,
        Engine::Rounds(arguments) => rounds::checks(arguments)?,
        Engine::Unity { folder } => unity::checks(None, folder.as_deref())?,
        Engine::Godot {
            samples,
            project,
            large,
            bless,
        } => in_godot(samples, project.as_deref(), *large, *bless)?,
    };
    println!("{tally}");
    match tally.failed {
        0 => Ok(()),
        _ => Err("the engine found something else; see above".into()),
    }
}

fn in_godot(
    samples: &[String],
    project: Option<&Path>,
    large: bool,
    bless: bool,
) -> Outcome<Tally> {
    let godot = match Godot::find(true) {
        Ok(godot) => godot,
        Err(why) => {
            let mut tally = Tally::default();
            tally.skip("Godot 4", why);
            return Ok(tally);
        }
    };
    println!("{godot}");
    let mut tally = Tally::default();
    if let Some(project) = project {
        let folder = target().join("engine").join("given");
        remove_folder(&folder)?;
        fs::create_dir_all(&folder)?;
        run(std::process::Command::new("cp")
            .arg("-a")
            .arg(project.join("."))
            .arg(&folder))?;
        tally += check(&godot, "given", &folder, false)?;
    } else if large {
        let source = target().join("engine").join("large-source");
        let folder = target().join("engine").join("large");
        remove_folder(&source)?;
        remove_folder(&folder)?;
        let zone = relicast_samples::terrain::zone(REGIONS, TREES)?;
        relicast_samples::write_files(&source, &zone.archives)?;
        convert(&tested_program()?, "godot", &source, &folder)?;
        tally += check(&godot, "large", &folder, false)?;
    } else {
        let program = tested_program()?;
        tally += of_samples(&godot, &program, samples, bless)?;
    }
    Ok(tally)
}

/// Projects of all samples in every engine, which is installed where it is missing.
///
/// # Errors
/// The samples cannot be written.
pub fn all() -> Outcome<Tally> {
    let mut tally = in_godot(&[], None, false, false)?;
    tally += blender::checks(&[], None)?;
    tally += rounds::checks(&rounds::Arguments::default())?;
    tally += unity::checks(None, None)?;
    Ok(tally)
}

/// The variant of every test run: one small project, in engines that are installed.
///
/// # Errors
/// The samples cannot be written.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    match Godot::find(false) {
        Ok(godot) => {
            println!("{godot}");
            tally += of_samples(&godot, program, &["rc".to_owned()], false)?;
        }
        Err(why) => tally.skip("projects in Godot 4", why),
    }
    tally += blender::small(program)?;
    tally += rounds::small(program)?;
    tally += unity::checks(Some(program), None)?;
    Ok(tally)
}

fn of_samples(godot: &Godot, program: &Path, only: &[String], bless: bool) -> Outcome<Tally> {
    let mut tally = Tally::default();
    for (name, folder) in converted_samples(program, only, "godot")? {
        tally += check(godot, &name, &folder, bless)?;
    }
    Ok(tally)
}

/// The samples as a target wants them: names and folders.
fn converted_samples(
    program: &Path,
    only: &[String],
    aim: &str,
) -> Outcome<Vec<(String, PathBuf)>> {
    let samples = target().join("engine").join("samples");
    remove_folder(&samples)?;
    crate::sample::write_all(&samples)?;
    let mut names: Vec<String> = fs::read_dir(&samples)?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| only.is_empty() || only.contains(name))
        .collect();
    names.sort();
    let mut converted = Vec::new();
    for name in names {
        let folder = target().join("engine").join(aim).join(&name);
        remove_folder(&folder)?;
        convert(program, aim, &samples.join(&name), &folder)?;
        converted.push((name, folder));
    }
    Ok(converted)
}

fn convert(program: &Path, aim: &str, source: &Path, folder: &Path) -> Outcome {
    let mut convert = std::process::Command::new(program);
    convert
        .args(["convert", "-q", "--target", aim, "--out"])
        .arg(folder)
        .arg(source);
    run(&mut convert)
}

/// Imports a project twice and checks it.
fn check(godot: &Godot, name: &str, folder: &Path, bless: bool) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let user = folder.join("user");
    fs::create_dir_all(&user)?;
    for script in ["check.gd", "shot.gd"] {
        fs::copy(
            workspace().join("xtask/engine").join(script),
            user.join(script),
        )?;
    }
    let expected = expected::of(folder)?;
    fs::write(
        user.join("expected.json"),
        serde_json::to_vec(&expected.document)?,
    )?;
    let start = Instant::now();
    let import = godot.import(folder)?;
    let seconds = start.elapsed().as_secs_f64();
    tally.check(
        format_args!("{name}: import\n{}", import.faults.join("\n")),
        import.faults.is_empty(),
    );
    let before = imports(folder)?;
    let again = godot.import(folder)?;
    tally.check(
        format_args!("{name}: second import\n{}", again.faults.join("\n")),
        again.faults.is_empty(),
    );
    tally.check(
        format_args!("{name}: a second import changes nothing"),
        imports(folder)? == before,
    );
    let walked = godot.script(folder, "res://user/check.gd", false)?;
    tally.check(
        format_args!("{name}: walk\n{}", walked.faults.join("\n")),
        walked.faults.is_empty(),
    );
    match &walked.report {
        Some(report) => {
            tally.passed += report["passed"].as_u64().unwrap_or_default();
            for what in report["failed"].as_array().into_iter().flatten() {
                tally.check(
                    format_args!("{name}: {}", what.as_str().unwrap_or_default()),
                    false,
                );
            }
        }
        None => tally.check(
            format_args!("{name}: the walk ran to its end\n{}", walked.output),
            false,
        ),
    }
    println!(
        "{name}: {} scenes, {} nodes, imported in {seconds:.1} s, {} faults",
        expected.scenes,
        expected.nodes,
        import.faults.len() + again.faults.len() + walked.faults.len()
    );
    if !expected.levels.is_empty() {
        tally += pictures::take(godot, name, folder, &expected.levels, bless)?;
    }
    Ok(tally)
}

/// Files that the engine wrote next to the assets.
fn imports(folder: &Path) -> Outcome<Vec<(PathBuf, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && !path.ends_with(".godot") {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ending == "import" || ending == "uid")
            {
                found.push((path.clone(), fs::read(&path)?));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Output of a run of the engine.
#[derive(Debug, Default)]
pub struct Said {
    /// Errors and warnings.
    pub faults: Vec<String>,
    /// The document behind CHECK.
    report: Option<Value>,
    /// All of it.
    output: String,
}
