//! Settings of the engine project.

use serde::{Deserialize, Serialize};

/// Engine project that is written into the output folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Project {
    /// Kind of project to write at the end of a run.
    pub kind: ProjectKind,
}

/// Kind of engine project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProjectKind {
    /// None.
    #[default]
    None,
    /// Godot 4: open the output folder with it.
    Godot,
    /// Unity: the folder is a package with scripts that build prefabs.
    Unity,
    /// Blender: a script that opens levels and models.
    Blender,
}

impl ProjectKind {
    /// Folder for worlds with the objects that missions place, which the engine must not import: its project
    /// has its own scenes for missions.
    pub const PLACEMENTS: &str = "placements";

    /// Folder for such worlds, if it is not the folder of worlds.
    pub fn placements(self) -> Option<&'static str> {
        match self {
            Self::None | Self::Blender | Self::Unity => None,
            Self::Godot => Some(Self::PLACEMENTS),
        }
    }
}
