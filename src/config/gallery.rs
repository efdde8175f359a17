//! Settings of the gallery.

use serde::{Deserialize, Serialize};

/// Gallery written next to the outputs of each run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gallery {
    /// Write a gallery to the folder `gallery` of the outputs at the end of a run.
    pub enabled: bool,
    /// Outputs embedded for pages without a server.
    pub embed: Embed,
}

/// Outputs that are embedded in scripts, for pages opened as files: browsers do not let such a page read other
/// files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Embed {
    /// Only the catalog: lists, pictures, movies and plain sounds work.
    #[default]
    None,
    /// Also models with their pictures, sounds and documents.
    Models,
    /// All outputs.
    All,
}

impl Embed {
    /// Name in the catalog.
    pub fn label(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Models => "models",
            Self::All => "all",
        }
    }
}
