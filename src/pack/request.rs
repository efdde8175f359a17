//! Request to pack edited outputs, and its result.

use std::path::{Path, PathBuf};

use super::destination::Destination;
use super::edited::{Edit, Refusal};
use super::palettes::Palettes;
use super::scene::Noise;
use super::selection::Only;
use super::undone::Undone;
use crate::golden::Reading;

/// A request to pack.
#[derive(Debug, Clone)]
pub struct Request {
    /// The output folder with the edits.
    pub out: PathBuf,
    /// The install that it was made from.
    pub from: PathBuf,
    /// Destination of the changed game files.
    pub to: Destination,
    /// Only edited outputs whose paths match. Outputs that earlier runs packed into the same game files stay in them as
    /// they were packed; all other game files of earlier runs stay.
    pub only: Option<Only>,
    /// Write nothing.
    pub check: bool,
    /// Which outputs are read to find the edits.
    pub reading: Reading,
    /// A patch to write too.
    pub patch: Option<PathBuf>,
    /// Adds files that no run wrote to the archives that their neighboring outputs came from.
    pub add: bool,
    /// Removes members whose outputs were all deleted.
    pub remove: bool,
    /// Treatment of full palettes.
    pub palettes: Palettes,
}

impl Request {
    /// A request for all edits in `out`, for the install `from`, into the folder `to`.
    pub fn new(out: &Path, from: &Path, to: &Path) -> Self {
        Self {
            out: out.to_owned(),
            from: from.to_owned(),
            to: Destination::Folder(to.to_owned()),
            only: None,
            check: false,
            reading: Reading::Touched,
            patch: None,
            add: false,
            remove: false,
            palettes: Palettes::default(),
        }
    }
}

/// Result of packing, or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packed {
    /// The packed edits, sorted by output.
    pub edits: Vec<Edit>,
    /// The game files that changed: path below the install, and size. Empty when something was refused.
    pub files: Vec<(String, u64)>,
    /// Edits that cannot be packed. Nothing is written when there are any.
    pub refused: Vec<(String, Refusal)>,
    /// Changes of scenes that the programs that wrote them made by themselves, by output. They are no edits.
    pub noises: Vec<(String, Noise)>,
    /// Changed outputs without an edit: documents that were only reformatted, other files that were saved again.
    pub unedited: Vec<String>,
    /// Deleted outputs; their sources stay in the game.
    pub missing: Vec<String>,
    /// Files that no run wrote, and that are not packed.
    pub strangers: Vec<String>,
    /// Files of earlier runs that no longer change: deleted from the folder, or restored in the install.
    pub removed: Vec<String>,
    /// Edits of earlier runs that this run takes out of game files.
    pub undone: Vec<Undone>,
    /// Size of the patch, when one was asked for.
    pub patch: Option<u64>,
}
