//! Human-readable report: converted items, skipped and failed ones with reasons, and anomalies. `html` writes it as a
//! page, and the catalog has it as its own `report.json`, which is made from the conversion's `report.json`.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::entry::Entry;
use super::kinds::word;
use super::names::Name;
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::finding::Finding;
use crate::pipeline::report::manifest::InputNumber;
use crate::pipeline::report::reason::Reason;
use crate::pipeline::report::{Faults, Report, StageReport, Status};
use relicast_formats::asset::{AssetKind, Game};

/// Maximum number of examples per reason; more only lengthen the page.
const MAX_EXAMPLES: usize = 5;

/// Maximum rows of a list, so that the page stays small; totals count all.
const MAX_ROWS: usize = 200;

/// Maximum size of a disc document, in bytes; bounds the memory.
const MAX_DISC_DOCUMENT_BYTES: u64 = 64 << 20;

/// Source and member of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Origin {
    /// Path of the source.
    pub source: String,
    /// Its member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Index of the asset.
    pub asset: usize,
}

/// Items that were not converted for the same reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ReasonGroup {
    /// Reason, without its numbers.
    pub reason: String,
    /// Number of items.
    pub count: usize,
    /// Kinds of the items.
    pub kinds: Vec<String>,
    /// Reason of the first item in full.
    pub example: String,
    /// True if the example has advice for the user.
    #[serde(skip)]
    pub has_remedy: bool,
    /// Some of the items.
    pub examples: Vec<Origin>,
}

/// Source or member with values that break a soft rule of their format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Deviating {
    /// The source or member.
    #[serde(flatten)]
    pub place: Origin,
    /// Number of values.
    pub total: u64,
    /// The first deviations.
    pub first: Vec<String>,
}

/// Work for one kind of asset of one game.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Work {
    /// Game, if known.
    pub game: Option<Game>,
    /// The kind.
    pub kind: String,
    /// Name of the kind.
    pub title: String,
    /// Number of items by result: `converted`, `copied`, `unchanged`, `skipped`, `failed`.
    #[serde(flatten)]
    pub items: BTreeMap<String, u64>,
    /// Output files.
    pub outputs: usize,
    /// Total bytes of the outputs.
    pub bytes: u64,
    /// Processor time in seconds.
    pub seconds: f64,
}

/// A disc image of the report.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Disc {
    /// Index of the asset.
    pub asset: usize,
    /// Path of its JSON document.
    pub path: String,
    /// Path of the image.
    pub image: String,
    /// Name of the known pressing, if it is one.
    pub pressing: Option<String>,
    /// Name of the first volume.
    pub volume: Option<String>,
    /// Number of tracks.
    pub tracks: usize,
    /// Number of audio tracks.
    pub audio_tracks: usize,
    /// Number of sectors that were checked.
    pub checked_sectors: u64,
    /// Number of bad sectors among them.
    pub bad_sectors: u64,
    /// Disc identifiers, as in the document.
    pub ids: Value,
}

/// Content of the human-readable report.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Name and version of this program.
    pub program: String,
    /// False after an interrupted run.
    pub complete: bool,
    /// Number of the shard and number of all shards, if only one was converted.
    pub shard: Option<(u32, u32)>,
    /// Of each input: number, path prefix of its outputs, local path, and false if its run was interrupted.
    pub inputs: Vec<(InputNumber, String, String, bool)>,
    /// Detected games with the evidence.
    pub games: Vec<(Game, String)>,
    /// Editions of the input, the best match first.
    pub editions: Vec<Value>,
    /// Files of other editions.
    pub foreign: Vec<Value>,
    /// Text to send in when files with known names have different content.
    pub unknown_variant: Option<String>,
    /// Container counts that differ from those of retail installs.
    pub census: Vec<String>,
    /// Totals over all inputs by key.
    pub totals: Vec<(&'static str, u64)>,
    /// Time of all stages in seconds.
    pub seconds: f64,
    /// Work by game and kind.
    pub table: Vec<Work>,
    /// Skipped items by reason.
    pub skipped: Vec<ReasonGroup>,
    /// Failed items by reason.
    pub failed: Vec<ReasonGroup>,
    /// Findings with the index of the asset, if there is one.
    pub findings: Vec<(Finding, Option<usize>)>,
    /// Sources and members with deviations, those with most first.
    pub deviations: Vec<Deviating>,
    /// Disc images.
    pub discs: Vec<Disc>,
    /// Stages of the run.
    pub stages: Vec<StageReport>,
    /// External tools that were used.
    pub tools: Vec<String>,
    /// Slowest items with their seconds.
    pub slowest: Vec<(Origin, f64)>,
}

