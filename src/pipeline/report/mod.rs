//! `report.json`: what became of every source file and member, with deviations, errors and times.
//!
//! - [`reason`] — why something was skipped or failed; [`findings`] — messages of many files, grouped; [`finding`] — one group;
//!   `summary` — the report of a run from what became of its files.
//! - [`manifest`] — what was written; `provenance` — what each output was made from; [`quantity`] — numbers and sizes as people read them.
//! - `documents`, `document_file`, `rows` — documents of runs as they are read: from anywhere, within their share of memory;
//!   `seal` — whether they are as written.
//! - [`converted`] — an output folder to read from: manifest, report, outputs.
//!
//! ```
//! use relicast::pipeline::report::{Report, Status};
//!
//! let report = Report::default();
//! assert_eq!(report.count(Status::Failed), 0);
//! assert_eq!(Status::Skipped.label(), "skipped");
//! ```

pub mod converted;
pub(crate) mod document_file;
pub(crate) mod documents;
pub mod finding;
pub mod findings;
pub mod manifest;
pub(in crate::pipeline) mod provenance;
pub mod quantity;
pub mod reason;
mod rows;
pub(in crate::pipeline) mod seal;
pub(in crate::pipeline) mod summary;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::pipeline::shard::ShardReport;
use finding::Finding;
use manifest::InputNumber;
use reason::Reason;
use relicast_codec::{Deviation, Deviations};
use relicast_convert::SkipCode;
use relicast_formats::asset::{AssetKind, Game};
use relicast_source::known::{EditionMatch, Foreign};

/// Name of the file in the output folder.
pub const FILE_NAME: &str = "report.json";

/// What became of a file or member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Made into outputs in this run.
    Converted,
    /// Written unchanged in this run.
    Copied,
    /// Its outputs of an earlier run still hold.
    Unchanged,
    /// Not converted, for a reason.
    Skipped,
    /// Could not be converted, for a reason.
    Failed,
}

impl Status {
    /// What became of it, whichever run did it.
    pub fn settled(self) -> Self {
        match self {
            Self::Copied | Self::Unchanged => Self::Converted,
            other => other,
        }
    }

    /// Word for messages.
    pub fn label(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Copied => "copied",
            Self::Unchanged => "unchanged",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of the program.
    pub converter: String,
    /// Digest of the effective configuration.
    pub config_digest: String,
    /// Digest of all that decided what the run did with these files: version, settings, selection.
    pub request_digest: String,
    /// False after an interrupted run.
    pub complete: bool,
    /// The inputs of this run.
    #[serde(default)]
    pub inputs: Vec<InputReport>,
    /// The shard of a run that this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardReport>,
    /// The games that were found, with evidence.
    pub games: Vec<GameReport>,
    /// Editions that the input is of, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub editions: Vec<EditionMatch>,
    /// Files of other editions than those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<Foreign>,
    /// How the numbers of containers compare with those of retail installs, where they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub census: Vec<String>,
    /// A text to send when files of known names have other content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_variant: Option<String>,
    /// Programs from outside that were used, with their versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Counts and sizes.
    pub totals: Totals,
    /// What the run did with a store; it changes nothing else here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<StoreReport>,
    /// Time by stage.
    pub stages: Vec<StageReport>,
    /// Outputs of earlier runs that nothing makes any more; they were deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Outputs of earlier runs that this run does not make and that were left: on the user's word, or
    /// because their source could not be looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// Files in the output folder that differ from what a run wrote and that were at the path of an output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<Edited>,
    /// Similar messages of many files, the most severe first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Every source file of this run's inputs once, sorted by path.
    #[serde(deserialize_with = "rows::read")]
    pub sources: Vec<SourceReport>,
    /// The other inputs that live in the output folder, as their last run left them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherInput>,
}

/// An input, and what was asked of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputReport {
    /// Its number in the manifest.
    pub input: InputNumber,
    /// Where it lies on this machine, links resolved: by this it is known again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Folder that its paths begin with: empty, or a name and a slash.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// As [`Report::request_digest`].
    pub request_digest: String,
    /// False after an interrupted run.
    pub complete: bool,
}

/// An input that a run left alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherInput {
    /// The input.
    #[serde(flatten)]
    pub input_report: InputReport,
    /// When its outputs were last known to be as written, nanoseconds since 1970.
    pub written: u64,
    /// Its source files.
    #[serde(deserialize_with = "rows::read")]
    pub sources: Vec<SourceReport>,
}

