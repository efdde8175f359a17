//! `cargo xtask engine rounds`: scenes that Blender imports and exports again, without an edit or with one, packed into
//! the game.
//!
//! - [`unedited`] — every scene of an install: packing it must write nothing;
//! - [`edits`] — ordinary edits: each is packed and shown by the packed game, or refused by name;
//! - [`columns`] — the scenes that are edited, and the edits that are known to be lost;
//! - [`tool`] — programs that write scenes over themselves; [`blender`] — runs of the scripts of `xtask/engine/rounds_*.py`; [`table`] — tables of results.
//!
//! The variable `RELICAST` names another program than the one that `cargo test` built.

mod blender;
mod columns;
mod edits;
mod table;
mod tool;
mod unedited;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::Args;

use super::blender::VERSIONS;
use super::godot4::Godot;
use crate::Outcome;
use crate::process::{remove_folder, run, target, tested_program};
use crate::python;
use crate::tally::Tally;
use columns::{COLUMNS, Column, GIVEN, SMALL, SMALL_BINARY};
use edits::{Edit, Export};
use tool::Tool;

/// Options of the command.
#[derive(Debug, Default, Args)]
pub(super) struct Arguments {
    /// An install, instead of the samples: unedited rounds, or with --edit the edits of the scenes with these paths.
    #[arg(long, value_name = "INSTALL")]
    folder: Option<PathBuf>,
    /// Only these versions of Blender: 4.2, 4.5, 5.0.
    #[arg(long, value_name = "VERSION")]
    blender: Vec<String>,
    /// Only these samples: rc, mw, pm, cs, eq, eqg.
    #[arg(long = "sample", value_name = "NAME")]
    samples: Vec<String>,
    /// Only scenes whose paths contain this text.
    #[arg(long = "scene", value_name = "TEXT")]
    scenes: Vec<String>,
    /// Only edits whose names contain this text, and no unedited rounds.
    #[arg(long = "edit", value_name = "TEXT")]
    edits: Vec<String>,
    /// The file that Blender writes when it edits.
    #[arg(long, value_enum, default_value_t)]
    export: Export,
    /// No edits.
    #[arg(long)]
    unedited: bool,
    /// Godot 4 in place of Blender, without edits.
    #[arg(long, conflicts_with_all = ["blender", "edits"])]
    godot: bool,
    /// The part that `cargo xtask test` runs.
    #[arg(long, exclusive = true)]
    small: bool,
}

/// An install and its conversions: one with `.gltf` files, and one with `.glb` files.
#[derive(Debug)]
struct Converted {
    name: String,
    install: PathBuf,
    folder: PathBuf,
}

/// A version of Blender as a module of Python.
#[derive(Debug)]
struct Blender {
    version: &'static str,
    interpreter: PathBuf,
}

/// All samples, or an install, in each version of Blender.
///
/// # Errors
/// The samples cannot be written, or a program cannot be run.
pub(super) fn checks(arguments: &Arguments) -> Outcome<Tally> {
    let program = program()?;
    if arguments.small {
        return small(&program);
    }
    let mut tally = Tally::default();
    let is_wanted = |version: &str| {
        arguments.blender.is_empty() || arguments.blender.iter().any(|it| version.ends_with(&**it))
    };
    let converted = match &arguments.folder {
        Some(install) => vec![convert(&program, GIVEN, install)?],
        None => samples(&program, &arguments.samples)?,
    };
    if arguments.godot {
        return match Godot::find(true) {
            Ok(godot) => {
                unedited::checks(&program, Tool::Godot(&godot), &converted, &arguments.scenes)
            }
            Err(why) => {
                tally.skip("rounds in Godot 4", why);
                Ok(tally)
            }
        };
    }
    for version in VERSIONS.into_iter().filter(|version| is_wanted(version)) {
        let interpreter = match python::ensure(version) {
            Ok(interpreter) => interpreter,
            Err(why) => {
                tally.skip(format!("rounds in {version}"), why.to_string());
                continue;
            }
        };
        let blender = Blender {
            version,
            interpreter,
        };
        if arguments.edits.is_empty() {
            tally += unedited::checks(
                &program,
                Tool::Blender(&blender),
                &converted,
                &arguments.scenes,
            )?;
        }
        let columns = match &arguments.folder {
            Some(_) if arguments.edits.is_empty() => Vec::new(),
            Some(_) => arguments
                .scenes
                .iter()
                .map(|it| Column::given(it))
                .collect(),
            None => COLUMNS.to_vec(),
        };
        if !arguments.unedited {
            let is_wanted = |column: &Column, edit: &str| {
                let has = |texts: &[String], text: &str| {
                    texts.is_empty() || texts.iter().any(|it| text.contains(&**it))
                };
                has(&arguments.scenes, column.scene) && has(&arguments.edits, edit)
            };
            tally += edit(
                &program,
                &blender,
                &converted,
                (&columns, arguments.export),
                &is_wanted,
            )?;
        }
    }
    match tally == Tally::default() {
        true => Err("no scene and no edit has these texts".into()),
        false => Ok(tally),
    }
}

