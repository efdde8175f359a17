//! Facts about one disc or install, from its output folder.
//!
//! ```
//! use relicast::collection::disc::State;
//!
//! assert!(State::Whole.is_whole() && !State::Interrupted.is_whole());
//! assert_eq!(State::Absent.label(), "not converted");
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::place::Places;
use crate::golden::{Fault, GoldenError, check_written};
use crate::package::media;
use crate::pipeline::progress::Unobserved;
use crate::pipeline::report::document_file::{self, Unread};
use crate::pipeline::report::documents::WORK_FOLDER;
use crate::pipeline::report::manifest::{self, Manifest, ManifestOutput};
use crate::pipeline::report::{self, GameReport, Report, SourceReport, Status, Totals};
use relicast_formats::asset::AssetKind;
use relicast_source::known::{EditionMatch, Foreign};
use relicast_source::names::fold;
use relicast_source::names::whole;

/// Most bytes of a document about a disc or of a proof.
const MAX_BYTES: u64 = 1 << 28;

/// State of a disc's conversion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The last run was finished.
    Whole,
    /// The last run was not finished.
    Interrupted,
    /// A shard of a run, which waits for `merge`.
    Shard,
    /// No run left a manifest.
    #[default]
    Absent,
    /// The documents of the last run cannot be read.
    Damaged,
}

impl State {
    /// True if a run was finished.
    pub fn is_whole(self) -> bool {
        self == Self::Whole
    }

    /// Text for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Whole => "converted",
            Self::Interrupted => "interrupted",
            Self::Shard => "shard only",
            Self::Absent => "not converted",
            Self::Damaged => "damaged",
        }
    }
}

/// Result of proving that decoding and encoding give the bytes of the sources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proved {
    /// Every source that can be encoded is identical.
    Proved,
    /// Some sources differ or failed.
    Differs,
    /// There is no proof.
    #[default]
    NotProved,
}

impl Proved {
    /// Text for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Differs => "DIFFERS",
            Self::NotProved => "not proved",
        }
    }
}

/// Counts of `prove --json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Files.
    pub files: u64,
    /// Sources that encode to the same bytes.
    pub identical: u64,
    /// Sources that are only read.
    pub read_only: u64,
    /// Sources without a codec.
    pub no_codec: u64,
    /// Sources that encode to other bytes.
    pub differs: u64,
    /// Sources that cannot be decoded.
    pub failed: u64,
}

/// A disc image.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Medium {
    /// Name of the file that it was opened by.
    pub image: String,
    /// Names of its volumes.
    pub volumes: Vec<String>,
    /// The pressing, in words.
    pub pressing: String,
    /// True if the pressing is known.
    pub identified: bool,
    /// Data sectors that were checked.
    pub sectors_checked: u64,
    /// Bad sectors among them.
    pub sectors_bad: u64,
    /// Audio tracks.
    pub tracks: u64,
    /// Audio tracks with the samples of a known pressing.
    pub tracks_identified: u64,
}

/// Contents of outputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Contents {
    /// Number of different contents.
    pub count: u64,
    /// Total bytes.
    pub bytes: u64,
    /// The outputs that hold them, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<UniqueOutput>,
}

/// Sources of a format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SourceFormat {
    /// Kind, as in the report.
    pub kind: String,
    /// Its media type, if it has a registered one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Its identifier in PRONOM, if one fits every version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pronom: Option<String>,
    /// Sources.
    pub files: u64,
    /// Total bytes.
    pub bytes: u64,
}

impl SourceFormat {
    /// Counts sources by kind and media type; each is given by kind, path and size.
    pub fn count<'a>(sources: impl Iterator<Item = (&'a str, &'a str, u64)>) -> Vec<Self> {
        let mut rows: BTreeMap<(&str, Option<&str>), Self> = BTreeMap::new();
        for (kind, path, size) in sources {
            let known = media::of_source(kind, path);
            let media_type = known.map(|known| known.0);
            let row = rows.entry((kind, media_type)).or_insert_with(|| Self {
                kind: kind.to_owned(),
                media_type: media_type.map(str::to_owned),
                pronom: known.and_then(|known| known.1).map(str::to_owned),
                ..Self::default()
            });
            row.files += 1;
            row.bytes += size;
        }
        rows.into_values().collect()
    }
}

