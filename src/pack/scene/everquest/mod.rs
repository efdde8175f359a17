//! Scenes of EverQuest that a person edited, put back into their archive.
//!
//! - `wld` — scene files (`.wld`); `eqg` — models, zones and animations of later archives (`.mod`, `.ter`, `.zon`);
//! - `scene` — edited scenes with what they were; `server` — edits of what the tables of a server place, which are refused;
//! - `copies` — placements that came and went; `recut` — meshes with other triangles than they had;
//! - `leaves` — values of JSON that differ; `glow`, `material_leaves` — those of lights and materials; `colours` — light of vertices;
//! - `tracks` — edits of clips; `curves` — clips over time; `movements`, `frames` — of tracks.

mod colours;
mod copies;
mod curves;
mod eqg;
mod frames;
mod glow;
mod leaves;
mod material_leaves;
mod movements;
mod recut;
mod scene;
mod server;
mod tracks;
mod wld;

use super::driver::job::Job;
use crate::pack::edited::{Content, Edited, Refusals, refuse_all};
use crate::pack::error::PackError;

/// Puts edited scenes into their archive. There is a rounding for each edit, in their order.
///
/// # Errors
/// A file cannot be read or written. What cannot go back is the inner error.
pub(super) fn replace(
    job: &Job<'_>,
    edits: &[Edited<'_>],
    place_of: &dyn Fn(&str) -> Result<String, PackError>,
) -> Result<Result<Content, Refusals>, PackError> {
    match eqg::count(edits) {
        0 => wld::replace(job, edits, place_of),
        count if count == edits.len() => eqg::replace(job, edits, place_of),
        _ => {
            let reason = "scenes of .wld files and of later models in one archive go back one after the other, with --only";
            Ok(Err(refuse_all(edits, reason)))
        }
    }
}
