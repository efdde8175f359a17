//! `relicast pack`: packs edited outputs into game files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::output_folder;
use super::terminal::exit::Exit;
use super::terminal::lines::{print_line, usage};
use super::terminal::log::remark;
use super::terminal::progress::with_bar;
use crate::golden::Reading;
use crate::pack::{
    Change, Destination, Edit, Only, Packed, Palettes, Request, Undone, moved_from, pack_observed,
};
use relicast_codec::quantity::{counted, thousands};

/// Arguments of `pack`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folder with edited outputs.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Install, disc image or cabinet set that the outputs were made from; only `--in-place` writes there.
    #[arg(long, value_name = "INSTALL")]
    from: PathBuf,
    #[command(flatten)]
    destination: Where,
    /// Pack only edited outputs whose path matches; may be repeated. Earlier packed edits stay packed.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Show what would change and write nothing.
    #[arg(long)]
    check: bool,
    /// Read all outputs to find the edits, instead of only those with a changed size or time.
    #[arg(long)]
    read_all: bool,
    /// Also write a patch with the changes and no game data; `relicast apply` makes the game files from it.
    #[arg(long, value_name = "FILE")]
    patch: Option<PathBuf>,
    /// Add new files to the archive that their neighboring outputs came from.
    #[arg(long)]
    add: bool,
    /// Remove archive members whose outputs were all deleted.
    #[arg(long)]
    remove: bool,
    /// List what a program such as Blender changed by itself when it wrote a scene, which is not packed.
    #[arg(long)]
    explain: bool,
    /// Treatment of a picture's full palette when the edit has new colors: `remake` or `keep`.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "remake",
        hide_possible_values = true
    )]
    palette: Palettes,
}

/// Destination of changed game files.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct Where {
    /// Folder for the changed game files; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Change the game files in the install itself. The originals are saved there, in `.relicast-originals`;
    /// `relicast restore` restores them.
    #[arg(long)]
    in_place: bool,
}

impl Where {
    /// Returns the destination.
    pub(super) fn destination(&self) -> Destination {
        match &self.to {
            Some(folder) => Destination::Folder(folder.clone()),
            None => Destination::InPlace,
        }
    }

    /// Returns the reason if the folder must not be used.
    pub(super) fn refusal(&self) -> Option<String> {
        let to = self.to.as_deref();
        to.and_then(output_folder::refusal_of_packed)
    }

    /// Name of the destination for people.
    pub(super) fn name(&self, install: &Path) -> String {
        self.to.as_deref().unwrap_or(install).display().to_string()
    }
}

/// Runs `pack`.
pub fn run(arguments: &Arguments) -> Exit {
    if let Err(ended) = output_folder::expect(&arguments.out) {
        return ended;
    }
    if let Some(problem) = arguments.destination.refusal() {
        return usage(problem);
    }
    if !arguments.from.exists() {
        let from = arguments.from.display();
        return usage(format_args!(
            "{from} does not exist; --from expects the install of the game"
        ));
    }
    let only = match globs(&arguments.only) {
        Ok(only) => only,
        Err(error) => return usage(error),
    };
    let request = Request {
        out: arguments.out.clone(),
        from: arguments.from.clone(),
        to: arguments.destination.destination(),
        only,
        check: arguments.check,
        reading: match arguments.read_all {
            true => Reading::All,
            false => Reading::Touched,
        },
        patch: arguments.patch.clone(),
        add: arguments.add,
        remove: arguments.remove,
        palettes: arguments.palette,
    };
    match with_bar(false, |bar| pack_observed(&request, bar)) {
        Ok(packed) => print(&packed, arguments),
        Err(error) => usage(error),
    }
}

fn globs(patterns: &[String]) -> Result<Option<Only>, globset::Error> {
    let only = (!patterns.is_empty()).then(|| Only::new(patterns));
    only.transpose()
}

fn print(packed: &Packed, arguments: &Arguments) -> Exit {
    let edits = results(&packed.edits, |edit| &edit.output);
    for edit in &edits {
        let member = edit.member.as_deref().map(|member| format!("/{member}"));
        let into = format!("{}{}", edit.source, member.unwrap_or_default());
        print_line(&format!("{} -> {into}: {}", edit.output, done(edit)));
    }
    if arguments.explain {
        for (path, noise) in &packed.noises {
            print_line(&format!("{path}: {noise}"));
        }
    }
    for path in results(&packed.unedited, |path| path) {
        let reason = match path.ends_with(".json") {
            true => "reformatted only",
            false => "saved again without a change",
        };
        print_line(&format!("{path}: {reason}, nothing to pack"));
    }
    print_unpacked(packed, arguments);
    print_removed(&packed.removed, &arguments.destination);
    if !packed.refused.is_empty() {
        for (path, reason) in results(&packed.refused, |(path, _)| path) {
            remark("refused", &format!("cannot pack {path}: {reason}"));
        }
        remark(
            "nothing_written",
            "nothing was written; select the other edits with --only to pack them",
        );
        return Exit::Failures;
    }
    let done = match arguments.check {
        true => "would be written to",
        false => "written to",
    };
    print_files(&packed.files);
    let edits = counted(edits.len(), "edit", "edits");
    print_line(&match packed.files.len() {
        0 => format!("{edits}, no game file changes"),
        files => format!(
            "{edits} in {}, {done} {}",
            counted(files, "game file", "game files"),
            arguments.destination.name(&arguments.from)
        ),
    });
    if let (Some(size), Some(path)) = (packed.patch, &arguments.patch) {
        print_line(&format!(
            "patch of {} bytes, {done} {}",
            thousands(size),
            path.display()
        ));
    }
    Exit::Success
}