/// The variant of every test run: some scenes and edits, in the oldest version of Blender if it is installed.
///
/// # Errors
/// A sample cannot be written, or a program cannot be run.
pub(super) fn small(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let version = VERSIONS[0];
    let Some(interpreter) = python::installed(version) else {
        let why = "Blender is not installed; `cargo xtask tools` installs it";
        tally.skip("scenes edited in Blender", why);
        return Ok(tally);
    };
    let blender = Blender {
        version,
        interpreter,
    };
    let converted = samples(program, &["mw", "eq"].map(str::to_owned))?;
    tally += unedited::checks(program, Tool::Blender(&blender), &converted, &[])?;
    let is_wanted = |column: &Column, edit: &str| SMALL.contains(&(column.name, edit));
    tally += edit(
        program,
        &blender,
        &converted,
        (&COLUMNS, Export::Gltf),
        &is_wanted,
    )?;
    let is_other = |_: &Column, edit: &str| edit == SMALL_BINARY.1;
    let binary: Vec<Column> =
        (COLUMNS.into_iter().filter(|it| it.name == SMALL_BINARY.0)).collect();
    for export in [Export::Glb, Export::Beside] {
        tally += edit(program, &blender, &converted, (&binary, export), &is_other)?;
    }
    Ok(tally)
}

/// Returns true for the edits of a column that are made.
type IsWanted<'w> = &'w dyn Fn(&Column, &str) -> bool;

/// Edits scenes of the samples, and prints a table.
fn edit(
    program: &Path,
    blender: &Blender,
    converted: &[Converted],
    (columns, export): (&[Column], Export),
    is_wanted: IsWanted<'_>,
) -> Outcome<Tally> {
    let mut tally = Tally::default();
    let all = edits::list(blender)?;
    let mut found = Vec::new();
    for column in columns {
        let converted = converted.iter().find(|it| it.name == column.sample);
        let edits = all.iter().filter(|edit| is_wanted(column, &edit.name));
        let edits: Vec<&Edit> = edits.collect();
        if let Some(converted) = converted.filter(|_| !edits.is_empty()) {
            let (edited, counted) =
                edits::of(program, blender, converted, (*column, export), &edits)?;
            found.extend(edited);
            tally += counted;
        }
    }
    edits::table(blender, &found);
    Ok(tally)
}

fn program() -> Outcome<PathBuf> {
    match env::var_os("RELICAST") {
        Some(program) => Ok(program.into()),
        None => tested_program(),
    }
}

/// Folder of everything that is written here.
fn place() -> PathBuf {
    target().join("engine").join("rounds")
}

/// The samples of the games, converted.
fn samples(program: &Path, only: &[String]) -> Outcome<Vec<Converted>> {
    let folder = place().join("samples");
    remove_folder(&folder)?;
    crate::sample::write_all(&folder)?;
    let mut converted = Vec::new();
    // A zone file next to an archive overrides the one in it; without it, the archive is edited.
    edits::copy(&folder.join("eq"), &folder.join("eqg"))?;
    fs::remove_file(folder.join("eqg").join("mill.zon"))?;
    for name in ["rc", "mw", "pm", "cs", "eq", "eqg"] {
        if only.is_empty() || only.iter().any(|it| it == name) {
            converted.push(convert(program, name, &folder.join(name))?);
        }
    }
    Ok(converted)
}

fn convert(program: &Path, name: &str, install: &Path) -> Outcome<Converted> {
    let folder = place().join(name);
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    for container in ["gltf", "glb"] {
        let settings = folder.join(format!("{container}.toml"));
        fs::write(
            &settings,
            format!("[scenes]\ncontainer = \"{container}\"\n"),
        )?;
        let mut command = Command::new(program);
        command.args(["convert", "-q", "--config"]).arg(&settings);
        command
            .arg("--out")
            .arg(folder.join(container))
            .arg(install);
        run(&mut command)?;
    }
    Ok(Converted {
        name: name.to_owned(),
        install: install.to_owned(),
        folder,
    })
}

/// Packs a folder; `only` are globs of outputs.
fn pack(
    program: &Path,
    folder: &Path,
    install: &Path,
    to: &Path,
    more: &[&str],
) -> Outcome<Packed> {
    let mut command = Command::new(program);
    command.arg("pack").arg(folder).arg("--from").arg(install);
    let output = command.arg("--to").arg(to).args(more).output()?;
    Ok(Packed::read(&output))
}

/// Message of `relicast pack`.
#[derive(Debug)]
struct Packed {
    is_refused: bool,
    /// True if no game file changes.
    writes_nothing: bool,
    text: String,
}

impl Packed {
    fn read(output: &Output) -> Self {
        let out = String::from_utf8_lossy(&output.stdout);
        let text = format!("{out}{}", String::from_utf8_lossy(&output.stderr));
        Self {
            is_refused: !output.status.success(),
            writes_nothing: text.contains("no game file changes"),
            text,
        }
    }

    /// The reason for which an output was refused.
    fn refuses(&self, output: &str) -> Option<&str> {
        let mut lines = self.text.lines();
        lines.find_map(|line| {
            line.strip_prefix("cannot pack ")?
                .strip_prefix(output)?
                .strip_prefix(": ")
        })
    }

    /// The line that matters most.
    fn reason(&self) -> &str {
        let mut lines = self.text.lines();
        let reason = lines
            .clone()
            .find_map(|line| line.strip_prefix("cannot pack "));
        reason.or_else(|| lines.next()).unwrap_or_default()
    }
}