impl Page {
    /// Report of a converted folder. `names` are the names of each entry.
    pub fn new(converted: &Converted, entries: &[Entry<'_>], names: &[Vec<Name>]) -> Self {
        let report = &converted.report;
        let table = table(entries);
        let values = |rows: Result<Value, serde_json::Error>| match rows {
            Ok(Value::Array(rows)) => rows,
            _ => Vec::new(),
        };
        let numbers: HashMap<(&str, Option<&str>), usize> = (entries.iter().enumerate())
            .rev()
            .map(|(number, entry)| ((entry.source, entry.member), number))
            .collect();
        let finding = |finding: &Finding| {
            let key = (&*finding.source, finding.member.as_deref());
            (finding.clone(), numbers.get(&key).copied())
        };
        let input = |it: &crate::pipeline::report::InputReport| {
            let path = it.path.clone().unwrap_or_default();
            (it.input, it.prefix.clone(), path, it.complete)
        };
        let others = report.others.iter().map(|other| &other.input_report);
        let mut page = Self {
            program: format!("relicast {}", report.converter),
            complete: report.complete,
            shard: report.shard.as_ref().and_then(|_| shard(report)),
            inputs: report.inputs.iter().chain(others).map(input).collect(),
            games: (report.games.iter())
                .map(|game| (game.game, game.evidence.clone()))
                .collect(),
            editions: values(serde_json::to_value(&report.editions)),
            foreign: values(serde_json::to_value(&report.foreign)),
            unknown_variant: report.unknown_variant.clone(),
            census: report.census.clone(),
            totals: totals(converted, entries),
            seconds: report.stages.iter().map(|stage| stage.seconds).sum(),
            table,
            skipped: reasons(entries, Status::Skipped),
            failed: reasons(entries, Status::Failed),
            findings: report.findings.iter().map(finding).collect(),
            deviations: deviations(entries),
            discs: discs(converted, entries),
            stages: report.stages.clone(),
            tools: report.tools.clone(),
            slowest: slowest(entries),
        };
        page.name_origins(names);
        page
    }

    /// Adds display names to all origins.
    fn name_origins(&mut self, names: &[Vec<Name>]) {
        let reasons = self.skipped.iter_mut().chain(&mut self.failed);
        let examples = reasons.flat_map(|reason| &mut reason.examples);
        let deviating = self.deviations.iter_mut().map(|row| &mut row.place);
        let slowest = self.slowest.iter_mut().map(|(place, _)| place);
        for place in examples.chain(deviating).chain(slowest) {
            let names = names.get(place.asset);
            let first = names.and_then(|names| names.first());
            place.name = first.map(|name| name.text.clone());
        }
    }

    /// The catalog's `report.json`. If `include_private` is true, it has local paths and times; without them, the same
    /// conversion gives the same document.
    pub fn value(&self, include_private: bool) -> Value {
        let mut value = Map::new();
        let mut put = |key: &str, facts: Value| value.insert(key.to_owned(), facts);
        put("program", json!(self.program));
        put("complete", json!(self.complete));
        put("shard", json!(self.shard));
        let inputs = self.inputs.iter().map(|(input, prefix, path, complete)| {
            let mut row = json!({"input": input, "prefix": prefix, "complete": complete});
            if let (Value::Object(row), true) = (&mut row, include_private) {
                row.insert("path".to_owned(), json!(path));
            }
            row
        });
        put("inputs", inputs.collect());
        let games = self.games.iter().map(
            |(game, evidence)| json!({"game": game, "title": game.title(), "evidence": evidence}),
        );
        put("games", games.collect());
        put("editions", json!(self.editions));
        put("foreign", json!(self.foreign));
        if let Some(text) = &self.unknown_variant {
            put("unknownVariant", json!(text));
        }
        put("census", json!(self.census));
        let totals = self
            .totals
            .iter()
            .map(|(key, count)| ((*key).to_owned(), json!(count)));
        let mut totals: Map<String, Value> = totals.collect();
        if include_private {
            totals.insert("seconds".to_owned(), json!(self.seconds));
        }
        put("totals", Value::Object(totals));
        let table = self.table.iter().map(|work| {
            let mut row = json!(work);
            if let (Value::Object(row), false) = (&mut row, include_private) {
                row.remove("seconds");
            }
            row
        });
        put("table", table.collect());
        put("skipped", json!(self.skipped));
        put("failed", json!(self.failed));
        let findings = self.findings.iter().map(|(finding, asset)| {
            let mut row = json!(finding);
            if let Value::Object(row) = &mut row {
                row.insert("asset".to_owned(), json!(asset));
            }
            row
        });
        put("findings", findings.collect());
        put("deviations", json!(self.deviations));
        put("discs", json!(self.discs));
        put("tools", json!(self.tools));
        if include_private {
            put("stages", json!(self.stages));
            let slowest = self.slowest.iter().map(|(place, seconds)| {
                json!({"source": place.source, "member": place.member, "asset": place.asset, "seconds": seconds})
            });
            put("slowest", slowest.collect());
        }
        Value::Object(value)
    }
}

fn shard(report: &Report) -> Option<(u32, u32)> {
    let shard = serde_json::to_value(&report.shard).ok()?;
    let number = |key: &str| u32::try_from(shard.get("shard")?.get(key)?.as_u64()?).ok();
    Some((number("number")?, number("of")?))
}

fn place(number: usize, entry: &Entry<'_>) -> Origin {
    Origin {
        source: entry.source.to_owned(),
        member: entry.member.map(str::to_owned),
        name: None,
        asset: number,
    }
}

/// Totals over all inputs, including those that the last run did not touch.
fn totals(converted: &Converted, entries: &[Entry<'_>]) -> Vec<(&'static str, u64)> {
    let others = converted.report.others.iter();
    let sources = converted.report.sources.iter();
    let sources = sources.chain(others.flat_map(|other| &other.sources));
    let (mut files, mut bytes) = (0_u64, 0_u64);
    for source in sources {
        files += 1;
        bytes = bytes.saturating_add(source.size);
    }
    let outputs = &converted.manifest.outputs;
    let output_bytes = outputs.iter().map(|output| output.size);
    let count = |status| {
        entries
            .iter()
            .filter(|entry| entry.status == status)
            .count() as u64
    };
    let of_item = |entry: &Entry<'_>| entry.item.map_or(0, |item| item.deviations.total);
    let of_source = converted
        .report
        .sources
        .iter()
        .map(|source| source.deviations.total);
    vec![
        ("files", files),
        ("bytes", bytes),
        ("outputs", outputs.len() as u64),
        ("outputBytes", output_bytes.fold(0, u64::saturating_add)),
        ("converted", count(Status::Converted)),
        ("copied", count(Status::Copied)),
        ("unchanged", count(Status::Unchanged)),
        ("skipped", count(Status::Skipped)),
        ("failed", count(Status::Failed)),
        (
            "deviations",
            entries.iter().map(of_item).sum::<u64>() + of_source.sum::<u64>(),
        ),
    ]
}

fn table(entries: &[Entry<'_>]) -> Vec<Work> {
    let mut rows: BTreeMap<(bool, Option<Game>, AssetKind), Work> = BTreeMap::new();
    for entry in entries {
        let key = (entry.game.is_none(), entry.game, entry.kind);
        let row = rows.entry(key).or_insert_with(|| Work {
            game: entry.game,
            kind: word(&entry.kind),
            title: entry.kind.label().to_owned(),
            ..Work::default()
        });
        *row.items
            .entry(entry.status.label().to_owned())
            .or_default() += 1;
        row.outputs += entry.outputs.len();
        let sizes = entry.outputs.iter().map(|(_, output)| output.size);
        row.bytes = sizes.fold(row.bytes, u64::saturating_add);
        row.seconds += entry.item.map_or(0.0, |item| item.seconds);
    }
    let mut rows: Vec<Work> = rows.into_values().collect();
    for row in &mut rows {
        for status in ["converted", "copied", "unchanged", "skipped", "failed"] {
            row.items.entry(status.to_owned()).or_default();
        }
    }
    rows
}

/// Returns a reason without the parts that differ between files: the text after the colon of a skip, the numbers of a
/// failure.
fn general(reason: &str, status: Status) -> String {
    if status == Status::Skipped {
        let (first, _) = reason.split_once(": ").unwrap_or((reason, ""));
        return first.to_owned();
    }
    without_numbers(reason)
}

/// Returns a text with each number, and the letters that directly follow it, replaced by one `…`.
pub(super) fn without_numbers(reason: &str) -> String {
    let mut text = String::with_capacity(reason.len());
    let mut in_number = false;
    for character in reason.chars() {
        let is_number =
            character.is_ascii_digit() || (in_number && character.is_ascii_alphanumeric());
        if is_number && !in_number {
            text.push('…');
        } else if !is_number {
            text.push(character);
        }
        in_number = is_number;
    }
    text
}

/// Items with this status by reason, the most frequent first.
fn reasons(entries: &[Entry<'_>], status: Status) -> Vec<ReasonGroup> {
    let mut groups: BTreeMap<String, ReasonGroup> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        if entry.status != status {
            continue;
        }
        let known = entry.reason();
        let full = known.map_or("no reason recorded", |reason| &reason.text);
        let reason = general(full, status);
        let group = groups.entry(reason.clone()).or_insert_with(|| ReasonGroup {
            reason,
            count: 0,
            kinds: Vec::new(),
            example: full.to_owned(),
            has_remedy: known.is_some_and(Reason::has_remedy),
            examples: Vec::new(),
        });
        group.count += 1;
        let kind = word(&entry.kind);
        if !group.kinds.contains(&kind) {
            group.kinds.push(kind);
        }
        if group.examples.len() < MAX_EXAMPLES {
            group.examples.push(place(number, entry));
        }
    }
    let mut groups: Vec<ReasonGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups.truncate(MAX_ROWS);
    groups
}

fn deviations(entries: &[Entry<'_>]) -> Vec<Deviating> {
    let rows = entries.iter().enumerate().filter_map(|(number, entry)| {
        let of_item = entry.item.map(|item| &item.deviations);
        let of_source = entry.source_report.map(|source| &source.deviations);
        // Deviations of a container itself are shown with the entry of the whole file, not again with each member.
        let of_source = of_source.filter(|_| entry.member.is_none());
        let faults = combined(of_item.into_iter().chain(of_source));
        (!faults.is_empty()).then(|| Deviating {
            place: place(number, entry),
            total: faults.total,
            first: faults.first,
        })
    });
    let mut rows: Vec<Deviating> = rows.collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total));
    rows.truncate(MAX_ROWS);
    rows
}

/// Joins the deviations of an item and of its source.
fn combined<'f>(all: impl Iterator<Item = &'f Faults>) -> Faults {
    let mut combined = Faults::default();
    for faults in all {
        combined.total = combined.total.saturating_add(faults.total);
        combined.first.extend_from_slice(&faults.first);
    }
    combined
}

fn slowest(entries: &[Entry<'_>]) -> Vec<(Origin, f64)> {
    let seconds = |entry: &Entry<'_>| entry.item.map_or(0.0, |item| item.seconds);
    let mut order: Vec<(usize, f64)> = (entries.iter().enumerate())
        .map(|(number, entry)| (number, seconds(entry)))
        .filter(|(_, seconds)| *seconds > 0.0)
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let rows = order.into_iter().take(10).filter_map(|(number, seconds)| {
        let entry = entries.get(number)?;
        Some((place(number, entry), seconds))
    });
    rows.collect()
}

fn discs(converted: &Converted, entries: &[Entry<'_>]) -> Vec<Disc> {
    let discs = entries.iter().enumerate().filter_map(|(number, entry)| {
        let main = entry.main().filter(|_| entry.kind == AssetKind::Discs)?;
        let bytes = converted.read(&main.path, MAX_DISC_DOCUMENT_BYTES)?;
        let document: Value = serde_json::from_slice(&bytes).ok()?;
        Some(disc(number, &main.path, &document))
    });
    discs.collect()
}

fn disc(asset: usize, path: &str, document: &Value) -> Disc {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let tracks = document["tracks"].as_array();
    let tracks = tracks.map(Vec::as_slice).unwrap_or_default();
    let sum = |key: &str| -> u64 {
        let counts = tracks
            .iter()
            .filter_map(|track| track["check"][key].as_u64());
        counts.fold(0, u64::saturating_add)
    };
    Disc {
        asset,
        path: path.to_owned(),
        image: text(&document["image"]).unwrap_or_default(),
        pressing: text(&document["pressing"]),
        volume: tracks
            .iter()
            .find_map(|track| text(&track["volume"]["name"])),
        tracks: tracks.len(),
        audio_tracks: tracks
            .iter()
            .filter(|track| track["mode"] == "AUDIO")
            .count(),
        checked_sectors: sum("checked"),
        bad_sectors: sum("bad"),
        ids: document["ids"].clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_differ_only_in_numbers_or_files_are_grouped() {
        let skipped = |reason| general(reason, Status::Skipped);
        assert_eq!(
            skipped("read as part of a disc image: a.cue"),
            "read as part of a disc image"
        );
        let failed = |reason| general(reason, Status::Failed);
        assert_eq!(
            failed("count at byte 408 (0x198): expected 7"),
            failed("count at byte 4 (0x4): expected 7000")
        );
    }

    #[test]
    fn deviations_of_an_item_and_its_source_are_joined() {
        let [item, source] = [(2, "a"), (3, "b")].map(|(total, first)| Faults {
            total,
            first: vec![first.to_owned()],
        });
        let both = combined([&item, &source].into_iter());
        assert_eq!(
            (both.total, both.first),
            (5, vec!["a".to_owned(), "b".to_owned()])
        );
    }

    #[test]
    fn bad_sectors_of_all_tracks() {
        let document = json!({"image": "a.cue", "tracks": [
            {"mode": "MODE1/2352", "volume": {"name": "V"}, "check": {"checked": 9, "bad": 2}},
            {"mode": "AUDIO"},
        ]});
        let disc = disc(3, "music/a.json", &document);
        assert_eq!(
            (disc.tracks, disc.audio_tracks, disc.bad_sectors),
            (2, 1, 2)
        );
        assert_eq!(disc.volume.as_deref(), Some("V"));
    }
}
