//! Data of a plan: the planned result of each file and member.

use relicast_codec::{Deviations, FormatError};
use relicast_convert::{OutputSpec, SkipReason, SourceItem};
use relicast_formats::asset::Game;
use relicast_formats::kind::Kind;
use relicast_formats::transfer::LINE_ENDS_LOST;
use relicast_source::install::Detection;
use relicast_source::stamp::Stamps;
use relicast_source::tree::{ListingFault, SourceFile};

/// Planned output.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedOutput {
    /// Path below the output folder, forward slashes.
    pub path: String,
    /// Asset and format of the output.
    pub wanted: OutputSpec,
}

/// Planned item of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedItem {
    /// Index among the file's items.
    pub index: usize,
    /// The item.
    pub item: SourceItem,
    /// Its outputs.
    pub outputs: Vec<PlannedOutput>,
}

/// Planned action for a file.
#[derive(Debug)]
pub enum FilePlan {
    /// Its items are handled individually.
    Items {
        /// The items.
        items: Vec<PlannedItem>,
        /// Soft faults of the container.
        deviations: Deviations,
    },
    /// The whole file is skipped for this reason.
    Skip(SkipReason),
    /// It cannot be read, or its container is damaged.
    Fail(PlanError),
}

/// Reason why a file could not be planned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// It cannot be read.
    #[error("cannot read: {0}")]
    Read(#[from] std::io::Error),
    /// It is empty, but its name is that of a known format.
    #[error("empty file ({0} by its name); the copy is probably incomplete")]
    Lost(&'static str),
    /// Its container is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It was damaged by a copy in text mode.
    #[error("{0}; the file {LINE_ENDS_LOST}")]
    TextMode(FormatError),
}

/// Source file with its plan.
#[derive(Debug)]
pub struct PlannedFile {
    /// The file.
    pub source: SourceFile,
    /// Kind of the file.
    pub kind: Kind,
    /// Game of the file.
    pub game: Option<Game>,
    /// Planned action.
    pub plan: FilePlan,
    /// Deviations of the disc sectors or the cabinet checks of the file.
    pub medium: Deviations,
    /// Dependencies as indices into [`Plan::files`], in search order.
    pub dependencies: Vec<usize>,
}

impl PlannedFile {
    /// Items of the file; empty if the whole file is skipped or failed.
    pub fn items(&self) -> &[PlannedItem] {
        match &self.plan {
            FilePlan::Items { items, .. } => items,
            FilePlan::Skip(_) | FilePlan::Fail(_) => &[],
        }
    }
}

/// The whole plan.
#[derive(Debug)]
pub struct Plan {
    /// All files of all inputs, sorted by folded path.
    pub files: Vec<PlannedFile>,
    /// The games of the files, with evidence.
    pub detection: Detection,
    /// Places that could not be listed.
    pub faults: Vec<ListingFault>,
    /// True if outputs have other paths than they would have in a folder of their own.
    pub evaded: bool,
    /// Size and times of the files on disk, recorded before reading.
    pub stamps: Stamps,
}
