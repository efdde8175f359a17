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

use super::edited::{Edited, Refusal};
use super::error::PackError;
use crate::pipeline::report::manifest::ManifestOutput;
use driver::error::SceneError;
pub(super) use driver::job::{Job, Members, Replaced};
use everquest::eqg::EqgArchive;
use everquest::wld::WldArchive;
use relicast_formats::kind::Kind;
use zipper::ZipperFile;
pub(super) use zipper::merged;

/// True if an output is a scene or the buffer of one.
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
/// An edit cannot go back, or a file cannot be read or written.
pub(super) fn replace<'j>(
    job: Job<'j>,
    edits: &[Edited<'j>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Replaced, SceneError> {
    let later = edits.iter().filter(|edit| EqgArchive::holds(edit)).count();
    match (job.kind, later) {
        (Kind::Pfs, 0) => driver::replace::<WldArchive<'_>>(job, edits, place_of),
        (Kind::Pfs, later) if later == edits.len() => {
            driver::replace::<EqgArchive<'_>>(job, edits, place_of)
        }
        (Kind::Pfs, _) => {
            let reason = "scenes of .wld files and of later models in one archive go back one after the other, with --only";
            Err(Refusal::new(reason).into())
        }
        _ => driver::replace::<ZipperFile<'_>>(job, edits, place_of),
    }
}
