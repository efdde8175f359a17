//! What the known files among those of an input say of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::table::{Edition, KnownFile, Sha256Digest, Table, table};
use crate::asset::Game;
use crate::source::location::Location;
use crate::source::source_file::SourceFile;

/// What is known of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileVerdict {
    /// Its hash is that of a known file.
    Known,
    /// An edition has a file of its path and size, whose hash nobody published.
    KnownSize,
    /// Editions have a file of its path, and it is another one.
    OtherContent,
    /// Nobody published anything of it.
    NoRecord,
}

/// A file by its path below the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedFile {
    /// Its path.
    pub path: String,
    /// What is known of it.
    pub verdict: FileVerdict,
    /// The editions that have it, as `game: edition`; all of them have one of its path where the content
    /// is another.
    pub editions: Vec<String>,
}

/// An edition, and how much of it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditionMatch {
    /// The game's title.
    pub game: String,
    /// What the edition is called.
    pub edition: String,
    /// Who published its hashes.
    pub source: String,
    /// How many of its files are there.
    pub matched: usize,
    /// How many of them no other edition has.
    pub own: usize,
    /// How many of its files are known.
    pub known: usize,
    /// Those of its files that are not there, except for such as not every way to install has.
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
        format!("{game}, {edition}: {matched} of the {known} files that are known of it")
    }
}

/// A file of another edition or game than the rest.
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
    /// Its path below the install, as the table has it.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The game.
    pub game: String,
}

/// What the known files say of an input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Editions that the input is of, the best first: each has a file that no other edition has.
    pub editions: Vec<EditionMatch>,
    /// Files of editions other than those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<Foreign>,
    /// Files of known names with other content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_content: Vec<OtherContent>,
    /// Files whose content is known.
    pub known_files: usize,
    /// Files of which nothing is known.
    pub no_record: usize,
    /// Every file of which something is known.
    pub files: Vec<NamedFile>,
}

/// Files of a size only that must be there before an edition that has no hashes counts.
const FEWEST_BY_SIZE: usize = 3;

/// What was found out about one file.
#[derive(Debug)]
struct Finding<'t> {
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

/// SHA-256 of a file; `None` when it cannot be read to its end.
fn digest(file: &SourceFile) -> Option<Sha256Digest> {
    let bytes = file.location.open().ok()?;
    let mut hasher = Sha256::new();
    for piece in bytes.chunks(1 << 20) {
        hasher.update(piece);
        bytes.release(piece);
    }
    bytes.check().ok()?;
    Some(hasher.finalize().into())
}

/// Which files are read to be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Those of a known path or size.
    Likely,
    /// The same, but none that must be unpacked for it.
    Cheap,
    /// Every one.
    All,
}

/// Looks a file up.
fn look<'t>(
    file: &SourceFile,
    game: Option<Game>,
    reading: Reading,
    table: &'t Table,
) -> Finding<'t> {
    let path = file.folded();
    let mut finding = Finding {
        path: file.path.clone(),
        verdict: FileVerdict::NoRecord,
        known: Vec::new(),
        size: file.size,
        hash: None,
        game,
    };
    let readable = match &file.location {
        Location::Member(..) => reading != Reading::Cheap,
        Location::File(_)
        | Location::DiscFile(..)
        | Location::Container(..)
        | Location::ContainerPart(..) => true,
        Location::ImagePart(..) | Location::Disc(_) | Location::Special(..) => false,
    };
    if !readable {
        return finding;
    }
    let named = table.at_path(&path);
    let has_hash = |known: &&KnownFile| known.sha256.is_some();
    let fits = |known: &&KnownFile| known.size.is_none_or(|size| size == file.size);
    let wants_hash =
        table.has_size(file.size) || named.iter().any(|known| has_hash(known) && fits(known));
    let of_game: Vec<&KnownFile> = named
        .iter()
        .filter(|known| game.is_none_or(|game| table.edition(known).game == game))
        .copied()
        .collect();
    let is_other = game.is_some() && of_game.iter().any(has_hash);
    if wants_hash || is_other || reading == Reading::All {
        finding.hash = digest(file);
    }
    if let Some(hash) = &finding.hash {
        finding.known = table.with_hash(hash);
        if !finding.known.is_empty() {
            finding.verdict = FileVerdict::Known;
            return finding;
        }
    }
    finding.known = named
        .iter()
        .filter(|known| known.sha256.is_none() && known.size == Some(file.size))
        .copied()
        .collect();
    if !finding.known.is_empty() {
        finding.verdict = FileVerdict::KnownSize;
    } else if is_other && finding.hash.is_some() {
        finding.verdict = FileVerdict::OtherContent;
        finding.known = of_game;
    }
    finding
}

