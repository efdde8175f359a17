//! Counts of one file.
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

/// Counts of a file.
#[derive(Debug, Clone, Serialize)]
pub struct Counted {
    /// Path below its input.
    pub path: String,
    /// Game of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// Label of its kind.
    pub kind: &'static str,
    /// SHA-256, if a published file has the same size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The counts.
    pub counts: Counts,
    /// For worlds: textures that are missing from all packages of the folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_textures: Vec<String>,
}

impl Counted {
    /// Last component of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}
