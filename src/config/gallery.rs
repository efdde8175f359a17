//! Settings of the gallery.

use serde::{Deserialize, Serialize};

/// A gallery beside the outputs of each run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gallery {
    /// Write one into the folder `gallery` of the outputs when a run ends.
    pub enabled: bool,
    /// What it holds for pages that no server serves.
    pub embed: Embed,
}

/// What is wrapped into scripts, so that a page that was opened as a file can read it: browsers let such a page read
/// no other file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Embed {
    /// The catalogue only: lists, pictures, movies, and sounds as they are.
    #[default]
    None,
    /// Models with their pictures, sounds and documents, too.
    Models,
    /// All outputs.
    All,
}

impl Embed {
    /// Word for the catalogue.
    pub fn label(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Models => "models",
            Self::All => "all",
        }
    }
}
