//! `report.json`: the result for every source file and member, with deviations, errors and times.
//!
//! - [`reason`] — reasons for skips and failures; [`findings`] — messages of many files, grouped; [`finding`] —
//!   one group; `summary` — builds the report of a run from its results.
//! - [`manifest`] — the outputs; `provenance` — the sources of each output.
//! - `documents`, `document_file`, `rows` — reading documents of runs: untrusted, within a memory budget;
//!   `seal` — detects changes to them.
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

/// Result for a file or member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Converted to outputs in this run.
    Converted,
    /// Copied in this run.
    Copied,
    /// Its outputs of an earlier run are up to date.
    Unchanged,
    /// Not converted, for a reason.
    Skipped,
    /// Could not be converted, for a reason.
    Failed,
}

impl Status {
    /// Result regardless of the run that produced it.
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

/// The report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of the program.
    pub converter: String,
    /// Digest of the effective configuration.
    pub config_digest: String,
    /// Digest of everything that determined what the run did with these files: version, settings, selection.
    pub request_digest: String,
    /// False after an interrupted run.
    pub complete: bool,
    /// The inputs of this run.
    #[serde(default)]
    pub inputs: Vec<InputReport>,
    /// The shard, if this is the run of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardReport>,
    /// Detected games, with evidence.
    pub games: Vec<GameReport>,
    /// Editions of the input, the best match first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub editions: Vec<EditionMatch>,
    /// Files of other editions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<Foreign>,
    /// Container counts that differ from those of retail installs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub census: Vec<String>,
    /// Text to send in when files with known names have different content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_variant: Option<String>,
    /// External programs that were used, with their versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Counts and sizes.
    pub totals: Totals,
    /// Use of a store; it affects nothing else here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store: Option<StoreReport>,
    /// Time by stage.
    pub stages: Vec<StageReport>,
    /// Stale outputs of earlier runs, which were deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Stale outputs of earlier runs, which were preserved: at the user's request, or because their source
    /// could not be searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// Changed files that were at the path of an output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<Edited>,
    /// Similar messages of many files, the most severe first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Every source file of this run's inputs once, sorted by path.
    #[serde(deserialize_with = "rows::read")]
    pub sources: Vec<SourceReport>,
    /// Other inputs in the output folder, as of their last runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherInput>,
}

/// Input, and the options of its run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputReport {
    /// Its number in the manifest.
    pub input: InputNumber,
    /// Path on this machine, with links resolved; identifies the input in later runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Folder that its paths begin with: empty, or a name and a slash.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Like [`Report::request_digest`].
    pub request_digest: String,
    /// False after an interrupted run.
    pub complete: bool,
}

/// Input that a run did not process.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherInput {
    /// The input.
    #[serde(flatten)]
    pub input_report: InputReport,
    /// Time when its outputs were last known to be unchanged, in nanoseconds since 1970.
    pub written: u64,
    /// Its source files.
    #[serde(deserialize_with = "rows::read")]
    pub sources: Vec<SourceReport>,
}

/// File that was changed since a run wrote it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edited {
    /// Path below the output folder.
    pub path: String,
    /// Current path, if it was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
}

/// Game with its best evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameReport {
    /// Its short name.
    pub game: Game,
    /// Its title.
    pub title: String,
    /// The file and its evidence, or the fact that the user chose the game.
    pub evidence: String,
}

/// Counts and sizes of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Source files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files and members by result. A file with members is not counted itself.
    #[serde(rename = "parts")]
    pub items: BTreeMap<Status, u64>,
    /// Skips by reason, ordered by text.
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
    /// Number of files and items.
    pub count: u64,
}

/// Reads the list of this version, or the counts by text of earlier versions.
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

/// Work for one kind of asset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssetTotals {
    /// Items converted or copied in this run.
    #[serde(rename = "parts")]
    pub items: u64,
    /// Total source bytes.
    pub source_bytes: u64,
    /// Total output bytes.
    pub output_bytes: u64,
    /// Processor time of all threads in seconds.
    pub seconds: f64,
}