/// Results without those of buffers whose scene is among them: the two files are one edit.
fn results<T>(all: &[T], path: impl Fn(&T) -> &str) -> Vec<&T> {
    let scenes = all.iter().filter_map(|it| path(it).strip_suffix(".gltf"));
    let scenes: BTreeSet<&str> = scenes.collect();
    let is_shown = |it: &&T| {
        let buffer = path(it).strip_suffix(".bin");
        buffer.is_none_or(|stem| !scenes.contains(stem))
    };
    all.iter().filter(is_shown).collect()
}

/// Result of an edit: its changes, then the rounding.
fn done(edit: &Edit) -> String {
    let done = match (edit.change, edit.is_earlier, &edit.like) {
        (_, true, _) => "stays as it was packed earlier".to_owned(),
        (Change::Removed, ..) => "removed".to_owned(),
        (Change::Added, _, like) => {
            let like = like.as_deref().unwrap_or_default();
            let folder = |path: &str| path.rfind('/').map(|end| path[..end].to_owned());
            match folder(like) == folder(&edit.output) {
                true => format!("added, because {like} is in the same folder"),
                false => format!("added, because a scene shows it; encoded like {like}"),
            }
        }
        (Change::Edited, ..) => match (&edit.changed, &edit.rounding) {
            (Some(changed), _) => changed.clone(),
            (None, None) => "as edited".to_owned(),
            (None, Some(rounding)) => return rounding.clone(),
        },
    };
    let rounding = edit.rounding.as_ref().filter(|_| !edit.is_earlier);
    match rounding {
        Some(rounding) => format!("{done}; {rounding}"),
        None => done,
    }
}

/// Prints what is not packed, and what is not packed any more.
fn print_unpacked(packed: &Packed, arguments: &Arguments) {
    for path in &packed.missing {
        remark(
            "missing",
            &format!(
                "{path} was deleted; its archive member stays in the game (--remove removes it)"
            ),
        );
    }
    let moved: Vec<&String> = packed
        .undone
        .iter()
        .filter_map(|it| it.moved_to.as_ref())
        .collect();
    for path in packed.strangers.iter().filter(|path| !moved.contains(path)) {
        let reason = match moved_from(path) {
            Some(output) => format!(
                "{path} is an edit that convert moved aside; to pack it, move it back to {output}"
            ),
            None if [".gltf", ".glb"].iter().any(|end| path.ends_with(end)) => format!(
                "{path} is not a scene of a run and was not packed; give it the name of the scene that it is an edit of"
            ),
            None => format!(
                "{path} is not an output of a run and was not packed (--add adds it to the archive)"
            ),
        };
        remark("stranger", &reason);
    }
    let is_taken = match arguments.check {
        true => "would be taken",
        false => "was taken",
    };
    for Undone {
        output,
        change,
        file,
        moved_to,
    } in &packed.undone
    {
        let reason = match (output, moved_to) {
            (Some(output), _) if *change == Change::Added => format!(
                "{output} was added earlier and {is_taken} out of {file}; pack with --add to keep it"
            ),
            (Some(output), _) if *change == Change::Removed => format!(
                "{output} was removed earlier and is in {file} again; pack with --remove to leave it out"
            ),
            (None, _) => format!(
                "what a patch or an older version of relicast packed into {file} {is_taken} out"
            ),
            (Some(output), None) => format!(
                "{output} is not edited any more: its earlier edit {is_taken} out of {file}"
            ),
            (Some(output), Some(moved_to)) => format!(
                "the earlier edit of {output} {is_taken} out of {file}, because convert moved it to {moved_to}; to \
                 keep it, move it back and pack again"
            ),
        };
        remark("undone", &reason);
    }
}

/// Prints the game files that change.
pub(super) fn print_files(files: &[(String, u64)]) {
    for (path, size) in files {
        print_line(&format!("{path}: {} bytes", thousands(*size)));
    }
}

/// Prints the game files that no longer change.
pub(super) fn print_removed(removed: &[String], destination: &Where) {
    let done = match destination.in_place {
        true => "restored",
        false => "deleted",
    };
    for path in removed {
        print_line(&format!("{done} {path}: it has no more edits"));
    }
}
