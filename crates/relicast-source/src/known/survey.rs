//! Survey of the known files among the files of an input.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::table::{Edition, KnownFile, Sha256Digest, Table};
use crate::location::Location;
use crate::names::fold;
use crate::source_file::SourceFile;
use relicast_formats::asset::Game;

/// Verdict on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileVerdict {
    /// Its hash is that of a known file.
    Known,
    /// An edition has a file of its path and size, whose hash is not published.
    KnownSize,
    /// Editions have a file of its path with other content.
    OtherContent,
    /// No edition has published data about it.
    NoRecord,
}

/// A file by its path below the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedFile {
    /// Its path.
    pub path: String,
    /// Verdict on it.
    pub verdict: FileVerdict,
    /// Editions that have it, as `game: edition`; if its content differs, all editions that have a file of
    /// its path.
    pub editions: Vec<String>,
}

/// An edition, and the part of it that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionMatch {
    /// The game's title.
    pub game: String,
    /// Name of the edition.
    pub edition: String,
    /// Publisher of its hashes.
    pub source: String,
    /// Number of its files that were found.
    pub matched: usize,
    /// Number of them that no other edition has.
    pub own: usize,
    /// Number of its files that are known.
    pub known: usize,
    /// Files of the edition that were not found, without those that only some ways to install have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

impl EditionMatch {
    /// One line for people.
    pub fn line(&self) -> String {
        let Self {
            game,
            edition,
            matched,
            known,
            ..
        } = self;
        format!("{game}, {edition}: {matched} of {known} known files")
    }
}

/// A file of another edition or game than the other files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foreign {
    /// Its path below the input.
    pub path: String,
    /// The editions that have it.
    pub editions: Vec<String>,
}

/// A file of a known name with other content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherContent {
    /// Its path below the install, as on disk.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The game.
    pub game: String,
}

/// Result of comparing an input with the known files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Editions of the input, the best first: each has a file that no other edition has.
    pub editions: Vec<EditionMatch>,
    /// Files of editions other than those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<Foreign>,
    /// Files of known names with other content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_content: Vec<OtherContent>,
    /// Files whose content is known.
    pub known_files: usize,
    /// Number of files without known data.
    pub no_record: usize,
    /// Every file with known data.
    pub files: Vec<NamedFile>,
}

/// Number of files known by size only that an edition without hashes needs before it counts.
const FEWEST_BY_SIZE: usize = 3;

/// Result for one file.
#[derive(Debug)]
pub(super) struct Finding<'t> {
    path: String,
    verdict: FileVerdict,
    known: Vec<&'t KnownFile>,
    size: u64,
    hash: Option<Sha256Digest>,
    game: Option<Game>,
}

fn name_of(edition: &Edition) -> String {
    format!("{}: {}", edition.game.title(), edition.words)
}

/// Files that are read for the lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Files of a known path or size.
    Likely,
    /// The same, without files that must be unpacked for it.
    Cheap,
    /// All files.
    All,
}

/// A file that is looked up.
pub(super) struct Question<'t> {
    finding: Finding<'t>,
    /// Known files of its path.
    named: Vec<&'t KnownFile>,
    /// Files of its game, one of them matched by its hash.
    of_game: Option<Vec<&'t KnownFile>>,
    /// True if its hash would decide something.
    pub(super) wants_hash: bool,
}