/// Use of a store in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreReport {
    /// Items that were reused.
    pub items: u64,
    /// Outputs that are links to objects of the store, for reused items and for others with the same bytes.
    pub linked: u64,
    /// Outputs that share blocks with objects.
    pub cloned: u64,
    /// Outputs that were copied from objects.
    pub copied: u64,
    /// Total bytes of these outputs.
    pub bytes: u64,
    /// Bytes that use no additional space.
    pub bytes_saved: u64,
    /// Objects that were added.
    pub added: u64,
    /// Bytes of the added objects.
    pub added_bytes: u64,
    /// Changed objects, which were moved to `damaged`.
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
    /// Time of all threads in seconds.
    pub seconds: f64,
    /// Items it worked on.
    pub items: u64,
    /// Bytes it worked on.
    pub bytes: u64,
}

/// Result for a source file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceReport {
    /// Input that contains it.
    #[serde(default, skip_serializing_if = "InputNumber::is_first")]
    pub input: InputNumber,
    /// Path below its input, after the input's prefix.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, nanoseconds since 1970.
    pub modified: u64,
    /// BLAKE3 of its bytes, if it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
    /// Kind of file.
    pub kind: String,
    /// Game of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// Its status: the worst of its items, or its own.
    pub status: Status,
    /// Reason why the whole file was skipped or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Broken soft rules of the container.
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    pub deviations: Faults,
    /// Known oddities of the container, which also occur in healthy files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Its items; the first item of a container is its table.
    #[serde(
        rename = "parts",
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "rows::read"
    )]
    pub items: Vec<ItemReport>,
}

/// Result for an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// Stored name of the member; none for the file as a whole or its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Kind of asset.
    pub asset: AssetKind,
    /// Result.
    pub status: Status,
    /// Reason for a skip or failure.
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
    /// Indices into `notes` of notes about something missing, which the user may be able to add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<usize>,
    /// Counts made during the conversion: signs that a source was misunderstood or is damaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Box<serde_json::Value>>,
    /// Seconds spent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seconds: f64,
    /// For an item of a shard: how it was made, in this run or an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// Origin of an item of a shard, so that `merge` counts it like a run without shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Converted or copied.
    pub status: Status,
    /// Source bytes.
    pub source_bytes: u64,
    /// Output bytes.
    pub output_bytes: u64,
}

impl ItemReport {
    /// Code of the reason for a skip; `None` otherwise.
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

/// Broken soft rules: their number, and the first of them as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// Number of deviations.
    pub total: u64,
    /// The first deviations.
    pub first: Vec<String>,
}

impl Faults {
    /// Returns true if there are no deviations.
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
    /// Number of files and members with this result.
    pub fn count(&self, status: Status) -> u64 {
        self.totals.items.get(&status).copied().unwrap_or(0)
    }

    /// Reasons of all files and members.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        self.sources.iter().flat_map(|source| {
            let items = source.items.iter();
            let items = items.filter_map(|item| item.reason.as_ref());
            source.reason.iter().chain(items)
        })
    }
}

impl SourceReport {
    /// Code of the reason why the whole file was skipped; `None` otherwise.
    pub fn skip_code(&self) -> Option<SkipCode> {
        let reason = self.reason.as_ref().and_then(Reason::skip);
        reason.filter(|_| self.status == Status::Skipped)
    }

    /// Status of a file from its items: the worst, but not skipped if any item was done.
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
    /// Totals over `sources`.
    pub fn of<'a>(sources: impl Iterator<Item = &'a SourceReport>) -> Self {
        let mut totals = Self::default();
        for source in sources {
            totals.count(source);
        }
        totals
    }

    /// Number of files and members skipped for reasons of this kind.
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

    /// Adds a source: itself, or its items if it has any.
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