/// Counts of an edition.
#[derive(Default)]
struct Tally {
    paths: HashSet<&'static str>,
    own: HashSet<&'static str>,
    by_hash: bool,
}

/// Looks all files up. `game_of` tells the game of a file, which decides whether a known name with another
/// content means anything.
pub fn survey(
    files: &[&SourceFile],
    reading: Reading,
    game_of: &(dyn Fn(&SourceFile) -> Option<Game> + Sync),
) -> Survey {
    Surveying::new(files, reading, game_of).finish()
}

/// A survey on its way, file by file: for threads that have nothing better to do.
pub struct Surveying<'f> {
    files: &'f [&'f SourceFile],
    reading: Reading,
    game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
    table: &'static Table,
    /// The first file that nobody has looked at yet.
    next: AtomicUsize,
    /// What was found, in any order.
    findings: Mutex<Vec<(usize, Finding<'static>)>>,
}

impl Debug for Surveying<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = formatter.debug_struct("Surveying");
        told.field("files", &self.files.len());
        told.field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'f> Surveying<'f> {
    /// As of [`survey`], with nothing looked up yet.
    pub fn new(
        files: &'f [&'f SourceFile],
        reading: Reading,
        game_of: &'f (dyn Fn(&SourceFile) -> Option<Game> + Sync),
    ) -> Self {
        Self {
            files,
            reading,
            game_of,
            table: table(),
            next: AtomicUsize::new(0),
            findings: Mutex::new(Vec::with_capacity(files.len())),
        }
    }

    /// Looks up the next file; false when there is none any more.
    pub fn look_up_next(&self) -> bool {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(file) = self.files.get(index) else {
            return false;
        };
        self.keep(index, self.look(file));
        true
    }

    /// Looks up what nobody has looked up yet, and sums up.
    pub fn finish(self) -> Survey {
        let first = self.next.load(Ordering::Relaxed);
        let left = self.files.get(first..).unwrap_or_default().par_iter();
        let found: Vec<Finding<'static>> = left.map(|file| self.look(file)).collect();
        let kept = self.findings.into_inner();
        let mut findings = kept.unwrap_or_else(PoisonError::into_inner);
        findings.sort_by_key(|(index, _)| *index);
        let findings = findings.into_iter().map(|(_, finding)| finding);
        sum_up(findings.chain(found).collect(), self.table)
    }

    fn look(&self, file: &SourceFile) -> Finding<'static> {
        look(file, (self.game_of)(file), self.reading, self.table)
    }

    fn keep(&self, index: usize, finding: Finding<'static>) {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        findings.push((index, finding));
    }
}

fn sum_up(findings: Vec<Finding<'_>>, table: &Table) -> Survey {
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
    let mut recognised: Vec<(usize, &Tally)> = tallies
        .iter()
        .filter(|(edition, tally)| counts(**edition, tally))
        .map(|(edition, tally)| (*edition, tally))
        .collect();
    recognised.sort_by_key(|(edition, tally)| (std::cmp::Reverse(tally.paths.len()), *edition));
    let best: BTreeSet<usize> = recognised.iter().map(|(edition, _)| *edition).collect();
    let mut survey = Survey::default();
    for (index, tally) in recognised {
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
                    path: known.map_or_else(String::new, |known| known.path.to_owned()),
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

    /// Whether nothing is known of any file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The text that a user can send when files of known names have other content: no path outside of the
    /// install, no name of a person, no content. `None` when there is nothing to tell.
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
            "This is a variant that relicast has no record of. Please send these lines to the project's list of \
             issues; nothing was sent."
                .to_owned(),
            format!("game: {}", games.join(", ")),
            format!("likeliest edition: {guess}"),
            format!("relicast: {version}"),
        ];
        let shown = self.other_content.iter().take(MOST_LINES);
        lines.extend(shown.map(|file| format!("{} {} {}", file.path, file.size, file.sha256)));
        let more = self.other_content.len().saturating_sub(MOST_LINES);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        Some(lines.join("\n"))
    }
}