impl<'t> Question<'t> {
    /// Looks a file of a game up.
    pub(super) fn new(
        file: &SourceFile,
        game: Option<Game>,
        reading: Reading,
        table: &'t Table,
    ) -> Self {
        let readable = match &file.location {
            Location::Member(..) => reading != Reading::Cheap,
            Location::File(_)
            | Location::DiscFile(..)
            | Location::Container(..)
            | Location::ContainerPart(..) => true,
            Location::ImagePart(..) | Location::Disc(_) | Location::Special(..) => false,
        };
        let path = file.folded();
        let named = match readable {
            true => table.at_path(&path),
            false => Vec::new(),
        };
        let has_hash = |known: &&KnownFile| known.sha256.is_some();
        let fits = |known: &&KnownFile| known.size.is_none_or(|size| size == file.size);
        let may_be_known =
            table.has_size(file.size) || named.iter().any(|known| has_hash(known) && fits(known));
        let of_game: Vec<&KnownFile> = named
            .iter()
            .filter(|known| game.is_none_or(|game| table.edition(known).game == game))
            .copied()
            .collect();
        let is_other = game.is_some() && of_game.iter().any(has_hash);
        Self {
            wants_hash: readable && (may_be_known || is_other || reading == Reading::All),
            finding: Finding {
                path: file.path.clone(),
                verdict: FileVerdict::NoRecord,
                known: Vec::new(),
                size: file.size,
                hash: None,
                game,
            },
            named,
            of_game: is_other.then_some(of_game),
        }
    }

    /// Decides by the file's hash, if that could be had.
    pub(super) fn answer(self, hash: Option<Sha256Digest>, table: &'t Table) -> Finding<'t> {
        let mut finding = self.finding;
        finding.hash = hash;
        if let Some(hash) = &finding.hash {
            finding.known = table.with_hash(hash);
            if !finding.known.is_empty() {
                finding.verdict = FileVerdict::Known;
                return finding;
            }
        }
        let size = finding.size;
        let named = self.named.into_iter();
        let is_so = |known: &&KnownFile| known.sha256.is_none() && known.size == Some(size);
        finding.known = named.filter(is_so).collect();
        if !finding.known.is_empty() {
            finding.verdict = FileVerdict::KnownSize;
        } else if let Some(of_game) = self.of_game
            && finding.hash.is_some()
        {
            finding.verdict = FileVerdict::OtherContent;
            finding.known = of_game;
        }
        finding
    }
}

/// Counts of an edition.
#[derive(Default)]
struct Tally {
    paths: HashSet<&'static str>,
    own: HashSet<&'static str>,
    by_hash: bool,
}

pub(super) fn sum_up(findings: Vec<Finding<'_>>, table: &Table) -> Survey {
    let mut tallies: HashMap<usize, Tally> = HashMap::new();
    for finding in &findings {
        let is_known = matches!(finding.verdict, FileVerdict::Known | FileVerdict::KnownSize);
        if !is_known {
            continue;
        }
        let editions: BTreeSet<usize> = finding.known.iter().map(|known| known.edition).collect();
        for known in &finding.known {
            let tally = tallies.entry(known.edition).or_default();
            tally.paths.insert(known.path);
            tally.by_hash |= finding.verdict == FileVerdict::Known;
            if editions.len() == 1 {
                tally.own.insert(known.path);
            }
        }
    }
    let counts = |edition: usize, tally: &Tally| {
        let listed = table
            .editions
            .get(edition)
            .is_some_and(|edition| !edition.is_shared);
        let enough = tally.by_hash || tally.paths.len() >= FEWEST_BY_SIZE;
        listed && enough && !tally.own.is_empty()
    };
    let mut recognized: Vec<(usize, &Tally)> = tallies
        .iter()
        .filter(|(edition, tally)| counts(**edition, tally))
        .map(|(edition, tally)| (*edition, tally))
        .collect();
    recognized.sort_by_key(|(edition, tally)| (std::cmp::Reverse(tally.paths.len()), *edition));
    let best: BTreeSet<usize> = recognized.iter().map(|(edition, _)| *edition).collect();
    let mut survey = Survey::default();
    for (index, tally) in recognized {
        survey.editions.extend(edition_match(index, tally, table));
    }
    for finding in findings {
        survey.take(finding, &best, table);
    }
    survey
}

fn edition_match(index: usize, tally: &Tally, table: &Table) -> Option<EditionMatch> {
    let edition = table.editions.get(index)?;
    let of_edition = || table.files.iter().filter(|file| file.edition == index);
    let paths: BTreeMap<&str, bool> = of_edition()
        .map(|file| (file.path, file.is_optional))
        .collect();
    let missing = paths
        .iter()
        .filter(|(path, optional)| !**optional && !tally.paths.contains(**path));
    Some(EditionMatch {
        game: edition.game.title().to_owned(),
        edition: edition.words.to_owned(),
        source: edition.source.to_owned(),
        matched: tally.paths.len(),
        own: tally.own.len(),
        known: paths.len(),
        missing: missing.map(|(path, _)| (*path).to_owned()).collect(),
    })
}

impl Survey {
    fn take(&mut self, finding: Finding<'_>, best: &BTreeSet<usize>, table: &Table) {
        let editions: BTreeSet<String> = finding
            .known
            .iter()
            .map(|known| name_of(table.edition(known)))
            .collect();
        let editions: Vec<String> = editions.into_iter().collect();
        match finding.verdict {
            FileVerdict::NoRecord => {
                self.no_record += 1;
                return;
            }
            FileVerdict::Known => {
                self.known_files += 1;
                let is_at_home = finding
                    .known
                    .iter()
                    .any(|known| best.contains(&known.edition) || table.edition(known).is_shared);
                if !is_at_home && !best.is_empty() {
                    self.foreign.push(Foreign {
                        path: finding.path.clone(),
                        editions: editions.clone(),
                    });
                }
            }
            FileVerdict::KnownSize => {}
            FileVerdict::OtherContent => {
                let hash = finding.hash.unwrap_or_default();
                let known = finding.known.first();
                let game = known
                    .map(|known| table.edition(known).game)
                    .or(finding.game);
                self.other_content.push(OtherContent {
                    path: known.map_or_else(String::new, |known| {
                        below_install(&finding.path, known.path)
                    }),
                    size: finding.size,
                    sha256: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
                    game: game.map_or_else(String::new, |game| game.title().to_owned()),
                });
            }
        }
        self.files.push(NamedFile {
            path: finding.path,
            verdict: finding.verdict,
            editions,
        });
    }

