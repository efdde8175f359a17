//! Table of editions and their files, with lookups.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use relicast_formats::asset::Game;

/// The table as text; see [`Table::parse`].
const TEXT: &str = include_str!("known-files.txt");

/// A SHA-256.
pub type Sha256Digest = [u8; 32];

/// Files that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edition {
    /// The game.
    pub game: Game,
    /// Name of the edition, as its publisher of hashes wrote it.
    pub words: &'static str,
    /// Publisher of its hashes.
    pub source: &'static str,
    /// True if its files are in every edition of the game.
    pub is_shared: bool,
}

/// A file that an edition has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    /// Index of its edition in the table.
    pub(super) edition: usize,
    /// Its path below the install or the disc, in lower case with `/`.
    pub path: &'static str,
    /// Bytes.
    pub size: Option<u64>,
    /// SHA-256 of its bytes.
    pub sha256: Option<Sha256Digest>,
    /// True if not every way to install the edition has it.
    pub is_optional: bool,
}

/// The table of known files.
#[derive(Debug, Default)]
pub struct Table {
    pub(super) editions: Vec<Edition>,
    pub(super) files: Vec<KnownFile>,
    by_hash: HashMap<Sha256Digest, Vec<usize>>,
    by_path: HashMap<&'static str, Vec<usize>>,
    /// Sizes of the files whose hash is known.
    sizes: HashSet<u64>,
}

/// The compiled-in table.
pub fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::parse(TEXT));
    &TABLE
}

fn game(short: &str) -> Option<Game> {
    match short {
        "RC" => Some(Game::Rc),
        "MW" => Some(Game::Mw),
        "PM" => Some(Game::Pm),
        "CS" => Some(Game::Cs),
        "EQ" => Some(Game::Eq),
        _ => None,
    }
}

impl Table {
    /// Parses the text of the table. A line that starts with `=` is an edition: game, words, source, and `*`
    /// for one whose files are in every edition. Other lines are files: path, size or `-`, hash in base64
    /// or `-`, and `o` for one that not every way to install has. Fields are separated by tabs. Other lines
    /// are ignored.
    pub fn parse(text: &'static str) -> Self {
        let mut table = Self::default();
        for line in text.lines() {
            let fields: Vec<&'static str> = line.split('\t').collect();
            match fields[..] {
                ["=", short, words, source, ref rest @ ..] => {
                    let Some(game) = game(short) else {
                        continue;
                    };
                    table.editions.push(Edition {
                        game,
                        words,
                        source,
                        is_shared: rest.first() == Some(&"*"),
                    });
                }
                [path, size, hash, ref rest @ ..] => {
                    let sha256 = STANDARD_NO_PAD.decode(hash).ok();
                    let sha256 = sha256.and_then(|bytes| bytes.try_into().ok());
                    table.add(KnownFile {
                        edition: table.editions.len().saturating_sub(1),
                        path,
                        size: size.parse().ok(),
                        sha256,
                        is_optional: rest.first() == Some(&"o"),
                    });
                }
                _ => {}
            }
        }
        table
    }

    fn add(&mut self, file: KnownFile) {
        if self.editions.is_empty() {
            return;
        }
        let index = self.files.len();
        if let Some(hash) = file.sha256 {
            self.by_hash.entry(hash).or_default().push(index);
            self.sizes.extend(file.size);
        }
        self.by_path.entry(file.path).or_default().push(index);
        self.files.push(file);
    }

    /// The editions, in the order of the table.
    pub fn editions(&self) -> &[Edition] {
        &self.editions
    }

    /// All files.
    pub fn files(&self) -> &[KnownFile] {
        &self.files
    }

    /// The edition of a file.
    pub fn edition(&self, file: &KnownFile) -> &Edition {
        &self.editions[file.edition]
    }

    fn select(&self, indices: Option<&Vec<usize>>) -> Vec<&KnownFile> {
        let indices = indices.into_iter().flatten();
        indices.filter_map(|&index| self.files.get(index)).collect()
    }

    /// The known files that a file at `path` (in lower case, with `/`) may be: those whose path ends it, the
    /// longest only.
    pub fn at_path(&self, path: &str) -> Vec<&KnownFile> {
        let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
        let mut ends = starts.filter_map(|start| self.by_path.get(path.get(start..)?));
        self.select(ends.next())
    }

    /// The known files with this hash.
    pub fn with_hash(&self, hash: &Sha256Digest) -> Vec<&KnownFile> {
        self.select(self.by_hash.get(hash))
    }

    /// True if a known file with a hash has this size.
    pub fn has_size(&self, size: u64) -> bool {
        self.sizes.contains(&size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let table = table();
        assert!(table.editions.len() > 10 && table.files.len() > 1000);
        assert!(table.by_hash.len() > 500);
        let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), table.editions.len() + table.files.len());
        for file in &table.files {
            assert!(!file.path.starts_with('/') && !file.path.contains(['\\', ':']));
            assert_eq!(file.path, file.path.to_lowercase());
            assert!(
                file.size.is_some() || file.sha256.is_some(),
                "{}",
                file.path
            );
        }
        assert!(TEXT.len() < 120_000, "{} bytes", TEXT.len());
    }

    #[test]
    fn lines_that_say_nothing_are_left_out() {
        let table = Table::parse("a\t1\t-\n# remark\n=\tXX\tw\ts\n=\tRC\tw\ts\nb\t2\t-\to\nc\n");
        assert_eq!(table.editions.len(), 1);
        assert_eq!(table.files.len(), 1);
        assert!(table.files[0].is_optional);
        assert_eq!(table.at_path("x/b").len(), 1);
        assert!(table.at_path("xb").is_empty());
    }
}