/// Files that the text of an unknown variant names.
const MOST_LINES: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD_NO_PAD;

    fn table_of(rows: &str) -> Table {
        Table::parse(Box::leak(rows.to_owned().into_boxed_str()))
    }

    fn hash_of(bytes: &[u8]) -> String {
        STANDARD_NO_PAD.encode(Sha256::digest(bytes))
    }

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<SourceFile>) {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let tree = crate::source::tree::Tree::list(&[folder.path().to_owned()], None).unwrap();
        (folder, tree.files)
    }

    fn told(rows: &str, files: &[(&str, &[u8])]) -> Survey {
        let table = table_of(rows);
        let (_folder, files) = folder(files);
        let findings = files
            .iter()
            .map(|file| look(file, Some(Game::Mw), Reading::Likely, &table));
        sum_up(findings.collect(), &table)
    }

    #[test]
    fn an_edition_needs_a_file_of_its_own() {
        let rows = format!(
            "=\tMW\tone\ts\nzbd/a.zbd\t1\t{a}\nzbd/b.zbd\t-\t{b}\nzbd/gone.zbd\t9\t-\nopt\t9\t-\to\n\
             =\tMW\ttwo\ts\nzbd/a.zbd\t1\t{a}\nzbd/c.zbd\t1\t{c}\n=\tMW\tall\ts\t*\nzbd/d.zbd\t1\t{d}\n",
            a = hash_of(b"a"),
            b = hash_of(b"b"),
            c = hash_of(b"c"),
            d = hash_of(b"d"),
        );
        let both: Survey = told(&rows, &[("ZBD/A.ZBD", b"a"), ("zbd/d.zbd", b"d")]);
        assert!(both.editions.is_empty(), "{:?}", both.editions);
        assert_eq!(both.known_files, 2);
        let one = told(
            &rows,
            &[
                ("x/zbd/a.zbd", b"a"),
                ("x/ZBD/b.zbd", b"b"),
                ("x/readme", b"?"),
            ],
        );
        assert_eq!(one.editions.len(), 1);
        assert_eq!(one.editions[0].edition, "one");
        assert_eq!((one.editions[0].matched, one.editions[0].known), (2, 4));
        assert_eq!(one.editions[0].missing, ["zbd/gone.zbd"]);
        assert_eq!(one.no_record, 1);
        assert!(one.foreign.is_empty() && one.other_content.is_empty());
    }

    #[test]
    fn other_content_is_told_without_anything_personal() {
        let rows = format!(
            "=\tMW\tone\ts\nzbd/a.zbd\t1\t{}\nzbd/size.zbd\t4\t-\n",
            hash_of(b"a")
        );
        let found = told(
            &rows,
            &[("me/zbd/a.zbd", b"other"), ("zbd/size.zbd", b"other")],
        );
        assert_eq!(found.other_content.len(), 1);
        let text = found.unknown_variant("0.1").unwrap();
        assert!(text.contains("zbd/a.zbd 5 "), "{text}");
        assert!(!text.contains("me/"), "{text}");
        assert!(text.contains("likeliest edition: none"), "{text}");
    }

    #[test]
    fn sizes_alone_need_more_of_them() {
        let rows = "=\tMW\tdisc\ts\na\t1\t-\nb\t2\t-\nc\t3\t-\n";
        let two = told(rows, &[("a", b"1"), ("b", b"22")]);
        assert!(two.editions.is_empty());
        let three = told(rows, &[("a", b"1"), ("b", b"22"), ("c", b"333")]);
        assert_eq!(three.editions[0].matched, 3);
    }
}
