//! Checks of output folders, and the default folder of `convert`.

use std::fs;
use std::path::{Path, PathBuf};

use tracing::info;

use super::terminal::exit::Exit;
use super::terminal::lines::usage;
use crate::pipeline::plan::inputs::check_kind;
use crate::pipeline::plan::install_guard;
use crate::pipeline::report::documents::WORK_FOLDER;
use crate::pipeline::report::manifest;
use relicast_source::own_output::is_output_folder;

/// Ends the command with advice when `out` is not the output folder of a run.
///
/// # Errors
/// Exit code of the command, after the error was printed.
pub(super) fn expect(out: &Path) -> Result<(), Exit> {
    match problem(out) {
        None => Ok(()),
        Some(problem) => Err(usage(problem)),
    }
}

/// Returns the reason if a new output folder must not be used: it is inside an install of a game. An existing
/// output folder is accepted; the run refuses one that is or contains an input.
pub(super) fn refusal_of_new(out: &Path, inputs: &[PathBuf]) -> Option<String> {
    let holds_input = |out: PathBuf| {
        let mut places = inputs.iter().filter_map(|input| input.canonicalize().ok());
        places.any(|place| place.starts_with(&out))
    };
    if is_output_folder(out) || out.canonicalize().is_ok_and(holds_input) {
        return None;
    }
    install_guard::game_file_of(out).map(|file| in_install(out, &file))
}

/// Returns the reason if a folder must not be used for packed files: it is inside an install of a game.
pub(super) fn refusal_of_packed(to: &Path) -> Option<String> {
    install_guard::game_file_around(to).map(|file| in_install(to, &file))
}

fn in_install(folder: &Path, file: &Path) -> String {
    format!(
        "{} is inside a game install (found {}); choose a folder outside of it",
        folder.display(),
        file.display()
    )
}

/// Returns the reason if a folder is not an output folder.
fn problem(out: &Path) -> Option<String> {
    let place = out.display();
    if out.join(manifest::FILE_NAME).exists() {
        return None;
    }
    if out.is_file() {
        return Some(format!(
            "{place} is a file; give the output folder that `relicast convert` made"
        ));
    }
    if out.join(WORK_FOLDER).is_dir() {
        return Some(format!(
            "{place} contains an unfinished run (no {}); run the same `relicast convert` again to \
             finish it",
            manifest::FILE_NAME
        ));
    }
    let inner = output_folders_in(out);
    if let Some(first) = inner.first() {
        let noun = match inner.len() {
            1 => "an output folder",
            _ => "output folders",
        };
        return Some(format!(
            "{place} is not an output folder of relicast, but contains {noun}; give {}",
            first.display()
        ));
    }
    let why = match out.exists() {
        true => format!(
            "is not an output folder of relicast (no {})",
            manifest::FILE_NAME
        ),
        false => "does not exist".to_owned(),
    };
    let is_empty = fs::read_dir(out).map_or(true, |mut entries| entries.next().is_none());
    let command = match is_empty {
        true => format!("relicast convert INSTALL --out {place}"),
        false => format!("relicast convert {place}"),
    };
    Some(format!("{place} {why}; make one with `{command}`"))
}

/// Output folders in a folder, as `convert --layout source` makes them, sorted.
fn output_folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut inner: Vec<PathBuf> = paths.filter(|path| is_output_folder(path)).collect();
    inner.sort();
    inner
}

/// Default output folder of the inputs: named after the input, in the current folder.
///
/// # Errors
/// Message with advice: there are several inputs, or the input is not an install or has no name.
pub(super) fn default_for(inputs: &[PathBuf]) -> Result<PathBuf, String> {
    let [input] = inputs else {
        return Err("several inputs need an output folder; set one with --out DIR".to_owned());
    };
    check_kind(input).map_err(|error| error.to_string())?;
    let whole = fs::canonicalize(input)
        .map_err(|error| format!("cannot read input {}: {error}", input.display()))?;
    let name = match whole.is_dir() {
        true => whole.file_name(),
        false => whole.file_stem(),
    };
    let name = name.ok_or_else(|| {
        format!(
            "{} has no name for an output folder; set one with --out DIR",
            input.display()
        )
    })?;
    let mut folder = name.to_owned();
    folder.push("-converted");
    let folder = PathBuf::from(folder);
    info!(
        "writing to {}; use --out DIR for another folder",
        folder.display()
    );
    Ok(folder)
}
