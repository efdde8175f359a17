//! All discs of a collection: totals, contents of one disc only, and contents shared by several.
//!
//! ```
//! use relicast::collection::index::Index;
//!
//! let index = Index::default();
//! assert!(index.is_good() && index.totals.discs == 0);
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::disc::{Disc, Home, Proved, SourceFormat, UniqueOutput};
use super::seal;
use crate::package::media;
use crate::pipeline::report::Status;
use crate::pipeline::report::manifest::CONVERTER;

/// Name of the document in the folder of the index.
pub const FILE_NAME: &str = "collection.json";

/// Version of the document.
pub const VERSION: u32 = 1;

/// The document.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Index {
    /// Version of the document.
    pub version: u32,
    /// Hash of the document, to detect changes.
    pub seal: String,
    /// Version of the program that wrote it.
    pub converter: String,
    /// Name of the collection.
    pub name: String,
    /// Sums over all discs.
    pub totals: Totals,
    /// Contents that discs have in common, by the number of discs that have them, ascending.
    pub sharing: Vec<Sharing>,
    /// Formats of the outputs, sorted by media type.
    pub formats: Vec<FormatRow>,
    /// Formats of the sources, sorted by kind.
    pub source_formats: Vec<SourceFormat>,
    /// The discs, sorted by name.
    pub discs: Vec<Disc>,
}

/// Sums over all discs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Discs.
    pub discs: u64,
    /// Discs whose last run was finished.
    pub whole: u64,
    /// Discs of which it was proved that nothing is lost.
    pub proved: u64,
    /// Games, by title, with the number of discs.
    pub games: BTreeMap<String, u64>,
    /// Editions, by game and name, with the number of discs.
    pub editions: BTreeMap<String, u64>,
    /// Files of other editions than the disc's own.
    pub foreign: u64,
    /// Discs with files that match no known edition.
    pub unknown_variants: u64,
    /// Data sectors that were checked.
    pub sectors_checked: u64,
    /// Bad sectors among them.
    pub sectors_bad: u64,
    /// Audio tracks.
    pub tracks: u64,
    /// Audio tracks with the samples of a known pressing.
    pub tracks_identified: u64,
    /// Source files.
    pub files: u64,
    /// Total bytes.
    pub bytes: u64,
    /// Number of files and members by result.
    #[serde(rename = "parts")]
    pub items: BTreeMap<Status, u64>,
    /// Outputs that are missing or changed.
    pub lost: u64,
    /// Outputs.
    pub outputs: u64,
    /// Total bytes.
    pub output_bytes: u64,
    /// Number of different contents among the existing outputs.
    pub contents: u64,
    /// Bytes that all outputs would take if each content were stored once.
    pub content_bytes: u64,
    /// Processor time in seconds, all threads.
    pub seconds: f64,
}

/// Contents that the same number of discs have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Sharing {
    /// Number of discs.
    pub discs: usize,
    /// Different contents.
    pub contents: u64,
    /// Their bytes, each counted once.
    pub bytes: u64,
}

/// Outputs of a format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FormatRow {
    /// Its media type.
    pub media_type: String,
    /// Its identifier in PRONOM, if one fits every version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pronom: Option<String>,
    /// Outputs.
    pub outputs: u64,
    /// Total bytes.
    pub bytes: u64,
}

/// A content, and its places.
struct Content {
    size: u64,
    /// Indices of the discs in the list.
    discs: BTreeSet<usize>,
}

impl Index {
    /// Makes the index of these discs, which are sorted.
    pub(super) fn new(name: &str, homes: Vec<Home>) -> Self {
        let mut contents: HashMap<&str, Content> = HashMap::new();
        for (place, home) in homes.iter().enumerate() {
            for output in &home.outputs {
                let content = contents.entry(&output.blake3).or_insert_with(|| Content {
                    size: output.size,
                    discs: BTreeSet::new(),
                });
                content.discs.insert(place);
            }
        }
        let mut sharing: BTreeMap<usize, Sharing> = BTreeMap::new();
        for content in contents.values() {
            let discs = content.discs.len();
            let row = sharing.entry(discs).or_default();
            row.discs = discs;
            row.contents += 1;
            row.bytes += content.size;
        }
        let formats = formats(&homes);
        let discs: Vec<Disc> = homes
            .iter()
            .map(|home| {
                let mut disc = home.disc.clone();
                divide(home, &mut disc, &contents);
                disc
            })
            .collect();
        let mut totals = Totals::of(&discs);
        totals.contents = contents.len() as u64;
        totals.content_bytes = contents.values().map(|content| content.size).sum();
        Self {
            version: VERSION,
            seal: seal::OPEN.to_owned(),
            converter: CONVERTER.to_owned(),
            name: name.to_owned(),
            totals,
            sharing: sharing.into_values().collect(),
            formats,
            source_formats: source_formats(&discs),
            discs,
        }
    }

