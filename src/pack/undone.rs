//! Edits of earlier runs that a run takes out of game files.

use std::collections::BTreeMap;
use std::path::Path;

use super::edited::Change;
use super::selection::{Outputs, Selection};
use super::whole_file::is_whole;

/// An edit of an earlier run that is not packed any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The output; `None` for the changes of a patch or of an older version, whose outputs are unknown.
    pub output: Option<String>,
    /// Its effect.
    pub change: Change,
    /// The game file.
    pub file: String,
    /// The file to which `convert` moved the edited output, if it did.
    pub moved_to: Option<String>,
}

/// Finds the edits that earlier runs packed and that are not in the new game files; `new` has the outputs of these.
pub(super) fn find(
    out: &Path,
    new: &BTreeMap<String, Outputs>,
    selection: &Selection<'_>,
) -> Vec<Undone> {
    let mut undone = Vec::new();
    for (file, outputs) in selection.earlier() {
        let Some(outputs) = outputs else {
            undone.push(Undone {
                output: None,
                change: Change::Edited,
                file: file.to_owned(),
                moved_to: None,
            });
            continue;
        };
        let now = new.get(file);
        let gone = outputs.iter();
        let gone = gone.filter(|(path, _)| !now.is_some_and(|now| now.contains_key(*path)));
        undone.extend(gone.map(|(path, earlier)| Undone {
            output: Some(path.clone()),
            change: earlier.change,
            file: file.to_owned(),
            moved_to: (earlier.files.get(path)).and_then(|blake3| moved_to(out, path, blake3)),
        }));
    }
    undone
}

/// The output whose edit `convert` moved to this path.
pub fn moved_from(path: &str) -> Option<&str> {
    let (output, number) = path.rsplit_once(".edited-")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(output)
}

/// The name under which `convert` kept an edited output with this BLAKE3: the latest one.
fn moved_to(out: &Path, path: &str, blake3: &str) -> Option<String> {
    let names = (1_u32..).map(|number| format!("{path}.edited-{number}"));
    let names = names.take_while(|name| out.join(name).is_file());
    names
        .filter(|name| is_whole(&out.join(name), blake3))
        .last()
}
