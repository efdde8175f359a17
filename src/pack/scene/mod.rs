//! Edited scenes, packed into game files.
//!
//! The original game file is converted once more. Only the differences of the edited scene are changed in the file.
//! Then it is converted again, and must show the edit.
//!
//! - `driver` — the request, conversion of the file alone, its outputs;
//! - `file` — a glTF file of any program; `compare` — the differences of an edit;
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
    // Clips are in other folders.
    ["worlds/", "models/"]
        .iter()
        .any(|category| output.path.starts_with(category))
        && [".gltf", ".glb", ".bin"]
            .iter()
            .any(|ending| output.path.ends_with(ending))
}

/// Packs edited scenes into their game file. Returns a rounding for each edit, in their order.
///
/// # Errors
/// An edit cannot be packed, or a file cannot be read or written.
pub(super) fn replace<'j>(
    job: Job<'j>,
    edits: &[Edited<'j>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Replaced, SceneError> {
    let eqg = edits.iter().filter(|edit| EqgArchive::holds(edit)).count();
    match (job.kind, eqg) {
        (Kind::Pfs, 0) => driver::replace::<WldArchive<'_>>(job, edits, place_of),
        (Kind::Pfs, eqg) if eqg == edits.len() => {
            driver::replace::<EqgArchive<'_>>(job, edits, place_of)
        }
        (Kind::Pfs, _) => {
            let reason = "scenes of .wld files and scenes in EQG format of one archive cannot be packed together; pack them separately, with --only";
            Err(Refusal::new(reason).into())
        }
        _ => driver::replace::<ZipperFile<'_>>(job, edits, place_of),
    }
}
