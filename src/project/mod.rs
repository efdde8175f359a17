//! Engine projects for the outputs, which make a folder open as a game project with levels to walk in.
//!
//! - `facts` — inputs for projects; `emitters` — positioned sounds; `media` — playable media; `gltf` — reads
//!   the written scenes;
//! - `blender` — Blender script;
//! - `godot` — Godot 4 project: settings, level scenes, missions, models, scripts;
//! - `unity` — Unity package: data of its levels, and the scripts that build them;
//! - `files` — writes the files, with a list of them and of changes by the user.
//!
//! A project never changes an output. Its files are listed in `project-files.json`, and only listed, unchanged
//! files are ever replaced. A file that the user changed is preserved, and the new version is written next to
//! it.

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

/// Writes the project for the converted folder `out` that the settings ask for; removes stale files of an
/// earlier one.
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

/// Schemas that documents refer to, by path.
fn schemas(config: &Config) -> impl Iterator<Item = (String, Vec<u8>)> {
    let wants_raw = config.raw.enabled;
    let forms = documents::forms().into_iter();
    let forms = forms.filter(move |form| wants_raw || !form.name.starts_with("raw-"));
    forms.map(|form| (documents::path_of(&form), documents::text_of(&form).into()))
}
