//! The counts of one file.
//!
//! ```
//! use relicast::formats::census::Counts;
//! use relicast::pipeline::census::counted::Counted;
//!
//! let file = Counted {
//!     path: "zbd/c1/gamez.zbd".to_owned(),
//!     game: None,
//!     kind: "world",
//!     sha256: None,
//!     counts: Counts::default(),
//!     missing_textures: Vec::new(),
//! };
//! assert_eq!(file.name(), "gamez.zbd");
//! ```

use serde::Serialize;

use relicast_formats::asset::Game;
use relicast_formats::census::Counts;

/// The counts of a file.
#[derive(Debug, Clone, Serialize)]
pub struct Counted {
    /// Its path below its input.
    pub path: String,
    /// The game that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// Label of its kind.
    pub kind: &'static str,
    /// SHA-256, for files of a size that a published one has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What was counted.
    pub counts: Counts,
    /// For worlds: textures that no package of the folder holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_textures: Vec<String>,
}

impl Counted {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}