/// An output that only one disc has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UniqueOutput {
    /// Its path in the folder of the disc.
    pub path: String,
    /// Its kind.
    pub kind: AssetKind,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// A disc or install, as described by its output folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Disc {
    /// Name of its folder.
    pub name: String,
    /// Title: its volumes, else its games, else the name of its folder.
    pub title: String,
    /// The path of its folder from that of the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// State of its conversion.
    pub state: State,
    /// Reason why the conversion is incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Versions of the program that made the outputs.
    pub converters: Vec<String>,
    /// The games, with evidence.
    pub games: Vec<GameReport>,
    /// The editions, the best first.
    pub editions: Vec<EditionMatch>,
    /// Files of other editions.
    pub foreign: Vec<Foreign>,
    /// True if files with known names have contents of no known edition.
    pub unknown_variant: bool,
    /// The disc images.
    pub media: Vec<Medium>,
    /// Formats of the sources, sorted by kind.
    pub formats: Vec<SourceFormat>,
    /// Source files.
    pub files: u64,
    /// Total bytes; counts both a disc image and the files in it.
    pub bytes: u64,
    /// Number of files and members by result.
    #[serde(rename = "parts")]
    pub items: BTreeMap<Status, u64>,
    /// Broken soft rules.
    pub deviations: u64,
    /// Outputs in the manifest.
    pub outputs: u64,
    /// Total bytes.
    pub output_bytes: u64,
    /// Outputs that are missing.
    pub missing: Vec<String>,
    /// Outputs that changed since they were written.
    pub changed: Vec<String>,
    /// Result of the proof that nothing is lost.
    pub proved: Proved,
    /// The counts of the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Processor time of the last run, in seconds, all threads.
    pub seconds: f64,
    /// The path of its gallery from the folder of the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gallery: Option<String>,
    /// Contents that no other disc has.
    pub unique: Contents,
    /// Contents that other discs have too.
    pub shared: Contents,
}

impl Disc {
    /// Sort key of discs.
    pub(super) fn order(&self) -> (String, String, Option<String>) {
        (fold(&self.name), self.name.clone(), self.out.clone())
    }

    /// Items that were converted or copied, in this run or an earlier one.
    pub fn converted(&self) -> u64 {
        let done = [Status::Converted, Status::Copied, Status::Unchanged];
        done.iter().map(|status| self.count(*status)).sum()
    }

    /// Items with this result.
    pub fn count(&self, status: Status) -> u64 {
        self.items.get(&status).copied().unwrap_or(0)
    }

    /// Outputs that are missing or changed.
    pub fn lost(&self) -> usize {
        self.missing.len() + self.changed.len()
    }

    /// True if everything was converted, is there and is not disproved.
    pub fn is_good(&self) -> bool {
        self.state.is_whole()
            && self.lost() == 0
            && self.count(Status::Failed) == 0
            && self.proved != Proved::Differs
    }
}

/// A disc, and its existing outputs.
#[derive(Debug, Default)]
pub(super) struct Home {
    pub(super) disc: Disc,
    pub(super) outputs: Vec<ManifestOutput>,
}

impl Home {
    /// Reads the folder of a disc.
    pub(super) fn read(out: &Path, places: &Places<'_>) -> Self {
        let whole = whole(out);
        let name = whole.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let mut home = Self {
            disc: Disc {
                out: places.relative(out),
                title: name.clone(),
                ..Disc::default()
            },
            ..Self::default()
        };
        if let Err((state, reason)) = home.take(out) {
            home.disc.state = state;
            home.disc.reason = Some(reason);
        }
        let disc = &mut home.disc;
        let gallery = places.gallery(&whole, &name);
        disc.gallery = match gallery.is_file() {
            true => places.relative(&gallery),
            false => None,
        };
        disc.prove(&places.proof(&whole, &name));
        disc.name = name;
        home
    }

    /// Collects the facts of the documents and the outputs.
    fn take(&mut self, out: &Path) -> Result<(), (State, String)> {
        let absent = |reason: &str| Err((State::Absent, reason.to_owned()));
        if !out.is_dir() {
            return absent("the folder does not exist");
        }
        let has_work = out.join(WORK_FOLDER).exists();
        if !out.join(manifest::FILE_NAME).exists() {
            if has_work {
                let reason = "the first run was not finished";
                return Err((State::Interrupted, reason.to_owned()));
            }
            return absent("there is no manifest");
        }
        let damaged = |reason: String| (State::Damaged, reason);
        let checked = check_written(out, &Unobserved).map_err(|error| {
            damaged(match error {
                GoldenError::Manifest { error, .. } => {
                    format!("{} is not a valid manifest: {error}", manifest::FILE_NAME)
                }
                error => error.to_string(),
            })
        })?;
        let manifest: Manifest = document(out, manifest::FILE_NAME).map_err(damaged)?;
        let disc = &mut self.disc;
        let of_manifest = checked.faults_of_manifest();
        for fault in checked.faults.into_iter().chain(of_manifest) {
            match fault {
                Fault::Missing(path) => disc.missing.push(path),
                Fault::Changed { path, .. } => disc.changed.push(path),
            }
        }
        let outputs = manifest.outputs.iter();
        disc.outputs = manifest.outputs.len() as u64;
        disc.output_bytes = outputs.clone().map(|output| output.size).sum();
        let converters: BTreeSet<&str> = outputs.map(|output| &*output.converter).collect();
        disc.converters = converters.into_iter().map(str::to_owned).collect();
        let present: BTreeSet<String> = checked.as_written.into_iter().collect();
        let mut outputs = manifest.outputs;
        outputs.retain(|output| present.contains(&output.path));
        disc.media = media(out, &outputs);
        self.outputs = outputs;
        let report: Report = document(out, report::FILE_NAME).map_err(damaged)?;
        disc.report(&report);
        disc.title_by_what_it_holds();
        if report.shard.is_some() {
            let reason = "this is a shard; join the shards with `relicast merge`";
            return Err((State::Shard, reason.to_owned()));
        }
        if !manifest.complete || !report.complete || has_work {
            let reason = "the last run was not finished";
            return Err((State::Interrupted, reason.to_owned()));
        }
        self.disc.state = State::Whole;
        Ok(())
    }
}

