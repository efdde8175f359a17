//! Published numbers of known editions, and their comparison with an input.
//!
//! ```
//! use relicast::pipeline::census::published::editions;
//!
//! let skies = editions().iter().find(|edition| edition.by_name).unwrap();
//! let animations = skies.totals.iter().find(|total| total.kind == "animations").unwrap();
//! assert_eq!(animations.rows["events"], 242_391);
//! ```

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::counted::Counted;
use relicast_formats::asset::Game;
use relicast_formats::census::Counts;

const STORED: [&str; 4] = [
    include_str!("../../../golden/census/crimson_skies.json"),
    include_str!("../../../golden/census/everquest_1999.json"),
    include_str!("../../../golden/census/mechwarrior_3.json"),
    include_str!("../../../golden/census/recoil.json"),
];

/// Edition of a game.
#[derive(Debug, Clone, Deserialize)]
pub struct Edition {
    /// The game.
    pub game: Game,
    /// Game and edition.
    pub name: String,
    /// True if files are identified by name as well as by hash, because the game has one edition.
    pub by_name: bool,
    /// Numbers of single files.
    pub files: Vec<PublishedFile>,
    /// Totals over all files of a kind.
    pub totals: Vec<Total>,
}

/// File of an edition.
#[derive(Debug, Clone, Deserialize)]
pub struct PublishedFile {
    /// Last components of its path, in lower case.
    pub path: String,
    /// Size in bytes, if published.
    pub bytes: Option<u64>,
    /// SHA-256, if published.
    pub sha256: Option<String>,
    /// True if the file is identified by name only in whole installs (with all worlds), because other installs
    /// of the game have files with the same name.
    #[serde(default)]
    pub of_whole_install: bool,
    /// Numbers by row.
    pub rows: BTreeMap<String, u64>,
}

/// Total over all files of a kind.
#[derive(Debug, Clone, Deserialize)]
pub struct Total {
    /// Description.
    pub what: String,
    /// Label of the kind.
    pub kind: String,
    /// File name, if only files with one name count.
    pub named: Option<String>,
    /// Numbers by row.
    pub rows: BTreeMap<String, u64>,
}

impl Total {
    /// Returns true for files of this kind and name.
    pub fn takes(&self, kind: &str, name: &str) -> bool {
        let named = self.named.as_ref();
        self.kind == kind && named.is_none_or(|named| named.eq_ignore_ascii_case(name))
    }
}

/// Editions with published numbers.
pub fn editions() -> &'static [Edition] {
    static EDITIONS: LazyLock<Vec<Edition>> = LazyLock::new(|| {
        let stored = STORED.iter();
        // A test parses all of them.
        stored
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect()
    });
    &EDITIONS
}

/// Returns whether a published hash exists for a file of this size.
pub(super) fn is_hash_needed(size: u64) -> bool {
    let mut files = editions().iter().flat_map(|edition| &edition.files);
    files.any(|file| file.sha256.is_some() && file.bytes == Some(size))
}

/// Comparison of an input with an edition.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Game and edition.
    pub edition: &'static str,
    /// Published files that were found.
    pub files: usize,
    /// Published files that were identified by hash.
    pub by_hash: usize,
    /// Published files.
    pub published_files: usize,
    /// Kinds whose totals were compared and match.
    pub whole_kinds: Vec<String>,
    /// Numbers that differ.
    pub differences: Vec<Difference>,
}

/// Number that differs from the published one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Path of the file, or the kind of a total.
    pub what: String,
    /// Counted row.
    pub row: String,
    /// Published number.
    pub published: u64,
    /// Number found.
    pub found: u64,
}

/// Compares an input with each edition of which it has a file.
pub(super) fn compare(files: &[Counted]) -> Vec<Comparison> {
    let editions = editions().iter();
    editions
        .filter_map(|edition| compare_with(edition, files))
        .collect()
}

fn differences<'r>(
    what: &'r str,
    rows: &'r BTreeMap<String, u64>,
    counts: &'r Counts,
) -> impl Iterator<Item = Difference> {
    rows.iter().filter_map(move |(row, &published)| {
        let found = counts.rows.get(row).copied().unwrap_or_default();
        (found != published).then(|| Difference {
            what: what.to_owned(),
            row: row.clone(),
            published,
            found,
        })
    })
}