/// A file that is not as a run wrote it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edited {
    /// Path below the output folder.
    pub path: String,
    /// Where it is now; where it was when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
}

/// A game and the best reason to believe in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameReport {
    /// Its short name.
    pub game: Game,
    /// Its title.
    pub title: String,
    /// The file and the evidence in it, or that the user chose the game.
    pub evidence: String,
}

/// Counts and sizes of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Source files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files and members by what became of them. A file with members is not counted itself.
    #[serde(rename = "parts")]
    pub items: BTreeMap<Status, u64>,
    /// Skips by reason, in the order of the texts.
    #[serde(deserialize_with = "skip_totals")]
    pub skipped: Vec<SkipTotal>,
    /// Broken soft rules.
    pub deviations: u64,
    /// Output files, including unchanged ones of earlier runs.
    pub outputs: u64,
    /// Their bytes.
    pub output_bytes: u64,
    /// Work by kind of asset.
    pub assets: BTreeMap<AssetKind, AssetTotals>,
}

/// Number of files and items that were skipped for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkipTotal {
    /// The reason.
    #[serde(flatten)]
    pub reason: Reason,
    /// How many.
    pub count: u64,
}

/// Reads the list of this version, or the counts by text of earlier ones.
fn skip_totals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SkipTotal>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        List(Vec<SkipTotal>),
        Texts(BTreeMap<String, u64>),
    }
    Ok(match Stored::deserialize(deserializer)? {
        Stored::List(list) => list,
        Stored::Texts(texts) => texts
            .into_iter()
            .map(|(text, count)| SkipTotal {
                reason: Reason { code: None, text },
                count,
            })
            .collect(),
    })
}

/// Work on one kind of asset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssetTotals {
    /// Items converted or copied in this run.
    #[serde(rename = "parts")]
    pub items: u64,
    /// Their source bytes.
    pub source_bytes: u64,
    /// Their output bytes.
    pub output_bytes: u64,
    /// Processor seconds of all threads.
    pub seconds: f64,
}

/// What a run did with a store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreReport {
    /// Items that were not converted again.
    pub items: u64,
    /// Outputs that are links to objects of the store, of these items and of others with the same bytes.
    pub linked: u64,
    /// Outputs that share the blocks of objects.
    pub cloned: u64,
    /// Outputs that were copied from objects.
    pub copied: u64,
    /// Bytes of all these outputs.
    pub bytes: u64,
    /// Those that take no room of their own.
    pub bytes_saved: u64,
    /// Objects that were added.
    pub added: u64,
    /// Their bytes.
    pub added_bytes: u64,
    /// Objects that somebody had changed, which were put aside.
    pub damaged: u64,
    /// Outputs and items that could not be shared.
    pub faults: u64,
}

impl StoreReport {
    /// Adds the counts of another run.
    pub(super) fn add(&mut self, other: &Self) {
        self.items += other.items;
        self.linked += other.linked;
        self.cloned += other.cloned;
        self.copied += other.copied;
        self.bytes += other.bytes;
        self.bytes_saved += other.bytes_saved;
        self.added += other.added;
        self.added_bytes += other.added_bytes;
        self.damaged += other.damaged;
        self.faults += other.faults;
    }
}

/// Time of one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageReport {
    /// Its name.
    pub stage: String,
    /// Seconds of all threads together.
    pub seconds: f64,
    /// Items it worked on.
    pub items: u64,
    /// Bytes it worked on.
    pub bytes: u64,
}

/// What became of a source file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceReport {
    /// The input that it is in.
    #[serde(default, skip_serializing_if = "InputNumber::is_first")]
    pub input: InputNumber,
    /// Path below its input, after the input's prefix.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, nanoseconds since 1970.
    pub modified: u64,
    /// BLAKE3 of its bytes, when it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    /// What it is.
    pub kind: String,
    /// Its game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// Its status: the worst of its items, or its own.
    pub status: Status,
    /// Why it was skipped or failed as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Broken soft rules of the container.
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    pub deviations: Faults,
    /// Known oddities of the container, which healthy files have, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Its items; the first of a container is its own table.
    #[serde(
        rename = "parts",
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "rows::read"
    )]
    pub items: Vec<ItemReport>,
}

