//! Engine project, written at the end of a run.

use std::path::Path;

use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use crate::config::{Config, ProjectKind};
use crate::project;
use relicast_codec::quantity::{counted, thousands};

/// Most notes that are printed; `-v` prints all.
const NOTES: usize = 12;

/// Writes the project that the settings ask for and reports the files.
pub(super) fn write(out: &Path, config: &Config, quiet: bool, verbose: bool) -> Exit {
    let written = match project::write(out, config) {
        Ok(written) => written,
        Err(error) => return usage(error),
    };
    for path in &written.kept {
        print_line(&format!(
            "left       {path}: changed since it was written; the new version is next to it"
        ));
    }
    if quiet || config.project.kind == ProjectKind::None {
        return Exit::Success;
    }
    let shown = if verbose { usize::MAX } else { NOTES };
    for note in written.notes.iter().take(shown) {
        print_line(&format!("  project: {note}"));
    }
    if let Some(more @ 1..) = written.notes.len().checked_sub(shown) {
        print_line(&format!("  project: {more} more (-v prints all notes)"));
    }
    let name = match config.project.kind {
        ProjectKind::None => return Exit::Success,
        ProjectKind::Godot => "project.godot",
        ProjectKind::Unity => "package.json",
        ProjectKind::Blender => "import_relicast.py",
    };
    print_line(&format!(
        "{} in {}: {}, {} of them unchanged, {} removed",
        counted(written.scenes, "scene", "scenes"),
        out.join(name).display(),
        counted(written.files, "file", "files"),
        thousands(written.unchanged as u64),
        thousands(written.removed as u64)
    ));
    Exit::Success
}