impl Disc {
    fn report(&mut self, report: &Report) {
        let others = report.others.iter().flat_map(|other| &other.sources);
        let sources = || report.sources.iter().chain(others.clone());
        let totals = Totals::of(sources());
        self.files = totals.files;
        self.bytes = totals.bytes;
        self.items = totals.items;
        self.deviations = totals.deviations;
        self.seconds = report.stages.iter().map(|stage| stage.seconds).sum();
        let kinds = sources().map(|source| (&*source.kind, &*source.path, source.size));
        self.formats = SourceFormat::count(kinds);
        self.games.clone_from(&report.games);
        self.editions.clone_from(&report.editions);
        self.foreign.clone_from(&report.foreign);
        self.unknown_variant = report.unknown_variant.is_some();
        if self.reason.is_none() {
            let failed = |source: &&SourceReport| source.status == Status::Failed;
            let first = sources().find(failed);
            self.reason = first.map(|source| match &source.reason {
                Some(reason) => format!("{}: {reason}", source.path),
                None => format!("{}: some of its items failed", source.path),
            });
        }
    }

    fn title_by_what_it_holds(&mut self) {
        let volumes: BTreeSet<&str> = (self.media.iter())
            .flat_map(|medium| &medium.volumes)
            .map(|name| name.trim())
            .filter(|name| !name.is_empty())
            .collect();
        let games = self.games.iter().map(|game| &*game.title);
        let words: Vec<&str> = match volumes.is_empty() {
            true => games.collect(),
            false => volumes.into_iter().collect(),
        };
        if !words.is_empty() {
            self.title = words.join(", ");
        }
    }

    /// Reads the proof, if there is one.
    fn prove(&mut self, path: &Path) {
        #[derive(Deserialize)]
        struct Proofs {
            totals: Proof,
        }
        let Some(bytes) = small(path) else {
            return;
        };
        let Ok(Proofs { totals }) = serde_json::from_slice(&bytes) else {
            return;
        };
        self.proved = match (totals.files, totals.differs + totals.failed) {
            (0, 0) => Proved::NotProved,
            (_, 0) => Proved::Proved,
            _ => Proved::Differs,
        };
        self.proof = Some(totals);
    }
}

/// The bytes of a file that is not too large.
fn small(path: &Path) -> Option<Vec<u8>> {
    let metadata = fs::metadata(path).ok()?;
    (metadata.is_file() && metadata.len() <= MAX_BYTES)
        .then(|| relicast_source::bytes::read_document(path).ok())?
}

fn document<T: serde::de::DeserializeOwned>(out: &Path, name: &str) -> Result<T, String> {
    match document_file::read(&out.join(name)) {
        Ok((document, _)) => Ok(document),
        Err(Unread::Access(error)) => Err(format!("cannot read {name}: {error}")),
        Err(Unread::Json(error)) => Err(format!("{name} is not valid: {error}")),
    }
}

/// The facts of disc documents that are used here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct DiscDocument {
    image: String,
    pressing: String,
    identification: Option<Identification>,
    tracks: Vec<Track>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Identification {
    tracks: Vec<(u8, bool)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Track {
    mode: String,
    volume: Option<Volume>,
    check: Option<Check>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Volume {
    name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Check {
    checked: u64,
    bad: u64,
}

/// The disc images, by the documents that were made of them.
fn media(out: &Path, outputs: &[ManifestOutput]) -> Vec<Medium> {
    let discs = outputs
        .iter()
        .filter(|output| output.kind == AssetKind::Discs);
    discs
        .filter_map(|output| {
            let bytes = small(&out.join(&output.path))?;
            serde_json::from_slice(&bytes).ok().map(medium)
        })
        .collect()
}

fn medium(document: DiscDocument) -> Medium {
    let checks = || {
        document
            .tracks
            .iter()
            .filter_map(|track| track.check.as_ref())
    };
    let volumes = document.tracks.iter();
    let volumes = volumes.filter_map(|track| Some(track.volume.as_ref()?.name.clone()));
    let audio = document.tracks.iter().filter(|track| track.mode == "AUDIO");
    let found = document.identification.iter();
    let found = found.flat_map(|found| &found.tracks);
    Medium {
        volumes: volumes.collect(),
        identified: document.identification.is_some(),
        sectors_checked: checks().map(|check| check.checked).sum(),
        sectors_bad: checks().map(|check| check.bad).sum(),
        tracks: audio.count() as u64,
        tracks_identified: found.filter(|(_, matches)| *matches).count() as u64,
        image: document.image,
        pressing: document.pressing,
    }
}