    /// True if no file is known.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Report that a user can send when files of known names have other content. It contains no path outside the
    /// install, no name of a person, no content. `None` when there is nothing to report.
    pub fn unknown_variant(&self, version: &str) -> Option<String> {
        if self.other_content.is_empty() {
            return None;
        }
        let mut games: Vec<&str> = self.other_content.iter().map(|file| &*file.game).collect();
        games.sort_unstable();
        games.dedup();
        let guess: Vec<&str> = self
            .editions
            .iter()
            .map(|edition| &*edition.edition)
            .collect();
        let guess = match guess.is_empty() {
            true => "none".to_owned(),
            false => guess.join("; "),
        };
        let mut lines = vec![
            "These files belong to no known edition of the game. Please report these lines in an issue of the \
             project; nothing was sent."
                .to_owned(),
            format!("game: {}", games.join(", ")),
            format!("likeliest edition: {guess}"),
            format!("relicast: {version}"),
        ];
        let shown = self.other_content.iter().take(MAX_LINES);
        lines.extend(shown.map(|file| format!("{} {} {}", file.path, file.size, file.sha256)));
        let more = self.other_content.len().saturating_sub(MAX_LINES);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        Some(lines.join("\n"))
    }
}

/// Cuts the path of a file to its path below the install, as on disk.
fn below_install(path: &str, known: &str) -> String {
    let parts = known.split('/').count();
    let start = path.rmatch_indices('/').nth(parts.saturating_sub(1));
    let start = start.map_or(0, |(slash, _)| slash.saturating_add(1));
    match path.get(start..) {
        Some(end) if fold(end) == fold(known) => end.to_owned(),
        _ => known.to_owned(),
    }
}

/// Largest number of files that the report of an unknown game version names.
const MAX_LINES: usize = 50;