/// Outcome of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// Stored name of the member; none for the file as a whole or its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// What it is.
    pub asset: AssetKind,
    /// What became of it.
    pub status: Status,
    /// Why it was skipped or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Its outputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// Broken soft rules.
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    pub deviations: Faults,
    /// Other information, such as textures that no package has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Indices into `notes` of the notes about something missing, which the user may have elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<usize>,
    /// What was counted on the way: signs of a source that was understood wrongly, or is damaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Box<serde_json::Value>>,
    /// Seconds spent on it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seconds: f64,
    /// Of an item of a shard: how it was made, in this run or an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// How an item of a shard was made, so that `merge` counts it as a run without shards does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Converted or copied.
    pub status: Status,
    /// Its source bytes.
    pub source_bytes: u64,
    /// Its output bytes.
    pub output_bytes: u64,
}

impl ItemReport {
    /// Code of the reason for which the item was skipped; `None` when it was not.
    pub fn skip_code(&self) -> Option<SkipCode> {
        let reason = self.reason.as_ref().and_then(Reason::skip);
        reason.filter(|_| self.status == Status::Skipped)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// Broken soft rules: how many, and the first of them in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// How many.
    pub total: u64,
    /// The first of them.
    pub first: Vec<String>,
}

impl Faults {
    /// Whether there are no deviations.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl From<&Deviations> for Faults {
    fn from(deviations: &Deviations) -> Self {
        let described = deviations.described().iter();
        Self {
            total: deviations.total(),
            first: described.map(Deviation::to_string).collect(),
        }
    }
}

impl Report {
    /// How many files and members had this fate.
    pub fn count(&self, status: Status) -> u64 {
        self.totals.items.get(&status).copied().unwrap_or(0)
    }

    /// Reasons of all files and members that have one.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        self.sources.iter().flat_map(|source| {
            let items = source.items.iter();
            let items = items.filter_map(|item| item.reason.as_ref());
            source.reason.iter().chain(items)
        })
    }
}

impl SourceReport {
    /// Why the file was skipped as a whole; `None` when it was not.
    pub fn skip_code(&self) -> Option<SkipCode> {
        let reason = self.reason.as_ref().and_then(Reason::skip);
        reason.filter(|_| self.status == Status::Skipped)
    }

    /// The status of a file by its items: the worst, but not skipped when any item was done.
    pub fn status_of_items(items: &[ItemReport]) -> Status {
        let done = |item: &&ItemReport| item.status < Status::Skipped;
        match items.iter().map(|item| item.status).max() {
            Some(Status::Skipped) => {
                let done = items.iter().filter(done).map(|item| item.status);
                done.min().unwrap_or(Status::Skipped)
            }
            worst => worst.unwrap_or(Status::Skipped),
        }
    }
}

impl Totals {
    /// The counts of `sources`.
    pub fn of<'a>(sources: impl Iterator<Item = &'a SourceReport>) -> Self {
        let mut totals = Self::default();
        for source in sources {
            totals.count(source);
        }
        totals
    }

    /// How many files and members were skipped for reasons of this kind.
    pub fn skipped_for(&self, code: SkipCode) -> u64 {
        let totals = self.skipped.iter();
        let matching = totals.filter(|total| total.reason.skip() == Some(code));
        matching.map(|total| total.count).sum()
    }

    fn count_skip(&mut self, reason: &Reason) {
        let key = |reason: &Reason| (reason.text.clone(), reason.code);
        let wanted = key(reason);
        match (self.skipped).binary_search_by(|total| key(&total.reason).cmp(&wanted)) {
            Ok(place) => self.skipped[place].count += 1,
            Err(place) => self.skipped.insert(
                place,
                SkipTotal {
                    reason: reason.clone(),
                    count: 1,
                },
            ),
        }
    }

    /// Adds a source: itself, or its items when it has any.
    pub fn count(&mut self, source: &SourceReport) {
        self.files += 1;
        self.bytes += source.size;
        self.deviations += source.deviations.total;
        let own = source.items.is_empty() || (source.reason.is_some());
        let fates = source
            .items
            .iter()
            .map(|item| (item.status, &item.reason))
            .chain(own.then_some((source.status, &source.reason)));
        for (status, reason) in fates {
            *self.items.entry(status).or_default() += 1;
            if let (Status::Skipped, Some(reason)) = (status, reason) {
                self.count_skip(reason);
            }
        }
        for item in &source.items {
            self.deviations += item.deviations.total;
        }
    }
}
