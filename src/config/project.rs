//! Settings of the project around the outputs.

use serde::{Deserialize, Serialize};

/// Files that make a project of an engine of the output folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Project {
    /// What is written when a run ends.
    pub kind: ProjectKind,
}

/// Whose project.
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
    /// Folder of worlds with what missions place, where an engine shall not look: its project has scenes of its own for
    /// missions.
    pub const PLACEMENTS: &str = "placements";

    /// Folder of such worlds, when it is not that of worlds.
    pub fn placements(self) -> Option<&'static str> {
        match self {
            Self::None | Self::Blender | Self::Unity => None,
            Self::Godot => Some(Self::PLACEMENTS),
        }
    }
}
