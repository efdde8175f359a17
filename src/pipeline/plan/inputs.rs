//! Inputs of an output folder: which are known from earlier runs, how they are recognized, and the prefix of
//! each.
//!
//! An input is identified by its canonical path. A moved or renamed input is recognized if its old path no
//! longer exists and at least half of its files, by path and size, are in the new one. Every other input is
//! new. Paths of inputs given together begin with the input's name. A single input has such a prefix if it got
//! one before, or if its outputs would otherwise use the paths of another input.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::PlanningError;
use crate::pipeline::report::InputReport;
use crate::pipeline::report::manifest::InputNumber;
use crate::pipeline::request::Request;
use relicast_formats::packed_elsewhere;
use relicast_source::names::fold;
use relicast_source::own_output::is_output_folder;
use relicast_source::tree::{Opening, Tree, prefix_of};

/// Input known from an earlier run.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Its entry in the report.
    pub input_report: InputReport,
    /// Its sources, by path after the prefix, with their sizes.
    pub sources: HashSet<(String, u64)>,
}

/// Input of this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Path as the user gave it.
    pub given: PathBuf,
    /// Its number.
    pub number: InputNumber,
    /// Canonical path.
    pub path: String,
    /// Prefix of its paths.
    pub prefix: String,
    /// Prefix in its last run; `None` for a new input.
    pub before: Option<String>,
}

/// The inputs of a run, in the order given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roots(pub Vec<Root>);

fn canonical(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// Canonical form of a path that may not exist yet.
fn canonical_future(path: &Path) -> io::Result<PathBuf> {
    let mut future = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => {
                future.pop();
            }
            part => future.push(part),
        }
        if let Ok(found) = future.canonicalize() {
            future = found;
        }
    }
    Ok(future)
}

/// Refuses inputs that are output folders of this program or archives that other programs unpack.
///
/// # Errors
/// The input is one of these.
pub fn check_kind(input: &Path) -> Result<(), PlanningError> {
    if is_output_folder(input) {
        return Err(PlanningError::OutputFolder(input.to_owned()));
    }
    let is_file = std::fs::metadata(input).is_ok_and(|metadata| metadata.is_file());
    let mut head = Vec::new();
    let read = is_file.then(|| {
        let file = std::fs::File::open(input)?;
        file.take(packed_elsewhere::HEAD).read_to_end(&mut head)
    });
    let found = read.and_then(|_| packed_elsewhere::detect(&head));
    match found {
        Some(format) => Err(PlanningError::Packed {
            input: input.to_owned(),
            what: format.name,
            advice: format.advice(input),
        }),
        None => Ok(()),
    }
}

/// Refuses an output folder that is or contains an input, because outputs would mix with originals, and inputs
/// that are not installs.
///
/// # Errors
/// The output folder is refused, or an input does not exist.
pub fn check_place(inputs: &[PathBuf], out: &Path) -> Result<(), PlanningError> {
    let folder = canonical_future(out)?;
    for input in inputs {
        check_kind(input)?;
        let input_path = canonical(input)?;
        if input_path.starts_with(&folder) {
            return Err(PlanningError::OutAboveInput {
                out: out.to_owned(),
                input: input.clone(),
                same: input_path == folder,
            });
        }
    }
    Ok(())
}

impl Roots {
    /// Matches the inputs of `request` with the `known` ones of earlier runs. Moved inputs are recognized by
    /// their files, which are listed for this.
    ///
    /// # Errors
    /// An input does not exist.
    pub fn resolve(request: &Request, known: &[Known]) -> io::Result<Self> {
        let mut inputs: Vec<&PathBuf> = Vec::new();
        let mut paths: Vec<PathBuf> = Vec::new();
        for input in &request.inputs {
            let path = canonical(input)?;
            if !paths.contains(&path) {
                paths.push(path);
                inputs.push(input);
            }
        }
        let texts: Vec<String> = paths
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        let mut found: Vec<Option<&Known>> = texts
            .iter()
            .map(|path| {
                known
                    .iter()
                    .find(|known| known.input_report.path.as_ref() == Some(path))
            })
            .collect();
        for index in 0..inputs.len() {
            if found[index].is_none() {
                let free = known.iter().filter(|known| {
                    let taken = found.iter().flatten();
                    !taken
                        .map(|taken| taken.input_report.input)
                        .any(|number| number == known.input_report.input)
                });
                found[index] = moved(inputs[index], request, free)?;
            }
        }
        let mut next = known
            .iter()
            .map(|known| known.input_report.input.0)
            .max()
            .unwrap_or(0);
        let mut taken: HashSet<String> = known
            .iter()
            .map(|input| fold(&input.input_report.prefix))
            .collect();
        let together = inputs.len() > 1;
        let roots = inputs.into_iter().zip(texts).zip(found);
        let roots = roots.map(|((given, path), known)| {
            let before = known.map(|known| known.input_report.prefix.clone());
            let number = known.map_or_else(
                || {
                    next = next.saturating_add(1);
                    InputNumber(next)
                },
                |known| known.input_report.input,
            );
            let prefix = match &before {
                Some(prefix) if !prefix.is_empty() || !together => prefix.clone(),
                _ if together => prefix_of(given, &mut taken),
                _ => String::new(),
            };
            Root {
                given: given.clone(),
                number,
                path,
                prefix,
                before,
            }
        });
        Ok(Self(roots.collect()))
    }

