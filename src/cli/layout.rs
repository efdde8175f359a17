//! `convert --layout source`: each input gets a folder below the output folder, with its own manifest and
//! report.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::terminal::exit::Exit;
use crate::config::NameStyle;
use crate::pipeline::plan::inputs::check_place;
use crate::pipeline::plan::paths::sanitise;
use crate::pipeline::report::document_file;
use crate::pipeline::report::manifest;
use crate::pipeline::report::{self, InputReport};
use crate::pipeline::request::Request;
use relicast_source::disc::looks_like_image;
use relicast_source::names::fold;
use relicast_source::tree::Tree;

/// Layout of the outputs of several inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Layout {
    /// Together, in folders by category.
    #[default]
    Category,
    /// Each input in a folder of its own, with its own manifest and report.
    Source,
}

/// Fields read from a report.
#[derive(Debug, Deserialize)]
struct Head {
    #[serde(default)]
    inputs: Vec<InputReport>,
}

/// Hash digits that distinguish inputs of the same name.
const DIGITS: usize = 8;

/// A request for each input. The folder is named after the volume of the disc, else after the input. A folder
/// that an earlier run made for the same input is used again; if another input has it, digits of a hash of the
/// input's path are appended.
///
/// # Errors
/// An input does not exist or is inside the output folder, or the folder holds the outputs of a run in the
/// other layout.
pub(super) fn apart(request: &Request) -> Result<Vec<Request>, String> {
    let out = &request.out;
    check_place(&request.inputs, out).map_err(|error| error.to_string())?;
    if out.join(manifest::FILE_NAME).exists() {
        return Err(format!(
            "{} contains outputs by category; choose another folder for --layout source",
            out.display()
        ));
    }
    let mut taken = taken(out);
    let mut requests: Vec<Request> = Vec::new();
    for input in &request.inputs {
        let place = input
            .canonicalize()
            .map_err(|error| format!("cannot read input {}: {error}", input.display()))?;
        let place = place.display().to_string();
        let is_own = |owner: &Option<String>| owner.as_ref() == Some(&place);
        let own = taken.iter().find(|(_, owner)| is_own(owner));
        let name = match own {
            Some((name, _)) => name.clone(),
            None => free(&name_of(input), &place, &taken),
        };
        let folder = out.join(&name);
        taken.insert(name, Some(place));
        // An input may be given twice.
        if requests.iter().all(|request| request.out != folder) {
            requests.push(Request {
                inputs: vec![input.clone()],
                out: folder,
                ..request.clone()
            });
        }
    }
    Ok(requests)
}

/// Existing folders in the output folder, with the paths of the inputs that they were made for.
fn taken(out: &Path) -> HashMap<String, Option<String>> {
    let entries = fs::read_dir(out).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            let report = document_file::read::<Head>(&entry.path().join(report::FILE_NAME));
            let head = report.ok().map(|(head, _)| head);
            let owner = head.and_then(|head| match <[InputReport; 1]>::try_from(head.inputs) {
                Ok([input]) => input.path,
                Err(_) => None,
            });
            (entry.file_name().to_string_lossy().into_owned(), owner)
        })
        .collect()
}

/// Returns a name that no other input's folder has.
fn free(name: &str, place: &str, taken: &HashMap<String, Option<String>>) -> String {
    let is_taken = |name: &str| taken.keys().any(|other| fold(other) == fold(name));
    if !is_taken(name) {
        return name.to_owned();
    }
    let hash = blake3::hash(place.as_bytes()).to_hex();
    let hash: String = hash.chars().take(DIGITS).collect();
    let mut marked = format!("{name}-{hash}");
    while is_taken(&marked) {
        marked.push('_');
    }
    marked
}

/// Name for an input's folder: the first volume of a disc image, else the file or folder name.
fn name_of(input: &Path) -> String {
    let label = || {
        looks_like_image(input)?;
        let tree = Tree::list(&[PathBuf::from(input)], None).ok()?;
        let disc = tree.files.iter().find_map(|file| file.location.disc())?;
        let mut volumes = disc.sessions.iter();
        let volume = volumes.find_map(|session| session.volume.as_ref().ok())?;
        let name = volume.name.trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let whole = input.canonicalize().unwrap_or_else(|_| input.to_owned());
    let own = match input.is_dir() {
        true => whole.file_name(),
        false => whole.file_stem(),
    };
    let own = || own.unwrap_or_default().to_string_lossy().into_owned();
    let name = if input.is_file() { label() } else { None };
    sanitise(&name.unwrap_or_else(own), NameStyle::Lower)
}

/// Exit code of a command from those of its inputs. An input that cannot be read counts as a failure.
pub(super) fn exit_of(exits: &[Exit]) -> Exit {
    let has = |exit: Exit| exits.contains(&exit);
    match () {
        () if has(Exit::Interrupted) => Exit::Interrupted,
        () if has(Exit::Internal) => Exit::Internal,
        () if exits.iter().all(|exit| *exit == Exit::Usage) => Exit::Usage,
        () if has(Exit::Usage) || has(Exit::Failures) => Exit::Failures,
        () => Exit::Success,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_end_is_reported_and_one_bad_input_is_a_failure() {
        use Exit::{Failures, Interrupted, Success, Usage};
        assert_eq!(exit_of(&[Success, Success]), Success);
        assert_eq!(exit_of(&[Success, Usage]), Failures);
        assert_eq!(exit_of(&[Usage, Usage]), Usage);
        assert_eq!(exit_of(&[Failures, Interrupted]), Interrupted);
    }

    #[test]
    fn names_that_are_taken_get_digits_of_their_place() {
        let taken = HashMap::from([("DISC".to_owned(), None)]);
        assert_eq!(free("other", "/a", &taken), "other");
        let marked = free("disc", "/a", &taken);
        assert!(
            marked.starts_with("disc-") && marked.len() == 13,
            "{marked}"
        );
        assert_ne!(marked, free("disc", "/b", &taken));
    }
}