fn compare_with(edition: &'static Edition, files: &[Counted]) -> Option<Comparison> {
    let mut comparison = Comparison {
        edition: &edition.name,
        files: 0,
        by_hash: 0,
        published_files: edition.files.len(),
        whole_kinds: Vec::new(),
        differences: Vec::new(),
    };
    // The worlds show whether the install is complete.
    let is_world = |total: &&Total| total.kind == "world" && total.rows.contains_key("files");
    let is_whole = edition.totals.iter().find(is_world).is_none_or(|total| {
        let own = files
            .iter()
            .filter(|file| file.game == Some(edition.game) && total.takes(file.kind, file.name()));
        let wanted = total.rows.get("files").copied().unwrap_or_default();
        own.count() as u64 * 2 >= wanted
    });
    for published in &edition.files {
        let hash = files
            .iter()
            .find(|file| file.sha256.is_some() && file.sha256 == published.sha256);
        let name = || {
            let mut own = files.iter().filter(|file| file.game == Some(edition.game));
            let by_name = edition.by_name && (is_whole || !published.of_whole_install);
            own.find(|file| by_name && ends_with(&file.path, &published.path))
        };
        let Some(file) = hash.or_else(name) else {
            continue;
        };
        comparison.files += 1;
        comparison.by_hash += usize::from(hash.is_some());
        let found = differences(&file.path, &published.rows, &file.counts);
        comparison.differences.extend(found);
    }
    for total in &edition.totals {
        // A partial install may be complete for a kind with one file.
        let counts_files = total.rows.get("files").is_some_and(|&files| files > 1);
        if !counts_files && !is_whole {
            continue;
        }
        let own = files
            .iter()
            .filter(|file| file.game == Some(edition.game) && total.takes(file.kind, file.name()));
        let mut counts = Counts::default();
        own.for_each(|file| counts.merge(&file.counts));
        // A partial install has no valid total.
        let of = |rows: &BTreeMap<String, u64>| rows.get("files").copied().unwrap_or_default();
        if of(&counts.rows) * 2 < of(&total.rows) || counts.rows.is_empty() {
            continue;
        }
        let found: Vec<Difference> = differences(&total.what, &total.rows, &counts).collect();
        if found.is_empty() {
            let number = of(&counts.rows);
            comparison
                .whole_kinds
                .push(format!("all {number} {}", total.what));
        }
        comparison.differences.extend(found);
    }
    let is_there = comparison.files > 0
        || !comparison.whole_kinds.is_empty()
        || !comparison.differences.is_empty();
    is_there.then_some(comparison)
}

/// Returns whether a path ends with these components, ignoring letter case.
fn ends_with(path: &str, end: &str) -> bool {
    let path = path.to_lowercase();
    path.strip_suffix(end)
        .is_some_and(|front| front.is_empty() || front.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{STORED, compare, editions, ends_with};
    use crate::pipeline::census::counted::Counted;
    use relicast_formats::asset::Game;
    use relicast_formats::census::Counts;

    #[test]
    fn all_tables_are_read_and_fit_together() {
        assert_eq!(editions().len(), STORED.len());
        for edition in editions() {
            assert!(!edition.files.is_empty() || !edition.totals.is_empty());
            for file in &edition.files {
                assert_eq!(file.path, file.path.to_lowercase());
                assert!(edition.by_name || file.sha256.is_some(), "{}", file.path);
            }
        }
        // Event types and the number of all events are in different places of the sheet.
        let totals = editions().iter().flat_map(|edition| &edition.totals);
        let animations = totals.filter(|total| total.rows.contains_key("events"));
        for total in animations {
            let parts = total.rows.iter();
            let parts = parts.filter(|(row, _)| row.starts_with("events."));
            assert_eq!(
                parts.map(|(_, number)| number).sum::<u64>(),
                total.rows["events"]
            );
        }
    }

    #[test]
    fn files_are_found_by_name_or_hash_and_compared_row_by_row() {
        let skies = editions().iter().find(|edition| edition.game == Game::Cs);
        let world = skies.unwrap().files.iter();
        let world = world
            .clone()
            .find(|file| file.path == "zbd/c1/gamez.zbd")
            .unwrap();
        let mut counted = Counted {
            path: "disc/ZBD/C1/GAMEZ.ZBD".to_owned(),
            game: Some(Game::Cs),
            kind: "world",
            sha256: None,
            counts: Counts {
                rows: world.rows.clone(),
                ..Counts::default()
            },
            missing_textures: Vec::new(),
        };
        let editions = compare(std::slice::from_ref(&counted));
        assert_eq!((editions.len(), editions[0].files), (1, 1));
        assert_eq!(editions[0].differences, []);
        counted.counts.add("polygons", 1);
        let editions = compare(&[counted]);
        let [difference] = &*editions[0].differences else {
            panic!("{editions:?}");
        };
        assert_eq!(difference.row, "polygons");
        assert_eq!(difference.found, difference.published + 1);
    }

    #[test]
    fn readers_of_missions_are_compared_where_the_worlds_are_there() {
        let counted = |path: String, kind: &'static str, rows: &[(&str, usize)]| {
            let mut counts = Counts::default();
            counts.add("files", 1);
            for (row, number) in rows {
                counts.add(row, *number);
            }
            Counted {
                path,
                game: Some(Game::Mw),
                kind,
                sha256: None,
                counts,
                missing_textures: Vec::new(),
            }
        };
        let rows = [("nets.with_attributes", 3741), ("valves", 1509)];
        let readers = counted("zbd/c1/readerm1.zbd".to_owned(), "archive", &rows);
        let motions = counted("zbd/motion.zbd".to_owned(), "archive", &[("motions", 6)]);
        assert!(compare(&[readers.clone(), motions]).is_empty());
        let worlds = (1..=6).map(|at| counted(format!("zbd/c{at}/gamez.zbd"), "world", &[]));
        let all: Vec<Counted> = worlds.chain([readers]).collect();
        let editions = compare(&all);
        let differing = editions[0].differences.iter();
        let valves: Vec<_> = differing.filter(|one| one.row == "valves").collect();
        assert_eq!((valves[0].published, valves[0].found), (1510, 1509));
        assert!(
            !editions[0]
                .differences
                .iter()
                .any(|one| one.row.starts_with("nets"))
        );
    }

    #[test]
    fn an_end_of_a_path_is_whole_parts() {
        assert!(ends_with("zbd/C1/gamez.zbd", "zbd/c1/gamez.zbd"));
        assert!(ends_with("a/ZBD/c1/gamez.zbd", "c1/gamez.zbd"));
        assert!(!ends_with("zbd/xc1/gamez.zbd", "c1/gamez.zbd"));
    }
}
