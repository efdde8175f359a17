//! A plan as the run reads it: what is to become of each file and member.

use relicast_codec::{Deviations, FormatError};
use relicast_convert::{OutputSpec, SkipReason, SourceItem};
use relicast_formats::asset::Game;
use relicast_formats::kind::Kind;
use relicast_formats::transfer::LINE_ENDS_LOST;
use relicast_source::install::Detection;
use relicast_source::stamp::Stamps;
use relicast_source::tree::{ListingFault, SourceFile};

/// A planned output.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedOutput {
    /// Path below the output folder, forward slashes.
    pub path: String,
    /// Which asset it holds, in which format.
    pub wanted: OutputSpec,
}

/// A planned item of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedItem {
    /// Index among the file's items.
    pub index: usize,
    /// What it is.
    pub item: SourceItem,
    /// Its outputs.
    pub outputs: Vec<PlannedOutput>,
}

/// What the plan does with a file.
#[derive(Debug)]
pub enum FilePlan {
    /// Its items are dealt with one by one.
    Items {
        /// The items.
        items: Vec<PlannedItem>,
        /// Soft faults of the container.
        deviations: Deviations,
    },
    /// The whole file is left out, for the given reason.
    Skip(SkipReason),
    /// It cannot be read or its container is damaged.
    Fail(PlanError),
}

/// Why a file could not be planned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// It cannot be read.
    #[error("cannot read: {0}")]
    Read(#[from] std::io::Error),
    /// It is empty, but its name is that of a known format.
    #[error("the file is empty; expected {0} by its name, found no bytes: it was not copied whole")]
    Lost(&'static str),
    /// Its container is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It was damaged by a copy in text mode.
    #[error("{0}; the file {LINE_ENDS_LOST}")]
    TextMode(FormatError),
}

/// A source file with its plan.
#[derive(Debug)]
pub struct PlannedFile {
    /// The file.
    pub source: SourceFile,
    /// What it is.
    pub kind: Kind,
    /// Its game.
    pub game: Option<Game>,
    /// What is to become of it.
    pub plan: FilePlan,
    /// Deviations of the disc sectors or of the cabinet's checks that it lies in.
    pub medium: Deviations,
    /// The files that it depends on, by their places in [`Plan::files`], in order of search.
    pub dependencies: Vec<usize>,
}

impl PlannedFile {
    /// Its items; none when the file as a whole is skipped or failed.
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
    /// What could not be listed.
    pub faults: Vec<ListingFault>,
    /// Outputs have other paths than they would have in a folder of their own.
    pub evaded: bool,
    /// Size and times of the files on disk, from before anything of them was read.
    pub stamps: Stamps,
}
