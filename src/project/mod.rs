//! Projects of engines around the outputs: what makes a folder open as a game project, with levels to walk in.
//!
//! - `facts` — what projects are made from; `emitters` — sounds that stand somewhere; `media` — what engines can play; `gltf` — the scenes that were written, read again as far as a project asks;
//! - `blender` — a script for Blender;
//! - `godot` — a project of Godot 4: settings, level scenes, missions, models, scripts;
//! - `unity` — a package of Unity: what its levels are made of, and the scripts that build them;
//! - `files` — how its files are written: the list of them, and what users changed.
//!
//! Nothing here changes an output. What is written is listed in `project-files.json`; only what is listed there and
//! unchanged is ever replaced. A file of ours that somebody changed is kept, and the new one lies beside it.

mod air;
mod blender;
mod emitters;
mod error;
mod facts;
mod files;
mod gltf;
mod godot;
mod media;
mod node_facts;
mod unity;

use std::path::Path;

pub use error::ProjectError;
pub use files::Written;

use crate::config::{Config, ProjectKind};
use crate::pipeline::output::written_list::PROJECT;
use crate::pipeline::report::converted::Converted;
use relicast_convert::documents;

/// Writes the project of the converted folder `out` that the settings want; takes away what an earlier one had.
///
/// # Errors
/// The folder cannot be read, or a file cannot be written.
pub fn write(out: &Path, config: &Config) -> Result<Written, ProjectError> {
    let wants_nothing = config.project.kind == ProjectKind::None && !config.documents.schemas;
    if wants_nothing && !out.join(PROJECT).exists() {
        return Ok(Written::default());
    }
    let converted = Converted::open(out)?;
    let plan = match config.project.kind {
        ProjectKind::None => files::Plan::default(),
        ProjectKind::Unity => unity::plan(&converted, config),
        ProjectKind::Blender => blender::plan(&converted),
        ProjectKind::Godot => godot::plan(&converted, config),
    };
    let mut plan = plan;
    if config.documents.schemas {
        plan.files.extend(schemas(config));
    }
    files::write(&converted, plan)
}

/// The schemas that documents name, by their paths.
fn schemas(config: &Config) -> impl Iterator<Item = (String, Vec<u8>)> {
    let wants_raw = config.raw.enabled;
    let forms = documents::forms().into_iter();
    let forms = forms.filter(move |form| wants_raw || !form.name.starts_with("raw-"));
    forms.map(|form| (documents::path_of(&form), documents::text_of(&form).into()))
}