    /// True if every disc was converted completely and everything is there.
    pub fn is_good(&self) -> bool {
        self.discs.iter().all(Disc::is_good)
    }
}

/// Divides the outputs of a disc into contents of this disc only and shared contents.
fn divide(home: &Home, disc: &mut Disc, contents: &HashMap<&str, Content>) {
    let mut counted: BTreeSet<&str> = BTreeSet::new();
    for output in &home.outputs {
        let Some(content) = contents.get(&*output.blake3) else {
            continue;
        };
        let is_unique = content.discs.len() == 1;
        let side = match is_unique {
            true => &mut disc.unique,
            false => &mut disc.shared,
        };
        if counted.insert(&output.blake3) {
            side.count += 1;
            side.bytes += content.size;
        }
        if is_unique {
            side.outputs.push(UniqueOutput {
                path: output.path.clone(),
                kind: output.kind,
                size: output.size,
                blake3: output.blake3.clone(),
            });
        }
    }
    disc.unique.outputs.sort_by(|a, b| a.path.cmp(&b.path));
}

fn formats(homes: &[Home]) -> Vec<FormatRow> {
    let mut rows: BTreeMap<&str, FormatRow> = BTreeMap::new();
    for output in homes.iter().flat_map(|home| &home.outputs) {
        let media_type = media::media_type(&output.path);
        let row = rows.entry(media_type).or_insert_with(|| FormatRow {
            media_type: media_type.to_owned(),
            pronom: media::pronom(&output.path).map(str::to_owned),
            ..FormatRow::default()
        });
        row.outputs += 1;
        row.bytes += output.size;
    }
    rows.into_values().collect()
}

fn source_formats(discs: &[Disc]) -> Vec<SourceFormat> {
    let mut rows: BTreeMap<(&str, Option<&str>), SourceFormat> = BTreeMap::new();
    for format in discs.iter().flat_map(|disc| &disc.formats) {
        let key = (&*format.kind, format.media_type.as_deref());
        let row = rows.entry(key).or_insert_with(|| SourceFormat {
            files: 0,
            bytes: 0,
            ..format.clone()
        });
        row.files += format.files;
        row.bytes += format.bytes;
    }
    rows.into_values().collect()
}

impl Totals {
    fn of(discs: &[Disc]) -> Self {
        let mut totals = Self::default();
        for disc in discs {
            totals.discs += 1;
            totals.whole += u64::from(disc.state.is_whole());
            totals.proved += u64::from(disc.proved == Proved::Proved);
            let games: BTreeSet<&str> = disc.games.iter().map(|game| &*game.title).collect();
            for game in games {
                *totals.games.entry(game.to_owned()).or_default() += 1;
            }
            // The best match is the edition of the disc.
            if let Some(edition) = disc.editions.first() {
                let name = format!("{}: {}", edition.game, edition.edition);
                *totals.editions.entry(name).or_default() += 1;
            }
            totals.foreign += disc.foreign.len() as u64;
            totals.unknown_variants += u64::from(disc.unknown_variant);
            for medium in &disc.media {
                totals.sectors_checked += medium.sectors_checked;
                totals.sectors_bad += medium.sectors_bad;
                totals.tracks += medium.tracks;
                totals.tracks_identified += medium.tracks_identified;
            }
            totals.files += disc.files;
            totals.bytes += disc.bytes;
            for (status, count) in &disc.items {
                *totals.items.entry(*status).or_default() += count;
            }
            totals.lost += disc.lost() as u64;
            totals.outputs += disc.outputs;
            totals.output_bytes += disc.output_bytes;
            totals.seconds += disc.seconds;
        }
        totals
    }
}