    /// Returns whether this is a single new input, which may still get a prefix.
    pub fn is_one_new(&self) -> bool {
        matches!(&*self.0, [root] if root.before.is_none() && root.prefix.is_empty())
    }

    /// Makes the name of the single input its prefix.
    pub fn set_apart(&mut self, known: &[Known]) {
        let mut taken: HashSet<String> = known
            .iter()
            .map(|input| fold(&input.input_report.prefix))
            .collect();
        for root in &mut self.0 {
            root.prefix = prefix_of(&root.given, &mut taken);
        }
    }

    /// Input that contains the file at `path`.
    pub fn of(&self, path: &str) -> InputNumber {
        let mut roots = self.0.iter();
        let root = roots.find(|root| path.starts_with(&root.prefix));
        root.map_or_else(InputNumber::default, |root| root.number)
    }

    /// Input that contains a path on disk.
    pub fn of_place(&self, place: &Path) -> InputNumber {
        let mut roots = self.0.iter();
        let root = roots.find(|root| place.starts_with(&root.given));
        root.map_or_else(|| self.of(&place.to_string_lossy()), |root| root.number)
    }

    /// Returns whether an input is among these.
    pub fn has(&self, number: InputNumber) -> bool {
        self.0.iter().any(|root| root.number == number)
    }

    /// Numbers and prefixes: with the request, they determine the run.
    pub fn identity(&self) -> Vec<(u32, &str)> {
        let roots = self.0.iter();
        roots.map(|root| (root.number.0, &*root.prefix)).collect()
    }

    /// The prefixes.
    pub fn prefixes(&self) -> Vec<String> {
        self.0.iter().map(|root| root.prefix.clone()).collect()
    }

    /// Lists the files of the inputs, without files in the output folder.
    ///
    /// # Errors
    /// An input does not exist.
    pub fn list(&self, request: &Request) -> io::Result<Tree> {
        let inputs: Vec<PathBuf> = self.0.iter().map(|root| root.given.clone()).collect();
        let prefixes = self.prefixes();
        let out = (!request.out.as_os_str().is_empty()).then_some(&*request.out);
        Tree::list_with(&inputs, &prefixes, out, opening(request))
    }

    /// Entries of the inputs in the report.
    pub fn reports(&self, request_digest: &str, complete: bool) -> Vec<InputReport> {
        let roots = self.0.iter();
        let reports = roots.map(|root| InputReport {
            input: root.number,
            path: Some(root.path.clone()),
            prefix: root.prefix.clone(),
            request_digest: request_digest.to_owned(),
            complete,
        });
        reports.collect()
    }
}

/// Containers that are opened to list their files.
fn opening(request: &Request) -> Opening {
    Opening {
        discs: request.config.discs.enabled,
        cabinets: request.config.cabinets.packed(),
        links: request.config.source.follow_links,
    }
}

/// Known input that was moved to `input`: its old path no longer exists, and most of its files are here.
fn moved<'a>(
    input: &Path,
    request: &Request,
    known: impl Iterator<Item = &'a Known>,
) -> io::Result<Option<&'a Known>> {
    let gone = |known: &&Known| {
        let path = known.input_report.path.as_ref();
        !known.sources.is_empty() && path.is_none_or(|path| !Path::new(path).exists())
    };
    let candidates: Vec<&Known> = known.filter(gone).collect();
    if candidates.is_empty() {
        return Ok(None);
    }
    let inputs = [input.to_owned()];
    let tree = Tree::list_with(
        &inputs,
        &[String::new()],
        Some(&request.out),
        opening(request),
    )?;
    let here: HashSet<(String, u64)> = tree
        .files
        .into_iter()
        .map(|file| (file.path, file.size))
        .collect();
    let share = |known: &Known| known.sources.intersection(&here).count();
    let best = candidates.into_iter().max_by_key(|known| share(known));
    Ok(best.filter(|known| share(known).saturating_mul(2) >= known.sources.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_does_not_exist_has_a_canonical_path() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let future = canonical_future(&folder.path().join("a/../b/c")).unwrap();
        assert!(
            future.starts_with(&root) && future.ends_with("c"),
            "{future:?}"
        );
    }

    #[test]
    fn an_output_folder_above_an_input_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("game");
        std::fs::create_dir(&input).unwrap();
        let inputs = [input.clone()];
        assert!(check_place(&inputs, &input).is_err());
        assert!(check_place(&inputs, folder.path()).is_err());
        assert!(check_place(&inputs, &folder.path().join("game/../game/.")).is_err());
        assert!(check_place(&inputs, &input.join("out")).is_ok());
        assert!(check_place(&inputs, &folder.path().join("game2")).is_ok());
    }
}
