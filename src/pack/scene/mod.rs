//! Scenes that a person edited, put back into game files.
//!
//! The game file is converted once more as it was. What the edited scene says otherwise is changed in the file, and
//! nothing else. Then it is converted again, and must show the edit.
//!
//! - `driver` — what is asked for, conversion of the file alone, its outputs;
//! - `file` — a glTF file of any program; `compare` — what an edit says otherwise;
//! - `zipper` — worlds and model libraries; `everquest` — scene files of EverQuest.

mod compare;
mod driver;
mod everquest;
mod file;
mod zipper;

use super::edited::{Edited, Refusals};
use super::error::PackError;
use crate::pipeline::report::manifest::ManifestOutput;
pub(super) use driver::job::{Job, Members, Replaced};
use relicast_formats::kind::Kind;
pub(super) use zipper::merged;

/// Whether an output is a scene or the buffer of one.
pub(super) fn is_scene(output: &ManifestOutput) -> bool {
    // Clips lie elsewhere.
    ["worlds/", "models/"]
        .iter()
        .any(|category| output.path.starts_with(category))
        && [".gltf", ".glb", ".bin"]
            .iter()
            .any(|ending| output.path.ends_with(ending))
}

/// Puts edited scenes into their game file. There is a rounding for each edit, in their order.
///
/// # Errors
/// A file cannot be read or written. What cannot go back is the inner error.
pub(super) fn replace(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Result<Replaced, Refusals>, PackError> {
    if job.kind == Kind::Pfs {
        let replaced = everquest::replace(job, edits, place_of)?;
        return Ok(replaced.map(|content| Replaced {
            content,
            members: Members::default(),
        }));
    }
    zipper::replace(job, edits, place_of)
}
